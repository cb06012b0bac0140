"""The clipboard content of a person survives an actuator that pastes, however the actuator ends.

xclip and GTK write and read the person's content. A GTK field takes the pasted text, and the actuator is killed after
that. While an application has not taken the text (xev never does), the text stays on the clipboard instead.
DA_E2E_RUNS is the number of tries.
"""

import os
import pathlib
import random
import signal
import subprocess
import time
import zlib

import x11
from console import DONE, FAILED, HALTED, Sandbox, wait_until
from vnc_desktop import VncDesktop

RUNS = int(os.environ.get("DA_E2E_RUNS", "3"))
PAUSES = 10  # The tries to pause within the 2 s that the actuator gives the owner of the clipboard.
PYTHON = "/usr/bin/python3"  # Debian's Python, which has the GTK bindings.
PASTED = "the text of a model"
TEXT = "Grüße 漢字 😀\n\tzweite Zeile, no newline at its end".encode()
LARGE_TEXT = "".join(f"Zeile {number}: äöü 漢字\n" for number in range(60_000)).encode()
# Offers its standard input on the clipboard, a picture in each format that GTK can write, and prints "offered". Unlike
# xclip, it survives the X error of a reader that disappears, as applications do.
OWNER = """
import sys
import gi
gi.require_version("Gdk", "3.0")
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

# A field that takes what is pasted; --busy: 4 s after ctrl+v.
FIELD = """
import sys, time
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk
window = Gtk.Window(title="Field window")
field = Gtk.Entry()
field.connect("changed", lambda _: field.get_text() and print(field.get_text(), flush=True))
def key(_, event):
    pastes = event.keyval == Gdk.KEY_v and event.state & Gdk.ModifierType.CONTROL_MASK
    if pastes and "--busy" in sys.argv: time.sleep(4)
    return bool(pastes and "--deaf" in sys.argv)
window.connect("key-press-event", key)
window.add(field)
window.show_all()
Gtk.main()
"""
# Reads each new content, as a clipboard manager does.
MANAGER = """
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk
board = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
board.connect("owner-change", lambda b, _: b.request_text(lambda b, text, _: print("read", text, flush=True), None))
print("ready", flush=True)
Gtk.main()
"""


def png():
    """Returns a PNG of noise, which is too large for a single property transfer because noise does not compress."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = b"".join(b"\0" + random.Random(row).randbytes(600 * 3) for row in range(200))
    header = (600).to_bytes(4, "big") + (200).to_bytes(4, "big") + bytes((8, 2, 0, 0, 0))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


CONTENTS = [("UTF8_STRING", TEXT), ("UTF8_STRING", LARGE_TEXT), ("image/png", png())]


def on_clipboard(target, patience=10):
    """Returns the content of the target or None. Needs a timeout: xclip waits forever for an owner that just died."""
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
    wait_until(lambda: on_clipboard(target) == content, "the clipboard has the content")


def taken():
    """Returns whether the actuator owns the clipboard: unlike xclip, it offers TIMESTAMP. Does not fetch the text."""
    return {"TIMESTAMP", "text/plain;charset=utf-8"} <= set(targets())


def guardians(sandbox):
    return [pid for pid, command in sandbox.processes().items() if "/da-guardian " in command]


