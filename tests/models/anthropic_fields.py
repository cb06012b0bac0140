"""The fields of a request to Anthropic Messages.

Source: MessageCreateParamsNonStreaming of the npm package @anthropic-ai/sdk (0.137 for API version 2023-06-01, 1.12 for
2026-10-21), and its beta form for fields that need a header anthropic-beta.
"""

import images
import schemas
from strict import (ANY, FLAG, OBJECT, TEXT, TEXTS, Either, List, Map, Number, Only, Shape, Tagged, Text, Whole, inside,
                    nullable)

CACHE = nullable(Shape({"type": Only("ephemeral"), "ttl?": Only("5m", "1h")}))
CITATION = Tagged("type", {
    "char_location": Shape({"type": TEXT, "cited_text": TEXT, "document_index": Whole(0),
                            "document_title": nullable(TEXT),
                            "start_char_index": Whole(0), "end_char_index": Whole(0)}),
    "page_location": Shape({"type": TEXT, "cited_text": TEXT, "document_index": Whole(0),
                            "document_title": nullable(TEXT),
                            "start_page_number": Whole(1), "end_page_number": Whole()}),
    "content_block_location": Shape({"type": TEXT, "cited_text": TEXT, "document_index": Whole(0),
                                     "document_title": nullable(TEXT), "start_block_index": Whole(0),
                                     "end_block_index": Whole()}),
    "web_search_result_location": Shape({"type": TEXT, "cited_text": TEXT, "encrypted_index": TEXT,
                                         "title": nullable(TEXT), "url": TEXT}),
    "search_result_location": Shape({"type": TEXT, "cited_text": TEXT, "search_result_index": Whole(0), "source": TEXT,
                                     "title": nullable(TEXT), "start_block_index": Whole(0),
                                     "end_block_index": Whole()})})
CITATIONS_ON = nullable(Shape({"enabled?": FLAG}))
CALLER = Tagged("type", {
    "direct": Shape({"type": TEXT}),
    "code_execution_20250825": Shape({"type": TEXT, "tool_id": TEXT}),
    "code_execution_20260120": Shape({"type": TEXT, "tool_id": TEXT})})


def _filled(block, place, report):
    if not block["text"].strip():
        report.add("bad_value", inside(place, "text"), "text blocks must be non-empty and not mere whitespace")


def _image(block, place, report):
    if block["source"]["type"] == "base64":
        images.look_at(block["source"]["media_type"], block["source"]["data"], inside(place, "source.data"), report)


TEXT_BLOCK = Shape({"type": TEXT, "text": TEXT, "cache_control?": CACHE, "citations?": nullable(List(CITATION))},
                   then=_filled)
IMAGE_BLOCK = Shape({
    "type": TEXT, "cache_control?": CACHE,
    "transformations?": nullable(Shape({"oversized_image?": Only("downsize", "error")})),
    "source": Tagged("type", {
        "base64": Shape({"type": TEXT, "media_type": Only("image/jpeg", "image/png", "image/gif", "image/webp"),
                         "data": Text(1)}),
        "url": Shape({"type": TEXT, "url": TEXT}),
        "file": Shape({"type": TEXT, "file_id": TEXT})})}, then=_image)
DOCUMENT_BLOCK = Shape({
    "type": TEXT, "cache_control?": CACHE, "citations?": CITATIONS_ON, "context?": nullable(TEXT),
    "title?": nullable(TEXT), "source": Tagged("type", {
        "base64": Shape({"type": TEXT, "media_type": Only("application/pdf"), "data": TEXT}),
        "text": Shape({"type": TEXT, "media_type": Only("text/plain"), "data": TEXT}),
        "url": Shape({"type": TEXT, "url": TEXT}),
        "file": Shape({"type": TEXT, "file_id": TEXT}),
        "content": Shape({"type": TEXT, "content": Either(TEXT, List(Tagged("type", {
            "text": TEXT_BLOCK, "image": IMAGE_BLOCK})))})})})
SEARCH_RESULT = Shape({"type": TEXT, "content": List(TEXT_BLOCK), "source": TEXT, "title": TEXT,
                       "cache_control?": CACHE, "citations?": Shape({"enabled?": FLAG})})
TOOL_REFERENCE = Shape({"type": TEXT, "tool_name": TEXT, "cache_control?": CACHE})
BROWSER_STATE = Shape({"type": TEXT, "tabs": List(OBJECT), "cache_control?": CACHE,
                       "state_changes?": nullable(List(OBJECT))})
