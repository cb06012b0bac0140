"""Requests with calls of computer tools must follow the vendors' rules, or they are refused."""

import json
import unittest

from requests_for_tests import COMPUTER_USE, change_at, good
from sandbox import Sandbox

COMPUTER_BETA = {"anthropic-beta": "computer-use-2025-01-24"}
RESPONSE = "contents.2.parts.0.functionResponse.response"
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}


def extend(api, body, said):
    """The request after this answer, with the result of its call."""
    if api == "openai_responses":
        call = said["output"][-1]
        body["input"] += [*said["output"], {**body["input"][2], "call_id": call["call_id"],
                                            "acknowledged_safety_checks": []}]
    elif api == "anthropic":
        call = said["content"][-1]
        body["messages"] += [{"role": "assistant", "content": said["content"]}, {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call["id"], "content": "done"}]}]
    else:
        parts = said["candidates"][0]["content"]["parts"]
        call = parts[-1]["functionCall"]
        body["contents"] += [{"role": "model", "parts": parts}, {"role": "user", "parts": [{"functionResponse": {
            "id": call["id"], "name": call["name"], "response": {"output": "done"}}}]}]


class ComputerCalls(unittest.TestCase):
    def test_a_call_must_be_answered(self):
        for api, change in (
                ("openai_responses", lambda body: body["input"].pop()),
                ("openai_responses", lambda body: body["input"][2].pop("acknowledged_safety_checks")),
                ("openai_responses", lambda body: body["input"][2]["acknowledged_safety_checks"].append({"id": "x"})),
                ("openai_responses", lambda body: body["input"].append(body["input"][2])),
                ("openai_responses", lambda body: body.pop("tools")),
                ("openai_responses", lambda body: body["input"].insert(1, THOUGHT)),  # Allowed before a call.
                ("openai_responses", lambda body: body["input"].append({**THOUGHT, "encrypted_content": "eA=="})),
                ("anthropic", lambda body: change_at(body, "messages.2.content.0.tool_use_id", "toolu_2")),
                ("anthropic", lambda body: change_at(body, "messages.2.content.0.is_error", True)),
                ("anthropic", lambda body: change_at(body, "messages.2.content.0.toolset_name", "computer")),
                ("anthropic", lambda body: body["messages"][2]["content"].append(body["messages"][2]["content"][0])),
                ("anthropic", lambda body: body["messages"][1]["content"].append(body["messages"][1]["content"][0])),
                ("anthropic", lambda body: body.pop("tools")),
                ("gemini", lambda body: change_at(body, "contents.2.parts.0.functionResponse.name", "wait")),
                ("gemini", lambda body: change_at(body, "contents.2.parts.0.functionResponse.id", "f1")),
                ("gemini", lambda body: change_at(body, "contents.1.parts.0.functionCall.id", "f1")),
                ("gemini", lambda body: change_at(body, "contents.1.parts.0.functionCall.args.safety_decision", None)),
                ("gemini", lambda body: change_at(body, f"{RESPONSE}.safety_acknowledgement", None)),
                ("gemini", lambda body: change_at(body, f"{RESPONSE}.safety_acknowledgement", True)),
                ("gemini", lambda body: body.pop("tools"))):
            path, headers, _ = good(api)
            body = json.loads(json.dumps(COMPUTER_USE[api]))
            body.update({"store": False} if api == "openai_responses" else {})
            change(body)
            headers.update(COMPUTER_BETA if api == "anthropic" else {})
            with self.subTest(api), Sandbox([]) as sandbox:
                status = sandbox.send(path, headers, body)[0]
                self.assertEqual((400, {"turns"}), (status, set(sandbox.rules())), sandbox.lines("violations"))

    def test_a_computer_tool_must_fit_its_model_and_the_screenshot(self):
        for model, path, new in (("claude-opus-4-6", None, None), ("claude-3-5-sonnet-latest", None, None),
                                 ("claude-sonnet-4-5", "tools.0.display_width_px", 801)):
            target, headers, _ = good("anthropic")
            body = json.loads(json.dumps({**COMPUTER_USE["anthropic"], "model": model}))
            if path:
                change_at(body, path, new)
            with self.subTest(f"{model} {path}"), Sandbox([]) as sandbox:
                status = sandbox.send(target, {**headers, **COMPUTER_BETA}, body)[0]
                self.assertEqual((400, {"bad_value"}), (status, set(sandbox.rules())), sandbox.lines("violations"))

    def test_items_around_calls_must_come_back_unchanged(self):
        """The server's own answer in the next request: unchanged, and with a changed thought or word."""
        call = {"openai_responses": {"name": "computer", "arguments": {"type": "wait"}},
                "anthropic": {"name": "computer", "arguments": {"action": "screenshot"}},
                "gemini": {"name": "take_screenshot", "arguments": {}}}
        for api, arguments in call.items():
            for change, rules in ((lambda text: text, []), (lambda text: text.replace("c2ln", "eHh4"), ["changed"]),
                                  (lambda text: text.replace("ZW5jcnlw", "eHh4eHh4"), ["changed"])):
                path, headers, _ = good(api)
                headers.update(COMPUTER_BETA if api == "anthropic" else {})
                with self.subTest(api), Sandbox([{"thinking": "hm", "calls": [arguments]}, {"text": "x"}]) as sandbox:
                    body = json.loads(json.dumps(COMPUTER_USE[api]))
                    body.update({"store": False, "include": ["reasoning.encrypted_content"]}
                                if api == "openai_responses" else {})
                    answer = json.loads(sandbox.send(path, headers, body)[2])
                    self.assertEqual([], sandbox.rules(), sandbox.lines("violations"))
                    said = json.loads(change(json.dumps(answer)))
                    if said == answer and rules:
                        continue  # Another vendor's signature.
                    extend(api, body, said)
                    sandbox.send(path, headers, body)
                    self.assertEqual(rules, sandbox.rules(), sandbox.lines("violations"))


if __name__ == "__main__":
    unittest.main()
