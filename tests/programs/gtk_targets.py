"""A GTK window of targets for tests: three named buttons, and a painted magenta square without accessibility.

gtk_targets.py FILE: from the first paint on, FILE is JSON with the clicks so far ("clicked": button names, and "square"
or "beside it" for the painted area), and the screen position of each target in pixels ("place": name to [x, y, width, height]), whatever GDK_SCALE.
Needs Debian's Python (GTK bindings).
"""

import json
import os
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

SIDE, CORNER = 120, (260, 160)  # Away from the middle of its area, so that a click on the middle misses it.
STYLE = f"""* {{ background-image: linear-gradient(#ff00ff, #ff00ff); background-repeat: no-repeat;
  background-size: {SIDE}px {SIDE}px; background-position: {CORNER[0]}px {CORNER[1]}px; }}"""


class Targets(Gtk.Window):
    def __init__(self, file):
        super().__init__(title="Targets")
        self.file, self.clicked = file, []
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=20)
        self.buttons = {}
        for name in ("Apples", "Pears", "Plums"):
            button = Gtk.Button(label=name)
            button.connect("clicked", lambda _, name=name: self.note(name))
            box.add(button)
            self.buttons[name] = button
        self.painted = Gtk.EventBox()
        self.painted.set_size_request(400, 300)
        self.painted.connect("button-press-event", self.press)
        box.add(self.painted)
        style = Gtk.CssProvider()
        style.load_from_data(STYLE.encode())
        self.painted.get_style_context().add_provider(style, 800)
        self.add(box)
        self.connect("destroy", Gtk.main_quit)
        self.connect("configure-event", lambda *_: GLib.idle_add(self.write) and False)
        self.painted_once = False
        self.show_all()
        self.get_window().get_frame_clock().connect("after-paint", self.note_paint)

    def note_paint(self, _):
        if not self.painted_once:
            self.painted_once = True
            self.write()

    def press(self, _, event):
        inside = all(0 <= at - begin < SIDE for at, begin in zip((event.x, event.y), CORNER))
        self.note("square" if inside else "beside it")

    def note(self, name):
        self.clicked.append(name)
        self.write()

    def write(self):
        if not self.painted_once:
            return
        places = {}
        for name, widget in self.buttons.items():
            _, x, y = widget.get_window().get_origin()
            size = widget.get_allocation()
            places[name] = [x + size.x, y + size.y, size.width, size.height]
        _, x, y = self.painted.get_window().get_origin()
        places["square"] = [x + CORNER[0], y + CORNER[1], SIDE, SIDE]
        scale = self.get_scale_factor()
        places = {name: [scale * number for number in place] for name, place in places.items()}
        with open(self.file + ".new", "w", encoding="utf-8") as out:
            json.dump({"clicked": self.clicked, "place": places}, out)
        os.rename(self.file + ".new", self.file)


Targets(sys.argv[1])
Gtk.main()
