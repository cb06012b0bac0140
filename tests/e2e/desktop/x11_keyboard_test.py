"""Keys arrive as they were named, whatever the person's keyboard is set to, and the keyboard is as before afterwards.

xdotool, setxkbmap, xkbset, xmodmap and xinput set the keyboard up; a GTK or Qt program tells what it got.
"""

import pathlib
import re
import subprocess
import time

import x11
from console import DONE, FAILED, wait_until

PYTHON = "/usr/bin/python3"  # Debian's Python, which has the bindings of GTK and Qt.
# Writes the text of its field, and "clicked N" with the state of the modifiers, into a file.
GTK_FIELD = """
import sys
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk
def write(text):
    with open(sys.argv[1], "w") as out: out.write(text)
w = Gtk.Window(title="Field window")
w.set_default_size(300, 200)
w.move(100, 100)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
field = Gtk.Entry()
pad = Gtk.DrawingArea()
pad.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
pad.connect("button-press-event", lambda _, e: write("click %d %d" % (e.button, e.state & 0x4d)))
field.connect("changed", lambda f: write(f.get_text()))
box.pack_start(field, False, False, 0)
box.pack_start(pad, True, True, 0)
w.add(box)
w.connect("destroy", Gtk.main_quit)
w.show_all()
Gtk.main()
"""
# Needs 0.9 s for ctrl+d, which is longer than the delay before keys repeat.
QT_SLOW = """
import sys, time
from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication, QShortcut, QTextEdit
app = QApplication(sys.argv)
w = QTextEdit()
w.setWindowTitle("Slow window")
w.resize(300, 200)
done = []
def duplicate():
    done.append("duplicated")
    with open(sys.argv[1], "w") as out: out.write(" ".join(done))
    time.sleep(0.9)
QShortcut(Qt.CTRL | Qt.Key_D, w, duplicate)
w.show()
app.exec_()
"""
# Locks a keyboard group (X11 has no command for it).
LOCK_GROUP = """
import ctypes, sys
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
d = ctypes.c_void_p(x.XOpenDisplay(None))
x.XkbLockGroup(d, 0x100, int(sys.argv[1]))
x.XSync(d, 0)
"""
GROUP = """
import ctypes
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
d = ctypes.c_void_p(x.XOpenDisplay(None))
state = (ctypes.c_ubyte * 18)()
x.XkbGetState(d, 0x100, state)
print(state[0])
"""
# Presses a key on a device as a person does.
TOUCH = """
import ctypes, sys
x, test, xi = (ctypes.CDLL(name) for name in ("libX11.so.6", "libXtst.so.6", "libXi.so.6"))
x.XOpenDisplay.restype = xi.XOpenDevice.restype = ctypes.c_void_p
d = ctypes.c_void_p(x.XOpenDisplay(None))
device = ctypes.c_void_p(xi.XOpenDevice(d, ctypes.c_ulong(int(sys.argv[1]))))
for down in map(int, sys.argv[3:]):
    test.XTestFakeDeviceKeyEvent(d, device, ctypes.c_uint(int(sys.argv[2])), down, None, 0, ctypes.c_ulong(0))
x.XSync(d, 0)
"""
# A person's input counts for 10 s.
PERSON_IS_FORGOTTEN_S = 11


def run(*command):
    subprocess.run(command, check=True, timeout=20, stdout=subprocess.DEVNULL)


def device(pattern):
    return re.search(pattern + r".*id=(\d+)", x11.ask("xinput", "list")).group(1)


def held():
    """Returns the keys that are down on the XTEST keyboard."""
    return re.findall(r"key\[(\d+)\]=down", x11.ask("xinput", "query-state", "Virtual core XTEST keyboard"))


def locks():
    """Returns the state of the lock keys as xset prints it."""
    return re.findall(r"(Caps|Num) Lock:\s+(\w+)", x11.ask("xset", "q"))


