"""What a person has copied outlives an actuator that pastes, whichever way that one ends.

The person's content is put there and read back by xclip and GTK; the actuator is killed while an application that never
asks for the pasted text (xev) lets it wait. DA_E2E_RUNS says how often.
"""

import os
import pathlib
import random
import signal
import subprocess
import time
import unittest
import zlib

import x11
from console import DONE, FAILED, HALTED, Sandbox, wait_until
from vnc_desktop import VncDesktop

RUNS = int(os.environ.get("DA_E2E_RUNS", "6"))
PYTHON = "/usr/bin/python3"  # Debian's, which has GTK's bindings.
PASTED = "the text of a model"
TEXT = "Grüße 漢字 😀\n\tzweite Zeile, no newline at its end".encode()
LARGE_TEXT = "".join(f"Zeile {number}: äöü 漢字\n" for number in range(60_000)).encode()
# Offers what it reads, a picture in each format that GTK can write; says when it does. Unlike xclip, which the X error
# of a reader that vanishes ends, it goes on as applications do.
OWNER = """
import sys
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, Gtk
content = sys.stdin.buffer.read()
clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
if content.startswith(b"\\x89PNG"):
    loader = GdkPixbuf.PixbufLoader.new_with_type("png")
    loader.write(content)
    loader.close()
    clipboard.set_image(loader.get_pixbuf())
else:
    clipboard.set_text(content.decode(), -1)
Gdk.Display.get_default().sync()
print("offered", flush=True)
Gtk.main()
"""


