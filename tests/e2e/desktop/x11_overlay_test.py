"""The overlays on a model's screenshots (marks and grid), and clicks by the number of a mark, on a GTK window."""

import json
import re

import x11
from console import DONE, PROGRAMS
from models import ModelTest, image_of, images_of, say, step
from secrets_test import PYTHON, Image

TARGETS = str(PROGRAMS / "gtk_targets.py")
MAGENTA = (255, 0, 255)


class TargetsTest(x11.DesktopTest, ModelTest):
    """Each test starts with the window of gtk_targets.py open."""

    SCALE = "1"

    def setUp(self):
        super().setUp()
        self.sandbox.environment["GDK_SCALE"] = self.SCALE
        self.state_file = self.sandbox.path("targets.json")
        self.open(PYTHON, TARGETS, str(self.state_file), title="Targets")
        x11.wait_until(self.settled, "the targets have their final places")

    def state(self):
        return json.loads(self.state_file.read_text())

    def settled(self):
        """Returns whether all targets are inside the window's geometry."""
        if not self.state_file.exists():
            return False
        left, top, width, height = (int(number) for number in re.findall(r"=(-?\d+)$", x11.ask(
            "xdotool", "getwindowgeometry", "--shell", x11.window_of("^Targets$")), re.MULTILINE)[1:5])
        return all(left <= x and top <= y and x + w <= left + width and y + h <= top + height and w > 1
                   for x, y, w, h in self.state()["place"].values())

    def text_of(self, model):
        """Returns the text of the newest request."""
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
        """Runs a task without steps and returns the image and the text of its request."""
        self.run_with(planner, "--overlay", overlay, entries=[say(done="Seen.")])
        return image_of(self.server.requests()[0]), self.text_of(self.server)

    def click_number(self, pattern, click):
        """Returns an entry that clicks the element whose line in the newest request matches the pattern."""
        def entry():
            (name,) = re.findall(pattern, self.text_of(self.server), re.MULTILINE)
            return say(click(name))
        return entry

    def test_a_number_clicks_the_element_with_this_mark(self):
        cases = [(planner, "marks") for planner in ("openai-responses", "anthropic", "gemini")] + [("openai", "both")]
        for count, (planner, overlay) in enumerate(cases, 1):
            with self.subTest(planner=planner, overlay=overlay):
                self.run_with(planner, "--overlay", overlay, entries=[
                    self.click_number(r'^(\d+) push button "Pears"$', lambda number: step(
                        "ui_click", element_id=number)),
                    say(done="Chosen.", expect=["carried out"])])
                self.assertEqual(["Pears"] * count, self.state()["clicked"])

    def test_an_unknown_number_is_reported_to_the_model(self):
        self.run_with("openai", "--overlay", "marks", entries=[
            say(step("ui_click", element_id="98")), say(done="There is none.", expect=["Your reply was not accepted"])])
        self.run_with("openai", "--overlay", "grid", entries=[
            say(step("ui_click", element_id="1")), say(done="There is none.", expect=["Your reply was not accepted"])])
        self.assertEqual([], self.state()["clicked"])

    def test_the_image_has_the_requested_overlay(self):
        seen = {overlay: self.look("gemini", overlay) for overlay in ("none", "marks", "grid")}  # Gemini: full size.
        self.assertEqual([False, True, False], ['push button "Pears"' in text for _, text in seen.values()])
        x, y, width, height = self.state()["place"]["square"]
        square = [x + width // 4, y + height // 4, width // 2, height // 2]  # The middle of the painted square.
        images = {overlay: Image(png) for overlay, (png, _) in seen.items()}
        self.assert_buttons_are_marked(images)
        painted = {overlay: image.share(square, lambda *pixel: pixel == MAGENTA) for overlay, image in images.items()}
        self.assertEqual((1, 1), (painted["none"], painted["marks"]))
        self.assertLess(painted["grid"], 1)

    def assert_buttons_are_marked(self, images):
        """Each button has a box, around it or inside."""
        for name in ("Apples", "Pears", "Plums"):
            left, top, width, height = self.state()["place"][name]
            rows = slice(top - 4, top + height + 4)
            part = {overlay: [row[3 * (left - 4):3 * (left + width + 4)] for row in image.rows[rows]]
                    for overlay, image in images.items()}
            self.assertNotEqual(part["none"], part["marks"], name)

    def test_text_only_requests_name_elements(self):
        self.run_with("openai", "--text-only", entries=[
            self.click_number(r'^(e\d+) push button "Pears"', lambda name: step("ui_click", element_id=name)),
            say(done="Chosen.", expect=["You cannot see the screenshot. What shows:"])])
        self.assertEqual([[], []], [images_of(request) for request in self.server.requests()])
        self.assertEqual(["Pears"], self.state()["clicked"])


class ScaledOverlays(Overlays):
    """The window's lower part is outside of the screen, its buttons are not."""

    SCALE = "2"

    def settled(self):
        return self.state_file.exists()

    def test_the_image_has_the_requested_overlay(self):
        self.assert_buttons_are_marked({overlay: Image(self.look("gemini", overlay)[0]) for overlay in ("none", "marks")})


if __name__ == "__main__":
    x11.main()
