"""Watching and answering a run from another terminal: status, watch, attach, pending, approve, deny, the write lock."""

import json
import os
import signal
import unittest

from console import BAD_USAGE, DENIED, DONE, FAILED, SERVICES, ConsoleTest, HeldSave, wait_until


class Approvals(ConsoleTest):
    def asking(self, *flags, goal="open notes"):
        run = self.sandbox.goal(goal, *flags)
        return run, run.pending_id()

    def say(self, *command):
        run = self.sandbox.run(*command)
        self.assertEqual(DONE, run.wait(), run.said())
        return run.text()

    def test_pending_shows_the_action_and_its_evidence(self):
        run, approval = self.asking()
        (request,) = map(json.loads, self.say("pending", "--json").splitlines())
        self.assertEqual(approval, request["approval_id"])
        self.assertIn("notes", request["action_text"])
        self.assertEqual(["notes"], request["evidence"]["argv"])
        shown = self.say("pending")
        for words in (approval, "notes", "/usr/bin/notes", "expires in", "untrusted"):
            self.assertIn(words, shown)
        self.say("deny", approval)
        self.assert_ends(run, DENIED)

    # Regression: the pictures were never deleted.
    def test_a_picture_is_deleted_with_its_question_and_at_the_end_of_the_run(self):
        def pictures():
            return {path.stem for path in (self.sandbox.runtime / "desktopassist").rglob("*.png")}
        run = self.sandbox.goal("open notes; click at 100,100; click at 120,120")
        self.say("approve", run.pending_id())
        for number, answer in ((2, "approve"), (3, "deny")):
            run.wait_for(lambda: len(run.facts("policy.request")) == number)
            approval = run.pending_id()
            wait_until(lambda: pictures() == {approval}, lambda: f"only {approval} has a picture: {pictures()}")
            self.say("pending")
            self.assertEqual({approval}, pictures())
            self.say(answer, approval)
        self.assert_ends(run, DENIED)
        self.assertEqual(set(), pictures())

    def test_approve_executes_the_step_once(self):
        run, approval = self.asking()
        self.say("approve", approval)
        self.assert_ends(run, DONE)
        self.assertEqual(["launch"], [outcome["tool"] for outcome in run.facts("actuator.outcome")])
        self.assertEqual(["ANSWER_APPROVED"], [fact["answer"] for fact in run.facts("policy.approval")])

    def test_each_write_needs_its_own_approval(self):
        run, first = self.asking(goal='open notes; type "x"')
        self.say("approve", first)
        run.wait_for(lambda: len(run.facts("policy.request")) == 2)
        second = run.facts("policy.request")[-1]["approval_id"]
        self.assertNotEqual(first, second)
        self.say("approve", second)
        self.assert_ends(run, DONE)

    def test_deny_ends_the_task_with_exit_code_3_and_the_reason(self):
        run, approval = self.asking()
        self.say("deny", approval, "--reason", "not on my desktop")
        self.assert_ends(run, DENIED, seconds=5)
        self.assertIn("not on my desktop", run.errors())
        self.assertEqual([], run.facts("actuator.outcome"))

    def test_a_denial_with_a_reason_that_is_not_utf8_still_denies(self):
        run = self.sandbox.goal("open notes")
        denied = self.sandbox.run("deny", run.pending_id(), "--reason", os.fsdecode(b"because \xff"))
        self.assertEqual(DONE, denied.wait(), denied.said())
        self.assert_ends(run, DENIED)
        self.assertIn("because \\\\xff", run.text())

    def test_an_unknown_id_is_an_error_and_changes_nothing(self):
        run, approval = self.asking()
        for command in ("approve", "deny"):
            wrong = self.sandbox.run(command, "no-such-id")
            self.assertEqual(FAILED, wrong.wait(), wrong.said())
            self.assertIn("no-such-id", wrong.errors())
        self.assertIn(approval, self.say("pending"))
        self.say("deny", approval)
        self.assert_ends(run, DENIED)

    def test_a_second_answer_to_an_approval_is_refused(self):
        run, approval = self.asking(goal="open notes; wait 300 seconds")
        self.say("approve", approval)
        again = self.sandbox.run("deny", approval)
        self.assertEqual(FAILED, again.wait(), again.said())
        run.wait_for(lambda: run.facts("actuator.outcome"))
        self.interrupt(run)

    def test_without_a_terminal_the_run_prints_the_approve_command(self):
        run, approval = self.asking()
        run.wait_for(lambda: f"da-console approve {approval}" in run.errors())
        self.say("deny", approval)
        self.assert_ends(run, DENIED)


