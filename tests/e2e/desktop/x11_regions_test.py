"""`da-console add-region` and `add-template` on a real desktop, checked with PIL's own screenshot and with clicks by
xdotool that must not reach the application."""

import json
import subprocess

import x11
from console import BAD_USAGE, DONE, FAILED, INTERRUPTED, PROGRAMS, wait_until
from vnc_desktop import VncDesktop
from x11_analyze_test import PYTHON

# Saves a part of the screen.
GRAB = """
import sys
from PIL import ImageGrab
x, y, width, height = map(int, sys.argv[2].split(','))
ImageGrab.grab(xdisplay='').convert('RGB').crop((x, y, x + width, y + height)).save(sys.argv[1])
"""
COMPARE = """
import sys
from PIL import Image, ImageChops
ours, theirs = (Image.open(file).convert('RGB') for file in sys.argv[1:])
print(ours.size == theirs.size and ImageChops.difference(ours, theirs).getbbox() is None)
"""
START = '{\n    "regions": [],\n    "templates": [],\n    "rules": []\n}'
READY = "click two opposite corners"


class RegionsTest(x11.DesktopTest):
    """Each test starts with the panel of gtk_panel.py (600x400 at 100,100) and a profile without regions."""

    def setUp(self):
        super().setUp()
        self.profile = self.sandbox.path("p.json")
        self.profile.write_text(START)
        self.state_file = self.sandbox.path("panel.json")
        self.open(PYTHON, str(PROGRAMS / "gtk_panel.py"), str(self.state_file), title="^Panel$")
        x11.wait_until(self.state_file.exists, "the panel is drawn")

    def python(self, script, *arguments):
        return subprocess.run([PYTHON, "-c", script, *map(str, arguments)], check=True, capture_output=True,
                              text=True, timeout=30).stdout.strip()

    def wait_until_drawn(self):
        """Waits until the panel does not change: its frame shows the focus only after a while."""
        wait_until(lambda: x11.active_title() == "Panel", "the panel has the focus")
        pictures = [self.sandbox.path("first.png"), self.sandbox.path("second.png")]
        def unchanged():
            for picture in pictures:
                self.python(GRAB, picture, "90,60,620,450")
            return self.python(COMPARE, *pictures) == "True"
        wait_until(unchanged, "the panel is drawn")

    def add(self, command, name, *flags, code=DONE):
        run = self.sandbox.run(command, str(self.profile), name, *flags)
        self.assert_ends(run, code)
        return run

    def entries(self, kind):
        return json.loads(self.profile.read_text())[kind]

    def pick(self, *flags):
        """Starts add-region --pick, and returns once the person's clicks count."""
        run = self.sandbox.start("add-region", str(self.profile), "picked", "--pick", "--json", *flags)
        run.wait_for(lambda: READY in run.errors())
        return run

    def move(self, x, y):
        x11.ask("xdotool", "mousemove", str(x), str(y))

    def click_at(self, x, y, button=1):
        self.move(x, y)
        x11.ask("xdotool", "click", str(button))

    def assert_nothing_was_clicked(self):
        self.assertEqual([], json.loads(self.state_file.read_text())["clicks"])


