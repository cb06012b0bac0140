"""Checks JSON values with tables that look like the published types, and reports violations.

    PART = Shape({"type": Only("text"), "text": TEXT, "cache_control?": CACHE})

A field whose name ends with "?" may be missing; a field that is not in the table is a violation. A checker has
`kinds`, the JSON types that it accepts, and `check(value, place, report)`, which adds to the report and never raises.
"""

import json
from typing import NamedTuple


class Violation(NamedTuple):
    rule: str  # unknown_field, missing_field, wrong_type, bad_value, ...: for tests.
    place: str  # "messages[0].content[1].text", "header anthropic-version", "" for the whole.
    message: str


class Report:
    """The violations and images of one request."""

    def __init__(self):
        self.violations = []
        self.images = []

    def add(self, rule, place, message):
        self.violations.append(Violation(rule, place, message))

    def sees(self, rule):
        return any(violation.rule == rule for violation in self.violations)


def kind_of(value):
    if value is None:
        return "null"
    for kind, python in (("boolean", bool), ("number", (int, float)), ("string", str), ("array", list)):
        if isinstance(value, python):
            return kind
    return "object"


def inside(place, field):
    return f"{place}.{field}" if place else field


class Checker:
    kinds = frozenset()

    def check(self, value, place, report):
        if kind_of(value) not in self.kinds:
            report.add("wrong_type", place, f"{' or '.join(sorted(self.kinds))} expected, {kind_of(value)} found")
        else:
            self.look(value, place, report)

    def look(self, value, place, report):
        """Checks that the value has one of the kinds."""


class Anything(Checker):
    kinds = frozenset({"null", "boolean", "number", "string", "array", "object"})


class Text(Checker):
    kinds = frozenset({"string"})

    def __init__(self, least=0, most=None, pattern=None):
        self.least, self.most, self.pattern = least, most, pattern

    def look(self, value, place, report):
        if len(value) < self.least:
            report.add("bad_value", place, f"a string of {self.least} characters or more expected")
        if self.most is not None and len(value) > self.most:
            report.add("bad_value", place, f"{len(value)} characters, more than {self.most}")
        if self.pattern is not None and not self.pattern.fullmatch(value):
            report.add("bad_value", place, f"does not match {self.pattern.pattern}")


class Only(Checker):
    """One of these strings."""

    kinds = frozenset({"string"})

    def __init__(self, *values):
        self.values = values

    def look(self, value, place, report):
        if value not in self.values:
            report.add("bad_value", place, f"{value!r} is none of {', '.join(self.values)}")


class Number(Checker):
    kinds = frozenset({"number"})

    def __init__(self, least=None, most=None):
        self.least, self.most = least, most

    def look(self, value, place, report):
        if self.least is not None and value < self.least:
            report.add("bad_value", place, f"{value} is below {self.least}")
        if self.most is not None and value > self.most:
            report.add("bad_value", place, f"{value} is above {self.most}")


class Whole(Number):
    def look(self, value, place, report):
        if not isinstance(value, int):
            report.add("wrong_type", place, f"an integer expected, {value} found")
        else:
            super().look(value, place, report)


class Flag(Checker):
    kinds = frozenset({"boolean"})


class List(Checker):
    kinds = frozenset({"array"})

    def __init__(self, element, least=0, most=None):
        self.element, self.least, self.most = element, least, most

    def look(self, value, place, report):
        if len(value) < self.least:
            report.add("bad_value", place, f"{self.least} elements or more expected")
        if self.most is not None and len(value) > self.most:
            report.add("bad_value", place, f"{len(value)} elements, more than {self.most}")
        for index, element in enumerate(value):
            self.element.check(element, f"{place}[{index}]", report)


class Map(Checker):
    """An object with keys of the caller's choice."""

    kinds = frozenset({"object"})

    def __init__(self, value=Anything(), most=None):
        self.value, self.most = value, most

    def look(self, value, place, report):
        if self.most is not None and len(value) > self.most:
            report.add("bad_value", place, f"{len(value)} keys, more than {self.most}")
        for key, held in value.items():
            self.value.check(held, inside(place, key), report)


class Shape(Checker):
    """An object with exactly these fields. `then(value, place, report)` runs if the fields are right."""

    kinds = frozenset({"object"})

    def __init__(self, fields, then=None):
        self.fields = {name.rstrip("?"): checker for name, checker in fields.items()}
        self.required = [name for name in fields if not name.endswith("?")]
        self.then = then

    def look(self, value, place, report):
        before = len(report.violations)
        for name in self.required:
            if name not in value:
                report.add("missing_field", inside(place, name), "required")
        for name, held in value.items():
            if name in self.fields:
                self.fields[name].check(held, inside(place, name), report)
            else:
                report.add("unknown_field", inside(place, name), "the API has no such field here")
        if self.then is not None and len(report.violations) == before:
            self.then(value, place, report)


class Tagged(Checker):
    """An object whose shape depends on one field; `untagged` applies if that field is missing."""

    kinds = frozenset({"object"})

    def __init__(self, tag, shapes, untagged=None):
        self.tag, self.shapes, self.untagged = tag, shapes, untagged

    def look(self, value, place, report):
        tag = value.get(self.tag)
        if tag is None and self.untagged is not None:
            self.untagged.look(value, place, report)
        elif self.tag not in value:
            report.add("missing_field", inside(place, self.tag), "required")
        elif not isinstance(tag, str) or tag not in self.shapes:
            report.add("bad_value", inside(place, self.tag), f"{tag!r} is none of {', '.join(self.shapes)}")
        else:
            self.shapes[tag].look(value, place, report)


class Either(Checker):
    """The first checker without a violation; else the one with the fewest."""

    def __init__(self, *options):
        self.options = options
        self.kinds = frozenset().union(*(option.kinds for option in options))

    def look(self, value, place, report):
        tries = []
        for option in self.options:
            if kind_of(value) in option.kinds:
                scratch = Report()
                option.look(value, place, scratch)
                tries.append(scratch)
        best = min(tries, key=lambda scratch: len(scratch.violations))
        report.violations += best.violations
        report.images += best.images


class Null(Checker):
    kinds = frozenset({"null"})


class Later(Checker):
    """A checker that is named before it exists, for recursive shapes."""

    def __init__(self, find, kinds=("object",)):
        self.find, self.kinds = find, frozenset(kinds)

    def look(self, value, place, report):
        self.find().look(value, place, report)


def nullable(checker):
    return Either(checker, Null())


ANY = Anything()
TEXT = Text()
FLAG = Flag()
OBJECT = Map()
TEXTS = List(TEXT)


class BadJson(ValueError):
    """Why bytes are not JSON that all readers understand in the same way."""


def _pairs(pairs):
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise BadJson(f"the key {key!r} stands twice in one object")
    return dict(pairs)


def _constant(name):
    raise BadJson(f"{name} is not JSON")


def _well_formed(value):
    if isinstance(value, str):
        value.encode()
    for held in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _well_formed(held)
    for key in value if isinstance(value, dict) else ():
        key.encode()


def read_json(data):
    """Parses bytes; raises BadJson. Stricter than Python's parser: no NaN, no duplicate key, no lone surrogate."""
    try:
        value = json.loads(data.decode(), object_pairs_hook=_pairs, parse_constant=_constant)
        _well_formed(value)
        return value
    except UnicodeError as error:
        raise BadJson(f"not valid UTF-8: {error.reason}") from None
    except RecursionError:
        raise BadJson("nested too deeply") from None
    except ValueError as error:
        raise BadJson(str(error)) from None
