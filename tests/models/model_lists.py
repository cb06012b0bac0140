"""The servers' lists of models: names, image input and context length.

Sources: the vendors' references of GET models; github.com/ggml-org/llama.cpp tools/server/README.md (/props);
docs.ollama.com/api (/api/tags, /api/show, /api/ps); docs.vllm.ai (max_model_len in its ModelCard); lmstudio.ai/docs
"REST API" v1 and v0, which answer unknown paths with 200.
"""

from api import Answer
from local_servers import llama_props

CREATED = {"object": "model", "created": 1700000000, "owned_by": "system"}


def _openai(name):
    return {"id": name, **CREATED}


def _anthropic(name, options):
    return {"type": "model", "id": name, "display_name": name, "created_at": "2025-09-29T00:00:00Z",
            "max_input_tokens": options.context, "max_tokens": 64000, "capabilities": {
                "image_input": {"supported": options.vision == "yes"}, "structured_outputs": {"supported": True}}}


def _gemini(name, options):
    return {"name": f"models/{name}", "version": "001", "displayName": name, "inputTokenLimit": options.context,
            "outputTokenLimit": 65536, "supportedGenerationMethods": ["generateContent", "countTokens"]}


def _listed_openai(options):
    if options.dialect == "vllm":
        return [{**_openai(name), "root": name, "parent": None, "max_model_len": options.context}
                for name in options.models]
    return [_openai(name) for name in options.models]


def _listed_anthropic(options):
    return {"data": [_anthropic(name, options) for name in options.models], "has_more": False,
            "first_id": options.models[0] if options.models else None,
            "last_id": options.models[-1] if options.models else None}


def _ollama(path, body, options):
    if path == "/api/tags":
        return {"models": [{"name": name, "model": name, "size": 1, "digest": "0" * 64} for name in options.models]}
    if path == "/api/ps":
        return {"models": [{"name": name, "model": name, "context_length": options.context}
                           for name in options.models if options.loaded == "yes"]}
    if path == "/api/show" and isinstance(body, dict) and body.get("model") in options.models:
        return {"parameters": 'stop                           "<|im_end|>"\ntemperature                    0.0001',
                "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 128000},
                "capabilities": ["completion", "tools", *(["vision"] if options.vision == "yes" else [])]}
    return None


def _lmstudio(path, options):
    sees = options.vision == "yes"
    if path == "/api/v1/models" and options.lmstudio == "v1":
        return {"models": [{"type": "llm", "key": name, "max_context_length": 131072,
                            "loaded_instances": [{"id": name, "config": {"context_length": options.context}}],
                            "capabilities": {"vision": sees, "trained_for_tool_use": True}} for name in options.models]}
    if path == "/api/v0/models":
        return {"object": "list", "data": [{"id": name, "object": "model", "type": "vlm" if sees else "llm",
                                            "state": "not-loaded", "max_context_length": options.context}
                                           for name in options.models]}
    return {"error": f"Unexpected endpoint or method. (GET {path})"}


def api_name(path, headers):
    """The API whose key and error form apply to the request."""
    if path.startswith("/v1beta/"):
        return "gemini"
    return "anthropic" if "anthropic-version" in headers else "openai_chat"


def owns(method, path):
    return (method, path) == ("POST", "/api/show") or (method == "GET" and path.startswith(
        ("/v1/models", "/v1beta/models", "/props", "/api/")))


def answer(path, headers, body, options):
    """None: unknown path or model."""
    if path == "/props" and options.dialect in ("llamacpp", "openai"):
        return llama_props(options.models[0], options.vision == "yes", options.context)
    if path.startswith("/api/"):
        told = {"ollama": lambda: _ollama(path, body, options), "lmstudio": lambda: _lmstudio(path, options)}
        found = told.get(options.dialect, lambda: None)()
        return None if found is None else Answer(200, {}, found)
    anthropic = api_name(path, headers) == "anthropic"
    if path == "/v1beta/models":
        return Answer(200, {}, {"models": [_gemini(name, options) for name in options.models]})
    if path == "/v1/models":
        listed = _listed_anthropic(options) if anthropic else {"object": "list", "data": _listed_openai(options)}
        return Answer(200, {}, listed)
    name = path.split("/models/", 1)[-1]
    if name not in options.models or options.dialect in ("vllm", "llamacpp", "lmstudio"):
        return None
    if path.startswith("/v1beta/"):
        return Answer(200, {}, _gemini(name, options))
    return Answer(200, {}, _anthropic(name, options) if anthropic else _openai(name))
