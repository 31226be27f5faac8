"""How requests and answers of Google's client for Gemini are read."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from ._wrapping import Call, Values


def read_request(kind: str, request: Mapping[str, Any]) -> Values:
    config = _plain(request.get("config")) or {}
    # Options of HTTP may have headers that sign somebody in.
    ignored = ("systemInstruction", "system_instruction", "httpOptions", "http_options")
    parameters = {name: value for name, value in config.items() if name not in ignored}
    others = {name: _plain(value) for name, value in request.items() if name not in ("model", "contents", "prompt", "config")}
    system = config.get("systemInstruction", config.get("system_instruction"))
    contents = _plain(request.get("contents", request.get("prompt")))
    conversation = contents if isinstance(contents, list) else [contents]
    model = request.get("model")
    return {
        "name": f"google.{kind} {model}" if model else f"google.{kind}",
        "input": contents if system is None else [{"role": "system", "content": system}, *conversation],
        "model": model,
        "provider": "gemini",
        "metadata": {"parameters": {**parameters, **others}},
    }


def _plain(value: Any) -> Any:
    """A value in the form in which Google's API has it: its models without what was not set, functions by their names."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, type):
        # The schema of an answer.
        return value.__name__
    if hasattr(type(value), "model_dump"):
        fields = {
            field.alias or name: getattr(value, name)
            for name, field in type(value).model_fields.items()
            if getattr(value, name) is not None
        }
        data = fields.get("data")
        if isinstance(data, bytes):
            fields["data"] = base64.b64encode(data).decode()
        return _plain(fields)
    return getattr(value, "__name__", value) if callable(value) else value


def read_content(response: Any) -> Values:
    candidates = response.candidates or ()
    outputs = [{"role": "assistant", "parts": _plain(getattr(each.content, "parts", None) or [])} for each in candidates]
    finish = [each.finish_reason for each in candidates]
    return {
        **({"model": response.model_version} if response.model_version else {}),
        "output": outputs[0] if len(outputs) == 1 else outputs,
        "metadata": {"finishReason": finish[0] if finish else None},
        **_usage_fields(response.usage_metadata),
    }


def _usage_fields(usage: Any) -> Values:
    if usage is None:
        return {}
    fields: Values = {"usage": _plain(usage)}
    if usage.prompt_token_count is not None:
        fields["input_tokens"] = usage.prompt_token_count
    # Gemini counts its thoughts apart; by the rule of OpenTelemetry's GenAI conventions the output holds them.
    # It leaves out the tokens of an answer that its thoughts left no room for.
    output = (usage.candidates_token_count, usage.thoughts_token_count)
    if output != (None, None):
        fields["output_tokens"] = sum(count or 0 for count in output)
    return fields


class ContentAssembly:
    """Parts of a stream carry pieces of an answer, and the last one the usage."""

    def __init__(self) -> None:
        self._parts: list[Values] = []
        self._last: Any = None
        self._usage: Any = None
        self._finish: Any = None
        self._model: Any = None

    def add(self, part: Any) -> bool:
        self._usage = part.usage_metadata or self._usage
        self._model = part.model_version or self._model
        candidate = (part.candidates or (None,))[0]
        self._finish = getattr(candidate, "finish_reason", None) or self._finish
        new_parts: list[Values] = _plain(getattr(getattr(candidate, "content", None), "parts", None) or [])
        for each in new_parts:
            self._add_part(each)
        return len(new_parts) > 0

    def _add_part(self, part: Values) -> None:
        last = self._parts[-1] if self._parts else {}
        if "text" in last and "text" in part and last.get("thought") == part.get("thought"):
            self._parts[-1] = {**last, **part, "text": last["text"] + part["text"]}
        else:
            self._parts.append(part)

    def fields(self) -> Values:
        return {
            **({"model": self._model} if self._model else {}),
            "output": {"role": "assistant", "parts": self._parts},
            "metadata": {"finishReason": self._finish},
            **_usage_fields(self._usage),
        }


def _read_embeddings(response: Any) -> Values:
    embeddings = response.embeddings or []
    dimensions = len(embeddings[0].values or ()) if embeddings else 0
    # The service would count the description as a text that was generated.
    return {"output": {"embeddings": len(embeddings), "dimensions": dimensions}, "output_tokens": 0}


def _read_images(response: Any) -> Values:
    images = [getattr(each.image, "image_bytes", None) or b"" for each in response.generated_images or ()]
    return {"output": [{"image": f"[{len(each)} bytes]"} for each in images]}


GENERATE = Call(lambda request: read_request("generate", request), read_content, ContentAssembly)
OTHER_CALLS = {
    "embed_content": Call(lambda request: read_request("embeddings", request), _read_embeddings, ContentAssembly),
    "generate_images": Call(lambda request: read_request("images", request), _read_images, ContentAssembly),
}
