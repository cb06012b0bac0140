"""da-console at a pseudo terminal, as a person uses it."""

import os
import pty
import subprocess
import termios

from console import BIN, PATIENCE, RULES, ConsoleTest, wait_until


class Terminal:
    """da-console with a pseudo terminal as its controlling terminal, stdin, stdout and stderr. `detail` is --verbose by
    default, so that it shows every fact."""

    def __init__(self, sandbox, *arguments, detail=("--verbose",)):
        # With --config, the deployment sets rules and desktop.
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
        wait_until(lambda: self.read().count(text) >= times, lambda: f"the terminal shows {text!r}: {self.read()}")

    def type(self, text):
        os.write(self.master, os.fsencode(text))

    def takes_lines(self):
        """Returns whether the terminal reads lines. Before a question it reads no lines until nothing is typed."""
        return termios.tcgetattr(self.master)[3] & termios.ICANON != 0

    def wait(self, seconds=PATIENCE):
        # Keep reading: a full terminal buffer would block da-console.
        wait_until(lambda: (self.read(), self.process.poll())[1] is not None, lambda: f"it has ended:\n{self.read()}",
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