TOOL_NAME = Text(1, 128)
TOOL_USE = Shape({"type": TEXT, "id": Text(1), "name": TOOL_NAME, "input": OBJECT, "cache_control?": CACHE,
                  "caller?": CALLER, "toolset_name?": nullable(TEXT)})
TOOL_RESULT = Shape({
    "type": TEXT, "tool_use_id": Text(1), "cache_control?": CACHE, "is_error?": FLAG, "toolset_name?": nullable(TEXT),
    "content?": Either(TEXT, List(Tagged("type", {
        "text": TEXT_BLOCK, "image": IMAGE_BLOCK, "search_result": SEARCH_RESULT, "document": DOCUMENT_BLOCK,
        "tool_reference": TOOL_REFERENCE, "browser_state": BROWSER_STATE})))})


def _server_result(content=ANY):
    return Shape({"type": TEXT, "tool_use_id": TEXT, "content": content, "cache_control?": CACHE, "caller?": CALLER})


BLOCK = Tagged("type", {
    "text": TEXT_BLOCK, "image": IMAGE_BLOCK, "document": DOCUMENT_BLOCK, "search_result": SEARCH_RESULT,
    "thinking": Shape({"type": TEXT, "thinking": TEXT, "signature": TEXT}),
    "redacted_thinking": Shape({"type": TEXT, "data": TEXT}),
    "tool_use": TOOL_USE, "tool_result": TOOL_RESULT,
    "server_tool_use": Shape({"type": TEXT, "id": TEXT, "name": TEXT, "input": OBJECT, "cache_control?": CACHE,
                              "caller?": CALLER}),
    "container_upload": Shape({"type": TEXT, "file_id": TEXT, "cache_control?": CACHE}),
    **{f"{name}_tool_result": _server_result() for name in (
        "web_search", "web_fetch", "code_execution", "bash_code_execution", "text_editor_code_execution",
        "tool_search")}})
MESSAGE = Tagged("role", {
    "user": Shape({"role": TEXT, "content": Either(Text(1), List(BLOCK, 1))}),
    "assistant": Shape({"role": TEXT, "content": Either(Text(1), List(BLOCK, 1))}),
    "system": Shape({"role": TEXT, "content": Either(Text(1), List(TEXT_BLOCK, 1))})})


def _strict_input(tool, place, report):
    if tool.get("strict"):
        schemas.check_subset(schemas.ANTHROPIC, tool["input_schema"], inside(place, "input_schema"), report)


CALLERS = List(Only("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521"))
COMMON = {"type": TEXT, "allowed_callers?": CALLERS, "cache_control?": CACHE, "defer_loading?": FLAG, "strict?": FLAG}
EXAMPLES = {"input_examples?": List(OBJECT)}
SITES = {"allowed_domains?": nullable(TEXTS), "blocked_domains?": nullable(TEXTS), "max_uses?": nullable(Whole(1))}
PLACE = nullable(Shape({"type": Only("approximate"), **{f"{name}?": nullable(TEXT) for name in (
    "city", "country", "region", "timezone")}}))
INCLUSION = {"response_inclusion?": Only("full", "excluded")}
FETCH = {**COMMON, **SITES, "name": Only("web_fetch"), "citations?": CITATIONS_ON,
         "max_content_tokens?": nullable(Whole(1)), "url_sources?": ANY}
SEARCH = {**COMMON, **SITES, "name": Only("web_search"), "user_location?": PLACE}
CUSTOM = Shape({
    "type?": nullable(Only("custom")), "name": TOOL_NAME, "allowed_callers?": CALLERS, "cache_control?": CACHE,
    "defer_loading?": FLAG, "description?": TEXT, "eager_input_streaming?": nullable(FLAG), **EXAMPLES, "strict?": FLAG,
    "input_schema": Map()}, then=_strict_input)
DISPLAY = {**COMMON, **EXAMPLES, "name": Only("computer"), "display_width_px": Whole(1), "display_height_px": Whole(1),
           "display_number?": nullable(Whole(0))}
MEMBER = nullable(Shape({"defer_loading?": nullable(FLAG), "enabled?": nullable(FLAG)}))
COMPUTER_MEMBERS = ("cursor_position", "double_click", "hold_key", "key", "left_click", "left_click_drag",
                    "left_mouse_down",
                    "left_mouse_up", "middle_click", "mouse_move", "right_click", "screenshot", "scroll",
                    "triple_click", "type", "wait", "zoom")
