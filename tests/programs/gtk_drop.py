"""A window for tests, from which a card can be dragged, or on which it can be dropped. Needs Debian's Python (GTK
bindings).

    gtk_drop.py card|bin X Y FILE

The window writes a line into FILE for each event: "begun", "over" or "dropped".
"""

import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

kind, x, y, file = sys.argv[1:]
TARGETS = [Gtk.TargetEntry.new("text/plain", 0, 0)]


def note(event):
    with open(file, "a", encoding="utf-8") as out:
        out.write(event + "\n")


window = Gtk.Window(title=f"The {kind}")
window.set_default_size(300, 200)
window.move(int(x), int(y))
place = Gtk.EventBox()
place.add(Gtk.Label(label=f"this is the {kind}"))
if kind == "card":
    place.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, TARGETS, Gdk.DragAction.COPY)
    place.connect("drag-begin", lambda *_: note("begun"))
    place.connect("drag-data-get", lambda _, __, data, *___: data.set_text("card", -1))
else:
    place.drag_dest_set(Gtk.DestDefaults.ALL, TARGETS, Gdk.DragAction.COPY)
    place.connect("drag-motion", lambda *_: note("over") or True)
    place.connect("drag-data-received", lambda _, context, *rest: note("dropped"))
window.add(place)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
