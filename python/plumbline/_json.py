"""Converts any value of an application to JSON. It raises only ``TooLarge``, since recording must not disturb the application."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import math
from collections.abc import Iterable, Mapping, Sequence, Set, ValuesView
from typing import Any, Literal

from ._credentials import hide_credential, is_credential_field, without_password

_DEPTH_MAX = 64
_SAFE_INTEGER = 2**53 - 1
_INTEGER_BITS_MAX = 10_000
_TEXT_CHARS_MAX = 1_000
_CHARS_MAX = 10_000_000
"""Limits the copy of objects that refer to each other in circles, since the number of paths through them explodes."""
_VALUE_CHARS = 100
"""Counted for each value in addition to its text, so that the time is bounded too."""
_NUMBERS = {int, float}
_NUMBERS_AT_ONCE = 10_000


class TooLarge(Exception):
    """The JSON of a value would exceed its limit."""

    def __init__(self) -> None:
        super().__init__("A value is larger than what can be sent; it was left out.")


def to_json(value: object, chars_max: float = math.inf) -> str:
    """A value as JSON text. Values that JSON cannot express become text: large integers, errors, bytes, circular references."""
    return json.dumps(jsonable(value, chars_max), ensure_ascii=False, separators=(",", ":"))


def to_text_or_json(value: object, chars_max: float = math.inf) -> str:
    """An input or output as an attribute: text stays as it is unless it would be read as JSON; anything else becomes JSON."""
    plain = jsonable(value, chars_max)
    if isinstance(plain, str):
        return to_json(plain) if plain.lstrip()[:1] in ('"', "{", "[") else plain
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def to_text(value: object, chars_max: float = math.inf) -> str:
    """A value as text, such as an id or a model name, which may be an enumeration member; JSON if it is not a text."""
    plain = jsonable(value, chars_max)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def utf8_size(text: str) -> int:
    """The size of a text in bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def jsonable(value: object, chars_max: float = math.inf) -> Any:
    """A copy of a value that JSON can express. Raises ``TooLarge`` as soon as its JSON is certain to exceed the limit."""
    return _copy(value, (), _Copied(chars_max))


class _Copied:
    """The size of the copy so far, and whether it has a circular reference."""

    def __init__(self, json_chars_max: float) -> None:
        self.has_circle = False
        self.place: Literal["data", "instance", "list of an instance"] = "data"
        """Callers choose the contents of dictionaries; instances of classes often hold secrets, such as a key."""
        self._net_chars = 0
        self._json_chars = 0
        self._json_chars_max = json_chars_max

    @property
    def is_too_large_net(self) -> bool:
        return self.has_circle and self._net_chars > _CHARS_MAX

    def require_room(self, chars: int) -> None:
        """Raises ``TooLarge`` if there is no room for JSON of at least this length."""
        if self._json_chars + chars > self._json_chars_max:
            raise TooLarge

    def add(self, chars: int, values: int = 1) -> None:
        """Counts added values, with JSON of at least this length."""
        self._net_chars += chars + _VALUE_CHARS * values
        self._json_chars += chars
        if self._json_chars > self._json_chars_max:
            raise TooLarge


def _copy(value: object, within: tuple[int, ...], copied: _Copied) -> Any:
    if value is None or isinstance(value, bool):
        copied.add(4)
        return value
    if isinstance(value, enum.Enum):
        # Before texts and numbers: an enumeration member may be one too, but its ``str`` is the name of the member.
        return _copy(value.value, within, copied)
    if copied.is_too_large_net:
        return "[too large]"
    if isinstance(value, str):
        copied.add(len(value) + 2)
        return _plain_text(value if copied.place == "data" else without_password(value))
    if isinstance(value, (int, float)):
        number = _plain_number(value)
        copied.add(len(repr(number)))
        return number
    if id(value) in within:
        copied.has_circle = True
        return "[circular]"
    if len(within) >= _DEPTH_MAX:
        return "[too deep]"
    place = copied.place
    try:
        return _copy_object(value, (*within, id(value)), copied)
    except TooLarge:
        raise
    except Exception:
        return "[unreadable]"
    finally:
        copied.place = place


def _plain_text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        # A lone surrogate is not valid text.
        return value.encode("utf-8", "replace").decode()
    return str.__str__(value)


def _plain_number(value: float) -> Any:
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    number = int(value)
    if -_SAFE_INTEGER <= number <= _SAFE_INTEGER:
        return number
    # Python refuses to convert much larger integers to text.
    bits = number.bit_length()
    return str(number) if bits <= _INTEGER_BITS_MAX else f"[integer of {bits} bits]"


def _copy_numbers(value: list[float] | tuple[float, ...], copied: _Copied) -> list[Any]:
    """A fast path for vectors, which are long: one number at a time would take many times as long."""
    numbers: list[Any] = []
    for start in range(0, len(value), _NUMBERS_AT_ONCE):
        part = [_plain_number(each) for each in value[start : start + _NUMBERS_AT_ONCE]]
        copied.add(sum(map(len, map(repr, part))) + len(part) - 1, len(part))
        numbers += part
    return numbers


