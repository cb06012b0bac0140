"""A process that dies is named, the exit code is right, nothing is left, and the next run works."""

import os
import re
import signal
import subprocess
import time
import unittest

from console import (BIN, DONE, HALTED, INTERRUPTED, RULES, SERVICE_LOST, SERVICES, UNKNOWN, ConsoleTest, HeldSave,
                     wait_until)

# Limit in seconds until a dead service is named, and until the policy halts because the recorder does not report. The
# console needs about 1 s, and the recorder's lease lasts 2 s; the rest allows for a busy machine. A LONG task lasts
# much longer.
NAMED_S = 20
LONG = "wait 300 seconds"


class ProcessTest(ConsoleTest):
    def kill_and_expect(self, run, service, exit_codes):
        killed = run.kill_service(service)
        run.wait_for(lambda: re.search(f"da-{service} (is gone|cannot be reached)", run.errors()))
        self.assertLess(time.monotonic() - killed, NAMED_S)
        self.assertIn(run.wait(), exit_codes, run.said())
        if service == "planner":  # A dead planner sends no result, so the console shows how it ended.
            self.assertIn("da-planner is gone (killed by signal 9)", run.errors())
        self.sandbox.check_nothing_left()

    def assert_next_run_works(self):
        file = self.sandbox.path("next.txt")
        run = self.sandbox.goal(f'open notes {file}; type "next"; press ctrl+s', "--unlock-writes")
        self.assert_ends(run, DONE)
        self.assertEqual("next", file.read_text())

    def start_hanging_write(self):
        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f"{held.goal}; wait 1 seconds", "--unlock-writes")
        held.wait_for(run)
        return run


class KilledService(ProcessTest):
    def test_a_service_killed_during_an_observation_is_named_and_exits_with_5(self):
        for service in self.some(SERVICES):
            with self.subTest(service=service):
                run = self.sandbox.goal(LONG)
                run.wait_for(lambda: "OBSERVING" in run.states())
                self.kill_and_expect(run, service, {SERVICE_LOST})

    def test_a_service_killed_during_a_wait_is_named_and_exits_with_5(self):
        for service in self.some(SERVICES):
            with self.subTest(service=service):
                run = self.sandbox.goal(f"{LONG}; open notes", "--unlock-writes")
                run.wait_for(lambda: "ACTING" in run.states())
                self.kill_and_expect(run, service, {SERVICE_LOST})
                self.assertEqual([], run.facts("actuator.outcome"))

    def test_a_service_killed_during_an_approval_is_named_and_exits_with_5(self):
        for service in self.some(SERVICES):
            with self.subTest(service=service):
                run = self.sandbox.goal("open notes")
                run.pending_id()
                self.kill_and_expect(run, service, {SERVICE_LOST})
                self.assertEqual([], run.facts("actuator.outcome"))

    def test_a_service_killed_after_a_write_is_named_and_exits_with_5(self):
        for service in self.some(SERVICES):
            with self.subTest(service=service):
                run = self.sandbox.goal(f"open notes; {LONG}", "--unlock-writes")
                run.wait_for(lambda: run.states().count("ACTING") == 2)
                self.kill_and_expect(run, service, {SERVICE_LOST})

    def test_the_next_run_works_after_each_killed_service(self):
        for service in self.some(SERVICES):
            with self.subTest(service=service):
                run = self.sandbox.goal(LONG)
                run.wait_for(lambda: "ACTING" in run.states())
                self.kill_and_expect(run, service, {SERVICE_LOST})
                self.assert_next_run_works()

    def test_killing_all_services_at_once_exits_with_5(self):
        run = self.sandbox.goal(LONG)
        run.wait_for(lambda: "ACTING" in run.states())
        for pid in run.services().values():
            os.kill(pid, signal.SIGKILL)
        self.assert_ends(run, SERVICE_LOST, seconds=NAMED_S)
        self.assert_next_run_works()


class KilledDuringAWrite(ProcessTest):
    def test_an_actuator_killed_during_a_write_exits_with_6(self):
        run = self.start_hanging_write()
        self.kill_and_expect(run, "actuator", {UNKNOWN})
        self.assertIn("hotkey", run.errors())
        self.assert_next_run_works()

    def test_a_policy_killed_during_a_write_exits_with_6(self):
        run = self.start_hanging_write()
        self.kill_and_expect(run, "policy", {UNKNOWN})
        self.assert_next_run_works()

    def test_a_planner_observer_or_recorder_killed_during_a_write_is_named(self):
        for service in ("planner", "observer", "recorder"):
            with self.subTest(service=service):
                run = self.start_hanging_write()
                self.kill_and_expect(run, service, {SERVICE_LOST, UNKNOWN})
                self.sandbox.path("pipe").unlink()

    def test_ctrl_c_ends_a_run_with_a_hanging_actuator(self):
        run = self.start_hanging_write()
        run.process.send_signal(signal.SIGINT)
        self.assertIn(run.wait(NAMED_S), {INTERRUPTED, UNKNOWN}, run.said())
        self.sandbox.check_nothing_left()


