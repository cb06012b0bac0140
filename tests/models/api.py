"""What the four APIs have in common: a request that came in, the answer that goes out, and how one API is described."""

from typing import NamedTuple


class Request(NamedTuple):
    method: str
    path: str  # Without the query.
    query: dict  # Name to values.
    headers: dict  # Names in lower case.
    body: object  # Parsed JSON; None where there is none.
    number: int  # The how manieth request of this server, from 1: the line in the file of requests.


class Answer(NamedTuple):
    status: int
    headers: dict
    body: object  # To be written as JSON.


class Usage(NamedTuple):
    input: int  # Tokens, what came from a cache included.
    output: int  # Thinking included.
    cached: int
    thinking: int


class Api:
    """One vendor's API. Stateless; any thread."""

    name = ""
    vendor = ""  # Of the tables of image limits.
    key_header = ""
    max_body = 0  # Bytes.

    def owns(self, method, path):
        raise NotImplementedError

    def key_forms(self, key, headers):
        """The headers that may carry the key, and what they then hold."""
        return [(self.key_header, key)]

    def query_fields(self):
        return ()

    def check_headers(self, headers, report):
        """Headers of this vendor alone; key and content-type are looked at for all."""

    def check_body(self, request, report):
        raise NotImplementedError

    def model(self, request):
        return request.body.get("model", "") if isinstance(request.body, dict) else ""

    def texts(self, body):
        """All texts that the model would read, joined."""
        raise NotImplementedError

    def answer(self, entry, request, usage):
        """An ordinary answer of a script's entry."""
        raise NotImplementedError

    def error(self, status, message, request, entry=None, param=None, code=None):
        """An error in the vendor's form: an Answer."""
        raise NotImplementedError

    def violation(self, violation, request):
        """What is answered to a request that breaks a rule."""
        raise NotImplementedError

    def bad_key(self, given, request):
        """What is answered where the key is missing (given is None) or wrong."""
        raise NotImplementedError


class Said:
    """What the model said around each of its calls. Vendors check it where it comes back. Any thread."""

    def __init__(self):
        self.by_call = {}

    def keep(self, ids, items):
        for call_id in ids:
            self.by_call[call_id] = items

    def check(self, ids, items, place, report):
        """Items of one turn that hold these calls: as they were said, thoughts and signatures included."""
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
    """An identifier of the vendor's look, the same in each run."""
    return prefix + format(number, "x").rjust(length, "0")


def call_of(entry_call):
    """A vendor-neutral call: its name, arguments and id, or None where it is written in the vendor's own form."""
    if "vendor" in entry_call:
        return None
    return entry_call["name"], entry_call.get("arguments", {}), entry_call.get("id")
