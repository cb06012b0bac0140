"""Confines the pointer to a part of the screen, as a game does, until it ends.

hold_pointer.py X Y WIDTH HEIGHT: prints "held" once it does. Needs Debian's Python (GTK bindings).
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

x, y, width, height = (int(number) for number in sys.argv[1:])
window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.move(x, y)
window.resize(width, height)
window.show_all()


def hold():
    shown = window.get_window()
    grabbed = Gdk.pointer_grab(shown, False, Gdk.EventMask.BUTTON_PRESS_MASK, shown, None, Gdk.CURRENT_TIME)
    if grabbed != Gdk.GrabStatus.SUCCESS:
        return True
    print("held", flush=True)
    return False


GLib.timeout_add(20, hold)
Gtk.main()
