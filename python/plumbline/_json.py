"""JSON of whatever an application hands over: it never raises, since recording must not disturb what it records."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import math
from collections.abc import Mapping, Sequence, Set
from typing import Any

_DEPTH_MAX = 64
_SAFE_INTEGER = 2**53 - 1
_TEXT_CHARS_MAX = 1_000
_CHARS_MAX = 10_000_000
"""In a net of objects that refer to each other the ways through it are without number."""
_VALUE_CHARS = 100
"""What a value counts, beside its text: as its time is bounded too."""


class TooLarge(Exception):
    """The JSON of a value would be longer than it may be."""

    def __init__(self) -> None:
        super().__init__("A value is larger than what can be sent; it was left out.")


def to_json(value: object, chars_max: float = math.inf) -> str:
    """A value as JSON text. What JSON cannot say is put into words: large integers, errors, bytes, circles."""
    return json.dumps(jsonable(value, chars_max), ensure_ascii=False, separators=(",", ":"))


def to_text_or_json(value: object, chars_max: float = math.inf) -> str:
    """An input or output as an attribute: a text is itself unless it would be read as JSON, and a number is its text."""
    plain = jsonable(value, chars_max)
    if isinstance(plain, str):
        return to_json(plain) if plain.lstrip()[:1] in ('"', "{", "[") else plain
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def to_text(value: object, chars_max: float = math.inf) -> str:
    """A value as text, such as an id or the name of a model, which may be a member of an enumeration; JSON of what is none."""
    plain = jsonable(value, chars_max)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def utf8_size(text: str) -> int:
    """How many bytes a text takes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def jsonable(value: object, chars_max: float = math.inf) -> Any:
    """A copy of a value that JSON can say. Raises ``TooLarge`` as soon as its JSON is sure to be longer than it may be."""
    return _copy(value, (), _Copied(chars_max))


class _Copied:
    """How much was copied, and whether there was a circle in it."""

    def __init__(self, json_chars_max: float) -> None:
        self.chars = 0
        self.has_circle = False
        self._json_chars = 0
        self._json_chars_max = json_chars_max

    def add_json(self, chars: int) -> None:
        """At least so much JSON is added."""
        self._json_chars += chars
        if self._json_chars > self._json_chars_max:
            raise TooLarge


def _copy(value: object, within: tuple[int, ...], copied: _Copied) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        # Before texts and numbers, which members of an enumeration may be too: their own text is the name of the member.
        return _copy(value.value, within, copied)
    copied.chars += _VALUE_CHARS + (len(value) if isinstance(value, str) else 0)
    if copied.has_circle and copied.chars > _CHARS_MAX:
        return "[too large]"
    if isinstance(value, str):
        copied.add_json(len(value))
        return _plain_text(value)
    if isinstance(value, int):
        number = int(value)
        copied.add_json(number.bit_length() // 4 + 1)
        return number if -_SAFE_INTEGER <= number <= _SAFE_INTEGER else str(number)
    copied.add_json(2)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if id(value) in within:
        copied.has_circle = True
        return "[circular]"
    if len(within) >= _DEPTH_MAX:
        return "[too deep]"
    try:
        return _copy_object(value, (*within, id(value)), copied)
    except TooLarge:
        raise
    except Exception:
        return "[unreadable]"


def _plain_text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        # A lone surrogate is no text.
        return value.encode("utf-8", "replace").decode()
    return str.__str__(value)


def _copy_object(value: object, within: tuple[int, ...], copied: _Copied) -> Any:
    if isinstance(value, Mapping):
        return {_key(key): _copy(each, within, copied) for key, each in value.items()}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"[{len(value)} bytes]"
    if isinstance(value, (list, tuple, Set, Sequence)):
        return [_copy(each, within, copied) for each in value]
    if isinstance(value, BaseException):
        return {"name": type(value).__name__, "message": str(value)}
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: _copy(getattr(value, field.name), within, copied) for field in fields}
    return _copy_foreign(value, within, copied)


def _copy_foreign(value: object, within: tuple[int, ...], copied: _Copied) -> Any:
    """Models of pydantic, tables of pandas, numbers and arrays of numpy, without importing any of them; else its text."""
    if not isinstance(value, type):
        size = getattr(value, "size", None)
        # Of arrays and tables: to make them lists takes many times their memory.
        copied.add_json(2 * size if isinstance(size, int) else 0)
        # Answers of model clients, which have both, are full of fields that the vendor did not send.
        is_answer = hasattr(value, "to_dict") and hasattr(value, "to_json")
        dump_arguments = {"exclude_unset": is_answer, "warnings": False}
        for method, arguments in (("model_dump", dump_arguments), ("to_dict", {"orient": "records"})):
            convert = getattr(value, method, None)
            if callable(convert):
                try:
                    return _copy(convert(**arguments), within, copied)
                except TypeError:
                    return _copy(convert(), within, copied)
        for method in ("tolist", "isoformat"):
            convert = getattr(value, method, None)
            if callable(convert):
                return _copy(convert(), within, copied)
    return _plain_text(str(value)[:_TEXT_CHARS_MAX])


def _key(key: object) -> str:
    plain = key.value if isinstance(key, enum.Enum) else key
    return _plain_text(plain) if isinstance(plain, str) else str(plain)