class KeyboardTest(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.file = pathlib.Path(self.sandbox.path("got"))
        self.addCleanup(self.plain)

    def plain(self):
        run("xdotool", "keyup", "ctrl", "keyup", "shift", "keyup", "alt", "keyup", "super")
        run("xkbset", "-a", "-bouncekeys", "-slowkeys", "-sticky")
        run("setxkbmap", "-option", "", "us")
        run(PYTHON, "-c", LOCK_GROUP, "0")
        if ("Caps", "on") in locks():
            run("xdotool", "key", "Caps_Lock")

    def field(self):
        self.open(PYTHON, "-c", GTK_FIELD, str(self.file), title="^Field window$")
        wait_until(lambda: x11.active_title() == "Field window", "the field has the focus")

    def got(self):
        return self.file.read_text() if self.file.exists() else ""

    def assert_types(self, text, goal=None):
        self.assert_ends(self.goal(goal or f"type {x11.quote(text)}"), DONE)
        self.assert_becomes(text, self.got)

    def all_clicks(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text('[[rule]]\nname = "all"\nverdict = "allow"\nreason = "a test"\nmatch.tool = ["mouse", "press", '
                         '"write", "focus_window", "ui_click"]\n')
        return str(rules)


class HeldKeys(KeyboardTest):
    def test_keys_that_another_program_holds_do_not_change_a_text_and_stay_held(self):
        self.field()
        for key in ("ctrl", "shift", "alt", "super"):
            with self.subTest(key=key):
                run("xdotool", "key", "--clearmodifiers", "ctrl+a", "Delete")
                run("xdotool", "keydown", key)
                before = held()
                self.assertEqual(1, len(before))
                self.assert_types("hello World")
                self.assertEqual(before, held())
                run("xdotool", "keyup", key)

    def test_a_press_a_click_and_a_scroll_do_not_get_a_held_key(self):
        self.field()
        run("xdotool", "keydown", "ctrl")
        self.assert_types("ab", "press a; press b")
        self.assert_ends(self.goal("click at 250,250", rules=self.all_clicks()), DONE)
        self.assert_becomes("click 1 0", self.got)
        self.assertEqual(1, len(held()))

    def test_a_key_that_a_person_holds_is_lifted_or_named(self):
        self.field()
        keyboard = device(r"Xvfb (?:virtual )?keyboard")
        run(PYTHON, "-c", TOUCH, keyboard, "37", "1")  # The left Ctrl key.
        self.addCleanup(run, PYTHON, "-c", TOUCH, keyboard, "37", "0")
        time.sleep(PERSON_IS_FORGOTTEN_S)
        run_ = self.goal('type "hello"')
        if run_.wait(60) == DONE:  # A server may let another device lift the key.
            return self.assert_becomes("hello", self.got)
        self.assert_ends(run_, FAILED)
        self.assertIn("the key Ctrl is held down", run_.said())
        return self.assertEqual("", self.got())


class Layouts(KeyboardTest):
    def test_the_map_of_the_keyboard_that_sends_counts(self):
        self.field()
        keyboard, xtest = device(r"Xvfb (?:virtual )?keyboard"), device("XTEST keyboard")
        for mine, theirs in (("us", "de"), ("fr", "us"), ("de", "ru")):
            with self.subTest(xtest=mine, keyboard=theirs):
                run("setxkbmap", "-device", keyboard, theirs)
                run("setxkbmap", "-device", xtest, mine)
                run("xdotool", "key", "--clearmodifiers", "ctrl+a", "Delete")
                run(PYTHON, "-c", TOUCH, keyboard, "50", "1", "0")  # A shift key.
                time.sleep(PERSON_IS_FORGOTTEN_S)
                self.assert_types("xyz-/?# aqw;")

    def test_a_second_layout_in_use_does_not_change_a_press_or_a_text_and_stays(self):
        self.field()
        run("setxkbmap", "us,ru")
        run(PYTHON, "-c", LOCK_GROUP, "1")
        self.assert_types("ab", "press a; press b")
        self.assertEqual("1", x11.ask(PYTHON, "-c", GROUP).strip())
        self.assert_types("abhello", 'type "hello"')
        self.assertEqual("1", x11.ask(PYTHON, "-c", GROUP).strip())

    def test_a_layout_that_changes_during_a_text_does_not_change_the_text(self):
        self.field()
        text = "zyx-;'[] " * 12
        typing = self.goal(f"type {x11.quote(text)}")
        for layout in ("de", "fr", "us,ru", "us"):
            run("setxkbmap", layout)
        code = typing.wait()
        if code == DONE:
            self.assert_becomes(text, self.got)
        else:
            self.assertIn("layout", typing.said())


class Locks(KeyboardTest):
    def test_caps_lock_does_not_change_a_press_and_stays_on(self):
        self.field()
        run("xdotool", "key", "Caps_Lock")
        self.assertIn(("Caps", "on"), locks())
        self.assert_types("aB", "press a; press shift+b")
        self.assertIn(("Caps", "on"), locks())

    def test_a_press_of_caps_lock_changes_it(self):
        self.field()
        for state in ("on", "off"):
            self.assert_ends(self.goal("press capslock"), DONE)
            self.assertIn(("Caps", state), locks())


class Accessibility(KeyboardTest):
    def test_double_letters_arrive_with_bounce_and_slow_and_sticky_keys_which_stay_on(self):
        self.field()
        for name, setting in (("Bounce-Keys", ("bouncekeys", "300")), ("Slow-Keys", ("slowkeys", "300")),
                              ("Sticky-Keys", ("sticky",))):
            with self.subTest(setting=name):
                run("xdotool", "key", "--clearmodifiers", "ctrl+a", "Delete")
                run("xkbset", *setting)
                self.assert_types("Book keeper AaA")
                self.assertRegex(x11.ask("xkbset", "q"), rf"{name} = On")
                run("xkbset", "-" + setting[0])

    # Bug: slow keys delayed the press of the lifted shift until the text was typed, which then was "hello".
    def test_a_held_key_is_down_again_before_slow_keys_are_on(self):
        self.field()
        run("xdotool", "keydown", "shift")
        run("xkbset", "a", "slowkeys", "200")
        run("xkbset", "slowkeys")
        self.assert_ends(self.goal('click 1st field; type "Hello"', rules=self.all_clicks()), DONE)
        self.assert_becomes("Hello", self.got)
        self.assertEqual(1, len(held()))
        self.assertRegex(x11.ask("xkbset", "q"), "Slow-Keys = On")

    def test_a_chord_that_a_slow_program_answers_late_comes_once(self):
        self.open(PYTHON, "-c", QT_SLOW, str(self.file), title="^Slow window$")
        wait_until(lambda: x11.active_title() == "Slow window", "the window has the focus")
        self.assert_ends(self.goal('focus "Slow window"; press ctrl+d; wait 1 second'), DONE)
        self.assert_becomes("duplicated", self.got)
        self.assertRegex(x11.ask("xset", "q"), r"auto repeat:\s+on")


if __name__ == "__main__":
    x11.main()
