"""Profiles that ask a model about a region, on a real desktop: xev tells where it was clicked."""

import json

import x11
from console import DONE, FAILED, RULES
from models import KEY, ModelTest, image_of, size_of

BOARD = {"name": "board", "x": 250, "y": 200, "width": 300, "height": 200}  # Inside of xev's window.
TARGET = (BOARD["x"] + 120, BOARD["y"] + 90)
CORNER = {"name": "corner", "x": 900, "y": 600, "width": 60, "height": 40}  # Of the desktop, without a window.
FOUND = {"text": json.dumps({"element_label": "target", "box": [100, 80, 40, 20], "found": True})}
MODELS = {"gemini": "gemini-2.0-flash", "openai": "openai/gpt-4.1", "openai-responses": "openai-responses/gpt-4.1",
          "anthropic": "claude-sonnet-4-5"}


def question(prompt, model, **more):
    return {"type": "gemini_vision_query", "prompt": prompt, "model_name": model, **more}


def find_and_click(model, **more):
    return {"name": "Click the target", "region": "board",
            "condition": question("Where is the target? Answer with JSON.", model, capture_as="target",
                                  expected_response_json_path="box"),
            "action": {"type": "click", "target_relation": "center_of_gemini_element",
                       "gemini_element_variable": "target"}, **more}


def read_and_log(model, **more):
    return {"name": "Read", "region": "board",
            "condition": question("What colour is it?", model, expected_response_contains="white, grey",
                                  capture_as="colour"),
            "action": {"type": "log_message", "message": "the board is {colour}"}, **more}


def element_only(model, **more):
    """Captures the whole answer without a check, so that the click uses whatever the model said."""
    rule = find_and_click(model, **more)
    del rule["condition"]["expected_response_json_path"]
    return rule


