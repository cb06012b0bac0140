"""One valid request of each API, with an image and a schema; and hand-made images."""

import base64
import copy
import struct
import zlib

KEY = "test-key-0123456789"
SCHEMA = {"type": "object", "additionalProperties": False, "required": ["steps", "note"], "properties": {
    "note": {"type": ["string", "null"]},
    "steps": {"type": "array", "items": {"type": "object", "additionalProperties": False, "required": ["tool"],
                                         "properties": {"tool": {"type": "string", "enum": ["click", "type"]}}}}}}
GEMINI_SCHEMA = {"type": "OBJECT", "required": ["steps"], "properties": {
    "steps": {"type": "ARRAY", "items": {"type": "OBJECT", "properties": {"tool": {"type": "STRING"}}}}}}


def png(width, height):
    """A PNG of one gray; each row a filter byte and its pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(bytes((width + 1) * height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def jpeg_header(width, height):
    """The start of a JPEG, with its size."""
    return (b"\xff\xd8\xff\xe0" + struct.pack(">H", 16) + bytes(14)
            + b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9))


def encoded(data):
    return base64.b64encode(data).decode()


PNG = encoded(png(800, 600))

GOOD = {
    "openai_chat": ("/v1/chat/completions", {"Authorization": f"Bearer {KEY}"}, {
        "model": "gpt-4o", "max_completion_tokens": 500, "temperature": 0, "messages": [
            {"role": "system", "content": "You drive a desktop."},
            {"role": "user", "content": "open the editor"},
            {"role": "assistant", "content": "{}"},
            {"role": "user", "content": [
                {"type": "text", "text": "the screen now"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "high"}}]}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "plan", "strict": True, "schema": SCHEMA}}}),
    "openai_responses": ("/v1/responses", {"Authorization": f"Bearer {KEY}"}, {
        "model": "gpt-5.4", "max_output_tokens": 500, "store": False, "instructions": "You drive a desktop.", "input": [
            {"role": "user", "content": "open the editor"},
            {"role": "assistant", "content": "{}"},
            {"role": "user", "content": [
                {"type": "input_text", "text": "the screen now"},
                {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}]}],
        "text": {"format": {"type": "json_schema", "name": "plan", "strict": True, "schema": SCHEMA}}}),
    "anthropic": ("/v1/messages", {"x-api-key": KEY, "anthropic-version": "2023-06-01"}, {
        "model": "claude-sonnet-4-5", "max_tokens": 500, "system": "You drive a desktop.", "messages": [
            {"role": "user", "content": "open the editor"},
            {"role": "assistant", "content": "{}"},
            {"role": "user", "content": [
                {"type": "text", "text": "the screen now"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}]}],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}),
    "gemini": ("/v1beta/models/gemini-2.5-pro:generateContent", {"x-goog-api-key": KEY}, {
        "systemInstruction": {"parts": [{"text": "You drive a desktop."}]}, "contents": [
            {"role": "user", "parts": [{"text": "open the editor"}]},
            {"role": "model", "parts": [{"text": "{}"}]},
            {"role": "user", "parts": [
                {"text": "the screen now"}, {"inlineData": {"mimeType": "image/png", "data": PNG}}]}],
        "generationConfig": {"maxOutputTokens": 500, "responseMimeType": "application/json",
                             "responseSchema": GEMINI_SCHEMA}}),
}

COMPUTER_USE = {
    "openai_responses": {
        "model": "gpt-5.4", "max_output_tokens": 500, "tools": [{"type": "computer"}], "input": [
            {"role": "user", "content": "open the editor"},
            {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed",
             "actions": [{"type": "click", "button": "left", "x": 10, "y": 20}],
             "pending_safety_checks": [{"id": "sc_1", "code": "malicious_instructions", "message": "look"}]},
            {"type": "computer_call_output", "call_id": "call_1",
             "acknowledged_safety_checks": [{"id": "sc_1", "code": "malicious_instructions", "message": "look"}],
             "output": {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{PNG}"}}]},
    "anthropic": {
        "model": "claude-sonnet-4-5", "max_tokens": 500,
        "tools": [{"type": "computer_20250124", "name": "computer", "display_width_px": 800, "display_height_px": 600}],
        "messages": [
            {"role": "user", "content": "open the editor"},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "toolu_1", "name": "computer", "input": {"action": "screenshot"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}]}]}]},
    "gemini": {
        "tools": [{"computerUse": {"environment": "ENVIRONMENT_DESKTOP",
                                   "excludedPredefinedFunctions": ["drag_and_drop"]}}],
        "generationConfig": {"maxOutputTokens": 500},
        "contents": [
            {"role": "user", "parts": [{"text": "open the editor"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "click_at", "args": {
                "x": 5, "y": 6, "safety_decision": {"decision": "require_confirmation", "explanation": "look"}}}}]},
            {"role": "user", "parts": [{"functionResponse": {
                "name": "click_at", "response": {"url": "", "safety_acknowledgement": "true"},
                "parts": [{"inlineData": {"mimeType": "image/png", "data": PNG}}]}}]}]},
}


def good(api):
    """Path, headers and body; the caller may change them."""
    return copy.deepcopy(GOOD[api])


def change_at(value, path, new):
    """Sets the value at "a.0.b"; `new` None deletes it."""
    *parents, last = path.split(".")
    for key in parents:
        value = value[int(key) if isinstance(value, list) else key]
    last = int(last) if isinstance(value, list) else last
    if new is None:
        del value[last]
    else:
        value[last] = new
