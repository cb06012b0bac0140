"""A board for tests: cards can be dragged between lists with GTK's drag and drop.

gtk_board.py FILE: writes FILE as JSON after its start and each change: the cards of each list ("lists"), the number
of drags that began ("begun"), and the item that is selected in the drop-down list ("colour").
Needs Debian's Python (GTK bindings).
"""

import json
import os
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

CARD = [Gtk.TargetEntry.new("text/plain", Gtk.TargetFlags.SAME_APP, 0)]


class Board(Gtk.Window):
    def __init__(self, file):
        super().__init__(title="Board")
        self.file, self.begun = file, 0
        self.set_default_size(700, 420)
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=20)
        columns = Gtk.Box(spacing=20, homogeneous=True)
        self.lists = {name: self.make_list(name, columns) for name in ("To do", "Doing", "Done")}
        for card in ("card 1", "card 2"):
            self.add_card("To do", card)
        self.colour = Gtk.ComboBoxText()
        for colour in ("Red", "Green", "Blue"):
            self.colour.append_text(colour)
        self.colour.set_active(0)
        self.colour.get_accessible().set_name("Colour")
        self.colour.connect("changed", lambda _: self.write())
        page.pack_start(columns, True, True, 0)
        page.pack_start(self.colour, False, False, 0)
        self.add(page)
        self.connect("destroy", Gtk.main_quit)
        self.show_all()
        GLib.idle_add(self.write)

    def make_list(self, name, columns):
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        column.pack_start(Gtk.Label(label=name), False, False, 0)
        place = Gtk.EventBox()
        place.add(column)
        place.drag_dest_set(Gtk.DestDefaults.ALL, CARD, Gdk.DragAction.MOVE)
        place.connect("drag-data-received", self.drop, name)
        columns.pack_start(place, True, True, 0)
        return column

    def add_card(self, where, text):
        card = Gtk.EventBox()
        card.add(Gtk.Label(label=text, margin=10))
        card.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, CARD, Gdk.DragAction.MOVE)
        card.connect("drag-begin", self.begin)
        card.connect("drag-data-get", lambda _, __, data, ___, ____: data.set_text(text, -1))
        self.lists[where].pack_start(card, False, False, 0)
        card.show_all()

    def begin(self, *_):
        self.begun += 1
        self.write()

    def drop(self, _, context, __, ___, data, ____, when, where):
        text = data.get_text()
        for column in self.lists.values():
            for card in column.get_children()[1:]:
                if card.get_child().get_text() == text:
                    column.remove(card)
        self.add_card(where, text)
        Gtk.drag_finish(context, True, False, when)
        self.write()

    def write(self):
        lists = {name: [card.get_child().get_text() for card in column.get_children()[1:]]
                 for name, column in self.lists.items()}
        with open(self.file + ".new", "w", encoding="utf-8") as out:
            json.dump({"lists": lists, "begun": self.begun, "colour": self.colour.get_active_text()}, out)
        os.rename(self.file + ".new", self.file)


Board(sys.argv[1])
Gtk.main()
