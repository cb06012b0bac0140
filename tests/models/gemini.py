"""Gemini: POST /v1beta/models/MODEL:generateContent. gemini_fields.py lists the fields.

Sources: ai.google.dev/api/generate-content; ai.google.dev/gemini-api/docs/troubleshooting (status of errors);
cloud.google.com/apis/design/errors (form of errors and their details).
"""

import re

import images
from api import Answer, Api, Said, call_of, fixed_id, parts_of, strings
from gemini_fields import REQUEST

PATH = re.compile(r"/v1beta/models/([A-Za-z0-9._-]+):generateContent")
STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
          429: "RESOURCE_EXHAUSTED", 499: "CANCELLED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}
FINISH = {"complete": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}
RPC = "type.googleapis.com/google.rpc."


def ids_of(parts):
    return [part["functionCall"]["id"] for part in parts if isinstance(part.get("functionCall"), dict)
            and isinstance(part["functionCall"].get("id"), str)]


def check_turns(body, report):
    """Turns alternate (the API joins other turns, and refused them before); calls are answered at once, in order."""
    calls, side = [], "model"
    for index, content in enumerate(body["contents"]):
        place = f"contents[{index}]"
        role = content.get("role", "user")
        if role == side:
            report.add("turns", place,
                       f"two turns of {side} in a row" if index else "the first turn must be the user's")
        side = role
        responses = [part["functionResponse"] for part in content["parts"] if "functionResponse" in part]
        if [call["name"] for call in calls] != [response["name"] for response in responses]:
            report.add("turns", place,
                       "the function responses must be those of the calls of the turn before, in their order")
        for call, response in zip(calls, responses):
            check_response(call, response, place, report)
        calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
        if calls and role == "user":
            report.add("turns", place, "functionCall stands in the model's turns")
        if calls and not body.get("tools"):
            report.add("turns", place, "a function is called and no tool is declared")
    if side == "model":
        report.add("turns", f"contents[{len(body['contents']) - 1}]",
                   "the last turn is the model's own: nothing to answer")


def check_response(call, response, place, report):
    """The result has the call's id, and acknowledges a confirmation exactly if the call was carried out."""
    if call.get("id") != response.get("id"):
        report.add("turns", place, f"answers {response.get('id')} where {call.get('id')} was called")
    decision = call.get("args", {}).get("safety_decision")
    asked = isinstance(decision, dict) and decision.get("decision") == "require_confirmation"
    acknowledged = response["response"].get("safety_acknowledgement")
    if acknowledged is not None and (not asked or acknowledged != "true"):
        report.add("turns", place,
                   f"{call['name']}: a safety_acknowledgement that was not asked for, or is not \"true\"")
    if asked and acknowledged is None and "error" not in response["response"]:
        report.add("turns", place, f"{call['name']} required a confirmation, which is not acknowledged")


