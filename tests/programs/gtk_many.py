"""A GTK window with very many elements, for tests: gtk_many.py wide|deep COUNT. A button "Delete everything" has the
focus; a password field and a button "Pay now" follow it. A pressed button, and a password field
that gets the focus or changes, change the title. Needs Debian's Python (GTK bindings)."""

import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

DEPTH = 40  # Nested boxes of "deep". More is not useful, because toolkits and readers have their own depth limits.

shape, count = sys.argv[1], int(sys.argv[2])
window = Gtk.Window(title="Many elements")
window.set_default_size(500, 400)
window.set_position(Gtk.WindowPosition.CENTER)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
delete = Gtk.Button(label="Delete everything")
password = Gtk.Entry(visibility=False, input_purpose=Gtk.InputPurpose.PASSWORD)
pay = Gtk.Button(label="Pay now")
scrolled = Gtk.ScrolledWindow(vexpand=True)
inside = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
place = inside
for number in range(count):
    if shape == "deep" and number % (count // DEPTH) == 0:
        deeper = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        place.add(deeper)
        place = deeper
    place.add(Gtk.Label(label=f"Line {number}"))
scrolled.add(inside)
# The critical elements follow the labels, so that a reader in tree order reaches them last.
for widget in (scrolled, delete, password, pay):
    column.add(widget)
window.add(column)
delete.connect("clicked", lambda _: window.set_title("Deleted"))
password.connect("focus-in-event", lambda *_: window.set_title("Password focused"))
password.connect("changed", lambda _: window.set_title("Password changed"))
pay.connect("clicked", lambda _: window.set_title("Paid"))
window.connect("destroy", Gtk.main_quit)
window.show_all()
delete.grab_focus()
Gtk.main()
