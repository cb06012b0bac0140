"""A halt stops a task at once and persists until `resume`. On the fake desktop."""

import os
import signal
import subprocess
import unittest

from console import DONE, HALTED, SERVICE_LOST, ConsoleTest, HeldSave

# Delays each fsync by 0.1 s; a halt does several. LeakSanitizer does not work in a traced process.
SLOW_DISK = ("strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=fsync,fdatasync",
             "-e", "inject=fsync,fdatasync:delay_enter=100ms", "-E", "ASAN_OPTIONS=detect_leaks=0")
BURNERS = 4
HALTS = int(os.environ.get("DA_E2E_RUNS", "60"))


class Halt(ConsoleTest):
    def halt(self, reason="the test says so"):
        run = self.sandbox.run("halt", "--reason", reason)
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual(["actuator: halted", "policy: halted"], run.stdout)

    def resume(self):
        run = self.sandbox.run("resume")
        self.assertEqual(DONE, run.wait(), run.said())

    def test_a_halt_ends_a_waiting_task_with_exit_code_4_before_the_next_step(self):
        run = self.sandbox.goal("wait 5 seconds; open notes", "--unlock-writes")
        run.wait_for(lambda: "ACTING" in run.states())
        self.halt()
        self.assert_ends(run, HALTED, seconds=8)
        self.assertIn("the test says so", run.errors())
        self.assertEqual([], run.facts("actuator.outcome"))

    # Regression: protobuf refused the reason, and nothing was halted.
    def test_halt_and_pause_with_a_reason_that_is_not_utf8_still_work(self):
        for command in ("pause", "halt"):
            with self.subTest(command=command):
                run = self.sandbox.goal("wait 5 seconds; open notes", "--unlock-writes")
                run.wait_for(lambda: "ACTING" in run.states())
                stopped = self.sandbox.run(command, "--reason", os.fsdecode(b"gef\xe4hrlich"))
                self.assertEqual(DONE, stopped.wait(), stopped.said())
                self.assertIn("gef\\\\xe4hrlich", run.wait_for(lambda: "xe4" in run.text() and run.text()))
                if command == "pause":
                    self.halt()
                self.assert_ends(run, HALTED, seconds=8)
                self.resume()

    def test_a_halt_during_the_last_sentence_is_not_a_success(self):
        run = self.sandbox.goal("wait 2 seconds", "--unlock-writes")
        run.wait_for(lambda: "ACTING" in run.states())
        self.halt()
        self.assert_ends(run, HALTED, seconds=8)

    def test_a_halt_ends_the_task_at_once(self):
        run = self.sandbox.goal("wait 5 seconds", "--unlock-writes")
        run.wait_for(lambda: "ACTING" in run.states())
        self.halt()
        self.assert_ends(run, HALTED, seconds=2.5)

    def test_services_answer_the_halt_that_ends_them_even_with_a_slow_disk(self):
        run = self.sandbox.goal("wait 5 seconds", "--unlock-writes", within=SLOW_DISK)
        run.wait_for(lambda: "ACTING" in run.states())
        self.halt()
        self.assert_ends(run, HALTED, seconds=8)

    def test_a_halt_withdraws_a_pending_approval(self):
        run = self.sandbox.goal("open notes")
        run.pending_id()
        self.halt()
        self.assert_ends(run, HALTED, seconds=4)
        self.assertEqual(["ANSWER_WITHDRAWN"], [fact["answer"] for fact in run.facts("policy.approval")])

    def test_a_halt_during_a_write_prevents_the_next_write(self):
        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f'{held.goal}; type "more"', "--unlock-writes")
        held.wait_for(run)
        self.halt()
        held.release()
        self.assert_ends(run, HALTED, seconds=8)
        self.assertNotIn("write", [fact["tool"] for fact in run.facts("actuator.outcome")])

    # Regression: halt stopped only the newest run and did not mention the others.
    def test_halt_reaches_every_run_and_reports_each(self):
        runs = [self.sandbox.goal("wait 5 seconds; wait 5 seconds") for _ in range(3)]
        for run in runs:
            run.wait_for(lambda run=run: "ACTING" in run.states())
        names = {directory.name for directory in self.sandbox.run_directories()}
        halted = self.sandbox.run("halt")
        self.assertEqual(DONE, halted.wait(), halted.said())
        self.assertEqual({f"{name}: {who}: halted" for name in names for who in ("actuator", "policy")},
                         set(halted.stdout))
        for run in runs:
            self.assertEqual(HALTED, run.wait(8), run.said())
        self.sandbox.check_nothing_left()

    def test_a_run_that_does_not_answer_sets_the_exit_code_and_the_others_are_halted(self):
        frozen = self.sandbox.goal("wait 5 seconds; wait 5 seconds")
        frozen.wait_for(lambda: "ACTING" in frozen.states())
        run = self.sandbox.goal("wait 5 seconds; wait 5 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        services = [frozen.services()[name] for name in ("actuator", "policy")]
        for service in services:
            os.kill(service, signal.SIGSTOP)
        halted = self.sandbox.run("halt")
        self.assertEqual(SERVICE_LOST, halted.wait(), halted.said())
        self.assertEqual(HALTED, run.wait(8), run.said())
        for service in services:
            os.kill(service, signal.SIGKILL)
        frozen.wait()
        self.sandbox.check_nothing_left()

    def test_a_command_to_the_newest_run_names_the_other_runs(self):
        older = self.sandbox.goal("wait 5 seconds; wait 5 seconds")
        older.wait_for(lambda: "ACTING" in older.states())
        directory, = self.sandbox.run_directories()
        self.assertEqual([], self.sandbox.run("pending").stderr)
        newer = self.sandbox.goal("wait 5 seconds; wait 5 seconds")
        newer.wait_for(lambda: "ACTING" in newer.states())
        pending = self.sandbox.run("pending")
        self.assertEqual(DONE, pending.wait(), pending.said())
        self.assertIn(f"--config {directory}/console.toml", pending.errors())
        self.assertEqual([], self.sandbox.run("--config", f"{directory}/console.toml", "pending").stderr)
        self.sandbox.run("halt")
        for run in (older, newer):
            self.assertEqual(HALTED, run.wait(8), run.said())

    def test_the_next_run_is_halted_too_and_names_resume(self):
        run = self.sandbox.goal("wait 5 seconds; wait 1 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.halt("for good")
        self.assert_ends(run, HALTED, seconds=8)
        run = self.sandbox.goal("open notes", "--unlock-writes")
        self.assert_ends(run, HALTED)
        self.assertIn("for good", run.errors())
        self.assertIn("resume", run.errors())
        self.assertEqual([], run.facts("actuator.outcome"))

    def test_resume_works_after_the_end_of_the_halted_run(self):
        run = self.sandbox.goal("wait 5 seconds; wait 1 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.halt()
        self.assert_ends(run, HALTED, seconds=8)
        self.resume()
        self.sandbox.check_nothing_left()
        self.assert_ends(self.sandbox.goal("open notes", "--unlock-writes"), DONE)

    def test_resume_during_a_halted_run_unblocks_the_next_run(self):
        run = self.sandbox.goal("wait 5 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.halt()
        self.resume()
        run.wait()
        self.assert_ends(self.sandbox.goal("open notes", "--unlock-writes"), DONE)

    def test_policy_and_actuator_publish_a_halt(self):
        run = self.sandbox.goal("wait 5 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.halt()
        run.wait()
        self.resume()
        for topic in ("policy.halt", "actuator.halt"):
            self.assertEqual([True], [fact["halted"] for fact in run.facts(topic)][:1], topic)


class BesideOthers(ConsoleTest):
    """A halt ends the run and so its services, which must answer the halt first, also on a busy machine."""

    def setUp(self):
        super().setUp()
        for _ in range(BURNERS):
            burner = subprocess.Popen(["sh", "-c", "while :; do :; done"])
            self.addCleanup(burner.wait)
            self.addCleanup(burner.kill)

    def test_every_halt_succeeds_on_a_busy_machine(self):
        answers = []
        for _ in range(HALTS):
            run = self.sandbox.goal("wait 5 seconds", "--unlock-writes")
            run.wait_for(lambda: "ACTING" in run.states())
            halt = self.sandbox.run("halt", "--reason", "the test says so")
            self.assertEqual(HALTED, run.wait(), run.said())
            answers.append((halt.process.returncode, *halt.stdout))
            self.assertEqual(DONE, self.sandbox.run("resume").process.returncode)
        self.assertEqual([(DONE, "actuator: halted", "policy: halted")] * HALTS, answers)


if __name__ == "__main__":
    unittest.main()
