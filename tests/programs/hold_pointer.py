"""Confines the pointer to a part of the screen, as a game does, until it is killed.

hold_pointer.py X Y WIDTH HEIGHT: prints "held" once it does. Uses Xlib itself, because no toolkit can confine a pointer.
"""

import ctypes
import signal
import sys
import time

GRAB_MODE_ASYNC, GRAB_SUCCESS = 1, 0

x, y, width, height = (int(number) for number in sys.argv[1:])
xlib = ctypes.CDLL("libX11.so.6")
xlib.XOpenDisplay.restype = ctypes.c_void_p
xlib.XDefaultRootWindow.restype = xlib.XCreateSimpleWindow.restype = ctypes.c_ulong
display = ctypes.c_void_p(xlib.XOpenDisplay(None))
root = ctypes.c_ulong(xlib.XDefaultRootWindow(display))
window = ctypes.c_ulong(xlib.XCreateSimpleWindow(display, root, x, y, width, height, 0, 0, 0))


class Attributes(ctypes.Structure):  # XSetWindowAttributes, of which only override_redirect is used.
    _fields_ = [("before", ctypes.c_ulong * 11), ("override_redirect", ctypes.c_int), ("after", ctypes.c_ulong * 4)]


OVERRIDE_REDIRECT = 1 << 9
xlib.XChangeWindowAttributes(display, window, ctypes.c_ulong(OVERRIDE_REDIRECT),
                             ctypes.byref(Attributes(override_redirect=1)))
xlib.XMapWindow(display, window)
while xlib.XGrabPointer(display, window, False, ctypes.c_uint(0), GRAB_MODE_ASYNC, GRAB_MODE_ASYNC, window,
                        ctypes.c_ulong(0), ctypes.c_ulong(0)) != GRAB_SUCCESS:
    time.sleep(0.02)  # The window is not mapped yet.
print("held", flush=True)
signal.pause()
