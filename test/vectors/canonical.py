"""RFC 8785: the canonical text of a JSON value whose numbers are all floats."""

import json


def code_units(text):
    """The sort key of a text: its UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def number_text(value):
    """What ECMAScript's Number::toString writes. repr() gives the same digits: the shortest that read back."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = f"e{point - 1:+d}"
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + power


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=code_units)
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    if isinstance(value, float):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False)


def in_order(items):
    return sorted(items, key=lambda item: code_units(canonical(item)))
