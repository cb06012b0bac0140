"""What is drawn over the screenshots that a model gets, and what it may name by it, on a GTK window."""

import json
import os
import re

import x11
from console import DONE
from models import ModelTest, image_of, images_of, say, step
from secrets_test import PYTHON, Image

TARGETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gtk_targets.py")
MAGENTA = (255, 0, 255)


class TargetsTest(x11.DesktopTest, ModelTest):
    """With the window of gtk_targets.py open."""

    def setUp(self):
        super().setUp()
        self.state_file = self.sandbox.path("targets.json")
        self.open(PYTHON, TARGETS, str(self.state_file), title="Targets")
        x11.wait_until(self.settled, "the window knows where it is")

    def state(self):
        return json.loads(self.state_file.read_text())

    def settled(self):
        """Its places are inside of the window, as the window manager has it."""
        if not self.state_file.exists():
            return False
        left, top, width, height = (int(number) for number in re.findall(r"=(-?\d+)$", x11.ask(
            "xdotool", "getwindowgeometry", "--shell", x11.window_of("^Targets$")), re.MULTILINE)[1:5])
        return all(left <= x and top <= y and x + w <= left + width and y + h <= top + height and w > 1
                   for x, y, w, h in self.state()["place"].values())

    def text_of(self, model):
        """All texts of the newest request."""
        api = next(api for api in model.server.apis if api.name == model.provider.api)
        return api.texts(model.requests()[-1]["body"])


class Overlays(TargetsTest):
    def run_with(self, planner, *flags, entries):
        with self.model(planner, entries) as self.server:
            run = self.server.goal("choose the pears", "--unlock-writes", *flags, desktop="x11")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(self.server)
        return run

    def look(self, planner, overlay):
        """The image of a task that does nothing."""
        self.run_with(planner, "--overlay", overlay, entries=[say(done="Seen.")])
        return image_of(self.server.requests()[0]), self.text_of(self.server)

    def click_number(self, pattern, click):
        """An entry that clicks the element whose line in the newest request matches."""
        def entry():
            (name,) = re.findall(pattern, self.text_of(self.server), re.MULTILINE)
            return say(click(name))
        return entry

    def test_a_number_clicks_the_element_that_carries_it(self):
        cases = [(planner, "marks") for planner in ("openai-responses", "anthropic", "gemini")] + [("openai", "both")]
        for count, (planner, overlay) in enumerate(cases, 1):
            with self.subTest(planner=planner, overlay=overlay):
                self.run_with(planner, "--overlay", overlay, entries=[
                    self.click_number(r'^(\d+) push button "Pears"$', lambda number: step(
                        "ui_click", element_id=number)),
                    say(done="Chosen.", expect=["carried out"])])
                self.assertEqual(["Pears"] * count, self.state()["clicked"])

    def test_a_number_that_nothing_carries_is_told_back(self):
        self.run_with("openai", "--overlay", "marks", entries=[
            say(step("ui_click", element_id="98")), say(done="There is none.", expect=["Your reply was not accepted"])])
        self.run_with("openai", "--overlay", "grid", entries=[
            say(step("ui_click", element_id="1")), say(done="There is none.", expect=["Your reply was not accepted"])])
        self.assertEqual([], self.state()["clicked"])

    def test_what_is_drawn_is_what_was_asked_for(self):
        seen = {overlay: self.look("gemini", overlay) for overlay in ("none", "marks", "grid")}  # Not made smaller.
        self.assertEqual([False, True, False], ['push button "Pears"' in text for _, text in seen.values()])
        x, y, width, height = self.state()["place"]["square"]
        square = [x + width // 4, y + height // 4, width // 2, height // 2]  # Within the painted one.
        images = {overlay: Image(png) for overlay, (png, _) in seen.items()}
        painted = {overlay: image.share(square, lambda *pixel: pixel == MAGENTA) for overlay, image in images.items()}
        self.assertEqual((1, 1), (painted["none"], painted["marks"]))
        self.assertLess(painted["grid"], 1)
        # Each button has its box, around it or within.
        for name in ("Apples", "Pears", "Plums"):
            left, top, width, height = self.state()["place"][name]
            rows = slice(top - 4, top + height + 4)
            part = {overlay: [row[3 * (left - 4):3 * (left + width + 4)] for row in image.rows[rows]]
                    for overlay, image in images.items()}
            self.assertNotEqual(part["none"], part["marks"], name)

    def test_text_alone_names_elements_too(self):
        self.run_with("openai", "--text-only", entries=[
            self.click_number(r'^(e\d+) push button "Pears"', lambda name: step("ui_click", element_id=name)),
            say(done="Chosen.", expect=["You cannot see the screenshot. What shows:"])])
        self.assertEqual([[], []], [images_of(request) for request in self.server.requests()])
        self.assertEqual(["Pears"], self.state()["clicked"])


if __name__ == "__main__":
    x11.main()
