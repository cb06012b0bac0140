"""Requests that break the published APIs are refused in each vendor's form, and recorded."""

import json
import tempfile
import unittest

from requests_for_tests import COMPUTER_USE, GOOD, KEY, PNG, change_at, encoded, good, jpeg_header, png
from sandbox import Sandbox
from script import Script
from strict import BadJson

IMAGE = {"openai_chat": ("messages.3.content.1.image_url.url", "data:{};base64,{}"),
         "openai_responses": ("input.2.content.1.image_url", "data:{};base64,{}")}


def set_image(api, media_type, data):
    def change(body, _):
        if api in IMAGE:
            path, form = IMAGE[api]
            change_at(body, path, form.format(media_type, data))
        elif api == "anthropic":
            body["messages"][2]["content"][1]["source"].update(media_type=media_type, data=data)
        else:
            body["contents"][2]["parts"][1]["inlineData"].update(mimeType=media_type, data=data)
    return change

# API, the change (a path into the body and its new value, None to delete), the broken rule.
WRONG_BODIES = (
    ("openai_chat", "max_output_tokens", 5, "unknown_field"),
    ("openai_chat", "messages.3.content.1.image_url.size", 5, "unknown_field"),
    ("openai_chat", "messages.3.content.1.image_url", "data:image/png;base64,", "wrong_type"),
    ("openai_chat", "messages.3.content.0.type", "input_text", "bad_value"),
    ("openai_chat", "response_format", {"type": "json_schema", "schema": {}}, "missing_field"),
    ("openai_chat", "response_format.json_schema.name", "a plan", "bad_value"),
    ("openai_chat", "response_format.json_schema.schema.additionalProperties", None, "schema"),
    ("openai_chat", "response_format.json_schema.schema.required", ["steps"], "schema"),
    ("openai_chat", "response_format.json_schema.schema.properties.steps.items.additionalProperties", True, "schema"),
    ("openai_chat", "response_format.json_schema.schema.properties.note.minLength", 1, "schema"),
    ("openai_chat", "response_format.json_schema.schema.properties.note", {"$ref": "#/$defs/x"}, "schema"),
    ("openai_chat", "response_format", {"type": "json_object"}, "bad_value"),
    ("openai_chat", "model", None, "missing_field"),
    ("openai_chat", "model", "gpt-5.4", "bad_value"),  # With a temperature.
    ("openai_chat", "max_completion_tokens", None, "no_token_limit"),
    ("openai_chat", "max_completion_tokens", 0, "bad_value"),
    ("openai_chat", "max_completion_tokens", "500", "wrong_type"),
    ("openai_chat", "max_completion_tokens", 500.5, "wrong_type"),
    ("openai_chat", "max_tokens", 500, "bad_value"),
    ("openai_chat", "messages.0.role", "robot", "bad_value"),
    ("openai_chat", "messages.3.role", "assistant", "bad_value"),  # The model sends no images.
    ("openai_chat", "messages", [], "bad_value"),
    ("openai_chat", "messages.3", None, "turns"),
    ("openai_chat", "messages.1", {"role": "tool", "tool_call_id": "c", "content": "x"}, "turns"),
    ("openai_chat", "stream", True, "bad_value"),
    ("openai_responses", "max_tokens", 5, "unknown_field"),
    ("openai_responses", "messages", [], "unknown_field"),
    ("openai_responses", "response_format", {"type": "text"}, "unknown_field"),
    ("openai_responses", "input.2.content.1.image_url", {"url": "x"}, "wrong_type"),
    ("openai_responses", "input.2.content.1.image_url", None, "missing_field"),
    ("openai_responses", "input.2.content.0.type", "text", "bad_value"),
    ("openai_responses", "input.1.content", [{"type": "input_text", "text": "x"}], "bad_value"),
    ("openai_responses", "text.format", {"type": "json_schema", "json_schema": {"name": "x", "schema": {}}},
     "missing_field"),
    ("openai_responses", "text.format.schema.required", [], "schema"),
    ("openai_responses", "text.format.schema.type", "array", "schema"),
    ("openai_responses", "max_output_tokens", None, "no_token_limit"),
    ("openai_responses", "max_output_tokens", 15, "bad_value"),
    ("openai_responses", "temperature", 0.5, "bad_value"),
    ("openai_responses", "input.2", None, "turns"),
    ("openai_responses", "input.1", {"type": "function_call_output", "call_id": "c", "output": "x"}, "turns"),
    ("openai_responses", "tools", [{"type": "computer", "display_width": 800}], "unknown_field"),
    ("anthropic", "max_tokens", None, "missing_field"),
    ("anthropic", "max_tokens", 0, "bad_value"),
    ("anthropic", "max_completion_tokens", 5, "unknown_field"),
    ("anthropic", "messages.0.role", "developer", "bad_value"),
    ("anthropic", "messages.0.role", "assistant", "turns"),
    ("anthropic", "messages.1.role", "user", "turns"),
    ("anthropic", "messages.2", None, "turns"),
    ("anthropic", "messages.1.content", "", "bad_value"),
    ("anthropic", "messages.2.content.0.text", " ", "bad_value"),
    ("anthropic", "messages.2.content.1.source.url", "x", "unknown_field"),
    ("anthropic", "messages.2.content.1.source.media_type", "image/bmp", "bad_value"),
    ("anthropic", "messages.2.content.1", {"type": "image_url", "image_url": {"url": "x"}}, "bad_value"),
    ("anthropic", "output_config.format.name", "plan", "unknown_field"),
    ("anthropic", "output_config.format.schema.additionalProperties", None, "schema"),
    ("anthropic", "output_config.format.schema.properties.steps.maxItems", 4, "schema"),
    ("anthropic", "output_config.format.schema.properties.steps.items", {"$ref": "#"}, "schema"),
    ("anthropic", "output_format", {"type": "json_schema", "schema": {}}, "unknown_field"),  # Without its beta.
    ("anthropic", "temperature", 1.5, "bad_value"),
    ("anthropic", "tools", COMPUTER_USE["anthropic"]["tools"], "bad_value"),  # Without its beta.
    ("gemini", "model", 5, "wrong_type"),
    ("gemini", "generation_config", {}, "unknown_field"),
    ("gemini", "generationConfig.maxOutputTokens", None, "no_token_limit"),
    ("gemini", "generationConfig.maxOutputTokens", 0, "bad_value"),
    ("gemini", "generationConfig.responseMimeType", None, "schema"),
    ("gemini", "generationConfig.responseSchema.additionalProperties", False, "unknown_field"),
    ("gemini", "generationConfig.responseSchema.required", ["missing"], "schema"),
    ("gemini", "generationConfig.responseSchema.properties", {}, "schema"),
    ("gemini", "generationConfig.responseJsonSchema", {"type": "object"}, "schema"),  # Both.
    ("gemini", "contents.0.role", "assistant", "bad_value"),
    ("gemini", "contents.0.role", "model", "turns"),
    ("gemini", "contents.1.role", "user", "turns"),
    ("gemini", "contents.2", None, "turns"),
    ("gemini", "contents.2.parts.0.inlineData", {"mimeType": "text/plain", "data": "eA=="}, "missing_field"),
    ("gemini", "contents.2.parts.0", {}, "missing_field"),
    ("gemini", "contents.2.parts.1.inline_data", {}, "unknown_field"),
    ("gemini", "tools", [{"computerUse": {"environment": "ENVIRONMENT_LINUX"}}], "bad_value"),
)
# API, header, its value (None: not sent), rule, status.
WRONG_HEADERS = (
    ("openai_chat", "Authorization", None, "key", 401), ("openai_chat", "Authorization", KEY, "key", 401),
    ("openai_chat", "Authorization", "Bearer other", "key", 401),
    ("openai_chat", "X-Trace", f"Bearer {KEY}", "key", 401),
    ("openai_chat", "Content-Type", "text/plain", "bad_header", 400),
    ("openai_responses", "Authorization", None, "key", 401), ("openai_responses", "x-api-key", KEY, "key", 401),
    ("openai_responses", "Content-Type", "application/x-www-form-urlencoded", "bad_header", 400),
    ("anthropic", "x-api-key", None, "key", 401), ("anthropic", "anthropic-version", None, "missing_header", 400),
    ("anthropic", "anthropic-version", "2024-01-01", "bad_header", 400),
    ("anthropic", "anthropic-beta", "computer-use-2030-01-01", "bad_header", 400),
    ("anthropic", "Authorization", f"Bearer {KEY}", "key", 401),
    ("anthropic", "Authorization", "Bearer", "key", 401),
    ("gemini", "x-goog-api-key", None, "key", 403), ("gemini", "x-goog-api-key", "other", "key", 400),
)


