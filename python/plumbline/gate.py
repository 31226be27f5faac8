"""Experiment runs in the service, and the gate that decides whether a candidate may replace a baseline."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from ._errors import TRANSIENT_STATUSES, PlumblineError, RequestFailed, ServiceUnreachable

if TYPE_CHECKING:
    from ._client import Client

Verdict = Literal["pass", "fail", "inconclusive"]
Comparison = Mapping[str, Any]
"""The response of ``operations.experiments.compare`` for the candidate and the baseline, and no further experiment."""


class RuleUnreadable(PlumblineError):
    """A line is not a rule; the message shows what a rule looks like."""


class WaitedTooLong(PlumblineError):
    """A run or its evaluation did not end in time."""


@dataclass(frozen=True)
class GateRule:
    """A line such as ``delta(score.accuracy) >= -0.02``."""

    text: str
    type: Literal["mean", "delta", "count", "significance"]
    comparator: str
    value: float
    #: ``score.NAME``, ``cost`` …; for counts the counted cases; ``None`` for the significance of all scores.
    measure: str | None
    #: Whether a difference is relative to the baseline's mean.
    is_share: bool = False


@dataclass(frozen=True)
class RuleVerdict:
    rule: str
    verdict: Verdict
    #: A sentence with the numbers.
    reason: str


@dataclass(frozen=True)
class GateVerdict:
    #: ``fail`` if a rule fails, else ``inconclusive`` if a rule could not be decided, else ``pass``.
    verdict: Verdict
    rules: list[RuleVerdict]

    @property
    def exit_code(self) -> int:
        """0 for a pass, 1 for a failure, 2 if inconclusive (the command line exits with 1 then)."""
        return {"pass": 0, "fail": 1, "inconclusive": 2}[self.verdict]


_RULE = re.compile(r"^(.+?)\s*(>=|<=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%?)$", re.IGNORECASE)
_SPENDING = ("cost", "durationMs", "tokens")
_COUNTS = ("regressions", "missing", "failing")


def read_rule(line: str) -> GateRule:
    """Raises ``RuleUnreadable``."""
    text = line.strip()
    match = _RULE.match(text)
    if match is None:
        raise RuleUnreadable(f'"{text}" is no rule; one is like "score.accuracy >= 0.8" or "cost <= +10%".')
    subject, comparator, number, percent = match.groups()
    is_share = percent == "%"
    value = float(number) / (100 if is_share else 1)
    called = re.match(r"^(delta|p)\((.+)\)$", subject)
    operator, argument = called.groups() if called else (None, None)
    if operator == "delta":
        return GateRule(text, "delta", comparator, value, _measure(str(argument).strip(), text), is_share)
    if operator == "p" or subject == "p":
        if comparator != "<" or is_share or not 0 < value < 1:
            raise RuleUnreadable(f'"{text}" must be like "p < 0.05".')
        return GateRule(text, "significance", comparator, value, None if argument is None else _measure(argument.strip(), text))
    if subject in _COUNTS:
        if is_share:
            raise RuleUnreadable(f'"{text}" counts cases, and has no percentage.')
        return GateRule(text, "count", comparator, value, subject)
    return GateRule(text, "delta" if is_share else "mean", comparator, value, _measure(subject, text), is_share)


def _measure(subject: str, text: str) -> str:
    if subject in _SPENDING or re.match(r"^score\..", subject):
        return subject
    known = ", ".join((*_SPENDING, *_COUNTS))
    raise RuleUnreadable(f'"{text}" is about "{subject}", which is no measure: there are score.NAME, {known} and p.')


def read_rules(lines: Sequence[str]) -> list[GateRule]:
    """Reads a rule from each line that is neither empty nor a comment."""
    stripped = (line.strip() for line in lines)
    return [read_rule(line) for line in stripped if line and not line.startswith("#")]


_NO_MISSING_CASES = read_rule("missing <= 0")
"""A candidate that did not run every case of its baseline proves nothing, unless a rule allows missing cases."""


def judge_gate(comparison: Comparison, candidate_id: str, rules: Sequence[GateRule]) -> GateVerdict:
    has_missing_rule = any(rule.type == "count" and rule.measure == "missing" for rule in rules)
    all_rules = [*rules, *([] if has_missing_rule else [_NO_MISSING_CASES])]
    verdicts = [RuleVerdict(rule.text, *_judge_rule(rule, comparison, candidate_id)) for rule in all_rules]
    if not comparison.get("isWhole", True):
        reason = "An experiment has more traces than a comparison holds: only the latest were compared."
        verdicts.append(RuleVerdict("all traces compared", "inconclusive", reason))
    given = {each.verdict for each in verdicts}
    verdict: Verdict = "fail" if "fail" in given else "inconclusive" if "inconclusive" in given else "pass"
    return GateVerdict(verdict, verdicts)


_Result = tuple[Verdict, str]


def _judge_rule(rule: GateRule, comparison: Comparison, candidate_id: str) -> _Result:
    if rule.type == "mean":
        entry = _entry(comparison, rule.measure, candidate_id) or {}
        mean, unmeasured = entry.get("mean"), entry.get("unmeasured") or 0
        if mean is None:
            return "inconclusive", f"No case of the candidate has {rule.measure}."
        sentence = f"The mean of {rule.measure} is {_number(mean, rule.value)}."
        if unmeasured > 0:
            return "inconclusive", f"{sentence} {_describe_unmeasured(unmeasured, rule.measure)}"
        return _check(rule, mean, sentence)
    if rule.type == "delta":
        return _judge_delta(rule, comparison, candidate_id)
    if rule.type == "significance":
        return _judge_significance(rule, comparison, candidate_id)
    gap: Mapping[str, Any] = next((each for each in comparison["gaps"] if each["id"] == candidate_id), {})
    count = comparison["regressionCount"] if rule.measure == "regressions" else gap.get(str(rule.measure), 0)
    if rule.measure == "regressions" and count == 0 and not _has_pairs(comparison, candidate_id):
        return "inconclusive", "No case was run by both."
    return _check(rule, count, _describe_count(str(rule.measure), count))


def _describe_unmeasured(count: int, measure: str | None) -> str:
    # The measured cases may be the better ones: nothing is known about those that failed.
    return f"In {count} more {'case' if count == 1 else 'cases'} that both ran, only the baseline has {measure}."


def _has_pairs(comparison: Comparison, candidate_id: str) -> bool:
    # Every trace that has ended has a duration, so a case that both ran is a pair of at least one measure.
    entries = (entry for measure in comparison["measures"] for entry in measure["experiments"])
    return any(entry["id"] == candidate_id and entry.get("pairs") for entry in entries)


def _describe_count(name: str, count: int) -> str:
    if name == "regressions":
        return f"{count} {'case is' if count == 1 else 'cases are'} worse than in the baseline."
    if name == "failing":
        return f"{count} {'case fails' if count == 1 else 'cases fail'}."
    if count == 0:
        return "The candidate ran every case of the baseline."
    return f"The candidate did not run {count} {'case' if count == 1 else 'cases'} of the baseline."


def _judge_delta(rule: GateRule, comparison: Comparison, candidate_id: str) -> _Result:
    entry = _entry(comparison, rule.measure, candidate_id) or {}
    mean_delta, low, high = entry.get("meanDelta"), entry.get("low"), entry.get("high")
    if mean_delta is None:
        return "inconclusive", f"No case has {rule.measure} in both."
    base = entry.get("baselineMean") if rule.is_share else 1
    # A difference relative to 0 is only known if there is none.
    if base is None or (base == 0 and mean_delta != 0):
        return "inconclusive", f"The baseline's {rule.measure} is 0, of which nothing is a share."

    def scale(value: float) -> float:
        return 0 if base == 0 else value / abs(base)

    def show(value: float) -> str:
        return f"{_signed(scale(value) * 100, rule.value * 100)} %" if rule.is_share else _signed(value, rule.value)

    interval = "" if low is None or high is None else f", 95 % interval {show(low)} to {show(high)}"
    sentence = f"{rule.measure} differs by {show(mean_delta)}{interval}."
    unmeasured = entry.get("unmeasured") or 0
    if unmeasured > 0:
        return "inconclusive", f"{sentence} {_describe_unmeasured(unmeasured, rule.measure)}"
    verdict, reason = _check(rule, scale(mean_delta), sentence)
    worst = low if rule.comparator.startswith(">") else high
    is_sure = worst is None or _holds(rule.comparator, scale(worst), rule.value)
    if verdict == "pass" and not is_sure:
        reason = f"{sentence} That it holds is not certain: the interval reaches beyond."
    return verdict, reason


def _judge_significance(rule: GateRule, comparison: Comparison, candidate_id: str) -> _Result:
    """With several scores, p-values are corrected (Holm), so that a rule does not fail by chance because there are many. A rule
    that could not fail with so few cases is inconclusive: the smallest p-value of n cases is 2 to the power of 1 - n.
    """
    names = [rule.measure] if rule.measure else [each["name"] for each in comparison["measures"] if each["name"].startswith("score.")]
    entries: list[dict[str, Any]] = []
    for name in names:
        entry = _entry(comparison, name, candidate_id)
        if entry is not None and entry.get("pValue") is not None and entry.get("pairs"):
            entries.append({**entry, "name": name})
    if not entries:
        return "inconclusive", f"No case has {rule.measure or 'a score'} in both."
    ordered = sorted(entries, key=lambda entry: entry["pValue"])
    kept = (rank for rank, entry in enumerate(ordered) if entry["pValue"] * (len(entries) - rank) >= rule.value)
    rejected = ordered[: next(kept, len(entries))]
    worse = [entry for entry in rejected if (entry.get("worse") or 0) > (entry.get("better") or 0)]

    def describe(entry: Mapping[str, Any]) -> str:
        better, lost = entry.get("better") or 0, entry.get("worse") or 0
        p = _number(entry["pValue"], rule.value)
        return f"{entry['name']} is better in {better} and worse in {lost} of {entry['pairs']} cases, p = {p}"

    family = "" if len(entries) == 1 else f" (corrected for {len(entries)} scores)"
    if worse:
        return "fail", f"{'; '.join(map(describe, worse))}{family}."
    partial = [_describe_unmeasured(entry["unmeasured"], entry["name"]) for entry in entries if entry.get("unmeasured")]
    if partial:
        return "inconclusive", f"Cannot be decided. {' '.join(partial)}"
    needed = math.floor(1 + math.log2(len(entries) / rule.value) + 1e-9) + 1
    short = [entry for entry in entries if entry["pairs"] < needed]
    if short:
        missing = max(needed - entry["pairs"] for entry in short)
        return (
            "inconclusive",
            f"Cannot be decided: needs at least {missing} more {'case' if missing == 1 else 'cases'}. "
            f"{'; '.join(map(describe, short))}{family}; with fewer than {needed} cases no p-value can be below {_number(rule.value, rule.value)}.",
        )
    return "pass", f"Nothing is worse beyond chance: {'; '.join(map(describe, entries))}{family}."


def _entry(comparison: Comparison, measure: str | None, experiment_id: str) -> dict[str, Any] | None:
    found = next((each for each in comparison["measures"] if each["name"] == measure), None)
    if found is None:
        return None
    return next((entry for entry in found["experiments"] if entry["id"] == experiment_id), None)


def _check(rule: GateRule, actual: float, reason: str) -> _Result:
    return ("pass" if _holds(rule.comparator, actual, rule.value) else "fail"), reason


def _side(actual: float, limit: float) -> int:
    """1 above a limit, -1 below it."""
    # A difference of a billionth comes from floating point, not from the candidate.
    slack = 1e-9 * max(1.0, abs(limit))
    return 0 if abs(actual - limit) <= slack else 1 if actual > limit else -1


def _holds(comparator: str, actual: float, value: float) -> bool:
    side = _side(actual, value)
    if comparator == ">=":
        return side >= 0
    if comparator == "<=":
        return side <= 0
    return side > 0 if comparator == ">" else side < 0


def _number(value: float, limit: float | None = None) -> str:
    """Three digits, or as many as needed to stay on the same side of the limit: 0.7996 does not reach a limit of 0.8."""
    choices = (float(f"{value:.{digits}g}") for digits in range(3, 17))
    rounded = next((each for each in choices if limit is None or _side(each, limit) == _side(value, limit)), value)
    if rounded == 0:
        return "0"
    if abs(rounded) < 1e-6:
        mantissa, exponent = repr(rounded).split("e")
        return f"{mantissa}e{int(exponent)}"
    return str(int(rounded)) if rounded.is_integer() else f"{Decimal(repr(rounded)):f}"


def _signed(value: float, limit: float | None = None) -> str:
    return f"+{_number(value, limit)}" if value > 0 else _number(value, limit)


def gate_markdown(comparison: Comparison, candidate_id: str, verdict: GateVerdict, url: str | None = None) -> str:
    """A gate's verdict as Markdown, for pull requests and CI summaries."""
    marks = {"pass": "✅", "fail": "❌", "inconclusive": "⚠️"}
    titles = {"pass": "The gate passes", "fail": "The gate fails", "inconclusive": "The gate cannot be decided"}
    names = {each["id"]: each["name"] for each in comparison["experiments"]}

    def name_of(experiment_id: str) -> str:
        return _cell(names.get(experiment_id, experiment_id))

    link = "" if url is None else f" · [compare]({url})"
    rules = [[marks[each.verdict], f"`{_cell(each.rule)}`", _cell(each.reason)] for each in verdict.rules]
    head = ["Measure", "Baseline", "Candidate", "Difference (95 % interval)", "Better / worse", "p"]
    return "\n".join(
        [
            f"### {marks[verdict.verdict]} {titles[verdict.verdict]}",
            "",
            f"**{name_of(candidate_id)}** against **{name_of(comparison['baselineId'])}**, {comparison['caseCount']} cases{link}",
            "",
            *_table(["", "Rule", "Why"], rules),
            "",
            *_table(head, _measure_rows(comparison, candidate_id)),
            "",
        ]
    )


