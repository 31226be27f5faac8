"""Records the calls of Anthropic clients, also of those for Bedrock and Vertex: ``wrap_anthropic(Anthropic())``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from typing_extensions import Unpack

from . import get_client
from ._client import Client
from ._fields import NamedFields, tokens_in
from ._json import jsonable
from ._recording import Recording
from ._wrapping import Call, Values, plain, wrap_methods

AnthropicClient = TypeVar("AnthropicClient")


def wrap_anthropic(
    anthropic: AnthropicClient,
    *,
    client: Client | None = None,
    parent: Recording | None = None,
    **fields: Unpack[NamedFields],
) -> AnthropicClient:
    """Records ``messages`` of this client (``create``, ``stream``, ``parse``), including streams, and returns the client.

    Each call is a generation in ``parent``, else in the current trace or step, else a trace of its own. ``fields`` are set
    for every call, such as the ``prompt`` and its ``variables``.
    """
    return wrap_methods(anthropic, _CALLS, (lambda: client) if client is not None else get_client, parent, dict(fields))


def _read_request(request: Mapping[str, Any]) -> Values:
    model = request.get("model")
    system, messages = request.get("system"), list(request.get("messages", ()))
    has_system = isinstance(system, (str, list)) and len(system) > 0
    return {
        "name": f"anthropic.messages {model}" if model else "anthropic.messages",
        "input": [{"role": "system", "content": system}, *messages] if has_system else messages,
        "model": model,
        "provider": "anthropic",
        "metadata": {"parameters": plain(request, "model", "messages", "system")},
    }


def _read_message(message: Any) -> Values:
    usage = jsonable(message.usage)
    return {
        "model": message.model,
        "output": {"role": message.role, "content": jsonable(message.content)},
        "metadata": {"finishReason": message.stop_reason},
        **({"usage": usage, **tokens_in(usage)} if isinstance(usage, dict) else {}),
    }


class _MessageAssembly:
    def __init__(self) -> None:
        self._start: Values = {}
        self._blocks: dict[int, Values] = {}
        self._usage: Values = {}
        self._finish: Any = None

    def add(self, part: Any) -> bool:
        if part.type == "message_start":
            self._start = {"model": part.message.model}
            self._usage.update(_known(part.message.usage))
        elif part.type == "content_block_start":
            self._blocks[part.index] = _known(part.content_block)
        elif part.type == "content_block_delta":
            self._add_delta(self._blocks.setdefault(part.index, {"type": "text"}), part.delta)
        elif part.type == "message_delta":
            self._finish = part.delta.stop_reason
            self._usage.update(_known(part.usage))
        # A text or thinking block begins empty.
        starts_whole = part.type == "content_block_start" and part.content_block.type not in ("text", "thinking")
        return starts_whole or part.type == "content_block_delta"

    def _add_delta(self, block: Values, delta: Any) -> None:
        for source, target in (("text", "text"), ("thinking", "thinking"), ("partial_json", "input")):
            text = getattr(delta, source, None)
            if isinstance(text, str):
                before = block.get(target)
                block[target] = (before if isinstance(before, str) else "") + text
        if getattr(delta, "signature", None) is not None:
            block["signature"] = delta.signature
        if getattr(delta, "citation", None) is not None:
            block["citations"] = [*(block.get("citations") or ()), _known(delta.citation)]

    def fields(self) -> Values:
        if not self._start:
            return {}
        return {
            **self._start,
            "output": {"role": "assistant", "content": [_with_input(block) for _, block in sorted(self._blocks.items())]},
            "metadata": {"finishReason": self._finish},
            "usage": self._usage,
            **tokens_in(self._usage),
        }


def _with_input(block: Values) -> Values:
    """Parses the arguments of a tool, which arrive as JSON text."""
    text = block.get("input")
    if not isinstance(text, str) or not str(block.get("type")).endswith("tool_use"):
        return block
    try:
        return {**block, "input": json.loads(text or "{}")}
    except ValueError:
        return block


def _known(value: Any) -> Values:
    known = jsonable(value)
    return {name: each for name, each in known.items() if each is not None} if isinstance(known, dict) else {}


# Newer versions also record their calls with OpenTelemetry, without the messages.
_MESSAGES = Call(_read_request, _read_message, _MessageAssembly, hidden_scope="com.anthropic.sdk.python")

_CALLS = {
    f"{prefix}messages.{name}": _MESSAGES for prefix in ("", "beta.") for name in ("create", "stream", "parse")
}
