"""Rules 2, 3, 4, 8 and 9 of "Normal form": one JSON Schema."""

import re
from urllib.parse import unquote

from canonical import code_units, in_order

# Schema positions

ONE = set(
    "additionalItems additionalProperties contains contentSchema else if items not propertyNames then "
    "unevaluatedItems unevaluatedProperties".split()
)
LIST = set("allOf anyOf items oneOf prefixItems".split())
MAP = set("$defs definitions dependencies dependentSchemas patternProperties properties".split())
DEFINITIONS = {"$defs", "definitions"}


def keyword_children(word, value):
    """(steps, value) for each schema below one keyword; the names by code units. Other lists are data."""
    if isinstance(value, list):
        return [((word, str(index)), item) for index, item in enumerate(value)] if word in LIST else []
    if word in MAP and isinstance(value, dict):
        names = sorted(value, key=code_units)
        return [((word, name), value[name]) for name in names if not isinstance(value[name], list)]
    return [((word,), value)] if word in ONE else []


def children(schema):
    if not isinstance(schema, dict):
        return []
    return [child for word in sorted(schema, key=code_units) for child in keyword_children(word, schema[word])]


def walk(schema, with_definitions=True):
    """The schema and every schema below it: a schema before those below it."""
    yield schema
    for steps, child in children(schema):
        if with_definitions or steps[0] not in DEFINITIONS:
            yield from walk(child, with_definitions)


def rebuilt(schema, change):
    """The schema with each schema directly below it changed."""
    result = dict(schema)
    for steps, child in children(schema):
        if len(steps) == 1:
            result[steps[0]] = change(child)
            continue
        word, name = steps
        if result[word] is schema[word]:
            result[word] = schema[word].copy()
        result[word][int(name) if isinstance(result[word], list) else name] = change(child)
    return result


# Rule 4: references

UNTOUCHED = {"$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef"}


def decoded(step):
    if re.fullmatch(r"([^%]|%[0-9A-Fa-f]{2})*", step, re.DOTALL):
        try:
            step = unquote(step, errors="strict")
        except UnicodeDecodeError:
            pass
    return step.replace("~1", "/").replace("~0", "~")


def pointer_of(schema):
    """The steps of a local reference, else None. Text that is no pointer gives steps that lead nowhere."""
    ref = schema.get("$ref") if isinstance(schema, dict) else None
    if not isinstance(ref, str) or not ref.startswith("#"):
        return None
    first, *steps = ref[1:].split("/")
    return tuple(decoded(step) for step in steps) if first == "" else ("#", first)


def positions(schema, steps=()):
    """Pointer -> value, for all schema positions."""
    found = {steps: schema}
    for below, child in children(schema):
        found.update(positions(child, steps + below))
    return found


OPEN = "additionalProperties"


def is_open_object(value):
    """True or {}, or an object that only says so itself."""
    if not isinstance(value, dict):
        return value is True
    return all(word in DEFINITIONS or (word == OPEN and is_open_object(value[word])) for word in value)


def has_unevaluated(parts):
    return any(word.startswith("unevaluated") for part in parts if isinstance(part, dict) for word in part)


def size(value):
    """Values, and UTF-16 code units of text, keys included."""
    if isinstance(value, str):
        return 1 + units(value)
    if isinstance(value, list):
        return 1 + sum(size(item) for item in value)
    if isinstance(value, dict):
        return 1 + sum(units(key) + size(item) for key, item in value.items())
    return 1


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class References:
    """The used local references of a root schema, and what they become."""

    def __init__(self, root):
        self.at = positions(root)
        self.below = {}  # pointer of a target -> pointers of the references in it
        self.targets = set()
        self.is_open = True
        walked = 0
        waiting = [()]
        while waiting:
            target = waiting.pop()
            if target in self.below:
                continue
            if not isinstance(self.at.get(target), (dict, bool)):
                raise LookupError(target)
            parts = list(walk(self.at[target], False))
            walked += len(parts)
            if self.below and walked > 20_000:
                raise LookupError("too much to walk")
            self.is_open = self.is_open and not has_unevaluated(parts)
            self.below[target] = {pointer_of(part) for part in parts} - {None}
            self.targets |= self.below[target]
            waiting += self.below[target]
        if sum(size(self.at[target]) for target in self.targets) > 4_000_000:
            raise LookupError("too much to carry")
        self.inlines = len(self.targets) <= 200
        self.ready = {}  # pointer -> target after inlining
        self.costs = {}  # pointer -> size of all that is put in place of references to it

    def reaches_itself(self, target):
        seen = set()
        waiting = list(self.below[target])
        while waiting:
            pointer = waiting.pop()
            if pointer not in seen:
                seen.add(pointer)
                waiting += self.below[pointer]
        return target in seen

    def stands_alone(self, schema):
        """What rule 8 drops does not stand beside a reference."""
        beside = {word: value for word, value in schema.items() if word != "$ref"}
        return not beside or (self.is_open and list(beside) == [OPEN] and is_open_object(beside[OPEN]))

    def goes(self, schema, target):
        """True for a reference that gives way to its target."""
        return self.inlines and self.stands_alone(schema) and not self.reaches_itself(target)

    def cost(self, schema):
        """Size of what is put in place of the references in a schema."""
        if not isinstance(schema, dict):
            return 0
        schema = {word: value for word, value in schema.items() if word not in DEFINITIONS}
        target = pointer_of(schema)
        if target is None or target == () or not self.goes(schema, target):
            return sum(self.cost(child) for _, child in children(schema))
        if target not in self.costs:
            self.costs[target] = size(self.at[target]) + self.cost(self.at[target])
        return self.costs[target]

    def inlined(self, schema):
        """Without definitions, with targets in place; a reference that stays holds its pointer, a tuple."""
        if not isinstance(schema, dict):
            return schema
        schema = {word: value for word, value in schema.items() if word not in DEFINITIONS}
        target = pointer_of(schema)
        if target is not None and target != ():
            if self.goes(schema, target):
                if target not in self.ready:
                    self.ready[target] = self.inlined(self.at[target])
                return self.ready[target]
            schema["$ref"] = target
        return rebuilt(schema, self.inlined)

    def parts(self):
        """Pointer -> schema after inlining: the root, and each definition that stays."""
        found = {}
        waiting = [()]
        count = 0
        cost = 0
        while waiting:
            pointer = waiting.pop()
            if pointer in found:
                continue
            cost += self.cost(self.at[pointer])
            if cost > 100_000:
                self.inlines = False
                return self.parts()
            found[pointer] = self.inlined(self.at[pointer])
            for part in walk(found[pointer]):
                count += 1
                if self.inlines and count > 2000:
                    self.inlines = False
                    return self.parts()
                if isinstance(part, dict) and isinstance(part.get("$ref"), tuple):
                    waiting.append(part["$ref"])
        return found


