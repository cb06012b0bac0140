"""A person at a real terminal: answers to approvals, Ctrl+C, and nothing foreign that steers the terminal."""

import os
import pty
import re
import signal
import subprocess
import termios
import time
import unittest

from console import BAD_USAGE, BIN, DENIED, DONE, INTERRUPTED, PATIENCE, RULES, ConsoleTest, wait_until


class Terminal:
    """da-console with a pseudo terminal as its controlling terminal, stdin, stdout and stderr. It shows every fact unless
    the arguments say otherwise."""

    def __init__(self, sandbox, *arguments, detail=("--verbose",)):
        # Services of a deployment have rules and a desktop of their own.
        embedded = () if "--config" in arguments else ("--rules", str(RULES), "--desktop", "fake")
        if "--goal" in arguments:
            arguments = (*detail, *arguments)
        self.shown = b""
        self.master, slave = pty.openpty()
        attributes = termios.tcgetattr(slave)
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        os.set_blocking(self.master, False)
        self.process = subprocess.Popen(
            [str(BIN / "da-console"), *embedded, *arguments], stdin=slave, stdout=slave, stderr=slave,
            env=sandbox.environment, start_new_session=True, preexec_fn=lambda: os.login_tty(slave))
        os.close(slave)

    def read(self):
        try:
            self.shown += os.read(self.master, 65536)
        except (BlockingIOError, OSError):
            pass
        return self.shown.decode("utf-8", errors="strict" if self.process.poll() is not None else "replace")

    def wait_for(self, text, times=1):
        wait_until(lambda: self.read().count(text) >= times, lambda: f"{text!r} is shown; it shows:\n{self.read()}")

    def type(self, text):
        os.write(self.master, os.fsencode(text))

    def takes_lines(self):
        """Not while it waits until nothing is typed."""
        return termios.tcgetattr(self.master)[3] & termios.ICANON != 0

    def wait(self, seconds=PATIENCE):
        # A terminal that nobody reads would stop its writer.
        wait_until(lambda: (self.read(), self.process.poll())[1] is not None, lambda: f"its end; it shows:\n{self.read()}",
                   seconds)
        self.read()
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)


class TerminalTest(ConsoleTest):
    def start(self, *arguments, **options):
        terminal = Terminal(self.sandbox, *arguments, **options)
        self.addCleanup(terminal.close)
        return terminal

    def assert_terminal_ends(self, terminal, exit_code, seconds=PATIENCE):
        self.assertEqual(exit_code, terminal.wait(seconds), terminal.read())
        self.sandbox.check_nothing_left()