class Answers(ConsoleTest):
    """The other answers (edit, skip, stop-task, propose-rule), and the --notify program."""

    def say(self, *command):
        run = self.sandbox.run(*command)
        self.assertEqual(DONE, run.wait(), run.said())
        return run.text()

    def second_question(self, goal='open notes; type "x"; wait 0.1 seconds'):
        run = self.sandbox.goal(goal)
        self.say("approve", run.pending_id())
        run.wait_for(lambda: len(run.facts("policy.request")) == 2)
        return run, run.facts("policy.request")[-1]["approval_id"]

    def test_an_edited_step_needs_a_new_approval_and_is_executed_as_edited(self):
        run, approval = self.second_question()
        self.say("edit", approval, "--args", '{"text": "better"}')
        run.wait_for(lambda: len(run.facts("policy.request")) == 3)
        asked = run.facts("policy.request")[-1]
        self.assertEqual({"tool": "write", "args": {"text": "better"}}, json.loads(asked["action_json"]))
        self.say("approve", asked["approval_id"])
        self.assert_ends(run, DONE)
        self.assertIn("better", run.facts("policy.verdict")[-2]["action_text"] + run.facts("policy.verdict")[-1]["action_text"])

    def test_an_edit_with_invalid_arguments_is_refused(self):
        run, approval = self.second_question()
        for arguments in ('{"text": 5}', '{"words": "x"}', "text", '{"text": "x"'):
            self.assertEqual(BAD_USAGE, self.sandbox.run("edit", approval, "--args", arguments).wait(), arguments)
        self.say("deny", approval)
        self.assert_ends(run, DENIED)

    def test_a_skipped_step_is_not_executed_and_the_task_continues(self):
        run, approval = self.second_question()
        self.say("deny", approval, "--skip")
        self.assert_ends(run, DONE)
        self.assertEqual(["launch"], [fact["tool"] for fact in run.facts("actuator.outcome")])
        self.assertIn("2 sentences were carried out, 1 left out", run.errors())

    def test_stop_task_ends_the_task_with_exit_code_3(self):
        run, approval = self.second_question()
        self.say("deny", approval, "--stop-task")
        self.assert_ends(run, DENIED)
        self.assertTrue(run.facts("policy.approval")[-1]["stops_task"])

    def test_a_proposed_rule_is_written_and_passes_policy_check(self):
        run, approval = self.second_question()
        said = self.say("approve", approval, "--propose-rule")
        self.assert_ends(run, DONE)
        file = said.split("proposed in ")[1].split(";")[0]
        checked = self.sandbox.run("policy", "check", file)
        self.assertEqual(DONE, checked.wait(), checked.said())

    def test_the_notify_program_receives_each_question(self):
        told = self.sandbox.root / "told.json"
        program = self.sandbox.root / "tell"
        program.write_text("#!/usr/bin/env python3\nimport os, pathlib\n"
                           f"pathlib.Path({str(told)!r}).write_text(os.environ['DESKTOPASSIST_QUESTION'])\n")
        program.chmod(0o700)
        run = self.sandbox.goal("open notes", "--notify", str(program))
        approval = run.pending_id()
        question = wait_until(lambda: told.exists() and told.read_text() and json.loads(told.read_text()),
                              lambda: "the notify program has run")
        self.assertEqual(approval, question["id"])
        self.assertEqual("open notes", question["goal"])
        self.assertIn("notes", question["action"])
        self.say("deny", approval)
        self.assert_ends(run, DENIED)

    def test_a_missing_notify_program_does_not_affect_the_task(self):
        run = self.sandbox.goal("open notes", "--notify", str(self.sandbox.root / "missing"))
        self.say("approve", run.pending_id())
        self.assert_ends(run, DONE)


class Limits(ConsoleTest):
    def test_a_tool_outside_allow_tools_is_denied(self):
        run = self.sandbox.goal("open notes", "--unlock-writes", "--allow-tools", "mouse,press")
        self.assert_ends(run, DENIED)
        self.assertEqual("task-tools", run.facts("policy.verdict")[-1]["rule"])

    def test_a_step_beyond_max_steps_is_denied(self):
        run = self.sandbox.goal('open notes; type "a"; type "b"', "--unlock-writes", "--max-steps", "2")
        self.assertNotEqual(DONE, run.wait())
        self.assertEqual("limits", run.facts("policy.verdict")[-1]["rule"])
        self.assertEqual(2, len(run.facts("actuator.outcome")))

    def test_the_write_lock_closes_after_the_unlocked_number_of_steps(self):
        run = self.sandbox.goal('open notes; type "a"; type "b"')
        first = run.pending_id()
        unlocked = self.sandbox.run("unlock", "--steps", "1")
        self.assertEqual(DONE, unlocked.wait())
        self.assertIn("for 1 step", unlocked.text())
        self.assertEqual(DONE, self.sandbox.run("approve", first).wait())
        run.wait_for(lambda: len(run.facts("policy.request")) == 2)
        self.assertIn("b", run.facts("policy.request")[-1]["action_text"])
        self.assertEqual(DONE, self.sandbox.run("deny", run.facts("policy.request")[-1]["approval_id"]).wait())
        self.assert_ends(run, DENIED)


