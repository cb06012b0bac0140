"""The script of replies: a JSON file with a list of entries, used in order, one for each request to any of the APIs.

The model's answer:
  {"text": "..."}                 an answer; a list of strings becomes as many parts or blocks
  "thinking": "..."               thinking before the text, in the vendor's form
  "calls": [{"name": "...", "arguments": {...}, "id": "..."}]
                                  calls of tools; "computer" is the computer tool, with the vendor's own arguments: an
                                  action of OpenAI (or {"actions": [...]}, and "safety_checks" beside "arguments"),
                                  Anthropic's {"action": ...}. {"vendor": {...}} is sent unchanged.
  "finish": "complete|length|refusal|filtered|context"  in the vendor's form; "reason" is the vendor's name
  "usage": {"input": N, "output": N, "cached": N, "thinking": N}  cached is part of input, thinking of output
  "model": "..."                  the model that answered
Errors, in the vendor's form:
  {"status": 429, "headers": {"Retry-After": "1"}, "error": "...", "quota": true}
Faults:
  {"drop": true}                  the connection is closed without an answer
  "stall": true                   headers, and then nothing until the client disconnects
  "half": true                    the full Content-Length, half of the body, then the end
  "slow": SECONDS                 the body byte by byte, over this time
  "encoding": "gzip|deflate"      the body compressed
  "content_type": "text/html"     with an HTML page if there is no text
  "raw": "..." or "raw_base64": "..."  these bytes as the body; default status 200
  "redirect": "URL"               307 to there
Expectations of the request:
  "api": "openai_chat|openai_responses|anthropic|gemini"
  "expect": ["..."], "expect_not": ["..."]  in the joined texts of the request
  "note": "..."                   for readers of the script
"""

import base64
import binascii
import json
import threading

from strict import (FLAG, OBJECT, TEXT, TEXTS, BadJson, Either, List, Map, Number, Only, Report, Shape, Text, Whole,
                    read_json)

USAGE = Shape({"input?": Whole(0), "output?": Whole(0), "cached?": Whole(0), "thinking?": Whole(0)})
CALL = Either(Shape({"name": Text(1), "arguments?": OBJECT, "id?": TEXT, "safety_checks?": List(OBJECT)}),
              Shape({"vendor": OBJECT}))


def _entry(entry, place, report):
    if not {"text", "calls", "finish", "status", "drop", "raw", "raw_base64", "redirect", "content_type"} & set(entry):
        report.add("missing_field", place, "says nothing that could be answered")
    usage = entry.get("usage", {})
    if usage.get("cached", 0) > usage.get("input", 0) or usage.get("thinking", 0) > usage.get("output", 0):
        report.add("bad_value", place, "cached is a part of input, thinking of output")
    if "raw_base64" in entry:
        try:
            base64.b64decode(entry["raw_base64"], validate=True)
        except (binascii.Error, ValueError):
            report.add("bad_value", place, "raw_base64 is not base64")


ENTRY = Shape({
    "text?": Either(TEXT, TEXTS), "thinking?": TEXT, "calls?": List(CALL, 1), "usage?": USAGE, "model?": TEXT,
    "reason?": TEXT, "finish?": Only("complete", "length", "refusal", "filtered", "context"),
    "status?": Whole(200, 599), "headers?": Map(TEXT), "error?": TEXT, "quota?": FLAG,
    "drop?": FLAG, "stall?": FLAG, "half?": FLAG, "slow?": Number(0), "encoding?": Only("gzip", "deflate"),
    "content_type?": TEXT, "raw?": TEXT, "raw_base64?": TEXT, "redirect?": TEXT,
    "api?": Only("openai_chat", "openai_responses", "anthropic", "gemini"), "expect?": TEXTS, "expect_not?": TEXTS,
    "note?": TEXT,
}, then=_entry)


class Script:
    """The entries, each used once. Any thread."""

    def __init__(self, entries):
        self.entries = entries
        self.played = 0
        self.lock = threading.Lock()

    @staticmethod
    def load(path):
        """Raises BadJson if an entry is impossible."""
        with open(path, "rb") as file:
            entries = read_json(file.read())
        report = Report()
        List(ENTRY).check(entries, "script", report)
        if report.violations:
            raise BadJson("; ".join(f"{violation.place}: {violation.message}" for violation in report.violations))
        return Script(entries)

    def next(self):
        """The next entry; None after the last."""
        with self.lock:
            if self.played == len(self.entries):
                return None
            self.played += 1
            return self.entries[self.played - 1]


def check_expectations(entry, api_name, texts, report):
    if entry.get("api", api_name) != api_name:
        report.add("expect", "", f"a request of {entry['api']} was expected, this one is of {api_name}")
    for wanted in entry.get("expect", ()):
        if wanted not in texts:
            report.add("expect", "", f"{wanted!r} is not in the texts of the request")
    for unwanted in entry.get("expect_not", ()):
        if unwanted in texts:
            report.add("expect", "", f"{unwanted!r} is in the texts of the request")


def as_json(body):
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
