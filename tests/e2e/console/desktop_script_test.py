"""deploy/desktop ends with its command and on signals. Uses real displays."""

import os
import pty
import shutil
import signal
import subprocess
import sys
import unittest

from console import BIN, DONE, INTERRUPTED, PATIENCE, ROOT, RULES, Sandbox, processes_with, wait_until

DESKTOP = str(ROOT / "deploy/desktop")
TOLD_S = 8  # A command that handles the signal ends within this time.

# Prints the signal that it received and the size of its display, and exits with 5.
LISTENER = """
import signal, subprocess, sys
awaited = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
print("ready", flush=True)
number = signal.sigwait(awaited)
seen = subprocess.run(["xdotool", "getdisplaygeometry"], capture_output=True, text=True).stdout.strip()
print("got", int(number), "on", seen, flush=True)
sys.exit(5)
"""
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(300)"
READER = "print('ready', flush=True); print('read', input(), flush=True); print('read', input(), flush=True)"


class DesktopTest(unittest.TestCase):
    def setUp(self):
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.clear)
        self.environment = dict(self.sandbox.environment, TMPDIR=str(self.sandbox.root))
        self.environment.pop("DISPLAY", None)

    def start(self, *command, **options):
        words = [DESKTOP, "--size", "640x480", *command]
        process = subprocess.Popen(words, env=self.environment, **options)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def listen(self, program, **options):
        process = self.start(sys.executable, "-c", program, stdout=subprocess.PIPE, text=True, **options)
        self.assertEqual("ready\n", process.stdout.readline())
        return process

    def assert_ends(self, process, exit_code, seconds=TOLD_S):
        """Checks the exit code, and that all processes and files are removed."""
        said = process.communicate(timeout=seconds)[0]
        self.assertEqual(exit_code, process.returncode, said)
        self.assert_nothing_left()
        return said

    def assert_nothing_left(self):
        left = lambda: processes_with(str(self.sandbox.root))
        wait_until(lambda: not left(), lambda: f"all processes ended; left: {left()}", 5)
        self.assertEqual([], list(self.sandbox.root.glob("desktopassist-desktop.*")))


class DesktopScript(DesktopTest):
    # Regression: --help was executed as the command.
    def test_help_is_answered_by_the_script(self):
        for flag in ("--help", "-h"):
            said = subprocess.run([DESKTOP, flag], capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(0, said.returncode, said.stderr)
            self.assertIn("deploy/desktop [--size 1920x1080] COMMAND", said.stdout)
        self.assertEqual(2, subprocess.run([DESKTOP, "--frobnicate"], capture_output=True, timeout=PATIENCE).returncode)

    def display_server(self, script):
        """Puts a fake Xvfb into PATH."""
        programs = self.sandbox.root / "programs"
        programs.mkdir()
        server = programs / "Xvfb"
        server.write_text("#!/bin/sh\n" + script)
        server.chmod(0o755)
        self.environment["PATH"] = f"{programs}:{os.environ['PATH']}"

    def test_a_display_that_fails_once_is_started_again(self):
        self.display_server(f"""
            if mkdir {self.sandbox.root}/first; then echo "no room for a screen"; exit 3; fi
            exec {shutil.which("Xvfb")} "$@"
        """)
        process = self.start("true", stderr=subprocess.PIPE, text=True)
        said = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(0, process.returncode, said)
        self.assertIn("Xvfb ended with exit code 3 (attempt 1 of 2)", said)
        self.assertIn("no room for a screen", said)

    def test_a_display_that_fails_twice_is_an_error(self):
        self.display_server("echo 'no room for a screen'; exit 3\n")
        process = self.start("true", stderr=subprocess.PIPE, text=True)
        said = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(1, process.returncode)
        self.assertEqual("error: Xvfb did not start", said.splitlines()[-1])
        self.assert_nothing_left()

    def test_exit_code_and_stdin_are_those_of_the_command(self):
        process = self.start("sh", "-c", "cat; exit 7", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(b"through\n", process.communicate(b"through\n", timeout=PATIENCE)[0])
        self.assertEqual(7, process.returncode)
        self.assert_nothing_left()

    def test_only_who_has_its_key_may_use_the_display(self):
        look = "xdotool getdisplaygeometry 2>/dev/null || echo refused"
        script = f'{look}; (unset XAUTHORITY; export HOME=/nonexistent; {look}); stat -c %a "$XAUTHORITY"'
        process = self.start("sh", "-c", script, stdout=subprocess.PIPE, text=True)
        said = process.communicate(timeout=PATIENCE)[0]
        self.assertEqual("640 480\nrefused\n600\n", said)
        self.assert_nothing_left()

    def test_a_deleted_file_outlives_the_desktop_in_the_trash_of_the_user(self):
        file = self.sandbox.path("old.txt")
        file.write_text("old")
        run = self.sandbox.goal(f'delete file "{file}"', "--unlock-writes", within=(DESKTOP, "--size", "640x480"))
        self.sandbox.run("approve", run.pending_id())
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertFalse(file.exists())
        self.assertEqual("old", (self.sandbox.home / "data/Trash/files/old.txt").read_text())

    def test_signals_are_forwarded_and_the_display_outlives_the_command(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                process = self.listen(LISTENER)
                process.send_signal(number)
                self.assertEqual(f"got {int(number)} on 640 480\n", self.assert_ends(process, 5))

    def test_a_command_that_ignores_sigterm_is_killed(self):
        process = self.listen(DEAF)
        process.send_signal(signal.SIGTERM)
        self.assert_ends(process, 128 + signal.SIGKILL, 20)

    def test_sigterm_interrupts_a_running_task(self):
        process = self.start(str(BIN / "da-console"), "--rules", str(RULES), "--goal", "wait 300 seconds",
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = ""
        while "acting" not in said:
            said += process.stdout.readline()
            self.assertIsNone(process.poll(), said)
        process.send_signal(signal.SIGTERM)
        self.assertIn("interrupted", self.assert_ends(process, INTERRUPTED, TOLD_S + 7))


class DesktopScriptAtATerminal(DesktopTest):

    def open_terminal(self, program):
        self.shown = ""
        self.master, slave = pty.openpty()
        self.addCleanup(os.close, self.master)
        os.set_blocking(self.master, False)
        process = self.start(sys.executable, "-c", program, stdin=slave, stdout=slave, stderr=slave,
                             start_new_session=True, preexec_fn=lambda: os.login_tty(slave))
        os.close(slave)
        self.wait_for("ready")
        return process

    def read(self):
        try:
            self.shown += os.read(self.master, 65536).decode()
        except OSError:
            pass
        return self.shown

    def wait_for(self, text):
        wait_until(lambda: text in self.read(), lambda: f"the terminal shows {text!r}; its output:\n{self.read()}")

    def assert_terminal_ends(self, process, exit_code):
        self.assertEqual(exit_code, process.wait(TOLD_S), self.read())
        self.assert_nothing_left()

    def test_the_command_can_read_the_terminal(self):
        process = self.open_terminal(READER)
        for line in ("one", "two"):
            os.write(self.master, f"{line}\n".encode())
            self.wait_for(f"read {line}")
        self.assert_terminal_ends(process, 0)

    def test_ctrl_c_reaches_the_command_once(self):
        process = self.open_terminal(LISTENER)
        os.write(self.master, b"\x03")
        self.assert_terminal_ends(process, 5)
        self.assertEqual(1, self.read().count(f"got {int(signal.SIGINT)} on 640 480"), self.read())


if __name__ == "__main__":
    unittest.main()