class StoppedService(ProcessTest):
    """A service that hangs (SIGSTOP)."""

    def test_a_stopped_service_ends_the_task_and_nothing_is_left(self):
        for service in self.some(("observer", "actuator", "policy", "planner"), 2):
            with self.subTest(service=service):
                run = self.sandbox.goal("wait 4 seconds; open notes", "--unlock-writes", "--time-limit", "20s")
                run.wait_for(lambda: "ACTING" in run.states())
                run.kill_service(service, signal.SIGSTOP)
                self.assertIn(run.wait(60), {SERVICE_LOST, UNKNOWN}, run.said())
                self.assertIn(f"da-{service}", run.errors())
                self.sandbox.check_nothing_left()

    def test_a_stopped_recorder_halts_the_task_until_it_is_resumed(self):
        run = self.sandbox.goal(f"{LONG}; open notes", "--unlock-writes")
        run.wait_for(lambda: "ACTING" in run.states())
        stopped = run.kill_service("recorder", signal.SIGSTOP)
        run.wait_for(lambda: "not recorded any more: da-recorder has not reported" in run.errors())
        self.assertLess(time.monotonic() - stopped, NAMED_S)
        self.assert_ends(run, HALTED)
        self.assertIn("recording: not complete: da-recorder did not answer", run.errors())
        self.assertEqual([], run.facts("actuator.outcome"))
        self.assert_ends(self.sandbox.goal("open notes", "--unlock-writes"), HALTED)
        self.assertEqual(DONE, self.sandbox.run("resume").wait())
        self.assert_next_run_works()


class KilledConsole(ProcessTest):
    def test_services_of_a_killed_console_end_and_the_next_run_cleans_up(self):
        points = {
            "starting": lambda run: len(run.services()) == len(SERVICES),
            "waiting": lambda run: "ACTING" in run.states(),
        }
        for name, reached in points.items():
            with self.subTest(point=name):
                run = self.sandbox.goal(LONG)
                run.wait_for(lambda: reached(run))
                run.process.kill()
                run.process.wait()
                wait_until(lambda: not self.sandbox.processes(),
                           lambda: f"the services ended; left: {self.sandbox.processes()}", NAMED_S)
                self.assert_next_run_works()
                self.assertEqual([], self.sandbox.run_directories())

    def test_a_console_killed_during_an_approval_leaves_no_process(self):
        run = self.sandbox.goal("open notes")
        run.pending_id()
        run.process.kill()
        wait_until(lambda: not self.sandbox.processes(), lambda: self.sandbox.processes(), NAMED_S)
        self.assert_next_run_works()

    def test_a_console_killed_during_a_hanging_write_leaves_no_process(self):
        run = self.start_hanging_write()
        run.process.kill()
        wait_until(lambda: not self.sandbox.processes(), lambda: self.sandbox.processes(), NAMED_S)
        self.assert_next_run_works()

    def test_a_closed_stdout_does_not_block_the_console(self):
        run = subprocess.run(
            ["sh", "-c", '"$0" "$@" | head -n 1', str(BIN / "da-console"), "--json", "--rules", str(RULES), "--desktop",
             "fake", "--goal", "wait 1 seconds"], env=self.sandbox.environment, capture_output=True, timeout=30, check=False)
        self.assertIn(b"topic", run.stdout)
        self.sandbox.check_nothing_left()


class RunDirectories(ProcessTest):
    def test_the_files_of_a_run_directory_are_private(self):
        run = self.sandbox.goal(LONG)
        run.wait_for(lambda: "ACTING" in run.states())
        (directory,) = self.sandbox.run_directories()
        self.assertEqual(0o700, directory.stat().st_mode & 0o777)
        for file in directory.iterdir():
            if file.is_file():
                self.assertEqual(0o600, file.stat().st_mode & 0o777, file)
        self.interrupt(run)

    def test_a_stale_run_directory_is_removed_by_the_next_run(self):
        stale = self.sandbox.runtime / "desktopassist/run-999999-abcdef"
        stale.mkdir(parents=True)
        stale.parent.chmod(0o700)
        (stale / "lock").touch()
        (stale / "policy.sock").touch()
        self.assert_next_run_works()
        self.assertFalse(stale.exists())

    def test_two_concurrent_runs_are_independent(self):
        files = [self.sandbox.path(name) for name in ("one.txt", "two.txt")]
        runs = [self.sandbox.goal(f'wait 4 seconds; open notes {file}; type "{file.stem}"; wait 1 seconds; press ctrl+s',
                                  "--unlock-writes") for file in files]
        for run in runs:
            run.wait_for(lambda run=run: "ACTING" in run.states())
        self.assertEqual(2, len(self.sandbox.run_directories()))
        for run, file in zip(runs, files):
            self.assertEqual(DONE, run.wait(), run.said())
            self.assertEqual(file.stem, file.read_text())
        self.sandbox.check_nothing_left()

    def test_a_failed_run_does_not_affect_another_run(self):
        victim = self.sandbox.goal(LONG)
        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f"{held.goal}; open notes", "--unlock-writes")
        held.wait_for(run)
        victim.wait_for(lambda: "ACTING" in victim.states())
        victim.kill_service("policy")
        self.assertEqual(SERVICE_LOST, victim.wait())
        held.release()
        self.assert_ends(run, DONE)

    def test_a_too_long_runtime_directory_is_reported(self):
        self.sandbox.environment["XDG_RUNTIME_DIR"] = str(self.sandbox.path("x" * 90))
        run = self.sandbox.goal("wait 1 seconds")
        self.assertNotEqual(DONE, run.wait())
        self.assertIn("XDG_RUNTIME_DIR", run.errors())

    def test_a_runtime_directory_open_to_others_is_refused(self):
        directory = self.sandbox.runtime / "desktopassist"
        directory.mkdir(mode=0o755)
        run = self.sandbox.goal("wait 1 seconds")
        self.assertNotEqual(DONE, run.wait())
        self.assertIn("0700", run.errors())


if __name__ == "__main__":
    unittest.main()
