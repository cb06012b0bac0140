"""A person's mouse and keyboard: a minimal RFB client (RFC 6143) of an Xvnc server.

The X server treats its input as that of real devices, not of the XTEST devices that programs use.
"""

import socket
import struct

CONTROL, SHIFT, ESCAPE = 0xFFE3, 0xFFE1, 0xFF1B


class Person:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(str(path))
        self._exactly(12)
        self.socket.sendall(b"RFB 003.008\n")
        kinds = self._exactly(self._exactly(1)[0])
        if 1 not in kinds:
            raise AssertionError(f"the VNC server requires a password: security types {list(kinds)}")
        self.socket.sendall(b"\x01")
        if self._exactly(4) != b"\0\0\0\0":
            raise AssertionError("the VNC server refused the connection")
        self.socket.sendall(b"\x01")  # ClientInit: a shared session.
        head = self._exactly(24)
        self._exactly(struct.unpack(">I", head[20:])[0])

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise AssertionError("the VNC server closed the connection")
            data += part
        return data

    def key(self, keysym, down):
        self.socket.sendall(struct.pack(">BBxxI", 4, down, keysym))

    def tap(self, keysym):
        self.key(keysym, True)
        self.key(keysym, False)

    def move(self, x, y, buttons=0):
        self.socket.sendall(struct.pack(">BBHH", 5, buttons, x, y))

    def press_kill_switch(self):
        for keysym in (CONTROL, SHIFT, ESCAPE):
            self.key(keysym, True)

    def release_kill_switch(self):
        for keysym in (ESCAPE, SHIFT, CONTROL):
            self.key(keysym, False)

    def close(self):
        self.socket.close()
