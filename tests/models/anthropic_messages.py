"""Anthropic Messages: POST /v1/messages. anthropic_fields.py lists the fields.

Sources: platform.claude.com/docs/en/api/errors (types of errors, 32 MB), /api/versioning, /api/beta-headers,
/build-with-claude/handling-stop-reasons.
"""

import re

import images
from anthropic_fields import BETAS, COMPUTER_MEMBERS, VERSIONS, request_shape
from api import Answer, Api, Said, call_of, fixed_id, parts_of, strings, whole_text
from strict import kind_of

ERRORS = {400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
          404: "not_found_error", 409: "conflict_error", 413: "request_too_large", 429: "rate_limit_error",
          500: "api_error", 504: "timeout_error", 529: "overloaded_error"}
# From Opus 4.7 on; platform.claude.com/docs/en/about-claude/models/migration-guide.
WITHOUT_SAMPLING = re.compile(r"opus-4-[789]|(opus|sonnet|haiku|fable|mythos)-[5-9]")
STOP = {"complete": "end_turn", "length": "max_tokens", "refusal": "refusal",
        "context": "model_context_window_exceeded"}
CACHE_BREAKPOINTS = 4
# "Computer use tool", model compatibility: version of the tool, its models.
COMPUTER_MODELS = {
    "computer_20241022": re.compile(r"claude-3-5-sonnet"),
    "computer_20250124": re.compile(r"claude-(3-7|opus-4(-[01]\b|-2025)|sonnet-4(-0|-5|-2025)|haiku-4-5)"),
    "computer_20251124": re.compile(r"claude-(opus-4-[5-9]|sonnet-4-6)"),
}
TOOLSET = "computer_toolset_20260801"


def betas_of(headers):
    return [beta.strip() for beta in headers.get("anthropic-beta", "").split(",") if beta.strip()]


def blocks_of(message, kind):
    content = message["content"]
    return [block for block in content if block["type"] == kind] if isinstance(content, list) else []


def check_turns(body, report):
    """Turns alternate (today's API joins turns of one side, older hosts answer 400); calls are answered at once."""
    messages = [(index, message) for index, message in enumerate(body["messages"]) if message["role"] != "system"]
    called = {}
    side = "assistant"
    for index, message in messages:
        place = f"messages[{index}]"
        if message["role"] == side:
            report.add("turns", place,
                       f"two turns of the {side} in a row" if index else "the first turn must be the user's")
        side = message["role"]
        results = blocks_of(message, "tool_result")
        answered = [block["tool_use_id"] for block in results]
        for result in results:
            if result["tool_use_id"] not in called:
                report.add("turns", place,
                           f"tool_result {result['tool_use_id']} answers no tool_use of the message before")
            else:
                check_result(called[result["tool_use_id"]], result, place, report)
        if len(set(answered)) < len(answered):
            report.add("turns", place, "each tool_use must have a single result")
        if called.keys() - set(answered):
            report.add("turns", place,
                       f"tool_use {sorted(called.keys() - set(answered))} without a tool_result right after it")
        if answered and message["content"][0]["type"] != "tool_result":
            report.add("turns", place, "tool_result blocks come first in a message")
        uses = blocks_of(message, "tool_use")
        called = {block["id"]: block for block in uses}
        if len(called) < len(uses):
            report.add("turns", place, "tool_use ids must be unique")
        if uses and not body.get("tools"):
            report.add("turns", place, "the tools of these tool_use blocks are not defined")
        if called and message["role"] == "user":
            report.add("turns", place, "tool_use stands in the assistant's turns")
    if side == "assistant":
        report.add("turns", f"messages[{messages[-1][0] if messages else 0}]",
                   "the last turn is the assistant's: a prefill, which newer models refuse")


def check_result(use, result, place, report):
    if use.get("toolset_name") != result.get("toolset_name"):
        report.add("turns", place, f"toolset_name must be that of the tool_use, {use.get('toolset_name')}")
    content = result.get("content", "")
    kinds = {block["type"] for block in content} if isinstance(content, list) else {"text"}
    if result.get("is_error") and kinds - {"text"}:
        report.add("turns", place, "all content must be of type text where is_error is true")


def check_computer(body, report):
    """The tool's version fits the model, and the tool has the size of the screenshots."""
    for index, tool in enumerate(body.get("tools") or ()):
        models = COMPUTER_MODELS.get(tool.get("type"))
        if models is not None and not models.match(body["model"]):
            report.add("bad_value", f"tools[{index}].type", f"{body['model']} does not support {tool['type']}")
        if models is None or not report.images:
            continue
        size = tool["display_width_px"], tool["display_height_px"]
        if size not in [(image.width, image.height) for image in report.images]:
            report.add("bad_value", f"tools[{index}].display_width_px", f"no screenshot has the display's size {size}")


