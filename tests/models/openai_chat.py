"""OpenAI Chat Completions: POST /v1/chat/completions.

Source of the fields: ChatCompletionCreateParamsNonStreaming of the npm package openai (6.49), with deprecated ones.
local_servers.py lists the differences of compatible servers.
"""

import json
import re
import time

import images
import schemas
from api import Answer, Api, call_of, fixed_id, strings, whole_text
from openai_errors import OpenAiErrors
from strict import FLAG, OBJECT, TEXT, Either, List, Map, Number, Only, Shape, Tagged, Text, Whole, inside, nullable

NAME = Text(1, 64, re.compile(r"[A-Za-z0-9_-]+"))
FUNCTION_NAME = Text(1, 64, re.compile(r"[A-Za-z0-9_.-]+"))
BREAKPOINT = Shape({"mode": Only("explicit")})
METADATA = Map(Text(0, 512), most=16)
MODERATION = Shape({"model": TEXT, "policy?": nullable(Shape({
    "input?": nullable(Shape({"mode": Only("score", "block")})),
    "output?": nullable(Shape({"mode": Only("score", "block")}))}))})
CACHE_OPTIONS = Shape({"mode?": Only("implicit", "explicit"), "ttl?": Only("30m")})
EFFORT = nullable(Only("none", "minimal", "low", "medium", "high", "xhigh", "max"))
TIER = nullable(Only("auto", "default", "flex", "scale", "priority"))
LOCATION = {"city?": TEXT, "country?": TEXT, "region?": TEXT, "timezone?": TEXT}
# Thinking models accept neither max_tokens nor a temperature.
REASONING_MODEL = re.compile(r"^(o\d|gpt-[5-9])")


def _image(part, place, report):
    url = part["image_url"]
    images.look_at_data_url(url["url"], inside(place, "image_url.url"), report, url.get("detail", "auto"))


def strict_schema(schema, place, report):
    schemas.check_subset(schemas.OPENAI_STRICT, schema, place, report)


def _json_schema(held, place, report):
    if held.get("strict") and "schema" in held:
        strict_schema(held["schema"], inside(place, "schema"), report)


def _function(held, place, report):
    if held.get("strict") and "parameters" in held:
        strict_schema(held["parameters"], inside(place, "parameters"), report)


TEXT_PART = Shape({"type": Only("text"), "text": TEXT, "prompt_cache_breakpoint?": BREAKPOINT})
IMAGE_PART = Shape({
    "type": Only("image_url"),
    # The images guide documents "original"; the SDK's type lacks it.
    "image_url": Shape({"url": Text(1), "detail?": Only("auto", "low", "high", "original")}),
    "prompt_cache_breakpoint?": BREAKPOINT}, then=_image)
AUDIO_PART = Shape({"type": Only("input_audio"), "input_audio": Shape({"data": TEXT, "format": Only("wav", "mp3")}),
                    "prompt_cache_breakpoint?": BREAKPOINT})
FILE_PART = Shape({"type": Only("file"), "file": Shape({"file_data?": TEXT, "file_id?": TEXT, "filename?": TEXT}),
                   "prompt_cache_breakpoint?": BREAKPOINT})
REFUSAL_PART = Shape({"type": Only("refusal"), "refusal": TEXT})

ONLY_TEXT = Either(TEXT, List(Tagged("type", {"text": TEXT_PART}), 1))
TOOL_CALL = Tagged("type", {
    "function": Shape({"id": Text(1), "type": TEXT, "function": Shape({"name": FUNCTION_NAME, "arguments": TEXT})}),
    "custom": Shape({"id": Text(1), "type": TEXT, "custom": Shape({"name": FUNCTION_NAME, "input": TEXT})})})


def _assistant(message, place, report):
    if message.get("content") is None and not any(message.get(name) for name in ("tool_calls", "function_call",
                                                                                 "refusal",
                                                                                "audio")):
        report.add("missing_field", inside(place, "content"), "required where nothing is called")


