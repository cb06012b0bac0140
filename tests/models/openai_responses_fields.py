"""The fields of a request to OpenAI Responses.

Source: ResponseCreateParamsNonStreaming of the npm package openai (6.49).
"""

import images
from openai_chat import (BREAKPOINT, CACHE_OPTIONS, EFFORT, FUNCTION_NAME, LOCATION, METADATA, MODERATION, NAME, TIER,
                         strict_schema)
from strict import (ANY, FLAG, OBJECT, TEXT, TEXTS, Either, Later, List, Map, Number, Only, Shape, Tagged, Text, Whole,
                    inside, nullable)

STATUS = Only("in_progress", "completed", "incomplete")
CALLERS = nullable(List(Only("direct", "programmatic")))
CALLER = nullable(Tagged("type", {"direct": Shape({"type": TEXT}),
                                  "program": Shape({"type": TEXT, "caller_id": TEXT})}))


def _one_source(part, place, report):
    given = [name for name in ("image_url", "file_id") if part.get(name) is not None]
    if len(given) != 1:
        report.add("missing_field", inside(place, "image_url"), "image_url or file_id, and one of them alone")
    elif given == ["image_url"]:
        images.look_at_data_url(part["image_url"], inside(place, "image_url"), report, part.get("detail") or "auto")


def _screenshot(part, place, report):
    _one_source(dict(part, detail="original"), place, report)


INPUT_TEXT = Shape({"type": TEXT, "text": TEXT, "prompt_cache_breakpoint?": nullable(BREAKPOINT)})
# A flat string, unlike in the chat API. The SDK's type requires detail; the reference gives it a default.
INPUT_IMAGE = Shape({"type": TEXT, "image_url?": nullable(TEXT), "file_id?": nullable(TEXT),
                     "detail?": nullable(Only("low", "high", "auto", "original")),
                     "prompt_cache_breakpoint?": nullable(BREAKPOINT)}, then=_one_source)
INPUT_FILE = Shape({"type": TEXT, "file_data?": nullable(TEXT), "file_id?": nullable(TEXT), "file_url?": nullable(TEXT),
                    "filename?": nullable(TEXT), "detail?": Only("auto", "low", "high"),
                    "prompt_cache_breakpoint?": nullable(BREAKPOINT)})
INPUT_CONTENT = List(Tagged("type", {"input_text": INPUT_TEXT, "input_image": INPUT_IMAGE, "input_file": INPUT_FILE}))
ANNOTATION = Tagged("type", {
    "file_citation": Shape({"type": TEXT, "file_id": TEXT, "filename": TEXT, "index": Whole()}),
    "url_citation": Shape({"type": TEXT, "url": TEXT, "title": TEXT, "start_index": Whole(), "end_index": Whole()}),
    "container_file_citation": Shape({"type": TEXT, "container_id": TEXT, "file_id": TEXT, "filename": TEXT,
                                      "start_index": Whole(), "end_index": Whole()}),
    "file_path": Shape({"type": TEXT, "file_id": TEXT, "index": Whole()})})
OUTPUT_CONTENT = List(Tagged("type", {
    "output_text": Shape({"type": TEXT, "text": TEXT, "annotations?": List(ANNOTATION), "logprobs?": List(OBJECT)}),
    "refusal": Shape({"type": TEXT, "refusal": TEXT})}))

USER_MESSAGE = Shape({"type?": Only("message"), "role": Only("user", "system", "developer"),
                      "content": Either(TEXT, INPUT_CONTENT), "status?": STATUS,
                      "phase?": nullable(Only("commentary", "final_answer"))})
# The model's messages go back as a string or as output parts; input parts are refused.
MODEL_MESSAGE = Shape({"type?": Only("message"), "role": Only("assistant"), "content": Either(TEXT, OUTPUT_CONTENT),
                       "id?": TEXT, "status?": STATUS, "phase?": nullable(Only("commentary", "final_answer"))})
MESSAGE = Tagged("role", {"user": USER_MESSAGE, "system": USER_MESSAGE, "developer": USER_MESSAGE,
                          "assistant": MODEL_MESSAGE})

