"""A service of a deployment has no free descriptor for some seconds, while a goal runs."""

import contextlib
import pathlib
import resource
import time
import unittest

from connections_test import DeploymentTest

# A service opens these at its start and keeps them, so no number is free below this limit. It is not lower, because
# the recorder waits for eight sockets at once, and poll() rejects more descriptors than the limit.
NONE_FREE = 16
SECONDS = 3  # Several heartbeats of the policy.


class Descriptors:
    """The descriptors of a running process. Needs the right to read /proc/PID/fd: the services hide it from their user,
    but not from root."""

    def __init__(self, pid):
        self.pid, self.usual = pid, resource.prlimit(pid, resource.RLIMIT_NOFILE)

    def limit(self, count):
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (count, self.usual[1]))

    def used(self):
        return {int(entry.name) for entry in pathlib.Path(f"/proc/{self.pid}/fd").iterdir()}

    def free(self):
        """The numbers that the process can give to a new descriptor."""
        used = self.used()
        return [number for number in range(resource.prlimit(self.pid, resource.RLIMIT_NOFILE)[0]) if number not in used]

    def assert_none_is_free(self):
        if self.free():
            raise AssertionError(f"process {self.pid} has free descriptors, or has died: {self.free()}")

    def end(self):
        with contextlib.suppress(ProcessLookupError):  # It has died.
            self.limit(self.usual[0])

    @contextlib.contextmanager
    def exhausted(self):
        self.limit(NONE_FREE)
        try:
            self.assert_none_is_free()
            yield
        finally:
            self.end()


class NoDescriptor(DeploymentTest):
    def assert_survives(self, name):
        self.start(descriptors=1024)
        process = self.services.processes[name]
        run = self.sandbox.start("--config", str(self.services.config), "--json", "--unlock-writes", "--goal",
                                 "; ".join(["wait 1 seconds", "open notes"] * 5))
        run.wait_for(lambda: "ACTING" in run.states())
        with Descriptors(process.pid).exhausted():
            time.sleep(SECONDS)
        self.assertIsNone(process.poll(), f"da-{name} has died")
        run.wait()  # It may fail.
        self.assert_goal_is_done()
        self.assertIsNone(process.poll(), f"da-{name} has died")

    def test_the_policy_survives(self):
        self.assert_survives("policy")

    def test_the_actuator_survives(self):
        self.assert_survives("actuator")

    def test_the_observer_survives(self):
        self.assert_survives("observer")

    def test_the_planner_survives(self):
        self.assert_survives("planner")

    def test_the_recorder_survives(self):
        self.assert_survives("recorder")


if __name__ == "__main__":
    unittest.main()
