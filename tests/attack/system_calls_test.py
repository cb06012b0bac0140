"""The confined services make no system call that their filter refuses, as strace sees them."""

import collections
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from console import BIN, DONE, ROOT  # noqa: E402
from models import KEY, ModelTest, say, step  # noqa: E402

# Libraries try sockets that they can do without: gRPC finds out whether the machine has IPv6, name resolution whether a
# daemon caches names.
OPTIONAL = {"socket"}
SERVICES = ("planner", "observer", "recorder")
CALL = re.compile(r"\d+ +(?:<\.\.\. )?(\w+)[( ].*?(?: = (-?\d+)(?: (E\w+))?.*)?$")


class SystemCalls(ModelTest):
    def setUp(self):
        super().setUp()
        for service in SERVICES:
            self.sandbox.replace_program(f"da-{service}", "export ASAN_OPTIONS=detect_leaks=0\n"
                                         f"exec strace -f -qq -o {self.sandbox.root}/{service}.$$.calls "
                                         f'{BIN}/da-{service} "$@"')

    def confined_calls(self, service):
        """Counts (call, error) from the moment when the filter was in place."""
        counts = collections.Counter()
        for file in self.sandbox.root.glob(f"{service}.*.calls"):
            lines = file.read_text(errors="replace").splitlines()
            first = next(i for i, line in enumerate(lines)
                         if "SECCOMP_SET_MODE_FILTER" in line and "{len=" in line and line.endswith("= 0"))
            for line in lines[first + 1:]:
                if made := CALL.match(line):
                    counts[made[1], made[3]] += 1
        return counts

    def assert_nothing_was_refused(self, service):
        counts = self.confined_calls(service)
        print(service + ":", *sorted({call for call, _ in counts}), flush=True)
        self.assertGreater(sum(counts.values()), 100)
        self.assertEqual(set(), {call for call, error in counts if error == "EPERM"} - OPTIONAL)

    def test_a_goal_with_a_model_and_a_text_on_the_screen(self):
        file = self.sandbox.path("a.txt")
        plan = [say(step("launch", command=f"notes {file}")), say(step("write", text="Hello")),
                say(step("hotkey", keys=["ctrl", "s"])), say(done="It is written.")]
        with self.model("openai", plan) as model:
            self.sandbox.environment[model.provider.key_variable] = KEY
            address = model.base_url_at(f"localhost:{model.server.server_port}")
            run = self.sandbox.goal("write", "--planner", "openai", "--base-url", address, "--unlock-writes")
            self.assert_ends(run, DONE)
        self.assertEqual("Hello", file.read_text())
        for service in SERVICES:
            self.assert_nothing_was_refused(service)

    def test_the_text_of_a_picture(self):
        run = self.sandbox.run("analyze", "--image", str(ROOT / "docs/screenshot.png"), "--ocr", "--dominant", "3",
                               "--template", str(ROOT / "docs/screenshot.png"))
        self.assert_ends(run, DONE)
        self.assert_nothing_was_refused("observer")


if __name__ == "__main__":
    unittest.main()