POINT = {"x": Whole(), "y": Whole()}
KEYS = nullable(TEXTS)
ACTION = Tagged("type", {
    "click": Shape({"type": TEXT, **POINT, "button": Only("left", "right", "wheel", "back", "forward"), "keys?": KEYS}),
    "double_click": Shape({"type": TEXT, **POINT, "keys?": KEYS}),
    "drag": Shape({"type": TEXT, "path": List(Shape(POINT)), "keys?": KEYS}),
    "keypress": Shape({"type": TEXT, "keys": TEXTS}),
    "move": Shape({"type": TEXT, **POINT, "keys?": KEYS}),
    "screenshot": Shape({"type": TEXT}),
    "scroll": Shape({"type": TEXT, **POINT, "scroll_x": Whole(), "scroll_y": Whole(), "keys?": KEYS}),
    "type": Shape({"type": TEXT, "text": TEXT}),
    "wait": Shape({"type": TEXT})})
CHECK = Shape({"id": TEXT, "code?": nullable(TEXT), "message?": nullable(TEXT)})


def _one_action(item, place, report):
    if ("action" in item) == ("actions" in item):
        report.add("missing_field", inside(place, "actions"), "action or actions, and one of them alone")


OUTPUT_LIST = Either(TEXT, INPUT_CONTENT)
ITEM = Tagged("type", {
    "message": MESSAGE,
    "computer_call": Shape({"type": TEXT, "id": TEXT, "call_id": TEXT, "status": STATUS,
                            "pending_safety_checks": List(CHECK), "action?": ACTION, "actions?": List(ACTION)},
                           then=_one_action),
    "computer_call_output": Shape({
        "type": TEXT, "call_id": TEXT, "id?": nullable(TEXT), "status?": nullable(STATUS),
        "acknowledged_safety_checks?": nullable(List(CHECK)),
        "output": Shape({"type": Only("computer_screenshot"), "image_url?": TEXT, "file_id?": TEXT},
                        then=_screenshot)}),
    "function_call": Shape({"type": TEXT, "call_id": TEXT, "name": FUNCTION_NAME, "arguments": TEXT, "id?": TEXT,
                            "caller?": CALLER, "namespace?": TEXT, "status?": STATUS}),
    "function_call_output": Shape({"type": TEXT, "call_id": TEXT, "output": OUTPUT_LIST, "id?": nullable(TEXT),
                                   "caller?": CALLER, "status?": nullable(STATUS)}),
    "custom_tool_call": Shape({"type": TEXT, "call_id": TEXT, "name": FUNCTION_NAME, "input": TEXT, "id?": TEXT,
                               "caller?": CALLER, "namespace?": TEXT}),
    "custom_tool_call_output": Shape({"type": TEXT, "call_id": TEXT, "output": OUTPUT_LIST, "id?": TEXT,
                                      "caller?": CALLER}),
    "reasoning": Shape({"type": TEXT, "id": TEXT, "summary": List(Shape({"type": Only("summary_text"), "text": TEXT})),
                        "content?": List(Shape({"type": Only("reasoning_text"), "text": TEXT})),
                        "encrypted_content?": nullable(TEXT), "status?": STATUS}),
    "compaction": Shape({"type": TEXT, "encrypted_content": TEXT, "id?": nullable(TEXT)}),
    "compaction_trigger": Shape({"type": TEXT}),
    "item_reference": Shape({"type": TEXT, "id": TEXT}),
    "tool_search_call": Shape({"type": TEXT, "arguments": ANY, "id?": nullable(TEXT), "call_id?": nullable(TEXT),
                               "execution?": Only("server", "client"), "status?": nullable(STATUS)}),
    "tool_search_output": Shape({"type": TEXT, "tools": Later(lambda: List(TOOL), ("array",)), "id?": nullable(TEXT),
                                 "call_id?": nullable(TEXT), "execution?": Only("server", "client"),
                                 "status?": nullable(STATUS)}),
    "additional_tools": Shape({"type": TEXT, "role": Only("developer"), "tools": Later(lambda: List(TOOL), ("array",)),
                               "id?": nullable(TEXT)}),
    "file_search_call": Shape({"type": TEXT, "id": TEXT, "queries": TEXTS, "status": TEXT,
                               "results?": nullable(List(OBJECT))}),
    "web_search_call": Shape({"type": TEXT, "id": TEXT, "action": OBJECT, "status": TEXT}),
    "image_generation_call": Shape({"type": TEXT, "id": TEXT, "result": nullable(TEXT), "status": TEXT}),
    "code_interpreter_call": Shape({"type": TEXT, "id": TEXT, "code": nullable(TEXT), "container_id": TEXT,
                                    "outputs": nullable(List(OBJECT)), "status": TEXT}),
    "local_shell_call": Shape({"type": TEXT, "id": TEXT, "call_id": TEXT, "status": STATUS, "action": Shape({
        "type": Only("exec"), "command": TEXTS, "env": Map(TEXT), "timeout_ms?": nullable(Whole()),
        "user?": nullable(TEXT), "working_directory?": nullable(TEXT)})}),
    "local_shell_call_output": Shape({"type": TEXT, "id": TEXT, "output": TEXT, "status?": nullable(STATUS)}),
    "shell_call": Shape({"type": TEXT, "call_id": TEXT, "id?": nullable(TEXT), "caller?": CALLER, "environment?": ANY,
                         "status?": nullable(STATUS), "action": Shape({
                             "commands": TEXTS, "max_output_length?": nullable(Whole()),
                             "timeout_ms?": nullable(Whole())})}),
    "shell_call_output": Shape({"type": TEXT, "call_id": TEXT, "id?": nullable(TEXT), "caller?": CALLER,
                                "max_output_length?": nullable(Whole()), "status?": nullable(STATUS),
                                "output": List(Shape({
                                    "stdout": TEXT, "stderr": TEXT, "outcome": Tagged("type", {
                                        "timeout": Shape({"type": TEXT}),
                                        "exit": Shape({"type": TEXT, "exit_code": Whole()})})}))}),
    "apply_patch_call": Shape({"type": TEXT, "call_id": TEXT, "id?": nullable(TEXT), "caller?": CALLER,
                               "status": Only("in_progress", "completed"), "operation": Tagged("type", {
                                   "create_file": Shape({"type": TEXT, "path": TEXT, "diff": TEXT}),
                                   "delete_file": Shape({"type": TEXT, "path": TEXT}),
                                   "update_file": Shape({"type": TEXT, "path": TEXT, "diff": TEXT})})}),
    "apply_patch_call_output": Shape({"type": TEXT, "call_id": TEXT, "id?": nullable(TEXT), "caller?": CALLER,
                                      "status": Only("completed", "failed"), "output?": nullable(TEXT)}),
    "mcp_list_tools": Shape({"type": TEXT, "id": TEXT, "server_label": TEXT, "error?": nullable(TEXT),
                             "tools": List(Shape({
        "name": TEXT, "input_schema": ANY, "annotations?": ANY, "description?": nullable(TEXT)}))}),
    "mcp_approval_request": Shape({"type": TEXT, "id": TEXT, "arguments": TEXT, "name": TEXT, "server_label": TEXT}),
    "mcp_approval_response": Shape({"type": TEXT, "approval_request_id": TEXT, "approve": FLAG, "id?": nullable(TEXT),
                                    "reason?": nullable(TEXT)}),
    "mcp_call": Shape({"type": TEXT, "id": TEXT, "arguments": TEXT, "name": TEXT, "server_label": TEXT,
                       "approval_request_id?": nullable(TEXT), "error?": nullable(TEXT), "output?": nullable(TEXT),
                       "status?": Only("in_progress", "completed", "incomplete", "calling", "failed")}),
    "program": Shape({"type": TEXT, "id": TEXT, "call_id": TEXT, "code": TEXT, "fingerprint": TEXT}),
    "program_output": Shape({"type": TEXT, "id": TEXT, "call_id": TEXT, "result": TEXT,
                             "status": Only("completed", "incomplete")}),
}, untagged=MESSAGE)


