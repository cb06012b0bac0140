"""OpenAI Responses: POST /v1/responses. openai_responses_fields.py lists the fields."""

import json
import time

import images
from api import Answer, Api, Said, call_of, fixed_id, parts_of, strings, whole_text
from openai_chat import REASONING_MODEL
from openai_errors import OpenAiErrors
from openai_responses_fields import REQUEST

CALLS = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output",
         "computer_call": "computer_call_output"}


def check_acknowledged(call, output, place, report):
    """Exactly the pending checks, each once."""
    pending = [check["id"] for check in call["pending_safety_checks"]]
    known = [check["id"] for check in output.get("acknowledged_safety_checks") or ()]
    for check in pending:
        if check not in known:
            report.add("turns", place, f"the check {check} is not acknowledged")
    for check in known:
        if check not in pending or known.count(check) > 1:
            report.add("turns", place, f"the check {check} is acknowledged where none was pending")


def check_reasoning(body, report):
    """Items that the provider does not store must be present, and reasoning must precede its result directly."""
    items = body["input"] if isinstance(body["input"], list) else []
    for index, item in enumerate(items):
        if item.get("type") != "reasoning":
            continue
        place = f"input[{index}]"
        if body.get("store") is False and not item.get("encrypted_content"):
            report.add("turns", place, f"{item['id']} is not found: items are not kept where store is false")
        after = items[index + 1] if index + 1 < len(items) else {}
        if after.get("type") not in ("reasoning", *CALLS) and after.get("role") != "assistant":
            report.add("turns", place, f"{item['id']} comes without the item that it led to")


def check_items(body, report):
    """Each call uses an offered tool and has one output of its own kind, which acknowledges each safety check."""
    items = body["input"] if isinstance(body["input"], list) else []
    tools = {tool["type"] for tool in body.get("tools") or ()}
    calls = {}
    for index, item in enumerate(items):
        kind = item.get("type", "message")
        if kind in CALLS:
            if item["call_id"] in calls:
                report.add("turns", f"input[{index}].call_id", "a call of this id waits for its output")
            if kind == "computer_call" and not tools & {"computer", "computer_use_preview"}:
                report.add("turns", f"input[{index}]", "the computer tool is not among the tools")
            calls[item["call_id"]] = item
        elif kind in CALLS.values():
            call = calls.pop(item["call_id"], None)
            place = f"input[{index}].call_id"
            if call is None:
                if not body.get("previous_response_id") and not body.get("conversation"):
                    report.add("turns", place, "answers no call of this request")
            elif CALLS[call["type"]] != kind:
                report.add("turns", place, f"answers a {call['type']} as {kind}")
            elif kind == "computer_call_output":
                check_acknowledged(call, item, f"input[{index}].acknowledged_safety_checks", report)
    for call_id in calls:
        report.add("turns", "input", f"no tool output found for the call {call_id}")
    last = items[-1] if items else {}
    if last.get("role") == "assistant":
        report.add("turns", f"input[{len(items) - 1}]", "the last turn is the model's own: nothing to answer")


def model_turns(items):
    """(index of the first item, items) of each model turn that consists of output items."""
    turns, begin = [], None
    for index, item in enumerate([*items, {"role": "user"}]):
        own = item.get("type") in ("reasoning", *CALLS) or (item.get("role") == "assistant" and "id" in item)
        if own and begin is None:
            begin = index
        if not own and begin is not None:
            turns.append((begin, items[begin:index]))
            begin = None
    return turns


def output_items(entry, number, encrypted):
    finish = entry.get("finish", "complete")
    items = []
    if "thinking" in entry:
        items.append({"id": fixed_id("rs_", number), "type": "reasoning",
                      "summary": [{"type": "summary_text", "text": entry["thinking"]}]})
        if encrypted:
            items[0]["encrypted_content"] = f"ZW5jcnlwdGVk{number:04}"
    if finish == "refusal":
        content = [{"type": "refusal", "refusal": whole_text(entry)}]
    else:
        content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []} for text in parts_of(entry)]
    if "text" in entry or not entry.get("calls"):
        items.append({"id": fixed_id("msg_", number), "type": "message", "role": "assistant", "content": content,
                      "status": "incomplete" if finish in ("length", "filtered") else "completed"})
    for index, entry_call in enumerate(entry.get("calls", ())):
        items.append(_call_item(entry_call, number * 100 + index))
    return items


