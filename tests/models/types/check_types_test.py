"""check_types.py accepts valid bodies and names each wrong one.

    check_types_test.py CACHE       the directory of check_types.py --cache
"""

import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import check_types  # noqa: E402
from requests_for_tests import COMPUTER_USE, GOOD, KEY, PNG, change_at  # noqa: E402
from sandbox import Sandbox  # noqa: E402

BETA = {"anthropic-beta": "computer-use-2025-01-24"}
OLD, NEW = {"anthropic-version": "2023-06-01"}, {"anthropic-version": "2026-10-21"}
# API, the change (a path into the body and its new value, None to delete), the compiler's error: TS2353 is an unknown
# field, TS2322 and TS2820 a wrong type, TS2741 a missing field; in unions the compiler chooses.
WRONG = (
    ("openai_chat", "max_output_tokens", 5, "TS2353"),
    ("openai_chat", "messages.3.content.1.image_url.size", 5, "TS"),
    ("openai_chat", "messages.3.content.1.image_url", "data:", "TS2322"),
    ("openai_chat", "messages", None, "TS2741"),
    ("openai_chat", "response_format.json_schema.schema_", {}, "TS2353"),
    ("openai_chat", "stream", True, "TS2322"),
    ("openai_responses", "response_format", {"type": "text"}, "TS2353"),
    ("openai_responses", "input.2.content.1.image_url", {"url": "x"}, "TS"),
    ("openai_responses", "input.2.content.1.size", 5, "TS"),
    ("openai_responses", "text.format.json_schema", {}, "TS"),
    ("anthropic", "max_tokens", None, "TS2741"),
    ("anthropic", "max_completion_tokens", 5, "TS2353"),
    ("anthropic", "messages.2.content.1.source.url", "x", "TS2353"),
    ("anthropic", "messages.2.content.1.source.media_type", "image/bmp", "TS2820"),
    ("anthropic", "output_config.format.name", "plan", "TS2353"),
    ("anthropic", "tools", COMPUTER_USE["anthropic"]["tools"], "TS"),  # Without its beta.
    ("gemini", "generation_config", {}, "TS2353"),
    ("gemini", "generationConfig.max_output_tokens", 5, "TS"),
    ("gemini", "generationConfig.responseSchema.additionalProperties", False, "TS"),
    ("gemini", "generationConfig.responseSchema.properties.steps.type", "LIST", "TS2322"),
    ("gemini", "contents.2.parts.1.inlineData.mime_type", "x", "TS"),
    ("gemini", "contents.2.parts.0.text", 5, "TS2322"),
    ("gemini", "tools", [{"computerUse": {"environment": "ENVIRONMENT_LINUX"}}], "TS2322"),
)

REPLY = {
    "openai_chat": """import type OpenAI from "openai";
export const body: OpenAI.Chat.Completions.ChatCompletion = """,
    # The SDK adds output_text, which it joins from the output.
    "openai_responses": """import type OpenAI from "openai";
export const body: Omit<OpenAI.Responses.Response, "output_text"> = """,
    "anthropic": """import type Anthropic from "@anthropic-ai/sdk";
export const body: Anthropic.Messages.Message = """,
    "gemini": f"""import type {{ GenerateContentResponse }} from "@google/genai";
{check_types.GEMINI_WIRE}""" + """export const body: Wire<Pick<GenerateContentResponse,
  "candidates" | "promptFeedback" | "usageMetadata" | "modelVersion" | "responseId">> = """,
}
ENTRIES = (
    {"text": ["a", "b"], "thinking": "hm", "usage": {"input": 10, "output": 5, "cached": 2, "thinking": 1}},
    {"text": "x", "finish": "length"}, {"text": "x", "finish": "refusal"}, {"text": "x", "finish": "filtered"},
    {"text": "x", "finish": "context"}, {"calls": [{"name": "press", "arguments": {"keys": ["ctrl", "s"]}}]},
    {"text": "x", "calls": [{"name": "press"}, {"name": "release"}]})
