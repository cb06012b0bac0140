"""Single suggestions (--suggest), as in Mark-I, on the fake desktop with one window of notes."""

import json
import unittest

from console import DENIED, DONE, FAILED
from models import images_of, size_of, suggest
from models_settings_test import ConfiguredTest

GOAL = "save the note"
# Regions of the first window of notes, 600x400 at 40,40: its field and its buttons.
REGIONS = {"the text": (50, 80, 580, 260), "the buttons": (50, 390, 340, 30)}
FLAGS = [flag for name, area in REGIONS.items() for flag in ("--region", f"{name}={','.join(map(str, area))}")]
REPAIR = "Your reply was not accepted"


CLICK_SAVE = suggest("CLICK_DESCRIBED_ELEMENT", target_description="Save")
TYPE = suggest("TYPE_IN_DESCRIBED_FIELD", target_description="Text", text_to_type="hello")
NONE = suggest("NONE", "The note is saved already.")


class Suggestions(ConfiguredTest):
    def start(self, planner, entries, *flags):
        self.note = self.sandbox.path("note.txt")
        opened = self.ask("--planner", "plain", "--goal", f'launch "notes {self.note}"')
        self.assertEqual(DONE, opened.wait(), opened.said())
        server = self.model(planner, entries)
        server.__enter__()
        self.addCleanup(server.__exit__)
        self.configure(server)
        self.server = server
        return self.ask(*flags, "--goal", GOAL)

    def ask(self, *arguments):
        return self.sandbox.start("--config", str(self.services.config), "--json", "--unlock-writes", *arguments,
                                  rules=None)

    def end(self, run, exit_code):
        self.assert_goal_ends(run, exit_code)
        self.assert_as_scripted(self.server)

    def answer(self, run, number, *command):
        found = run.wait_for(lambda: run.facts("policy.request")[number - 1:])[0]
        said = self.sandbox.run("--config", str(self.services.config), command[0], found["approval_id"], *command[1:])
        self.assertEqual(DONE, said.process.returncode, said.said())
        return found

    def done(self, run):
        return [outcome["tool"] for outcome in run.facts("actuator.outcome")]

    def test_each_region_is_sent_as_an_image_and_each_step_needs_an_approval(self):
        run = self.start("openai", [TYPE, CLICK_SAVE, NONE], "--suggest", "3", *FLAGS)
        for number in (1, 2):
            asked = self.answer(run, number, "approve")
            self.assertIn("each step of this task must be confirmed", asked["reason"])
        self.end(run, DONE)
        self.assertIn("The note is saved already.", run.errors())
        self.assertEqual("hello", self.note.read_text())
        self.assertEqual(["write", "ui_click"], self.done(run))  # The field had the focus, so there is no click before.
        for request in self.server.requests():
            for (_, _, width, height), image in zip(REGIONS.values(), images_of(request), strict=True):
                shown = size_of(image)  # Small parts are enlarged.
                self.assertEqual((width * shown[1], True), (height * shown[0], shown[0] >= width))
        told = self.server.requests()[0]["body"]["messages"][-1]["content"][0]["text"]
        for number, name in enumerate(REGIONS, 1):
            self.assertIn(f'Picture {number}: "{name}"', told)

    def test_a_denied_suggestion_is_not_executed(self):
        run = self.start("anthropic", [CLICK_SAVE], "--suggest", "3")
        self.answer(run, 1, "deny")
        self.end(run, DENIED)
        self.assertEqual([], self.done(run))
        self.assertFalse(self.note.exists())

    def test_only_allowed_actions_are_accepted(self):
        press = suggest("PRESS_KEY_SIMPLE", key_name="enter")
        again = suggest("CLICK_DESCRIBED_ELEMENT", target_description="Save",
                        expect=[REPAIR, "PRESS_KEY_SIMPLE", "does not allow"])
        run = self.start("gemini", [press, again], "--suggest", "1", "--unconfirmed", "--actions",
                         "CLICK_DESCRIBED_ELEMENT,WAIT_SHORT")
        self.end(run, DONE)
        self.assertEqual(["ui_click"], self.done(run))
        self.assertEqual([], run.facts("policy.request"))
        self.assertEqual("", self.note.read_text())
        self.assertNotIn("PRESS_KEY_SIMPLE", json.dumps(self.server.requests()[0]["body"]))

    def test_the_suggestion_none_ends_the_task_without_a_step(self):
        run = self.start("openai-responses", [NONE], "--suggest", "3")
        self.end(run, DONE)
        self.assertIn("The note is saved already.", run.errors())
        self.assertEqual([], self.done(run) + run.facts("policy.request"))

    def test_the_model_is_not_called_after_the_requested_number_of_steps(self):
        wait = suggest("WAIT_SHORT", duration_seconds=0.1)
        run = self.start("openai", [wait, wait], "--suggest", "2", "--unconfirmed")
        self.end(run, DONE)
        self.assertEqual(2, run.facts("planner.end")[0]["result"]["steps"])
        self.assertIn("2 steps were taken", run.errors())

    def test_three_invalid_suggestions_fail_the_task(self):
        plan = {"text": json.dumps({"steps": [], "done": "x"})}
        run = self.start("anthropic", [plan, {"text": "CLICK_DESCRIBED_ELEMENT"}, plan], "--suggest", "3")
        self.end(run, FAILED)
        self.assertEqual([], self.done(run) + run.facts("policy.request"))


if __name__ == "__main__":
    unittest.main()
