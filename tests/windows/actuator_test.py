"""da-actuator.exe under Wine, driven by the native services over TLS and CURVE, in a directory whose name has characters
outside the code page."""

import json
import os
import pathlib
import random
import re
import select
import socket
import subprocess
import sys
import time
import unittest
import unittest.mock

from wine import DESKTOP_PREFIX, PROGRAM, TESTS, WINE, saved_text, windows_path  # First: it sets the path.

from console import BIN, DONE, FAILED, HALTED, SERVICE_LOST, UNKNOWN, ConsoleTest, wait_until
from real_keys import RealKeys

PYTHON = "/usr/bin/python3"  # Debian's, which has python3-pil.
PORT = 7444
RUNS = int(os.environ.get("DA_E2E_RUNS", "1"))
NATIVE = ("observer", "policy", "planner", "recorder")


def command_of(process):
    try:
        return (process / "cmdline").read_bytes().split(b"\0")
    except OSError:  # It has just ended.
        return []


class WindowsTest(ConsoleTest):
    DESKTOP = "fake"
    START = WINE
    # Without the sandbox's variables: Wine's server lives longer than the test.
    environment = None

    def setUp(self):
        super().setUp()
        # Addresses of the loopback network that no other test uses.
        network = f"127.{random.randint(2, 250)}.{random.randint(1, 250)}"
        self.actuator_address, native = f"{network}.1", f"{network}.2"
        self.deployment = self.sandbox.path("Jörg 漢")
        init = self.sandbox.run("init", str(self.deployment), "--desktop", self.DESKTOP,
                                "--host", f"actuator={self.actuator_address}",
                                "--host", f"planner,policy,observer,recorder,console={native}")
        self.assertEqual(DONE, init.wait(), init.said())
        (self.native,) = {path.parent for path in self.deployment.glob("*/console.toml")}
        self.processes = {}
        self.addCleanup(self.stop)

    def stop(self):
        for process in self.processes.values():
            process.kill()
            process.wait(10)

    def start_actuator(self):
        config = self.deployment / "actuator/actuator.toml"
        text = config.read_text()
        if "[log]" not in text:
            state = windows_path(self.sandbox.path("state of Jörg 漢")).replace("\\", "\\\\")
            config.write_text(text + f'state = "{state}\\\\actuator"\n[log]\ndirectory = "{state}\\\\logs"\n')
        return subprocess.Popen([self.START, str(PROGRAM), "--config", windows_path(config)], cwd="/",
                                env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def listens(self):
        try:
            socket.create_connection((self.actuator_address, PORT), 1).close()
        except OSError:
            return False
        return True

    def start(self):
        self.processes["actuator"] = self.start_actuator()
        wait_until(self.listens, "the actuator listens", 60)
        for name in NATIVE:
            reader, writer = os.pipe()
            self.processes[name] = subprocess.Popen(
                [str(BIN / f"da-{name}"), "--config", str(self.native / f"{name}.toml"), "--ready-fd", str(writer)],
                env=self.sandbox.environment, pass_fds=(writer,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            os.close(writer)
            with os.fdopen(reader, "rb") as ready:
                self.assertEqual(b"r", ready.read(1), f"da-{name} did not start")

    def console(self, *arguments):
        return self.sandbox.start("--config", str(self.native / "console.toml"), *arguments, rules=None)


class FakeDesktop(WindowsTest):
    def test_native_services_drive_it(self):
        self.start()
        file = self.sandbox.path("漢字.txt")
        run = self.console("--json", "--unlock-writes", "--goal",
                           f'open "notes {file}"; type "Grüße 漢字 😀"; press ctrl+s; close "漢字"')
        self.assertEqual(DONE, run.wait(120), run.said())
        self.assertEqual("Grüße 漢字 😀", file.read_text())

    def test_a_revoked_policy_cannot_act(self):
        self.start()
        revoked = self.sandbox.run("keys", "revoke", str(self.deployment), f"policy@{self.native.name}")
        self.assertEqual(DONE, revoked.wait(), revoked.said())
        file = self.sandbox.path("after.txt")
        run = self.console("--json", "--unlock-writes", "--goal", f'open "notes {file}"; type "x"; press ctrl+s')
        self.assertNotEqual(DONE, run.wait(120), run.said())
        self.assertFalse(file.exists())

    def test_it_stops_on_its_event_and_keeps_its_halt(self):
        self.start()
        halt = self.console("halt")
        self.assertEqual(DONE, halt.wait(), halt.said())
        status = self.console("status")
        status.wait()
        pid = re.search(r"^actuator +serving +pid (\d+)", status.text(), re.MULTILINE)[1]
        subprocess.run([WINE, str(TESTS / "set_event.exe"), f"Local\\da-actuator-stop-{pid}"], check=True, timeout=60)
        self.assertEqual(0, self.processes.pop("actuator").wait(30))
        self.processes["actuator"] = self.start_actuator()
        wait_until(self.listens, "the actuator listens", 60)
        status = self.console("status")
        status.wait()
        self.assertRegex(status.text(), r"(?s)actuator +serving.*halted: yes")

    def test_a_second_one_at_the_same_address_fails(self):
        self.start()
        second = self.start_actuator()
        said, _ = second.communicate(timeout=60)
        self.assertEqual(1, second.returncode, said)
        self.assertRegex(said, r"da-actuator: .*(7444|7454)")


class Wine(WindowsTest):
    """Stock programs of Wine, on a desktop of the test's own."""
    DESKTOP = "win32"
    START = WINE + "-desktop"

    def stop(self):
        actuator = self.processes.get("actuator")
        if actuator:
            actuator.terminate()  # The script ends its desktop.
            actuator.wait(30)
        super().stop()

    def test_notepad_writes_what_was_typed(self):
        self.start()
        for number in range(RUNS):
            with self.subTest(run=number):
                self.write_by_notepad(f"notes{number}.txt")

    def write_by_notepad(self, name):
        file = self.sandbox.path(name)
        file.write_bytes("\ufeff".encode())  # Notepad keeps the encoding of the file.
        text = "Grüße 漢字 😀 " + "0123456789" * 20
        path = windows_path(file).replace("\\", "\\\\")  # As in a sentence.
        run = self.console("--json", "--unlock-writes", "--goal",
                           f'open "notepad {path}"; type "{text}"; press ctrl+s')
        self.assertEqual(DONE, run.wait(180), run.said())
        wait_until(lambda: text in saved_text(file), lambda: f"{text}; saved: {saved_text(file)}")
        run = self.console("--json", "--unlock-writes", "--goal", f'close "{name}"; check window "{name}" is closed')
        self.assertEqual(DONE, run.wait(180), run.said())

    def test_a_file_dialog_saves_a_new_file(self):
        self.start()
        for number in range(RUNS):
            with self.subTest(run=number):
                self.save_by_dialog(f"new{number}.txt")

    def save_by_dialog(self, name):
        file = self.sandbox.path(name)
        path = windows_path(file).replace("\\", "\\\\")
        run = self.console("--json", "--unlock-writes", "--goal",
                           f'open "notepad"; type "Grüße"; press ctrl+s; type "{path}" into "File name"; click "Save"; '
                           f'check window "{name}" is open; close "{name}"; check window "{name}" is closed')
        self.assertEqual(DONE, run.wait(180), run.said())
        self.assertEqual("Grüße", file.read_bytes().decode("cp1252"))


class DisplayTest(WindowsTest):
    """On a desktop of Wine whose X display the test knows."""
    DESKTOP = "win32"

    def setUp(self):
        super().setUp()
        desktop = subprocess.Popen([WINE + "-desktop", "--command", "sh", "-c", 'echo "$DISPLAY $XAUTHORITY"; exec sleep infinity'],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.addCleanup(desktop.wait, 30)
        self.addCleanup(desktop.terminate)
        self.display, key = desktop.stdout.readline().split()
        # This process uses the display as well.
        known = unittest.mock.patch.dict(os.environ, XAUTHORITY=key)
        known.start()
        self.addCleanup(known.stop)
        self.environment = os.environ | {"DISPLAY": self.display, "DA_WINE_PREFIX": str(DESKTOP_PREFIX)}

    def wine(self, *arguments):
        return subprocess.run([WINE, *arguments], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=60, check=False).stdout

    def done(self, goal):
        run = self.console("--json", "--unlock-writes", "--goal", goal)
        self.assertEqual(DONE, run.wait(180), run.said())
        return run


def text_of_rtf(content):
    """The text of a rich text file that WordPad has written, without its groups (fonts, colours)."""
    while (shorter := re.sub(r"\{\\(?:\*|fonttbl|colortbl)[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", "", content)) != content:
        content = shorter
    units = []
    for word in re.finditer(r"\\u(-?\d+) ?\??|\\'([0-9a-f]{2})|\\(par)\b ?|\\[a-z]+-?\d* ?|[{}\r\n]|(.)", content):
        unicode, byte, paragraph, character = word.groups()
        units.append(chr(int(unicode) & 0xFFFF) if unicode else bytes.fromhex(byte).decode("cp1252") if byte
                     else "\n" if paragraph else character or "")
    return "".join(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le").strip("\n\0 ")


class Programs(DisplayTest):
    """More stock programs."""

    def test_wordpad_saves_rich_text_by_its_menu(self):
        self.start()
        for number in range(RUNS):
            with self.subTest(run=number):
                self.write_by_wordpad(f"letter{number}.rtf")

    def write_by_wordpad(self, name):
        file = self.sandbox.path(name)
        path = windows_path(file).replace("\\", "\\\\")
        text = "Grüße, 漢字 und 😀. " * 120  # 2,040 characters.
        wordpad = r"\"C:\\Program Files\\Windows NT\\Accessories\\wordpad.exe\""
        self.done(f'open "{wordpad}"; type "{text}"; press alt+f; press a; type "{path}" into "File name"; '
                  f'click "Save"; check window "{name}" is open; close "{name}"; check window "{name}" is closed')
        self.assertEqual(text.strip(), text_of_rtf(file.read_text("cp1252")))

    def test_winemine_opens_the_field_that_was_clicked(self):
        self.start()
        for number in range(RUNS):
            with self.subTest(run=number):
                self.click_in_winemine()

    def click_in_winemine(self):
        self.done("open winemine")
        left, top, width, height = self.bounds_of("WineMine")
        field = (left + width // 2, top + height * 2 // 3)
        before = self.pixels_at(field)
        self.done(f'click at {field[0]},{field[1]}; check window "WineMine" is open')
        self.assertNotEqual(before, self.pixels_at(field))
        self.done('close "WineMine"; check window "WineMine" is closed')

    def pixels_at(self, point):
        """Of the display, by another program than ours."""
        x, y = point
        code = (f"from PIL import ImageGrab; print(ImageGrab.grab(xdisplay={self.display!r})"
                f".crop(({x - 6}, {y - 6}, {x + 6}, {y + 6})).tobytes().hex())")
        return subprocess.run([PYTHON, "-c", code], stdout=subprocess.PIPE, text=True, timeout=30, check=True).stdout

    def bounds_of(self, name):
        answer = self.console("elements", "--json")
        self.assertEqual(DONE, answer.wait(60), answer.said())
        elements = [json.loads(line) for line in answer.text().splitlines()]
        (bounds,) = [element["bounds"] for element in elements if element["name"] == name]
        return [bounds[part] for part in ("x", "y", "width", "height")]


class KillSwitch(DisplayTest):
    """A person presses Ctrl+Shift+Esc while the actuator types."""
    CHORD = ("Control_L", "Shift_L", "Escape")
    TEXT = "0123456789" * 300  # In one line, which Notepad draws slowly.

    def setUp(self):
        super().setUp()
        self.keys = RealKeys(self.display)
        self.addCleanup(self.keys.close)

    def actuator_pid(self):
        config = windows_path(self.deployment / "actuator/actuator.toml").encode()
        (pid,) = [int(entry.name) for entry in pathlib.Path("/proc").iterdir()
                  if entry.name.isdigit() and (words := command_of(entry)) and config in words
                  and words[0].endswith(PROGRAM.name.encode())]
        return pid

    def seconds_until_it_ends(self):
        """From the last key of the chord. The first one pauses, as any key of a person, and may end the step."""
        ended = os.pidfd_open(self.actuator_pid())
        between_keys = random.uniform(0, 0.03)
        try:
            for key in self.CHORD:
                pressed = self.keys.press(key)
                if key != self.CHORD[-1]:
                    time.sleep(between_keys)
            self.assertTrue(select.select([ended], [], [], 10)[0], "the actuator still runs")
            return time.monotonic() - pressed
        finally:
            os.close(ended)
            for key in reversed(self.CHORD):
                self.keys.release(key)

    def test_it_ends_the_actuator_while_it_types(self):
        self.start()
        took = []
        for number in range(RUNS):
            if number > 0:
                self.processes["actuator"] = self.start_actuator()
                # Wine may still listen for the process that has ended.
                wait_until(lambda: self.console("status").wait(30) == DONE, "the actuator answers", 60)
                # The policy hears of the actuator's halt at any moment now, and then refuses once to resume.
                wait_until(lambda: self.console("resume").wait(30) == DONE, "it is resumed")
            run = self.console("--json", "--unlock-writes", "--goal", f'open "notepad"; type "{self.TEXT}"')
            wait_until(lambda run=run: len(run.facts("policy.verdict")) == 2,
                       lambda run=run: f"it types: {run.said()}", 60)
            time.sleep(random.uniform(0.5, 2))
            took.append(self.seconds_until_it_ends() * 1000)
            self.assertEqual(1, self.processes.pop("actuator").wait(30))
            # The first key pauses as any of a person's: the step may have ended by that, and the next look finds no
            # actuator. Or the step's answer was lost.
            self.assertIn(run.wait(60), (HALTED, FAILED, UNKNOWN, SERVICE_LOST), run.said())
            # A busy application hands Wine the person's releases late.
            wait_until(lambda: self.wine(str(TESTS / "held_keys.exe")) == "", "no key is held", 10)
            self.wine("taskkill", "/f", "/im", "notepad.exe")
        took.sort()
        print(f"from the last key to the end of the process: median {took[len(took) // 2]:.0f} ms, "
              f"95% within {took[-1 - len(took) // 20]:.0f} ms, all {len(took)} within {took[-1]:.0f} ms", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