MESSAGE = Tagged("role", {
    "developer": Shape({"role": TEXT, "content": ONLY_TEXT, "name?": NAME}),
    "system": Shape({"role": TEXT, "content": ONLY_TEXT, "name?": NAME}),
    "user": Shape({"role": TEXT, "name?": NAME, "content": Either(TEXT, List(Tagged("type", {
        "text": TEXT_PART, "image_url": IMAGE_PART, "input_audio": AUDIO_PART, "file": FILE_PART}), 1))}),
    "assistant": Shape({
        "role": TEXT, "name?": NAME, "refusal?": nullable(TEXT), "audio?": nullable(Shape({"id": TEXT})),
        "content?": nullable(Either(TEXT, List(Tagged("type", {"text": TEXT_PART, "refusal": REFUSAL_PART}), 1))),
        "function_call?": nullable(Shape({"name": TEXT, "arguments": TEXT})), "tool_calls?": List(TOOL_CALL, 1)},
        then=_assistant),
    "tool": Shape({"role": TEXT, "content": ONLY_TEXT, "tool_call_id": Text(1)}),
    "function": Shape({"role": TEXT, "content": nullable(TEXT), "name": NAME}),
})

TOOL = Tagged("type", {
    "function": Shape({"type": TEXT, "function": Shape({
        "name": FUNCTION_NAME, "description?": TEXT, "parameters?": OBJECT, "strict?": nullable(FLAG)},
                                                       then=_function)}),
    "custom": Shape({"type": TEXT, "custom": Shape({
        "name": FUNCTION_NAME, "description?": TEXT, "format?": Tagged("type", {
            "text": Shape({"type": TEXT}),
            "grammar": Shape({"type": TEXT, "grammar": Shape({"definition": TEXT,
                                                              "syntax": Only("lark", "regex")})})})})}),
})
TOOL_CHOICE = Either(Only("none", "auto", "required"), Tagged("type", {
    "function": Shape({"type": TEXT, "function": Shape({"name": FUNCTION_NAME})}),
    "custom": Shape({"type": TEXT, "custom": Shape({"name": FUNCTION_NAME})}),
    "allowed_tools": Shape({"type": TEXT, "allowed_tools": Shape({"mode": Only("auto", "required"),
                                                                  "tools": List(OBJECT)})})}))

RESPONSE_FORMAT = Tagged("type", {
    "text": Shape({"type": TEXT}),
    "json_object": Shape({"type": TEXT}),
    "json_schema": Shape({"type": TEXT, "json_schema": Shape({
        "name": NAME, "description?": TEXT, "schema?": OBJECT, "strict?": nullable(FLAG)}, then=_json_schema)})})

FIELDS = {
    "messages": List(MESSAGE, 1),
    "model": Text(1),
    "audio?": nullable(Shape({"format": Only("wav", "aac", "mp3", "flac", "opus", "pcm16"),
                              "voice": Either(TEXT, Shape({"id": TEXT}))})),
    "frequency_penalty?": nullable(Number(-2, 2)),
    "function_call?": Either(Only("none", "auto"), Shape({"name": TEXT})),
    "functions?": List(Shape({"name": FUNCTION_NAME, "description?": TEXT, "parameters?": OBJECT}), 1, 128),
    "logit_bias?": nullable(Map(Number(-100, 100))),
    "logprobs?": nullable(FLAG),
    "max_completion_tokens?": nullable(Whole(1)),
    "max_tokens?": nullable(Whole(1)),
    "metadata?": nullable(METADATA),
    "modalities?": nullable(List(Only("text", "audio"), 1)),
    "moderation?": nullable(MODERATION),
    "n?": nullable(Whole(1, 128)),
    "parallel_tool_calls?": FLAG,
    "prediction?": nullable(Shape({"type": Only("content"), "content": ONLY_TEXT})),
    "presence_penalty?": nullable(Number(-2, 2)),
    "prompt_cache_key?": nullable(TEXT),
    "prompt_cache_options?": CACHE_OPTIONS,
    "prompt_cache_retention?": nullable(Only("in_memory", "24h")),
    "reasoning_effort?": EFFORT,
    "response_format?": RESPONSE_FORMAT,
    "safety_identifier?": nullable(TEXT),
    "seed?": nullable(Whole()),
    "service_tier?": TIER,
    "stop?": nullable(Either(TEXT, List(TEXT, 1, 4))),
    "store?": nullable(FLAG),
    "stream?": nullable(FLAG),
    "stream_options?": nullable(Shape({"include_obfuscation?": FLAG, "include_usage?": FLAG})),
    "temperature?": nullable(Number(0, 2)),
    "tool_choice?": TOOL_CHOICE,
    "tools?": List(TOOL, 1, 128),
    "top_logprobs?": nullable(Whole(0, 20)),
    "top_p?": nullable(Number(0, 1)),
    "user?": TEXT,
    "verbosity?": nullable(Only("low", "medium", "high")),
    "web_search_options?": Shape({
        "search_context_size?": Only("low", "medium", "high"),
        "user_location?": nullable(Shape({"type": Only("approximate"), "approximate": Shape(LOCATION)}))}),
}


