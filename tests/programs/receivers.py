"""Windows that get in the way of input: a modal dialog, a second one, a launcher, a notification, a frame, a thief.

receivers.py LOG KIND...: writes what the program gets to LOG, one event a line. Needs Debian's Python with the GTK 3
bindings. Each KIND adds a window:
  main      "Main" with the button "Alpha" and the text field "Field"; SIGUSR1 opens its modal dialog "Question", SIGHUP
            one whose modality the window manager is not told
  dialogs   "Player" with the modal dialog "Welcome" (button "OK"); SIGUSR1 opens a second one, "Recovery" ("Later")
  launcher  an unmanaged window that grabs the keyboard alone, and logs the text that is entered
  menu      an unmanaged window that grabs the pointer
  bubble    a notification over "Main" that goes away on SIGUSR2
  panel     an unmanaged window over a part of "Main" that takes clicks, and goes away on SIGUSR2
  frame     a window over the whole screen whose shape is only a thin frame
  thief     a window that takes the focus on SIGUSR2, and logs each key
"""

import signal
import sys

import cairo
import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

log = open(sys.argv[1], "a", encoding="utf-8", buffering=1)


def say(*words):
    print(*words, file=log)


def on_signal(number, action):
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, lambda: action() or False)


def dialog(parent, title, button, place):
    window = Gtk.Dialog(title=title, transient_for=parent, modal=True)
    window.set_default_size(220, 100)
    window.add_button(button, 1)
    window.connect("response", lambda *_: (say(f"{title} answered"), window.destroy()))
    window.show_all()
    window.move(*place)
    return window


def main():
    window = Gtk.Window(title="Main", default_width=300, default_height=200)
    window.move(60, 60)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    button = Gtk.Button(label="Alpha")
    button.connect("clicked", lambda _: say("clicked Alpha"))
    field = Gtk.Entry()
    field.connect("changed", lambda _: say("field", field.get_text()))
    label = Gtk.Label(label="_Field", use_underline=True)
    label.set_mnemonic_widget(field)
    for part in (button, label, field):
        box.pack_start(part, True, True, 0)
    window.add(box)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    ask = lambda: dialog(window, "Question", "OK", (600, 400))  # noqa: E731
    on_signal(signal.SIGUSR1, lambda: ask() and None)
    on_signal(signal.SIGHUP, lambda: ask().get_window().set_modal_hint(False))


def dialogs():
    window = Gtk.Window(title="Player", default_width=500, default_height=300)
    window.move(60, 60)
    window.show_all()
    dialog(window, "Welcome", "OK", (90, 130))
    on_signal(signal.SIGUSR1, lambda: dialog(window, "Recovery", "Later", (700, 400)))


def grab(window, capabilities, grabbed):
    def try_again():
        seat = Gdk.Display.get_default().get_default_seat()
        if seat.grab(window.get_window(), capabilities, True, None, None, None) != Gdk.GrabStatus.SUCCESS:
            return True
        grabbed()
        say("grabbed")
        return False
    GLib.timeout_add(50, try_again)


def launcher():
    window = Gtk.Window(type=Gtk.WindowType.POPUP, default_width=800, default_height=24)
    field = Gtk.Entry()
    field.connect("activate", lambda _: say("entered", field.get_text()))
    window.add(field)
    window.show_all()
    grab(window, Gdk.SeatCapabilities.KEYBOARD, field.grab_focus)


def menu():
    window = Gtk.Window(type=Gtk.WindowType.POPUP, default_width=120, default_height=90)
    window.set_type_hint(Gdk.WindowTypeHint.POPUP_MENU)
    window.add(Gtk.Label(label="Entry"))
    window.show_all()
    grab(window, Gdk.SeatCapabilities.ALL_POINTING, lambda: None)


def bubble():
    window = Gtk.Window(type=Gtk.WindowType.POPUP, default_width=420, default_height=320)
    window.set_type_hint(Gdk.WindowTypeHint.NOTIFICATION)
    window.move(40, 40)
    window.add(Gtk.Label(label="Updates are available"))
    window.connect("button-press-event", lambda *_: say("clicked the notification"))
    window.connect("map-event", lambda *_: say("notified"))
    window.show_all()
    on_signal(signal.SIGUSR2, window.destroy)


def panel():
    window = Gtk.Window(type=Gtk.WindowType.POPUP, default_width=150, default_height=250)
    window.move(160, 50)
    window.connect("button-press-event", lambda *_: say("clicked the panel"))
    window.connect("map-event", lambda *_: say("unfolded"))
    window.show_all()
    on_signal(signal.SIGUSR2, window.destroy)


def frame():
    window = Gtk.Window(title="Frame", decorated=False, accept_focus=False, focus_on_map=False)
    window.set_keep_above(True)
    screen = Gdk.Screen.get_default()
    width, height = screen.get_width(), screen.get_height()
    window.set_default_size(width, height)
    window.move(0, 0)
    window.realize()
    bars = [(0, 0, width, 4), (0, height - 4, width, 4), (0, 0, 4, height), (width - 4, 0, 4, height)]
    window.shape_combine_region(cairo.Region([cairo.RectangleInt(*bar) for bar in bars]))
    window.show_all()


def thief():
    window = Gtk.Window(title="Thief", default_width=200, default_height=100)
    window.move(800, 60)
    window.connect("key-press-event", lambda _, event: say("stolen", event.string))
    on_signal(signal.SIGUSR2, lambda: (window.show_all(), window.present()))


for kind in sys.argv[2:]:
    {"main": main, "dialogs": dialogs, "launcher": launcher, "bubble": bubble, "panel": panel, "frame": frame, "thief": thief}[kind]()
Gtk.main()
