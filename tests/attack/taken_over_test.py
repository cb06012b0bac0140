"""A compromised planner or observer has no access to the user's files or to other services."""

import os
import pathlib
import shutil
import socket
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

from console import BIN, DONE, ConsoleTest  # noqa: E402

LIBRARY = pathlib.Path(os.environ["DA_TAKEN_OVER"]).resolve()
END = "taken over: that was all"
# Tries so many process ids above and below its own, among them the run's other services.
NEAR = 12


class TakenOver(ConsoleTest):
    def setUp(self):
        super().setUp()
        self.sandbox.programs = self.sandbox.path("bin")
        self.sandbox.programs.mkdir()
        for program in BIN.iterdir():
            (self.sandbox.programs / program.name).symlink_to(program)
        # It starts the services in its own directory.
        (self.sandbox.programs / "da-console").unlink()
        shutil.copy(BIN / "da-console", self.sandbox.programs)

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
        program = self.sandbox.programs / f"da-{service}"
        program.unlink()
        # The run's directory is unknown before the service starts.
        program.write_text("#!/bin/sh\nrun=$(dirname \"$2\")\n" + "".join(
            f"export {name}=\"$(echo '{value}' | sed \"s,RUN,$run,g\")\"\n" for name, value in environment.items())
            + f"exec env LD_PRELOAD={LIBRARY} {BIN}/da-{service} \"$@\"\n")
        program.chmod(0o755)
        run = self.sandbox.goal("wait 1 seconds")
        self.assertEqual(DONE, run.wait(), run.said())
        for listener in (bus, abstract):
            listener.close()
        self.assertIn(END, run.errors())
        lines = [line.removeprefix("taken over: ") for line in run.stderr if line.startswith("taken over: ")]
        return {attempt: result == "done" for attempt, _, result in (line.rpartition(": ") for line in lines) if attempt}

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

    def test_the_attempts_succeed_without_a_sandbox(self):
        """Checks the attempts themselves: they succeed in the actuator, which has the user's rights."""
        attempts = self.attempts("actuator")
        refused = {attempt for attempt, could in attempts.items() if not could}
        for attempt in ("start a program", "make a TCP socket", f"connect to {self.sandbox.path('bus')}",
                        f"connect to @{self.sandbox.root.name}", f"read {self.sandbox.home}/secret"):
            self.assertNotIn(attempt, refused)
        self.assertTrue(any(could and "signal process" in attempt for attempt, could in attempts.items()), attempts)


if __name__ == "__main__":
    unittest.main()
