"""Each vendor's subset of JSON Schema for answers.

Sources:
  OpenAI     developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas"
  Anthropic  platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations"
  Gemini     the doc comments of GenerationConfig.responseSchema and responseJsonSchema in @google/genai
"""

from strict import ANY, FLAG, TEXT, TEXTS, Either, Later, List, Map, Number, Only, Shape, Text, Whole, inside

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")


class Subset:
    """One vendor's subset."""

    def __init__(self, keywords, formats, all_required, closed, depth, recursion, min_items=None):
        self.keywords = set(keywords)
        self.formats = formats
        self.all_required = all_required  # Each property must be required.
        self.closed = closed  # Each object must have additionalProperties: false.
        self.depth = depth  # Depth of nested objects; 0: any.
        self.recursion = recursion
        self.min_items = min_items  # The values of minItems; None: any.


COMMON = ("type", "description", "title", "properties", "required", "additionalProperties", "items", "enum", "const",
          "anyOf", "$ref", "$defs", "definitions", "format", "pattern", "minItems")
OPENAI_STRICT = Subset(
    (*COMMON, "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxItems"),
    FORMATS, all_required=True, closed=True, depth=10, recursion=True)
ANTHROPIC = Subset(
    (*COMMON, "allOf", "default"), (*FORMATS, "uri"), all_required=False, closed=True, depth=0, recursion=False,
    min_items=(0, 1))
GEMINI_JSON = Subset(
    ("$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems",
     "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required",
     "propertyOrdering"),
    None, all_required=False, closed=False, depth=0, recursion=True)

OPENAI_PROPERTIES = 5000  # Of the whole schema.
OPENAI_ENUM_VALUES = 1000  # Of the whole schema.


def check_subset(subset, schema, place, report):
    """Checks a JSON Schema document against one vendor's subset."""
    walk = _Walk(subset, schema, report)
    walk.visit(schema, place, depth=1)
    if not subset.recursion and walk.recursive():
        report.add("schema", place, "recursive schemas are not supported")
    if subset is OPENAI_STRICT:
        if isinstance(schema, dict) and (schema.get("type") != "object" or "anyOf" in schema):
            report.add("schema", place, "the root must be an object and no anyOf")
        if walk.properties > OPENAI_PROPERTIES:
            report.add("schema", place, f"{walk.properties} properties, more than {OPENAI_PROPERTIES}")
        if walk.enum_values > OPENAI_ENUM_VALUES:
            report.add("schema", place, f"{walk.enum_values} values of enums, more than {OPENAI_ENUM_VALUES}")


