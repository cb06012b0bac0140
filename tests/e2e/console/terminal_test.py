"""A person at a real terminal: approvals, Ctrl+C, and foreign text that must not control the terminal."""

import os
import re
import signal
import time
import unittest

from console import BAD_USAGE, DENIED, DONE, INTERRUPTED, wait_until
from terminal import TerminalTest


class ApprovalsAtATerminal(TerminalTest):
    def test_yes_executes_the_step(self):
        for answer in ("yes", "y", "YES", "  yes  "):
            with self.subTest(answer=answer):
                terminal = self.start("--goal", "open notes")
                terminal.wait_for("? [yes ")
                terminal.type(answer + "\n")
                self.assert_terminal_ends(terminal, DONE)

    def test_no_ends_the_task_with_exit_code_3_and_the_reason(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type("no better not\n")
        self.assert_terminal_ends(terminal, DENIED)
        self.assertIn("better not", terminal.read())

    def test_a_denial_with_a_reason_that_is_not_utf8_still_denies(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type(os.fsdecode(b"no because \xff\n"))
        self.assert_terminal_ends(terminal, DENIED)
        self.assertIn("because \\xff", terminal.read())

    def test_other_text_repeats_the_question(self):
        terminal = self.start("--goal", "open notes")
        asked = 1
        for garbage in ("", "perhaps", "yess", "\x1b[A", "approve", "1", "yes but do not click save", "yes no", "task no"):
            terminal.wait_for("? [yes ", asked)
            terminal.type(garbage + "\n")
            asked += 1
        terminal.wait_for("? [yes ", asked)
        terminal.type("no\n")
        self.assert_terminal_ends(terminal, DENIED)

    def test_keys_without_enter_approve_nothing(self):
        terminal = self.start("--approval-expiry", "1s", "--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type("yes")
        self.assert_terminal_ends(terminal, DENIED)

    def test_text_typed_before_the_question_does_not_answer_it(self):
        terminal = self.start("--approval-expiry", "2s", "--goal", "wait 1 seconds; open notes")
        terminal.wait_for("acting")
        terminal.type("yes\nyes")
        terminal.wait_for("? [yes ")
        terminal.type("\n")
        self.assert_terminal_ends(terminal, DENIED)

    def test_each_step_needs_its_own_approval(self):
        terminal = self.start("--goal", 'open notes; type "x"')
        terminal.wait_for("? [yes ", 1)
        terminal.type("yes\n")
        terminal.wait_for("? [yes ", 2)
        terminal.type("no\n")
        self.assert_terminal_ends(terminal, DENIED)

    def test_skip_omits_the_step_and_the_task_continues(self):
        terminal = self.start("--goal", 'open notes; type "x"; wait 0.1 seconds')
        terminal.wait_for("? [yes ", 1)
        terminal.type("yes\n")
        terminal.wait_for("? [yes ", 2)
        terminal.type("skip\n")
        self.assert_terminal_ends(terminal, DONE)
        self.assertNotIn("typed", terminal.read())

    def test_task_approves_the_same_step_for_the_rest_of_the_task(self):
        terminal = self.start("--goal", "open notes; press ctrl+a; press ctrl+a")
        terminal.wait_for("? [yes ", 1)
        terminal.type("yes\n")
        terminal.wait_for("? [yes ", 2)
        terminal.type("task\n")
        self.assert_terminal_ends(terminal, DONE)
        self.assertIn("approved for this task by", terminal.read())

    # Regression: it only asked again.
    def test_an_unknown_word_shows_the_meaning_of_each_word(self):
        for word in ("perhaps", "?"):
            with self.subTest(word=word):
                terminal = self.start("--goal", "open notes")
                terminal.wait_for("? [yes ")
                terminal.type(word + "\n")
                terminal.wait_for("? [yes ", 2)
                self.assertRegex(terminal.read(), r"(?s)y        approve.*skip     deny.*stop     deny.*edit ARGS")
                terminal.type("no\n")
                self.assert_terminal_ends(terminal, DENIED)

    def test_edit_changes_the_arguments_and_asks_again(self):
        terminal = self.start("--goal", "open notes; type \"worse\"")
        terminal.wait_for("? [yes ", 1)
        terminal.type("yes\n")
        terminal.wait_for("? [yes ", 2)
        terminal.type("edit {\"txet\": \"better\"}\n")
        terminal.wait_for("did you mean \"text\"?")
        terminal.wait_for("? [yes ", 3)
        terminal.type("edit {\"text\": \"better\"}\n")
        terminal.wait_for("? [yes ", 4)
        self.assertIn("write text=\"better\"", terminal.read())
        terminal.type("yes\n")
        self.assert_terminal_ends(terminal, DONE)

    def test_stop_ends_the_task_with_exit_code_3(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type("stop\n")
        self.assert_terminal_ends(terminal, DENIED)

    def test_an_approval_at_a_terminal_can_be_answered_by_another_console(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        approval = terminal.read().split("approve ")[1].split("?")[0]
        self.assertEqual(DONE, self.sandbox.run("approve", approval).wait())
        self.assert_terminal_ends(terminal, DONE)

    def test_ctrl_c_during_an_approval_exits_with_130(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type("\x03")
        self.assert_terminal_ends(terminal, INTERRUPTED, seconds=5)

    def test_a_closed_terminal_interrupts_the_run(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        os.kill(terminal.process.pid, signal.SIGHUP)
        self.assert_terminal_ends(terminal, INTERRUPTED, seconds=5)


class Progress(TerminalTest):
    """The default output of a goal on a terminal."""

    def setUp(self):
        super().setUp()
        self.sandbox.environment["TERM"] = "xterm"
        self.sandbox.environment.pop("NO_COLOR", None)

    def lines(self, terminal):
        """Returns the visible lines; of a redrawn line, only the last version."""
        return [line.split("\r\x1b[K")[-1] for line in terminal.read().replace("\r\n", "\n").split("\n")]

    def test_each_sentence_has_one_line_that_is_updated_while_it_runs(self):
        terminal = self.start("--unlock-writes", "--goal", 'open notes; type "hello"; wait 1 seconds', detail=())
        terminal.wait_for("sleep secs=1")
        self.assert_terminal_ends(terminal, DONE)
        shown = [line for line in self.lines(terminal) if line.startswith("[")]
        self.assertEqual(3, len(shown), terminal.read())
        for line, sentence in zip(shown, ("[1/3] open notes", '[2/3] type "hello"', "[3/3] wait 1 seconds")):
            self.assertRegex(line, "^" + re.escape(sentence) + " … \x1b\\[32mdone\x1b\\[0m [0-9.]+ s$")
        self.assertIn("\r\x1b[K[3/3] wait 1 seconds … ", terminal.read())
        self.assertNotIn("verdict", terminal.read())

    def test_no_color_disables_colors(self):
        self.sandbox.environment["NO_COLOR"] = "1"
        terminal = self.start("--goal", "wait 0.1 seconds", detail=())
        self.assert_terminal_ends(terminal, DONE)
        self.assertNotRegex(terminal.read(), "\x1b\\[[0-9;]*m")

    def test_a_dumb_terminal_shows_every_fact(self):
        self.sandbox.environment["TERM"] = "dumb"
        terminal = self.start("--goal", "wait 0.1 seconds", detail=())
        self.assert_terminal_ends(terminal, DONE)
        self.assertNotIn("\x1b", terminal.read())
        self.assertIn("verdict", terminal.read())

    def test_nothing_is_drawn_over_a_question(self):
        terminal = self.start("--goal", "open notes; wait 0.1 seconds", detail=())
        terminal.wait_for(" / ?] ")
        asked, begun = terminal.read(), time.monotonic()
        wait_until(lambda: time.monotonic() > begun + 1, "a second has passed")
        self.assertEqual(asked, terminal.read())
        terminal.type("yes\n")
        self.assert_terminal_ends(terminal, DONE)
        self.assertIn("[1/2] open notes … ", terminal.read())

    def test_foreign_text_in_the_progress_does_not_control_the_terminal(self):
        self.sandbox.environment["NO_COLOR"] = "1"
        terminal = self.start("--unlock-writes", "--goal", f"open notes {ForeignText.EVIL}", detail=())
        self.assert_terminal_ends(terminal, DONE)
        shown = terminal.read().replace("\r\x1b[K", "")
        for character in "\x1b\x07\x9b\u202e\u2066\u200b":
            self.assertNotIn(character, shown)


class Attach(TerminalTest):
    def test_attach_shows_the_question_and_accepts_the_answer(self):
        run = self.sandbox.goal("open notes; wait 1 seconds")
        run.pending_id()
        terminal = self.start_attach()
        terminal.wait_for("? [yes ")
        terminal.type("yes\n")
        self.assert_ends(run, DONE)
        self.assertEqual(DONE, terminal.wait(10))

    def start_attach(self):
        return self.start("attach")


class ForeignText(TerminalTest):
    EVIL = "a\x1b[2J\x1b]0,owned\x07b\u202eevil\u2066\u200bc\x9bd"
    INVISIBLE = "b\u202eevil\u2066\u200bc"  # A typed text must not have control characters.

    def assert_harmless(self, shown):
        for character in "\x1b\x07\x9b\u202e\u2066\u200b":
            self.assertNotIn(character, shown)

    def test_a_window_title_does_not_control_the_terminal(self):
        terminal = self.start("--unlock-writes", "--goal", f'open notes {self.EVIL}; check window "evil" is open')
        self.assert_terminal_ends(terminal, DONE)
        self.assert_harmless(terminal.read())
        self.assertIn("\\x1b[2J", terminal.read())

    def test_text_in_an_approval_does_not_control_the_terminal(self):
        terminal = self.start("--goal", f"open notes {self.EVIL}")
        terminal.wait_for("? [yes ")
        self.assert_harmless(terminal.read())
        terminal.type("no \x1b[31m\n")
        self.assert_terminal_ends(terminal, DENIED)
        self.assert_harmless(terminal.read())

    def test_a_control_character_in_a_typed_text_is_refused(self):
        run = self.sandbox.goal(f'open notes; type "{self.EVIL}"', "--unlock-writes")
        self.assert_ends(run, BAD_USAGE)
        self.assertIn("U+001B", run.errors())

    def test_a_file_name_in_an_error_does_not_control_the_terminal(self):
        for command in (["show"], ["recording", "check"], ["recording", "cat"], ["report", "-o", "report.html"], ["replay"], ["profile", "check"],
                        ["policy", "check"], ["run"]):
            with self.subTest(command=command):
                terminal = self.start(*command, "no\x1b]0;owned\x07\x9b2J-such-file")
                terminal.wait()
                self.assertIn("such-file", terminal.read())
                for character in "\x1b\x07\x9b":
                    self.assertNotIn(character, terminal.read())

    def test_an_invalid_goal_does_not_control_the_terminal(self):
        terminal = self.start("--goal", f"frobnicate {self.EVIL}")
        terminal.wait()
        self.assert_harmless(terminal.read())

    def test_json_lines_escape_foreign_text_without_loss(self):
        run = self.sandbox.goal(f'open notes; type "{self.INVISIBLE}"', "--unlock-writes")
        self.assert_ends(run, DONE)
        self.assert_harmless(run.text())
        actions = [step["action"] for plan in run.facts("planner.plan") for step in plan.get("steps", [])]
        self.assertEqual({"write": {"text": self.INVISIBLE}}, actions[-1])

    def test_pending_and_deny_show_foreign_text_escaped(self):
        run = self.sandbox.goal(f"open notes {self.EVIL}")
        approval = run.pending_id()
        self.assert_harmless(self.sandbox.run("pending").text())
        self.assert_harmless(self.sandbox.run("pending", "--json").text())
        self.sandbox.run("deny", approval, "--reason", self.EVIL)
        self.assert_ends(run, DENIED)
        self.assert_harmless(run.said())

    def test_status_shows_a_halt_reason_escaped(self):
        run = self.sandbox.goal("wait 300 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.assert_harmless(self.sandbox.run("halt", "--reason", self.EVIL).said())
        self.assert_harmless(self.sandbox.run("status").said())
        run.wait()
        self.assert_harmless(run.said())


if __name__ == "__main__":
    unittest.main()
