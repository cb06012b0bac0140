"""Reads recordings with programs that are not ours (mcap_peer/: @mcap/core and protobufjs) and with our own reader.

    recording = read(recordings_of(sandbox)[-1])     # Raises if @mcap/core finds anything wrong.
    recording.facts("actuator.outcome")              # Decoded with the schema in the file.

DA_MCAP_PEER is the directory into which the npm packages are installed; only that needs the network.
"""

import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys

from console import BIN, ROOT

sys.path.insert(0, str(ROOT / "tests/models/types"))
from check_types import install  # noqa: E402

PEER = pathlib.Path(__file__).resolve().parent / "mcap_peer"
MESSAGES = BIN.parent / "tests/mcap_messages"
VIEWER_TOPICS = {"screen", "screen.targets", "log"}
GAPS = "recording.gap"
FIELDS = ("topic", "sequence", "log_ns", "publish_ns", "size", "sha256")
SECONDS = 120


def peer(script, *arguments):
    """Runs a script of mcap_peer and returns its JSON output."""
    modules = install(pathlib.Path(os.environ["DA_MCAP_PEER"]), PEER) / "node_modules"
    ran = subprocess.run(["node", str(PEER / script), *map(str, arguments)], capture_output=True, text=True,
                         timeout=SECONDS, env=dict(os.environ, NODE_PATH=str(modules)))
    if ran.returncode != 0:
        raise AssertionError(f"{script} {arguments}: {ran.stderr}")
    return json.loads(ran.stdout)


def ours(file):
    """Returns what our reader finds."""
    ran = subprocess.run([str(MESSAGES), str(file)], capture_output=True, text=True, timeout=SECONDS)
    if ran.returncode != 0:
        raise AssertionError(ran.stderr)
    return json.loads(ran.stdout)


def assert_same(expected, found):
    """Both lists have the same messages. In any order, because indexed readers sort by time."""
    def counted(messages):
        return collections.Counter(tuple(each[name] for name in FIELDS) for each in messages)
    expected, found = counted(expected), counted(found)
    if expected != found:
        raise AssertionError(f"missing: {list(expected - found)[:3]}; not expected: {list(found - expected)[:3]}")


class Recording:
    def __init__(self, file, stream, indexed):
        self.file, self.stream, self.indexed = file, stream, indexed
        self.messages = stream["messages"]

    def facts(self, topic=None):
        return [each["decoded"] for each in self.messages if topic in (None, each["topic"])
                and each["topic"] not in VIEWER_TOPICS | {GAPS}]

    def of(self, topic):
        return [each["decoded"] for each in self.messages if each["topic"] == topic]

    def lost(self):
        """Topic -> number of facts that are marked as lost."""
        lost = {}
        for gap in self.of(GAPS):
            lost[gap["topic"]] = lost.get(gap["topic"], 0) + int(gap["to"]) - int(gap["from"]) + 1
        return lost

    def missing(self):
        """(topic, instance) -> the pairs (from, to) of sequence numbers between recorded facts that are not in it."""
        found = {}
        for each in self.messages:
            header = each["decoded"].get("header")
            if header:
                found.setdefault((each["topic"], header["instance"]), set()).add(int(header["sequence"]))
        missing = {}
        for key, numbers in found.items():
            for before, after in itertools.pairwise(sorted(numbers)):
                if after > before + 1:
                    missing.setdefault(key, []).append((before + 1, after - 1))
        return missing

    def values(self, name):
        return next((each["values"] for each in self.stream["metadata"] if each["name"] == name), None)

    def end(self):
        """The values of the end; None if the recording was not completed."""
        return self.values("desktopassist.end")


def read(file, partial=False, texts=(), hostile=False):
    """Raises if @mcap/core finds an error, or protobufjs cannot decode a message. It is stricter than protobuf for C++, so
    it may not decode facts of a `hostile` service. stream["found"] lists the `texts` in the decompressed content."""
    result = peer("read.cjs", file, "partial" if partial else "whole", *texts)
    if result["stream"]["undecodable"] and not hostile:
        raise AssertionError(result["stream"]["undecodable"][:3])
    return Recording(file, result["stream"], result["indexed"])


def directory_of(sandbox):
    return sandbox.state / "desktopassist/recorder/recordings"


def recordings_of(sandbox):
    """The files of all recordings, oldest first. Their names begin with the second of their start."""
    files = list(directory_of(sandbox).glob("*.mcap"))
    return sorted(files, key=lambda file: (file.name[:len("20260102T030405")], file.stat().st_mtime_ns))
