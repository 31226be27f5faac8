"""Experiments: run a function over the rows of a dataset, and evaluate its outputs."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Union

from ._datasets import Dataset, Row, Rows, read_rows, read_stored_rows
from ._experiment_table import ScoreSummary, format_table, summarize
from ._recording import Recording

if TYPE_CHECKING:
    from ._client import Client
    from .operations import Experiment

ScoreValue = Union[bool, float, str]
Judgement = Union[ScoreValue, "tuple[ScoreValue, str]", Mapping[str, Any], None]
"""A value; a value with its reason, as a pair or as ``{"value": …, "comment": …}``; or ``None`` for no score."""

_PENDING_MAX = 2_000
"""Above this number of pending records, rows wait for delivery: an experiment may be slow, but must not drop records."""
_DELIVERY = 60.0


@dataclass
class RowResult:
    row: Row
    #: ``None`` if the function failed.
    output: Any
    #: The exception of the function or of an evaluator.
    error: BaseException | None
    scores: dict[str, ScoreValue]
    duration_ms: float
    trace_id: str
    comments: dict[str, str] = field(default_factory=dict)


@dataclass
class ExperimentResult:
    experiment: Experiment
    #: In the order of the dataset.
    rows: list[RowResult]
    scores: dict[str, ScoreSummary]
    #: The number of traces and scores that are not stored: still pending, or dropped.
    unstored: int
    #: Whether there were rows, none of them failed, and every threshold was reached.
    has_passed: bool
    #: The table that was printed at the end.
    table: str
    url: str

    @property
    def exit_code(self) -> int:
        """For ``sys.exit``: 0 if the experiment has passed, else 1."""
        return 0 if self.has_passed else 1

    def to_pandas(self) -> Any:
        """The values, outputs and scores as a table."""
        import pandas

        return pandas.DataFrame(
            [
                {**result.row.values, "output": result.output, "error": result.error, "trace_id": result.trace_id}
                | {f"score.{name}": value for name, value in result.scores.items()}
                for result in self.rows
            ]
        )


@dataclass(frozen=True)
class Plan:
    name: str
    feature: str
    dataset: str | Rows | Dataset
    run: Callable[..., Any]
    evaluators: Mapping[str, Callable[..., Any]]
    thresholds: Mapping[str, float]
    concurrency: int
    metadata: Mapping[str, Any]


def run_experiment(client: Client, plan: Plan, screen: IO[str] | None) -> ExperimentResult:
    """Raises only if the dataset or the feature cannot be loaded."""
    rows, sources = _read_rows(client, plan.dataset)
    body = {"featureSlug": plan.feature, "name": plan.name}
    experiment: Experiment = client.request("POST", "/monitor/experiments", body=body)
    started = time.monotonic()
    before = client.dropped
    loop = _Loop()
    done = 0
    lock = threading.Lock()

    def run_one(index: int) -> RowResult:
        nonlocal done
        if client.stats.pending > _PENDING_MAX:
            client.flush(_DELIVERY)
        result = _run_row(client, plan, experiment["id"], rows[index], sources[index], loop)
        with lock:
            done += 1
            if screen is not None and screen.isatty():
                screen.write(f"\r{done} of {len(rows)} rows")
        return result

    try:
        with ThreadPoolExecutor(max_workers=max(1, plan.concurrency), thread_name_prefix="plumbline-experiment") as pool:
            contexts = [contextvars.copy_context() for _ in rows]
            results = list(pool.map(lambda index: contexts[index].run(run_one, index), range(len(rows))))
    finally:
        loop.close()
    stats = client.flush(_DELIVERY)
    unstored = stats.pending + client.dropped - before
    scores, has_passed = summarize([*plan.evaluators, *plan.thresholds], plan.thresholds, results)
    table = format_table(plan.name, results, scores, time.monotonic() - started, unstored, has_passed)
    if screen is not None:
        screen.write(("\r" if screen.isatty() else "") + table)
    url = f"{client.url}/app/experiments/{experiment['id']}"
    return ExperimentResult(experiment, results, scores, unstored, has_passed, table, url)


def _read_rows(client: Client, dataset: str | Rows | Dataset) -> tuple[Sequence[Row], Sequence[Mapping[str, Any]]]:
    """The rows, and for each the trace metadata that identifies it."""
    if isinstance(dataset, Dataset):
        dataset = dataset.slug
    if not isinstance(dataset, str):
        rows = read_rows(dataset)
        return rows, [{"row": index} for index in range(len(rows))]
    rows, ids = read_stored_rows(client, dataset)
    # The id identifies a row: its index changes with the rows before it.
    return rows, [{"dataset": dataset, "row": index, "datasetRowId": row_id} for index, row_id in enumerate(ids)]


def _run_row(client: Client, plan: Plan, experiment_id: str, row: Row, source: Mapping[str, Any], loop: _Loop) -> RowResult:
    trace = client.trace(
        plan.name,
        feature=plan.feature,
        experiment=experiment_id,
        input=dict(row.values),
        ideal_output=row.ideal_output,
        metadata={**plan.metadata, **source},
    )
    started = time.monotonic()
    output: Any = None
    error: BaseException | None = None
    try:
        with trace:
            output = loop.result(_call(plan.run, (row,), {"row": row, "trace": trace}))
            if not trace.has_output:
                trace.update(output=output)
    except Exception as raised:
        error = raised
    result = RowResult(row, output, error, {}, (time.monotonic() - started) * 1000, trace.trace_id)
    if error is None:
        _judge(plan, result, trace, loop)
    return result


def _judge(plan: Plan, result: RowResult, trace: Recording, loop: _Loop) -> None:
    """Runs every evaluator, even if another one fails."""
    row = result.row
    context = {
        "row": row,
        "output": result.output,
        "input": row.values,
        "ideal_output": row.ideal_output,
        "expected": row.ideal_output,
        "metadata": row.metadata,
    }
    for name, evaluator in plan.evaluators.items():
        try:
            judged = loop.result(_call(evaluator, (), context))
            value, comment = read_judgement(judged)
            if value is None:
                continue
            result.scores[name] = value
            if comment is not None:
                result.comments[name] = comment
            trace.score(name, value, comment=comment)
        except Exception as error:
            result.error = result.error or error


def read_judgement(judged: Any) -> tuple[ScoreValue | None, str | None]:
    if isinstance(judged, Mapping):
        return judged.get("value"), judged.get("comment")
    if isinstance(judged, tuple):
        return judged[0], judged[1]
    if isinstance(judged, (bool, str)) or judged is None:
        return judged, None
    return float(judged) if not isinstance(judged, int) else judged, None


def _call(function: Callable[..., Any], positional: tuple[Any, ...], context: Mapping[str, Any]) -> Any:
    """Passes the context values that the function has parameters for; positional values if its first parameter is none of them."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return function(*positional)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return function(**context)
    kinds = ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
    named = {each.name: context[each.name] for each in parameters if each.kind.name in kinds and each.name in context}
    first = next(iter(parameters), None)
    if positional and first is not None and first.name not in named:
        return function(*positional, **{name: value for name, value in named.items() if name != "row"})
    return function(**named)


class _Loop:
    """One event loop for all asynchronous functions, so that rows can share asynchronous clients."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def result(self, value: Any) -> Any:
        if not inspect.isawaitable(value):
            return value

        async def wait() -> Any:
            return await value

        coroutine: Coroutine[Any, Any, Any] = wait()
        return asyncio.run_coroutine_threadsafe(coroutine, self._running()).result()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="plumbline-loop", daemon=True).start()
            return self._loop

    def close(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)


def standard_error() -> IO[str]:
    return sys.stderr
