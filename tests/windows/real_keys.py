"""Presses keys on an X display as xdotool does (by its XTEST extension), but without the start of a program, so that
times can be measured from the key. Wine takes these keys for a person's.
"""

import ctypes
import time


class RealKeys:
    def __init__(self, display):
        self.x11, self.xtest = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XStringToKeysym.restype = ctypes.c_ulong
        self.connection = ctypes.c_void_p(self.x11.XOpenDisplay(display.encode()))
        if not self.connection:
            raise OSError(f"the X display {display} does not answer")

    def press(self, key):
        """Returns the time of the press, by time.monotonic()."""
        return self._send(key, 1)

    def release(self, key):
        self._send(key, 0)

    def close(self):
        self.x11.XCloseDisplay(self.connection)

    def _send(self, key, down):
        code = self.x11.XKeysymToKeycode(self.connection, ctypes.c_ulong(self.x11.XStringToKeysym(key.encode())))
        sent = time.monotonic()
        self.xtest.XTestFakeKeyEvent(self.connection, ctypes.c_uint(code & 0xFF), down, ctypes.c_ulong(0))
        self.x11.XFlush(self.connection)
        return sent
