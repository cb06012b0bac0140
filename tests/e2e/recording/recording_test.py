"""Each task is recorded from its first fact to its last, and nothing is granted to a task that is not recorded."""

import json
import os
import pathlib
import re
import signal
import time
import tomllib
import unittest

from console import DONE, ConsoleTest, wait_until
from recordings import directory_of, ours, read, recordings_of
from services import Services

# The policy halts after a lease of 2 s; the rest allows for a busy machine.
HALTED_S = 20
SECRET = re.compile("token|signature|secret|password_|private", re.IGNORECASE)


class RecorderTest(ConsoleTest):
    def start(self, **options):
        self.services = Services(self.sandbox, **options)
        self.addCleanup(self.services.stop)

    def goal(self, goal, *flags):
        return self.sandbox.start("--config", str(self.services.config), "--json", *flags, "--goal", goal)

    def console(self, *arguments):
        return self.sandbox.run("--config", str(self.services.config), *arguments)

    def restart(self, name, *prefix):
        """Restarts a service, optionally under another program."""
        self.stop_service(name)
        limits, self.services.limits = self.services.limits, [*prefix]
        self.services.start(name)
        self.services.limits = limits

    def stop_service(self, name, number=signal.SIGTERM):
        process = self.services.processes[name]
        process.send_signal(number)
        process.wait(30)

    def newest(self, partial=False, count=None):
        files = recordings_of(self.sandbox)
        if count is not None:
            self.assertEqual(count, len(files))
        return read(files[-1], partial)

    def assert_complete(self, recording, run):
        """Has all facts of the run's task, from the first to the last."""
        topics = [each["topic"] for each in recording.messages]
        self.assertEqual("policy.task", topics[0])
        self.assertIn("policy.closed", topics)
        self.assertIn("planner.end", topics)
        self.assertEqual({}, recording.lost())
        self.assertEqual({}, recording.missing())
        self.assertEqual("0", recording.end()["lost"])
        self.assert_seen_by(run, recording)

    def assert_seen_by(self, subscriber, recording):
        """All facts of the task that the subscriber printed are in the recording."""
        task = recording.values("desktopassist.recording")["task"]

        def identity(topic, header):
            return topic, header["instance"], int(header["sequence"]), int(header["monotonic_ns"])
        printed = {identity(line["topic"], line["fact"]["header"]) for line in map(json.loads, subscriber.stdout)
                   if line.get("fact", {}).get("header", {}).get("task_id") == task}
        recorded = {identity(each["topic"], each["decoded"]["header"]) for each in recording.messages
                    if "header" in each["decoded"]}
        self.assertTrue(printed, subscriber.said())
        self.assertEqual(set(), printed - recorded)
        return printed