COMPUTER_CALLS = (
    ("openai_responses", {"name": "computer", "arguments": {"type": "click", "button": "left", "x": 1, "y": 2},
                          "safety_checks": [{"id": "sc_1", "code": "malicious_instructions", "message": "look"}]}),
    ("anthropic", {"name": "computer", "arguments": {"action": "left_click", "coordinate": [1, 2]}}),
    ("gemini", {"name": "click_at", "arguments": {"x": 500, "y": 500}}))


def check(requests):
    """Exit code and output for requests of (API, headers, body)."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for number, (api, headers, body) in enumerate(requests, 1):
            file.write(json.dumps({"number": number, "api": api, "headers": headers, "body": body}) + "\n")
        file.flush()
        run = subprocess.run([sys.executable, HERE / "check_types.py", "--cache", CACHE, file.name],
                             capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


class CheckTypes(unittest.TestCase):
    def test_valid_bodies_have_their_types(self):
        requests = [(api, {}, body) for api, (_, _, body) in GOOD.items()]
        requests += [(api, BETA if api == "anthropic" else {}, body) for api, body in COMPUTER_USE.items()]
        self.assertEqual((0, f"{len(requests)} requests, 0 errors\n"), check(requests))

    def test_each_wrong_body_is_named(self):
        requests = []
        for api, path, new, _ in WRONG:
            body = copy.deepcopy(GOOD[api][2])
            change_at(body, path, new)
            requests.append((api, {}, body))
        code, said = check(requests)
        self.assertEqual(1, code, said)
        for number, (api, path, _, error) in enumerate(WRONG, 1):
            with self.subTest(f"{api} {path}"):
                self.assertRegex(said, rf"request {number} \({api}\): error {error}")

    def test_each_version_of_an_api_has_its_types(self):
        body = {**GOOD["anthropic"][2], "temperature": 0.5}
        computer = COMPUTER_USE["anthropic"]
        code, said = check([("anthropic", OLD, body), ("anthropic", {**OLD, **BETA}, computer),
                            ("anthropic", {**NEW, **BETA}, computer)])
        self.assertEqual(0, code, said)
        code, said = check([("anthropic", NEW, body)])
        self.assertEqual(1, code, said)
        self.assertIn("temperature", said)

    def test_the_vendors_own_clients_send_and_accept_valid_bodies(self):
        home = check_types.install(pathlib.Path(CACHE).resolve())
        call = {"calls": [{"name": "computer", "arguments": {"action": "screenshot"}}]}
        entries = [{"text": "chat"}, {"text": "responses"}, {"text": "messages"}, call, {"text": "gemini"}]
        with Sandbox(entries) as sandbox, tempfile.TemporaryDirectory(dir=home) as directory:
            # Modules are resolved from the program's directory.
            program = shutil.copy(HERE / "clients.mjs", directory)
            run = subprocess.run(["node", program, str(sandbox.server.server_port), KEY, PNG], capture_output=True,
                                 text=True)
            self.assertEqual((0, []), (run.returncode, sandbox.lines("violations")), run.stderr)
            self.assertEqual({"openai_chat": "chat", "openai_responses": "responses", "anthropic": "messages",
                              "anthropic_beta": "computer", "gemini": "gemini"}, json.loads(run.stdout))

    def test_lists_of_models_are_not_checked(self):
        code, said = check([("models", {}, None)])
        self.assertEqual(1, code)
        self.assertIn("no request to check", said)

    def test_the_model_server_s_answers_have_their_types(self):
        names, sources = [], []
        for api, entry in ([(api, entry) for api in GOOD for entry in ENTRIES]
                           + [(api, {"calls": [call]}) for api, call in COMPUTER_CALLS]):
            with Sandbox([entry]) as sandbox:
                status, reply = sandbox.ask(api)
            if status == 200:
                names.append(f"{api} {entry}")
                sources.append(f"{REPLY[api]}{json.dumps(reply, indent=1)};\n")
        errors = check_types.compile_all(check_types.install(pathlib.Path(CACHE).resolve()), sources)
        self.assertEqual([], [(names[index], source, words) for index, source, words in errors])
        self.assertGreater(len(sources), 20)


if __name__ == "__main__":
    CACHE = sys.argv.pop(1)
    unittest.main()
