"""The application's own masking: applied to every value before anything leaves the process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ._json import TooLarge, jsonable

Mask = Callable[[Any, str], Any]
"""Returns the value to send, or ``None`` to send nothing.

It is called with a copy of the value, which it may change, and the name of the field: ``input``, ``output``,
``metadata``, ``variables``, ``user``, ``name``, ``comment`` …, or the name of the attribute for spans of other
instrumentations.
"""

CONTENT_BYTES_MAX = 15 * 2**20
"""Leaves room for the rest of the span below the service's limit of 16 MiB."""
LEFT_OUT = "[left out: the span would be too large]"
MASK_FAILED = "[left out: the mask failed]"
"""Sent in place of a value if the hook raises: never the value itself."""

_REFERENCES = frozenset(
    """id type parentId featureSlug chainSlug experiment startTime endTime evaluators evaluationConfig prompt slug
    version tag inputTokens outputTokens cost traceId logId createdAt logs
    feature sample_rate model provider input_tokens output_tokens time_to_first_token_ms""".split()
)
"""Names of fields that hold no content. A hook that changed one would break references to it."""

_OBJECT_FIELDS = frozenset(("user", "organization", "variables", "metadata"))


def mask_field(mask: Mask | None, field: str, value: object, on_error: Callable[[BaseException], None]) -> Any:
    """The masked value of a field; the value itself if the field holds no content."""
    if mask is None or value is None or field in _REFERENCES:
        return value
    try:
        return mask(jsonable(value, CONTENT_BYTES_MAX), field)
    except TooLarge as error:
        on_error(error)
        return None if field in _OBJECT_FIELDS else LEFT_OUT
    except Exception as error:
        on_error(error)
        # In a form that the service accepts there, so that it does not reject the rest of the record.
        return None if field in _OBJECT_FIELDS else MASK_FAILED


def mask_record(
    mask: Mask | None, record: Mapping[str, Any], on_error: Callable[[BaseException], None]
) -> dict[str, Any]:
    """The input of an operation that records: the fields of a trace, of its logs, or of a score."""
    if mask is None:
        return dict(record)
    return {
        field: [mask_record(mask, log, on_error) for log in value]
        if field == "logs" and isinstance(value, list)
        else mask_field(mask, field, value, on_error)
        for field, value in record.items()
    }


_PLAIN_PREFIXES = ("plumbline.", "service.", "telemetry.", "gen_ai.usage.", "gen_ai.request.", "gen_ai.response.")
_PLAIN_NAMES = frozenset(
    """openinference.span.kind gen_ai.operation.name gen_ai.system gen_ai.provider.name llm.model_name llm.system
    llm.provider traceloop.span.kind llm.request.type session.id error.type input.mime_type output.mime_type""".split()
)


def mask_attribute(mask: Mask | None, name: str, value: Any, on_error: Callable[[BaseException], None]) -> Any:
    """The masked value of an attribute of another instrumentation. The client's own attributes are already masked."""
    if mask is None or name in _PLAIN_NAMES or name.startswith(_PLAIN_PREFIXES):
        return value
    if not isinstance(value, (str, tuple, list)):
        return value
    masked = mask_field(mask, name, list(value) if isinstance(value, tuple) else value, on_error)
    if masked is None or isinstance(masked, (str, bool, int, float)):
        return masked
    if isinstance(masked, list) and all(isinstance(each, (str, bool, int, float)) for each in masked):
        return masked
    return json.dumps(jsonable(masked), ensure_ascii=False)