class ClipboardTest(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        subprocess.run(["xclip", "-i", "-selection", "clipboard"], input=b"", check=True, timeout=20)
        self.start_field()

    def start_program(self, text, *flags):
        program = subprocess.Popen([PYTHON, "-c", text, *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True)
        self.addCleanup(program.stdout.close)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        return program

    def start_field(self, *flags):
        self.field = self.start_program(FIELD, *flags)
        wait_until(lambda: x11.active_title() == "Field window", "the field has the focus")

    def pasting(self, sandbox, goal=f"paste {x11.quote(PASTED)}; wait 300 seconds"):
        """Starts a run and returns it when its actuator owns the clipboard and the field has taken the text."""
        run = sandbox.start("--json", "--unlock-writes", "--goal", goal)
        run.wait_for(lambda: run.facts("actuator.outcome"))
        self.assertEqual("KIND_CONFIRMED", run.facts("actuator.outcome")[0]["kind"], run.said())
        self.assertTrue(taken())
        return run

    def kill(self, run):
        run.kill_service("actuator")
        run.wait()

    def sandboxed(self):
        sandbox = Sandbox()
        self.addCleanup(sandbox.clear)
        return sandbox


class AfterADeath(ClipboardTest):
    def test_a_killed_actuator_leaves_the_clipboard_as_it_was(self):
        for number in range(RUNS):
            target, content = CONTENTS[number % len(CONTENTS)]
            sandbox = self.sandboxed()
            copy(target, content)
            self.kill(self.pasting(sandbox))
            self.assertEqual(content, wait_until(lambda: on_clipboard(target), "the target is offered"))
            wait_until(lambda: target in targets(), "the target is listed")
            self.assertEqual(1, len(guardians(sandbox)))
            copy("UTF8_STRING", b"another")
            wait_until(lambda: not sandbox.processes(), lambda: f"the guardian ended: {sandbox.processes()}")
            self.assertEqual(b"another", on_clipboard("UTF8_STRING"))
        print(f"SIGKILL while pasting: {RUNS} tries, text, {len(LARGE_TEXT)} bytes of text, a picture: all restored",
              flush=True)

    def start_owner(self, target, content):
        """Starts an application that offers the content. Returns the process and what it delivers for the target."""
        owner = subprocess.Popen([PYTHON, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        self.addCleanup(owner.stdout.close)
        self.addCleanup(owner.wait)
        self.addCleanup(owner.kill)
        owner.stdin.write(content)
        owner.stdin.close()
        self.assertEqual(b"offered\n", owner.stdout.readline())
        return owner, wait_until(lambda: on_clipboard(target), "the target is offered")

    def test_a_kill_at_a_random_moment_leaves_the_clipboard_as_it_was(self):
        """Until the actuator takes the clipboard, the old owner serves it; afterwards the guardian does."""
        for number in range(RUNS):
            target, content = CONTENTS[number % len(CONTENTS)]
            sandbox = self.sandboxed()
            _, content = self.start_owner(target, content)
            run = sandbox.start("--json", "--unlock-writes", "--goal", f"paste {x11.quote(PASTED)}")
            run.wait_for(lambda: run.facts("policy.verdict"))
            time.sleep(random.uniform(0, 0.1))
            self.kill(run)
            # A field that has not fetched the text yet may still do so.
            wait_until(lambda: on_clipboard(target) == content or on_clipboard("UTF8_STRING") == PASTED.encode(),
                       "the person's content is on the clipboard, or the text that was not fetched")
            copy("UTF8_STRING", b"another")
            wait_until(lambda: not sandbox.processes(), "the guardian has ended")

    def test_every_format_is_restored(self):
        owner, _ = self.start_owner("image/bmp", png())
        listed = wait_until(targets, "the owner lists its formats")
        formats = [target for target in listed if on_clipboard(target) and target not in ("TARGETS", "TIMESTAMP")]
        self.assertTrue({"image/png", "image/bmp", "image/jpeg"} <= set(formats), formats)
        before = {target: on_clipboard(target) for target in formats}
        run = self.pasting(self.sandbox)
        owner.kill()
        self.kill(run)
        wait_until(lambda: "image/bmp" in targets(), "the picture is offered")
        for target in formats:
            after = on_clipboard(target)
            self.assertEqual(len(before[target]), len(after), target)
            # GTK writes different TIFF bytes for each request.
            self.assertTrue(before[target] == after or target == "image/tiff", target)
        # Targets with a side effect in their owner are not offered.
        listed = wait_until(targets, "the guardian lists its formats")
        self.assertEqual((set(formats) - {"MULTIPLE"}) | {"TARGETS", "TIMESTAMP", "MULTIPLE"}, set(listed))

    def test_the_next_actuator_starts_and_takes_over_the_restored_clipboard(self):
        copy("UTF8_STRING", LARGE_TEXT)
        first, second = self.sandbox, self.sandboxed()
        self.kill(self.pasting(first))
        wait_until(lambda: on_clipboard("UTF8_STRING") == LARGE_TEXT, "the guardian serves")
        run = self.pasting(second, f"paste {x11.quote(PASTED)}; wait 300 seconds")
        self.assertEqual(PASTED.encode(), on_clipboard("UTF8_STRING"))
        wait_until(lambda: not first.processes(), lambda: f"the first guardian ended: {first.processes()}")
        self.kill(run)
        wait_until(lambda: on_clipboard("UTF8_STRING") == LARGE_TEXT, "the second guardian serves")
        self.assertEqual(1, len(guardians(second)))

    def test_a_serving_guardian_has_only_the_necessary_open_files(self):
        copy("UTF8_STRING", TEXT)
        self.kill(self.pasting(self.sandbox))
        wait_until(lambda: on_clipboard("UTF8_STRING") == TEXT, "the guardian serves")
        process = pathlib.Path(f"/proc/{guardians(self.sandbox)[0]}")
        open_files = [os.readlink(each) for each in (process / "fd").iterdir()]
        kinds = sorted(name.split(":")[0] for name in open_files)
        # Expected: its streams, one display connection, the memory with the content, and its stop signal.
        self.assertEqual(["/dev/null"] * 3, [name for name in kinds if name == "/dev/null"], open_files)
        self.assertEqual(1, kinds.count("socket"), open_files)
        self.assertEqual(0, kinds.count("pipe"), open_files)
        self.assertEqual("/", os.readlink(process / "cwd"))
        self.assertIn("Max core file size        0                    0", (process / "limits").read_text())
        os.kill(int(process.name), signal.SIGTERM)
        wait_until(lambda: not self.sandbox.processes(), "SIGTERM ends the guardian")

    def test_an_empty_clipboard_stays_empty(self):
        """The guardian does not keep the pasted text."""
        owner = subprocess.Popen(["xclip", "-quiet", "-i", "-selection", "clipboard", "/etc/hostname"],
                                 stderr=subprocess.DEVNULL)
        wait_until(lambda: on_clipboard("UTF8_STRING"), "an owner offers the text")
        owner.kill()
        owner.wait()
        self.assertIsNone(on_clipboard("UTF8_STRING"))
        self.kill(self.pasting(self.sandbox))
        wait_until(lambda: not self.sandbox.processes(), "the guardian has ended")
        self.assertIsNone(on_clipboard("UTF8_STRING"))

    def test_content_that_a_person_replaced_is_not_restored(self):
        copy("UTF8_STRING", TEXT)
        run = self.pasting(self.sandbox)
        later = subprocess.Popen(["xclip", "-quiet", "-i", "-selection", "clipboard", "/etc/hostname"],
                                 stderr=subprocess.DEVNULL)
        wait_until(lambda: not taken(), "another program owns the clipboard")
        later.kill()
        later.wait()
        self.kill(run)
        wait_until(lambda: not self.sandbox.processes(), "the guardian has ended")
        self.assertIsNone(on_clipboard("UTF8_STRING"))

    def start_hanging_owner(self):
        owner = subprocess.Popen(["xclip", "-quiet", "-i", "-selection", "clipboard", "/etc/hostname"],
                                 stderr=subprocess.DEVNULL)
        self.addCleanup(owner.wait)
        self.addCleanup(owner.kill)
        wait_until(lambda: on_clipboard("UTF8_STRING"), "an owner offers the text")
        owner.send_signal(signal.SIGSTOP)

    def test_a_hanging_clipboard_owner_does_not_prevent_a_paste(self):
        self.start_hanging_owner()
        run = self.goal(f"paste {x11.quote(PASTED)}")
        self.assert_ends(run, DONE)
        self.assertEqual(["KIND_CONFIRMED"], [fact["kind"] for fact in run.facts("actuator.outcome")])
        self.assertEqual(PASTED + "\n", self.field.stdout.readline())

    def test_a_pause_interrupts_a_paste_that_waits_for_a_hanging_owner(self):
        self.field.kill()
        self.window = self.xev()
        self.start_hanging_owner()
        for _ in range(PAUSES):
            run = self.goal(f"paste {x11.quote(PASTED)}")
            run.wait_for(lambda: run.facts("policy.verdict"))
            self.sandbox.run("pause")
            self.assert_ends(run, FAILED)
            outcome = run.facts("actuator.outcome")[0]
            if outcome["kind"] != "KIND_NO_EFFECT":  # The pause came before the owner's time was over.
                break
        self.assertEqual(("KIND_INTERRUPTED", "CODE_PAUSED"), (outcome["kind"], outcome["code"]))
        self.assertEqual([], self.window.keys())


class AfterAnEnd(ClipboardTest):
    def test_the_clipboard_is_restored_after_the_end_of_a_run(self):
        copy("UTF8_STRING", TEXT)
        run = self.pasting(self.sandbox, f"paste {x11.quote(PASTED)}; wait 5 seconds")
        self.assertEqual(PASTED.encode(), on_clipboard("UTF8_STRING"))
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual(TEXT, wait_until(lambda: on_clipboard("UTF8_STRING"), "the text is offered"))
        copy("UTF8_STRING", b"another")
        self.sandbox.check_nothing_left()

    def test_a_run_without_a_paste_does_not_touch_the_clipboard(self):
        copy("UTF8_STRING", TEXT)
        self.assert_ends(self.goal('type "x"'), DONE)
        self.assertEqual(TEXT, on_clipboard("UTF8_STRING"))


class Targets(ClipboardTest):
    def test_an_application_that_is_busy_gets_the_new_text(self):
        self.field.kill()
        self.start_field("--busy")
        copy("UTF8_STRING", TEXT)
        run = self.goal(f"paste {x11.quote(PASTED)}")
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual(PASTED + "\n", self.field.stdout.readline())
        self.assertEqual(TEXT, wait_until(lambda: on_clipboard("UTF8_STRING"), "the text is offered"))
        copy("UTF8_STRING", b"another")  # Ends the guardian, which serves the clipboard.
        self.sandbox.check_nothing_left()

    def test_a_busy_application_gets_the_new_text_after_the_actuator_was_killed(self):
        self.field.kill()
        self.start_field("--busy")
        copy("UTF8_STRING", TEXT)
        run = self.sandbox.start("--json", "--unlock-writes", "--goal", f"paste {x11.quote(PASTED)}")
        run.wait_for(taken)
        time.sleep(1)  # The field has the keys by then, and is busy for 3 s more.
        self.kill(run)
        self.assertEqual(PASTED + "\n", self.field.stdout.readline())
        copy("UTF8_STRING", b"another")

    def test_a_clipboard_manager_is_not_the_application(self):
        self.field.kill()
        self.start_field("--deaf")
        manager = self.start_program(MANAGER)
        self.assertEqual("ready\n", manager.stdout.readline())
        run = self.goal(f"paste {x11.quote(PASTED)}")
        self.assertEqual(FAILED, run.wait(), run.said())
        self.assertEqual(["KIND_NO_EFFECT"], [fact["kind"] for fact in run.facts("actuator.outcome")])
        copy("UTF8_STRING", b"another")  # Ends the guardian, which serves the text that nobody fetched.
        self.sandbox.check_nothing_left()


class OnAnotherDisplay(ClipboardTest):
    def test_the_clipboard_is_restored_after_the_kill_switch(self):
        with VncDesktop() as desktop, Sandbox() as sandbox:
            desktop.start(PYTHON, "-c", FIELD)
            wait_until(lambda: x11.active_title() == "Field window", "the field has the focus")
            copy("UTF8_STRING", TEXT)
            run = self.pasting(sandbox, f"paste {x11.quote(PASTED)}; wait 30 seconds")  # Xvnc may fetch it at once.
            desktop.person.press_kill_switch()
            self.assertIn(run.wait(), (HALTED, FAILED), run.said())
            wait_until(lambda: on_clipboard("UTF8_STRING") == TEXT, "the guardian serves")
            copy("UTF8_STRING", b"another")

    def test_a_serving_guardian_ends_with_its_display(self):
        with VncDesktop() as desktop, Sandbox() as sandbox:
            desktop.start(PYTHON, "-c", FIELD)
            wait_until(lambda: x11.active_title() == "Field window", "the field has the focus")
            copy("UTF8_STRING", TEXT)
            self.kill(self.pasting(sandbox))
            wait_until(lambda: on_clipboard("UTF8_STRING") == TEXT, "the guardian serves")
            desktop.processes[0].kill()


if __name__ == "__main__":
    x11.main()
