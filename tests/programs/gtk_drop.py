"""A window for tests, from which a card can be dragged, or on which it can be dropped. Needs Debian's Python (GTK
bindings).

    gtk_drop.py card|bin X Y FILE

The window writes a line into FILE for each event: "begun" and "ended" (the card),
"over" and "dropped" (the bin). After "ended", the picture of the card that follows the pointer is gone.
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
    # GTK shows for half a second how the card flies back, unless the program says that it shows the failure itself. A
    # press during that time hits the flying picture, not the card.
    place.connect("drag-failed", lambda *_: True)
    place.connect("drag-end", lambda *_: Gdk.Display.get_default().sync() or note("ended"))
    place.connect("drag-data-get", lambda _, __, data, *___: data.set_text("card", -1))
else:
    place.drag_dest_set(Gtk.DestDefaults.ALL, TARGETS, Gdk.DragAction.COPY)
    place.connect("drag-motion", lambda *_: note("over") or True)
    place.connect("drag-data-received", lambda _, context, *rest: note("dropped"))
window.add(place)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