def png():
    """Larger than what travels in one piece: noise does not compress."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = b"".join(b"\0" + random.Random(row).randbytes(600 * 3) for row in range(200))
    header = (600).to_bytes(4, "big") + (200).to_bytes(4, "big") + bytes((8, 2, 0, 0, 0))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


CONTENTS = [("UTF8_STRING", TEXT), ("UTF8_STRING", LARGE_TEXT), ("image/png", png())]


def on_clipboard(target, patience=10):
    """Its bytes; None where there is nothing of the kind. xclip waits for ever for an owner that has just died."""
    try:
        read = subprocess.run(["xclip", "-o", "-selection", "clipboard", "-t", target], capture_output=True, timeout=patience,
                              check=False)
    except subprocess.TimeoutExpired:
        return None
    return read.stdout if read.returncode == 0 else None


def targets():
    return (on_clipboard("TARGETS", patience=0.5) or b"").decode().split()


def copy(target, content):
    subprocess.run(["xclip", "-i", "-selection", "clipboard", "-t", target], input=content, check=True, timeout=20)
    wait_until(lambda: on_clipboard(target) == content, "it is on the clipboard")


def taken():
    """Asking for the targets is no fetching of the text. xclip names no time."""
    return {"TIMESTAMP", "text/plain;charset=utf-8"} <= set(targets())


def guardians(sandbox):
    return [pid for pid, command in sandbox.processes().items() if "/da-guardian " in command]


class ClipboardTest(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        subprocess.run(["xclip", "-i", "-selection", "clipboard"], input=b"", check=True, timeout=20)
        self.window = self.xev()

    def pasting(self, sandbox, goal=f"paste {x11.quote(PASTED)}"):
        """A run whose actuator has the clipboard and waits for somebody to fetch it."""
        run = sandbox.start("--json", "--unlock-writes", "--goal", goal)
        run.wait_for(taken)
        return run

    def kill(self, run):
        run.kill_service("actuator")
        run.wait()

    def sandboxed(self):
        sandbox = Sandbox()
        self.addCleanup(sandbox.clear)
        return sandbox


class AfterADeath(ClipboardTest):
    def test_what_was_on_it_comes_back_to_the_byte(self):
        for number in range(RUNS):
            target, content = CONTENTS[number % len(CONTENTS)]
            sandbox = self.sandboxed()
            copy(target, content)
            self.kill(self.pasting(sandbox))
            self.assertEqual(content, wait_until(lambda: on_clipboard(target), "somebody offers it"))
            self.assertIn(target, targets())
            self.assertEqual(1, len(guardians(sandbox)))
            copy("UTF8_STRING", b"another")
            wait_until(lambda: not sandbox.processes(), lambda: f"the guardian is gone: {sandbox.processes()}", 5)
            self.assertEqual(b"another", on_clipboard("UTF8_STRING"))
        print(f"SIGKILL while pasting: {RUNS} tries, text, {len(LARGE_TEXT)} bytes of text, a picture: all came back",
              flush=True)

    def start_owner(self, target, content):
        """An application that offers it until another one copies something; what it gives in this format."""
        owner = subprocess.Popen([PYTHON, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        self.addCleanup(owner.stdout.close)
        self.addCleanup(owner.wait)
        self.addCleanup(owner.kill)
        owner.stdin.write(content)
        owner.stdin.close()
        self.assertEqual(b"offered\n", owner.stdout.readline())
        return owner, wait_until(lambda: on_clipboard(target), "it is offered")

    def test_at_any_moment(self):
        """Before the actuator has taken the clipboard it is its owner's, after that the guardian's."""
        for number in range(RUNS):
            target, content = CONTENTS[number % len(CONTENTS)]
            sandbox = self.sandboxed()
            _, content = self.start_owner(target, content)
            run = sandbox.start("--json", "--unlock-writes", "--goal", f"paste {x11.quote(PASTED)}")
            run.wait_for(lambda: run.facts("policy.verdict"))
            time.sleep(random.uniform(0, 0.1))
            self.kill(run)
            wait_until(lambda: on_clipboard(target) == content, "the person's content is there")
            copy("UTF8_STRING", b"another")
            wait_until(lambda: not sandbox.processes(), "the guardian is gone", 5)

    def test_every_format_comes_back(self):
        owner, _ = self.start_owner("image/bmp", png())
        formats = [target for target in targets() if on_clipboard(target) and target not in ("TARGETS", "TIMESTAMP")]
        self.assertTrue({"image/png", "image/bmp", "image/jpeg"} <= set(formats), formats)
        before = {target: on_clipboard(target) for target in formats}
        run = self.pasting(self.sandbox)
        owner.kill()
        self.kill(run)
        wait_until(lambda: "image/bmp" in targets(), "somebody offers it")
        for target in formats:
            after = on_clipboard(target)
            self.assertEqual(len(before[target]), len(after), target)
            # GTK writes another TIFF each time that it is asked.
            self.assertTrue(before[target] == after or target == "image/tiff", target)
        # None of those that do something in their owner.
        self.assertEqual(set(formats) | {"TARGETS", "TIMESTAMP"}, set(targets()))

    def test_the_next_actuator_starts_and_hands_it_on(self):
        copy("UTF8_STRING", LARGE_TEXT)
        first, second = self.sandbox, self.sandboxed()
        self.kill(self.pasting(first))
        wait_until(lambda: on_clipboard("UTF8_STRING") == LARGE_TEXT, "the guardian serves")
        run = self.pasting(second, f"paste {x11.quote(PASTED)}; wait 1 seconds")
        wait_until(lambda: not first.processes(), lambda: f"the first guardian is gone: {first.processes()}")
        self.assertEqual(PASTED.encode(), on_clipboard("UTF8_STRING"))
        self.kill(run)
        wait_until(lambda: on_clipboard("UTF8_STRING") == LARGE_TEXT, "the second guardian serves")
        self.assertEqual(1, len(guardians(second)))

    def test_the_guardian_that_serves_holds_nothing_else(self):
        copy("UTF8_STRING", TEXT)
        self.kill(self.pasting(self.sandbox))
        wait_until(lambda: on_clipboard("UTF8_STRING") == TEXT, "the guardian serves")
        process = pathlib.Path(f"/proc/{guardians(self.sandbox)[0]}")
        open_files = [os.readlink(each) for each in (process / "fd").iterdir()]
        kinds = sorted(name.split(":")[0] for name in open_files)
        # Its streams, one connection to the display, the memory that it was handed, and its own stop signal.
        self.assertEqual(["/dev/null"] * 3, [name for name in kinds if name == "/dev/null"], open_files)
        self.assertEqual(1, kinds.count("socket"), open_files)
        self.assertEqual(0, kinds.count("pipe"), open_files)
        self.assertEqual("/", os.readlink(process / "cwd"))
        self.assertIn("Max core file size        0                    0", (process / "limits").read_text())
        os.kill(int(process.name), signal.SIGTERM)
        wait_until(lambda: not self.sandbox.processes(), "a signal ends it", 5)

    def test_an_empty_clipboard_stays_empty(self):
        """Nothing that the actuator pasted lives on."""
        owner = subprocess.Popen(["xclip", "-quiet", "-i", "-selection", "clipboard", "/etc/hostname"],
                                 stderr=subprocess.DEVNULL)
        wait_until(lambda: on_clipboard("UTF8_STRING"), "it is on the clipboard")
        owner.kill()
        owner.wait()
        self.assertIsNone(on_clipboard("UTF8_STRING"))
        self.kill(self.pasting(self.sandbox))
        wait_until(lambda: not self.sandbox.processes(), "the guardian is gone", 5)
        self.assertIsNone(on_clipboard("UTF8_STRING"))

    def test_what_a_person_replaced_or_emptied_does_not_come_back(self):
        copy("UTF8_STRING", TEXT)
        run = self.pasting(self.sandbox)
        later = subprocess.Popen(["xclip", "-quiet", "-i", "-selection", "clipboard", "/etc/hostname"],
                                 stderr=subprocess.DEVNULL)
        wait_until(lambda: not taken(), "another has the clipboard")
        later.kill()
        later.wait()
        self.kill(run)
        wait_until(lambda: not self.sandbox.processes(), "the guardian is gone", 5)
        self.assertIsNone(on_clipboard("UTF8_STRING"))

    def start_hanging_owner(self):
        owner = subprocess.Popen(["xclip", "-quiet", "-i", "-selection", "clipboard", "/etc/hostname"],
                                 stderr=subprocess.DEVNULL)
        self.addCleanup(owner.wait)
        self.addCleanup(owner.kill)
        wait_until(lambda: on_clipboard("UTF8_STRING"), "it is on the clipboard")
        owner.send_signal(signal.SIGSTOP)

    def test_an_owner_that_hangs_holds_up_no_paste(self):
        self.start_hanging_owner()
        run = self.goal(f"paste {x11.quote(PASTED)}")
        self.assert_ends(run, FAILED)
        self.assertEqual(["KIND_NO_EFFECT"], [fact["kind"] for fact in run.facts("actuator.outcome")])

    def test_a_pause_while_it_waits_for_such_an_owner_counts(self):
        self.start_hanging_owner()
        run = self.goal(f"paste {x11.quote(PASTED)}")
        run.wait_for(lambda: run.facts("policy.verdict"))
        self.sandbox.run("pause")
        self.assert_ends(run, FAILED)
        outcome = run.facts("actuator.outcome")[0]
        self.assertEqual(("KIND_INTERRUPTED", "CODE_PAUSED"), (outcome["kind"], outcome["code"]))
        self.assertEqual([], self.window.keys())


class AfterAnEnd(ClipboardTest):
    def test_what_was_on_it_comes_back(self):
        copy("UTF8_STRING", TEXT)
        run = self.pasting(self.sandbox)
        self.assertEqual(PASTED.encode(), on_clipboard("UTF8_STRING"))
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual(TEXT, wait_until(lambda: on_clipboard("UTF8_STRING"), "somebody offers it"))
        copy("UTF8_STRING", b"another")
        self.sandbox.check_nothing_left()

    def test_without_a_paste_nothing_stays(self):
        copy("UTF8_STRING", TEXT)
        self.assert_ends(self.goal('type "x"'), DONE)
        self.assertEqual(TEXT, on_clipboard("UTF8_STRING"))


class OnAnotherDisplay(ClipboardTest):
    def test_the_kill_switch_brings_it_back(self):
        with VncDesktop() as desktop, Sandbox() as sandbox:
            desktop.start("xev", "-event", "button")
            wait_until(lambda: "Event Tester" in x11.active_title(), "the window has the focus")
            copy("UTF8_STRING", TEXT)
            run = self.pasting(sandbox)
            desktop.person.press_kill_switch()
            self.assertIn(run.wait(), (HALTED, FAILED), run.said())
            wait_until(lambda: on_clipboard("UTF8_STRING") == TEXT, "the guardian serves")
            copy("UTF8_STRING", b"another")

    def test_the_guardian_goes_with_it(self):
        with VncDesktop() as desktop, Sandbox() as sandbox:
            desktop.start("xev", "-event", "button")
            wait_until(lambda: "Event Tester" in x11.active_title(), "the window has the focus")
            copy("UTF8_STRING", TEXT)
            self.kill(self.pasting(sandbox))
            wait_until(lambda: on_clipboard("UTF8_STRING") == TEXT, "the guardian serves")
            desktop.processes[0].kill()


if __name__ == "__main__":
    x11.main()