def check_turns(body, report):
    """A message with role "tool" follows the call that it answers."""
    called, answered = set(), set()
    for index, message in enumerate(body["messages"]):
        if message["role"] == "assistant":
            called = {call["id"] for call in message.get("tool_calls") or ()}
            answered = set()
        elif message["role"] == "tool":
            if message["tool_call_id"] not in called:
                report.add("turns", f"messages[{index}].tool_call_id", "answers no call of the message before")
            answered.add(message["tool_call_id"])
        elif called - answered:
            report.add("turns", f"messages[{index}]", f"the calls {sorted(called - answered)} were not answered")
            called = set()
    if body["messages"][-1]["role"] == "assistant":
        report.add("turns", f"messages[{len(body['messages']) - 1}]",
                   "the last turn is the model's own: nothing to answer")
    if called - answered and body["messages"][-1]["role"] == "tool":
        report.add("turns", "messages", f"the calls {sorted(called - answered)} were not answered")


def check_model_rules(body, report):
    """Rules of OpenAI's own models, beyond the fields."""
    if body.get("max_tokens") is not None and body.get("max_completion_tokens") is not None:
        report.add("bad_value", "max_tokens", "not together with max_completion_tokens")
    if REASONING_MODEL.match(body["model"]):
        if body.get("max_tokens") is not None:
            report.add("bad_value", "max_tokens", "not supported with this model, use max_completion_tokens")
        if body.get("temperature") not in (None, 1) and body.get("reasoning_effort") != "none":
            report.add("bad_value", "temperature", "this model takes only 1 while it thinks")


def answer_message(entry, number):
    """choices[0] of an answer."""
    finish, text = entry.get("finish", "complete"), whole_text(entry)
    message = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
    reason = {"complete": "stop", "length": "length", "refusal": "stop", "filtered": "content_filter"}[finish]
    if finish == "refusal":
        message.update(content=None, refusal=text)
    calls = []
    for index, entry_call in enumerate(entry.get("calls", ())):
        neutral = call_of(entry_call)
        if neutral is None:
            calls.append(entry_call["vendor"])
            continue
        name, arguments, call_id = neutral
        calls.append({"id": call_id or fixed_id("call_", number * 100 + index), "type": "function",
                      "function": {"name": name, "arguments": json.dumps(arguments, separators=(",", ":"))}})
    if calls:
        message["tool_calls"] = calls
        message["content"] = text or None
        reason = "tool_calls"
    return {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}


class OpenAiChat(OpenAiErrors, Api):
    name = "openai_chat"
    context_param = "messages"

    def __init__(self, dialect):
        self.dialect = dialect
        self.shape = Shape(dialect.fields(FIELDS))

    def owns(self, method, path):
        return (method, path) == ("POST", "/v1/chat/completions")

    def check_body(self, request, report):
        self.shape.check(request.body, "", report)
        if report.violations:
            return
        body = request.body
        if body.get("stream"):
            report.add("bad_value", "stream", "this server answers in one piece")
        if not any(body.get(name) for name in ("max_completion_tokens", "max_tokens", "n_predict")):
            report.add("no_token_limit", "max_completion_tokens", "our requests always bound the answer")
        check_turns(body, report)
        format_type = (body.get("response_format") or {}).get("type")
        if self.dialect.is_openai:
            check_model_rules(body, report)
            if format_type == "json_object" and "json" not in self.texts(body).lower():
                report.add("bad_value", "messages", "must say 'json' somewhere for response_format json_object")
            images.check_limits("openai", body["model"], report, self.dialect.resized)

    def texts(self, body):
        return "\n".join(strings(body.get("messages", []), ("text", "content", "refusal", "arguments")))

    def answer(self, entry, request, usage):
        if entry.get("finish") == "context":
            return self.context_full(request)
        body = {
            "id": fixed_id("chatcmpl-", request.number), "object": "chat.completion", "created": int(time.time()),
            "model": entry.get("model", request.body["model"]), "choices": [answer_message(entry, request.number)],
            "usage": {
                "prompt_tokens": usage.input, "completion_tokens": usage.output,
                "total_tokens": usage.input + usage.output,
                "prompt_tokens_details": {"cached_tokens": usage.cached, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": usage.thinking, "audio_tokens": 0,
                                              "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0}},
            "service_tier": "default", "system_fingerprint": "fp_0000000000"}
        return Answer(200, {"x-request-id": fixed_id("req_", request.number, 32)}, body)
