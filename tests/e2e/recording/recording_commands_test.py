"""da-console's commands for recordings, on files of real runs, on damaged ones and on hostile ones.

Damage is made here, and the results are read by @mcap/core (recordings.py). Hostile files are written byte by byte.
"""

import hashlib
import json
import os
import signal
import stat
import struct
import unittest
import zlib

from console import BAD_USAGE, DONE, FAILED, INTERRUPTED, SERVICE_LOST, ConsoleTest
from recordings import read, recordings_of
from services import Services

GOAL = 'open notes {path}; type "hello"; press ctrl+s'
MAGIC = b"\x89MCAP0\r\n"
CHUNK, ATTACHMENT, METADATA = 0x06, 0x09, 0x0C


def text(value):
    value = value.encode()
    return struct.pack("<I", len(value)) + value


def record(op, content):
    return struct.pack("<BQ", op, len(content)) + content


def metadata(name, values):
    entries = b"".join(text(key) + text(value) for key, value in values.items())
    return record(METADATA, text(name) + struct.pack("<I", len(entries)) + entries)


def attachment(name, data):
    content = struct.pack("<QQ", 1, 1) + text(name) + text("text/plain") + struct.pack("<Q", len(data)) + data
    return record(ATTACHMENT, content + struct.pack("<I", zlib.crc32(content)))


def records(content):
    """Yields op, offset and length of the records up to the end of the data section."""
    offset = len(MAGIC)
    while content[offset] != 0x0F:
        length = 9 + struct.unpack_from("<Q", content, offset + 1)[0]
        yield content[offset], offset, length
        offset += length


class RecordingCommandsTest(ConsoleTest):
    def recorded(self, goal=GOAL):
        run = self.sandbox.goal(goal.format(path=self.sandbox.path("a.txt")), "--unlock-writes")
        self.assert_ends(run, DONE)
        return recordings_of(self.sandbox)[-1]

    def command(self, *arguments, code=DONE):
        run = self.sandbox.run(*map(str, arguments))
        self.assertEqual(code, run.process.returncode, run.said())
        return run

    def json(self, *arguments):
        return [json.loads(line) for line in self.command(*arguments).stdout]

    def file(self, name, content):
        file = self.sandbox.path(name)
        file.write_bytes(content)
        return file