class WriteLock(ConsoleTest):
    def say(self, *command):
        run = self.sandbox.run(*command)
        self.assertEqual(DONE, run.wait(), run.said())
        return run.text()

    def deny_the_second(self, run):
        run.wait_for(lambda: len(run.facts("policy.request")) == 2)
        self.say("deny", run.pending_id())
        self.assert_ends(run, DENIED)

    def tools(self, run):
        return [outcome["tool"] for outcome in run.facts("actuator.outcome")]

    def test_unlock_allows_later_writes_and_lock_stops_them(self):
        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f'{held.goal}; type "x"')
        launch = run.pending_id()
        self.assertIn("open until", self.say("unlock", "--for", "10m"))
        self.say("approve", launch)
        held.wait_for(run)
        self.assertEqual(1, len(run.facts("policy.request")))
        self.assertIn("closed", self.say("lock"))
        held.release()
        self.deny_the_second(run)
        self.assertEqual(held.TOOLS, self.tools(run))

    def test_unlock_refuses_bounds_out_of_range(self):
        run = self.sandbox.goal('open notes; type "x"')
        launch = run.pending_id()
        for bound in ("--for=-5m", "--for=-1ms", "--for=0s", "--for=0.0001ms", "--for=1e30h", "--for=1194h", "--steps=0"):
            with self.subTest(bound=bound):
                unlock = self.sandbox.run("unlock", bound)
                self.assertEqual(BAD_USAGE, unlock.wait(), unlock.said())
                self.assertRegex(unlock.errors(), "from 1ms to 1193h|range 1 to 4294967295")
        self.say("approve", launch)
        self.deny_the_second(run)
        self.assertEqual([], run.facts("policy.lock"))

    def test_the_write_lock_closes_when_its_time_is_over(self):
        run = self.sandbox.goal('open notes; type "x"')
        launch = run.pending_id()
        self.say("unlock", "--for", "500ms")
        run.wait_for(lambda: [fact for fact in run.facts("policy.lock") if fact["by"] == "expiry"])
        self.say("approve", launch)
        self.deny_the_second(run)
        self.assertEqual([True, False], [fact.get("open", False) for fact in run.facts("policy.lock")])
        self.assertEqual(["launch"], self.tools(run))

    def test_an_open_write_lock_does_not_allow_critical_steps(self):
        file = self.sandbox.path("precious.txt")
        file.write_text("precious")
        run = self.sandbox.goal(f'delete file "{file}"', "--unlock-writes", "--approval-expiry", "1s")
        self.assert_ends(run, DENIED)
        self.assertEqual("precious", file.read_text())


class Watching(ConsoleTest):
    def start(self):
        """Starts a task that lasts longer than the test."""
        run = self.sandbox.goal("wait 300 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        return run

    def watch(self):
        """Starts watch, and waits until it receives facts."""
        watch = self.sandbox.start("watch", "--json")
        def hears():
            self.sandbox.run("lock")  # Publishes a fact.
            return watch.facts()
        wait_until(hears, lambda: f"watch receives facts; output:\n{watch.said()}")
        return watch

    def test_status_shows_all_services(self):
        run = self.start()
        lines = [json.loads(line) for line in self.sandbox.run("status", "--json").stdout]
        self.assertEqual(run.services(), {line["service"]: line["pid"] for line in lines})
        self.assertTrue(all(line["reachable"] for line in lines))
        shown = self.sandbox.run("status").text()
        for name in SERVICES:
            self.assertIn(name, shown)
        self.interrupt(run)

    def test_watch_shows_the_facts_and_ends_with_the_run(self):
        run = self.sandbox.goal("open notes")
        launch = run.pending_id()
        watch = self.watch()
        self.sandbox.run("approve", launch)
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual(DONE, watch.wait(), watch.said())
        self.assertEqual(["launch"], [fact["tool"] for fact in watch.facts("actuator.outcome")])
        self.assertEqual(run.facts("planner.end"), watch.facts("planner.end"))
        self.sandbox.check_nothing_left()

    def test_watch_ends_on_sigint_and_the_run_continues(self):
        run = self.start()
        watch = self.sandbox.start("watch")
        watch.wait_for(watch.text)
        watch.process.send_signal(signal.SIGINT)
        self.assertEqual(DONE, watch.wait(), watch.said())
        self.interrupt(run)

    def test_two_watchers_receive_the_same_outcomes(self):
        run = self.sandbox.goal("open notes")
        launch = run.pending_id()
        watchers = [self.watch() for _ in range(2)]
        self.sandbox.run("approve", launch)
        self.assertEqual(DONE, run.wait(), run.said())
        for watcher in watchers:
            self.assertEqual(DONE, watcher.wait(), watcher.said())
            self.assertEqual(["launch"], [fact["tool"] for fact in watcher.facts("actuator.outcome")])
            self.assertEqual(run.facts("actuator.outcome"), watcher.facts("actuator.outcome"))


if __name__ == "__main__":
    unittest.main()
