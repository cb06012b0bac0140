"""Locks the keyboard group of its number (X11 has no command for it): keyboard_group.py NUMBER."""

import ctypes
import sys

x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x.XOpenDisplay(None))
x.XkbLockGroup(display, 0x100, int(sys.argv[1]))
x.XSync(display, 0)