class Complete(RecorderTest):
    def test_a_recording_has_all_facts_that_an_independent_subscriber_saw(self):
        self.start()
        watch = self.sandbox.start("--config", str(self.services.config), "watch", "--json")
        for number in range(3):
            file = self.sandbox.path(f"{number}.txt")
            run = self.goal(f'open notes {file}; type "hello"; press ctrl+s', "--unlock-writes")
            self.assertEqual(DONE, run.wait(), run.said())
            recording = self.newest(count=number + 1)
            self.assert_complete(recording, run)
            wait_until(lambda: len(watch.facts("planner.end")) == number + 1, watch.said)
            self.assertGreater(len(self.assert_seen_by(watch, recording)), 20)
            steps = {fact["step"]["step_id"] for fact in recording.facts("policy.judged")}
            self.assertEqual(3, len(steps))
            for topic, of in (("policy.verdict", lambda fact: fact["step_id"]),
                              ("policy.grant", lambda fact: fact["claims"]["step_id"]),
                              ("actuator.outcome", lambda fact: fact["step_id"])):
                self.assertEqual(steps, {of(fact) for fact in recording.facts(topic)}, topic)
            goals = [fact["request"]["goal"] for fact in recording.facts("policy.task")]
            self.assertEqual([f'open notes {file}; type "hello"; press ctrl+s'], goals)
        watch.process.send_signal(signal.SIGINT)
        watch.wait()

    def test_a_recording_holds_no_key_and_no_field_of_a_secret(self):
        self.start()
        run = self.goal(f'open notes {self.sandbox.path("a.txt")}; type "hello"; press ctrl+s', "--unlock-writes")
        self.assertEqual(DONE, run.wait(), run.said())
        keys = self.secrets_of_the_deployment()
        self.assertGreater(len(keys), 6)
        # The goal's file name shows that the search works.
        recording = read(recordings_of(self.sandbox)[-1], texts=[*keys, "a.txt"])
        self.assertEqual({"a.txt"}, set(recording.stream["found"]))

        def secrets(value, path=""):
            if isinstance(value, dict):
                for name, each in value.items():
                    yield from ([f"{path}.{name}"] if SECRET.search(name) and each else [])
                    yield from secrets(each, f"{path}.{name}")
            elif isinstance(value, list):
                for each in value:
                    yield from secrets(each, path)
        self.assertEqual([], [found for each in recording.messages for found in secrets(each["decoded"], each["topic"])])

    def secrets_of_the_deployment(self):
        """Private keys: of TLS (a line of each), of CURVE, and of grants."""
        found = []
        for file in self.services.directory.rglob("*"):
            if not file.is_file():
                continue
            if file.suffix == ".toml":
                values = tomllib.loads(file.read_text())
                found += [values["private_key"].splitlines()[1]] if "private_key" in values else []
                found += [values["curve_secret"]] if "curve_secret" in values else []
            elif re.search("signing|private|secret", file.name):
                found.append(file.read_text().strip())
        return found

    def test_services_that_restart_between_tasks_are_recorded_completely(self):
        self.start()
        for number, name in enumerate(("observer", "planner", "policy", "actuator", "recorder")):
            with self.subTest(restarted=name):
                self.restart(name)
                run = self.goal(f'open notes {self.sandbox.path(name)}; type "hello"; press ctrl+s', "--unlock-writes")
                self.assertEqual(DONE, run.wait(), run.said())
                self.assert_complete(self.newest(count=number + 1), run)

    def test_a_recorder_that_starts_before_the_others_records_completely(self):
        self.start()
        others = ("observer", "planner", "policy", "actuator")
        for name in (*others, "recorder"):
            self.stop_service(name)
        self.services.start("recorder")  # Ready although no other service answers.
        for name in others:
            self.services.start(name)
        for number in range(2):
            run = self.goal(f'open notes {self.sandbox.path(str(number))}; type "hello"', "--unlock-writes")
            self.assertEqual(DONE, run.wait(), run.said())
            self.assert_complete(self.newest(count=number + 1), run)


class Required(RecorderTest):
    def test_without_the_recorder_no_task_begins(self):
        self.start()
        self.stop_service("recorder")
        time.sleep(2.1)  # Until the lease has ended.
        file = self.sandbox.path("a.txt")
        run = self.goal(f"open notes {file}", "--unlock-writes")
        self.assertNotEqual(DONE, run.wait(), run.said())
        self.assertIn("da-recorder", run.errors())
        self.assertEqual([], run.facts("actuator.outcome"))
        self.services.start("recorder")
        run = self.goal(f"open notes {file}", "--unlock-writes")
        self.assertEqual(DONE, run.wait(), run.said())
        self.assert_complete(self.newest(count=1), run)

    def test_a_policy_that_requires_no_recording_works_without_the_recorder(self):
        self.start()
        self.stop_service("recorder")
        configuration = self.services.configuration("policy")
        configuration.write_text(configuration.read_text() + "\n[recording]\nrequired = false\n")
        self.restart("policy")
        run = self.goal("open notes", "--unlock-writes")
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual([], recordings_of(self.sandbox))