class ApprovalsAtATerminal(TerminalTest):
    def test_yes_carries_the_step_out(self):
        for answer in ("yes", "y", "YES", "  yes  "):
            with self.subTest(answer=answer):
                terminal = self.start("--goal", "open notes")
                terminal.wait_for("? [yes ")
                terminal.type(answer + "\n")
                self.assert_terminal_ends(terminal, DONE)

    def test_no_ends_the_task_with_3_and_the_reason(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type("no better not\n")
        self.assert_terminal_ends(terminal, DENIED)
        self.assertIn("better not", terminal.read())

    def test_a_reason_that_is_not_utf8_denies_all_the_same(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type(os.fsdecode(b"no because \xff\n"))
        self.assert_terminal_ends(terminal, DENIED)
        self.assertIn("because \\xff", terminal.read())

    def test_anything_else_asks_again(self):
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

    def test_what_was_typed_before_the_question_does_not_answer_it(self):
        terminal = self.start("--approval-expiry", "2s", "--goal", "wait 1 seconds; open notes")
        terminal.wait_for("acting")
        terminal.type("yes\nyes")
        terminal.wait_for("? [yes ")
        terminal.type("\n")
        self.assert_terminal_ends(terminal, DENIED)

    def test_each_step_is_asked_about_by_itself(self):
        terminal = self.start("--goal", 'open notes; type "x"')
        terminal.wait_for("? [yes ", 1)
        terminal.type("yes\n")
        terminal.wait_for("? [yes ", 2)
        terminal.type("no\n")
        self.assert_terminal_ends(terminal, DENIED)

    def test_skip_leaves_the_step_out_and_goes_on(self):
        terminal = self.start("--goal", 'open notes; type "x"; wait 0.1 seconds')
        terminal.wait_for("? [yes ", 1)
        terminal.type("yes\n")
        terminal.wait_for("? [yes ", 2)
        terminal.type("skip\n")
        self.assert_terminal_ends(terminal, DONE)
        self.assertNotIn("typed", terminal.read())

    def test_task_approves_the_same_step_until_the_task_ends(self):
        terminal = self.start("--goal", "open notes; press ctrl+a; press ctrl+a")
        terminal.wait_for("? [yes ", 1)
        terminal.type("yes\n")
        terminal.wait_for("? [yes ", 2)
        terminal.type("task\n")
        self.assert_terminal_ends(terminal, DONE)
        self.assertIn("approved for this task by", terminal.read())

    # It only asked again.
    def test_an_unknown_word_is_answered_with_what_each_word_does(self):
        for word in ("perhaps", "?"):
            with self.subTest(word=word):
                terminal = self.start("--goal", "open notes")
                terminal.wait_for("? [yes ")
                terminal.type(word + "\n")
                terminal.wait_for("? [yes ", 2)
                self.assertRegex(terminal.read(), r"(?s)y        approve.*skip     deny.*stop     deny.*edit ARGS")
                terminal.type("no\n")
                self.assert_terminal_ends(terminal, DENIED)

    def test_edit_changes_the_arguments_and_the_step_is_asked_about_again(self):
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

    def test_stop_ends_the_task_with_3(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type("stop\n")
        self.assert_terminal_ends(terminal, DENIED)

    def test_it_can_be_answered_from_elsewhere(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        approval = terminal.read().split("approve ")[1].split("?")[0]
        self.assertEqual(DONE, self.sandbox.run("approve", approval).wait())
        self.assert_terminal_ends(terminal, DONE)

    def test_ctrl_c_ends_it_with_130(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        terminal.type("\x03")
        self.assert_terminal_ends(terminal, INTERRUPTED, seconds=5)

    def test_a_closed_terminal_ends_it(self):
        terminal = self.start("--goal", "open notes")
        terminal.wait_for("? [yes ")
        os.kill(terminal.process.pid, signal.SIGHUP)
        self.assert_terminal_ends(terminal, INTERRUPTED, seconds=5)


class Progress(TerminalTest):
    """What a goal shows on a terminal unless it is told otherwise."""

    def setUp(self):
        super().setUp()
        self.sandbox.environment["TERM"] = "xterm"
        self.sandbox.environment.pop("NO_COLOR", None)

    def lines(self, terminal):
        """What stays on the screen: of a line that was drawn again and again, the last."""
        return [line.split("\r\x1b[K")[-1] for line in terminal.read().replace("\r\n", "\n").split("\n")]

    def test_each_sentence_is_a_line_and_what_is_under_way_is_drawn_below(self):
        terminal = self.start("--unlock-writes", "--goal", 'open notes; type "hello"; wait 1 seconds', detail=())
        terminal.wait_for("sleep secs=1")
        self.assert_terminal_ends(terminal, DONE)
        shown = [line for line in self.lines(terminal) if line.startswith("[")]
        self.assertEqual(3, len(shown), terminal.read())
        for line, sentence in zip(shown, ("[1/3] open notes", '[2/3] type "hello"', "[3/3] wait 1 seconds")):
            self.assertRegex(line, "^" + re.escape(sentence) + " … \x1b\\[32mdone\x1b\\[0m [0-9.]+ s$")
        self.assertIn("\r\x1b[K[3/3] wait 1 seconds … ", terminal.read())
        self.assertNotIn("verdict", terminal.read())

    def test_no_color_is_heeded(self):
        self.sandbox.environment["NO_COLOR"] = "1"
        terminal = self.start("--goal", "wait 0.1 seconds", detail=())
        self.assert_terminal_ends(terminal, DONE)
        self.assertNotRegex(terminal.read(), "\x1b\\[[0-9;]*m")

    def test_a_terminal_that_cannot_erase_gets_every_fact(self):
        self.sandbox.environment["TERM"] = "dumb"
        terminal = self.start("--goal", "wait 0.1 seconds", detail=())
        self.assert_terminal_ends(terminal, DONE)
        self.assertNotIn("\x1b", terminal.read())
        self.assertIn("verdict", terminal.read())

    def test_nothing_is_drawn_over_a_question(self):
        terminal = self.start("--goal", "open notes; wait 0.1 seconds", detail=())
        terminal.wait_for(" / ?] ")
        asked, begun = terminal.read(), time.monotonic()
        wait_until(lambda: time.monotonic() > begun + 1, "a second passes, in which a spinner would turn")
        self.assertEqual(asked, terminal.read())
        terminal.type("yes\n")
        self.assert_terminal_ends(terminal, DONE)
        self.assertIn("[1/2] open notes … ", terminal.read())

    def test_foreign_text_does_not_steer_it(self):
        self.sandbox.environment["NO_COLOR"] = "1"
        terminal = self.start("--unlock-writes", "--goal", f"open notes {ForeignText.EVIL}", detail=())
        self.assert_terminal_ends(terminal, DONE)
        shown = terminal.read().replace("\r\x1b[K", "")
        for character in "\x1b\x07\x9b\u202e\u2066\u200b":
            self.assertNotIn(character, shown)


class Attach(TerminalTest):
    def test_it_shows_the_question_and_takes_the_answer(self):
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
    INVISIBLE = "b\u202eevil\u2066\u200bc"  # Control characters are refused in a text that is typed.

    def assert_harmless(self, shown):
        for character in "\x1b\x07\x9b\u202e\u2066\u200b":
            self.assertNotIn(character, shown)

    def test_a_window_title_does_not_steer_the_terminal(self):
        terminal = self.start("--unlock-writes", "--goal", f'open notes {self.EVIL}; check window "evil" is open')
        self.assert_terminal_ends(terminal, DONE)
        self.assert_harmless(terminal.read())
        self.assertIn("\\x1b[2J", terminal.read())

    def test_nor_does_text_in_an_approval(self):
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

    def test_nor_does_a_bad_goal(self):
        terminal = self.start("--goal", f"frobnicate {self.EVIL}")
        terminal.wait()
        self.assert_harmless(terminal.read())

    def test_json_lines_hold_it_escaped_and_give_it_back_exactly(self):
        run = self.sandbox.goal(f'open notes; type "{self.INVISIBLE}"', "--unlock-writes")
        self.assert_ends(run, DONE)
        self.assert_harmless(run.text())
        actions = [step["action"] for plan in run.facts("planner.plan") for step in plan.get("steps", [])]
        self.assertEqual({"write": {"text": self.INVISIBLE}}, actions[-1])

    def test_pending_and_deny_show_it_escaped(self):
        run = self.sandbox.goal(f"open notes {self.EVIL}")
        approval = run.pending_id()
        self.assert_harmless(self.sandbox.run("pending").text())
        self.assert_harmless(self.sandbox.run("pending", "--json").text())
        self.sandbox.run("deny", approval, "--reason", self.EVIL)
        self.assert_ends(run, DENIED)
        self.assert_harmless(run.said())

    def test_status_shows_a_halt_reason_escaped(self):
        run = self.sandbox.goal("wait 2 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.assert_harmless(self.sandbox.run("halt", "--reason", self.EVIL).said())
        self.assert_harmless(self.sandbox.run("status").said())
        run.wait()
        self.assert_harmless(run.said())


if __name__ == "__main__":
    unittest.main()
