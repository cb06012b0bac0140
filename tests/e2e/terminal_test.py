"""A person at a real terminal: answers to approvals, Ctrl+C, and nothing foreign that steers the terminal."""

import os
import pty
import signal
import subprocess
import termios
import unittest

from console import BAD_USAGE, BIN, DENIED, DONE, INTERRUPTED, PATIENCE, RULES, ConsoleTest, wait_until


class Terminal:
    """da-console with a pseudo terminal as its controlling terminal, stdin, stdout and stderr."""

    def __init__(self, sandbox, *arguments):
        self.shown = b""
        self.master, slave = pty.openpty()
        attributes = termios.tcgetattr(slave)
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        os.set_blocking(self.master, False)
        self.process = subprocess.Popen(
            [str(BIN / "da-console"), "--rules", str(RULES), "--desktop", "fake", *arguments], stdin=slave, stdout=slave,
            stderr=slave, env=sandbox.environment, start_new_session=True, preexec_fn=lambda: os.login_tty(slave))
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
    def start(self, *arguments):
        terminal = Terminal(self.sandbox, *arguments)
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