class Retention(RecorderTest):
    GB = 1 << 30

    def start_with(self, limits, *files):
        """Starts with the limits in the recorder's configuration, and `files` (name, bytes, days) as older recordings."""
        self.start()
        self.stop_service("recorder")
        for name, size, days in files:
            file = directory_of(self.sandbox) / name
            file.touch(mode=0o600)
            os.truncate(file, size)  # Sparse.
            os.utime(file, times=(time.time() - days * 86_400,) * 2)
        configuration = self.services.configuration("recorder")
        configuration.write_text(configuration.read_text() + f"\n[recorder]\n{limits}\n")
        self.services.start("recorder")

    def names(self):
        return sorted(path.name for path in directory_of(self.sandbox).iterdir())

    def test_recordings_are_deleted_by_age_and_other_files_are_not(self):
        self.start_with("keep_days = 2", ("20200101T000000Z-aaaaaaaa.mcap", 100, 3),
                        ("20200102T000000Z-bbbbbbbb.mcap", 100, 1), ("notes.txt", 100, 300))
        self.assertEqual(["20200102T000000Z-bbbbbbbb.mcap", "notes.txt"], self.names())

    def test_the_oldest_recordings_are_deleted_beyond_the_size(self):
        third = self.GB // 3
        self.start_with("keep_gb = 1", *((f"2020010{day}T000000Z-aaaaaaaa.mcap", third, 1) for day in range(1, 6)))
        self.assertEqual([f"2020010{day}T000000Z-aaaaaaaa.mcap" for day in (3, 4, 5)], self.names())

    def test_an_open_recording_is_never_deleted(self):
        self.start_with("keep_gb = 1")
        first = self.goal("open notes")
        approval = first.pending_id()
        second = self.goal("open notes")  # The planner carries out one task after the other.
        wait_until(lambda: len(recordings_of(self.sandbox)) == 2, self.names)
        # Those of the tasks are the oldest, and these alone are beyond the size.
        for year in (2098, 2099):
            newer = directory_of(self.sandbox) / f"{year}0101T000000Z-aaaaaaaa.mcap"
            newer.touch(mode=0o600)
            os.truncate(newer, 600 << 20)
            os.utime(newer, times=(time.time() - 2 * 86_400,) * 2)  # Not young.
        # The end of the first task's recording deletes, while the second one's is open.
        self.console("approve", approval)
        wait_until(lambda: "20980101T000000Z-aaaaaaaa.mcap" not in self.names(), self.names)
        self.assertIsNone(second.process.poll())
        # Those of the tasks are young, so that their size does not matter either.
        of_first, of_second, newest = self.names()
        self.assertEqual("20990101T000000Z-aaaaaaaa.mcap", newest)
        self.console("approve", second.pending_id())
        for run in (first, second):
            self.assertEqual(DONE, run.wait(), run.said())
        for name, run in ((of_first, first), (of_second, second)):
            self.assert_complete(read(directory_of(self.sandbox) / name), run)


