"""Goals executed with the computer tool of a provider. The fake desktop's journal records the effects."""

import re
import unittest

from computer_words import Anthropic, Gemini, OlderGemini, OpenAi, entry_of
from console import DENIED, DONE
from models import ModelTest, images_of, size_of
from models_settings_test import ConfiguredTest

GOAL = "write a greeting"
TEXT = "Grüße"
# Places in the first window of notes, 600x400 at 40,40.
TEXT_FIELD, END_OF_DRAG = (100, 100), (300, 200)


def numbers_in(line):
    return [int(number) for number in re.findall(r"-?\d+", line)]


class Vocabularies(ConfiguredTest):
    """Each action in each version of each provider's tool."""

    def test_all_actions_of_openai_are_executed(self):
        self.check(OpenAi())

    def test_all_actions_of_anthropic_20241022_are_executed(self):
        self.check(Anthropic("computer_20241022", "claude-3-5-sonnet-20241022"))

    def test_all_actions_of_anthropic_20250124_are_executed(self):
        self.check(Anthropic())

    def test_all_actions_of_anthropic_20251124_are_executed(self):
        self.check(Anthropic("computer_20251124", "claude-sonnet-4-6"))

    def test_all_actions_of_anthropic_toolset_are_executed(self):
        self.check(Anthropic("computer_toolset_20260801", "claude-opus-5"))

    def test_all_actions_of_gemini_are_executed(self):
        self.check(Gemini())

    def test_all_actions_of_gemini_2_5_are_executed(self):
        self.check(OlderGemini())

    def entries(self, words):
        def turn(number, *calls, expect=(), expect_not=(), **entry):
            return entry_of(*calls, expect=[f"Turn {number} of 12.", *expect], expect_not=list(expect_not), **entry)

        def click():
            words.sees(size_of(images_of(self.server.requests()[-1])[0]))
            return turn(1, words.click(TEXT_FIELD), thinking="The field comes first.", text="I click the field.",
                        expect=[f"The goal is: {GOAL}"])

        looks = words.zoom((50, 80), (350, 280)) if hasattr(words, "zoom") else words.look()
        return [
            click,
            lambda: turn(2, words.type(TEXT), thinking="Now the text.", expect=["carried out"]),
            lambda: turn(3, words.chord("ctrl", "s")),
            lambda: turn(4, words.scroll_down(TEXT_FIELD, 3)),
            lambda: turn(5, words.drag(TEXT_FIELD, END_OF_DRAG)),
            lambda: turn(6, looks),
            lambda: turn(7, words.unknown(), expect_not=["Nothing of your last reply"]),
            # Only four actions are executed, and the model is told that the rest was not.
            lambda: turn(7, *words.in_one_call(*[words.chord("ctrl", key) for key in "abcdef"]),
                         expect=["Nothing of your last reply was carried out: ", words.told]),
            lambda: turn(8, words.look(), expect=["Of your last reply: "]),
            lambda: {"text": "The greeting is written.", "expect": ["Turn 9 of 12."]},
        ]

    def check(self, words):
        file = self.sandbox.path("greeting.txt")
        self.journal = self.sandbox.path("journal")
        self.journal.touch()
        actuator = self.services.directory / "actuator.toml"
        actuator.write_text(actuator.read_text().replace("[actuator]", f'[actuator]\njournal = "{self.journal}"'))
        self.services.processes["actuator"].terminate()
        self.services.processes["actuator"].wait(10)
        self.services.start("actuator")
        opened = self.plain(f'launch "notes {file}"')
        self.assert_goal_ends(opened, DONE)
        with self.model(words.planner, self.entries(words)) as self.server:
            settings = {"computer_tool": words.tool, "model": words.model}
            self.configure(self.server, **settings)
            run = self.goal()
            self.assert_goal_ends(run, DONE)
        self.assert_as_scripted(self.server)
        self.assertIn("The greeting is written.", run.errors())
        self.assertEqual(TEXT.encode(), file.read_bytes())
        self.check_journal(words, file)
        self.check_tool(words)

    def plain(self, goal):
        return self.sandbox.start("--config", str(self.services.config), "--json", "--unlock-writes", "--planner",
                                  "plain", "--goal", goal, rules=None)

    def check_journal(self, words, file):
        """Checks each effect at its exact pixel; if the model got a smaller image, it may be off by one."""
        click = "click {},{}".format(*TEXT_FIELD)
        expected = [f"launch notes {file}", click]
        if isinstance(words, OlderGemini):
            expected.append(click)  # Its typing begins with a click.
        expected += [f"type {letter}" for letter in TEXT]
        # Before the wheel and a drag, the pointer visits the place where it will be at the end.
        expected += ["chord ctrl+s", f"save {file}", "move {},{}".format(*TEXT_FIELD)]
        expected += ["scroll {},{}".format(*TEXT_FIELD)] * 3
        expected += ["move {},{}".format(*END_OF_DRAG), "drag {},{}".format(*TEXT_FIELD),
                     "drag {},{}".format(*END_OF_DRAG)]
        # A pointer that is there already comes from beside the place, so that the application notices it.
        x, y = END_OF_DRAG
        moves = [f"move {x - 1},{y}", f"move {x},{y}"] if isinstance(words, OlderGemini) else []
        expected += moves + [f"chord ctrl+{key}" for key in "abcd"] + moves
        received = self.journal.read_text().splitlines()
        # A click outside of controls begins with a move of its own.
        received = [line for line, then in zip(received, received[1:] + [""])
                    if not (line.startswith("move ") and then == line.replace("move", "click"))]
        self.assertEqual(len(expected), len(received), received)
        for meant, got in zip(expected, received):
            if meant == got:
                continue
            self.assertEqual(re.sub(r"\d+", "N", meant), re.sub(r"\d+", "N", got))
            self.assertNotEqual(words.image, words.desktop, f"{got} instead of {meant}")
            for wanted, found in zip(numbers_in(meant), numbers_in(got)):
                self.assertLessEqual(abs(wanted - found), 1, f"{got} instead of {meant}")

    def check_tool(self, words):
        for request in self.server.requests():
            (tool,) = request["body"]["tools"]
            beta = {name.lower(): value for name, value in request["headers"].items()}.get("anthropic-beta")
            if isinstance(words, OpenAi):
                self.assertEqual({"type": "computer"}, tool)
                self.assertFalse(request["body"]["store"])
            elif isinstance(words, Gemini):
                environment = "BROWSER" if isinstance(words, OlderGemini) else "DESKTOP"
                self.assertEqual(f"ENVIRONMENT_{environment}", tool["computerUse"]["environment"])
            else:
                version = words.tool or "computer_20250124"
                self.assertEqual(version, tool["type"])
                dated = re.fullmatch(r"computer_(\d{4})(\d\d)(\d\d)", version)
                self.assertEqual("computer-use-{}-{}-{}".format(*dated.groups()) if dated else None, beta)


