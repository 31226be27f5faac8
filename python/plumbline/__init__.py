"""Plumbline: records runs of language-model applications, and serves their prompts and datasets.

``plumbline.init()`` creates the client of the process, which every function here uses. Without ``init`` it is created at the
first use, from ``PLUMBLINE_URL`` and ``PLUMBLINE_API_KEY``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from typing_extensions import Unpack

from ._client import Client, Function, decorate
from ._datasets import Column, Dataset, Row, Rows
from ._delivery import DeliveryStats
from ._errors import DropReason, PlumblineError, RecordDropped, RequestFailed, ServiceUnreachable, TemplateFailed
from ._experiment import ExperimentResult, RowResult, ScoreValue
from ._experiment_table import ScoreSummary
from ._fields import Fields, Identity, NamedFields, RecordingType
from ._mask import Mask
from ._options import ClientOptions
from ._prompts import Fallback, Prompt
from ._recording import Recording, current_recording
from ._render import Message
from ._version import __version__

_lock = threading.Lock()
_client: Client | None = None


def init(**options: Unpack[ClientOptions]) -> Client:
    """Creates the client of the process, with the options of ``Client``; flushes and closes a previous one.

    Raises ``ValueError`` if the address or the key is invalid.
    """
    global _client
    client = Client(**options)
    with _lock:
        before, _client = _client, client
    if before is not None:
        before.close()
    return client


def get_client() -> Client:
    """The client of the process. Without a key it records nothing, and reports this once."""
    global _client
    if _client is None:
        with _lock:
            if _client is None:
                try:
                    _client = Client()
                except ValueError as error:
                    _client = Client(enabled=False)
                    _client.report_error(PlumblineError(f"nothing is recorded: {error}"))
    return _client


def trace(
    name: str | None = None, *, parent: Mapping[str, str] | str | None = None, **fields: Unpack[Fields]
) -> Recording:
    """Starts a trace. ``parent`` continues a trace of another process: request headers, or their ``traceparent``."""
    return get_client().trace(name, parent=parent, **fields)


def span(name: str | None = None, *, type: RecordingType = "span", **fields: Unpack[Fields]) -> Recording:
    """Starts a step of the current trace or step, or a trace if there is none."""
    return get_client().span(name, type=type, **fields)


def generation(name: str | None = None, **fields: Unpack[Fields]) -> Recording:
    """Starts a call to a language model."""
    return get_client().generation(name, **fields)


def tool(name: str | None = None, **fields: Unpack[Fields]) -> Recording:
    """Starts a tool call that a model requested."""
    return get_client().tool(name, **fields)


def retrieval(name: str | None = None, **fields: Unpack[Fields]) -> Recording:
    """Starts a search for documents."""
    return get_client().retrieval(name, **fields)


def event(name: str | None = None, **fields: Unpack[Fields]) -> None:
    """Records an event: a step that ends as soon as it starts."""
    get_client().event(name, **fields)


@overload
def observe(function: Function, /) -> Function: ...
@overload
def observe(
    *,
    name: str | None = None,
    type: RecordingType = "function",
    capture_input: bool = True,
    capture_output: bool = True,
    **fields: Unpack[Fields],
) -> Callable[[Function], Function]: ...
def observe(function: Any = None, /, **options: Any) -> Any:
    """Records the calls of a function: its arguments, its returned or yielded values, and its exceptions."""
    return decorate(get_client, function, options)


def current() -> Recording | None:
    """The innermost trace or step around this call."""
    return current_recording()


def update(**fields: Unpack[NamedFields]) -> None:
    """Sets fields of the current step; does nothing if there is none."""
    recording = current_recording()
    if recording is not None:
        recording.update(**fields)


def update_trace(**fields: Unpack[NamedFields]) -> None:
    """Sets fields of the current trace, such as its user, session or tags."""
    recording = current_recording()
    if recording is not None:
        recording.update_trace(**fields)


def trace_headers() -> dict[str, str]:
    """W3C trace context of the current step, for a request to another service that continues the trace."""
    recording = current_recording()
    return {} if recording is None else recording.trace_headers()


def score(
    trace_id: str,
    name: str,
    value: bool | float | str,
    *,
    log_id: str | None = None,
    comment: str | None = None,
    user_id: str | None = None,
) -> None:
    """Records a score in the background: never raises, and never records a score twice.

    With ``user_id``, a later score of the same user with the same name replaces the earlier one.
    """
    get_client().score(trace_id, name, value, log_id=log_id, comment=comment, user_id=user_id)


def prompt(
    slug: str,
    variables: Mapping[str, Any] | None = None,
    *,
    version: str | None = None,
    tag: str | None = None,
    targeting_key: str | None = None,
    fallback: Fallback | None = None,
) -> Prompt:
    """The prompt version to run now, from memory; see ``Client.prompt``."""
    return get_client().prompt(
        slug, variables, version=version, tag=tag, targeting_key=targeting_key, fallback=fallback
    )


async def prompt_async(
    slug: str,
    variables: Mapping[str, Any] | None = None,
    *,
    version: str | None = None,
    tag: str | None = None,
    targeting_key: str | None = None,
    fallback: Fallback | None = None,
) -> Prompt:
    """Like ``prompt``, but fetches a prompt that is not in memory without blocking the event loop."""
    return await get_client().prompt_async(
        slug, variables, version=version, tag=tag, targeting_key=targeting_key, fallback=fallback
    )


def dataset(slug: str) -> Dataset:
    """A dataset with its rows; see ``Client.dataset``."""
    return get_client().dataset(slug)


def create_dataset(
    slug: str,
    rows: Rows | None = None,
    *,
    name: str | None = None,
    columns: Sequence[str | Column] | None = None,
) -> Dataset:
    """Creates a dataset with the columns of its rows. An existing one keeps its columns, and the rows are added."""
    return get_client().create_dataset(slug, rows, name=name, columns=columns)


def add_rows(slug: str, rows: Rows) -> list[str]:
    """Adds rows (mappings, or a pandas table) to a dataset; returns the ids of the rows."""
    return get_client().add_rows(slug, rows)


def experiment(
    name: str,
    *,
    feature: str,
    dataset: str | Rows | Dataset,
    run: Callable[..., Any],
    evaluators: Mapping[str, Callable[..., Any]] | None = None,
    thresholds: Mapping[str, float] | None = None,
    concurrency: int = 4,
    metadata: Mapping[str, Any] | None = None,
    quiet: bool = False,
) -> ExperimentResult:
    """Runs a function over a dataset and evaluates its outputs; see ``Client.experiment``."""
    return get_client().experiment(
        name,
        feature=feature,
        dataset=dataset,
        run=run,
        evaluators=evaluators,
        thresholds=thresholds,
        concurrency=concurrency,
        metadata=metadata,
        quiet=quiet,
    )


def flush(timeout: float = 10.0) -> DeliveryStats:
    """Returns when everything recorded so far is delivered or dropped, or after ``timeout`` seconds; never raises."""
    return get_client().flush(timeout)


def close(timeout: float = 10.0) -> DeliveryStats:
    """Flushes, then drops what could not be delivered."""
    return get_client().close(timeout)


__all__ = [
    "Client",
    "ClientOptions",
    "Column",
    "Dataset",
    "DeliveryStats",
    "DropReason",
    "ExperimentResult",
    "Fallback",
    "Fields",
    "Identity",
    "Mask",
    "Message",
    "NamedFields",
    "PlumblineError",
    "Prompt",
    "RecordDropped",
    "Recording",
    "RecordingType",
    "RequestFailed",
    "Row",
    "RowResult",
    "Rows",
    "ScoreSummary",
    "ScoreValue",
    "ServiceUnreachable",
    "TemplateFailed",
    "__version__",
    "add_rows",
    "close",
    "create_dataset",
    "current",
    "dataset",
    "event",
    "experiment",
    "flush",
    "generation",
    "get_client",
    "init",
    "observe",
    "prompt",
    "prompt_async",
    "retrieval",
    "score",
    "span",
    "tool",
    "trace",
    "trace_headers",
    "update",
    "update_trace",
]