class Lost(RecorderTest):
    """The recorder fails while a task runs."""

    def start_task(self):
        self.start()
        run = self.goal(f'open notes {self.sandbox.path("a.txt")}; type "hello"; wait 300 seconds; type "more"',
                        "--unlock-writes")
        run.wait_for(lambda: run.states().count("ACTING") == 3)
        return run

    def assert_halts(self, run, reason, since, seconds=HALTED_S):
        halts = run.wait_for(lambda: [fact for fact in run.facts("policy.halt") if fact.get("halted", True)])
        self.assertLess(time.monotonic() - since, seconds)
        self.assertIn(reason, json.dumps(halts[-1]))
        self.assertNotEqual(DONE, run.wait(), run.said())
        self.assertIn(reason, run.errors())
        self.assertEqual(2, len(run.facts("actuator.outcome")), "something was granted after the halt")

    def test_a_killed_recorder_halts_the_task_and_leaves_a_readable_file(self):
        run = self.start_task()
        # The recorder writes each outcome to the disk as soon as it has heard it.
        wait_until(lambda: len(self.newest(partial=True, count=1).facts("actuator.outcome")) == 2,
                   "both outcomes are on the disk", 2)
        killed = time.monotonic()
        self.stop_service("recorder", signal.SIGKILL)
        self.assert_halts(run, "da-recorder", killed)
        recording = self.newest(partial=True, count=1)
        self.assertIsNone(recording.end())
        self.assertEqual(2, len(recording.facts("actuator.outcome")))
        found = ours(recording.file)
        self.assertIn("not complete", found["problem"])
        self.assertEqual([each["sha256"] for each in recording.messages], [each["sha256"] for each in found["messages"]])

    def test_a_recorder_that_stands_still_halts_the_task_and_loses_nothing(self):
        run = self.start_task()
        stopped = time.monotonic()
        self.services.signal("recorder", signal.SIGSTOP)
        self.assert_halts(run, "da-recorder", stopped)
        time.sleep(max(0, stopped + 4 - time.monotonic()))
        self.services.signal("recorder", signal.SIGCONT)
        self.assertEqual("", self.console("resume").errors())
        recording = wait_until(lambda: (read_one := self.finished()) and read_one, "the recording is completed")
        self.assertEqual({}, recording.missing())
        self.assertEqual({}, recording.lost())
        self.assert_seen_by(run, recording)

    def finished(self):
        if "not complete" in ours(recordings_of(self.sandbox)[0])["problem"]:
            return None
        return self.newest()

    def test_a_full_disk_halts_the_task_and_nothing_is_granted_afterwards(self):
        self.start()
        directory = directory_of(self.sandbox)
        # A disk of its own in a namespace of its own, so that the test needs no rights.
        mounted = f'mount -t tmpfs -o size=4m,mode=0700 tmpfs "{directory}" && exec "$@"'
        self.restart("recorder", "unshare", "--map-root-user", "--mount", "sh", "-c", mounted, "sh")
        run = self.goal("open notes; " + '; '.join(['type "x"; wait 1 seconds'] * 60), "--unlock-writes")
        run.wait_for(lambda: len(run.facts("actuator.outcome")) == 2)
        disk = pathlib.Path(f"/proc/{self.services.processes['recorder'].pid}/root{directory}")
        filled = time.monotonic()
        with self.assertRaises(OSError), open(disk / "fill", "wb", buffering=0) as fill:
            while fill.write(bytes(1 << 16)):
                pass
        run.wait_for(lambda: run.facts("policy.halt"))
        self.assertLess(time.monotonic() - filled, HALTED_S)
        self.assertNotEqual(DONE, run.wait(), run.said())
        self.assertIn("No space left on device", run.errors())
        topics = [line["topic"] for line in map(json.loads, run.stdout)]
        after = topics[topics.index("policy.halt"):]
        self.assertNotIn("actuator.outcome", after)
        # Still not when it is resumed, because the disk is still full.
        self.console("resume")
        again = self.goal("open notes", "--unlock-writes")
        self.assertNotEqual(DONE, again.wait(), again.said())
        self.assertEqual([], again.facts("actuator.outcome"))
        self.assertIn("is full: it has 0 kB free", again.errors())

    def test_a_disk_that_does_not_answer_halts_the_task(self):
        self.start()
        # The recorder's later calls take 6 s; LeakSanitizer does not work in a traced process.
        self.restart("recorder", "strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e",
                     "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=6s:when=6+", "-E",
                     "ASAN_OPTIONS=detect_leaks=0")
        self.addCleanup(self.services.processes["recorder"].kill)  # strace waits for its program otherwise.
        run = self.goal(f'open notes {self.sandbox.path("a.txt")}; wait 300 seconds; type "more"', "--unlock-writes")
        run.wait()
        self.assertIn("does not answer", run.errors())
        self.assertTrue(run.facts("policy.halt"), run.said())


if __name__ == "__main__":
    unittest.main()
