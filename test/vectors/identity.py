"""A second implementation of "Identity", "Normal form" and "Launch identity" of electron/core/README.md.

It was written from that page before the app's code was read, shares none of it, and needs only Python 3.11.

    python3 test/vectors/identity.py FILE...

Each file holds vectors; each definition in them gives one line of JSON: a name with `canonical` and `id`, with
`invalid`, or with `route`. In groups the name ends in the number of the definition, from 1.
"""

import hashlib
import json
import sys

sys.dont_write_bytecode = True

from canonical import canonical  # noqa: E402
from launch import launch_route  # noqa: E402
from schema import normal_schema  # noqa: E402

MAX_NUMBER = 9007199254740991
MAX_LEVELS = 100
MAX_VALUES = 100_000
MAX_TEXT = 1_000_000


class Invalid(Exception):
    """The definition has no id."""


# Rules 5, 6, 7 and 10


def normal_hints(notes):
    read_only = notes.get("readOnlyHint") is True
    dropped = {
        "readOnlyHint": [False],
        "destructiveHint": [not read_only],
        "idempotentHint": [False, True] if read_only else [False],
        "openWorldHint": [True],
    }
    return {
        name: value for name, value in notes.items() if not (isinstance(value, bool) and value in dropped.get(name, []))
    }


def normal_tool(tool):
    tool = dict(tool)
    for field in ("inputSchema", "outputSchema"):
        if field in tool:
            tool[field] = normal_schema(tool[field])
    if isinstance(tool.get("annotations"), dict):
        notes = normal_hints(tool["annotations"])
        title = notes.get("title")
        if isinstance(title, str) and tool.get("title", title) == title:
            tool["title"] = notes.pop("title")
        tool["annotations"] = notes
    if isinstance(tool.get("execution"), dict):
        execution = dict(tool["execution"])
        if execution.get("taskSupport") == "forbidden":
            del execution["taskSupport"]
        tool["execution"] = execution
    return without_empty(tool, "annotations", "execution")


def normal_resource(resource):
    resource = {field: value for field, value in resource.items() if field != "size"}
    if isinstance(resource.get("annotations"), dict):
        notes = resource["annotations"]
        resource["annotations"] = {field: value for field, value in notes.items() if field != "lastModified"}
    return without_empty(resource, "annotations")


def without_empty(definition, *fields):
    return {field: value for field, value in definition.items() if not (field in fields and value == {})}


NORMAL = {"tool": normal_tool, "resource": normal_resource}


# The record


def check(definition):
    """What is not I-JSON, more than 100 steps deep or too large is invalid."""
    count = 0
    length = 0
    waiting = [(definition, 0)]
    while waiting:
        value, level = waiting.pop()
        count += 1
        if isinstance(value, float) and not abs(value) <= MAX_NUMBER:
            raise Invalid("number")
        texts = [value] if isinstance(value, str) else list(value) if isinstance(value, dict) else []
        if any("\ud800" <= character <= "\udfff" for text in texts for character in text):
            raise Invalid("lone surrogate")
        length += sum(len(text.encode("utf-16-le", "surrogatepass")) // 2 for text in texts)
        if level > MAX_LEVELS:
            raise Invalid("too deep")
        below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(child, level + 1) for child in below]
    if count > MAX_VALUES or length > MAX_TEXT:
        raise Invalid("too large")


def effective_record(stored):
    check(stored["definition"])
    normal = NORMAL.get(stored["kind"], dict)
    return {
        "format": 1.0,
        "ref": {key: stored[key] for key in ("serverId", "kind", "originKey")},
        "route": stored["route"],
        "definition": normal(stored["definition"]),
        "projection": {},
    }


def identify(stored):
    try:
        text = canonical(effective_record(stored))
    except Invalid as error:
        return {"invalid": str(error)}
    return {"canonical": text, "id": "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()}


# The vectors


def stored_in(group, record):
    """The definitions of a group; a schema stands for a tool that has it."""
    tools = [{"name": record["originKey"], "inputSchema": schema} for schema in group.get("schemas", [])]
    definitions = group.get("definitions", []) + tools
    return [{**record, "kind": group.get("kind", "tool"), "definition": definition} for definition in definitions]


def read(raw):
    """Every number as a JavaScript reader has it."""
    return json.loads(raw, parse_int=float)


def lines(file):
    for vector in file.get("vectors", []):
        yield {"name": vector["name"], **identify(vector["stored"])}
    for group in file.get("same", []) + file.get("different", []):
        for number, stored in enumerate(stored_in(group, file["record"]), 1):
            yield {"name": f"{group['name']} #{number}", **identify(stored)}
    for vector in file.get("invalid", []):
        stored = {**file["record"], "kind": "tool", "definition": read(vector["raw"])}
        yield {"name": vector["name"], **identify(stored)}
    for vector in file.get("launch", []):
        yield {"name": vector["name"], "route": launch_route(vector["command"], vector["args"])}


def main(paths):
    sys.setrecursionlimit(100_000)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in lines(read(file.read())):
                print(json.dumps(line))


if __name__ == "__main__":
    main(sys.argv[1:])