TOOLS = {
    "custom": CUSTOM,
    "bash_20250124": Shape({**COMMON, **EXAMPLES, "name": Only("bash")}),
    **{f"code_execution_{date}": Shape({**COMMON, "name": Only("code_execution")})
       for date in ("20250522", "20250825", "20260120", "20260521")},
    "memory_20250818": Shape({**COMMON, **EXAMPLES, "name": Only("memory")}),
    "text_editor_20250124": Shape({**COMMON, **EXAMPLES, "name": Only("str_replace_editor")}),
    "text_editor_20250429": Shape({**COMMON, **EXAMPLES, "name": Only("str_replace_based_edit_tool")}),
    "text_editor_20250728": Shape({**COMMON, **EXAMPLES, "name": Only("str_replace_based_edit_tool"),
                                   "max_characters?": nullable(Whole(1))}),
    "computer_toolset_20260801": Shape({"type": TEXT, "cache_control?": CACHE, "configs?": nullable(Shape(
        {f"{name}?": MEMBER for name in COMPUTER_MEMBERS}))}),
    "browser_toolset_20260801": Shape({"type": TEXT, "cache_control?": CACHE, "configs?": nullable(Map(MEMBER))}),
    "web_search_20250305": Shape(SEARCH), "web_search_20260209": Shape(SEARCH),
    "web_search_20260318": Shape({**SEARCH, **INCLUSION}),
    "web_fetch_20250910": Shape(FETCH), "web_fetch_20260209": Shape(FETCH),
    "web_fetch_20260309": Shape({**FETCH, "use_cache?": FLAG}),
    "web_fetch_20260318": Shape({**FETCH, **INCLUSION, "use_cache?": FLAG}),
    **{name: Shape({**COMMON, "name": Only("tool_search_tool_bm25")})
       for name in ("tool_search_tool_bm25", "tool_search_tool_bm25_20251119")},
    **{name: Shape({**COMMON, "name": Only("tool_search_tool_regex")})
       for name in ("tool_search_tool_regex", "tool_search_tool_regex_20251119")},
}
# Tool: its shape, and the beta that it needs.
BETA_TOOLS = {
    "computer_20241022": (Shape(DISPLAY), "computer-use-2024-10-22"),
    "computer_20250124": (Shape(DISPLAY), "computer-use-2025-01-24"),
    "computer_20251124": (Shape({**DISPLAY, "enable_zoom?": FLAG}), "computer-use-2025-11-24"),
    "bash_20241022": (Shape({**COMMON, **EXAMPLES, "name": Only("bash")}), "computer-use-2024-10-22"),
    "text_editor_20241022": (Shape({**COMMON, **EXAMPLES, "name": Only("str_replace_editor")}),
                             "computer-use-2024-10-22"),
    "advisor_20260301": (Map(), "advisor-tool-2026-03-01"),
    "mcp_toolset": (Map(), "mcp-client-"),
}
# Field: its checker, and the prefix of the beta that enables it.
BETA_FIELDS = {
    "compaction?": (nullable(Shape({"type": Only("summarize"), "instructions?": nullable(TEXT)})), "compact-"),
    "context_management?": (nullable(Shape({"edits?": List(OBJECT)})), "context-management-"),
    "fallbacks?": (Either(Only("default"), List(OBJECT)), "server-side-fallback-"),
    "fallback_credit_token?": (nullable(Either(TEXT, OBJECT)), "fallback-credit-"),
    "mcp_servers?": (List(OBJECT), "mcp-client-"),
    "output_format?": (nullable(OBJECT), "structured-outputs-"),
    "thread?": (nullable(OBJECT), "message-threads-"),
    "billing_policy?": (nullable(OBJECT), "user-profiles-billing-"),
}
# AnthropicBeta of the SDK, for messages.
BETAS = (
    "computer-use-2024-10-22", "computer-use-2025-01-24", "computer-use-2025-11-24", "output-128k-2025-02-19",
    "mcp-client-2025-04-04", "mcp-client-2025-11-20", "mcp-client-2026-09-15", "dev-full-thinking-2025-05-14",
    "interleaved-thinking-2025-05-14", "code-execution-2025-05-22", "context-1m-2025-08-07",
    "context-management-2025-06-27",
    "model-context-window-exceeded-2025-08-26", "fast-mode-2026-02-01", "output-300k-2026-03-24",
    "advisor-tool-2026-03-01", "user-profiles-2026-03-24", "user-profiles-2026-08-18", "user-profiles-2026-09-04",
    "user-profiles-billing-2026-10-01",
    "thinking-token-count-2026-05-13", "server-side-fallback-2026-06-01", "server-side-fallback-2026-07-01",
    "fallback-credit-2026-06-01", "fallback-credit-2026-07-01", "mid-conversation-tool-changes-2026-07-01",
    "compact-2026-01-12", "compact-2026-09-04", "structured-outputs-2025-11-13", "task-budgets-2026-03-13",
    "thinking-display-updates-2026-08-18", "mid-conversation-output-config-2026-07-01",
    "thinking-binding-controls-2026-08-01", "mid-conversation-system-clear-at-2026-08-21", "inline-tools-2026-09-15",
    "message-threads-2026-08-12", "prompt-caching-2024-07-31", "pdfs-2024-09-25", "token-efficient-tools-2025-02-19",
    "files-api-2025-04-14", "extended-cache-ttl-2025-04-11", "skills-2025-10-02", "cache-diagnosis-2026-04-07")

