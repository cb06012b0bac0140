"""The model server takes what the published APIs take and nothing else, answers in their forms, fails as it is told."""

import contextlib
import gzip
import http.client
import json
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import model_server  # noqa: E402
from requests_for_tests import COMPUTER_USE, GOOD, KEY, PNG, change_at, encoded, good, jpeg_header, png  # noqa: E402
from script import Script  # noqa: E402
from strict import BadJson  # noqa: E402

PROGRAM = pathlib.Path(model_server.__file__)
DEADLINE_S = 30  # Of one exchange; far above what it takes.


class Sandbox:
    """A server in this process, with a script of its own, and what it wrote down."""

    def __init__(self, entries, *arguments):
        self.directory = tempfile.TemporaryDirectory()
        self.files = {name: pathlib.Path(self.directory.name) / name for name in ("requests", "violations", "script")}
        self.files["script"].write_text(json.dumps(entries))
        options = model_server.options_of([
            "--script", str(self.files["script"]), "--requests", str(self.files["requests"]),
            "--violations", str(self.files["violations"]), *arguments])
        self.server = model_server.ModelServer(options, Script.load(options.script))
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.ended.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        self.server.requests.file.close()
        self.server.violations.file.close()
        self.directory.cleanup()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=DEADLINE_S)

    def send(self, path, headers, body):
        """Status, headers and bytes of the answer. A body that is no bytes is sent as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        with contextlib.closing(self.connect()) as connection:
            connection.request("POST", path, data, {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def ask(self, api, change=None):
        """Status and JSON of the answer to the good request, after `change(body, headers)`."""
        path, headers, body = good(api)
        if change is not None:
            change(body, headers)
        status, _, data = self.send(path, headers, body)
        return status, json.loads(data)

    def lines(self, name):
        return [json.loads(line) for line in self.files[name].read_text().splitlines()]

    def rules(self):
        return [violation["rule"] for violation in self.lines("violations")]


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


class Answers(unittest.TestCase):
    def test_a_good_request_is_taken_and_kept_without_its_key(self):
        for api, (path, headers, body) in GOOD.items():
            with self.subTest(api), Sandbox([{"text": '{"steps":[]}'}]) as sandbox:
                status, answer = sandbox.ask(api)
                self.assertEqual((200, []), (status, sandbox.lines("violations")), answer)
                kept, = sandbox.lines("requests")
                self.assertEqual((api, "POST", path, body),
                                 tuple(kept[name] for name in ("api", "method", "path", "body")))
                self.assertNotIn(KEY, sandbox.files["requests"].read_text())
                self.assertIn("<key>", json.dumps(kept["headers"]))

    def test_the_text_stands_where_each_vendor_puts_it(self):
        where = {"openai_chat": lambda a: a["choices"][0]["message"]["content"],
                 "openai_responses": lambda a: a["output"][0]["content"][0]["text"],
                 "anthropic": lambda a: a["content"][0]["text"],
                 "gemini": lambda a: a["candidates"][0]["content"]["parts"][0]["text"]}
        for api in GOOD:
            with self.subTest(api), Sandbox([{"text": "größer 🖱"}]) as sandbox:
                self.assertEqual("größer 🖱", where[api](sandbox.ask(api)[1]))

    def test_usage_is_told_in_each_vendor_s_sums(self):
        told = {"openai_chat": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
                "openai_responses": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120},
                "anthropic": {"input_tokens": 40, "cache_read_input_tokens": 60, "output_tokens": 20},
                "gemini": {"promptTokenCount": 100, "cachedContentTokenCount": 60, "candidatesTokenCount": 15,
                           "thoughtsTokenCount": 5, "totalTokenCount": 120}}
        entry = {"text": "x", "usage": {"input": 100, "output": 20, "cached": 60, "thinking": 5}}
        for api, expected in told.items():
            with self.subTest(api), Sandbox([entry]) as sandbox:
                answer = sandbox.ask(api)[1]
                usage = answer["usageMetadata" if api == "gemini" else "usage"]
                self.assertEqual(expected, {name: usage[name] for name in expected})

    def test_each_way_to_finish_has_the_vendor_s_form(self):
        def chat(answer):
            return answer["choices"][0]["finish_reason"], answer["choices"][0]["message"]["refusal"]

        def responses(answer):
            reason = (answer["incomplete_details"] or {}).get("reason")
            return answer["status"], reason, answer["output"][0]["content"][0]["type"]

        def gemini(answer):
            return (answer.get("promptFeedback", {}).get("blockReason"),
                    [candidate["finishReason"] for candidate in answer.get("candidates", [])])

        expected = {
            ("openai_chat", "complete"): ("stop", None), ("openai_chat", "length"): ("length", None),
            ("openai_chat", "refusal"): ("stop", "no"), ("openai_chat", "filtered"): ("content_filter", None),
            ("openai_responses", "complete"): ("completed", None, "output_text"),
            ("openai_responses", "length"): ("incomplete", "max_output_tokens", "output_text"),
            ("openai_responses", "refusal"): ("completed", None, "refusal"),
            ("openai_responses", "filtered"): ("incomplete", "content_filter", "output_text"),
            ("anthropic", "complete"): "end_turn", ("anthropic", "length"): "max_tokens",
            ("anthropic", "refusal"): "refusal", ("anthropic", "context"): "model_context_window_exceeded",
            ("gemini", "complete"): (None, ["STOP"]), ("gemini", "length"): (None, ["MAX_TOKENS"]),
            ("gemini", "refusal"): (None, ["SAFETY"]), ("gemini", "filtered"): ("SAFETY", [])}
        read = {"openai_chat": chat, "openai_responses": responses, "anthropic": lambda a: a["stop_reason"],
                "gemini": gemini}
        for (api, finish), wanted in expected.items():
            with self.subTest(f"{api} {finish}"), Sandbox([{"text": "no", "finish": finish}]) as sandbox:
                status, answer = sandbox.ask(api)
                self.assertEqual((200, wanted), (status, read[api](answer)))

    def test_what_some_vendors_answer_with_400(self):
        for api, finish, said in (("openai_chat", "context", "context_length_exceeded"),
                                  ("openai_responses", "context", "context_length_exceeded"),
                                  ("gemini", "context", "INVALID_ARGUMENT"),
                                  ("anthropic", "filtered", "invalid_request_error")):
            with self.subTest(api), Sandbox([{"finish": finish}]) as sandbox:
                status, answer = sandbox.ask(api)
                self.assertEqual((400, []), (status, sandbox.rules()))
                self.assertIn(said, json.dumps(answer))

    def test_errors_have_the_vendor_s_form(self):
        words = {429: ("rate_limit_exceeded", "rate_limit_exceeded", "rate_limit_error", "RESOURCE_EXHAUSTED"),
                 400: ("invalid_request_error", "invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT"),
                 401: ("invalid_api_key", "invalid_api_key", "authentication_error", "UNAUTHENTICATED"),
                 403: ("unsupported_country", "unsupported_country", "permission_error", "PERMISSION_DENIED"),
                 404: ("model_not_found", "model_not_found", "not_found_error", "NOT_FOUND"),
                 500: ("server_error", "server_error", "api_error", "INTERNAL"),
                 503: ("server_error", "server_error", "api_error", "UNAVAILABLE"),
                 529: ("error", "error", "overloaded_error", "UNKNOWN")}
        for status, row in words.items():
            entry = {"status": status, "headers": {"Retry-After": "1"}, "error": "the words"}
            for api, word in zip(GOOD, row):
                with self.subTest(f"{api} {status}"), Sandbox([entry]) as sandbox:
                    got, headers, data = sandbox.send(*good(api))
                    self.assertEqual((status, "1"), (got, headers["Retry-After"]))
                    self.assertIn(word, data.decode())
                    self.assertIn("the words", data.decode())

    def test_a_quota_is_not_a_rate(self):
        for api, word in zip(GOOD, ("insufficient_quota", "insufficient_quota", "billing_error", "QuotaFailure")):
            with self.subTest(api), Sandbox([{"status": 429, "quota": True}]) as sandbox:
                self.assertIn(word, json.dumps(sandbox.ask(api)[1]))

    def test_thinking_and_parts_come_before_and_between(self):
        entry = {"text": ["a", "b"], "thinking": "hm"}
        for api, kinds in (("openai_responses", ["reasoning", "message"]), ("anthropic", ["thinking", "text", "text"])):
            with self.subTest(api), Sandbox([entry]) as sandbox:
                answer = sandbox.ask(api)[1]
                self.assertEqual(kinds, [held["type"] for held in answer.get("output", answer.get("content"))])
        with self.subTest("gemini"), Sandbox([entry]) as sandbox:
            parts = sandbox.ask("gemini")[1]["candidates"][0]["content"]["parts"]
            self.assertEqual([True, None, None], [part.get("thought") for part in parts])

    def test_calls_have_the_vendor_s_form(self):
        entry = {"calls": [{"name": "computer", "arguments": {"type": "wait"}, "id": "c1"},
                           {"vendor": {"type": "own"}}]}
        lists = {"openai_chat": lambda a: a["choices"][0]["message"]["tool_calls"],
                 "openai_responses": lambda a: a["output"],
                 "anthropic": lambda a: a["content"], "gemini": lambda a: a["candidates"][0]["content"]["parts"]}
        for api, found in lists.items():
            with self.subTest(api), Sandbox([entry]) as sandbox:
                first, own = found(sandbox.ask(api)[1])
                self.assertEqual({"type": "own"}, own)
                self.assertIn("c1", first["functionCall"].values() if api == "gemini" else first.values())
                if api == "openai_responses":
                    self.assertEqual(("computer_call", [{"type": "wait"}]), (first["type"], first["actions"]))

    def test_computer_use_is_taken(self):
        for api, body in COMPUTER_USE.items():
            path, headers, _ = good(api)
            if api == "anthropic":
                headers["anthropic-beta"] = "computer-use-2025-01-24"
            with self.subTest(api), Sandbox([{"text": "x"}]) as sandbox:
                self.assertEqual((200, []), (sandbox.send(path, headers, body)[0], sandbox.lines("violations")))

    def test_models_and_props_are_told(self):
        with Sandbox([], "--models", "m1", "m2", "--vision", "no") as sandbox:
            def get(path, headers={}):
                connection = sandbox.connect()
                connection.request("GET", path, headers=headers)
                answer = json.loads(connection.getresponse().read())
                connection.close()
                return answer

            self.assertEqual(["m1", "m2"], [model["id"] for model in get("/v1/models")["data"]])
            self.assertEqual("m2", get("/v1/models", {"anthropic-version": "2023-06-01"})["last_id"])
            self.assertEqual("models/m1", get("/v1beta/models")["models"][0]["name"])
            self.assertEqual(False, get("/props")["modalities"]["vision"])


# API, what is changed (a path into the body and its new value, None to delete), the rule that says it.
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

    def test_image_limits_are_the_vendor_s(self):
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

    def test_bytes_that_are_no_json_are_refused(self):
        for data in (b"", b"{", b'{"model": "\xff"}', b'{"a": 1, "a": 2}', b'{"a": NaN}', b'{"a": "\\ud800"}',
                     b"\xef\xbb\xbf{}", b"[" * 100_000):
            for api in GOOD:
                path, headers, _ = good(api)
                with self.subTest(f"{api} {data[:20]}"), Sandbox([]) as sandbox:
                    status, _, answer = sandbox.send(path, headers, data)
                    self.assert_refused(api, sandbox, (status, json.loads(answer)), "bad_json")

    def test_a_query_that_the_api_has_not_is_refused(self):
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

    def test_a_call_must_be_answered(self):
        for api, shorten, rule in (
                ("openai_responses", lambda body: body["input"].pop(), "turns"),
                ("openai_responses", lambda body: body["input"][2].pop("acknowledged_safety_checks"), "turns"),
                ("anthropic", lambda body: change_at(body, "messages.2.content.0.tool_use_id", "toolu_2"), "turns"),
                ("gemini", lambda body: change_at(body, "contents.2.parts.0.functionResponse.name", "wait"), "turns")):
            path, headers, _ = good(api)
            body = json.loads(json.dumps(COMPUTER_USE[api]))
            shorten(body)
            headers.update({"anthropic-beta": "computer-use-2025-01-24"} if api == "anthropic" else {})
            with self.subTest(api), Sandbox([]) as sandbox:
                status, _, data = sandbox.send(path, headers, body)
                self.assert_refused(api, sandbox, (status, json.loads(data)), rule)

    def test_a_used_up_script_is_told(self):
        for api in GOOD:
            with self.subTest(api), Sandbox([{"text": "x"}]) as sandbox:
                self.assertEqual(200, sandbox.ask(api)[0])
                status, answer = sandbox.ask(api)
                self.assertEqual((500, ["script"]), (status, sandbox.rules()))
                self.assertIn("all entries of the script were played", json.dumps(answer))

    def test_what_was_expected_of_the_texts(self):
        fits = {"text": "x", "expect": ["desktop", "the screen now"], "expect_not": ["secret"]}
        for api in GOOD:
            for entry, rules in ((fits, []), ({"text": "x", "expect": ["secret"]}, ["expect"]),
                                 ({"text": "x", "expect_not": ["the screen"]}, ["expect"]),
                                 ({"text": "x", "expect_not": [PNG[:40]]}, []),  # Images are no text.
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


class Dialects(unittest.TestCase):
    def ask(self, dialect, change):
        with Sandbox([{"text": "x"}], "--dialect", dialect, "--key", "") as sandbox:
            path, _, body = good("openai_chat")
            body["max_tokens"] = body.pop("max_completion_tokens")
            change(body)
            return sandbox.send(path, {}, body)[0], sandbox.rules()

    def test_llama_cpp_takes_the_schema_flat(self):
        flat = {"type": "json_schema", "schema": {"type": "object"}}
        self.assertEqual((200, []), self.ask("llamacpp", lambda body: body.update(response_format=flat)))
        self.assertEqual((400, ["missing_field", "unknown_field"]), self.ask("llamacpp", lambda body: None))
        self.assertEqual(400, self.ask("openai", lambda body: body.update(response_format=flat))[0])

    def test_ollama_takes_what_its_page_lists(self):
        self.assertEqual((200, []), self.ask("ollama", lambda body: None))
        for name, value in (("max_completion_tokens", 5), ("tool_choice", "auto"), ("n", 1)):
            self.assertEqual((400, ["unknown_field"]), self.ask("ollama", lambda body: body.update({name: value})))

    def test_vllm_has_structured_outputs_and_guided_json_no_more(self):
        self.assertEqual((200, []), self.ask("vllm", lambda body: body.update(structured_outputs={"json": {}})))
        self.assertEqual((400, ["unknown_field"]), self.ask("vllm", lambda body: body.update(guided_json={})))

    def test_lm_studio_takes_a_nested_schema(self):
        self.assertEqual((200, []), self.ask("lmstudio", lambda body: None))
        self.assertEqual(400, self.ask("lmstudio",
                                       lambda body: body.update(response_format={"type": "json_object"}))[0])


class Faults(unittest.TestCase):
    def test_a_dropped_connection_has_no_answer(self):
        for api in GOOD:
            with self.subTest(api), Sandbox([{"drop": True}, {"text": "x"}]) as sandbox:
                self.assertRaises(http.client.RemoteDisconnected, sandbox.send, *good(api))
                self.assertEqual((200, []), (sandbox.ask(api)[0], sandbox.rules()))

    def test_a_stalled_answer_has_headers_and_ends_with_the_client(self):
        with Sandbox([{"text": "x", "stall": True}, {"text": "y"}]) as sandbox:
            path, headers, body = good("anthropic")
            connection = sandbox.connect()
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            self.assertEqual(200, response.status)
            self.assertGreater(int(response.headers["Content-Length"]), 0)
            connection.sock.settimeout(0.2)
            self.assertRaises(TimeoutError, response.read, 1)
            response.close()
            connection.close()
            self.assertEqual(200, sandbox.ask("anthropic")[0])

    def test_half_an_answer_ends_early(self):
        with Sandbox([{"text": "x" * 100, "half": True}]) as sandbox:
            with self.assertRaises(http.client.IncompleteRead) as caught:
                sandbox.send(*good("openai_chat"))
            self.assertAlmostEqual(len(caught.exception.partial), caught.exception.expected, delta=1)

    def test_a_slow_answer_takes_its_time_and_is_whole(self):
        with Sandbox([{"text": "x", "slow": 0.5}]) as sandbox:
            start = time.monotonic()
            self.assertEqual(200, sandbox.ask("gemini")[0])
            self.assertGreaterEqual(time.monotonic() - start, 0.4)

    def test_compressed_answers(self):
        for name, unpack in (("gzip", gzip.decompress), ("deflate", zlib.decompress)):
            with self.subTest(name), Sandbox([{"text": "packed", "encoding": name}]) as sandbox:
                _, headers, data = sandbox.send(*good("openai_responses"))
                self.assertEqual(name, headers["Content-Encoding"])
                self.assertIn(b"packed", unpack(data))

    def test_a_page_of_html(self):
        for entry, status in (({"content_type": "text/html"}, 200),
                              ({"content_type": "text/html", "status": 502}, 502)):
            with self.subTest(status), Sandbox([entry]) as sandbox:
                got, headers, data = sandbox.send(*good("openai_chat"))
                self.assertEqual((status, "text/html"), (got, headers["Content-Type"]))
                self.assertTrue(data.startswith(b"<!DOCTYPE html>"))

    def test_raw_bytes(self):
        for entry, data in (({"raw": '{"choices":'}, b'{"choices":'), ({"raw_base64": "/w=="}, b"\xff")):
            with self.subTest(data), Sandbox([entry]) as sandbox:
                self.assertEqual((200, data), sandbox.send(*good("openai_chat"))[::2])

    def test_a_redirect(self):
        with Sandbox([{"redirect": "http://127.0.0.1:1/elsewhere"}]) as sandbox:
            status, headers, _ = sandbox.send(*good("gemini"))
            self.assertEqual((307, "http://127.0.0.1:1/elsewhere"), (status, headers["Location"]))

    def test_a_connection_is_kept_and_chunks_are_read(self):
        with Sandbox([{"text": "1"}, {"text": "2"}]) as sandbox:
            path, headers, body = good("openai_chat")
            connection = sandbox.connect()
            for _ in range(2):
                chunks = iter([json.dumps(body).encode()[:50], json.dumps(body).encode()[50:]])
                connection.request("POST", path, chunks, {"Content-Type": "application/json", **headers},
                                   encode_chunked=True)
                response = connection.getresponse()
                self.assertEqual(200, response.status)
                response.read()
                socket_kept = connection.sock
            self.assertIsInstance(socket_kept, socket.socket)
            connection.close()


class Program(unittest.TestCase):
    def run_server(self, directory, *arguments):
        script = pathlib.Path(directory) / "script.json"
        script.write_text(json.dumps([{"text": "over TLS"}]))
        server = subprocess.Popen([sys.executable, PROGRAM, "--script", script, *arguments], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.kill)
        word, port = server.stdout.readline().split()
        self.assertEqual("ready", word)
        return server, int(port)

    def test_it_speaks_tls_and_ends_with_its_input(self):
        with tempfile.TemporaryDirectory() as directory:
            ca = pathlib.Path(directory) / "ca.pem"
            server, port = self.run_server(directory, "--tls-ca", ca)
            path, headers, body = good("anthropic")
            context = ssl.create_default_context(cafile=ca)
            connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=DEADLINE_S, context=context)
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json", **headers})
            self.assertIn(b"over TLS", connection.getresponse().read())
            connection.close()
            stranger = http.client.HTTPSConnection("127.0.0.1", port, timeout=DEADLINE_S)
            self.assertRaises(ssl.SSLCertVerificationError, stranger.connect)
            server.stdin.close()
            self.assertEqual(0, server.wait(DEADLINE_S))

    def test_its_help_teaches_the_script(self):
        said = subprocess.run([sys.executable, PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
        for word in ("ready PORT", "/v1/messages", "expect_not", "raw_base64", "--tls-ca", "refusal"):
            self.assertIn(word, said)

    def test_a_bad_script_ends_it_with_words(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('[{"txt": "x"}]')
            file.flush()
            run = subprocess.run([sys.executable, PROGRAM, "--script", file.name], capture_output=True, text=True,
                                 stdin=subprocess.DEVNULL)
            self.assertEqual(1, run.returncode)
            self.assertIn("script[0].txt", run.stderr)


if __name__ == "__main__":
    unittest.main()