def _copy_fields(value: object, names: Iterable[str], within: tuple[int, ...], copied: _Copied) -> dict[str, Any]:
    copied.place = "instance"
    return _copy_mapping({name: getattr(value, name) for name in names}, within, copied)


def _copy_mapping(value: Mapping[Any, Any], within: tuple[int, ...], copied: _Copied) -> dict[str, Any]:
    copy: dict[str, Any] = {}
    copied.add(1)
    for key, each in value.items():
        name = _key(key)
        copied.add(len(name) + 4)
        is_hidden = copied.place != "data" and is_credential_field(name, copied.place == "list of an instance")
        copy[name] = _copy(hide_credential(each) if is_hidden else each, within, copied)
    return copy


def _copy_items(value: Iterable[Any], within: tuple[int, ...], copied: _Copied) -> list[Any]:
    items: list[Any] = []
    if copied.place == "instance":
        copied.place = "list of an instance"
    copied.add(1)
    for each in value:
        copied.add(1, 0)
        items.append(_copy(each, within, copied))
    return items


def _copy_error(error: BaseException) -> dict[str, Any]:
    """The fields of an error, with its causes and the errors of an exception group."""
    fields: dict[str, Any] = {"name": type(error).__name__, "message": str(error)}
    if error.__cause__ is not None:
        fields["cause"] = error.__cause__
    errors = getattr(error, "exceptions", None)
    if isinstance(errors, tuple):
        fields["errors"] = errors
    return fields


def _copy_object(value: object, within: tuple[int, ...], copied: _Copied) -> Any:
    if isinstance(value, Mapping):
        if hasattr(type(value), "headers") and hasattr(type(value), "url"):
            # A Starlette request is a mapping of everything in its ASGI scope, including the application.
            return f"<{type(value).__name__}: {getattr(value, 'method', 'GET')} {getattr(value, 'url')}>"
        if not isinstance(value, dict):
            # Headers, or the environment of the process.
            copied.place = "instance"
        return _copy_mapping(value, within, copied)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"[{len(value)} bytes]"
    if isinstance(value, tuple) and hasattr(type(value), "_fields"):
        return _copy_fields(value, getattr(value, "_fields"), within, copied)
    if isinstance(value, (list, tuple)) and type(next(iter(value), None)) in _NUMBERS and set(map(type, value)) <= _NUMBERS:
        return _copy_numbers(value, copied)
    if isinstance(value, (list, tuple, Set, Sequence, ValuesView)):
        return _copy_items(value, within, copied)
    if isinstance(value, BaseException):
        return _copy_mapping(_copy_error(value), within, copied)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _copy_fields(value, [field.name for field in dataclasses.fields(value)], within, copied)
    return _copy_foreign(value, within, copied)


def _copy_foreign(value: object, within: tuple[int, ...], copied: _Copied) -> Any:
    """Copies models of pydantic, attrs and msgspec, pandas tables, numpy numbers and arrays, without importing any; else text."""
    # Attributes are looked up on the class: a mock has any attribute, and records each access.
    kind: Any = type(value)
    if not isinstance(value, type):
        size = getattr(value, "size", None) if hasattr(kind, "size") else None
        # Checked first for arrays and tables: converting them to lists takes many times their memory.
        copied.require_room(2 * size if isinstance(size, int) else 0)
        attributes = getattr(kind, "__attrs_attrs__", None)
        if attributes is not None:
            return _copy_fields(value, [each.name for each in attributes], within, copied)
        if hasattr(kind, "__struct_fields__"):
            return _copy_fields(value, kind.__struct_fields__, within, copied)
        if not hasattr(kind, "model_dump") and hasattr(kind, "__fields__") and callable(getattr(kind, "dict", None)):
            # Models of pydantic 1.
            copied.place = "instance"
            return _copy(getattr(value, "dict")(), within, copied)
        # Responses of model clients, which have both methods, are full of fields that the vendor did not send.
        is_answer = hasattr(kind, "to_dict") and hasattr(kind, "to_json")
        if not is_answer:
            copied.place = "instance"
        dump_arguments = {"exclude_unset": is_answer, "warnings": False}
        for method, arguments in (("model_dump", dump_arguments), ("to_dict", {"orient": "records"})):
            if callable(getattr(kind, method, None)):
                convert = getattr(value, method)
                try:
                    return _copy(convert(**arguments), within, copied)
                except TypeError:
                    return _copy(convert(), within, copied)
        for method in ("tolist", "isoformat"):
            if callable(getattr(kind, method, None)):
                return _copy(getattr(value, method)(), within, copied)
    is_mock = any(base.__name__ == "NonCallableMock" for base in kind.__mro__)
    text = repr(value) if is_mock else str(value)
    return _plain_text(without_password(text[:_TEXT_CHARS_MAX]))


def _key(key: object) -> str:
    plain = key.value if isinstance(key, enum.Enum) else key
    return _plain_text(plain) if isinstance(plain, str) else str(plain)