class Gemini(Api):
    name = "gemini"
    vendor = "gemini"
    key_header = "x-goog-api-key"
    max_body = 20_000_000

    def __init__(self, resized):
        self.resized, self.said = resized, Said()

    def owns(self, method, path):
        return method == "POST" and PATH.fullmatch(path) is not None

    def query_fields(self):
        # developers.google.com: "System parameters". Without the key, which would reach logs.
        return ("alt", "$alt", "fields", "$fields", "prettyPrint", "quotaUser")

    def model(self, request):
        return PATH.fullmatch(request.path)[1]

    def check_body(self, request, report):
        REQUEST.check(request.body, "", report)
        if report.violations:
            return
        if not request.body.get("generationConfig", {}).get("maxOutputTokens"):
            report.add("no_token_limit", "generationConfig.maxOutputTokens", "our requests always bound the answer")
        check_turns(request.body, report)
        for index, content in enumerate(request.body["contents"]):
            self.said.check(ids_of(content["parts"]), content["parts"], f"contents[{index}].parts", report)
        images.check_limits("gemini", self.model(request), report, self.resized)

    def texts(self, body):
        return "\n".join(strings({name: body.get(name) for name in ("systemInstruction", "contents")}, ("text",)))

    def answer(self, entry, request, usage):
        finish = entry.get("finish", "complete")
        if finish == "context":
            return self.error(400, "The input token count exceeds the maximum number of tokens allowed 1048576.",
                              request)
        counted = {"promptTokenCount": usage.input, "totalTokenCount": usage.input + usage.output,
                   "promptTokensDetails": [{"modality": "TEXT", "tokenCount": usage.input}]}
        if usage.cached:
            counted["cachedContentTokenCount"] = usage.cached
        body = {"usageMetadata": counted, "modelVersion": entry.get("model", self.model(request)),
                "responseId": fixed_id("", request.number, 22)}
        if finish == "filtered":
            # A blocked prompt has no candidates.
            counted["totalTokenCount"] = usage.input
            return Answer(200, {}, {"promptFeedback": {"blockReason": entry.get("reason", "SAFETY")}, **body})
        counted["candidatesTokenCount"] = usage.output - usage.thinking
        if usage.thinking:
            counted["thoughtsTokenCount"] = usage.thinking
        candidate = {"content": {"parts": self.parts(entry, request), "role": "model"},
                     "finishReason": FINISH[finish], "index": 0}
        if finish == "refusal":
            candidate["finishReason"] = entry.get("reason", "SAFETY")
            candidate["safetyRatings"] = [
                {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": True}]
            if "text" not in entry:
                del candidate["content"]
        return Answer(200, {}, {"candidates": [candidate], **body})

    def parts(self, entry, request):
        parts = self.said_parts(entry, request)
        self.said.keep(ids_of(parts), parts)
        return parts

    def said_parts(self, entry, request):
        parts = [{"text": entry["thinking"], "thought": True}] if "thinking" in entry else []
        parts += [{"text": text} for text in parts_of(entry) if text]
        for index, entry_call in enumerate(entry.get("calls", ())):
            neutral = call_of(entry_call)
            parts.append(entry_call["vendor"] if neutral is None else {"functionCall": {
                "name": neutral[0], "args": neutral[1], "id": neutral[2] or fixed_id("", request.number * 100 + index,
                                                                                     8)}})
            if index == 0 and neutral is not None and "thinking" in entry:
                parts[-1]["thoughtSignature"] = f"c2lnbmF0dXJl{request.number:04}"
        return parts

    def error(self, status, message, request, entry=None, param=None, code=None):
        entry = entry or {}
        details = []
        if entry.get("quota"):
            message = message or "You exceeded your current quota, please check your plan and billing details."
            details.append({"@type": RPC + "QuotaFailure", "violations": [{
                "quotaMetric": "generativelanguage.googleapis.com/generate_content_paid_tier_requests",
                "quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]})
        wait = entry.get("headers", {}).get("Retry-After", "")
        if wait.isdigit():
            details.append({"@type": RPC + "RetryInfo", "retryDelay": f"{wait}s"})
        if param is not None:
            details.append({"@type": RPC + "BadRequest", "fieldViolations": [{"field": param, "description": message}]})
        if code is not None:
            details.append({"@type": RPC + "ErrorInfo", "reason": code, "domain": "googleapis.com",
                            "metadata": {"service": "generativelanguage.googleapis.com"}})
        error = {"code": status, "message": message or f"The server answers {status}.",
                 "status": STATUS.get(status, "UNKNOWN")}
        if details:
            error["details"] = details
        return Answer(status, {}, {"error": error})

    def bad_key(self, given, request):
        if given is None:
            return self.error(403, "Method doesn't allow unregistered callers (callers without established identity).",
                              request)
        return self.error(400, "API key not valid. Please pass a valid API key.", request, code="API_KEY_INVALID")

    def violation(self, violation, request):
        message = f"{violation.place or 'request'}: {violation.message}"
        if violation.rule == "unknown_field":
            parent, _, name = violation.place.rpartition(".")
            message = f'Invalid JSON payload received. Unknown name "{name}" at \'{parent}\': Cannot find field.'
        return self.error(400, message, request, param=violation.place)
