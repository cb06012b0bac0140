"""The target program of the contract tests on X11: a text field, a list, a button, and a pad that reports the pointer.

x11_target.py DIRECTORY TITLE: writes to DIRECTORY "TITLE.events" (one event a line, see stage.h), "TITLE.text" (the
text, after each change) and "TITLE.pad" (the pad's place on the desktop, once it shows).
Needs Debian's Python with the GTK bindings.
"""

import os
import signal
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

BUTTONS = {1: "left", 2: "middle", 3: "right"}
WHEEL = {Gdk.ScrollDirection.UP: "0,-1", Gdk.ScrollDirection.DOWN: "0,1",
         Gdk.ScrollDirection.LEFT: "-1,0", Gdk.ScrollDirection.RIGHT: "1,0"}


class Target(Gtk.Window):
    def __init__(self, directory, title):
        super().__init__(title=title, default_width=500, default_height=400)
        self.path = os.path.join(directory, title)
        self.log = open(self.path + ".events", "a", encoding="utf-8", buffering=1)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=10)
        text = Gtk.TextView()
        text.get_accessible().set_name("Text")
        text.set_size_request(-1, 100)
        text.get_buffer().connect("changed", self.save)
        text.connect("key-press-event", self.key)
        button = Gtk.Button(label="Press")
        button.connect("clicked", lambda _: self.say("pressed"))
        self.pad = Gtk.EventBox(expand=True)
        self.pad.add_events(Gdk.EventMask.POINTER_MOTION_MASK | Gdk.EventMask.SCROLL_MASK)
        self.pad.connect("button-press-event", self.button, "press")
        self.pad.connect("button-release-event", self.button, "release")
        self.pad.connect("motion-notify-event", lambda _, event: self.say(f"move {self.place(event)}"))
        self.pad.connect("scroll-event", lambda _, event: self.say(f"wheel {WHEEL[event.direction]}"))
        self.pad.get_accessible().set_role(gi.repository.Atk.Role.FILLER)
        # The rows of a Gtk.ListBox tell no place while they are scrolled out.
        names = Gtk.ListStore(str)
        for number in range(1, 13):
            names.append([f"Row {number}"])
        rows = Gtk.TreeView(model=names, headers_visible=False)
        rows.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
        scrolled = Gtk.ScrolledWindow(overlay_scrolling=False)
        scrolled.add(rows)
        top = Gtk.Box(spacing=10, homogeneous=True)
        top.add(text)
        top.add(scrolled)
        for child in (top, button):
            box.pack_start(child, False, False, 0)
        box.pack_start(self.pad, True, True, 0)
        self.add(box)
        self.connect("destroy", Gtk.main_quit)
        self.connect("map-event", lambda *_: GLib.timeout_add(50, self.tell_place))
        self.show_all()
        text.grab_focus()
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, self.ask)

    def ask(self):
        dialog = Gtk.Dialog(title="Question", transient_for=self, modal=True)
        dialog.add_button("OK", 1)
        dialog.connect("response", lambda *_: dialog.destroy())
        dialog.show_all()
        return False

    def say(self, event):
        self.log.write(event + "\n")

    def place(self, event):
        return f"{round(event.x_root)},{round(event.y_root)}"

    def button(self, _, event, what):
        if event.type in (Gdk.EventType.BUTTON_PRESS, Gdk.EventType.BUTTON_RELEASE):
            self.say(f"{what} {BUTTONS[event.button]} {self.place(event)}")

    def key(self, _, event):
        if event.state & Gdk.ModifierType.CONTROL_MASK and event.keyval in (Gdk.KEY_s, Gdk.KEY_S):
            self.say("chord ctrl+s")
        return False

    def save(self, buffer):
        text = buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)
        self.replace(".text", text)

    def replace(self, suffix, content):
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(self.path + ".new", self.path + suffix)

    def tell_place(self):
        _, x, y = self.pad.get_window().get_origin()
        size = self.pad.get_allocation()
        self.replace(".pad", f"{x} {y} {size.width} {size.height}")


Target(sys.argv[1], sys.argv[2])
Gtk.main()
