"""A GTK list of very many rows for tests.

gtk_rows.py FILE COUNT: writes the name of the selected row to FILE after each change of the selection.
Needs Debian's Python (GTK bindings).
"""

import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402


def note(selection):
    model, at = selection.get_selected()
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(model[at][0] if at else "")


rows = Gtk.ListStore(str)
for number in range(int(sys.argv[2])):
    rows.append([f"row {number}"])
view = Gtk.TreeView(model=rows, headers_visible=False, fixed_height_mode=True)
column = Gtk.TreeViewColumn("Rows", Gtk.CellRendererText(), text=0)
column.set_sizing(Gtk.TreeViewColumnSizing.FIXED)
view.append_column(column)
view.get_selection().set_mode(Gtk.SelectionMode.SINGLE)
view.get_selection().connect("changed", note)
scrolled = Gtk.ScrolledWindow()
scrolled.add(view)
window = Gtk.Window(title="Rows", default_width=400, default_height=300)
window.add(scrolled)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
