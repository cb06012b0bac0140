"""The recorder withstands a compromised service, which publishes hostile facts with a valid key."""

import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "attack"))

from connections_test import BUS, PORTS, PYTHON, DeploymentTest  # noqa: E402
from console import DONE, wait_until  # noqa: E402
from recordings import directory_of, ours, read, recordings_of  # noqa: E402

PUBLISHER = pathlib.Path(__file__).resolve().parent / "recording_hostile_publisher.py"
FILE = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9A-Za-z_-]{1,8}\.mcap")
# Resident MiB. Several copies of the largest fact, and the queue.
MOST_MEMORY = 200
MOST_MEMORY_LARGE = 1000


class HostileService(DeploymentTest):
    def start(self):
        super().start(1024)
        self.recorder = self.services.processes["recorder"]
        self.pid = self.recorder.pid

    def peak(self):
        """The highest resident MiB of the recorder so far."""
        lines = pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024

    def processor_time(self):
        return sum(map(int, pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[11:13]))

    def attack(self, kind, service, most_memory=MOST_MEMORY, task="none"):
        """Publishes in place of the service, waits until the recorder is idle, and starts the service again."""
        process = self.services.processes[service]
        process.terminate()
        process.wait(30)
        port = PORTS[service] + (2 * BUS if kind == "large" else BUS)
        address = f"tcp://{self.addresses[service]}:{port}"
        publisher = subprocess.Popen([PYTHON, PUBLISHER, kind, address, self.peer_files(service)[0], task],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(publisher.wait)
        self.addCleanup(publisher.kill)
        self.assertEqual(b"sent\n", publisher.stdout.readline())
        self.wait_until_idle()
        publisher.stdin.close()
        publisher.stdout.close()
        publisher.wait(10)
        self.assertIsNone(self.recorder.poll(), "da-recorder ended")
        print(f"{kind}: at most {self.peak():.0f} MiB", flush=True)
        self.assertLess(self.peak(), most_memory)
        self.services.start(service)

    def wait_until_idle(self):
        def idle():
            before = self.processor_time()
            try:
                self.recorder.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
            return self.processor_time() - before <= 3
        wait_until(idle, "the recorder has read everything", 120)

    def assert_still_records(self):
        """A later task is recorded completely. A halt, because the recorder was too slow, is correct. It may come again
        while the recorder still reads."""
        def done():
            self.console("resume")
            run = self.console("--json", "--goal", "wait 0 seconds")
            return run if run.wait() == DONE else None
        run = wait_until(done, "a goal is done", 120)
        (end,) = run.facts("planner.end")
        task = end["result"]["task_id"]
        (file,) = [path for path in recordings_of(self.sandbox) if f"-{task[:8]}." in path.name]
        recording = read(file)
        self.assertEqual({}, recording.missing())
        self.assertEqual("TASK_END_DONE", recording.end()["result"])

    def test_garbage(self):
        self.start()
        token, _ = self.open_task()
        self.attack("garbage", "observer")
        self.assertEqual("OK", self.call("policy", "Policy/CloseTask", "console", b"\n" + bytes([len(token)]) + token.encode())[0])
        # What was recorded of it can be read: whole facts, and marks for those that are missing.
        self.recorder.terminate()
        self.recorder.wait(30)
        for file in recordings_of(self.sandbox):
            self.assertEqual("", ours(file)["problem"])
            self.assertTrue(read(file, hostile=True).lost())
        self.services.start("recorder")
        self.assert_still_records()

    def test_impossible_sequence_numbers(self):
        self.start()
        self.open_task()
        self.attack("sequences", "observer")
        self.assert_still_records()

    def test_facts_of_tasks_that_do_not_exist(self):
        self.start()
        self.open_task()
        before = sum(file.stat().st_size for file in recordings_of(self.sandbox))
        self.attack("strangers", "observer")
        self.assertLess(sum(file.stat().st_size for file in recordings_of(self.sandbox)), before + 10_000)
        self.assert_still_records()

    def test_facts_as_large_as_the_bus_allows(self):
        self.start()
        self.open_task()
        task = read(recordings_of(self.sandbox)[0], partial=True).values("desktopassist.recording")["task"]
        self.attack("large", "observer", MOST_MEMORY_LARGE, task)
        self.assert_still_records()

    def test_ten_thousand_open_tasks(self):
        self.start()
        self.attack("tasks", "policy")
        self.assertLessEqual(len(recordings_of(self.sandbox)), 200)
        self.assert_still_records()

    def test_task_ids_that_are_paths(self):
        self.start()
        before = {path for path in self.sandbox.root.rglob("*.mcap")}
        self.attack("ids", "policy")
        made = {path for path in self.sandbox.root.rglob("*.mcap")} - before
        self.assertGreater(len(made), 8)
        for path in made:
            self.assertEqual(directory_of(self.sandbox), path.parent)
            self.assertRegex(path.name, FILE)
        self.assertEqual([], [path for path in pathlib.Path("/tmp").glob("abs*.mcap")])
        self.assert_still_records()


if __name__ == "__main__":
    unittest.main()
