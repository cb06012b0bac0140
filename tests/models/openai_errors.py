"""Errors and keys of both APIs of OpenAI. Source: developers.openai.com/api/docs/guides/error-codes"""

from api import Answer, fixed_id

TYPES = {429: "requests", 500: "server_error", 502: "server_error", 503: "server_error", 504: "server_error"}
CODES = {401: "invalid_api_key", 403: "unsupported_country_region_territory", 404: "model_not_found",
         429: "rate_limit_exceeded"}
QUOTA = "You exceeded your current quota, please check your plan and billing details."


class OpenAiErrors:
    vendor = "openai"
    key_header = "authorization"
    # The images guide allows more for some models; screenshots are far smaller.
    max_body = 50_000_000

    def key_forms(self, key, headers):
        return [(self.key_header, f"Bearer {key}")]

    def error(self, status, message, request, entry=None, param=None, code=None):
        quota = bool((entry or {}).get("quota"))
        kind = "insufficient_quota" if quota else TYPES.get(status, "invalid_request_error")
        code = "insufficient_quota" if quota else code or CODES.get(status)
        message = message or (QUOTA if quota else f"The server answers {status}.")
        headers = {"x-request-id": fixed_id("req_", request.number, 32)}
        return Answer(status, headers, {"error": {"message": message, "type": kind, "param": param, "code": code}})

    def context_full(self, request):
        return self.error(400, "This model's maximum context length is 128000 tokens. Please reduce the length of the "
                          "messages.", request, param=self.context_param, code="context_length_exceeded")

    def bad_key(self, given, request):
        if given is None:
            answer = self.error(401, "You didn't provide an API key.", request)
            answer.body["error"]["code"] = None
            return answer
        return self.error(401, "Incorrect API key provided.", request)

    def violation(self, violation, request):
        code = {"unknown_field": "unknown_parameter", "missing_field": "missing_required_parameter",
                "wrong_type": "invalid_type", "bad_value": "invalid_value"}.get(violation.rule)
        return self.error(400, f"{violation.place or 'request'}: {violation.message}", request,
                          param=violation.place or None, code=code)
