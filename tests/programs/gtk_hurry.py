"""A window whose buttons move, swap places, vanish and are covered while a test clicks them.

gtk_hurry.py FILE SEED: writes one JSON line per click to FILE: the name of the button when it was clicked.
At a random moment within 400 ms after each click, one of these happens: two buttons swap places, one moves, one is
disabled or hidden for 300 ms, another window covers one for 300 ms, or nothing.
Needs Debian's Python with the GTK bindings.
"""

import json
import random
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

NAMES = ("Apples", "Pears", "Plums", "Figs", "Nuts", "Dates")
PLACES = [(20 + 180 * (i % 3), 20 + 120 * (i // 3)) for i in range(len(NAMES))]
LATEST_MS, SHORT_MS = 400, 300


class Hurry(Gtk.Window):
    def __init__(self, file, seed):
        super().__init__(title="Hurry", default_width=580, default_height=300)
        self.log = open(file, "a", encoding="utf-8", buffering=1)
        self.chance = random.Random(seed)
        self.field = Gtk.Fixed()
        self.buttons = []
        for name, place in zip(NAMES, PLACES):
            button = Gtk.Button(label=name)
            button.set_size_request(120, 60)
            button.connect("clicked", self.note)
            self.field.put(button, *place)
            self.buttons.append(button)
        self.add(self.field)
        self.cover = Gtk.Window(title="Cover", type=Gtk.WindowType.TOPLEVEL, accept_focus=False,
                                default_width=150, default_height=90, decorated=False)
        self.connect("destroy", Gtk.main_quit)
        self.show_all()

    def note(self, button):
        self.log.write(json.dumps(button.get_label()) + "\n")
        GLib.timeout_add(self.chance.randrange(LATEST_MS), self.happen)

    def happen(self):
        one, other = self.chance.sample(self.buttons, 2)
        self.chance.choice((self.swap_places, self.move, self.disable, self.hide, self.lay_over,
                            lambda *_: None))(one, other)
        return False

    def place_of(self, button):
        return self.field.child_get_property(button, "x"), self.field.child_get_property(button, "y")

    def swap_places(self, one, other):
        first, second = self.place_of(one), self.place_of(other)
        self.field.move(one, *second)
        self.field.move(other, *first)

    def move(self, one, _):
        x, y = self.place_of(one)
        self.field.move(one, x + (50 if x % 180 == 20 else -50), y)

    def disable(self, one, _):
        one.set_sensitive(False)
        GLib.timeout_add(SHORT_MS, lambda: one.set_sensitive(True) and False)

    def hide(self, one, _):
        one.hide()
        GLib.timeout_add(SHORT_MS, lambda: one.show() and False)

    def lay_over(self, one, _):
        _, x, y = self.get_window().get_origin()
        place = one.get_allocation()
        self.cover.move(x + place.x - 15, y + place.y - 15)
        self.cover.show()
        GLib.timeout_add(SHORT_MS, lambda: self.cover.hide() and False)


Hurry(sys.argv[1], int(sys.argv[2]))
Gtk.main()
