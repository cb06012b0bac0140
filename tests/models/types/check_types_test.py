"""The check of types takes good bodies and names each wrong one.

    check_types_test.py CACHE       the directory of check_types.py --cache
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from requests_for_tests import COMPUTER_USE, GOOD, change_at  # noqa: E402

BETA = {"anthropic-beta": "computer-use-2025-01-24"}
# API, what is changed (a path into the body and its new value, None to delete), the compiler's error: TS2353 is a field
# too many, TS2322 and TS2820 a wrong type, TS2741 a field missing; in unions it is the compiler's choice.
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
    def test_good_bodies_are_of_their_types(self):
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

    def test_a_list_of_models_is_no_request_to_check(self):
        code, said = check([("models", {}, None)])
        self.assertEqual(1, code)
        self.assertIn("no request to check", said)


if __name__ == "__main__":
    CACHE = sys.argv.pop(1)
    unittest.main()
