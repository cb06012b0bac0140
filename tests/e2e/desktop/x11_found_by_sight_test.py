"""A painted square without accessibility and text is located by the model in the image."""

import json

import x11
from console import DONE
from models import image_of, say, size_of, step, suggest
from x11_overlay_test import TargetsTest

SCREEN = (1920, 1080)
SQUARE = "the magenta square"
CLICK = say(step("click_described_element", target_description=SQUARE))


def box(*edges, found=True):
    return {"text": json.dumps({"element_label": SQUARE, "box": list(edges), "found": found}),
            "expect": [f'Where is this element? "{SQUARE}"']}


class FoundBySight(TargetsTest):
    def see(self):
        """Returns the reply of a model that sees the square in the image of the newest request."""
        size = size_of(image_of(self.server.requests()[-1]))
        return box(*(at * size[axis % 2] // SCREEN[axis % 2]
                     for axis, at in enumerate(self.state()["place"]["square"])))

    def run_with(self, planner, entries, *flags, approvals=0):
        with self.model(planner, entries) as self.server:
            run = self.server.goal("choose the square", "--unlock-writes", *flags, desktop="x11")
            for number in range(approvals):
                asked = run.wait_for(lambda: run.facts("policy.request")[number:])[0]["approval_id"]
                self.assertEqual(DONE, self.sandbox.run("approve", asked).process.returncode)
            self.assert_ends(run, DONE)
        self.assert_as_scripted(self.server)
        return run

    def test_a_square_is_clicked_where_the_model_sees_it(self):
        outside = {"anthropic": [box(0, 0, 5000, 10)]}  # An invalid box, which the model may correct once.
        for count, planner in enumerate(("openai", "anthropic", "gemini"), 1):
            with self.subTest(planner=planner):
                self.run_with(planner, [CLICK, *outside.get(planner, []), self.see,
                                        say(done="Chosen.", expect=["carried out"])])
                self.assertEqual(["square"] * count, self.state()["clicked"])

    def test_a_square_that_the_model_does_not_see_is_not_clicked(self):
        self.run_with("openai-responses", [
            CLICK, box(found=False), {**CLICK, "expect": ["sees no such element"]}, {"text": "at 10, 10"}, {"text": "[10, 10]"},
            say(done="There is none.", expect=["could not be used"])])
        self.assertEqual([], self.state()["clicked"])

    def test_a_suggestion_can_click_a_square_that_the_model_sees(self):
        x, y, width, height = self.state()["place"]["square"]
        run = self.run_with(
            "anthropic", [suggest("CLICK_DESCRIBED_ELEMENT", target_description=SQUARE), self.see], "--suggest", "1",
            "--region", f"the square={x},{y},{width},{height}", approvals=1)
        self.assertEqual(["square"], self.state()["clicked"])
        self.assertIn("1 step was taken", run.errors())


if __name__ == "__main__":
    x11.main()
