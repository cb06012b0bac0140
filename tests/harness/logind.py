"""A private system bus with Debian's systemd-logind, for tests of session locks.

    with Logind(sessions={"1": ":5", "2": ""}) as logind:
        logind.set_locked("1", True)

The real program runs in its own mount namespace and reads its sessions from a private /run, as after a restart. A
session has a display, which may be "". logind does not call PID 1 here, so the machine's own sessions, devices and
processes are not touched.
"""

import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile

from console import wait_until

PROGRAM = "/lib/systemd/systemd-logind"
NAME, MANAGER, SESSION = "org.freedesktop.login1", "org.freedesktop.login1.Manager", "org.freedesktop.login1.Session"
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><listen>unix:path={socket}</listen><policy context="default"><allow user="*"/><allow own="*"/>
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy></busconfig>
"""
SESSION_FILE = """UID={uid}
USER={user}
ACTIVE=1
STATE=active
REMOTE=0
TYPE={kind}
CLASS=user
DISPLAY={display}
SCOPE=session-{name}.scope
SERVICE=test
REALTIME=1
MONOTONIC=1
"""
# Arguments: the directory with the private state and configuration, and the program.
START = """set -e
mount -t tmpfs none /run
cp -r "$1"/systemd /run/
mount --bind "$1"/logind.conf /etc/systemd/logind.conf
exec "$2"
"""


class SystemBus:
    """A private system bus without logind."""

    def __enter__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="/tmp/logind-"))
        self.address = f"unix:path={self.root}/bus"
        (self.root / "bus.conf").write_text(BUS.format(socket=self.root / "bus"))
        self.before = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS")
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = self.address
        self.daemon = subprocess.Popen(["dbus-daemon", f"--config-file={self.root}/bus.conf", "--nofork", "--nopidfile"],
                                       stderr=subprocess.DEVNULL)
        wait_until((self.root / "bus").exists, "the system bus accepts connections")
        return self

    def __exit__(self, *_):
        self.daemon.kill()
        self.daemon.wait()
        os.environ.pop("DBUS_SYSTEM_BUS_ADDRESS")
        if self.before is not None:
            os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = self.before
        shutil.rmtree(self.root, ignore_errors=True)

    def busctl(self, *words):
        """Returns the output of busctl; None if it failed."""
        asked = subprocess.run(["busctl", f"--address={self.address}", *words], capture_output=True, text=True,
                               timeout=20, check=False)
        return asked.stdout.strip() if asked.returncode == 0 else None


class Logind(SystemBus):
    def __init__(self, sessions, kind="x11"):
        self.sessions, self.kind, self.process = sessions, kind, None

    def __enter__(self):
        super().__enter__()
        state = self.root / "systemd"
        user = pwd.getpwuid(os.getuid()).pw_name
        for directory in ("sessions", "users", "seats", "inhibit"):
            (state / directory).mkdir(parents=True)
        (state / f"users/{os.getuid()}").write_text(f"NAME={user}\nSTATE=active\nSTOPPING=no\nSESSIONS={' '.join(self.sessions)}\n")
        for name, display in self.sessions.items():
            (state / "sessions" / name).write_text(SESSION_FILE.format(
                uid=os.getuid(), user=user, name=name, display=display, kind=self.kind))
        (self.root / "logind.conf").write_text(
            "[Login]\nNAutoVTs=0\nReserveVT=0\nKillUserProcesses=no\nRemoveIPC=no\n")
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        super().__exit__()

    def start(self):
        as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        self.process = subprocess.Popen(["unshare", *as_root, "--mount", "--propagation", "private", "sh", "-c", START, "sh",
                                         str(self.root), PROGRAM], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: self.path(next(iter(self.sessions))), "logind knows its sessions")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def path(self, session):
        answer = self.busctl("call", NAME, "/org/freedesktop/login1", MANAGER, "GetSession", "s", session)
        return answer and answer.split('"')[1]

    def locked(self, session):
        return self.busctl("get-property", NAME, self.path(session), SESSION, "LockedHint") == "b true"

    def set_locked(self, session, locked):
        """Sets LockedHint, as a screen locker of the session does."""
        self.busctl("call", NAME, self.path(session), SESSION, "SetLockedHint", "b", "true" if locked else "false")
        wait_until(lambda: self.locked(session) == locked, "LockedHint has the new value")