def _measure_rows(comparison: Comparison, candidate_id: str) -> list[list[str]]:
    rows: list[list[str]] = []
    for measure in comparison["measures"]:
        name = measure["name"]
        before, after = _entry(comparison, name, comparison["baselineId"]) or {}, _entry(comparison, name, candidate_id) or {}
        if before.get("mean") is None and after.get("mean") is None:
            continue
        low, high, delta = after.get("low"), after.get("high"), after.get("meanDelta")
        interval = "" if low is None or high is None else f" ({_signed(low)} to {_signed(high)})"
        has_pairs = bool(after.get("pairs"))
        rows.append(
            [
                _cell(name),
                *("–" if each.get("mean") is None else _number(each["mean"]) for each in (before, after)),
                "" if delta is None else f"{_signed(delta)}{interval}",
                f"{after.get('better') or 0} / {after.get('worse') or 0}" if has_pairs else "",
                _number(after["pValue"]) if has_pairs and after.get("pValue") is not None else "",
            ]
        )
    return rows


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    return [f"| {' | '.join(cells)} |" for cells in (headings, ["---"] * len(headings), *rows)]


def _cell(text: str) -> str:
    return re.sub(r"[\r\n]+", " ", text).replace("|", "\\|")


def start_experiment(
    client: Client, *, timeout: float = 1_800.0, on_progress: Callable[[Any], None] | None = None, **run: Any
) -> Any:
    """Runs a prompt version or an endpoint over a dataset in the service; returns when its last case has ended.

    ``run`` has the parameters of ``operations.experiment_runs.create``.
    """
    from .operations import Operations

    created = Operations(client).experiment_runs.create(**run)["run"]
    return follow_run(client, created["id"], timeout=timeout, on_progress=on_progress)