def numbered(parts):
    """One schema again: references that stay point at numbered definitions."""
    order = [()]
    for pointer in order:
        for part in walk(parts[pointer]):
            ref = part.get("$ref") if isinstance(part, dict) else None
            if isinstance(ref, tuple) and ref not in order:
                order.append(ref)

    def renamed(schema):
        if not isinstance(schema, dict):
            return schema
        schema = rebuilt(schema, renamed)
        if isinstance(schema.get("$ref"), tuple):
            schema["$ref"] = f"#/$defs/{order.index(schema['$ref'])}"
        return schema

    root, *definitions = [renamed(parts[pointer]) for pointer in order]
    if definitions:
        root["$defs"] = {str(number): schema for number, schema in enumerate(definitions, 1)}
    return root


# Rules 2, 3, 8 and 9

DIALECT = re.compile(r"https?://json-schema\.org/(draft-07|draft/2019-09|draft/2020-12)/schema#?")
DEPENDS_ON_DIALECT = UNTOUCHED | set(
    "additionalItems prefixItems dependencies dependentRequired dependentSchemas minContains maxContains "
    "unevaluatedItems unevaluatedProperties".split()
)
ASSERTIONS = set(
    "maximum minimum exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength pattern format contentEncoding "
    "contentMediaType items prefixItems additionalItems contains minContains maxContains maxItems minItems uniqueItems "
    "properties required additionalProperties patternProperties propertyNames maxProperties minProperties "
    "dependentRequired dependentSchemas".split()
)
NULL = {"type": "null"}


def with_sorted_sets(schema):
    has_other_enum = any("enum" in word.lower() for word in schema if word != "enum")
    for word in ("required", "type", "enum"):
        if isinstance(schema.get(word), list) and not (word == "enum" and has_other_enum):
            schema[word] = in_order(schema[word])
    return schema


def with_one_nullable(schema):
    word = "anyOf" if isinstance(schema.get("anyOf"), list) else "oneOf"
    branches = schema.get(word)
    if not isinstance(branches, list) or len(branches) != 2 or NULL not in branches:
        return schema
    other = branches[1 - branches.index(NULL)]
    around = {name: value for name, value in schema.items() if name != word}
    types = other.get("type") if isinstance(other, dict) else None
    types = [types] if isinstance(types, str) else types
    can_merge = (
        isinstance(types, list)
        and len(types) > 0
        and all(isinstance(name, str) and name != "null" for name in types)
        and set(other) <= ASSERTIONS | {"type"}
        and not set(around) & (ASSERTIONS | {"type", "$ref", "anyOf", "oneOf"})
    )
    if can_merge:
        return {**around, **other, "type": in_order([*types, "null"])}
    return {**around, word: [other, NULL]}


def finished(schema, is_open):
    """Rules 2, 8 and 9, from the inside out."""
    if not isinstance(schema, dict):
        return schema
    schema = with_sorted_sets(rebuilt(schema, lambda child: finished(child, is_open)))
    if not is_open:
        return schema
    more = schema.get("additionalProperties")
    if more is True or more == {}:
        del schema["additionalProperties"]
    return with_one_nullable(schema)


def without_dialect(schema):
    if not isinstance(schema, dict) or not isinstance(schema.get("$schema"), str):
        return schema
    depends = any(
        (word in DEPENDS_ON_DIALECT)
        or (word == "items" and isinstance(value, list))
        or (word == "$ref" and len(part) > 1)
        for part in walk(schema)
        if isinstance(part, dict)
        for word, value in part.items()
    )
    if DIALECT.fullmatch(schema["$schema"]) and not depends:
        return {word: value for word, value in schema.items() if word != "$schema"}
    return schema


def normal_schema(root):
    if not isinstance(root, dict):
        return root
    parts = {(): root}
    if not any(UNTOUCHED & set(part) for part in walk(root) if isinstance(part, dict)):
        try:
            references = References(root)
            if len(references.targets) <= 2000:
                parts = references.parts()
        except LookupError:
            pass
    is_open = not any(has_unevaluated(walk(part)) for part in parts.values())
    return without_dialect(numbered({pointer: finished(part, is_open) for pointer, part in parts.items()}))