class Violations(unittest.TestCase):
    def assert_refused(self, api, sandbox, answer, rule, status=400):
        self.assertEqual(status, answer[0], answer)
        self.assertIn(rule, sandbox.rules(), sandbox.lines("violations"))
        error = answer[1]["error"]
        self.assertEqual({"openai_chat": {"message", "type", "param", "code"},
                          "openai_responses": {"message", "type", "param", "code"},
                          "anthropic": {"type", "message"}}.get(api, {"code", "message", "status"}),
                         set(error) - {"details"})
        self.assertEqual(0, sandbox.server.script.played)

    def test_a_wrong_body_is_refused(self):
        for api, path, new, rule in WRONG_BODIES:
            with self.subTest(f"{api} {path} {new}"), Sandbox([{"text": "x"}]) as sandbox:
                self.assert_refused(api, sandbox, sandbox.ask(api, lambda body, _: change_at(body, path, new)), rule)

    def test_a_wrong_header_is_refused(self):
        for api, name, value, rule, status in WRONG_HEADERS:
            def change(_, headers):
                headers.pop(name, None)
                if value is not None:
                    headers[name] = value

            with self.subTest(f"{api} {name} {value}"), Sandbox([{"text": "x"}]) as sandbox:
                self.assert_refused(api, sandbox, sandbox.ask(api, change), rule, status)

    def test_each_version_of_the_api_has_its_own_fields(self):
        for version, rules in (("2023-06-01", []), ("2026-10-21", ["unknown_field"])):
            def change(body, headers):
                headers["anthropic-version"] = version
                body["temperature"] = 0.5

            with self.subTest(version), Sandbox([{"text": "x"}]) as sandbox:
                sandbox.ask("anthropic", change)
                self.assertEqual(rules, sandbox.rules())

    def test_only_newer_versions_accept_a_bearer_key(self):
        for version, status in (("2023-06-01", 401), ("2026-10-21", 200)):
            def change(_, headers):
                headers["anthropic-version"] = version
                headers["Authorization"] = f"Bearer {headers.pop('x-api-key')}"

            with self.subTest(version), Sandbox([{"text": "x"}]) as sandbox:
                self.assertEqual(status, sandbox.ask("anthropic", change)[0])

    def test_newer_models_take_no_temperature(self):
        with Sandbox([]) as sandbox:
            sandbox.ask("anthropic", lambda body, _: body.update(model="claude-opus-5", temperature=0))
            self.assertEqual(["bad_value"], sandbox.rules())

    def test_a_wrong_image_is_refused(self):
        wrong = (("image/png", "not base64!", "image_base64"), ("image/png", PNG[:-1], "image_base64"),
                 ("image/jpeg", PNG, "image_media_type"), ("image/png", encoded(b"GIF89a"), "image_media_type"),
                 ("image/png", encoded(png(8, 8)[:20]), "image_broken"),
                 ("image/png", encoded(png(3100, 8)), "image_resized"),
                 ("image/jpeg", encoded(jpeg_header(3100, 8)), "image_resized"))
        for api in GOOD:
            for media_type, data, rule in wrong:
                with self.subTest(f"{api} {rule}"), Sandbox([{"text": "x"}]) as sandbox:
                    self.assert_refused(api, sandbox, sandbox.ask(api, set_image(api, media_type, data)), rule)

    def test_each_vendor_has_its_image_limits(self):
        # API, model, size, rule or none.
        rows = (("anthropic", "claude-sonnet-4-5", (1568, 100), None),
                ("anthropic", "claude-sonnet-4-5", (1569, 100), "resized"),
                ("anthropic", "claude-sonnet-4-5", (1400, 900), "resized"),  # 1650 tokens, more than 1568.
                ("anthropic", "claude-opus-4-7", (1920, 1080), None),
                ("anthropic", "claude-opus-4-7", (2577, 8), "resized"),
                ("anthropic", "claude-opus-4-7", (8001, 8), "rejected"),
                ("openai_chat", "gpt-4o", (1365, 768), None), ("openai_chat", "gpt-4o", (1024, 769), "resized"),
                ("openai_chat", "gpt-4o", (2049, 8), "resized"), ("openai_responses", "gpt-5.4", (1920, 1080), None),
                ("openai_responses", "gpt-5.4", (2048, 1536), "resized"),
                ("openai_responses", "gpt-5.5", (2048, 1536), None),
                ("gemini", None, (3072, 3072), None), ("gemini", None, (3073, 8), "resized"))
        for api, model, size, rule in rows:
            def change(body, headers):
                set_image(api, "image/png", encoded(png(*size)))(body, headers)
                if model is not None:
                    body["model"] = model

            with self.subTest(f"{api} {model} {size}"), Sandbox([{"text": "x"}]) as sandbox:
                sandbox.ask(api, change)
                self.assertEqual([f"image_{rule}"] if rule else [], sandbox.rules(), sandbox.lines("violations"))

    def test_many_images_must_be_smaller(self):
        def change(body, _):
            image = {"type": "image", "source": {"type": "base64", "media_type": "image/png",
                                                 "data": encoded(png(2001, 8))}}
            body.update(model="claude-opus-4-7")
            body["messages"][2]["content"] = [image] * 21
        with Sandbox([]) as sandbox:
            sandbox.ask("anthropic", change)
            self.assertEqual({"image_rejected"}, set(sandbox.rules()))

    def test_images_that_are_resized_can_be_allowed(self):
        with Sandbox([{"text": "x"}], "--resized-images", "allow") as sandbox:
            self.assertEqual(200, sandbox.ask("anthropic",
                                              set_image("anthropic", "image/png", encoded(png(2000, 8))))[0])

    def test_invalid_json_is_refused(self):
        for data in (b"", b"{", b'{"model": "\xff"}', b'{"a": 1, "a": 2}', b'{"a": NaN}', b'{"a": "\\ud800"}',
                     b"\xef\xbb\xbf{}", b"[" * 100_000):
            for api in GOOD:
                path, headers, _ = good(api)
                with self.subTest(f"{api} {data[:20]}"), Sandbox([]) as sandbox:
                    status, _, answer = sandbox.send(path, headers, data)
                    self.assert_refused(api, sandbox, (status, json.loads(answer)), "bad_json")

    def test_an_unknown_query_is_refused(self):
        for api, query in (("openai_chat", "?x=1"), ("openai_responses", "?beta=true"), ("anthropic", "?x="),
                           ("gemini", "?k=1"), ("gemini", f"?key={KEY}")):
            path, headers, body = good(api)
            with self.subTest(api), Sandbox([]) as sandbox:
                sandbox.send(path + query, headers, body)
                self.assertIn("query", sandbox.rules())
                self.assertNotIn(KEY, sandbox.files["requests"].read_text())

    def test_a_body_larger_than_the_vendor_takes_is_refused(self):
        with Sandbox([]) as sandbox:
            path, headers, _ = good("gemini")
            status, _, data = sandbox.send(path, headers, b" " * 20_000_001)
            self.assertEqual((413, ["too_large"]), (status, sandbox.rules()))

    def test_another_path_is_refused(self):
        with Sandbox([]) as sandbox:
            self.assertEqual(404, sandbox.send("/chat/completions", {}, {})[0])
            self.assertEqual(["path"], sandbox.rules())

    def test_a_used_up_script_is_a_violation(self):
        for api in GOOD:
            with self.subTest(api), Sandbox([{"text": "x"}]) as sandbox:
                self.assertEqual(200, sandbox.ask(api)[0])
                status, answer = sandbox.ask(api)
                self.assertEqual((500, ["script"]), (status, sandbox.rules()))
                self.assertIn("all entries of the script were played", json.dumps(answer))

    def test_expected_texts_are_checked(self):
        fits = {"text": "x", "expect": ["desktop", "the screen now"], "expect_not": ["secret"]}
        for api in GOOD:
            for entry, rules in ((fits, []), ({"text": "x", "expect": ["secret"]}, ["expect"]),
                                 ({"text": "x", "expect_not": ["the screen"]}, ["expect"]),
                                 ({"text": "x", "expect_not": [PNG[:40]]}, []),  # Images are not text.
                                 ({"text": "x", "api": "gemini" if api != "gemini" else "anthropic"}, ["expect"])):
                with self.subTest(f"{api} {entry}"), Sandbox([entry]) as sandbox:
                    self.assertEqual((200, rules), (sandbox.ask(api)[0], sandbox.rules()))

    def test_a_script_that_cannot_be_played_is_refused(self):
        for entry in ({"txt": "x"}, {"status": "429"}, {"finish": "refused"}, {},
                      {"text": "x", "usage": {"cached": 1}}):
            with self.subTest(entry), tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump([entry], file)
                file.flush()
                self.assertRaises(BadJson, Script.load, file.name)


if __name__ == "__main__":
    unittest.main()
