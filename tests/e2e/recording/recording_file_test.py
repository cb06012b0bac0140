"""Recordings are MCAP files that other programs read, and we read those of other programs."""

import json
import subprocess
import unittest

from console import DONE, ConsoleTest
from recordings import VIEWER_TOPICS, assert_same, ours, peer, read, recordings_of

PYTHON = "/usr/bin/python3"  # Debian's Python, which has PIL.
# Prints the format and size of each image in a JSON list of base64, and whether all of its pixels can be decoded.
DECODE = """
import base64, io, json, sys
from PIL import Image
def decoded(text):
    image = Image.open(io.BytesIO(base64.b64decode(text)))
    image.load()
    return [image.format.lower(), *image.size, len(set(image.convert("L").getdata())) > 1]
print(json.dumps([decoded(text) for text in json.load(sys.stdin)]))
"""
GOAL = 'open notes {path}; type "hello"; press ctrl+s'


class RecordingTest(ConsoleTest):
    def recorded(self, *arguments, within=()):
        run = self.sandbox.start("--json", "--unlock-writes", *arguments, within=within)
        self.assertEqual(DONE, run.wait(120), run.said())
        self.sandbox.check_nothing_left()
        return run, read(recordings_of(self.sandbox)[-1])

    def decoded_images(self, recording):
        shown = recording.of("screen")
        self.assertTrue(shown)
        ran = subprocess.run([PYTHON, "-c", DECODE], input=json.dumps([image["data"] for image in shown]), check=True,
                             capture_output=True, text=True, timeout=60)
        return list(zip(shown, json.loads(ran.stdout)))

    def assert_viewable(self, recording):
        """The images decode, and the annotations lie within the image that they belong to."""
        facts = recording.facts("observer.image")
        for (shown, (kind, width, height, varied)), fact in zip(self.decoded_images(recording), facts, strict=True):
            self.assertEqual((shown["data"], shown["format"]), (fact["data"], kind))
            self.assertTrue(varied, "one colour only")
        sizes = [(0, 0)]
        points = 0
        for message in recording.messages:
            if message["topic"] == "observer.observation" and message["decoded"].get("image_hash"):
                coordinates = message["decoded"]["coordinates"]
                sizes.append((coordinates["image_width"], coordinates["image_height"]))
            if message["topic"] != "screen.targets":
                continue
            for point in (point for shape in message["decoded"]["points"] for point in shape["points"]):
                self.assertTrue(0 <= point.get("x", 0) <= sizes[-1][0] and 0 <= point.get("y", 0) <= sizes[-1][1],
                                f"{point} outside {sizes[-1]}")
                points += 1
        return points


class Peer(RecordingTest):
    def assert_same_in_all_readers(self, recording):
        messages = recording.messages
        assert_same(messages, recording.indexed["messages"])
        found = ours(recording.file)
        self.assertEqual("", found["problem"])
        assert_same(messages, found["messages"])
        statistics = recording.indexed["statistics"]
        self.assertEqual((str(len(messages)), recording.indexed["chunks"]), (statistics["messages"], statistics["chunks"]))
        attachments = [each["name"] for each in recording.stream["attachments"]]
        self.assertEqual(attachments, recording.indexed["attachments"])
        self.assertEqual([(each["name"], each["size"]) for each in recording.stream["attachments"]],
                         [(each["name"], each["size"]) for each in found["attachments"]])
        self.assertEqual([each["name"] for each in recording.stream["metadata"]], found["metadata"])
        self.assertIsNotNone(recording.indexed["data_crc"])

    def test_a_recording_is_the_same_in_every_reader(self):
        _, recording = self.recorded("--desktop", "fake", "--goal", GOAL.format(path=self.sandbox.path("a.txt")))
        self.assert_same_in_all_readers(recording)
        self.assert_viewable(recording)
        self.assertEqual({}, recording.missing())
        # Each fact is decoded with its own type, and not with another one that happens to fit.
        for message in recording.messages:
            if message["topic"] not in VIEWER_TOPICS:
                self.assertEqual(message["topic"].split(".")[0], message["decoded"]["header"]["writer"])
        self.assertEqual("TASK_END_DONE", recording.end()["result"])
        self.assertEqual(len(recording.facts()), int(recording.end()["facts"]))
        self.assertEqual(0o600, recording.file.stat().st_mode & 0o777)

    def test_a_damaged_byte_is_noticed_by_the_peer(self):
        """Checks the check: read() refuses a file whose content and checksum differ."""
        _, recording = self.recorded("--desktop", "fake", "--goal", "wait 0 seconds")
        content = bytearray(recording.file.read_bytes())
        content[len(content) // 8] ^= 1
        damaged = self.sandbox.path("damaged.mcap")
        damaged.write_bytes(content)
        with self.assertRaises(AssertionError):
            read(damaged)

    def test_our_reader_reads_the_files_of_the_peer(self):
        for compression in ("plain", "zstd"):
            for summary in ("summary", "none"):
                with self.subTest(compression=compression, summary=summary):
                    file = self.sandbox.path(f"{compression}-{summary}.mcap")
                    written = peer("write.cjs", file, 3000, compression, summary)
                    found = ours(file)
                    assert_same(written, found["messages"])
                    self.assertEqual([{"name": "peer.txt", "size": 13}], found["attachments"])
                    self.assertEqual(["peer"], found["metadata"])
                    self.assertEqual("", found["problem"])  # A summary is optional.


if __name__ == "__main__":
    unittest.main()