def _function(tool, place, report):
    if tool["strict"] and tool["parameters"] is not None:
        strict_schema(tool["parameters"], inside(place, "parameters"), report)


NETWORK = Tagged("type", {
    "disabled": Shape({"type": TEXT}),
    "allowlist": Shape({"type": TEXT, "allowed_domains": TEXTS,
                        "domain_secrets?": List(Shape({"domain": TEXT, "name": TEXT, "value": TEXT}))})})
MEMORY = nullable(Only("1g", "4g", "16g", "64g"))
CONTEXT_SIZE = Only("low", "medium", "high")
LOCATION_OR_NULL = nullable(Shape({"type?": Only("approximate"),
                                   **{name: nullable(held) for name, held in LOCATION.items()}}))
CUSTOM_TOOL = Shape({"type": TEXT, "name": FUNCTION_NAME, "allowed_callers?": CALLERS, "defer_loading?": FLAG,
                     "description?": TEXT, "format?": Tagged("type", {
                         "text": Shape({"type": TEXT}),
                         "grammar": Shape({"type": TEXT, "definition": TEXT, "syntax": Only("lark", "regex")})})})
WEB_PREVIEW = Shape({"type": TEXT, "search_content_types?": List(Only("text", "image")),
                     "search_context_size?": CONTEXT_SIZE, "user_location?": LOCATION_OR_NULL})
