"""Pause and resume, a halt while other processes hang, and replaced consoles. On the fake desktop."""

import fcntl
import json
import signal
import time
import unittest

from console import DONE, HALTED, SERVICE_LOST, ConsoleTest, HeldSave, wait_until
from services import Services
from terminal import TerminalTest

# Limit in seconds for a halt, even if one of the processes that it notifies hangs for ever.
BOUNDED_S = 20


class Stopping(ConsoleTest):
    def command(self, *words, exit_code=DONE):
        run = self.sandbox.run(*words)
        self.assertEqual(exit_code, run.process.returncode, run.said())
        return run

    def property(self, service, name):
        for line in self.sandbox.run("status", "--json").stdout:
            description = json.loads(line)
            if description["service"] == service:
                return description["properties"][name]
        return None


class Pause(Stopping):
    def tools(self, run):
        return [fact["tool"] for fact in run.facts("actuator.outcome")]

    def start_paused(self, goal, *words):
        """Pauses the task during the step before the goal."""
        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f"{held.goal}; {goal}", "--unlock-writes")
        held.wait_for(run)
        self.assertIn("policy: paused", self.command("pause", *words).stdout)
        held.release()
        run.wait_for(lambda: "PAUSED" in run.states())
        held.pipe.unlink()
        self.assertEqual(held.TOOLS, self.tools(run))
        return run

    def test_a_paused_task_continues_after_a_resume(self):
        run = self.start_paused("open notes", "--reason", "lunch")
        self.assertIn("lunch", self.property("policy", "paused"))
        self.assertEqual(HeldSave.TOOLS, self.tools(run))
        self.command("resume")
        self.assert_ends(run, DONE)
        self.assertEqual([*HeldSave.TOOLS, "launch"], self.tools(run))
        self.assertEqual([True, False], [fact.get("paused", False) for fact in run.facts("policy.pause")])
        self.assertEqual("lunch", run.facts("policy.pause")[0]["pause"]["reason"])

    def test_an_approval_given_during_a_pause_is_asked_for_again_after_resume(self):
        run = self.sandbox.goal("open notes")
        first = run.pending_id()
        self.command("pause")
        self.assertIn(first, self.sandbox.run("pending").text())
        self.command("approve", first)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.assertEqual([], run.facts("actuator.outcome"))
        self.command("resume")
        second = run.wait_for(lambda: [fact["approval_id"] for fact in run.facts("policy.request")][1:])[0]
        self.assertNotEqual(first, second)
        self.command("approve", second)
        self.assert_ends(run, DONE)
        self.assertEqual(1, len(run.facts("actuator.outcome")))

    def test_ctrl_c_ends_a_paused_task(self):
        run = self.start_paused("open notes")
        self.interrupt(run)
        self.assertEqual(HeldSave.TOOLS, self.tools(run))

    def test_a_halt_ends_a_paused_task(self):
        run = self.start_paused("open notes")
        self.command("halt")
        self.assert_ends(run, HALTED)
        self.assertEqual(HeldSave.TOOLS, self.tools(run))

    def test_a_pause_does_not_outlive_its_run(self):
        run = self.start_paused("open notes")
        self.interrupt(run)
        self.assert_ends(self.sandbox.goal("open notes", "--unlock-writes"), DONE)

    def test_the_audit_log_has_pause_and_resume(self):
        run = self.start_paused("wait 1 seconds")
        self.command("resume")
        self.assert_ends(run, DONE)
        log = (self.sandbox.state / "desktopassist/policy/audit").read_text()
        kinds = [json.loads(line)["kind"] for line in log.splitlines()]
        self.assertLess(kinds.index("pause"), kinds.index("resume"))
        self.assertIn("@console", log)

    def hang_for(self, run, service, seconds):
        continues = run.kill_service(service, signal.SIGSTOP) + seconds
        wait_until(lambda: time.monotonic() > continues, "the service has hung for the given time")
        run.kill_service(service, signal.SIGCONT)

    def test_a_task_continues_after_a_service_hung_for_3_s(self):
        for service in ("policy", "observer"):
            with self.subTest(service=service):
                run = self.sandbox.goal("wait 5 seconds; open notes", "--unlock-writes")
                run.wait_for(lambda: "ACTING" in run.states())
                self.hang_for(run, service, 3)
                self.assert_ends(run, DONE)

    def test_a_paused_task_continues_after_a_service_hung_for_5_s(self):
        for service in ("policy", "observer"):
            with self.subTest(service=service):
                run = self.start_paused("open notes")
                self.hang_for(run, service, 5)
                self.command("resume")
                self.assert_ends(run, DONE)


