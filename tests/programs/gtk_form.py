"""A GTK form for tests: Password, Token and Comment fields, and a Show button that shows the password.

gtk_form.py FILE [--restless]: each change, and enter, writes FILE as JSON: text and screen position of each field.
--restless shows and hides a line above the fields all the time, so that the fields move within the window.
Needs Debian's Python (GTK bindings).
"""

import json
import os
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


class Form(Gtk.Window):
    def __init__(self, file):
        super().__init__(title="Test form")
        self.file, self.entered = file, 0
        grid = Gtk.Grid(row_spacing=12, column_spacing=12, margin=20)
        self.fields = {}
        for row, name in enumerate(("Password", "Token", "Comment")):
            field = Gtk.Entry(width_chars=40, visibility=name != "Password")
            field.get_accessible().set_name(name)
            field.connect("changed", self.write)
            field.connect("activate", self.enter)
            grid.attach(Gtk.Label(label=name + " here"), 0, row, 1, 1)
            grid.attach(field, 1, row, 1, 1)
            self.fields[name] = field
        show = Gtk.Button(label="Show")
        show.connect("clicked", lambda _: self.fields["Password"].set_visibility(True))
        grid.attach(show, 1, 3, 1, 1)
        # Nothing else on the desktop has the colours of these fields.
        style = Gtk.CssProvider()
        style.load_from_data(b"entry { background: #ff00ff; color: #00ff00; font-weight: bold; }")
        Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, 800)
        self.add(grid)
        self.connect("destroy", Gtk.main_quit)
        self.connect("configure-event", lambda *_: GLib.idle_add(self.write) and False)
        self.show_all()
        if "--restless" in sys.argv:
            line = Gtk.Label(label="a\nline\nabove")
            grid.insert_row(0)
            grid.attach(line, 0, 0, 2, 1)
            GLib.timeout_add(90, lambda: line.set_visible(not line.get_visible()) or True)

    def enter(self, _):
        self.entered += 1
        self.write()

    def write(self, *_):
        state = {"entered": self.entered, "text": {}, "place": {}}
        for name, field in self.fields.items():
            _, x, y = field.get_window().get_origin()
            size = field.get_allocation()
            state["text"][name] = field.get_text()
            state["place"][name] = [x + size.x, y + size.y, size.width, size.height]
        with open(self.file + ".new", "w", encoding="utf-8") as out:
            json.dump(state, out)
        os.rename(self.file + ".new", self.file)


Form(sys.argv[1])
Gtk.main()
