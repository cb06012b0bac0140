"""Common code of the four APIs: requests, answers, and the interface of an API."""

from typing import NamedTuple


class Request(NamedTuple):
    method: str
    path: str  # Without the query.
    query: dict  # Name to values.
    headers: dict  # Names in lower case.
    body: object  # Parsed JSON; None without a body.
    number: int  # Number of the request, from 1: its line in the file of requests.


class Answer(NamedTuple):
    status: int
    headers: dict
    body: object  # Sent as JSON.


class Usage(NamedTuple):
    input: int  # Tokens, including cached ones.
    output: int  # Includes thinking.
    cached: int
    thinking: int


class Api:
    """One vendor's API. Stateless; any thread."""

    name = ""
    vendor = ""  # Key in the tables of image limits.
    key_header = ""
    max_body = 0  # Bytes.

    def owns(self, method, path):
        raise NotImplementedError

    def key_forms(self, key, headers):
        """The headers that may carry the key, and their values."""
        return [(self.key_header, key)]

    def query_fields(self):
        return ()

    def check_headers(self, headers, report):
        """Checks headers of this vendor; the server checks key and content-type for all."""

    def check_body(self, request, report):
        raise NotImplementedError

    def model(self, request):
        return request.body.get("model", "") if isinstance(request.body, dict) else ""

    def texts(self, body):
        """All texts for the model, joined."""
        raise NotImplementedError

    def answer(self, entry, request, usage):
        """The answer of a script's entry."""
        raise NotImplementedError

    def error(self, status, message, request, entry=None, param=None, code=None):
        """An error in the vendor's form: an Answer."""
        raise NotImplementedError

    def violation(self, violation, request):
        """The answer to a request that breaks a rule."""
        raise NotImplementedError

    def bad_key(self, given, request):
        """The answer to a missing (given is None) or wrong key."""
        raise NotImplementedError


class Said:
    """The items around each of the model's calls, which vendors check when they come back. Any thread."""

    def __init__(self):
        self.by_call = {}

    def keep(self, ids, items):
        for call_id in ids:
            self.by_call[call_id] = items

    def check(self, ids, items, place, report):
        """Checks that a turn with these calls comes back unchanged, including thoughts and signatures."""
        for said in [self.by_call[call_id] for call_id in ids if call_id in self.by_call][:1]:
            if said != items:
                report.add("changed", place, "a turn with calls comes back as the model said it, thoughts included")


def strings(value, fields):
    """The strings under these field names, at any depth, in order."""
    if isinstance(value, list):
        return [text for held in value for text in strings(held, fields)]
    if not isinstance(value, dict):
        return []
    found = []
    for name, held in value.items():
        if isinstance(held, str) and name in fields:
            found.append(held)
        else:
            found += strings(held, fields)
    return found


def parts_of(entry):
    """The texts of an entry: one, or several that the vendor sends as parts."""
    text = entry.get("text", "")
    return [text] if isinstance(text, str) else text


def whole_text(entry):
    return "".join(parts_of(entry))


def fixed_id(prefix, number, length=24):
    """An identifier in the vendor's form, the same in each run."""
    return prefix + format(number, "x").rjust(length, "0")


def call_of(entry_call):
    """A vendor-neutral call: its name, arguments and id, or None if it is in the vendor's form."""
    if "vendor" in entry_call:
        return None
    return entry_call["name"], entry_call.get("arguments", {}), entry_call.get("id")