def follow_run(
    client: Client, run_id: str, *, timeout: float = 1_800.0, on_progress: Callable[[Any], None] | None = None
) -> Any:
    """Returns when the last case of a run has ended."""
    return _poll(
        lambda: client.request("GET", f"/experiment-runs/{run_id}")["run"],
        lambda run: run["status"] != "running",
        "The run",
        timeout,
        on_progress,
    )


def wait_for_judging(
    client: Client, experiment_id: str, *, timeout: float = 1_800.0, on_progress: Callable[[Any], None] | None = None
) -> Any:
    """Returns when an experiment has ended and all its traces are judged."""
    return _poll(
        lambda: client.request("GET", f"/monitor/experiments/{experiment_id}/judging"),
        lambda progress: bool(progress["hasEnded"]),
        "The judging",
        timeout,
        on_progress,
    )


def _poll(
    fetch: Callable[[], Any],
    is_done: Callable[[Any], bool],
    what: str,
    timeout: float,
    on_progress: Callable[[Any], None] | None,
) -> Any:
    deadline = time.monotonic() + timeout
    pause = 0.25
    answered_at: float | None = None
    while True:
        try:
            progress = fetch()
        except PlumblineError as error:
            is_outage = answered_at is not None and time.monotonic() - answered_at < _OUTAGE_MAX_SECONDS
            if not is_outage or not _is_transient(error):
                raise
        else:
            answered_at = time.monotonic()
            if on_progress is not None:
                on_progress(progress)
            if is_done(progress):
                return progress
        if time.monotonic() + pause > deadline:
            raise WaitedTooLong(f"{what} did not end within {round(timeout)} seconds.")
        time.sleep(pause)
        pause = min(3.0, pause * 1.5)


_OUTAGE_MAX_SECONDS = 120.0
"""How long a service that has responded before may be unavailable or busy, in seconds."""


def _is_transient(error: PlumblineError) -> bool:
    return isinstance(error, ServiceUnreachable) or (
        isinstance(error, RequestFailed) and error.status in TRANSIENT_STATUSES
    )
