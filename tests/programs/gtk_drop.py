"""A window for tests, from which a card can be dragged, or on which it can be dropped. Needs Debian's Python (GTK
bindings).

    gtk_drop.py card|late-card|bin X Y FILE

The window writes a line into FILE for each event: "begun" and "ended" (the card),
"over" and "dropped" (the bin). After "ended", the picture of the card that follows the pointer is gone.

The late card is dragged as a browser's page is: another process is asked whether a drag begins, which works for a
second before it answers, and the drag begins at the next move of the pointer with the button pressed.
"""

import subprocess
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

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


class Page:
    """The other process, from the first move of a drag on."""

    WORK = "import time\nend = time.process_time() + 1\nwhile time.process_time() < end: pass"

    def __init__(self):
        self.asked = self.answered = False

    def moved(self, card, event):
        if not event.state & Gdk.ModifierType.BUTTON1_MASK:
            return
        if not self.asked:
            self.asked = True
            process = subprocess.Popen([sys.executable, "-c", self.WORK])
            GLib.child_watch_add(GLib.PRIORITY_DEFAULT, process.pid, lambda *_: setattr(self, "answered", True))
        elif self.answered:
            self.answered = False
            card.drag_begin_with_coordinates(Gtk.TargetList.new(TARGETS), Gdk.DragAction.COPY, 1, event, event.x, event.y)


if kind != "bin":
    if kind == "card":
        place.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, TARGETS, Gdk.DragAction.COPY)
    else:
        place.add_events(Gdk.EventMask.BUTTON_PRESS_MASK | Gdk.EventMask.POINTER_MOTION_MASK)
        place.connect("motion-notify-event", Page().moved)
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
