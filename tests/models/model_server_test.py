"""Valid requests are answered in each vendor's form, by the program and by the class."""

import http.client
import json
import pathlib
import ssl
import subprocess
import sys
import tempfile
import unittest

import model_server
from requests_for_tests import COMPUTER_USE, GOOD, KEY, good
from sandbox import DEADLINE_S, Sandbox

PROGRAM = pathlib.Path(model_server.__file__)


class Answers(unittest.TestCase):
    def test_a_valid_request_is_accepted_and_recorded_without_its_key(self):
        for api, (path, headers, body) in GOOD.items():
            with self.subTest(api), Sandbox([{"text": '{"steps":[]}'}]) as sandbox:
                status, answer = sandbox.ask(api)
                self.assertEqual((200, []), (status, sandbox.lines("violations")), answer)
                kept, = sandbox.lines("requests")
                self.assertEqual((api, "POST", path, body),
                                 tuple(kept[name] for name in ("api", "method", "path", "body")))
                self.assertNotIn(KEY, sandbox.files["requests"].read_text())
                self.assertIn("<key>", json.dumps(kept["headers"]))

    def test_the_text_is_in_each_vendor_s_place(self):
        where = {"openai_chat": lambda a: a["choices"][0]["message"]["content"],
                 "openai_responses": lambda a: a["output"][0]["content"][0]["text"],
                 "anthropic": lambda a: a["content"][0]["text"],
                 "gemini": lambda a: a["candidates"][0]["content"]["parts"][0]["text"]}
        for api in GOOD:
            with self.subTest(api), Sandbox([{"text": "größer 🖱"}]) as sandbox:
                self.assertEqual("größer 🖱", where[api](sandbox.ask(api)[1]))

    def test_usage_has_each_vendor_s_form(self):
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

    def test_some_vendors_answer_400_to_a_full_context_or_a_filter(self):
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

    def test_a_toolset_s_call_has_its_name(self):
        path, headers, body = good("anthropic")
        call = {"name": "left_click", "arguments": {"coordinate": [1, 2]}}
        for tools, named in (([{"type": "computer_toolset_20260801"}], "computer"), ([], None)):
            with self.subTest(named), Sandbox([{"calls": [call]}]) as sandbox:
                answer = json.loads(sandbox.send(path, headers, {**body, "tools": tools})[2])
                self.assertEqual(("left_click", named),
                                 (answer["content"][0]["name"], answer["content"][0].get("toolset_name")))

    def test_lists_of_models_and_props_are_served(self):
        with Sandbox([], "--models", "m1", "m2", "--vision", "no", "--key", "") as sandbox:
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

    def test_lists_of_models_need_the_key(self):
        with Sandbox([], "--models", "m1") as sandbox:
            for path, headers, login in (("/v1/models/m1", {}, {"Authorization": f"Bearer {KEY}"}),
                                        ("/v1/models", {"anthropic-version": "2023-06-01"}, {"x-api-key": KEY}),
                                        ("/v1beta/models/m1", {}, {"x-goog-api-key": KEY})):
                for further, wanted in ((login, 200), ({}, (401, 403)), ({name: value + "x" for name, value in login.items()}, (400, 401))):
                    connection = sandbox.connect()
                    connection.request("GET", path, headers={**headers, **further})
                    status = connection.getresponse().status
                    connection.close()
                    self.assertIn(status, wanted if isinstance(wanted, tuple) else (wanted,), path)


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

    def test_vllm_takes_structured_outputs_but_not_guided_json(self):
        self.assertEqual((200, []), self.ask("vllm", lambda body: body.update(structured_outputs={"json": {}})))
        self.assertEqual((400, ["unknown_field"]), self.ask("vllm", lambda body: body.update(guided_json={})))

    def test_lm_studio_takes_a_nested_schema(self):
        self.assertEqual((200, []), self.ask("lmstudio", lambda body: None))
        self.assertEqual(400, self.ask("lmstudio",
                                       lambda body: body.update(response_format={"type": "json_object"}))[0])


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

    def test_the_program_serves_tls_and_ends_with_its_input(self):
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

    def test_the_help_describes_the_script(self):
        said = subprocess.run([sys.executable, PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
        for word in ("ready PORT", "/v1/messages", "expect_not", "raw_base64", "--tls-ca", "refusal"):
            self.assertIn(word, said)

    def test_a_bad_script_ends_the_program_with_an_error(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('[{"txt": "x"}]')
            file.flush()
            run = subprocess.run([sys.executable, PROGRAM, "--script", file.name], capture_output=True, text=True,
                                 stdin=subprocess.DEVNULL)
            self.assertEqual(1, run.returncode)
            self.assertIn("script[0].txt", run.stderr)


if __name__ == "__main__":
    unittest.main()
