"""The recorder at 60 observations a second, with screenshots of 300 kB."""

import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "attack"))

from connections_test import DeploymentTest  # noqa: E402
from console import BIN, wait_until  # noqa: E402
from recordings import GAPS, ours, read, recordings_of  # noqa: E402

FEED = BIN.parent / "tests/recording_feed"
PER_SECOND, SECONDS = 60, 20
TOPICS = ("observer.observation", "observer.image")


class Load(DeploymentTest):
    def open_recording(self):
        """Opens a task. Returns its token, its id and the file of its recording."""
        self.start(1024)
        token, _ = self.open_task()
        (file,) = recordings_of(self.sandbox)
        return token, read(file, partial=True).values("desktopassist.recording")["task"], file

    def feed(self, task, seconds):
        observer = self.services.processes["observer"]
        observer.terminate()
        observer.wait(30)
        feed = subprocess.Popen([FEED, "--config", self.services.configuration("observer")], stdout=subprocess.PIPE,
                                text=True, env=dict(self.services.environment, DA_FEED=f"{task} {PER_SECOND} {seconds}"))
        self.addCleanup(feed.stdout.close)
        self.addCleanup(feed.wait)
        self.addCleanup(feed.terminate)
        return feed

    def close_and_count(self, token, file):
        """Closes the task, waits for the end of its recording and returns {topic: messages}."""
        code, _ = self.call("policy", "Policy/CloseTask", "console", b"\n" + bytes([len(token)]) + token.encode())
        self.assertEqual("OK", code)
        found = wait_until(lambda: (read := ours(file)) and not read["problem"] and read, "the recording is complete", 60)
        counts = {}
        for message in found["messages"]:
            counts[message["topic"]] = counts.get(message["topic"], 0) + 1
        return counts

    def test_nothing_is_dropped(self):
        token, task, file = self.open_recording()
        feed = self.feed(task, SECONDS)
        began = time.monotonic()
        self.assertEqual(f"fed {PER_SECOND * SECONDS}\n", feed.stdout.readline())
        took = time.monotonic() - began
        counts = self.close_and_count(token, file)
        print(f"{PER_SECOND * SECONDS} observations in {took:.1f} s: {counts}, {file.stat().st_size / 1e6:.0f} MB",
              flush=True)
        self.assertLess(took, SECONDS * 1.1)
        self.assertEqual({PER_SECOND * SECONDS}, {counts.get(topic) for topic in (*TOPICS, "screen")})
        self.assertNotIn(GAPS, counts)

    def test_what_a_recorder_that_stood_still_missed_is_fetched_or_counted_by_topic(self):
        token, task, file = self.open_recording()
        feed = self.feed(task, 9)
        wait_until(lambda: file.stat().st_size > 15e6, "the first 100 screenshots are recorded")
        self.services.signal("recorder", signal.SIGSTOP)
        # What the publisher keeps does not change any more when the recorder fetches it, however slow the machine is.
        self.assertEqual(f"fed {PER_SECOND * 9}\n", feed.stdout.readline())
        self.services.signal("recorder", signal.SIGCONT)
        counts = self.close_and_count(token, file)
        recording = read(file, hostile=True)
        lost = recording.lost()
        print(f"{PER_SECOND * 9} observations, the last 6 s missed: {counts}, lost {lost}", flush=True)
        # The publisher keeps 16 MB of facts and 64 MB of images: 200 images, some 3.5 s.
        self.assertLess(lost.pop("observer.image"), PER_SECOND * 5)
        self.assertEqual({}, lost)
        for topic in TOPICS:
            self.assertEqual(PER_SECOND * 9, counts[topic] + recording.lost().get(topic, 0))
        self.assertEqual(sum(recording.lost().values()), int(recording.end()["lost"]))


if __name__ == "__main__":
    unittest.main()