class AnthropicMessages(Api):
    name = "anthropic"
    vendor = "anthropic"
    key_header = "x-api-key"
    max_body = 32_000_000

    def key_forms(self, key, headers):
        # The SDK of version 2026-10-21 sends the key as a bearer; the documents still show x-api-key.
        bearer = [("authorization", f"Bearer {key}")] if headers.get("anthropic-version") == "2026-10-21" else []
        return [(self.key_header, key), *bearer]

    def __init__(self, resized):
        self.resized, self.said = resized, Said()

    def owns(self, method, path):
        return (method, path) == ("POST", "/v1/messages")

    def query_fields(self):
        return ("beta",)  # The SDKs write ?beta=true.

    def check_headers(self, headers, report):
        version = headers.get("anthropic-version")
        if version is None:
            report.add("missing_header", "header anthropic-version", "required")
        elif version not in VERSIONS:
            report.add("bad_header", "header anthropic-version", f"{version!r} is not a valid version")
        for beta in betas_of(headers):
            if beta not in BETAS:
                report.add("bad_header", "header anthropic-beta", f"unexpected value {beta!r}")

    def check_body(self, request, report):
        shape = request_shape(request.headers.get("anthropic-version"), betas_of(request.headers))
        shape.check(request.body, "", report)
        if report.violations:
            return
        body = request.body
        if body.get("stream"):
            report.add("bad_value", "stream", "this server answers in one piece")
        check_turns(body, report)
        check_computer(body, report)
        for index, message in enumerate(body["messages"]):
            self.said.check([block["id"] for block in blocks_of(message, "tool_use")], message["content"],
                            f"messages[{index}]", report)
        thinking = body.get("thinking", {})
        if thinking.get("type") == "enabled" and thinking["budget_tokens"] >= body["max_tokens"]:
            report.add("bad_value", "thinking.budget_tokens", "must be below max_tokens")
        if "temperature" in body and "top_p" in body:
            report.add("bad_value", "top_p", "not together with temperature")
        if WITHOUT_SAMPLING.search(body["model"]):
            for name in {"temperature", "top_p", "top_k"} & set(body):
                report.add("bad_value", name, "this model does not take it")
        if "tool_choice" in body and not body.get("tools"):
            report.add("bad_value", "tool_choice", "may only be given together with tools")
        if count_keys(body, "cache_control") > CACHE_BREAKPOINTS:
            report.add("bad_value", "cache_control", f"more than {CACHE_BREAKPOINTS} blocks")
        images.check_limits("anthropic", body["model"], report, self.resized)

    def texts(self, body):
        return "\n".join(strings({name: body.get(name) for name in ("system", "messages")},
                                 ("system", "content", "text")))

    def answer(self, entry, request, usage):
        finish = entry.get("finish", "complete")
        if finish == "filtered":
            return self.error(400, "Output blocked by content filtering policy", request)
        content = []
        if "thinking" in entry:
            content.append({"type": "thinking", "thinking": entry["thinking"], "signature": "c2lnbmF0dXJl"})
        content += [{"type": "text", "text": text, "citations": None} for text in parts_of(entry) if text]
        for index, entry_call in enumerate(entry.get("calls", ())):
            neutral = call_of(entry_call)
            content.append(entry_call["vendor"] if neutral is None else {
                "type": "tool_use", "id": neutral[2] or fixed_id("toolu_", request.number * 100 + index),
                "name": neutral[0], "input": neutral[1], "caller": {"type": "direct"}})
            if neutral is not None and neutral[0] in COMPUTER_MEMBERS and self.offers_toolset(request):
                content[-1]["toolset_name"] = "computer"
        self.said.keep([block["id"] for block in content if block.get("type") == "tool_use" and "id" in block], content)
        body = {
            "id": fixed_id("msg_", request.number), "type": "message", "role": "assistant",
            "model": entry.get("model", request.body["model"]), "content": content,
            "stop_reason": "tool_use" if entry.get("calls") else STOP[finish], "stop_sequence": None,
            "stop_details": None, "container": None, "diagnostics": None,
            "usage": {"input_tokens": usage.input - usage.cached, "output_tokens": usage.output,
                      "cache_creation_input_tokens": 0, "cache_read_input_tokens": usage.cached,
                      "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
                      "output_tokens_details": {"thinking_tokens": usage.thinking}, "inference_geo": "not_available",
                      "server_tool_use": None, "service_tier": "standard", "speed": None}}
        if finish == "refusal":
            body["stop_details"] = {"type": "refusal", "category": entry.get("reason"),
                                    "explanation": whole_text(entry) or None}
        return Answer(200, {"request-id": fixed_id("req_", request.number)}, body)

    def offers_toolset(self, request):
        return any(tool.get("type") == TOOLSET for tool in request.body.get("tools") or ())

    def error(self, status, message, request, entry=None, param=None, code=None):
        quota = bool((entry or {}).get("quota"))
        kind = "billing_error" if quota else ERRORS.get(status, "api_error")
        if not message:
            message = f"The server answers {status}."
            if quota:
                message = "Your credit balance is too low to access the Anthropic API."
        request_id = fixed_id("req_", request.number)
        return Answer(status, {"request-id": request_id},
                      {"type": "error", "error": {"type": kind, "message": message}, "request_id": request_id})

    def bad_key(self, given, request):
        return self.error(401, "x-api-key header is required" if given is None else "invalid x-api-key", request)

    def violation(self, violation, request):
        message = {"unknown_field": "Extra inputs are not permitted", "missing_field": "Field required"}.get(
            violation.rule, violation.message)
        return self.error(400, f"{violation.place or 'request'}: {message}", request)


def count_keys(value, key):
    if kind_of(value) == "array":
        return sum(count_keys(held, key) for held in value)
    if kind_of(value) != "object":
        return 0
    return (value.get(key) is not None) + sum(count_keys(held, key) for held in value.values())
