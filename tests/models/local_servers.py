"""Differences between compatible servers and OpenAI's chat API, and their other paths.

Sources: github.com/ggml-org/llama.cpp tools/server/README.md; docs.ollama.com/api/openai-compatibility; docs.vllm.ai
"OpenAI-Compatible Server" (0.12 removed guided_json); lmstudio.ai/docs "OpenAI Compatibility Endpoints".
"""

from api import Answer
from strict import ANY, FLAG, OBJECT, TEXT, TEXTS, Either, List, Number, Only, Shape, Tagged, Text, Whole, nullable

SAMPLING = {"top_k?": Whole(), "min_p?": Number(0, 1), "typical_p?": Number(0, 1), "repeat_penalty?": Number(),
            "repeat_last_n?": Whole(), "mirostat?": Whole(0, 2), "mirostat_tau?": Number(), "mirostat_eta?": Number(),
            "dynatemp_range?": Number(), "dynatemp_exponent?": Number(), "samplers?": TEXTS, "ignore_eos?": FLAG}
NESTED_SCHEMA = Shape({"type": TEXT, "json_schema": Shape({
    "name": Text(1), "description?": TEXT, "schema": OBJECT, "strict?": nullable(FLAG)})})


def _llamacpp(fields):
    fields.update(SAMPLING)
    fields.update({
        "n_predict?": Whole(), "grammar?": TEXT, "json_schema?": OBJECT, "cache_prompt?": FLAG, "id_slot?": Whole(),
        "chat_template_kwargs?": OBJECT, "reasoning_format?": TEXT, "thinking_forced_open?": FLAG,
        "parse_tool_calls?": FLAG, "timings_per_token?": FLAG, "model?": TEXT, "response_format?": Tagged("type", {
            "text": Shape({"type": TEXT}),
            "json_object": Shape({"type": TEXT, "schema?": OBJECT}),
            # Flat, unlike OpenAI's json_schema: {name, ...}.
            "json_schema": Shape({"type": TEXT, "schema": OBJECT})})})
    fields.pop("model", None)
    return fields


# The fields that Ollama's page lists; Ollama silently ignores others, including max_completion_tokens.
OLLAMA_FIELDS = ("model", "messages", "frequency_penalty", "presence_penalty", "response_format", "seed", "stop",
                 "stream", "stream_options", "temperature", "top_p", "max_tokens", "tools", "reasoning_effort")


def _ollama(fields):
    kept = {name: checker for name, checker in fields.items() if name.rstrip("?") in OLLAMA_FIELDS}
    kept["response_format?"] = Tagged("type", {
        "text": Shape({"type": TEXT}), "json_object": Shape({"type": TEXT}), "json_schema": NESTED_SCHEMA})
    return kept


def _vllm(fields):
    fields.update({name: checker for name, checker in SAMPLING.items() if name in ("top_k?", "min_p?", "ignore_eos?")})
    fields.update({
        "repetition_penalty?": Number(), "length_penalty?": Number(), "stop_token_ids?": List(Whole()),
        "min_tokens?": Whole(),
        "include_stop_str_in_output?": FLAG, "skip_special_tokens?": FLAG, "chat_template?": TEXT,
        "chat_template_kwargs?": OBJECT, "add_generation_prompt?": FLAG, "continue_final_message?": FLAG,
        "mm_processor_kwargs?": OBJECT, "priority?": Whole(), "request_id?": TEXT,
        "structured_outputs?": Shape({
            "json?": Either(OBJECT, TEXT), "regex?": TEXT, "choice?": TEXTS, "grammar?": TEXT, "json_object?": FLAG,
            "disable_any_whitespace?": FLAG, "disable_additional_properties?": FLAG, "whitespace_pattern?": TEXT,
            "structural_tag?": TEXT}),
        "response_format?": Tagged("type", {
            "text": Shape({"type": TEXT}), "json_object": Shape({"type": TEXT}), "json_schema": NESTED_SCHEMA,
            "structural_tag": Shape({"type": TEXT, "structures": List(ANY), "triggers": TEXTS})})})
    return fields


# The fields that LM Studio's page lists. It accepts only json_schema as response_format.
LMSTUDIO_FIELDS = ("model", "messages", "top_p", "top_k", "temperature", "max_tokens", "stream", "stop",
                   "presence_penalty",
                   "frequency_penalty", "logit_bias", "repeat_penalty", "seed", "response_format", "tools",
                   "tool_choice")


def _lmstudio(fields):
    fields.update({"top_k?": Whole(), "repeat_penalty?": Number()})
    kept = {name: checker for name, checker in fields.items() if name.rstrip("?") in LMSTUDIO_FIELDS}
    kept["response_format?"] = Tagged("type", {"text": Shape({"type": TEXT}), "json_schema": NESTED_SCHEMA})
    kept["tool_choice?"] = Only("none", "auto", "required")
    return kept


CHANGES = {"openai": dict, "llamacpp": _llamacpp, "ollama": _ollama, "vllm": _vllm, "lmstudio": _lmstudio}


class Dialect:
    """The server's dialect of the chat API, and whether images may be so large that the vendor shrinks them."""

    def __init__(self, name="openai", resized="refuse"):
        self.name, self.resized = name, resized
        self.is_openai = name == "openai"

    def fields(self, fields):
        return CHANGES[self.name](dict(fields))


def llama_props(model, vision, context):
    """GET /props of llama.cpp."""
    return Answer(200, {}, {
        "default_generation_settings": {"id": 0, "id_task": -1, "n_ctx": context, "speculative": False,
                                        "is_processing": False,
                                        "params": {"n_predict": -1, "seed": 4294967295, "temperature": 0.8,
                                                   "top_k": 40}},
        "total_slots": 1, "model_alias": model, "model_path": f"/models/{model}.gguf",
        "modalities": {"vision": vision, "audio": False}, "media_marker": "<__media__>",
        "chat_template": "{{ messages }}", "chat_template_caps": {}, "bos_token": "<s>", "eos_token": "</s>",
        "build_info": "b8000-00000000", "is_sleeping": False})
