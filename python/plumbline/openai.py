"""Records the calls of OpenAI clients and compatible ones: ``wrap_openai(OpenAI())``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from typing_extensions import Unpack

from . import get_client
from ._client import Client
from ._fields import NamedFields, tokens_in
from ._json import jsonable
from ._recording import Recording
from ._wrapping import Call, Values, plain, wrap_methods

OpenAIClient = TypeVar("OpenAIClient")


def wrap_openai(
    openai: OpenAIClient,
    *,
    client: Client | None = None,
    parent: Recording | None = None,
    **fields: Unpack[NamedFields],
) -> OpenAIClient:
    """Records ``chat.completions``, ``responses`` and ``embeddings`` of this client, including streams, and returns the client.

    Each call is a generation in ``parent``, else in the current trace or step, else a trace of its own. ``fields`` are set
    for every call, such as the ``prompt`` and its ``variables``.
    """
    return wrap_methods(openai, _CALLS, (lambda: client) if client is not None else get_client, parent, dict(fields))


def _read_request(kind: str, request: Mapping[str, Any]) -> Values:
    model = request.get("model")
    read = request.get("messages", request.get("input"))
    if "messages" not in request and isinstance(request.get("instructions"), str):
        read = {"instructions": request["instructions"], "input": read}
    return {
        "name": f"openai.{kind} {model}" if model else f"openai.{kind}",
        "input": read,
        "model": model,
        "provider": "open-ai",
        "metadata": {"parameters": plain(request, "model", "messages", "input", "instructions")},
    }


def _usage_fields(usage: Any, tier: Any = None) -> Values:
    """The usage with the service tier, which OpenAI reports beside it: token prices depend on it."""
    known = jsonable(usage)
    if not isinstance(known, dict):
        return {}
    return {"usage": {**known, "service_tier": tier} if isinstance(tier, str) else known, **tokens_in(known)}


def _single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _read_chat(answer: Any) -> Values:
    choices = list(answer.choices)
    return {
        "model": answer.model,
        "output": _single([choice.message for choice in choices]),
        "metadata": {"finishReason": _single([choice.finish_reason for choice in choices])},
        **_usage_fields(answer.usage, getattr(answer, "service_tier", None)),
    }


_STREAMED_TEXTS = ("content", "refusal", "reasoning", "reasoning_content")
"""Fields that arrive in pieces; servers of open models use either name for the reasoning."""


class _ChatAssembly:
    def __init__(self) -> None:
        self._messages: dict[int, Values] = {}
        self._finish: dict[int, Any] = {}
        self._model: Any = None
        self._usage: Any = None
        self._tier: Any = None

    def add(self, part: Any) -> bool:
        part = getattr(part, "chunk", part)
        self._tier = getattr(part, "service_tier", None) or self._tier
        self._model = getattr(part, "model", None) or self._model
        self._usage = getattr(part, "usage", None) or self._usage
        choices = getattr(part, "choices", None) or ()
        for choice in choices:
            message = self._messages.setdefault(choice.index, {"role": "assistant", "content": None})
            self._add_delta(message, choice.delta)
            self._finish[choice.index] = choice.finish_reason or self._finish.get(choice.index)
        names = (*_STREAMED_TEXTS, "tool_calls")
        return any(getattr(choice.delta, name, None) for choice in choices for name in names)

    def _add_delta(self, message: Values, delta: Any) -> None:
        message["role"] = getattr(delta, "role", None) or message["role"]
        for name in _STREAMED_TEXTS:
            text = getattr(delta, name, None)
            if isinstance(text, str):
                message[name] = (message.get(name) or "") + text
        for part in getattr(delta, "tool_calls", None) or ():
            calls: dict[int, Values] = message.setdefault("tool_calls", {})
            # Some servers do not number calls, and send each one whole.
            index = len(calls) if part.index is None else part.index
            call = calls.setdefault(index, {"type": "function", "function": {"name": "", "arguments": ""}})
            if part.id:
                call["id"] = part.id
            if part.function is not None:
                call["function"]["name"] = call["function"]["name"] or part.function.name or ""
                call["function"]["arguments"] += part.function.arguments or ""

    def fields(self) -> Values:
        messages = [
            {**message, **({"tool_calls": list(message["tool_calls"].values())} if "tool_calls" in message else {})}
            for _, message in sorted(self._messages.items())
        ]
        reasons = [self._finish.get(index) for index in sorted(self._messages)]
        known: Values = {"metadata": {"finishReason": _single(reasons)}, **_usage_fields(self._usage, self._tier)}
        if messages:
            known["output"] = _single(messages)
        if self._model:
            known["model"] = self._model
        return known


def _read_response(answer: Any) -> Values:
    return {
        "model": answer.model,
        "output": answer.output,
        "metadata": {"finishReason": answer.status},
        **_usage_fields(answer.usage, getattr(answer, "service_tier", None)),
    }


class _ResponseAssembly:
    """The last event has the whole answer; if the stream breaks off, the text so far is the output."""

    def __init__(self) -> None:
        self._whole: Any = None
        self._text = ""

    def add(self, part: Any) -> bool:
        if getattr(part, "response", None) is not None:
            self._whole = part.response
        if part.type == "response.output_text.delta":
            self._text += part.delta
        # The stream begins with events that only confirm the request.
        return str(part.type).endswith((".delta", "partial_image", ".completed"))

    def fields(self) -> Values:
        known = _read_response(self._whole) if self._whole is not None else {}
        return known if known.get("output") else {**known, "output": self._text}


def _read_embeddings(answer: Any) -> Values:
    return {
        "model": answer.model,
        "output": {"embeddings": len(answer.data), "dimensions": len(answer.data[0].embedding)},
        **_usage_fields(answer.usage),
        # Otherwise the service would count this description as generated text.
        "output_tokens": 0,
    }


_CHAT = Call(lambda request: _read_request("chat", request), _read_chat, _ChatAssembly)
_RESPONSES = Call(lambda request: _read_request("responses", request), _read_response, _ResponseAssembly)
_EMBEDDINGS = Call(lambda request: _read_request("embeddings", request), _read_embeddings, _ChatAssembly)

# Helpers for streams, such as `chat.completions.stream`, call `create` themselves.
_CALLS = {
    "chat.completions.create": _CHAT,
    "chat.completions.parse": _CHAT,
    "responses.create": _RESPONSES,
    "responses.parse": _RESPONSES,
    "embeddings.create": _EMBEDDINGS,
}
