"""Encodes spans as OTLP JSON: https://opentelemetry.io/docs/specs/otlp/."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanKind

from ._json import utf8_size

_KINDS = {
    SpanKind.INTERNAL: 1,
    SpanKind.SERVER: 2,
    SpanKind.CLIENT: 3,
    SpanKind.PRODUCER: 4,
    SpanKind.CONSUMER: 5,
}

MaskAttribute = Callable[[str, Any], Any]


def encode_spans(spans: Iterable[ReadableSpan], mask: MaskAttribute | None) -> bytes:
    """Encodes an export of spans. A span that is still running has no end time."""
    resources: dict[Any, dict[Any, list[Any]]] = {}
    for span in spans:
        scopes = resources.setdefault(span.resource, {})
        scopes.setdefault(span.instrumentation_scope, []).append(_encode_span(span, mask))
    export = {
        "resourceSpans": [
            {
                "resource": {"attributes": _encode_attributes(resource.attributes, None)},
                "scopeSpans": [
                    {"scope": {"name": scope.name, "version": scope.version or ""} if scope else {}, "spans": encoded}
                    for scope, encoded in scopes.items()
                ],
            }
            for resource, scopes in resources.items()
        ]
    }
    # Escapes would double the size of most scripts. Other instrumentations may set lone surrogates, which are not valid text.
    return json.dumps(export, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _encode_span(span: ReadableSpan, mask: MaskAttribute | None) -> dict[str, Any]:
    context = span.get_span_context()
    assert context is not None
    encoded: dict[str, Any] = {
        "traceId": f"{context.trace_id:032x}",
        "spanId": f"{context.span_id:016x}",
        "name": span.name,
        "kind": _KINDS.get(span.kind, 0),
        "startTimeUnixNano": str(span.start_time or 0),
        "attributes": _encode_attributes(span.attributes, mask),
        "status": {"code": span.status.status_code.value, "message": _masked(mask, "status", span.status.description) or ""},
    }
    if span.end_time is not None:
        encoded["endTimeUnixNano"] = str(span.end_time)
    if span.parent is not None:
        encoded["parentSpanId"] = f"{span.parent.span_id:016x}"
    if span.events:
        encoded["events"] = [
            {
                "name": event.name,
                "timeUnixNano": str(event.timestamp),
                "attributes": _encode_attributes(event.attributes, mask),
            }
            for event in span.events
        ]
    if span.links:
        encoded["links"] = [
            {
                "traceId": f"{link.context.trace_id:032x}",
                "spanId": f"{link.context.span_id:016x}",
                "attributes": _encode_attributes(link.attributes, mask),
            }
            for link in span.links
        ]
    return encoded


def _masked(mask: MaskAttribute | None, name: str, value: Any) -> Any:
    return value if mask is None or value is None else mask(name, value)


def _encode_attributes(attributes: Mapping[str, Any] | None, mask: MaskAttribute | None) -> list[dict[str, Any]]:
    encoded: list[dict[str, Any]] = []
    # A copy, because a running span may get further attributes meanwhile.
    for name, value in dict(attributes or {}).items():
        masked = _masked(mask, name, value)
        if masked is not None:
            encoded.append({"key": name, "value": _encode_value(masked)})
    return encoded


def _encode_value(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value if value == value and abs(value) != float("inf") else str(value)}
    if isinstance(value, Mapping):
        return {"kvlistValue": {"values": _encode_attributes(value, None)}}
    if isinstance(value, (bytes, bytearray)):
        return {"stringValue": f"[{len(value)} bytes]"}
    if isinstance(value, Sequence):
        return {"arrayValue": {"values": [_encode_value(each) for each in value if each is not None]}}
    return {"stringValue": str(value)}


def size_of(span: ReadableSpan) -> int:
    """The approximate size of a span in bytes; cheap, because the application waits for it."""
    size = 400
    for attributes in (span.attributes, *(event.attributes for event in span.events)):
        for name, value in dict(attributes or {}).items():
            size += len(name) + _size_of_value(value) + 40
    return size


def _size_of_value(value: Any) -> int:
    if isinstance(value, str):
        return utf8_size(value)
    if isinstance(value, (tuple, list)):
        return sum(_size_of_value(each) + 20 for each in value)
    return 8