class PauseAtATerminal(TerminalTest):
    def test_the_words_pause_and_resume_work_while_a_task_runs(self):
        terminal = self.start("--unlock-writes", "--goal", "wait 2 seconds; open notes")
        terminal.wait_for("acting")
        terminal.type("pause the phone rings\n")
        terminal.wait_for("PAUSED: by a person (the phone rings)")
        terminal.wait_for("resume with: da-console resume")
        terminal.type("resume\n")
        terminal.wait_for("the pause is over")
        self.assert_terminal_ends(terminal, DONE)

    def test_the_words_pause_and_resume_answer_no_approval(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ", 1)
        terminal.type("pause\n")
        terminal.wait_for("? [yes ", 2)
        terminal.type("resume\n")
        terminal.wait_for("? [yes ", 3)
        terminal.type("yes\n")
        self.assert_terminal_ends(terminal, DONE)


class HaltAlways(Stopping):
    """A halt stops the actuator even if other processes hang, and prints which services answered."""

    def setUp(self):
        super().setUp()
        self.services = Services(self.sandbox)
        self.addCleanup(self.services.stop)
        self.config = ("--config", str(self.services.config))

    def start_task(self):
        run = self.sandbox.start(*self.config, "--json", "--unlock-writes", "--goal", "wait 300 seconds; open notes")
        run.wait_for(lambda: "ACTING" in run.states())
        return run

    def halt(self, exit_code=DONE):
        """Runs halt and returns its lines about the actuator and the policy."""
        started = time.monotonic()
        run = self.command(*self.config, "halt", "--reason", "now", exit_code=exit_code)
        self.assertLess(time.monotonic() - started, BOUNDED_S)
        return run.stdout

    def assert_latched(self, service):
        self.assertIn("now", (self.sandbox.state / f"desktopassist/{service}/halted").read_text())

    def assert_halted_task(self, run):
        self.assertEqual(HALTED, run.wait(), run.said())
        self.assertEqual([], [fact for fact in run.facts("actuator.outcome") if fact["kind"] != "KIND_REFUSED"])

    def test_a_halt_works_while_planner_or_observer_hangs(self):
        for service in ("planner", "observer"):
            with self.subTest(service=service):
                run = self.start_task()
                self.services.signal(service, signal.SIGSTOP)
                self.assertEqual(["actuator: halted", "policy: halted"], self.halt())
                self.services.signal(service, signal.SIGCONT)
                self.assert_halted_task(run)
                self.command(*self.config, "resume")

    def test_a_halt_stops_the_actuator_while_the_policy_hangs(self):
        run = self.start_task()
        self.services.signal("policy", signal.SIGSTOP)
        actuator, policy = self.halt()
        self.assertEqual("actuator: halted", actuator)
        self.assertIn("da-policy", policy)
        self.assert_latched("actuator")
        self.services.signal("policy", signal.SIGCONT)
        self.assert_halted_task(run)

    def test_a_halt_works_while_other_consoles_hang(self):
        run = self.start_task()
        others = [self.sandbox.start(*self.config, word) for word in ("watch", "attach")]
        for console in (run, *others):
            console.process.send_signal(signal.SIGSTOP)
        self.assertEqual(["actuator: halted", "policy: halted"], self.halt())
        for console in (run, *others):
            console.process.send_signal(signal.SIGCONT)
        self.assert_halted_task(run)
        for console in others:
            console.process.send_signal(signal.SIGINT)
            console.wait()

    def test_a_halt_reports_an_actuator_that_hangs(self):
        run = self.start_task()
        self.services.signal("actuator", signal.SIGSTOP)
        actuator, policy = self.halt(exit_code=SERVICE_LOST)
        self.assertIn("da-actuator", actuator)
        self.assertEqual("policy: halted", policy)
        self.services.signal("actuator", signal.SIGCONT)
        self.assert_halted_task(run)

    def test_a_halt_works_while_the_audit_log_is_blocked(self):
        run = self.start_task()
        with open(self.sandbox.state / "desktopassist/policy/audit", "rb") as audit:
            fcntl.flock(audit, fcntl.LOCK_EX)  # The policy takes this lock for each write.
            actuator, policy = self.halt()
            self.assertEqual("actuator: halted", actuator)
            self.assertIn("halted, but the disk does not answer", policy)
            self.assert_latched("actuator")
            self.assert_halted_task(run)


class ComesBack(TerminalTest):
    """Consoles are killed and replaced while the services keep running."""

    def setUp(self):
        super().setUp()
        self.services = Services(self.sandbox)
        self.addCleanup(self.services.stop)

    def watch(self):
        """Starts watch, and waits until it receives facts."""
        config = ("--config", str(self.services.config))
        watch = self.sandbox.start(*config, "watch", "--json")
        self.addCleanup(watch.process.kill)
        def hears():
            self.sandbox.run(*config, "lock")  # Publishes a fact.
            return watch.facts()
        wait_until(hears, lambda: f"watch receives facts; output:\n{watch.said()}")
        return watch

    def start_terminal(self, *arguments):
        return self.start("--config", str(self.services.config), *arguments)

    def test_another_console_can_approve_after_a_console_was_killed(self):
        watch = self.watch()
        first = self.start_terminal("--goal", 'open notes; wait 0.2 seconds; type "x"')
        first.wait_for("? [yes ")
        first.process.kill()
        first.process.wait()
        second = self.start_terminal("attach")
        second.wait_for("? [yes ", 1)
        second.type("yes\n")
        second.wait_for("? [yes ", 2)
        second.type("yes\n")
        ended = watch.wait_for(lambda: watch.facts("planner.end"))[0]
        self.assertEqual("TASK_END_DONE", ended["result"]["end"])
        self.assertEqual(["launch", "write"], [fact["tool"] for fact in watch.facts("actuator.outcome")])
        second.wait_for("terminated")

    def test_a_task_without_approvals_continues_after_its_console_was_killed(self):
        watch = self.watch()
        first = self.start_terminal("--unlock-writes", "--goal", "wait 1 seconds; open notes")
        first.wait_for("acting")
        first.process.kill()
        ended = watch.wait_for(lambda: watch.facts("planner.end"))[0]
        self.assertEqual("TASK_END_DONE", ended["result"]["end"])

    def test_a_later_console_can_pause_resume_and_halt(self):
        watch = self.watch()
        first = self.start_terminal("--unlock-writes", "--goal", "wait 300 seconds")
        first.wait_for("acting")
        first.process.kill()
        config = ("--config", str(self.services.config))
        self.sandbox.run(*config, "pause")
        watch.wait_for(lambda: "PAUSED" in watch.states())
        self.sandbox.run(*config, "resume")
        watch.wait_for(lambda: watch.states()[-1] == "ACTING")
        self.sandbox.run(*config, "halt")
        ended = watch.wait_for(lambda: watch.facts("planner.end"))[0]
        self.assertEqual("TASK_END_HALTED", ended["result"]["end"])
        self.sandbox.run(*config, "resume")


if __name__ == "__main__":
    unittest.main()
