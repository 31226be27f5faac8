"""Records runs of LangChain and LangGraph: ``chain.invoke(input, config={"callbacks": [PlumblineCallback()]})``."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

from . import get_client
from ._client import Client
from ._fields import RecordingType, tokens_in
from ._json import jsonable
from ._recording import Recording


class PlumblineCallback(BaseCallbackHandler):
    """A callback handler for LangChain runs. The outermost run is nested in the current trace or step, else it is a trace.

    ``metadata`` of a run may contain ``user_id``, ``session_id`` and ``feature``; its tags become those of the trace.
    """

    #: Runs the handler in the caller's thread, in the order of the calls, so that it sees the caller's current step.
    run_inline = True

    def __init__(self, *, client: Client | None = None, parent: Recording | None = None) -> None:
        self._client = client
        self._parent = parent
        self._recordings: dict[UUID, Recording] = {}
        self._starts: dict[UUID, float] = {}
        """The start times of model calls without output so far."""
        self._lock = threading.Lock()

    def on_chain_start(self, serialized: Any, inputs: Any, **options: Any) -> None:
        self._start("span", serialized, inputs, options)

    def on_chain_end(self, outputs: Any, **options: Any) -> None:
        self._end(options, output=_readable(outputs))

    def on_chain_error(self, error: BaseException, **options: Any) -> None:
        self._end(options, **_read_error(error))

    def on_tool_start(self, serialized: Any, input_str: str, **options: Any) -> None:
        self._start("tool", serialized, options.get("inputs") or input_str, options)

    def on_tool_end(self, output: Any, **options: Any) -> None:
        self._end(options, output=_readable(getattr(output, "content", output)))

    def on_tool_error(self, error: BaseException, **options: Any) -> None:
        self._end(options, **_read_error(error))

    def on_retriever_start(self, serialized: Any, query: str, **options: Any) -> None:
        self._start("retrieval", serialized, query, options)

    def on_retriever_end(self, documents: Sequence[Any], **options: Any) -> None:
        fields = ("id", "page_content", "metadata")
        self._end(options, output=[{name: getattr(each, name, None) for name in fields} for each in documents])

    def on_retriever_error(self, error: BaseException, **options: Any) -> None:
        self._end(options, **_read_error(error))

    def on_llm_start(self, serialized: Any, prompts: list[str], **options: Any) -> None:
        self._start("generation", serialized, prompts[0] if len(prompts) == 1 else prompts, options)

    def on_chat_model_start(self, serialized: Any, messages: list[list[Any]], **options: Any) -> None:
        read = [[_message(message) for message in each] for each in messages]
        self._start("generation", serialized, read[0] if len(read) == 1 else read, options)

    def on_llm_new_token(self, token: Any, **options: Any) -> None:
        message = getattr(options.get("chunk"), "message", None)
        if not token and not any(getattr(message, name, None) for name in ("content", "tool_call_chunks")):
            # Some models begin a stream with an empty part.
            return
        with self._lock:
            started = self._starts.pop(options["run_id"], None)
            recording = self._recordings.get(options["run_id"])
        if started is not None and recording is not None:
            recording.update(time_to_first_token_ms=(time.monotonic() - started) * 1000)

    def on_llm_end(self, response: Any, **options: Any) -> None:
        self._end(options, **_read_result(response))

    def on_llm_error(self, error: BaseException, **options: Any) -> None:
        self._end(options, **_read_error(error))

    def _start(self, type: RecordingType, serialized: Any, value: Any, options: Mapping[str, Any]) -> None:
        client = self._client or get_client()
        try:
            with self._lock:
                parent = self._recordings.get(options.get("parent_run_id") or options["run_id"])
            is_outermost = parent is None
            fields: dict[str, Any] = {"input": _readable(value)}
            if type == "generation":
                fields.update(_read_parameters(options))
            if is_outermost:
                fields.update(_read_run(options))
            name = options.get("name") or _name_of(serialized) or type
            recording = client.start(str(name), type, fields, parent or self._parent)
            with self._lock:
                self._recordings[options["run_id"]] = recording
                if type == "generation":
                    self._starts[options["run_id"]] = time.monotonic()
        except Exception as error:
            client.report_error(error)

    def _end(self, options: Mapping[str, Any], **fields: Any) -> None:
        with self._lock:
            recording = self._recordings.pop(options["run_id"], None)
            self._starts.pop(options["run_id"], None)
        if recording is not None:
            recording.end(**fields)


def _name_of(serialized: Any) -> Any:
    if not isinstance(serialized, Mapping):
        return None
    return serialized.get("name") or (serialized.get("id") or [None])[-1]


def _read_run(options: Mapping[str, Any]) -> dict[str, Any]:
    metadata = dict(options.get("metadata") or {})
    return {
        "user": metadata.pop("user_id", None),
        "session_id": metadata.pop("session_id", None) or metadata.get("thread_id"),
        "feature": metadata.pop("feature", None),
        "tags": options.get("tags") or None,
        "metadata": {name: value for name, value in metadata.items() if not name.startswith("ls_")},
    }


def _read_parameters(options: Mapping[str, Any]) -> dict[str, Any]:
    parameters = dict(options.get("invocation_params") or {})
    metadata = options.get("metadata") or {}
    model = parameters.pop("model", None) or parameters.pop("model_name", None) or metadata.get("ls_model_name")
    parameters.pop("_type", None)
    return {
        "model": model,
        "provider": metadata.get("ls_provider"),
        "metadata": {"parameters": {name: value for name, value in parameters.items() if value is not None}},
    }


def _readable(value: Any) -> Any:
    """Converts messages at any depth to the form that models accept, and leaves everything else unchanged."""
    if hasattr(value, "to_messages"):
        return [_message(message) for message in value.to_messages()]
    if hasattr(value, "type") and hasattr(value, "content"):
        return _message(value)
    if type(value).__name__ in ("Command", "Send") and dataclasses.is_dataclass(value):
        # Classes of LangGraph, which may contain messages.
        return {each.name: _readable(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {name: _readable(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_readable(each) for each in value]
    return value


_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant"}


def _message(message: Any) -> Any:
    kind = getattr(message, "type", None)
    if kind is None:
        return jsonable(message)
    read: dict[str, Any] = {"role": getattr(message, "role", None) or _ROLES.get(kind, kind), "content": message.content}
    calls = getattr(message, "tool_calls", None)
    if calls:
        read["tool_calls"] = [
            {"id": call.get("id"), "type": "function", "function": {"name": call["name"], "arguments": call["args"]}}
            for call in calls
        ]
    if getattr(message, "tool_call_id", None):
        read["tool_call_id"] = message.tool_call_id
    return read


def _read_error(error: BaseException) -> dict[str, Any]:
    """LangGraph raises to interrupt for a person and to hand over to the parent graph: neither is a failure."""
    if any(kind.__name__ == "GraphBubbleUp" for kind in type(error).__mro__):
        return {"output": _readable(next(iter(error.args), None))}
    return {"error": error}


def _read_result(response: Any) -> dict[str, Any]:
    generations = [generation for each in response.generations for generation in each]
    messages = [getattr(generation, "message", None) for generation in generations]
    outputs = [
        generation.text if message is None else _message(message) for generation, message in zip(generations, messages)
    ]
    message = next((each for each in messages if each is not None), None)
    facts = getattr(message, "response_metadata", None) or {}
    output = response.llm_output or {}
    usage = getattr(message, "usage_metadata", None) or output.get("token_usage") or output.get("usage")
    fields: dict[str, Any] = {"output": outputs[0] if len(outputs) == 1 else outputs}
    if usage:
        known = jsonable(usage)
        tier = {"service_tier": facts["service_tier"]} if isinstance(facts.get("service_tier"), str) else {}
        fields.update({"usage": {**known, **tier}, **tokens_in(known)})
    model = facts.get("model_name") or facts.get("model") or output.get("model_name")
    if model:
        fields["model"] = model
    return fields