class _Walk:
    def __init__(self, subset, root, report):
        self.subset, self.root, self.report = subset, root, report
        self.properties = self.enum_values = 0
        self.within = "#"  # The current definition, or the root.
        self.refers = {}  # Definition: the definitions to which it refers.

    def say(self, place, message):
        self.report.add("schema", place, message)

    def visit(self, schema, place, depth):
        if not isinstance(schema, dict):
            self.say(place, "a schema is an object")
            return
        for keyword in schema:
            if keyword not in self.subset.keywords:
                self.say(inside(place, keyword), "not in the vendor's subset of JSON Schema")
        types = schema.get("type", [])
        for name in types if isinstance(types, list) else [types]:
            if name not in TYPES:
                self.say(inside(place, "type"), f"{name!r} is no type")
        if not {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"} & set(schema):
            self.say(place, "says no type")
        self.values(schema, place)
        if schema.get("type") == "object" or "properties" in schema:
            self.object(schema, place, depth)
        if schema.get("type") == "array" and "items" not in schema and "prefixItems" not in schema:
            self.say(place, "an array without items")
        self.inner(schema, place, depth)

    def values(self, schema, place):
        enum = schema.get("enum", [])
        if "enum" in schema and (not isinstance(enum, list) or not enum):
            self.say(inside(place, "enum"), "a list of values expected")
            enum = []
        if any(isinstance(value, (list, dict)) for value in enum):
            self.say(inside(place, "enum"), "values must be simple")
        self.enum_values += len(enum)
        if "format" in schema and self.subset.formats is not None and schema["format"] not in self.subset.formats:
            self.say(inside(place, "format"), f"{schema['format']!r} is not supported")
        if self.subset.min_items is not None and schema.get("minItems", 0) not in self.subset.min_items:
            self.say(inside(place, "minItems"), f"must be one of {self.subset.min_items}")

    def object(self, schema, place, depth):
        properties, required = schema.get("properties", {}), schema.get("required", [])
        if not isinstance(properties, dict) or not isinstance(required, list):
            self.say(place, "properties must be an object and required a list")
            return
        self.properties += len(properties)
        if self.subset.closed and schema.get("additionalProperties") is not False:
            self.say(place, "additionalProperties must be there and false")
        required = [name for name in required if isinstance(name, str)]
        if self.subset.all_required and sorted(required) != sorted(properties):
            self.say(place, f"required must name each property: {', '.join(sorted(set(properties) ^ set(required)))}")
        for name in required:
            if name not in properties:
                self.say(inside(place, "required"), f"{name!r} is no property")
        if self.subset.depth and depth > self.subset.depth:
            self.say(place, f"objects nested deeper than {self.subset.depth}")
        for name, held in properties.items():
            self.visit(held, inside(inside(place, "properties"), name), depth + 1)

    def inner(self, schema, place, depth):
        if "items" in schema:
            self.visit(schema["items"], inside(place, "items"), depth)
        for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
            for index, held in enumerate(schema.get(keyword, [])):
                self.visit(held, f"{inside(place, keyword)}[{index}]", depth)
        if schema is self.root:
            for keyword in ("$defs", "definitions"):
                for name, held in schema.get(keyword, {}).items():
                    self.within = f"#/{keyword}/{name}"
                    self.visit(held, inside(inside(place, keyword), name), depth)
                    self.within = "#"
        if "$ref" in schema:
            self.reference(schema, place)

    def reference(self, schema, place):
        target = schema["$ref"]
        parts = target.split("/") if isinstance(target, str) else []
        known = target == "#" or (len(parts) == 3 and parts[0] == "#" and parts[1] in ("$defs", "definitions")
                                  and parts[2] in self.root.get(parts[1], {}))
        if not known:
            self.say(inside(place, "$ref"), f"{target!r} is not in this schema")
        else:
            self.refers.setdefault(self.within, set()).add(target)
        if self.subset is GEMINI_JSON and any(not keyword.startswith("$") for keyword in schema):
            self.say(place, "beside $ref only fields that begin with $ may stand")

    def recursive(self):
        def leads_to(at, goal, seen):
            return any(target == goal or (target not in seen and leads_to(target, goal, seen | {target}))
                       for target in self.refers.get(at, ()))

        return any(leads_to(name, name, {name}) for name in self.refers)


# Gemini's own Schema, a subset of OpenAPI 3.0: no $ref, no additionalProperties, types in capitals. int64 fields are
# strings in protobuf's JSON; the API reads numbers too.
INT64 = Either(Text(), Whole(0))


def _gemini_object(schema, place, report):
    for name in schema.get("required", []) + schema.get("propertyOrdering", []):
        if name not in schema.get("properties", {}):
            report.add("schema", place, f"{name!r} is no property")
    if schema.get("type") == "OBJECT" and not schema.get("properties"):
        report.add("schema", inside(place, "properties"), "must not be empty for OBJECT")
    if schema.get("type") == "ARRAY" and "items" not in schema:
        report.add("schema", inside(place, "items"), "missing for ARRAY")
    if "enum" in schema and schema.get("type") != "STRING":
        report.add("schema", inside(place, "enum"), "only allowed for STRING")
    if "type" not in schema and "anyOf" not in schema:
        report.add("schema", inside(place, "type"), "missing")


GEMINI_SCHEMA = Shape({
    # The service also accepts lower case.
    "type?": Only("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL",
                  "string", "number", "integer", "boolean", "array", "object", "null"),
    "anyOf?": List(Later(lambda: GEMINI_SCHEMA)), "default?": ANY, "description?": TEXT, "enum?": List(TEXT, 1),
    "example?": ANY, "format?": TEXT, "items?": Later(lambda: GEMINI_SCHEMA), "maxItems?": INT64, "maxLength?": INT64,
    "maxProperties?": INT64, "maximum?": Number(), "minItems?": INT64, "minLength?": INT64, "minProperties?": INT64,
    "minimum?": Number(), "nullable?": FLAG, "pattern?": TEXT, "properties?": Map(Later(lambda: GEMINI_SCHEMA)),
    "propertyOrdering?": TEXTS, "required?": TEXTS, "title?": TEXT,
}, then=lambda schema, place, report: _gemini_object(
    dict(schema, **({"type": schema["type"].upper()} if "type" in schema else {})), place, report))