class Reading(RecordingCommandsTest):
    def test_the_newest_recording_is_listed_last_with_its_goal_and_result(self):
        first, second = self.recorded("wait 1 seconds"), self.recorded()
        listed = self.json("recordings", "--json")
        self.assertEqual([str(first), str(second)], [each["file"] for each in listed])
        self.assertEqual(["wait 1 seconds", GOAL.format(path=self.sandbox.path("a.txt"))],
                         [each["goal"] for each in listed])
        for each, file in zip(listed, (first, second)):
            self.assertEqual(("done", "complete", 0, file.stat().st_size),
                             (each["result"], each["state"], each["lost"], each["bytes"]))
            self.assertEqual(len(read(file).facts()), each["facts"])
        self.assertIn(second.name, self.command("recordings").stdout[-1])

    def test_cut_and_foreign_files_are_lines_with_their_problem(self):
        whole = self.recorded().read_bytes()
        directory = self.sandbox.path("files")
        directory.mkdir()
        self.file("files/1.mcap", b"no recording")
        self.file("files/2.mcap", whole[:len(whole) // 2])
        self.file("files/3.mcap", whole)
        self.file("files/4.mcap", MAGIC + metadata("other", {}))
        self.assertEqual(["not readable", "cut", "complete", "not readable"],
                         [each["state"] for each in self.json("recordings", "--directory", directory, "--json")])
        self.assertIn("CANNOT BE READ", self.command("recordings", "--directory", directory).stdout[1])

    def test_a_recording_that_runs_is_being_written(self):
        run = self.sandbox.goal("wait 20 seconds")
        run.wait_for(lambda: run.states()[-1:] == ["ACTING"] or len(run.states()) > 2)
        self.assertEqual("being written", self.json("recordings", "--json")[-1]["state"])
        run.process.send_signal(signal.SIGINT)
        self.assert_ends(run, INTERRUPTED)

    def test_info_counts_the_messages_that_mcap_core_finds(self):
        file = self.recorded()
        peer = read(file)
        info = self.json("recording", "info", "last", "--json")[0]
        expected = {}
        for message in peer.messages:
            expected[message["topic"]] = expected.get(message["topic"], 0) + 1
        self.assertEqual(expected, {each["topic"]: each["messages"] for each in info["topics"]})
        self.assertIn("rules.toml", [each["name"] for each in info["attachments"]])
        self.assertIn("state        complete", self.command("recording", "info", file).text())

    def test_cat_prints_what_protobufjs_decodes(self):
        file = self.recorded()
        peer = read(file)
        lines = self.json("recording", "cat", file, "--bytes")
        self.assertEqual([(each["topic"], each["log_ns"]) for each in peer.messages],
                         [(each["topic"], each["log_time_ns"]) for each in lines])
        shown = [each["message"] for each in lines if each["topic"] == "planner.plan"]
        for ours, theirs in zip(shown, peer.facts("planner.plan"), strict=True):
            self.assertEqual(theirs["plan_id"], ours["plan_id"])
            self.assertEqual([step["step_id"] for step in theirs.get("steps", [])],
                             [step["step_id"] for step in ours.get("steps", [])])
        images = self.json("recording", "cat", file, "--topic", "observer.image")
        for image, fact in zip(images, peer.facts("observer.image"), strict=True):
            self.assertEqual(image["message"]["image_hash"], image["message"]["data"]["blake2b"])
            self.assertEqual(image["message"]["image_hash"], fact["image_hash"])

    def test_cat_selects_topics_times_and_tasks(self):
        file = self.recorded()
        every = self.json("recording", "cat", file)
        start = int(every[0]["log_time_ns"])
        late = [each for each in every if int(each["log_time_ns"]) >= start + 300_000_000]
        self.assertTrue(0 < len(late) < len(every))
        self.assertEqual(late, self.json("recording", "cat", file, "--from", "+0.3"))
        self.assertEqual([], self.json("recording", "cat", file, "--to", "2000-01-01T00:00:00Z"))
        task = every[0]["message"]["header"]["task_id"]
        self.assertEqual([each for each in every if each["message"].get("header", {}).get("task_id") == task],
                         self.json("recording", "cat", file, "--task", task))
        self.assertIn('did you mean "planner.plan"?',
                      self.command("recording", "cat", file, "--topic", "planner.plam", code=FAILED).errors())
        self.command("recording", "cat", file, "--from", "noon", code=BAD_USAGE)

    def test_extract_writes_the_images_and_attachments(self):
        file = self.recorded()
        out = self.sandbox.path("out")
        paths = self.command("recording", "extract", file, "-o", out).stdout
        self.assertEqual(sorted(paths), sorted(str(path) for path in out.iterdir()))
        hashes = {hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest() for path in out.glob("*.png")}
        self.assertEqual({fact["image_hash"] for fact in read(file).facts("observer.image")}, hashes)
        self.assertTrue((out / "rules.toml").read_text())
        self.assertEqual({0o600}, {stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()})
        self.assertIn("exists", self.command("recording", "extract", file, "-o", out, code=FAILED).errors())

    def test_extract_follows_a_step_back_to_its_task(self):
        file = self.recorded()
        plans = read(file).facts("planner.plan")
        step = plans[1]["steps"][0]["step_id"]
        lines = self.json("recording", "extract", file, "--step", step)
        ids = {plan["plan_id"] for plan in plans[:2]}
        self.assertEqual(ids, {each["message"]["plan_id"] for each in lines if each["topic"] == "planner.plan"})
        self.assertEqual([step], [each["message"]["step_id"] for each in lines if each["topic"] == "actuator.outcome"])
        self.assertIn("policy.task", [each["topic"] for each in lines])
        self.assertIn(plans[1]["frame_id"],
                      [each["message"]["frame_id"] for each in lines if each["topic"] == "observer.observation"])
        self.assertIn(step, self.command("recording", "extract", file, "--step", "x", code=FAILED).errors())


class Repairing(RecordingCommandsTest):
    def outcomes_on_disk(self, file):
        return sum(each["topic"] == "actuator.outcome" for each in self.json("recording", "cat", file))

    def test_check_accepts_a_run_and_finds_each_kind_of_damage(self):
        file = self.recorded()
        self.assertIn("intact", self.command("recording", "check", file).text())
        whole = file.read_bytes()
        found = list(records(whole))
        for op in (CHUNK, ATTACHMENT):
            offset, length = next((offset, length) for kind, offset, length in found if kind == op)
            damaged = bytearray(whole)
            damaged[offset + length // 2] ^= 1
            text_of_check = self.command("recording", "check", self.file("d.mcap", damaged), code=FAILED).text()
            self.assertIn(f"at byte {offset} is damaged", text_of_check)
        for damaged in (whole[:-1], whole + b"x", whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:]):
            self.command("recording", "check", self.file("d.mcap", damaged), code=FAILED)

    def test_a_cut_recording_is_recovered_with_every_closed_chunk(self):
        whole = self.recorded().read_bytes()
        chunks = [(offset, length) for op, offset, length in records(whole) if op == CHUNK]
        cut = self.file("cut.mcap", whole[:chunks[-1][0] + chunks[-1][1] // 2])
        before = self.json("recording", "cat", cut)
        self.assertTrue(before)
        new = self.sandbox.path("new.mcap")
        said = self.command("recording", "recover", cut, "-o", new).text()
        self.assertIn("bytes are missing", said)
        self.assertIn("the end is missing", said)
        self.assertEqual(len(before), len(read(new).messages))
        self.command("recording", "check", new)
        self.assertIn("exists", self.command("recording", "recover", cut, "-o", new, code=FAILED).errors())

    def test_chunks_after_a_damaged_one_are_recovered(self):
        whole = self.recorded().read_bytes()
        chunks = [(offset, length) for op, offset, length in records(whole) if op == CHUNK]
        self.assertGreater(len(chunks), 2)
        damaged = bytearray(whole)
        offset, length = chunks[1]
        damaged[offset:offset + length] = os.urandom(length)  # Also its length.
        file = self.file("d.mcap", damaged)
        new = self.sandbox.path("new.mcap")
        self.assertRegex(self.command("recording", "recover", file, "-o", new).text(),
                         rf"skipped \d+ bytes at byte {offset}\b")
        kept, everything = read(new), read(recordings_of(self.sandbox)[-1])
        self.assertEqual("TASK_END_DONE", kept.end()["result"])
        self.assertTrue(0 < len(kept.facts()) < len(everything.facts()))
        self.assertEqual(kept.facts("planner.end"), everything.facts("planner.end"))
        self.command("recording", "check", new)

    def test_a_killed_recorder_leaves_a_recording_that_can_be_recovered(self):
        run = self.sandbox.goal(GOAL.format(path=self.sandbox.path("a.txt")) + "; wait 20 seconds", "--unlock-writes")
        file = run.wait_for(lambda: (recordings_of(self.sandbox) or [None])[-1])
        run.wait_for(lambda: self.outcomes_on_disk(file) >= 3)
        run.kill_service("recorder")
        run.wait()
        self.assertEqual("cut", self.json("recordings", "--json")[-1]["state"])
        new = self.sandbox.path("new.mcap")
        self.command("recording", "recover", file, "-o", new)
        self.command("recording", "check", new)
        self.assertEqual(3, len(read(new).facts("actuator.outcome")))

    def test_hostile_files_never_leave_the_directory_and_never_crash(self):
        about = metadata("desktopassist.recording", {"goal": "\x1b[31mred\u202e", "task": "x"})
        names = ["../../escaped", "/tmp/escaped-absolute", "..", ".hidden", "a\0b", "x" * 5000, ""]
        file = self.file("hostile.mcap", MAGIC + about + b"".join(attachment(name, b"data") for name in names))
        out = self.sandbox.path("deep/er/out")
        out.parent.mkdir(parents=True)
        before = {path for path in self.sandbox.root.rglob("*")}
        self.command("recording", "extract", file, "-o", out)
        made = {path for path in self.sandbox.root.rglob("*")} - before
        self.assertEqual(len(names) + 1, len(made))
        self.assertTrue(all(path == out or path.parent == out for path in made), made)
        self.assertFalse(os.path.exists("/tmp/escaped-absolute"))
        for command in ("info", "check"):
            said = self.sandbox.run("recording", command, str(file)).said()
            self.assertNotIn("\x1b", said)
            self.assertNotIn("\u202e", said)
        huge = struct.pack("<BQ", CHUNK, 1 << 62)
        bomb = record(CHUNK, struct.pack("<QQQI", 0, 0, 1 << 40, 0) + text("zstd") + struct.pack("<Q", 0))
        schema = record(0x03, struct.pack("<H", 1) + text("da.v1.X") + text("protobuf") + text("\x7f" * 9))
        for content in (MAGIC, MAGIC + huge, MAGIC + about + bomb, MAGIC + about + schema, MAGIC + b"\x06" * 5000):
            file = self.file("h.mcap", content)
            for command in (["info"], ["check"], ["cat"], ["extract", "-o", str(out)],
                            ["recover", "-o", str(self.sandbox.path("n.mcap"))]):
                run = self.sandbox.run("recording", command[0], str(file), *command[1:])
                self.assertIn(run.process.returncode, (DONE, FAILED, BAD_USAGE), run.said())


class Bus(RecordingCommandsTest):
    def setUp(self):
        super().setUp()
        self.services = Services(self.sandbox)
        self.addCleanup(self.services.stop)

    def goal(self):
        run = self.sandbox.start("--config", str(self.services.config), "--unlock-writes", "--goal",
                                 GOAL.format(path=self.sandbox.path("a.txt")))
        self.assertEqual(DONE, run.wait(), run.said())

    def start(self, file, *flags):
        run = self.sandbox.start("--config", str(self.services.config), "record", "-o", str(file), *flags)
        run.wait_for(lambda: "recording into" in run.errors())
        return run

    def test_records_all_facts_of_two_tasks_until_interrupted(self):
        file = self.sandbox.path("bus.mcap")
        run = self.start(file)
        self.goal()
        self.goal()
        run.process.send_signal(signal.SIGINT)
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertIn("0 lost", run.text())
        recording = read(file)
        self.assertEqual({}, recording.missing())
        self.assertEqual(2, len(recording.facts("planner.end")))
        # Names of files tell seconds only, and both tasks may begin in the same one.
        tasks = sorted((read(each) for each in recordings_of(self.sandbox)),
                       key=lambda task: int(task.facts("policy.task")[0]["header"]["sequence"]))
        for topic in ("policy.task", "planner.plan", "actuator.outcome", "policy.closed", "observer.image"):
            self.assertEqual([fact for task in tasks for fact in task.facts(topic)], recording.facts(topic), topic)
        self.command("recording", "check", file)
        self.assertEqual(0o600, stat.S_IMODE(file.stat().st_mode))

    def test_files_rotate_and_the_oldest_are_deleted(self):
        file = self.sandbox.path("bus.mcap")
        run = self.start(file, "--rotate-every", "100ms", "--keep", "2", "--for", "5s")
        self.goal()
        self.assertEqual(DONE, run.wait(), run.said())
        left = sorted(self.sandbox.root.glob("bus*.mcap"))
        self.assertEqual(2, len(left), left)
        self.assertNotIn(file, left)
        for each in left:
            self.command("recording", "check", each)

    def test_an_existing_file_and_a_missing_run_are_refused(self):
        file = self.file("bus.mcap", b"mine")
        file.chmod(0o600)
        said = self.command("--config", self.services.config, "record", "-o", file, code=FAILED).errors()
        self.assertIn("exists", said)
        self.assertEqual(b"mine", file.read_bytes())
        self.command("record", "-o", self.sandbox.path("new.mcap"), code=SERVICE_LOST)
        self.assertFalse(self.sandbox.path("new.mcap").exists())


if __name__ == "__main__":
    unittest.main()