class SafetyChecks(ModelTest):
    """An action with a safety check of the provider needs an approval, and only then is the check acknowledged."""

    PLACE = (100, 200)

    def start(self, words, entries, *flags):
        self.journal = self.sandbox.path("journal")
        self.journal.write_text("")
        self.server = self.model(words.planner, entries)
        self.server.__enter__()
        self.addCleanup(self.server.__exit__)
        return self.server.goal(GOAL, "--unlock-writes", "--journal", str(self.journal), *flags)

    def for_each(self, check):
        for words in (OpenAi(), Gemini()):
            words.sees((1228, 768) if isinstance(words, OpenAi) else (1280, 800))
            with self.subTest(planner=words.planner):
                check(words)

    def end(self, run, exit_code):
        self.assert_ends(run, exit_code)
        self.assert_as_scripted(self.server)

    def say(self, *command):
        said = self.sandbox.run(*command)
        self.assertEqual(DONE, said.process.returncode, said.said())
        return said.text()

    def question(self, run, number=1):
        found = run.wait_for(lambda: run.facts("policy.request")[number - 1:])
        return found[0]["approval_id"]

    def results(self):
        """Returns the results of the previous calls in the last request, in the provider's format."""
        body = self.server.requests()[-1]["body"]
        if "input" in body:
            return [item for item in body["input"] if item.get("type") == "computer_call_output"]
        return [part["functionResponse"] for part in body["contents"][-1]["parts"] if "functionResponse" in part]

    def acknowledged(self):
        """Returns how many safety checks the last request acknowledges."""
        return sum(len(result.get("acknowledged_safety_checks", ())) + ("safety_acknowledgement" in result.get(
            "response", ())) for result in self.results())

    def received(self):
        return [line.split()[0] for line in self.journal.read_text().splitlines()]

    def test_an_unapproved_action_is_not_executed_and_the_task_ends_denied(self):
        def check(words):
            run = self.start(words, [entry_of(words.doubted(words.move(self.PLACE)))], "--approval-expiry", "1s")
            self.end(run, DENIED)
            self.assertEqual([], self.received() + run.facts("actuator.outcome"))
            (asked,) = run.facts("policy.request")
            self.assertIn("The screen gives orders.", asked["reason"])

        self.for_each(check)

    def test_an_approved_action_is_executed_and_its_check_acknowledged(self):
        def check(words):
            run = self.start(words, [entry_of(words.doubted(words.move(self.PLACE))),
                                     {"text": "Pointed.", "expect": ["carried out"]}])
            question = self.question(run)
            self.assertIn("The screen gives orders.", self.say("pending"))
            self.assertEqual([], self.received())
            self.say("approve", question)
            self.end(run, DONE)
            self.assertEqual((["move"], 1), (self.received(), self.acknowledged()))

        self.for_each(check)

    def test_the_check_of_a_skipped_action_is_not_acknowledged(self):
        def check(words):
            run = self.start(words, [entry_of(words.doubted(words.move(self.PLACE))),
                                     {"text": "Not pointed.", "expect": ["a person left it out"]}])
            self.say("deny", self.question(run), "--skip")
            self.end(run, DONE)
            self.assertEqual(([], 0), (self.received(), self.acknowledged()))

        self.for_each(check)

    def test_each_action_of_a_call_with_a_safety_check_needs_an_approval(self):
        words = OpenAi()
        words.sees((1228, 768))
        for answers, effects, acknowledged in (
                ((["approve"], ["approve"]), ["move", "move"], 1), ((["approve"], ["deny", "--skip"]), ["move"], 0)):
            (call,) = words.in_one_call(words.move(self.PLACE), words.move(END_OF_DRAG))
            with self.subTest(answers):
                run = self.start(words, [entry_of(words.doubted(call)), {"text": "Done."}])
                for number, (verb, *flags) in enumerate(answers, 1):
                    self.say(verb, self.question(run, number), *flags)
                self.end(run, DONE)
                self.assertEqual((effects, acknowledged), (self.received(), self.acknowledged()))

    def test_an_invalid_call_with_a_safety_check_is_neither_asked_about_nor_acknowledged(self):
        def check(words):
            run = self.start(words, [entry_of(words.doubted(words.unknown())), {"text": "I cannot do it."}])
            self.end(run, DONE)
            self.assertEqual(([], 0), (self.received() + run.facts("policy.request"), self.acknowledged()))

        self.for_each(check)

    def test_a_safety_check_needs_a_person_despite_an_open_write_lock_and_an_allow_rule(self):
        words = OpenAi()
        words.sees((1228, 768))
        run = self.start(words, [entry_of(words.doubted(words.look())), {"text": "Looked."}])
        self.say("approve", self.question(run))
        self.end(run, DONE)
        self.assertEqual({"concern"}, {fact["rule"] for fact in run.facts("policy.verdict")})
        self.assertEqual(1, self.acknowledged())


if __name__ == "__main__":
    unittest.main()
