"""Takes F12 wherever it is pressed, as a drop-down terminal does, until it is killed.

Prints "ready" once it does, and "taken" for each press. Uses Xlib itself, because no toolkit can grab a key.
"""

import ctypes

GRAB_MODE_ASYNC, KEY_PRESS = 1, 2

xlib = ctypes.CDLL("libX11.so.6")
xlib.XOpenDisplay.restype = ctypes.c_void_p
xlib.XDefaultRootWindow.restype = xlib.XStringToKeysym.restype = ctypes.c_ulong
display = ctypes.c_void_p(xlib.XOpenDisplay(None))
root = ctypes.c_ulong(xlib.XDefaultRootWindow(display))
key = xlib.XKeysymToKeycode(display, ctypes.c_ulong(xlib.XStringToKeysym(b"F12")))
xlib.XGrabKey(display, key, ctypes.c_uint(0), root, True, GRAB_MODE_ASYNC, GRAB_MODE_ASYNC)
xlib.XSync(display, False)
print("ready", flush=True)
event = (ctypes.c_long * 24)()  # XEvent; its first member is the type, an int.
while True:
    xlib.XNextEvent(display, ctypes.byref(event))
    if ctypes.cast(event, ctypes.POINTER(ctypes.c_int))[0] == KEY_PRESS:
        print("taken", flush=True)
