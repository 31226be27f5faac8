"""Prompts as messages, by Jinja in its sandbox, with the rules and the bounds of the service."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import jinja2
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
    """A missing variable renders as nothing, whatever is done with it."""


def _bounded_range(*arguments: int) -> range:
    numbers = range(*arguments)
    if len(numbers) > _RANGE_MAX:
        raise jinja2.TemplateRuntimeError(f"range() makes more than {_RANGE_MAX} numbers")
    return numbers


def _to_json(value: object, indent: int | None = None) -> str:
    return json.dumps(None if isinstance(value, jinja2.Undefined) else value, ensure_ascii=False, indent=indent)


class _Environment(jinja2.sandbox.ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(("*", "**"))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "**" or not all(isinstance(each, (int, float)) for each in (left, right)):
            raise jinja2.TemplateRuntimeError(f'"{operator}" takes numbers, and no powers')
        return left * right


@functools.lru_cache(maxsize=1)
def _environment() -> _Environment:
    environment = _Environment(
        undefined=_Nothing, autoescape=False, extensions=["jinja2.ext.loopcontrols"], finalize=_finalize
    )
    names: dict[str, Any] = environment.globals
    names.clear()
    names.update({"range": _bounded_range, "namespace": jinja2.utils.Namespace})
    environment.filters["tojson"] = _to_json
    return environment


def _finalize(value: Any) -> Any:
    """Values as the service writes them out: as JSON, but for texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return ""
    if isinstance(value, (list, dict)):
        return _to_json(value)
    return value


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
    """The messages that a prompt makes: its own, where it is made of messages, else the system one, where it has one, and
    the user's.
    """
    # As JSON, since that is how the service gets them when it renders the same prompt.
    values = _values_of(json.loads(to_json(dict(variables))))
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
    """What a caller put in the place of a placeholder: a message or a list of them; anything else inserts nothing."""
    if isinstance(value, list):
        for each in value:
            yield from _messages_in(each)
    elif isinstance(value, dict) and isinstance(value.get("role"), str):
        # A caller's message goes on as it is.
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


def _values_of(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Variables by the name a template calls them: ``user.name`` is the ``name`` of ``user``, beside others."""
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