WEB = Shape({"type": TEXT, "filters?": nullable(Shape({"allowed_domains?": nullable(TEXTS)})),
             "search_context_size?": CONTEXT_SIZE, "user_location?": LOCATION_OR_NULL})
TOOL = Tagged("type", {
    "function": Shape({"type": TEXT, "name": FUNCTION_NAME, "parameters": nullable(OBJECT), "strict": nullable(FLAG),
                       "allowed_callers?": CALLERS, "defer_loading?": FLAG, "description?": nullable(TEXT),
                       "output_schema?": nullable(OBJECT)}, then=_function),
    "computer": Shape({"type": TEXT}),
    "computer_use_preview": Shape({"type": TEXT, "display_width": Whole(1), "display_height": Whole(1),
                                   "environment": Only("windows", "mac", "linux", "ubuntu", "browser")}),
    "custom": CUSTOM_TOOL,
    "file_search": Shape({"type": TEXT, "vector_store_ids": TEXTS, "filters?": nullable(OBJECT),
                          "max_num_results?": Whole(1, 50), "ranking_options?": OBJECT}),
    "web_search": WEB, "web_search_2025_08_26": WEB,
    "web_search_preview": WEB_PREVIEW, "web_search_preview_2025_03_11": WEB_PREVIEW,
    "mcp": Shape({"type": TEXT, "server_label": TEXT, "allowed_callers?": CALLERS, "allowed_tools?": ANY,
                  "authorization?": TEXT,
                  "connector_id?": TEXT, "defer_loading?": FLAG, "headers?": nullable(Map(TEXT)),
                  "require_approval?": ANY, "server_description?": TEXT, "server_url?": TEXT, "tunnel_id?": TEXT}),
    "code_interpreter": Shape({"type": TEXT, "allowed_callers?": CALLERS, "container": Either(TEXT, Shape({
        "type": Only("auto"), "file_ids?": TEXTS, "memory_limit?": MEMORY, "network_policy?": NETWORK}))}),
    "programmatic_tool_calling": Shape({"type": TEXT}),
    "image_generation": Shape({
        "type": TEXT, "action?": Only("generate", "edit", "auto"), "background?": Only("transparent", "opaque", "auto"),
        "input_fidelity?": nullable(Only("high", "low")),
        "input_image_mask?": Shape({"file_id?": TEXT, "image_url?": TEXT}),
        "model?": TEXT, "moderation?": Only("auto", "low"), "output_compression?": Whole(0, 100),
        "output_format?": Only("png", "webp", "jpeg"), "partial_images?": Whole(0, 3),
        "quality?": Only("low", "medium", "high", "auto"), "size?": TEXT}),
    "local_shell": Shape({"type": TEXT}),
    "shell": Shape({"type": TEXT, "allowed_callers?": CALLERS, "environment?": nullable(OBJECT)}),
    "namespace": Shape({"type": TEXT, "name": TEXT, "description": TEXT, "tools": List(OBJECT)}),
    "tool_search": Shape({"type": TEXT, "description?": nullable(TEXT), "execution?": Only("server", "client"),
                          "parameters?": ANY}),
    "apply_patch": Shape({"type": TEXT, "allowed_callers?": CALLERS}),
})


