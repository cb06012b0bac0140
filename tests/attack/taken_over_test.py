"""A compromised planner, observer or recorder has no access to the user's files or to other services."""

import os
import pathlib
import socket
import struct
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from connections_test import DeploymentTest  # noqa: E402
from console import BIN, DONE, ConsoleTest, wait_until  # noqa: E402
from services import Services  # noqa: E402

LIBRARY = pathlib.Path(os.environ["DA_TAKEN_OVER"]).resolve()
END = "taken over: that was all"
# Tries so many process ids above and below its own, among them the run's other services.
NEAR = 12


def results(lines):
    """The attempts that a service reported: {attempt: True if it succeeded}."""
    reported = [line.removeprefix("taken over: ") for line in lines if line.startswith("taken over: ")]
    return {attempt: result == "done" for attempt, _, result in (line.rpartition(": ") for line in reported) if attempt}


class TakenOver(ConsoleTest):
    def attempts(self, service):
        """The attempts of the service in a separate run: {attempt: True if it succeeded}."""
        bus = self.listening(self.sandbox.path("bus"))
        abstract = self.listening(f"\0{self.sandbox.root.name}")
        secret = self.sandbox.home / "secret"
        secret.write_text("of another program")
        environment = {
            "ASAN_OPTIONS": "verify_asan_link_order=0", "TAKEN_OVER_NEAR_PIDS": NEAR,
            "TAKEN_OVER_READ": ":".join(map(str, [secret, self.sandbox.home, "RUN", "RUN/console.identity.toml",
                                                  "RUN/console.toml", "RUN/policy.toml", "/etc/passwd", self.audit(),
                                                  self.audit().parent])),
            "TAKEN_OVER_WRITE": ":".join(map(str, [secret, self.sandbox.home / "new", "RUN/peers/peers.toml", "RUN/new",
                                                   self.audit()])),
            "TAKEN_OVER_CONNECT": f"{self.sandbox.path('bus')}:@{self.sandbox.root.name}:RUN/policy/calls.sock"}
        # The run's directory is unknown before the service starts.
        self.sandbox.replace_program(f"da-{service}", "run=$(dirname \"$2\")\n" + "".join(
            f"export {name}=\"$(echo '{value}' | sed \"s,RUN,$run,g\")\"\n" for name, value in environment.items())
            + f"exec env LD_PRELOAD={LIBRARY} {BIN}/da-{service} \"$@\"")
        run = self.sandbox.goal("wait 1 seconds")
        self.assertEqual(DONE, run.wait(), run.said())
        for listener in (bus, abstract):
            listener.close()
        self.assertIn(END, run.errors())
        return results(run.stderr)

    def audit(self):
        return self.sandbox.state / "desktopassist/policy/audit"

    @staticmethod
    def listening(address):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(address))
        listener.listen()
        return listener

    def assert_reaches_only(self, service, may=()):
        attempts = self.attempts(service)
        self.assertGreater(len(attempts), 30, attempts)
        done = {attempt for attempt, could in attempts.items() if could}
        self.assertEqual(set(may), done)

    def test_the_observer_reaches_nothing(self):
        self.assert_reaches_only("observer")

    def test_the_planner_reaches_only_the_network(self):
        # Name resolution and certificate checks for model servers need files in /etc.
        self.assert_reaches_only("planner", may={"make a TCP socket", "read /etc/passwd"})

    def test_the_recorder_reaches_nothing(self):
        self.assert_reaches_only("recorder")

    def test_the_attempts_succeed_without_a_sandbox(self):
        """Checks the attempts themselves: they succeed in the actuator, which has the user's rights."""
        attempts = self.attempts("actuator")
        refused = {attempt for attempt, could in attempts.items() if not could}
        for attempt in ("start a program", "make a TCP socket", f"connect to {self.sandbox.path('bus')}",
                        f"connect to @{self.sandbox.root.name}", f"read {self.sandbox.home}/secret",
                        f"change the mode of {self.sandbox.home}/secret", f"watch {self.sandbox.home}/secret",
                        f"change the times of {self.sandbox.home}/secret"):
            self.assertNotIn(attempt, refused)
        self.assertTrue(any(could and "signal process" in attempt for attempt, could in attempts.items()), attempts)


class OneCompromised(Services):
    """Services of which one is compromised. All have the same user here, which the shipped units do not allow."""

    def __init__(self, compromised, *arguments, **options):
        self.compromised = compromised
        self.output = None
        super().__init__(*arguments, **options)

    def files_of_others(self):
        roles = [path for path in self.deployment.iterdir() if path.name != self.compromised]
        return [path for role in roles for path in (role, *sorted(role.rglob("*"))) if not path.is_socket()]

    def start(self, name):
        if name != self.compromised:
            return super().start(name)
        files = ":".join(map(str, self.files_of_others()))
        self.output = self.deployment.parent / "output"
        environment = {"LD_PRELOAD": str(LIBRARY), "ASAN_OPTIONS": "verify_asan_link_order=0", "TAKEN_OVER_READ": files,
                       "TAKEN_OVER_WRITE": files, "TAKEN_OVER_NEAR_PIDS": str(NEAR)}
        with open(self.output, "wb") as output:
            self.start_with(name, dict(self.environment, **environment), output)


class Deployed(DeploymentTest):
    """A service of a deployment that da-console init made, over TCP."""

    def assert_reaches_only(self, compromised, may):
        self.services = OneCompromised(compromised, self.sandbox, hosts=self.addresses)
        self.addCleanup(self.services.stop)
        self.assert_goal_is_done()
        secrets = [str(path) for path in self.services.files_of_others() if path.name.endswith((".key", ".identity.toml"))]
        lines = self.services.output.read_text(errors="replace").splitlines()
        self.assertIn(END, lines)
        attempts = results(lines)
        self.assertGreaterEqual(len(secrets), 5)
        self.assertLessEqual({f"read {path}" for path in secrets}, set(attempts))
        self.assertEqual(may, {attempt for attempt, could in attempts.items() if could})

    def test_a_compromised_observer_reaches_only_the_network(self):
        self.assert_reaches_only("observer", {"make a TCP socket"})

    def test_a_compromised_planner_reaches_only_the_network(self):
        self.assert_reaches_only("planner", {"make a TCP socket"})

    def test_a_compromised_recorder_reaches_only_the_network(self):
        self.assert_reaches_only("recorder", {"make a TCP socket"})


def picture():
    """A PNG file of 8x8 grey pixels."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    rows = b"".join(b"\0" + bytes(8) for _ in range(8))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Pictures(ConsoleTest):
    def test_a_picture_from_anywhere_is_decoded_without_rights(self):
        """As the kernel tells: a decoder that a picture takes over has a filter for system calls and no capability."""
        file = self.sandbox.path("picture.png")
        file.write_bytes(picture())
        observer = subprocess.Popen([BIN / "da-observer", "analyze", "--image", file], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(observer.communicate)
        self.addCleanup(observer.kill)

        def status():
            lines = pathlib.Path(f"/proc/{observer.pid}/status").read_text().splitlines()
            return dict(line.split(":\t", 1) for line in lines)
        found = wait_until(lambda: (now := status())["Seccomp"] == "2" and now, "the process is confined", 20)
        self.assertEqual("1", found["NoNewPrivs"])
        self.assertEqual(0, int(found["CapEff"], 16))


if __name__ == "__main__":
    unittest.main()
