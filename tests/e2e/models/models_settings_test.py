"""The choice of the model by flags, environment and configuration; budgets; saved calls. On the fake desktop."""

import json
import re
import stat
import subprocess
import unittest

from console import BAD_USAGE, BIN, DONE, FAILED
from models import KEY, LOCAL, PROVIDERS, ModelTest, say, step
from services import Services

GOAL = "write a greeting"
LOOK = step("list_windows")


class Choice(ModelTest):
    def start(self, *flags, goal=GOAL, **environment):
        self.sandbox.environment.update(environment)
        return self.sandbox.goal(goal, *flags)

    def test_the_key_in_the_environment_selects_the_planner(self):
        # openai-responses has the key variable of openai, which comes first.
        for known in self.some([known for known in PROVIDERS if known.name != "openai-responses"]):
            with self.subTest(planner=known.name):
                self.forget_keys()
                with self.model(known.name, [say(done="Seen.")]) as model:
                    run = self.start("--base-url", model.base_url, **{known.key_variable: KEY})
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                self.assertIn(f"planner: {known.name}, {known.model} ({known.key_variable} is set)", run.stderr)

    def test_without_a_key_the_planner_is_plain(self):
        run = self.start(goal="wait 0.1 seconds", OPENAI_API_KEY="")
        self.assert_ends(run, DONE)
        self.assertIn("planner: plain (no provider's key is in the environment)", run.stderr)

    def test_the_plain_planner_calls_no_model_even_with_a_key(self):
        with self.model("openai", []) as model:
            run = self.start("--planner", "plain", "--base-url", model.base_url, goal="wait 0.1 seconds",
                             OPENAI_API_KEY=KEY)
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)
        self.assertIn("planner: plain (named by --planner)", run.stderr)

    def test_the_named_model_is_requested(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, [say(done="Seen.")]) as model:
                    run = model.goal(GOAL, "--model", known.model + "-mini")
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                self.assertIn(f"planner: {known.name}, {known.model}-mini (named by --planner)", run.stderr)
                (request,) = model.requests()
                self.assertIn(known.model + "-mini", (request["body"].get("model"), *request["path"].split("/")[-1:],
                                                      request["path"].split("/")[-1].split(":")[0]))

    def test_compatible_servers_need_no_key(self):
        for known in LOCAL:
            with self.subTest(planner=known.name):
                entries = [{"text": "prose"}, say(LOOK), say(done="Seen.")]
                with self.model(known.name, entries) as model:
                    run = model.goal(GOAL, "--model", known.model)
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                headers = {name.lower() for request in model.requests() for name in request["headers"]}
                self.assertNotIn("authorization", headers)

    def assert_refused(self, run, exit_code, words):
        self.assert_ends(run, exit_code)
        self.assertRegex(run.errors(), words)
        self.assertEqual([], run.facts("planner.state"))
        self.assert_key_nowhere()

    def test_an_unknown_planner_exits_with_2_and_the_known_ones(self):
        self.assert_refused(self.start("--planner", "oracle"), BAD_USAGE, "no planner oracle; known: plain, .*gemini")

    def test_a_missing_key_exits_with_1_and_says_where_to_put_it(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                run = self.start("--planner", known.name)
                self.assert_refused(run, FAILED, f"needs a key: set {known.key_variable}")

    def test_a_missing_model_name_exits_with_2(self):
        self.assert_refused(self.start("--planner", "ollama"), BAD_USAGE, "ollama has no default model: name one with --model")

    def test_an_unencrypted_remote_address_is_refused_at_start(self):
        run = self.start("--base-url", "http://192.0.2.1/v1", OPENAI_API_KEY=KEY)
        self.assertNotEqual(DONE, run.wait())
        self.assert_refused(run, run.process.returncode, '"http://192.0.2.1" is not encrypted: use https://')


class SavedCalls(ModelTest):
    def plans(self, run):
        return [[[step["action"] for step in fact.get("steps", [])], fact.get("done")]
                for fact in run.facts("planner.plan")]

    def recorded(self, calls, goal=GOAL):
        self.forget_keys()
        return self.sandbox.goal(goal, "--unlock-writes", "--planner", "recorded", "--model-calls", str(calls))

    def test_saved_calls_replay_a_task_without_key_and_server(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                file, calls = self.sandbox.path("a.txt"), self.sandbox.path(f"{known.name}.jsonl")
                entries = [say(step("launch", command=f"notes {file}")), {"text": "prose"},
                           say(step("write", text="é")), {"status": 500}, say(step("hotkey", keys=["ctrl", "s"])), say(done="Written.")]
                with self.model(known.name, entries) as model:
                    first = model.goal(GOAL, "--unlock-writes", "--save-model-calls", str(calls))
                    self.assert_ends(first, DONE)
                self.assert_as_scripted(model)
                self.assertEqual(0o600, stat.S_IMODE(calls.stat().st_mode))
                self.assertEqual([entry["text"] for entry in entries if "text" in entry],
                                 [json.loads(line)["reply"]["text"] for line in calls.read_text().splitlines()])
                file.unlink()
                again = self.recorded(calls)
                self.assert_ends(again, DONE)
                self.assertEqual(self.plans(first), self.plans(again))
                self.assertEqual("é", file.read_text())
                self.assertIn("planner: recorded (named by --planner)", again.stderr)

    def test_replaying_another_goal_reports_the_difference(self):
        calls = self.sandbox.path("calls.jsonl")
        with self.model("gemini", [say(LOOK), say(done="Seen.")]) as model:
            self.assert_ends(model.goal("look around", "--save-model-calls", str(calls)), DONE)
        self.assert_as_scripted(model)
        run = self.recorded(calls, "look away")
        self.assert_ends(run, FAILED)
        self.assertRegex(run.errors(), r"no saved call has this request; call 1 differs: .*look away.*, and was "
                                       r".*look around")

    def test_recorded_without_a_file_exits_with_1(self):
        run = self.sandbox.goal(GOAL, "--planner", "recorded")
        self.assert_ends(run, FAILED)
        self.assertIn("needs a file of saved calls", run.errors())
        run = self.recorded(self.sandbox.path("missing.jsonl"))
        self.assert_ends(run, FAILED)
        self.assertIn("missing.jsonl", run.errors())


class ConfiguredTest(ModelTest):
    """Services of a deployment; configure() restarts the planner."""

    def setUp(self):
        super().setUp()
        self.services = Services(self.sandbox)
        self.addCleanup(self.services.stop)
        self.file = self.services.directory / "planner.toml"
        self.without_model = self.file.read_text()
        self.key_file = self.services.directory / "model.key"
        self.key_file.write_text(KEY + "\n")
        self.key_file.chmod(0o600)

    def write(self, **settings):
        """Writes planner.toml. A setting that is None is omitted."""
        settings = {"key_file": "model.key", **settings}
        lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items() if value is not None)
        self.file.write_text(f"{self.without_model}\n[planner]\n{lines}")

    def configure(self, model, /, **settings):
        self.services.processes["planner"].terminate()
        self.services.processes["planner"].wait(10)
        self.write(**{"planner": model.provider.name, "base_url": model.base_url, **settings})
        self.services.start("planner")

    def goal(self, *flags):
        return self.sandbox.start("--config", str(self.services.config), "--json", "--unlock-writes", *flags, "--goal",
                                  GOAL, rules=None)

    def assert_goal_ends(self, run, exit_code):
        self.assertEqual(exit_code, run.wait(), run.said())

    def assert_key_nowhere(self, key=KEY, but=()):
        super().assert_key_nowhere(key, (self.key_file, *but))


class Encrypted(ConfiguredTest):
    def test_a_server_is_trusted_through_the_configured_authority(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                entries = [say(step("launch", command="notes")), {"drop": True}, say(done="Open.")]
                with self.model(known.name, entries, encrypted=True) as model:
                    self.configure(model, ca_file=str(model.ca_file))
                    run = self.goal()
                    self.assert_goal_ends(run, DONE)
                self.assert_as_scripted(model)
                self.assertIn(f"planner: {known.name}, {known.model} (the configuration says so)", run.stderr)
                # The kept connection broke: the repeated request counts as a second try.
                self.assertEqual([1, 2], [call["tries"] for call in self.calls(run)])

    def test_a_self_signed_certificate_is_refused(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, [], encrypted=True) as model:
                    self.configure(model)
                    run = self.goal()
                    self.assert_goal_ends(run, FAILED)
                self.assert_as_scripted(model)
                self.assertIn("does not prove who it is", run.errors())
                self.assertEqual([1], [call["tries"] for call in self.calls(run)], "a permanent error was retried")

    def test_the_authority_of_another_server_is_refused(self):
        with self.model("openai", [], encrypted=True) as other, self.model("openai", [], encrypted=True) as model:
            self.configure(model, ca_file=str(other.ca_file))
            run = self.goal()
            self.assert_goal_ends(run, FAILED)
        self.assert_as_scripted(model)
        self.assertIn("does not prove who it is", run.errors())

    def test_invalid_settings_are_refused_at_start(self):
        for words, settings in (
                ("not encrypted: use https://", {"base_url": "http://192.0.2.1/v1"}),
                ("not encrypted: use https://", {"base_url": "http://127.0.0.1.example.com/v1"}),
                ("user or password", {"base_url": "https://me:secret@example.com/v1"}),
                ("planner.prices", {"prices": ["gpt-5 1.0"]}),
                ("planner.proxy is not a proxy address", {"proxy": "ftp://me:secret@proxy"}),
                ("planner.proxy_login_file", {"proxy": "http://me:secret@127.0.0.1:3128"}),
                ("planner.timeout_s must be at least 1", {"timeout_s": 0}),
                ("planner.budget_calls", {"budget_calls": -1})):
            with self.subTest(settings=settings):
                self.write(**settings)
                started = subprocess.run([BIN / "da-planner", "--config", self.file], env=self.services.environment,
                                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
                self.assertNotEqual(0, started.returncode)
                self.assertIn(words, started.stderr)
                self.assertNotIn("secret", started.stderr)

    def test_a_key_file_readable_by_others_is_refused(self):
        with self.model("openai", []) as model:
            self.configure(model)
            self.key_file.chmod(0o644)
            run = self.goal()
            self.assert_goal_ends(run, FAILED)
        self.assert_as_scripted(model)
        self.assertIn("model.key", run.errors())


class Budgets(ConfiguredTest):
    def check(self, words, entries, **settings):
        """words: a regular expression."""
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, entries) as model:
                    self.configure(model, **settings)
                    run = self.goal()
                    self.assert_goal_ends(run, FAILED)
                self.assert_as_scripted(model)
                self.assertRegex(run.errors(), f"the task has used up its model budget: {words}")
                yield self.calls(run)

    def test_the_budget_of_calls_ends_the_task(self):
        for _ in self.check("2 of 2 calls", [say(LOOK), {"text": "prose"}], budget_calls=2):
            pass

    def test_the_budget_of_tokens_ends_the_task(self):
        entries = [say(LOOK, usage={"input": 60, "output": 15}), say(LOOK, usage={"input": 60, "output": 15})]
        for calls in self.check("150 of 150 tokens", entries, budget_tokens=150):
            self.assertEqual([("60", "15")] * 2, [(call["usage"]["input_tokens"], call["usage"]["output_tokens"])
                                                  for call in calls])

    def test_the_budget_of_money_ends_the_task(self):
        entries = [say(LOOK, usage={"input": 800_000, "cached": 400_000, "output": 100_000})]
        prices = [f"{known.model} 1.0 0.1 10" for known in PROVIDERS]
        for calls in self.check(re.escape("1.4400 of 1.0000"), entries, budget_money=1, prices=prices):
            self.assertAlmostEqual(1.44, calls[0]["cost"])

    def test_the_budget_of_seconds_ends_the_task(self):
        entries = [say(LOOK, slow=60)]
        for calls in self.check(r"\d+\.\d of 1 s", entries, budget_s=1):
            self.assertEqual(1, len(calls))
            self.assertGreaterEqual(calls[0]["latency_ms"], 1000)
            self.assertLess(calls[0]["latency_ms"], 20_000)  # The call is cancelled.

    def test_the_limit_of_turns_ends_the_task(self):
        with self.model("anthropic", [say(LOOK)] * 3) as model:
            self.configure(model, max_turns=3)
            run = self.goal()
            self.assert_goal_ends(run, FAILED)
        self.assert_as_scripted(model)
        self.assertIn("within 3 turns of the model", run.errors())

    def test_a_try_that_exceeds_its_timeout_is_retried(self):
        with self.model("anthropic", [say(done="never", stall=True), say(done="Seen.")]) as model:
            self.configure(model, timeout_s=1)
            run = self.goal()
            self.assert_goal_ends(run, DONE)
        self.assert_as_scripted(model)
        self.assertEqual([2], [call["tries"] for call in self.calls(run)])


class WithoutEyes(ConfiguredTest):
    def test_the_elements_are_sent_instead_of_an_image(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                entries = [say(step("launch", command="notes"), expect=["You cannot see the screenshot. What shows:"]),
                           say(done="Open.", expect=["You cannot see the screenshot. What shows:", "\ne1 ", "Notes"])]
                with self.model(known.name, entries) as model:
                    self.configure(model, images=False)
                    self.assert_goal_ends(self.goal(), DONE)
                self.assert_as_scripted(model)
                for request in model.requests():
                    self.assertNotIn("base64", json.dumps(request["body"]))
                    self.assertNotIn("inlineData", json.dumps(request["body"]))


if __name__ == "__main__":
    unittest.main()
