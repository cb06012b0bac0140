"""Scaled screens, equal windows, and places outside of the screen: the right element gets the click, or the run fails."""

import json
import subprocess

import x11
from console import DONE, FAILED, PROGRAMS, wait_until
from script import FAIL, SUCCESS, Script
from secrets_test import PYTHON, FormTest, is_black

SCALED = str(PROGRAMS / "scaled_form.py")
SCALES = [("gtk3", {"GDK_SCALE": "2"}), ("gtk3", {"GDK_SCALE": "3"}), ("gtk4", {"GDK_SCALE": "2"}),
          ("qt5", {"QT_SCALE_FACTOR": "2"}), ("qt5", {"QT_SCALE_FACTOR": "1.5"}),
          ("qt5", {"QT_SCREEN_SCALE_FACTORS": "1.25"})]
GTK3, QT5 = SCALES[0], SCALES[4]
SECRETS = """
[[secret]]
name = "token"
value = "correct horse"
elements = '^Token$'
"""


class ScaledTest(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.state_file = self.sandbox.path("scaled.json")

    def start(self, kit, scale, *places):
        environment = self.sandbox.environment | scale
        process = subprocess.Popen([PYTHON, SCALED, kit, str(self.state_file), *places], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: len(x11.titles()) == max(len(places), 1), "the windows are open")
        wait_until(self.state_file.exists, "the program has written its state")
        return process

    def stop(self, process):
        process.kill()
        process.wait()
        wait_until(lambda: not x11.titles(), "the windows are gone")
        self.state_file.unlink()

    def state(self):
        return json.loads(self.state_file.read_text())


class Scale(ScaledTest):
    # Bug: at scale 2, the click on "Gamma" hit "Beta" or nothing, and the run was "done".
    def test_a_button_of_a_scaled_window_gets_its_click(self):
        for kit, scale in SCALES:
            with self.subTest(kit=kit, **scale):
                process = self.start(kit, scale)
                try:
                    self.assert_ends(self.goal('click "Gamma"; click "Alpha"'), DONE)
                    self.assert_becomes(["Gamma 1", "Alpha 1"], lambda: self.state()["clicked"])
                finally:
                    self.stop(process)

    def both_places(self):
        listed = self.sandbox.run("elements", "--json")
        places = [element["bounds"] for element in map(json.loads, listed.stdout) if element["name"] == "Beta"]
        return places if len(places) == 2 else None

    def test_equal_scaled_windows_at_two_places_are_told_apart(self):
        for kit, scale in (GTK3, QT5):
            with self.subTest(kit=kit, **scale):
                process = self.start(kit, scale, "20,20", "330,180")
                try:
                    for place in wait_until(self.both_places, "both windows are listed"):
                        x11.ask("xdotool", "mousemove", str(place["x"] + place["width"] // 2),
                                str(place["y"] + place["height"] // 2), "click", "1")
                    self.assert_becomes({"Beta 1", "Beta 2"}, lambda: set(self.state()["clicked"]))
                finally:
                    self.stop(process)

    # Bug: at scale 2, the area above and left of the field was black, and the secret showed.
    def test_a_field_of_a_scaled_window_is_masked(self):
        secrets = self.sandbox.path("secrets.toml")
        secrets.write_text(SECRETS)
        secrets.chmod(0o600)
        for kit, scale in (GTK3, QT5):
            with self.subTest(kit=kit, **scale):
                process = self.start(kit, scale)
                try:
                    self.assert_ends(self.goal('type "{{secret:token}}" into "Token"; wait 1 second', "--secrets",
                                               str(secrets)), DONE)
                    self.assert_becomes("correct horse", lambda: self.state()["text"])
                    self.assertGreater(FormTest.screenshot(self).share(self.state()["place"], is_black), 0.95)
                finally:
                    self.stop(process)


class EqualWindows(ScaledTest):
    """Windows of GTK4, which reports no places, with the same title and size."""

    def start_equal(self, count):
        process = self.start("gtk4", {}, *["0,0"] * count)
        self.addCleanup(self.stop, process)
        windows = [line.split()[0] for line in x11.ask("wmctrl", "-l").splitlines()]
        for window, corner in zip(windows, (("20", "60"), ("500", "60"), ("20", "400"))):
            x11.ask("xdotool", "windowmove", "--sync", window, *corner)
        return windows

    # Bug: the order of a list decided, and the other window got the click.
    def test_the_focus_tells_which_of_two_is_which(self):
        for window in self.start_equal(2):
            x11.ask("xdotool", "windowactivate", "--sync", window)
            before = self.state()["clicked"]
            self.assert_ends(self.goal('right-click "Alpha 1"; right-click "Gamma 2"'), DONE)
            self.assert_becomes(before + ["right Alpha 1", "right Gamma 2"], lambda: self.state()["clicked"])

    def test_without_it_nothing_else_is_clicked(self):
        self.start_equal(3)
        for name in ("Alpha 1", "Beta 2", "Gamma 3"):
            before = self.state()["clicked"]
            run = self.goal(f'right-click "{name}"', "--approval-expiry", "3s")
            run.wait(100)  # Each of its tries waits for places.
            after = self.state()["clicked"]
            self.assertIn(after, (before, before + [f"right {name}"]), run.said())
            self.assertTrue(run.process.returncode != DONE or after != before, run.said())


class Reach(ScaledTest):
    """Elements and pointers at the edge of the screen."""

    def click_by_id(self, name):
        """Clicks the element as a script does, and returns the answer."""
        script = Script(self.sandbox, "--desktop", "x11", "--unlock-writes")
        element = wait_until(lambda: script.element(name), f"{name} is listed")
        answer = script.ask("ui.click", element_id=element["element_id"], double_click=False)
        script.end()
        self.assert_ends(script.run, DONE)
        return answer

    # Bug: the click went to the nearest point of the screen, where another element was.
    def test_an_element_outside_of_the_screen_is_refused(self):
        process = self.start("gtk3", {})
        try:
            # The title still shows: openbox keeps a part of each window on the screen.
            height = int(x11.ask("xdotool", "getdisplaygeometry").split()[1])
            x11.ask("xdotool", "windowmove", "--sync", x11.window_of("^Scaled$"), "100", str(height - 5))
            answer = self.click_by_id("Beta")
            self.assertEqual(FAIL, answer["status"], answer)
            self.assertIn("outside of the desktop", json.dumps(answer))
            self.assertEqual([], self.state()["clicked"])
        finally:
            self.stop(process)

    def test_the_part_on_the_screen_gets_the_click(self):
        process = self.start("gtk3", {})
        try:
            x11.ask("xdotool", "windowmove", "--sync", x11.window_of("^Scaled$"), "-220", "100")
            answer = self.click_by_id("Beta")
            self.assertEqual(SUCCESS, answer["status"], answer)
            self.assert_becomes(["Beta 1"], lambda: self.state()["clicked"])
        finally:
            self.stop(process)

    # Bug: a pointer that another program confines pressed its button where it was.
    def test_a_confined_pointer_presses_nothing(self):
        process = self.start("gtk3", {})
        try:
            holder = subprocess.Popen([PYTHON, str(PROGRAMS / "hold_pointer.py"), "900", "500", "200", "100"],
                                      env=self.sandbox.environment, stdout=subprocess.PIPE, text=True)
            try:
                self.assertEqual("held\n", holder.stdout.readline())
                for sentence, why in (("click at 100,100", "the pointer does not arrive"),
                                      ('click "Alpha"', "gets no click because of an open menu")):
                    run = self.goal(sentence)
                    self.assert_ends(run, FAILED)
                    self.assertIn(why, run.text() + run.errors())
                self.assertEqual([], self.state()["clicked"])
            finally:
                holder.kill()
                holder.wait()
                holder.stdout.close()
        finally:
            self.stop(process)


if __name__ == "__main__":
    x11.main()