def _call_item(entry_call, number):
    neutral = call_of(entry_call)
    if neutral is None:
        return entry_call["vendor"]
    name, arguments, call_id = neutral
    call_id = call_id or fixed_id("call_", number)
    if name == "computer":
        # The arguments are one action of the computer tool, or {"actions": [...]}; safety checks are beside them.
        actions = arguments.get("actions", [arguments])
        return {"id": fixed_id("cu_", number), "type": "computer_call", "call_id": call_id, "status": "completed",
                "actions": actions, "pending_safety_checks": entry_call.get("safety_checks", [])}
    return {"id": fixed_id("fc_", number), "type": "function_call", "call_id": call_id, "name": name,
            "arguments": json.dumps(arguments, separators=(",", ":")), "status": "completed"}


class OpenAiResponses(OpenAiErrors, Api):
    name = "openai_responses"
    context_param = "input"

    def __init__(self, resized):
        self.resized, self.said = resized, Said()

    def owns(self, method, path):
        return (method, path) == ("POST", "/v1/responses")

    def check_body(self, request, report):
        REQUEST.check(request.body, "", report)
        if report.violations:
            return
        body = request.body
        if body.get("stream") or body.get("background"):
            report.add("bad_value", "stream", "this server answers in one piece, at once")
        if body.get("previous_response_id") and body.get("conversation"):
            report.add("bad_value", "previous_response_id", "not together with conversation")
        if not body.get("max_output_tokens"):
            report.add("no_token_limit", "max_output_tokens", "our requests always bound the answer")
        if body.get("temperature") not in (None, 1) and REASONING_MODEL.match(body["model"]):
            if (body.get("reasoning") or {}).get("effort") != "none":
                report.add("bad_value", "temperature", "not supported with this model")
        for index, tool in enumerate(body.get("tools", ())):
            if tool["type"] == "computer_use_preview":
                if not body["model"].startswith("computer-use-preview"):
                    report.add("bad_value", f"tools[{index}].type", "this model takes computer")
                elif body.get("truncation") != "auto":
                    report.add("bad_value", "truncation", "must be auto with this tool")
        text_format = (body.get("text") or {}).get("format", {})
        if text_format.get("type") == "json_object" and "json" not in self.texts(body).lower():
            report.add("bad_value", "input", "must say 'json' somewhere for the format json_object")
        check_items(body, report)
        check_reasoning(body, report)
        for begin, items in model_turns(body["input"] if isinstance(body["input"], list) else []):
            self.said.check([item["call_id"] for item in items if item["type"] in CALLS], items, f"input[{begin}]",
                            report)
        images.check_limits("openai", body["model"], report, self.resized)

    def texts(self, body):
        return "\n".join(strings({name: body.get(name) for name in ("instructions", "input")},
                                 ("instructions", "input", "text", "content", "refusal", "arguments", "output")))

    def answer(self, entry, request, usage):
        finish, sent = entry.get("finish", "complete"), request.body

        def given(name, default):
            return default if sent.get(name) is None else sent[name]

        if finish == "context":
            return self.context_full(request)
        reason = {"length": "max_output_tokens", "filtered": "content_filter"}.get(finish)
        output = output_items(entry, request.number, "reasoning.encrypted_content" in given("include", ()))
        self.said.keep([item["call_id"] for item in output if item.get("type") in CALLS and "call_id" in item], output)
        body = {
            "id": fixed_id("resp_", request.number, 48), "object": "response", "created_at": int(time.time()),
            "status": "incomplete" if reason else "completed", "background": False, "error": None,
            "incomplete_details": {"reason": reason} if reason else None,
            "instructions": sent.get("instructions"), "max_output_tokens": sent.get("max_output_tokens"),
            "model": entry.get("model", sent["model"]), "output": output,
            "parallel_tool_calls": given("parallel_tool_calls", True),
            "previous_response_id": sent.get("previous_response_id"), "prompt_cache_key": sent.get("prompt_cache_key"),
            "reasoning": given("reasoning", {"effort": None, "summary": None}),
            "safety_identifier": sent.get("safety_identifier"), "service_tier": "default",
            "temperature": given("temperature", 1.0), "text": given("text", {"format": {"type": "text"}}),
            "tool_choice": sent.get("tool_choice", "auto"), "tools": sent.get("tools", []), "top_logprobs": 0,
            "top_p": given("top_p", 1.0), "truncation": given("truncation", "disabled"),
            "usage": {"input_tokens": usage.input,
                      "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": 0},
                      "output_tokens": usage.output, "output_tokens_details": {"reasoning_tokens": usage.thinking},
                      "total_tokens": usage.input + usage.output},
            "metadata": given("metadata", {})}
        return Answer(200, {"x-request-id": fixed_id("req_", request.number, 32)}, body)