PARALLEL = {"disable_parallel_tool_use?": FLAG}
DISPLAY_OF_THINKING = {"display?": nullable(Only("summarized", "omitted"))}


def _format(held, place, report):
    schemas.check_subset(schemas.ANTHROPIC, held["schema"], inside(place, "schema"), report)


FIELDS = {
    "model": Text(1, 256),
    "max_tokens": Whole(1),
    "messages": List(MESSAGE, 1, 100_000),
    "cache_control?": CACHE,
    "container?": nullable(Either(TEXT, Shape({"id?": nullable(TEXT), "skills?": nullable(List(Shape({
        "skill_id": TEXT, "type": Only("anthropic", "custom"), "version?": TEXT})))}))),
    "diagnostics?": nullable(Shape({"previous_message_id?": nullable(TEXT)})),
    "inference_geo?": nullable(TEXT),
    "metadata?": Shape({"user_id?": nullable(Text(0, 256))}),
    "output_config?": Shape({
        "effort?": nullable(Only("low", "medium", "high", "xhigh", "max")),
        "format?": nullable(Shape({"type": Only("json_schema"), "schema": OBJECT}, then=_format))}),
    "service_tier?": Only("auto", "standard_only"),
    "speed?": nullable(Only("standard", "fast")),
    "stop_sequences?": List(Text(1)),
    "stream?": FLAG,
    "system?": Either(Text(1), List(TEXT_BLOCK)),
    "temperature?": Number(0, 1),
    "top_k?": Whole(0),
    "top_p?": Number(0, 1),
    "thinking?": Tagged("type", {
        "enabled": Shape({"type": TEXT, "budget_tokens": Whole(1024), **DISPLAY_OF_THINKING}),
        "disabled": Shape({"type": TEXT}), "between_tools": Shape({"type": TEXT}),
        "adaptive": Shape({"type": TEXT, **DISPLAY_OF_THINKING})}),
    "tool_choice?": Tagged("type", {
        "auto": Shape({"type": TEXT, **PARALLEL}), "any": Shape({"type": TEXT, **PARALLEL}),
        "tool": Shape({"type": TEXT, "name": TOOL_NAME, **PARALLEL}), "none": Shape({"type": TEXT})}),
    "user_profile_id?": TEXT,
    "workspace_id?": TEXT,
}


# API version: the fields that it removed.
VERSIONS = {"2023-06-01": (), "2026-10-21": ("temperature?", "top_k?", "top_p?")}


def request_shape(version, betas):
    """The fields of a request of this version with these betas."""
    fields, tools = dict(FIELDS), dict(TOOLS)
    for name in VERSIONS.get(version, ()):
        del fields[name]
    for name, (checker, opener) in BETA_FIELDS.items():
        if any(beta.startswith(opener) for beta in betas):
            fields[name] = checker
    for name, (shape, opener) in BETA_TOOLS.items():
        if any(beta.startswith(opener) for beta in betas):
            tools[name] = shape
    fields["tools?"] = List(Tagged("type", tools, untagged=CUSTOM))
    return Shape(fields)
