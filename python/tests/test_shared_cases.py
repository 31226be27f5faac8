"""The test cases that this client shares with the TypeScript client: fixtures/clients/cases.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import plumbline
import pytest
from plumbline import gate
from plumbline._credentials import is_credential_field
from plumbline._experiment import RowResult
from plumbline._experiment_table import format_table, summarize
from plumbline._prompts import draw
from plumbline._render import Message, render

from .conftest import Make, Stub, eventually, logs_of, read_trace

CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "fixtures/clients/cases.json").read_text())


def title_of(case: Any) -> str:
    return str(case.get("title") or case.get("text") or json.dumps(case)[:60])


@pytest.mark.parametrize("case", CASES["render"], ids=title_of)
def test_a_prompt_is_rendered_as_the_service_renders_it(case: Any) -> None:
    def render_case() -> list[Message]:
        return render(case["text"], case.get("systemText", ""), case["variables"], case.get("promptMessages"))

    if case.get("fails"):
        with pytest.raises(plumbline.TemplateFailed):
            render_case()
    else:
        assert render_case() == case["messages"]


TEMPLATES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "fixtures/templates/rendered.json").read_text())


@pytest.mark.parametrize("case", TEMPLATES["cases"], ids=title_of)
def test_a_template_is_rendered_as_jinja_renders_it(case: Any) -> None:
    if "result" in case:
        assert render(case["text"], "", TEMPLATES["variables"])[0]["content"] == case["result"]
    else:
        with pytest.raises(plumbline.TemplateFailed):
            render(case["text"], "", TEMPLATES["variables"])


@pytest.mark.parametrize("case", CASES["draws"], ids=title_of)
def test_a_rollout_draws_the_same(case: Any) -> None:
    assert draw(case["id"], case["key"]) == case["draw"]


def test_names_that_hold_a_credential_are_those_of_the_client_for_typescript() -> None:
    names = CASES["credentials"]
    assert [name for name in names["hidden"] if not is_credential_field(name)] == []
    assert [name for name in names["shown"] if is_credential_field(name)] == []
    assert [name for name in names["shownInLists"] if is_credential_field(name, is_in_list=True)] == []


SNAKE = {
    "sessionId": "session_id",
    "idealOutput": "ideal_output",
    "inputTokens": "input_tokens",
    "outputTokens": "output_tokens",
}


def fields_of(case: dict[str, Any]) -> dict[str, Any]:
    return {SNAKE.get(name, name): value for name, value in case.items() if name not in ("logs", "type", "name")}


def record_logs(parent: plumbline.Recording, logs: list[Any]) -> None:
    for log in logs:
        if log["type"] == "event":
            parent.event(log["name"], **fields_of(log))
            continue
        step = parent.span(log["name"], type=log["type"], **fields_of(log))
        record_logs(step, log.get("logs", []))
        step.end()


def record(client: plumbline.Client, case: dict[str, Any]) -> plumbline.Recording:
    trace = client.trace(case["trace"]["name"], **fields_of(case["trace"]))
    record_logs(trace, case["logs"])
    trace.end()
    return trace


def expect_logs(logs: dict[str, Any], expected: list[Any], parent_id: str) -> None:
    for log in expected:
        stored = logs[log["name"]]
        assert stored["parentId"] == parent_id
        for name, value in log.items():
            if name == "metadata":
                assert value.items() <= stored["metadata"].items()
            elif name == "error":
                assert stored["metadata"]["error"] == value
            elif name == "variables":
                assert stored["variables"] == [{"label": label, "value": each} for label, each in value.items()]
            elif name == "prompt":
                assert stored["prompt"]["slug"] == value["slug"]
            elif name not in ("logs", "type", "name"):
                assert stored[name] == value, name
        expect_logs(logs, log.get("logs", []), stored["id"])


@pytest.mark.parametrize("case", CASES["traces"], ids=title_of)
def test_a_trace_is_stored_as_it_was_recorded(client: plumbline.Client, case: Any) -> None:
    stored = read_trace(client, record(client, case).trace_id)
    for name, value in case["trace"].items():
        if name == "metadata":
            assert value.items() <= stored["metadata"].items()
        else:
            assert stored[name] == value, name
    root = stored["logs"][0]
    expect_logs(logs_of(stored), case["logs"], root["id"])
    assert case.get("warning", "") in (stored["warning"] or "")


def upper(value: Any, field: str) -> Any:
    if isinstance(value, str):
        return value.upper()
    if isinstance(value, dict):
        return {name: upper(each, field) for name, each in value.items()}
    return value


def fail_on_input(value: Any, field: str) -> Any:
    if field == "input":
        raise ValueError("no")
    return value


HOOKS: dict[str, plumbline.Mask] = {
    "upper": upper,
    "failOnInput": fail_on_input,
    "dropMetadata": lambda value, field: None if field == "metadata" else value,
}


@pytest.mark.parametrize("case", CASES["masks"], ids=title_of)
def test_a_mask_sees_every_value_before_it_is_sent(make_client: Make, case: Any) -> None:
    errors: list[Exception] = []
    client = make_client(mask=HOOKS[case["hook"]], on_error=errors.append)
    stored = read_trace(client, record(client, case).trace_id)
    for name, value in case["stored"].items():
        found = stored[name]
        assert (value.items() <= found.items()) if name == "metadata" else found == value
    for name in case.get("storedWithout", []):
        assert name not in (stored["metadata"] or {})
    if "storedLog" in case:
        log = stored["logs"][-1]
        assert {name: log[name] for name in case["storedLog"]} == case["storedLog"]
    assert bool(errors) == (case["hook"] == "failOnInput")


@pytest.mark.parametrize("case", CASES["deliveries"], ids=title_of)
def test_a_record_is_delivered_dropped_or_retried(make_client: Make, stub: Stub, case: Any) -> None:
    stub.answers = list(case["answers"])
    client = make_client(url=stub.url, pause_min=0.01, pause_max=0.05)
    client.trace("one").end()
    stats = eventually(lambda: _settled(client), 10)
    assert (stats.delivered, stats.retried) == (case["delivered"], case["retried"])
    assert {reason: count for reason, count in stats.dropped.items() if count} == case["dropped"]


def _settled(client: plumbline.Client) -> plumbline.DeliveryStats:
    stats = client.flush(1)
    assert stats.pending == 0
    return stats


def _answer(case: Any) -> Any:
    if "status" in case:
        return {"status": case["status"], "body": "" if case["status"] == 304 else {"error": "No."}}
    prompt = {"slug": "p", "text": "t", "systemText": "", "version": case["version"], "tag": "production", "model": {}}
    return {"status": 200, "body": {"prompt": prompt}, "headers": {"etag": f'"{case["version"]}"'}}


@pytest.mark.parametrize("case", CASES["prompts"], ids=title_of)
def test_a_prompt(make_client: Make, stub: Stub, case: Any) -> None:
    stub.answers = [_answer(each) for each in case["answers"]]
    stub.otherwise = {"status": 503, "body": {"error": "No more."}}
    client = make_client(url=stub.url, prompt_ttl=case["ttl"])

    def version() -> str:
        try:
            return client.prompt("p").version
        except plumbline.PlumblineError:
            return "error"

    assert [version() for _ in case["calls"]] == case["calls"]
    if "then" in case:

        def refreshed() -> None:
            assert len(stub.requests) >= len(case["answers"])
            assert version() == case["then"]

        eventually(refreshed)
    if "requests" in case:
        assert len(stub.requests) == case["requests"]


@pytest.mark.parametrize("case", CASES["scores"], ids=title_of)
def test_the_scores_of_an_experiment_come_to_the_same(case: Any) -> None:
    rows = [
        RowResult(plumbline.Row({}), None, RuntimeError(row["error"]) if "error" in row else None, row["scores"], 1.0, "")
        for row in case["rows"]
    ]
    scores, has_passed = summarize([*case["evaluators"], *case["thresholds"]], case["thresholds"], rows)
    assert has_passed == case["hasPassed"]
    table = format_table("Try", rows, scores, 1.5, case.get("unstored", 0), has_passed)
    assert table.rstrip("\n").split("\n") == case["table"]


def test_a_gate_decides_nothing_of_regressions_where_no_case_was_run_by_both() -> None:
    comparison: Any = {**CASES["gate"]["comparison"], "measures": [], "regressionCount": 0}
    verdict = gate.judge_gate(comparison, "c", gate.read_rules(["regressions <= 0"]))
    assert (verdict.rules[0].verdict, verdict.rules[0].reason) == ("inconclusive", "No case was run by both.")


def test_a_gate_decides_nothing_over_a_part_of_the_traces() -> None:
    case = CASES["gate"]
    rules = gate.read_rules(["failing <= 100", "missing <= 100"])
    assert gate.judge_gate(case["comparison"], "c", rules).verdict == "pass"
    assert gate.judge_gate({**case["comparison"], "isWhole": False}, "c", rules).verdict == "inconclusive"


def test_a_run_that_is_followed_may_outlast_a_restart_of_the_service(make_client: Make, stub: Stub) -> None:
    client = make_client(url=stub.url)
    away = {"status": 503, "body": {"error": "No."}}
    running = {"status": 200, "body": {"run": {"status": "running"}}}
    stub.answers = [running, away, "break", {"status": 200, "body": {"run": {"status": "completed"}}}]
    assert gate.follow_run(client, "r")["status"] == "completed"
    stub.answers = [away]
    with pytest.raises(plumbline.RequestFailed):
        gate.follow_run(client, "r")


def test_a_gate_judges_the_same_in_the_same_words() -> None:
    case = CASES["gate"]
    verdict = gate.judge_gate(case["comparison"], "c", gate.read_rules(case["rules"]))
    assert verdict.verdict == case["verdict"]["verdict"]
    found = [{"rule": each.rule, "verdict": each.verdict, "reason": each.reason} for each in verdict.rules]
    assert found == case["verdict"]["rules"]
    assert gate.gate_markdown(case["comparison"], "c", verdict, "http://x/compare").split("\n") == case["markdown"]


@pytest.mark.parametrize("case", CASES["gate"]["unreadable"], ids=lambda case: str(case["rule"]))
def test_a_line_that_is_no_rule_says_what_would_be_one(case: Any) -> None:
    with pytest.raises(gate.RuleUnreadable) as raised:
        gate.read_rule(case["rule"])
    assert str(raised.value) == case["error"]
