"""Renders prompts as messages, with Jinja in its sandbox, by the rules and within the limits of the service."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, Any, cast

import jinja2
import jinja2.compiler
import jinja2.filters
import jinja2.nodes
import jinja2.sandbox
from typing_extensions import TypedDict

from ._errors import TemplateFailed
from ._json import to_json

if TYPE_CHECKING:
    from .operations import PromptMessage


class Message(TypedDict):
    role: str
    content: str


_TEMPLATE_CHARS_MAX = 2**18
_OUTPUT_CHARS_MAX = 2**23
_RANGE_MAX = 100_000
_PATH_MAX = 16
_CONSTANTS = frozenset(("true", "false", "none", "True", "False", "None"))


class _Nothing(jinja2.ChainableUndefined):
    """A missing variable renders as nothing in any expression, and equals ``none``, since null counts as missing."""

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, jinja2.Undefined)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(None)


def _bounded_range(*arguments: int) -> range:
    numbers = range(*arguments)
    if len(numbers) > _RANGE_MAX:
        raise jinja2.TemplateRuntimeError(f"range() makes more than {_RANGE_MAX} numbers")
    return numbers


def _to_json(
    value: object,
    indent: int | None = None,
    ensure_ascii: bool = False,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(
        value, default=_as_json, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def _as_json(value: Any) -> Any:
    """Converts values that are a list or null in the service, but that Python cannot encode as JSON."""
    return None if isinstance(value, jinja2.Undefined) else list(value)


def _to_text(value: Any) -> str:
    """Values as the service prints them: texts unchanged, nothing for missing values, anything else as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return ""
    if isinstance(value, (list, tuple, dict, Iterator, KeysView, ValuesView, ItemsView)):
        return _to_json(value)
    return str(value)


@jinja2.pass_environment
def _join(environment: jinja2.Environment, value: Any, d: Any = "", attribute: str | int | None = None) -> str:
    get = jinja2.filters.make_attrgetter(environment, attribute) if attribute is not None else lambda each: each
    return _to_text(d).join(_to_text(get(each)) for each in value)


class _Flag(int):
    """A boolean that prints as in the service, and otherwise acts as the number that a Python boolean is."""

    def __str__(self) -> str:
        return _to_text(bool(self))

    def __format__(self, format_spec: str) -> str:
        return format(str(self), format_spec) if format_spec == "" else super().__format__(format_spec)


def _to_format(value: Any) -> Any:
    """A value for ``format``: numbers and texts follow its own rules, anything else is printed as in the service."""
    if isinstance(value, bool):
        return _Flag(value)
    return value if isinstance(value, (str, int, float)) else _to_text(value)


def _format(value: Any, *arguments: Any, **fields: Any) -> str:
    values = [_to_format(each) for each in arguments]
    return jinja2.filters.do_format(value, *values, **{name: _to_format(each) for name, each in fields.items()})


def _int(value: Any, default: int = 0, base: int = 10) -> int:
    return default if isinstance(value, jinja2.Undefined) else jinja2.filters.do_int(value, default, base)


def _float(value: Any, default: float = 0.0) -> float:
    return default if isinstance(value, jinja2.Undefined) else jinja2.filters.do_float(value, default)


class _CodeGenerator(jinja2.compiler.CodeGenerator):
    def visit_Concat(self, node: jinja2.nodes.Concat, frame: Any) -> None:
        """`a ~ b` joins values as they are printed."""
        self.write("environment.concatenate((")
        for each in node.nodes:
            self.visit(each, frame)
            self.write(", ")
        self.write("))")

    def visit_EvalContextModifier(self, node: jinja2.nodes.EvalContextModifier, frame: Any) -> None:
        """Nothing is escaped, not even inside ``{% autoescape true %}``."""

    def _output_child_to_const(self, node: jinja2.nodes.Expr, frame: Any, finalize: Any) -> str:
        """Keeps Jinja from folding constants before the template is rendered, which would print them differently."""
        if not isinstance(node, jinja2.nodes.TemplateData):
            raise jinja2.nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)


