"""A GTK window for the sentences that point, select and set.

gtk_sentences.py FILE: appends to FILE what the window's widgets got, one line each.
Needs Debian's Python (GTK bindings).
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

LOG = open(sys.argv[1], "a", encoding="utf-8", buffering=1)
HELD = {"ctrl": Gdk.ModifierType.CONTROL_MASK, "shift": Gdk.ModifierType.SHIFT_MASK, "alt": Gdk.ModifierType.MOD1_MASK}


def say(*words):
    print(*words, file=LOG)


def held(event):
    return "+".join(name for name, mask in HELD.items() if event.state & mask) or "none"


def button(name):
    made = Gtk.Button(label=name)
    made.connect("button-press-event", lambda _, event: say("pressed", name, held(event)))
    made.connect("enter-notify-event", lambda *_: say("entered", name))
    return made


def field(name):
    made = Gtk.Entry()
    made.connect("changed", lambda entry: say(name, entry.get_text()))
    return made


def selected(selection):
    model, paths = selection.get_selected_rows()
    say("selected", *(model[path][0] for path in paths))


window = Gtk.Window(title="Sentences", default_width=500, default_height=500)
grid = Gtk.Grid(row_spacing=8, column_spacing=8, margin=8)
window.add(grid)
for row, name in enumerate(("Sender", "Receiver")):
    grid.attach(Gtk.Label(label=name), 0, row, 1, 1)
    grid.attach(field(name), 1, row, 1, 1)
    grid.attach(button("Browse"), 2, row, 1, 1)
grid.attach(button("Tools"), 0, 2, 1, 1)
scale = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
scale.get_accessible().set_name("Volume")
scale.set_hexpand(True)
scale.connect("value-changed", lambda one: say("volume", int(one.get_value())))
grid.attach(scale, 1, 3, 1, 1)
spin = Gtk.SpinButton.new_with_range(0, 500, 5)
spin.get_accessible().set_name("Copies")
spin.connect("value-changed", lambda one: say("copies", int(one.get_value())))
grid.attach(spin, 1, 4, 1, 1)
order = Gtk.Entry(text="4711", editable=False)
order.get_accessible().set_name("Order")
grid.attach(order, 1, 5, 1, 1)
rows = Gtk.ListStore(str)
for name in ("a.txt", "b.txt", "c.txt"):
    rows.append([name])
view = Gtk.TreeView(model=rows, headers_visible=False)
view.append_column(Gtk.TreeViewColumn("Files", Gtk.CellRendererText(), text=0))
view.get_accessible().set_name("Files")
view.get_selection().set_mode(Gtk.SelectionMode.MULTIPLE)
view.get_selection().connect("changed", selected)
grid.attach(view, 0, 6, 3, 1)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