class Vision(x11.DesktopTest, ModelTest):
    def setUp(self):
        super().setUp()
        # xev has no accessibility, so the shipped rules would ask about each click.
        self.rules = self.sandbox.path("rules.toml")
        self.rules.write_text(RULES.read_text().replace(
            'name = "pointer-without-element"', 'name = "pointer-without-element"\nexcept.window = "^Event Tester$"'))
        self.board = self.xev()

    def start(self, provider, entries, rules, *flags, key=True, **settings):
        profile = self.sandbox.path("board.json")
        profile.write_text(json.dumps({"settings": {"monitoring_interval_seconds": 0.2, **settings},
                                       "regions": [BOARD, CORNER], "rules": rules}))
        server = self.model(provider, entries)
        server.__enter__()
        self.addCleanup(server.__exit__)
        self.server = server
        if key:
            self.sandbox.environment[server.provider.key_variable] = KEY
        return self.sandbox.start("run", str(profile), "--desktop", "x11", "--rules", str(self.rules), "--json",
                                  "--unlock-writes", "--base-url", server.base_url, *flags)

    def events(self, run, kind):
        return [fact["text"] for fact in run.facts("planner.rule") if fact["kind"] == kind]

    def click_and_read(self, provider):
        model = MODELS[provider]
        entries = [dict(FOUND, expect=["Where is the target?"]), {"text": "It is White.", "expect": ["What colour"]}]
        run = self.start(provider, entries, [find_and_click(model, once=True), read_and_log(model)], "--for", "6s")
        self.assert_ends(run, DONE, seconds=60)
        self.assertEqual([(1, *TARGET)], self.board.buttons())
        # The board does not change, so both questions are asked once, whatever the number of cycles.
        self.assertGreater(len(self.events(run, "KIND_LOG")), 2)
        self.assertEqual("the board is It is White.", self.events(run, "KIND_LOG")[0])
        self.assert_as_scripted(self.server)
        for request in self.server.requests():
            self.assertEqual((300, 200), size_of(image_of(request)))
        calls = self.calls(run)
        self.assertEqual(2, len(calls))
        self.assertTrue(all(call["model"] == model.split("/")[-1] for call in calls))
        self.assertIn("(models: 2 calls", run.errors())
        # The recording has the model's answers, so that each decision can be made again.
        profile = str(self.sandbox.path("board.json"))
        explained = self.sandbox.run("profile", "explain", profile, "--recording", "last", "--json")
        self.assertEqual(DONE, explained.process.returncode, explained.said())
        totals = json.loads(explained.stdout[-1])
        self.assertEqual((0, 0), (totals["differences"], totals["not_known"]), explained.said())
        self.assertGreater(totals["fires"], 2)

    def test_gemini_finds_what_is_clicked_and_answers_once_for_the_same_picture(self):
        self.click_and_read("gemini")

    def test_openai_finds_what_is_clicked_and_answers_once_for_the_same_picture(self):
        self.click_and_read("openai")

    def test_anthropic_finds_what_is_clicked_and_answers_once_for_the_same_picture(self):
        self.click_and_read("anthropic")

    def test_openai_responses_finds_what_is_clicked_and_answers_once_for_the_same_picture(self):
        self.click_and_read("openai-responses")

    def test_the_question_is_asked_again_about_a_region_that_has_changed(self):
        def paint(colour):
            x11.ask("xsetroot", "-solid", colour)
        paint("black")
        rule = read_and_log(MODELS["gemini"], stop=True)
        rule["region"] = "corner"
        run = self.start("gemini", [{"text": "It is black."}, {"text": "It is grey."}], [rule], "--for", "60s")
        run.wait_for(lambda: self.calls(run))
        paint("grey")
        self.assert_ends(run, DONE, seconds=60)
        self.assert_as_scripted(self.server)
        first, second = (image_of(request) for request in self.server.requests())
        self.assertNotEqual(first, second)
        self.assertEqual((60, 40), size_of(second))

    def test_the_model_of_the_run_replaces_that_of_the_profile(self):
        run = self.start("openai", [FOUND], [find_and_click("gemini-1.5-flash-latest", stop=True)],
                         "--planner", "openai", "--model", "gpt-5-mini")
        self.assert_ends(run, DONE)
        self.assertEqual([(1, *TARGET)], self.board.buttons())
        self.assertEqual("gpt-5-mini", self.server.requests()[0]["body"]["model"])
        self.assert_as_scripted(self.server)

    def test_a_missing_key_ends_the_run_before_it_begins(self):
        run = self.start("gemini", [], [find_and_click(MODELS["gemini"])], key=False)
        self.assert_ends(run, FAILED)
        self.assertIn('rule "Click the target" asks the model "gemini-2.0-flash": gemini needs a key: set '
                      "GEMINI_API_KEY", run.errors())
        self.assertEqual([], run.facts("planner.state"))

    def test_a_used_up_budget_ends_the_run(self):
        model = MODELS["openai"]
        run = self.start("openai", [{"text": "It is white."}], [read_and_log(model), find_and_click(model)],
                         "--max-calls", "1")
        self.assert_ends(run, FAILED)
        self.assertIn("the task has used up its model budget: 1 of 1 calls", run.errors())
        self.assertEqual([], self.board.buttons())
        self.assert_as_scripted(self.server)

    def test_a_dry_run_asks_the_model_and_clicks_nothing(self):
        run = self.start("gemini", [FOUND], [find_and_click(MODELS["gemini"])], "--dry-run")
        self.assert_ends(run, DONE)
        self.assertIn("1 step", run.errors())
        self.assertIn("gemini_vision_query", "".join(self.events(run, "KIND_FIRES")))
        self.assertEqual([], self.board.buttons())
        self.assert_as_scripted(self.server)

    def test_hostile_answers_click_nothing_and_do_not_end_the_loop(self):
        answers = ["not JSON", '{"box": [NaN, 1, 2, 3]}', '{"box": [-90, -80, 40, 20]}', '{"box": [1, 1, 1e308, 1e308]}',
                   '{"box": {"box": [1, 1, 5, 5]}}', '{"box": ["1", null, true, []]}', "[" * 20_000 + "]" * 20_000,
                   "x" * 70_000]
        rules = [element_only(MODELS["gemini"]) for _ in answers]
        for number, rule in enumerate(rules):
            rule["condition"]["prompt"] += f" ({number})"
            rule["name"] += f" {number}"
        run = self.start("gemini", [{"text": answer} for answer in answers], rules, "--once",
                         max_failures_in_a_row=0)
        self.assert_ends(run, FAILED)
        self.assertEqual(len(answers), len(self.events(run, "KIND_FAILED")))
        self.assertEqual([], self.board.buttons())
        self.assert_as_scripted(self.server)

    def test_a_model_that_fails_again_and_again_ends_the_run_with_its_reason(self):
        refuses = {"status": 403, "error": "this key may not look"}
        run = self.start("openai", [refuses] * 3, [read_and_log(MODELS["openai"])])
        self.assert_ends(run, FAILED)
        self.assertIn("this key may not look", run.errors())
        self.assertIn("failed 3 times in a row", run.errors())
        self.assert_as_scripted(self.server)


if __name__ == "__main__":
    x11.main()
