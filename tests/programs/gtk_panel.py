"""A panel for tests, 600x400 pixels at 100,100 without a frame, for programs that know only places.

It shows a light that is orange until it is clicked and green then, the text "Order 4711", an icon, a grey pad, white
paper with a black line, and a text field.
gtk_panel.py FILE: keeps FILE as JSON: the clicks (area, button, place in the area), the text of the field, its text at
each enter key, and the colour of the light. gtk_panel.py --icon FILE: writes a picture of the icon.
Needs Debian's Python (GTK bindings, PIL).
"""

import json
import os
import sys

import gi
from PIL import Image, ImageDraw, ImageFont

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

SIZE = (600, 400)
AREAS = {"light": (20, 20, 60, 60), "icon": (300, 40, 48, 48), "pad": (300, 150, 200, 100), "paper": (20, 320, 560, 60)}
FIELD = (20, 250, 250)
COLOURS = {"orange": (255, 128, 0), "green": (0, 200, 0)}


def draw_icon():
    icon = Image.new("RGB", AREAS["icon"][2:], (26, 51, 153))
    draw = ImageDraw.Draw(icon)
    draw.rectangle((20, 6, 27, 41), (255, 255, 255))
    draw.rectangle((6, 20, 41, 27), (255, 255, 255))
    draw.rectangle((34, 4, 43, 13), (255, 230, 0))
    return icon


def draw_panel(light):
    panel = Image.new("RGB", SIZE, (217, 217, 230))
    for name, colour in (("light", COLOURS[light]), ("pad", (153, 153, 153)), ("paper", (255, 255, 255))):
        x, y, width, height = AREAS[name]
        panel.paste(colour, (x, y, x + width, y + height))
    panel.paste(draw_icon(), AREAS["icon"][:2])
    draw = ImageDraw.Draw(panel)
    draw.rectangle((20, 340, 579, 347), (0, 0, 0))
    draw.text((24, 125), "Order 4711", (0, 0, 0), ImageFont.truetype("DejaVuSans.ttf", 34))
    return panel


class Panel(Gtk.Window):
    def __init__(self, file):
        super().__init__(title="Panel")
        self.file, self.clicks, self.sent, self.light = file, [], [], "orange"
        self.set_decorated(False)
        self.set_resizable(False)
        self.move(100, 100)
        place = Gtk.Fixed()
        self.picture = Gtk.Image()
        painted = Gtk.EventBox()
        painted.add(self.picture)
        painted.connect("button-press-event", self.press)
        place.put(painted, 0, 0)
        self.field = Gtk.Entry()
        self.field.set_size_request(FIELD[2], -1)
        self.field.connect("changed", lambda _: self.write())
        self.field.connect("activate", self.enter)
        place.put(self.field, *FIELD[:2])
        self.add(place)
        self.show_picture()
        self.connect("destroy", Gtk.main_quit)
        self.show_all()
        self.field.grab_focus()
        self.drawn = False
        self.get_window().get_frame_clock().connect("after-paint", self.note_paint)

    def note_paint(self, _):
        if not self.drawn:
            self.drawn = True
            GLib.idle_add(self.write)

    def show_picture(self):
        draw_panel(self.light).save(self.file + ".png")
        self.picture.set_from_file(self.file + ".png")

    def press(self, _, event):
        if event.type != Gdk.EventType.BUTTON_PRESS:
            return
        at = int(event.x), int(event.y)
        area, (left, top) = "elsewhere", (0, 0)
        for name, (x, y, width, height) in AREAS.items():
            if x <= at[0] < x + width and y <= at[1] < y + height:
                area, (left, top) = name, (x, y)
        self.clicks.append([area, event.button, at[0] - left, at[1] - top])
        if area == "light":
            self.light = "green"
            self.show_picture()
        self.write()

    def enter(self, _):
        self.sent.append(self.field.get_text())
        self.write()

    def write(self):
        state = {"clicks": self.clicks, "text": self.field.get_text(), "sent": self.sent, "light": self.light}
        with open(self.file + ".new", "w", encoding="utf-8") as out:
            json.dump(state, out)
        os.rename(self.file + ".new", self.file)


if sys.argv[1] == "--icon":
    draw_icon().save(sys.argv[2])
else:
    Panel(sys.argv[1])
    Gtk.main()
