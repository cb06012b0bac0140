"""A window of GTK 4. gtk4_form.py STATE: STATE is a JSON file of what was done."""

import json
import os
import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # noqa: E402

state = {}


def note(**changes):
    state.update(changes)
    with open(sys.argv[1] + ".new", "w") as out:
        json.dump(state, out)
    os.replace(sys.argv[1] + ".new", sys.argv[1])


def field(placeholder, key):
    entry = Gtk.Entry(placeholder_text=placeholder)
    entry.connect("changed", lambda entry: note(**{key: entry.get_text()}))
    return entry


def colours():
    names = [f"Colour {number}" for number in range(1, 31)]
    drop_down = Gtk.DropDown.new_from_strings(names)
    drop_down.connect("notify::selected", lambda list_, _: note(colour=names[list_.get_selected()]))
    return drop_down


def bubble():
    content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for name in ("Print", "Send", "Archive"):
        button = Gtk.Button(label=name)
        button.connect("clicked", lambda _, name=name: note(bubble=name))
        content.append(button)
    return Gtk.MenuButton(label="Share", popover=Gtk.Popover(child=content))


def rows():
    list_box = Gtk.ListBox()
    for number in range(1, 41):
        list_box.append(Gtk.Label(label=f"Row {number}", xalign=0))
    list_box.connect("row-selected", lambda _, row: note(row=row.get_index() + 1 if row else 0))
    return Gtk.ScrolledWindow(child=list_box, vexpand=True)


def open_window(application):
    content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    private = Gtk.CheckButton(label="Private")
    private.connect("toggled", lambda button: note(private=button.get_active()))
    for widget in (field("Your name", "name"), field("Street and number", "street"), private, colours(), bubble(), rows()):
        content.append(widget)
    Gtk.ApplicationWindow(application=application, title="GTK form", child=content, default_width=360,
                          default_height=420).present()
    note()


form = Gtk.Application(application_id="example.Form")
form.connect("activate", open_window)
form.run()