def _format(held, place, report):
    if held.get("strict"):
        strict_schema(held["schema"], inside(place, "schema"), report)


TEXT_CONFIG = Shape({
    "verbosity?": nullable(Only("low", "medium", "high")),
    "format?": Tagged("type", {
        "text": Shape({"type": TEXT}),
        "json_object": Shape({"type": TEXT}),
        "json_schema": Shape({"type": TEXT, "name": NAME, "schema": OBJECT, "description?": TEXT,
                              "strict?": nullable(FLAG)},
                             then=_format)})})
CHOICES = ("file_search", "web_search_preview", "computer", "computer_use_preview", "computer_use",
           "web_search_preview_2025_03_11", "image_generation", "code_interpreter", "apply_patch", "shell",
           "programmatic_tool_calling")
TOOL_CHOICE = Either(Only("none", "auto", "required"), Tagged("type", {
    "function": Shape({"type": TEXT, "name": FUNCTION_NAME}),
    "custom": Shape({"type": TEXT, "name": FUNCTION_NAME}),
    "mcp": Shape({"type": TEXT, "server_label": TEXT, "name?": nullable(TEXT)}),
    "allowed_tools": Shape({"type": TEXT, "mode": Only("auto", "required"), "tools": List(OBJECT)}),
    **{name: Shape({"type": TEXT}) for name in CHOICES}}))
SUMMARY = nullable(Only("auto", "concise", "detailed"))

REQUEST = Shape({
    "background?": nullable(FLAG),
    "context_management?": nullable(List(Shape({"type": TEXT, "compact_threshold?": nullable(Whole())}))),
    "conversation?": nullable(Either(TEXT, Shape({"id": TEXT}))),
    "include?": nullable(List(Only(
        "file_search_call.results", "web_search_call.results", "web_search_call.action.sources",
        "message.input_image.image_url", "computer_call_output.output.image_url", "code_interpreter_call.outputs",
        "reasoning.encrypted_content", "message.output_text.logprobs"))),
    "input": Either(TEXT, List(ITEM, 1)),
    "instructions?": nullable(TEXT),
    "max_output_tokens?": nullable(Whole(16)),
    "metadata?": nullable(METADATA),
    "model": Text(1),
    "moderation?": nullable(MODERATION),
    "parallel_tool_calls?": nullable(FLAG),
    "previous_response_id?": nullable(TEXT),
    "prompt?": nullable(Shape({"id": TEXT, "variables?": nullable(OBJECT), "version?": nullable(TEXT)})),
    "prompt_cache_key?": nullable(TEXT),
    "prompt_cache_options?": CACHE_OPTIONS,
    "prompt_cache_retention?": nullable(Only("in_memory", "24h")),
    "reasoning?": nullable(Shape({"context?": nullable(Only("auto", "current_turn", "all_turns")), "effort?": EFFORT,
                                  "generate_summary?": SUMMARY, "mode?": TEXT, "summary?": SUMMARY})),
    "safety_identifier?": nullable(TEXT),
    "service_tier?": TIER,
    "store?": nullable(FLAG),
    "stream?": nullable(FLAG),
    "stream_options?": nullable(Shape({"include_obfuscation?": FLAG})),
    "temperature?": nullable(Number(0, 2)),
    "text?": TEXT_CONFIG,
    "tool_choice?": TOOL_CHOICE,
    "tools?": List(TOOL),
    "top_logprobs?": nullable(Whole(0, 20)),
    "top_p?": nullable(Number(0, 1)),
    "truncation?": nullable(Only("auto", "disabled")),
    "user?": TEXT,
})
