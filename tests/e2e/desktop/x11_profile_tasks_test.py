"""Profiles that give tasks to a model, on a real desktop: a zenity dialog prints what was entered."""

import json
import subprocess

import x11
from console import DONE, FAILED, RULES, wait_until
from models import KEY, ModelTest, image_of, images_of, say, size_of, step, suggest

TYPE = suggest("TYPE_IN_DESCRIBED_FIELD", target_description="Number", text_to_type="4711")
CLICK_OK = suggest("CLICK_DESCRIBED_ELEMENT", target_description="OK")
NOT_SEEN = {"text": json.dumps({"element_label": "it", "box": [], "found": False})}
BOOKING = {"name": "booking", "window": "^Booking$", "x": 0, "y": 0, "width": 0, "height": 0}
SCREEN = (1920, 1080)


def task(**more):
    return {"type": "gemini_perform_task", "goal_prompt": "Enter the number 4711 and confirm it.", **more}


def command(**more):
    return {"type": "gemini_perform_task", "natural_language_command": "Enter the number 4711 and confirm it.", **more}


class ProfileTasks(x11.DesktopTest, ModelTest):
    def dialog(self, title="Booking"):
        process = subprocess.Popen(["zenity", "--forms", "--text=Book it", "--add-entry=Number", f"--title={title}"],
                                   env=self.sandbox.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        x11.wait_for_title(title)
        return process

    def said_by(self, process, run):
        wait_until(lambda: process.poll() is not None, lambda: f"the dialog is answered; {run.said()}")
        return process.returncode, process.stdout.read().decode()

    def start(self, entries, action, *flags, rules=(), unlocked=True, **rule):
        profile = self.sandbox.path("book.json")
        profile.write_text(json.dumps({
            "settings": {"monitoring_interval_seconds": 0.2}, "regions": [BOOKING],
            "rules": [{"name": "book", "region": "booking", "action": action,
                       "condition": {"type": "ocr_contains_text", "text_to_find": "Number"}, **rule}, *rules]}))
        server = self.model("gemini", entries)
        server.__enter__()
        self.addCleanup(server.__exit__)
        self.server = server
        self.sandbox.environment[server.provider.key_variable] = KEY
        return self.sandbox.start("run", str(profile), "--desktop", "x11", "--rules", str(RULES), "--json",
                                  *(["--unlock-writes"] if unlocked else []), "--base-url", server.base_url, *flags)

    def events(self, run, kind):
        return [fact for fact in run.facts("planner.rule") if fact["kind"] == kind]

    def texts(self, run, kind):
        return "\n".join(fact["text"] for fact in self.events(run, kind))

    def answer(self, run, number, *said):
        """Answers the request for an approval of this number, from 1."""
        asked = run.wait_for(lambda: run.facts("policy.request")[number - 1:])[0]
        answered = self.sandbox.run(said[0], asked["approval_id"], *said[1:])
        self.assertEqual(DONE, answered.process.returncode, answered.said())
        return asked

    def done(self, run):
        return [outcome["tool"] for outcome in run.facts("actuator.outcome")]

    def test_a_goal_is_reached_in_two_steps_that_a_person_confirms(self):
        dialog = self.dialog()
        run = self.start([TYPE, CLICK_OK], task(), stop=True)
        asked = self.answer(run, 1, "approve")
        self.assertIn("the rule wants each step of its model to be confirmed", asked["reason"])
        self.assertIn('rule "book", step 1 of at most 5: ', asked["step"]["justification"])
        self.answer(run, 2, "approve")
        self.assertEqual((0, "4711\n"), self.said_by(dialog, run))
        self.assert_ends(run, DONE)
        self.assertEqual(["write", "ui_click"], self.done(run))
        self.assertIn('ended by rule "book"', run.errors())
        self.assertIn("(models: 2 calls", run.errors())
        self.assertEqual([0, 1, 2, 3], [fact.get("model_step", 0) for fact in self.events(run, "KIND_TASK")])
        self.assert_as_scripted(self.server)
        for request in self.server.requests():
            (picture,) = images_of(request)
            self.assertNotEqual(SCREEN, size_of(picture))  # The dialog, not the desktop.

    def test_a_refused_confirmation_fails_the_rule_and_the_next_one_acts(self):
        dialog = self.dialog()
        after = {"name": "give up", "region": "booking", "condition": {"type": "always_true"}, "stop": True,
                 "action": {"type": "log_message", "message": "not booked"}}
        run = self.start([CLICK_OK], task(), rules=[after])
        self.answer(run, 1, "deny")
        self.assert_ends(run, DONE)
        self.assertEqual([], self.done(run))
        self.assertIsNone(dialog.poll())
        self.assertIn("denied", self.texts(run, "KIND_FAILED"))
        self.assertEqual("not booked", self.texts(run, "KIND_LOG"))
        self.assert_as_scripted(self.server)

    def test_an_action_that_is_not_allowed_is_refused(self):
        dialog = self.dialog()
        press = suggest("PRESS_KEY_SIMPLE", key_name="enter")
        run = self.start([press] * 3, task(allowed_actions_override="CLICK_DESCRIBED_ELEMENT"), "--once")
        self.assert_ends(run, FAILED)
        self.assertIn("PRESS_KEY_SIMPLE", self.texts(run, "KIND_FAILED"))
        self.assertIn("which this task does not allow", self.texts(run, "KIND_FAILED"))
        self.assertEqual(([], None), (self.done(run) + run.facts("policy.request"), dialog.poll()))
        self.assert_as_scripted(self.server)

    def test_a_target_outside_of_the_regions_is_refused_and_its_twin_inside_is_meant(self):
        other = self.dialog("Other")
        x11.ask("wmctrl", "-r", "Other", "-e", "0,20,20,-1,-1")  # Both open in the middle of the screen.
        dialog = self.dialog()
        terminal = self.open("xterm", "-T", "Elsewhere", "-geometry", "20x5-0-0", "-e", "sleep", "300",
                             title="Elsewhere")
        outside = suggest("CLICK_DESCRIBED_ELEMENT", target_description="Elsewhere")
        run = self.start([outside, NOT_SEEN, CLICK_OK], task(require_confirmation_before_each_step=False), stop=True)
        self.assertEqual((0, "\n"), self.said_by(dialog, run))
        self.assert_ends(run, DONE)
        self.assertEqual((None, None), (other.poll(), terminal.poll()))
        self.assert_as_scripted(self.server)

    def test_max_steps_fails_the_rule(self):
        dialog = self.dialog()
        run = self.start([TYPE, TYPE], task(max_steps=1, require_confirmation_before_each_step=False), "--once")
        self.assert_ends(run, FAILED)
        self.assertEqual(["write"], self.done(run))
        self.assertIn("not reached within max_steps 1", self.texts(run, "KIND_FAILED"))
        self.assertIsNone(dialog.poll())
        self.assert_as_scripted(self.server)

    def test_a_command_is_carried_out_by_the_full_planner(self):
        dialog = self.dialog()
        entries = [say(step("write", text="4711"), step("click_described_element", target_description="OK"),
                       expect=["Turn 1 of"]),
                   say(done="It is booked.", expect=["carried out"])]
        run = self.start(entries, command(require_confirmation_before_each_step=False), stop=True)
        self.assertEqual((0, "4711\n"), self.said_by(dialog, run))
        self.assert_ends(run, DONE)
        self.assertEqual(["write", "ui_click"], self.done(run))
        self.assertIn("It is booked.", self.texts(run, "KIND_TASK"))
        self.assert_as_scripted(self.server)
        self.assertEqual(SCREEN, size_of(image_of(self.server.requests()[0])))

    def test_a_command_keeps_to_its_regions(self):
        dialog = self.dialog()
        entries = [say(step("mouse", x=2, y=2)), say(step("launch", command="xterm")), say(done="It cannot be done.")]
        run = self.start(entries, command(context_region_names="booking", require_confirmation_before_each_step=False),
                         stop=True)
        self.assert_ends(run, DONE)
        self.assertEqual([], self.done(run))
        told = self.texts(run, "KIND_TASK")
        self.assertIn('outside of the context regions "booking"', told)
        self.assertIn("what launch acts on is outside", told)
        self.assertIsNone(dialog.poll())
        self.assert_as_scripted(self.server)

    def test_hostile_answers_fail_their_rule_and_do_not_end_the_loop(self):
        dialog = self.dialog()
        hostile = [{"text": "[" * 20_000}, {"text": "rm -rf /"}, suggest("RUN_SHELL", command="xterm")]
        after = {"name": "go on", "region": "booking", "condition": {"type": "always_true"}, "stop": True,
                 "action": {"type": "log_message", "message": "the loop goes on"}}
        run = self.start(hostile, task(), rules=[after])
        self.assert_ends(run, DONE)
        self.assertIn("could not be used", self.texts(run, "KIND_FAILED"))
        self.assertEqual("the loop goes on", self.texts(run, "KIND_LOG"))
        self.assertEqual(([], None), (self.done(run), dialog.poll()))
        self.assert_as_scripted(self.server)

    def test_a_halt_ends_the_run_while_a_step_waits_for_its_confirmation(self):
        dialog = self.dialog()
        run = self.start([CLICK_OK], task())
        run.pending_id()
        halted = self.sandbox.run("halt")
        self.assertEqual(DONE, halted.process.returncode, halted.said())
        self.assertNotEqual(DONE, run.wait(), run.said())
        self.assertEqual(([], None), (self.done(run), dialog.poll()))
        self.assertEqual("TASK_END_HALTED", run.facts("planner.end")[0]["result"]["end"])

    def test_a_dry_run_says_what_it_would_ask_and_asks_nothing(self):
        dialog = self.dialog()
        run = self.start([], task(), "--dry-run")
        self.assert_ends(run, DONE)
        self.assertIn('would ask a model for "Enter the number 4711 and confirm it.", at most 5 steps, each confirmed',
                      self.texts(run, "KIND_TASK"))
        self.assertEqual(([], None), (run.facts("policy.verdict"), dialog.poll()))
        self.assert_as_scripted(self.server)


if __name__ == "__main__":
    x11.main()