class Adding(RegionsTest):
    def test_a_region_of_a_window_is_relative_to_it(self):
        run = self.add("add-region", "icons", "--window", "Panel", "--rect", "280,20,120,100", "--comment", "oben")
        self.assertEqual([{"name": "icons", "window": "Panel", "x": 280, "y": 20, "width": 120, "height": 100,
                           "comment": "oben"}], self.entries("regions"))
        self.assertIn('now "Panel" at 380,120 (120x100)', run.text())
        self.assertNotIn("note:", run.text())
        command = run.text().split("try it: da-console ")[1].splitlines()[0]
        tried = self.sandbox.run(*command.split())
        self.assertEqual(DONE, tried.process.returncode, tried.said())
        checked = self.sandbox.run("profile", "check", str(self.profile))
        self.assertEqual(DONE, checked.process.returncode, checked.said())

    def test_a_whole_window_and_a_place_of_the_desktop(self):
        self.add("add-region", "window", "--window", "Panel")
        self.add("add-region", "place", "--rect", "10,20,300,200")
        self.assertEqual(
            '{\n    "regions": [\n        {\n            "name": "window",\n            "window": "Panel",\n'
            '            "x": 0,\n            "y": 0,\n            "width": 0,\n            "height": 0\n        },\n'
            '        {\n            "name": "place",\n            "x": 10,\n            "y": 20,\n'
            '            "width": 300,\n            "height": 200\n        }\n    ],\n    "templates": [],\n'
            '    "rules": []\n}', self.profile.read_text())

    def test_what_is_doubtful_is_added_with_a_note(self):
        run = self.add("add-region", "far", "--rect", "5000,0,10,10", "--json")
        answer = json.loads(run.stdout[0])
        self.assertEqual(["the place is outside of the desktop, which is 0,0 (1920x1080)"], answer["notes"])
        self.assertEqual({"name": "far", "x": 5000, "y": 0, "width": 10, "height": 10}, answer["entry"])
        run = self.add("add-region", "closed", "--window", "Not (open)", "--rect", "0,0,10,10")
        self.assertIn('note: no window whose title contains "Not (open)" is open', run.text())
        self.assertEqual("Not \\(open\\)", self.entries("regions")[1]["window"])

    def test_without_a_desktop_a_region_is_added_unchecked(self):
        self.sandbox.environment["DISPLAY"] = ":none"
        run = self.add("add-region", "r", "--rect", "5000,0,10,10")
        self.assertIn("note: the desktop could not be seen, so the place is not checked", run.text())
        self.assertEqual([{"name": "r", "x": 5000, "y": 0, "width": 10, "height": 10}], self.entries("regions"))

    def test_an_existing_name_is_refused_unless_it_is_replaced(self):
        self.add("add-region", "a", "--rect", "0,0,10,10", "--comment", "mine")
        before = self.profile.read_bytes()
        run = self.add("add-region", "a", "--rect", "5,5,10,10", code=FAILED)
        self.assertIn('there is already a region "a"', run.errors())
        self.assertEqual(before, self.profile.read_bytes())
        self.add("add-region", "a", "--rect", "5,5,10,10", "--replace")
        self.assertEqual([{"name": "a", "x": 5, "y": 5, "width": 10, "height": 10, "comment": "mine"}],
                         self.entries("regions"))

    def test_a_template_has_the_pixels_of_the_screen(self):
        self.wait_until_drawn()
        run = self.add("add-template", "white cross", "--rect", "400,140,48,48", "--json")
        answer = json.loads(run.stdout[0])
        self.assertEqual([{"name": "white cross", "filename": "white_cross.png"}], self.entries("templates"))
        self.assertEqual(str(self.profile.parent / "templates/white_cross.png"), answer["picture"])
        theirs = self.sandbox.path("theirs.png")
        self.python(GRAB, theirs, "400,140,48,48")
        self.assertEqual("True", self.python(COMPARE, answer["picture"], theirs))
        found = self.sandbox.run("analyze", "--template", answer["picture"])
        self.assertIn("  400,140 (48x48)  confidence 1.0000, exact", found.text())

    def test_a_template_of_a_window_and_its_replacement(self):
        self.wait_until_drawn()
        self.add("add-template", "t", "--window", "Panel", "--rect", "300,40,48,48")
        theirs = self.sandbox.path("theirs.png")
        picture = self.profile.parent / "templates/t.png"
        self.python(GRAB, theirs, "400,140,48,48")
        self.assertEqual("True", self.python(COMPARE, picture, theirs))
        self.add("add-template", "t", "--rect", "120,120,60,60", code=FAILED)
        self.assertEqual("True", self.python(COMPARE, picture, theirs))
        before = self.profile.read_bytes()
        self.add("add-template", "t", "--rect", "120,120,60,60", "--replace")
        self.python(GRAB, theirs, "120,120,60,60")
        self.assertEqual("True", self.python(COMPARE, picture, theirs))
        self.assertEqual(before, self.profile.read_bytes())

    def test_a_picture_that_cannot_be_taken_adds_nothing(self):
        for flags in (("--rect", "1900,0,100,100"), ("--window", "Not open"), ("--rect", "9000,0,10,10")):
            with self.subTest(flags=flags):
                run = self.add("add-template", "t", *flags, code=FAILED)
                self.assertIn("the picture cannot be taken", run.errors())
        self.assertEqual(START, self.profile.read_text())
        self.assertFalse((self.profile.parent / "templates").exists())

    def test_wrong_usage_adds_nothing(self):
        for flags in ((), ("--rect", "1,2,3"), ("--rect", "1,2,3,4", "--pick"), ("--rect", "1,2,0,4")):
            with self.subTest(flags=flags):
                self.add("add-region", "r", *flags, code=BAD_USAGE)
        run = self.sandbox.run("add-region", str(self.profile) + ".no", "r", "--rect", "1,2,3,4")
        self.assertIn("there is no profile", run.errors())
        self.profile.write_text('{"regions": [}')
        run = self.add("add-region", "r", "--rect", "1,2,3,4", code=FAILED)
        self.assertIn("line 1, column 14", run.errors())
        self.assertEqual('{"regions": [}', self.profile.read_text())


