"""Summarizes the scores of an experiment, and formats them as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._experiment import RowResult, ScoreValue

_FAILURES_SHOWN = 5


@dataclass(frozen=True)
class ScoreSummary:
    """One score over all rows that have it."""

    #: The mean of numbers and booleans (true is 1); ``None`` if there are none.
    mean: float | None
    #: The number of rows with this score.
    count: int
    #: The count of each text, for scores that are texts.
    texts: dict[str, int]
    threshold: float | None
    has_passed: bool


def summarize(
    names: Sequence[str], thresholds: Mapping[str, float], rows: Sequence[RowResult]
) -> tuple[dict[str, ScoreSummary], bool]:
    """An experiment with a failed row fails, whatever its scores are, and so does one without rows."""
    summaries = {
        name: _summarize_score([row.scores[name] for row in rows if name in row.scores], thresholds.get(name))
        for name in dict.fromkeys(names)
    }
    has_failed_row = any(row.error is not None for row in rows)
    has_passed = len(rows) > 0 and not has_failed_row and all(each.has_passed for each in summaries.values())
    return summaries, has_passed


def _summarize_score(values: Sequence[ScoreValue], threshold: float | None) -> ScoreSummary:
    numbers = [float(value) for value in values if not isinstance(value, str)]
    texts: dict[str, int] = {}
    for value in values:
        if isinstance(value, str):
            texts[value] = texts.get(value, 0) + 1
    mean = sum(numbers) / len(numbers) if numbers else None
    # Without a mean, or with NaN, there is no evidence that the threshold was reached.
    has_passed = threshold is None or (mean is not None and _reaches(mean, threshold))
    return ScoreSummary(mean, len(values), texts, threshold, has_passed)


def _reaches(mean: float, threshold: float) -> bool:
    # A relative difference of a billionth comes from floating point, not from the scores.
    return mean >= threshold or math.isclose(mean, threshold, rel_tol=1e-9)


def format_table(
    name: str,
    results: Sequence[RowResult],
    scores: Mapping[str, ScoreSummary],
    seconds: float,
    unstored: int,
    has_passed: bool,
) -> str:
    failed = [(index, row.error) for index, row in enumerate(results) if row.error is not None]
    table = [["score", "result", "at least", "rows", ""]]
    for score, summary in scores.items():
        at_least = "" if summary.threshold is None else format_number(summary.threshold)
        verdict = "" if summary.threshold is None else "passed" if summary.has_passed else "failed"
        table.append([score, _format_result(summary), at_least, str(summary.count), verdict])
    lines = [
        f"{name}: {len(results)} rows, {len(failed)} failed, {seconds:.1f} s",
        *_align_columns(table),
        *[f"row {index}: {error}" for index, error in failed[:_FAILURES_SHOWN]],
    ]
    if len(failed) > _FAILURES_SHOWN:
        lines.append(f"and {len(failed) - _FAILURES_SHOWN} more rows that failed")
    if unstored > 0:
        lines.append(f"{unstored} traces or scores are not stored: the service did not take them.")
    lines.append(_outcome_of(has_passed, results))
    return "\n".join(lines) + "\n"


def _outcome_of(has_passed: bool, results: Sequence[RowResult]) -> str:
    if has_passed:
        return "The experiment has passed."
    return "The experiment has failed." if results else "The experiment has failed: it has no rows."


def _format_result(summary: ScoreSummary) -> str:
    texts = sorted(summary.texts.items(), key=lambda each: -each[1])
    means = [] if summary.mean is None else [format_number(summary.mean)]
    return ", ".join([*means, *[f"{text} {count}" for text, count in texts]])


def format_number(value: float) -> str:
    """Rounds to three decimals, halves up, like the TypeScript client."""
    if not math.isfinite(value):
        return str(value)
    return f"{math.floor(value * 1000 + 0.5) / 1000:.3f}".rstrip("0").rstrip(".")


def _align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