class _Environment(jinja2.sandbox.ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(("+", "*", "**"))
    code_generator_class = _CodeGenerator

    def concatenate(self, values: Sequence[Any]) -> str:
        return "".join(_to_text(each) for each in values)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A field takes precedence over a method of the same name."""
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        if attribute == "length" and isinstance(obj, (str, list, tuple)):
            return len(obj)
        return super().getattr(obj, attribute)

    def wrap_str_format(self, value: Any) -> Any:
        """``"{}".format()`` formats values like the filter ``format``."""
        write = super().wrap_str_format(value)
        if write is None:
            return None

        def write_values(*arguments: Any, **fields: Any) -> str:
            values = [_to_format(each) for each in arguments]
            return write(*values, **{name: _to_format(each) for name, each in fields.items()})

        return write_values

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        are_numbers = all(isinstance(each, (int, float)) for each in (left, right))
        if operator == "+":
            has_text = isinstance(left, str) or isinstance(right, str)
            has_missing = isinstance(left, jinja2.Undefined) or isinstance(right, jinja2.Undefined)
            return self.concatenate((left, right)) if has_text and not has_missing else left + right
        if operator == "*":
            text, times = (left, right) if isinstance(left, str) else (right, left)
            if not are_numbers and not (isinstance(text, str) and isinstance(times, int)):
                raise jinja2.TemplateRuntimeError('"*" takes numbers, or a text and a number')
            if not are_numbers and len(text) * times > _OUTPUT_CHARS_MAX:
                raise jinja2.TemplateRuntimeError(f"it makes more than {_OUTPUT_CHARS_MAX} characters")
            return left * right
        if not are_numbers:
            raise jinja2.TemplateRuntimeError('"**" takes numbers')
        # Fails if the power is too large for a JSON number.
        power = float(left) ** float(right)
        return left**right if isinstance(power, float) and math.isfinite(power) else power


@functools.lru_cache(maxsize=1)
def _environment() -> _Environment:
    environment = _Environment(
        undefined=_Nothing, autoescape=False, optimized=False, extensions=["jinja2.ext.loopcontrols"], finalize=_finalize
    )
    names: dict[str, Any] = environment.globals
    names.clear()
    names.update({"range": _bounded_range, "namespace": jinja2.utils.Namespace})
    filters: dict[str, Any] = environment.filters
    filters.update({"tojson": _to_json, "join": _join, "format": _format, "string": _to_text, "int": _int, "float": _float, "bool": bool})
    filters.update({"keys": lambda fields: list(fields), "values": lambda fields: list(fields.values())})
    filters["get"] = lambda fields, name, default=None: fields.get(name, default)
    tests: dict[str, Any] = environment.tests
    tests["none"] = lambda value: value is None or isinstance(value, jinja2.Undefined)
    return environment


def _finalize(value: Any) -> Any:
    return value if isinstance(value, str) else _to_text(value)


@functools.lru_cache(maxsize=256)
def _template(text: str) -> jinja2.Template:
    if len(text) > _TEMPLATE_CHARS_MAX:
        raise TemplateFailed(f"The template cannot be read: it is longer than {_TEMPLATE_CHARS_MAX} characters.")
    try:
        return _environment().from_string(text)
    except jinja2.TemplateError as error:
        raise TemplateFailed(f"The template cannot be read: {_reason_of(error)}.") from error


def render(
    text: str, system_text: str, variables: Mapping[str, Any], templates: Sequence[PromptMessage] | None = None
) -> list[Message]:
    """The messages of a prompt: those of its templates, else its system message, if it has one, and its user message."""
    # As JSON, since this is how the service gets them when it renders the same prompt.
    values = _values_of(json.loads(to_json(dict(variables)), parse_float=_number))
    if templates is None:
        user: PromptMessage = {"role": "user", "content": text}
        templates = [user] if system_text == "" else [{"role": "system", "content": system_text}, user]
    messages: list[Message] = []
    for template in templates:
        if "placeholder" in template:
            messages.extend(_messages_in(values.get(template["placeholder"])))
        else:
            content = _render_text(template.get("content", ""), values)
            messages.append({"role": template.get("role", ""), "content": content})
    return messages


def _messages_in(value: Any) -> Iterator[Message]:
    """The messages for a placeholder: a message or a list of them; anything else inserts nothing."""
    if isinstance(value, list):
        for each in value:
            yield from _messages_in(each)
    elif isinstance(value, dict) and isinstance(value.get("role"), str):
        # A caller's message is passed on unchanged.
        yield cast(Message, value)


def _render_text(text: str, values: Mapping[str, Any]) -> str:
    try:
        parts: list[str] = []
        size = 0
        for part in _template(text).generate(values):
            size += len(part)
            if size > _OUTPUT_CHARS_MAX:
                raise jinja2.TemplateRuntimeError(f"it makes more than {_OUTPUT_CHARS_MAX} characters")
            parts.append(part)
        return "".join(parts)
    except TemplateFailed:
        raise
    except Exception as error:
        raise TemplateFailed(f"The template cannot be rendered: {_reason_of(error)}.") from error


def _reason_of(error: Exception) -> str:
    return (str(error).split("\n", 1)[0] or type(error).__name__)[:200].rstrip(".")


def _number(text: str) -> int | float:
    """JSON has one kind of number: in the service, which is JavaScript, 5.0 is 5."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _values_of(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Variables by the names that templates use: a variable ``user.name`` becomes the field ``name`` of ``user``."""
    values = {label: value for label, value in variables.items() if value is not None and label not in _CONSTANTS}
    for label, value in list(values.items()):
        root, *path = label.split(".")
        if not path or len(path) > _PATH_MAX:
            continue
        holder = values.get(root)
        if holder is None or isinstance(holder, dict):
            values[root] = _with_field(holder or {}, path, value)
    return values


def _with_field(holder: Mapping[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    name, *rest = path
    inner = holder.get(name)
    field = value if not rest else _with_field(inner if isinstance(inner, dict) else {}, rest, value)
    return {**holder, name: field}
