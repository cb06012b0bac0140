"""A desktop for a simulated person: Xvnc, openbox and a session bus. Sets the environment of this process to them.

    with VncDesktop() as desktop:
        desktop.person.tap(ord("a"))
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import x11
from rfb import Person


class VncDesktop:
    def __enter__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="/tmp/vnc-"))
        self.processes = []
        self.before = dict(os.environ)
        for name in ("XAUTHORITY", "WAYLAND_DISPLAY", "AT_SPI_BUS_ADDRESS"):
            os.environ.pop(name, None)
        os.environ.update(HOME=str(self.root), XDG_CONFIG_HOME=str(self.root), XDG_CACHE_HOME=str(self.root),
                          GSETTINGS_BACKEND="memory", GTK_IM_MODULE="gtk-im-context-simple", LC_ALL="C.UTF-8",
                          XDG_DATA_HOME=str(self.root))
        reader, writer = os.pipe()
        self.start("Xtigervnc", "-displayfd", str(writer), "-geometry", "1280x800", "-depth", "24", "-SecurityTypes",
                   "None", "-rfbport", "-1", "-rfbunixpath", str(self.root / "rfb"), "-nolisten", "tcp", "-noreset",
                   "-AcceptCutText=0", pass_fds=(writer,))
        os.close(writer)
        with os.fdopen(reader) as number:
            os.environ["DISPLAY"] = ":" + number.readline().strip()
        self.start("openbox", "--sm-disable")
        bus = self.start("dbus-daemon", "--session", "--nofork", "--print-address=1", stdout=subprocess.PIPE, text=True)
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        x11.wait_for_window_manager()
        self.person = Person(self.root / "rfb")
        return self

    def start(self, *command, **options):
        options.setdefault("stdout", subprocess.DEVNULL)
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **options)
        self.processes.append(process)
        return process

    def __exit__(self, *_):
        self.person.close()
        for process in reversed(self.processes):
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
        os.environ.clear()
        os.environ.update(self.before)
        shutil.rmtree(self.root, ignore_errors=True)


def xtest_devices():
    """Returns the ids of the XTEST devices, through which programs send input."""
    listed = subprocess.run(["xinput", "list"], capture_output=True, text=True, check=True, timeout=10).stdout
    return {int(number) for number in re.findall(r"XTEST.*?id=(\d+)", listed)}


def held():
    """Returns the held keys and buttons of all devices in the format of xinput, such as "8: button[1]=down"."""
    found = []
    listed = subprocess.run(["xinput", "list", "--id-only"], capture_output=True, text=True, check=True, timeout=10)
    for number in listed.stdout.split():
        state = subprocess.run(["xinput", "query-state", number.strip("~∼")], capture_output=True, text=True,
                               check=False, timeout=10).stdout
        found += [f"{number}: {line.strip()}" for line in state.splitlines() if "=down" in line]
    return found


def keyboard_map():
    return subprocess.run(["xmodmap", "-pke"], capture_output=True, text=True, check=True, timeout=10).stdout
