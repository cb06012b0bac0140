"""The model checks of `da-console doctor` with correct and faulty servers."""

import json
import subprocess
import time
import unittest

from console import BIN, FAILED
from models import KEY, LOCAL, PROVIDERS, ModelTest

from proxy import Proxy

HOST = "models.test"
CHECKS = ["planner", "model server", "model key", "model", "model images", "model context"]
VENDORS = [known for known in PROVIDERS if known.name != "openai-responses"]
# The APIs of Gemini, OpenAI and vLLM do not say whether a model accepts images.
SAYS_IMAGES = ("anthropic", "ollama", "llamacpp", "lmstudio")
SAYS_CONTEXT = ("anthropic", "gemini", "ollama", "llamacpp", "vllm", "lmstudio")


def checks_in(text):
    return {check["name"]: check for check in map(json.loads, text.splitlines())}


class DoctorTest(ModelTest):
    def ask(self, *flags):
        """Runs `da-planner doctor` and returns name -> check. The class Console tests `da-console doctor`."""
        begun = time.monotonic()
        self.ran = subprocess.run([BIN / "da-planner", "doctor", *flags], env=self.sandbox.environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        self.seconds = time.monotonic() - begun
        for secret in (KEY, KEY[3:]):
            self.assertNotIn(secret, self.ran.stdout + self.ran.stderr)
        checks = checks_in(self.ran.stdout)
        for check in checks.values():
            self.assertTrue(check["ok"] or check["advice"], check)
            self.assertNotRegex(check["found"] + check["advice"], r"[\x00-\x1f\x7f-\x9f\u202a-\u202e]")
            self.assertLess(len(check["found"]), 1200)
        self.assertEqual(0 if all(check["ok"] for check in checks.values()) else 1, self.ran.returncode)
        return checks

    def look_at(self, model, *flags, key=KEY, name=None):
        if model.provider.key_variable:
            self.sandbox.environment[model.provider.key_variable] = key
        return self.ask(*model.flags(), "--model", name or model.provider.model, *flags)

    def served(self, known, *flags, **options):
        named = known.model if known.name != "ollama" else known.model + ":latest"
        return self.model(known.name, [], "--models", named, "another", *flags, **options)

    def assert_problem(self, checks, name, words, advice="."):
        """Checks that exactly the check `name` fails, with these texts."""
        self.assertEqual([name], [known for known, check in checks.items() if not check["ok"]])
        self.assertRegex(checks[name]["found"], words)
        self.assertRegex(checks[name]["advice"], advice)


class Servers(DoctorTest):
    def test_a_correct_setup_passes_all_checks(self):
        for known in (*PROVIDERS, *LOCAL):
            with self.subTest(planner=known.name), self.served(known) as model:
                checks = self.look_at(model)
                self.assertEqual(CHECKS, list(checks))
                self.assertTrue(all(check["ok"] for check in checks.values()), checks)
                self.assertRegex(checks["planner"]["found"], f"^{known.name}, {known.model} .named by --planner.$")
                self.assertRegex(checks["model server"]["found"],
                                 r"^http://127.0.0.1:\d+ answered in \d+ ms; on this machine, without TLS$")
                self.assertRegex(checks["model key"]["found"],
                                 f"^the server accepts the key in {known.key_variable}$" if known.key_variable else "needs no key")
                self.assertRegex(checks["model"]["found"], f"^{known.model}(:latest)? is there$")
                says = known.name in SAYS_IMAGES
                self.assertIn("accepts images" if says else "does not say", checks["model images"]["found"])
                self.assertIn("32768 tokens" if known.name in SAYS_CONTEXT else "does not say",
                              checks["model context"]["found"])
                self.assertEqual([], model.lines("violations"))
                asked = [(sent["method"], sent["path"]) for sent in model.requests()]
                self.assertFalse([call for call in asked if call[0] == "POST" and call[1] != "/api/show"], asked)

    def test_a_wrong_key_is_reported(self):
        for known in VENDORS:
            with self.subTest(planner=known.name), self.served(known) as model:
                checks = self.look_at(model, key="sk-wrong")
                self.assert_problem(checks, "model key", "HTTP 40[01]", f"put a valid key into {known.key_variable}")
                self.assertNotIn("sk-wrong", self.ran.stdout + self.ran.stderr)

    def test_a_missing_key_is_reported(self):
        for known in VENDORS:
            with self.subTest(planner=known.name):
                self.assert_problem(self.ask("--planner", known.name), "model key", f"set {known.key_variable}")

    def test_a_local_server_that_requires_a_key_is_reported(self):
        for known in LOCAL:
            with self.subTest(planner=known.name), self.served(known) as model:
                model.server.options.key = KEY
                self.assert_problem(self.look_at(model), "model key", "HTTP 401", "planner.key_file")

    def test_a_missing_model_is_reported_with_the_available_ones(self):
        for known in (*PROVIDERS, *LOCAL):
            with self.subTest(planner=known.name), self.served(known) as model:
                checks = self.look_at(model, name="mystery/model?x")
                self.assert_problem(checks, "model", f"^mystery/model.x is not there; there are: {known.model}(:latest)?, another",
                                    "ollama pull" if known.name == "ollama" else "name one of them")

    def test_llamacpp_reports_the_loaded_model_for_any_name(self):
        with self.model("llamacpp", [], "--models", "gemma") as model:
            for name in ("default", "whatever"):
                checks = self.look_at(model, name=name)
                self.assertEqual("gemma is there", checks["model"]["found"])

    def test_an_unreachable_server_is_reported_with_its_start_command(self):
        for known in (*PROVIDERS, *LOCAL):
            with self.subTest(planner=known.name):
                with self.served(known) as model:
                    pass
                starts = {"ollama": "ollama serve", "llamacpp": "llama-server", "vllm": "vllm serve",
                          "lmstudio": "lms server start"}.get(known.name, "base_url")
                self.assert_problem(self.look_at(model), "model server", "cannot be reached", starts)

    def test_a_model_without_images_is_reported(self):
        for name in SAYS_IMAGES:
            for version in ("v0", "v1"):
                known = next(known for known in (*PROVIDERS, *LOCAL) if known.name == name)
                with self.subTest(planner=name, version=version), \
                        self.served(known, "--vision", "no", "--lmstudio", version) as model:
                    self.assert_problem(self.look_at(model), "model images", "takes no images", "planner.images = false")

    def test_a_small_context_window_is_reported(self):
        for name in SAYS_CONTEXT:
            known = next(known for known in (*PROVIDERS, *LOCAL) if known.name == name)
            with self.subTest(planner=name), self.served(known, "--context", "4096") as model:
                self.assert_problem(self.look_at(model), "model context", "4096 tokens; a task needs at least 8192",
                                    "OLLAMA_CONTEXT_LENGTH" if name == "ollama" else "longer context")

    def test_the_context_of_an_ollama_model_that_is_not_loaded_is_shown(self):
        known = next(known for known in LOCAL if known.name == "ollama")
        with self.served(known, "--loaded", "no") as model:
            checks = self.look_at(model)
            self.assertTrue(checks["model context"]["ok"])
            self.assertIn("4096", checks["model context"]["found"])

    def test_a_wrong_base_url_is_reported(self):
        with self.served(PROVIDERS[0]) as model:
            self.sandbox.environment["OPENAI_API_KEY"] = KEY
            checks = self.ask("--planner", "openai", "--base-url", model.base_url + "/elsewhere/")
            self.assert_problem(checks, "model server", "HTTP 404", "often ends with /v1")
            checks = self.ask("--planner", "openai", "--base-url", "http://192.0.2.1/v1")
            self.assert_problem(checks, "planner", "not encrypted")


class Choices(DoctorTest):
    def test_the_plain_planner_has_no_model_checks(self):
        checks = self.ask()
        self.assertEqual(["planner"], list(checks))
        self.assertEqual("plain (no provider's key is in the environment)", checks["planner"]["found"])

    def test_doctor_says_why_a_planner_was_chosen(self):
        with self.served(PROVIDERS[2]) as model:
            self.sandbox.environment["ANTHROPIC_API_KEY"] = KEY
            checks = self.ask("--base-url", model.base_url)
            self.assertEqual("anthropic, claude-sonnet-4-5 (ANTHROPIC_API_KEY is set)", checks["planner"]["found"])
            self.assertTrue(checks["model"]["ok"])

    def test_an_impossible_choice_of_planner_is_reported(self):
        self.assert_problem(self.ask("--planner", "oracle"), "planner", "no planner oracle; known: plain")
        self.assert_problem(self.ask("--planner", "ollama"), "planner", "name one", "--model")
        self.assert_problem(self.ask("--planner", "recorded"), "saved calls", "saved calls", "--model-calls")

    def config(self, **settings):
        file = self.sandbox.path("planner.toml")
        file.write_text("[planner]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items()))
        return str(file)

    def test_doctor_names_the_proxy_on_the_way_to_the_server(self):
        with self.served(PROVIDERS[0], encrypted=True, certificate={"names": [f"DNS:{HOST}"]}) as model, \
                Proxy(model.server.server_port, login="me:hush-5521") as proxy:
            self.sandbox.environment["OPENAI_API_KEY"] = KEY
            settings = {"base_url": model.base_url_at(HOST), "ca_file": str(model.ca_file)}
            self.sandbox.environment["https_proxy"] = f"http://me:hush-5521@{proxy.address}"
            checks = self.ask("--config", self.config(**settings))
            self.assertRegex(checks["model server"]["found"], f"^https://{HOST} answered in .*; its certificate is valid; "
                             f"through the proxy {proxy.url} .https_proxy.$")
            self.assertTrue(checks["model"]["ok"], checks)
            self.sandbox.environment["https_proxy"] = f"http://me:hush-5522@{proxy.address}"
            checks = self.ask("--config", self.config(**settings))
            self.assert_problem(checks, "model server", "HTTP 407", "planner.proxy or https_proxy")
            self.assertNotIn("hush", self.ran.stdout + self.ran.stderr)

    def test_an_untrusted_certificate_is_reported(self):
        with self.served(PROVIDERS[0], encrypted=True) as model:
            self.assert_problem(self.look_at(model), "model server", "does not prove who it is", "planner.ca_file")

    def test_an_unreadable_configuration_is_reported_without_its_password(self):
        self.assert_problem(self.ask("--config", self.config(proxy="http://me:hush@proxy")), "planner", "login_file")
        self.assertNotIn("hush", self.ran.stdout + self.ran.stderr)
        self.assert_problem(self.ask("--config", "/nowhere.toml"), "planner", "nowhere.toml")


class HostileServers(DoctorTest):
    """No answer of a server can break the output lines or take unlimited time."""

    def answered(self, known, entry, **options):
        with self.served(known) as model:
            model.server.lists_entry = entry
            return self.look_at(model, **options)

    def test_an_answer_that_is_not_json_is_reported(self):
        for known in (*VENDORS, *LOCAL):
            for raw in ("", "<html>\x1b[2Jhello\n\u202e</html>", "[" * 100_000, '{"a": 1} {"b": 2}', "\x00\xff"):
                with self.subTest(planner=known.name, raw=raw[:20]):
                    checks = self.answered(known, {"raw": raw})
                    self.assert_problem(checks, "model server", "not JSON", "another program answers there")

    def test_json_with_an_unexpected_structure_is_reported(self):
        for known in (*VENDORS, *LOCAL):
            for raw in ("null", "7", "[]", "{}", '{"data": 7, "models": {}}', '{"data": [null, 7, {"id": 7}, []]}'):
                with self.subTest(planner=known.name, raw=raw):
                    self.assert_problem(self.answered(known, {"raw": raw}), "model", "does not list|is not there")

    def test_invalid_model_names_are_escaped_and_the_list_is_bounded(self):
        names = ["\x1b[31mred\x1b[0m", "line\nbreak", "\u202eright to left", "x" * 5000, *map(str, range(3000))]
        listed = {"data": [{"id": name} for name in names], "models": [{"name": name} for name in names]}
        for known in LOCAL:
            with self.subTest(planner=known.name):
                checks = self.answered(known, {"raw": json.dumps(listed)}, name="wanted")
                self.assert_problem(checks, "model", r"wanted is not there; there are: .*\\x1b\[31mred.* and 2992 more")

    def test_oversized_and_stalled_answers_are_bounded(self):
        checks = self.answered(PROVIDERS[0], {"raw": "x" * (20 << 20)})
        self.assert_problem(checks, "model server", "more than 16 MiB")
        checks = self.answered(PROVIDERS[0], {"raw": "{}", "stall": True})
        self.assert_problem(checks, "model server", "did not answer in time")
        self.assertLess(self.seconds, 15)

    def test_the_error_text_of_a_server_is_shown_escaped(self):
        checks = self.answered(PROVIDERS[0], {"status": 500, "error": "no\x1b[2J luck " + "x" * 5000})
        self.assert_problem(checks, "model server", r"HTTP 500.*no\\x1b\[2J luck", "try later")

    def test_a_key_that_the_server_repeats_is_redacted(self):
        for status in (200, 403, 404, 500):
            with self.subTest(status=status):
                self.answered(PROVIDERS[0], {"status": status, "raw": json.dumps(
                    {"error": {"message": f"the key {KEY}"}, "id": KEY, "data": [{"id": KEY}]})})

    def test_a_redirect_is_not_followed(self):
        checks = self.answered(PROVIDERS[0], {"redirect": "http://127.0.0.1:1/"})
        self.assert_problem(checks, "model server", "HTTP 307", "base_url")


class Questions(DoctorTest):
    def question(self, known, entries):
        with self.model(known.name, entries, "--models", known.model) as model:
            checks = self.look_at(model, "--ask")
            self.assertEqual([], model.lines("violations"))
            self.assertRegex(self.ran.stderr, f"asking {known.name}, {known.model} one small question, which may cost")
            return checks

    def test_an_answer_that_matches_the_schema_passes(self):
        for known in (*PROVIDERS, *LOCAL):
            with self.subTest(planner=known.name):
                checks = self.question(known, [{"text": '{"ready": true}', "usage": {"input": 40, "output": 6}}])
                self.assertRegex(checks["model answer"]["found"], r"^as the schema demands, after \d+ ms, for 46 tokens$")
                self.assertTrue(checks["model answer"]["ok"])

    def test_an_answer_that_does_not_match_the_schema_is_reported(self):
        for text in ("Yes, I am ready.\x1b[2J", '{"ready": "yes"}', '{"ready": true, "more": 1}'):
            checks = self.question(PROVIDERS[0], [{"text": text}])
            self.assert_problem(checks, "model answer", "does not keep to the schema: ", "malformed ones end a task")

    def test_a_failed_question_is_reported(self):
        self.assert_problem(self.question(PROVIDERS[0], [{"status": 429, "error": "quota"}]), "model answer", "HTTP 429")
        self.assert_problem(self.question(PROVIDERS[0], [{"text": "{", "finish": "length"}]), "model answer",
                            "did not answer to the end")

    def test_without_ask_the_model_is_not_called(self):
        with self.served(PROVIDERS[0]) as model:
            self.assertNotIn("model answer", self.look_at(model))


class Console(DoctorTest):
    def test_the_console_passes_the_flags_and_shows_the_checks(self):
        with self.model("openai", [{"text": '{"ready": true}'}], "--models", "gpt-x") as model:
            self.sandbox.environment["OPENAI_API_KEY"] = KEY
            flags = [*model.flags(), "--model", "gpt-x", "--ask"]
            run = self.sandbox.run("doctor", "--json", *flags)
            checks = checks_in(run.text())
            self.assertLessEqual({"sockets", "ocr", *CHECKS, "model answer"}, set(checks))
            self.assertTrue(all(checks[name]["ok"] for name in (*CHECKS, "model answer")), checks)
            self.assertIn("one small question", run.errors())
            run = self.sandbox.run("doctor", *model.flags(), "--model", "gpt-y")
            self.assertRegex(run.text(), r"ok +model server +http://127.0.0.1:\d+ answered in")
            self.assertRegex(run.text(), r"PROBLEM +model +gpt-y is not there; there are: gpt-x\n +do: name one of them")
            self.assertEqual(FAILED, run.wait())
            self.assert_key_nowhere()

    def test_the_console_accepts_a_planner_configuration(self):
        with self.model("anthropic", [], "--models", "claude-x") as model:
            key_file, config = self.sandbox.path("model.key"), self.sandbox.path("planner.toml")
            key_file.write_text(KEY)
            key_file.chmod(0o600)
            config.write_text(f'[planner]\nplanner = "anthropic"\nmodel = "claude-x"\nkey_file = "model.key"\n'
                              f'base_url = "{model.base_url}"\n')
            checks = checks_in(self.sandbox.run("doctor", "--json", "--planner-config", str(config)).text())
            self.assertEqual("anthropic, claude-x (the configuration says so)", checks["planner"]["found"])
            self.assertRegex(checks["model key"]["found"], "accepts the key in .*model.key")
            self.assert_key_nowhere(but=(key_file,))


if __name__ == "__main__":
    unittest.main()