class Picking(RegionsTest):
    def test_two_clicks_mark_a_region_and_reach_no_application(self):
        run = self.pick()
        self.click_at(320, 260)
        self.click_at(250, 300)
        self.assert_ends(run, DONE)
        self.assertEqual([{"name": "picked", "x": 250, "y": 260, "width": 71, "height": 41}], self.entries("regions"))
        self.assert_nothing_was_clicked()
        self.click_at(420, 300)  # The grab has ended.
        wait_until(lambda: json.loads(self.state_file.read_text())["clicks"] == [["pad", 1, 20, 50]],
                   "the application gets clicks again")

    def test_a_drag_marks_a_region_in_its_window(self):
        run = self.pick("--window", "Panel")
        self.move(120, 120)
        x11.ask("xdotool", "mousedown", "1")
        self.move(150, 150)
        self.move(179, 179)
        x11.ask("xdotool", "mouseup", "1")
        self.assert_ends(run, DONE)
        self.assertEqual([{"name": "picked", "window": "Panel", "x": 20, "y": 20, "width": 60, "height": 60}],
                         self.entries("regions"))
        self.assert_nothing_was_clicked()

    def test_a_double_click_by_mistake_marks_nothing(self):
        run = self.pick()
        self.click_at(320, 260)
        x11.ask("xdotool", "click", "1")
        self.click_at(350, 300)
        self.assert_ends(run, DONE)
        self.assertEqual([{"name": "picked", "x": 320, "y": 260, "width": 31, "height": 41}], self.entries("regions"))

    def test_an_outline_shows_what_is_marked_and_leaves_nothing(self):
        box = "200,200,180,140"  # Without the text field, which shows the focus.
        before, during, after = (self.sandbox.path(f"{name}.png") for name in ("before", "during", "after"))
        self.python(GRAB, before, box)
        run = self.pick()
        self.click_at(250, 250)
        self.move(300, 300)
        self.python(GRAB, during, box)
        self.assertEqual("False", self.python(COMPARE, before, during))
        self.click_at(300, 300)
        self.assert_ends(run, DONE)
        self.move(1000, 700)
        self.python(GRAB, after, box)
        self.assertEqual("True", self.python(COMPARE, before, after))

    def test_escape_the_right_button_and_ctrl_c_cancel(self):
        def escape(_):
            x11.ask("xdotool", "key", "Escape")

        def right(_):
            self.click_at(300, 300)
            self.click_at(320, 320, button=3)

        def interrupt(run):
            run.process.send_signal(2)
        for cancel in (escape, right, interrupt):
            with self.subTest(cancel=cancel.__name__):
                run = self.pick()
                cancel(run)
                self.assert_ends(run, INTERRUPTED)
                self.assertEqual(START, self.profile.read_text())
        self.assert_nothing_was_clicked()

    def test_a_template_is_picked_too(self):
        run = self.sandbox.start("add-template", str(self.profile), "t", "--pick")
        run.wait_for(lambda: READY in run.errors())
        self.click_at(400, 140)
        self.click_at(447, 187)
        self.move(1000, 700)
        self.assert_ends(run, DONE)
        theirs = self.sandbox.path("theirs.png")
        self.python(GRAB, theirs, "400,140,48,48")
        self.assertEqual("True", self.python(COMPARE, self.profile.parent / "templates/t.png", theirs))

    def test_nothing_is_picked_while_a_task_uses_the_desktop(self):
        task = self.goal("wait 5 seconds; wait 5 seconds; wait 5 seconds; wait 5 seconds")
        task.wait_for(lambda: "ACTING" in task.states())
        run = self.sandbox.run("add-region", str(self.profile), "picked", "--pick")
        self.assertEqual(FAILED, run.process.returncode, run.said())
        self.assertIn("already has an actuator", run.errors())
        task.process.send_signal(2)
        task.wait()
        self.sandbox.check_nothing_left()
        self.assertEqual(START, self.profile.read_text())

    def test_nothing_is_picked_while_a_menu_has_grabbed_the_pointer(self):
        before, now = self.sandbox.path("before.png"), self.sandbox.path("now.png")
        box = "1200,700,100,60"
        self.python(GRAB, before, box)
        self.click_at(1200, 700, button=3)  # The window manager's menu.
        self.addCleanup(x11.ask, "xdotool", "key", "Escape")

        def is_open():
            self.python(GRAB, now, box)
            return self.python(COMPARE, before, now) == "False"
        wait_until(is_open, "the menu is open")
        run = self.sandbox.run("add-region", str(self.profile), "picked", "--pick")
        self.assert_ends(run, FAILED)
        self.assertIn("another program has grabbed the pointer", run.errors())

    def test_a_desktop_of_another_machine_cannot_be_picked_on(self):
        for flags in (("--config", "console.toml"), ("--desktop", "fake")):
            with self.subTest(flags=flags):
                run = self.sandbox.run(*flags, "add-region", str(self.profile), "r", "--pick")
                self.assertEqual(BAD_USAGE, run.process.returncode, run.said())
                self.assertIn("--pick works only on the X11 desktop of this machine", run.errors())


class ByAPerson(x11.ConsoleTest):
    """With real devices instead of the XTEST device, on a desktop of its own."""

    def test_a_person_marks_a_region_and_cancels(self):
        profile = self.sandbox.path("p.json")
        profile.write_text(START)
        with VncDesktop() as desktop:
            self.sandbox.environment.update(
                {name: x11.os.environ[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS")})

            def pick():
                run = self.sandbox.start("add-region", str(profile), "picked", "--pick")
                run.wait_for(lambda: READY in run.errors())
                return run
            run = pick()
            desktop.person.tap(0xFF1B)
            self.assert_ends(run, INTERRUPTED)
            run = pick()
            for x, y in ((10, 20), (109, 219)):
                desktop.person.move(x, y)
                desktop.person.move(x, y, buttons=1)
                desktop.person.move(x, y)
            self.assert_ends(run, DONE)
        self.assertEqual([{"name": "picked", "x": 10, "y": 20, "width": 100, "height": 200}],
                         json.loads(profile.read_text())["regions"])


if __name__ == "__main__":
    x11.main()
