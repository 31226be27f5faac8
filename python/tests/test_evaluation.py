"""Prompts, datasets, experiments, and tests recorded as an experiment."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pandas
import plumbline
import pytest
from plumbline import gate

from .conftest import KEY, URL, Make, Stub, eventually, read_trace, unique


@pytest.fixture
def feature(client: plumbline.Client) -> str:
    slug = unique("feature")
    client.operations.features.create(slug=slug, name=slug)
    return slug


def test_a_prompt_is_served_with_its_messages_and_linked(client: plumbline.Client) -> None:
    slug = unique("greeting")
    client.operations.prompts.create(slug=slug, name="Greeting")
    client.operations.versions.create(slug, text="Hi {{ name }}", system_text="Be kind.", tags=["production"])
    prompt = client.prompt(slug, {"name": "Ada"})
    assert prompt.messages == [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi Ada"}]
    assert asyncio.run(client.prompt_async(slug)).version == prompt.version == "1.0.0"
    with client.trace("greet") as trace:
        client.generation("call", prompt=prompt, variables=prompt.variables, input=prompt.messages).end(output="Hello.")
    generation = read_trace(client, trace.trace_id)["logs"][1]
    assert (generation["prompt"]["slug"], generation["prompt"]["version"]) == (slug, "1.0.0")
    assert generation["variables"] == [{"label": "name", "value": "Ada"}]


def test_a_prompt_made_of_messages_is_served_with_its_placeholders_and_its_config(client: plumbline.Client) -> None:
    slug = unique("chat")
    client.operations.prompts.create(slug=slug, name="Chat")
    client.operations.versions.create(
        slug,
        messages=[{"role": "system", "content": "Help {{ name }}."}, {"placeholder": "history"}],
        config={"theme": "dark"},
        tags=["production"],
    )
    prompt = client.prompt(slug, {"name": "Ada", "history": [{"role": "user", "content": "Where?"}]})
    assert prompt.messages == [{"role": "system", "content": "Help Ada."}, {"role": "user", "content": "Where?"}]
    assert prompt.config == {"theme": "dark"}


def test_a_fallback_can_be_made_of_messages(make_client: Make, stub: Stub) -> None:
    stub.otherwise = {"status": 503, "body": {"error": "Down."}}
    templates = [{"role": "developer", "content": "Help {{ name }}."}]
    prompt = make_client(url=stub.url).prompt(
        "greeting", {"name": "Ada"}, fallback={"message_templates": templates, "config": {"a": 1}}
    )
    assert (prompt.messages, prompt.config) == ([{"role": "developer", "content": "Help Ada."}], {"a": 1})


def test_a_fallback_is_served_where_the_service_never_answered(make_client: Make, stub: Stub) -> None:
    stub.otherwise = {"status": 503, "body": {"error": "Down."}}
    client = make_client(url=stub.url)
    prompt = client.prompt("greeting", {"name": "Ada"}, fallback="Hi {{ name }}")
    assert (prompt.is_fallback, prompt.messages) == (True, [{"role": "user", "content": "Hi Ada"}])
    with pytest.raises(plumbline.RequestFailed) as raised:
        client.prompt("greeting")
    assert raised.value.status == 503


def test_a_fallback_is_waited_for_once_and_the_prompt_comes_once_the_service_is_there(
    make_client: Make, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub.otherwise = {"status": 503, "body": {"error": "Down."}}
    client = make_client(url=stub.url)
    for _ in range(3):
        assert client.prompt("p", fallback="Hi").is_fallback
    assert len(stub.requests) == 1
    prompt = {"slug": "p", "text": "t", "systemText": "", "version": "1", "tag": "production", "model": {}}
    stub.otherwise = {"status": 200, "body": {"prompt": prompt}}
    monkeypatch.setattr("time.monotonic", lambda now=time.monotonic: now() + 6.0)

    def arrives() -> None:
        assert client.prompt("p", fallback="Hi").version == "1"

    eventually(arrives)


def test_an_expected_output_that_is_no_text_is_json(client: plumbline.Client) -> None:
    dataset = client.create_dataset(unique("rows"), [{"q": "a", "ideal_output": {"city": "Lyon"}}, {"q": "b", "ideal_output": True}])
    assert [row.ideal_output for row in dataset.rows] == ['{"city":"Lyon"}', "true"]


def test_a_candidate_goes_to_its_share_and_the_service_is_asked_once_for_each_version(make_client: Make, stub: Stub) -> None:
    def serve(version: str, **more: Any) -> Any:
        prompt = {"slug": "p", "text": "t", "systemText": "", "version": version, "tag": "production", "model": {}}
        return {"status": 200, "body": {"prompt": prompt, **more}}

    rollout = {"id": "r", "share": 0.5, "candidateVersion": "2"}
    stub.answers = [serve("1", rollout=rollout), serve("2")]
    client = make_client(url=stub.url)
    versions = {client.prompt("p", targeting_key=f"u{number}").version for number in range(20)}
    assert versions == {"1", "2"}
    assert len(stub.requests) == 2


def test_a_dataset_goes_in_and_out_of_pandas(client: plumbline.Client) -> None:
    slug = unique("cases")
    table = pandas.DataFrame(
        {"question": ["Where?", "When?"], "facts": [{"city": "Lyon"}, None], "ideal_output": ["Lyon", float("nan")]}
    )
    dataset = client.create_dataset(slug, table, name="Cases")
    assert [(column.name, column.type) for column in dataset.columns] == [("question", "text"), ("facts", "json")]
    assert [row.ideal_output for row in dataset.rows] == ["Lyon", None]
    client.add_rows(slug, [{"question": "Why?", "ideal_output": "So."}, plumbline.Row({"question": "Who?"}, name="last")])
    whole = client.dataset(slug)
    assert len(whole) == 4
    back = whole.to_pandas()
    assert list(back.columns) == ["question", "facts", "ideal_output"]
    assert list(back["question"]) == ["Where?", "When?", "Why?", "Who?"]
    assert back["facts"][0] == {"city": "Lyon"}


def test_an_experiment_runs_judges_and_says_whether_it_passed(client: plumbline.Client, feature: str) -> None:
    slug = unique("cases")
    client.create_dataset(slug, [{"question": f"q{number}", "ideal_output": f"Q{number}"} for number in range(6)])

    @client.observe(name="model")
    def model(text: str) -> str:
        return text.upper()

    def run(row: plumbline.Row) -> str:
        return model(row.values["question"])

    async def tone(output: str) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"value": "warm", "comment": "It reads well."}

    result = client.experiment(
        "Upper case",
        feature=feature,
        dataset=slug,
        run=run,
        evaluators={"exact": lambda output, ideal_output: output == ideal_output, "tone": tone},
        thresholds={"exact": 0.9},
        quiet=True,
    )
    assert (result.has_passed, result.exit_code, result.unstored) == (True, 0, 0)
    assert result.scores["exact"].mean == 1
    assert result.scores["tone"].texts == {"warm": 6}
    assert "The experiment has passed." in result.table
    assert list(result.to_pandas()["score.exact"]) == [True] * 6
    first = read_trace(client, result.rows[0].trace_id)
    assert first["experiment"]["id"] == result.experiment["id"]
    # A row stays the same case in a later run, however many rows before it are deleted.
    stored: Any = client.operations.datasets.rows(slug)
    source = [first["metadata"].get(name) for name in ("dataset", "row", "datasetRowId")]
    assert source == [slug, 0, stored["rows"][0]["id"]]
    assert (first["input"], first["output"], first["idealOutput"]) == ({"question": "q0"}, "Q0", "Q0")
    assert {score["name"]: score["value"] for score in first["scores"]} == {"exact": True, "tone": "warm"}
    assert [log["name"] for log in first["logs"]] == ["Upper case", "model"]


def test_rows_and_evaluators_that_fail_are_told_of_and_the_others_go_on(client: plumbline.Client, feature: str) -> None:
    async def run(row: plumbline.Row, trace: plumbline.Recording) -> str:
        if row.values["n"] == 1:
            raise ValueError("no answer")
        trace.update(metadata={"seen": True})
        return "fine"

    def judge(output: str, input: Any) -> bool:
        if input["n"] == 2:
            raise LookupError("no verdict")
        return True

    rows = pandas.DataFrame({"n": [0, 1, 2]})
    result = client.experiment("Fails", feature=feature, dataset=rows, run=run, evaluators={"ok": judge}, quiet=True)
    assert [type(row.error).__name__ for row in result.rows] == ["NoneType", "ValueError", "LookupError"]
    assert (result.exit_code, result.scores["ok"].count) == (1, 1)
    failed = read_trace(client, result.rows[1].trace_id)
    assert failed["totals"]["errors"] == 1


def test_a_dataset_can_be_walked_through_and_experimented_with(client: plumbline.Client, feature: str) -> None:
    slug = unique("cases")
    client.create_dataset(slug, [{"question": "a", "ideal_output": "A"}, {"question": "b"}])
    dataset = client.dataset(slug)
    assert [(row.values["question"], row.ideal_output) for row in dataset] == [("a", "A"), ("b", None)]
    result = client.experiment("Whole", feature=feature, dataset=dataset, run=lambda row: row.values["question"], quiet=True)
    assert [each.output for each in result.rows] == ["a", "b"]
    trace = read_trace(client, result.rows[0].trace_id)
    assert trace["metadata"]["dataset"] == slug and trace["metadata"]["datasetRowId"]


def test_an_experiment_needs_its_feature(client: plumbline.Client) -> None:
    with pytest.raises(plumbline.RequestFailed) as raised:
        client.experiment("None", feature="nobody-has-this", dataset=[{"a": "b"}], run=lambda row: 1)
    assert raised.value.status == 404


def test_the_gate_compares_two_experiments(client: plumbline.Client, feature: str) -> None:
    rows = [{"n": str(number)} for number in range(6)]

    def run_with(offset: int) -> str:
        result = client.experiment(
            f"offset {offset}",
            feature=feature,
            dataset=rows,
            run=lambda row: "x",
            evaluators={"good": lambda input: int(input["n"]) >= offset},
            quiet=True,
        )
        return result.experiment["id"]

    baseline, candidate = run_with(0), run_with(3)

    def judged() -> gate.GateVerdict:
        comparison: Any = client.operations.experiments.compare(ids=f"{baseline},{candidate}")
        verdict = gate.judge_gate(comparison, candidate, gate.read_rules(["score.good >= 0.9"]))
        assert verdict.rules[0].verdict == "fail", verdict
        return verdict

    assert eventually(judged).exit_code == 1


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_tests_are_an_experiment(
    pytester: pytest.Pytester, client: plumbline.Client, feature: str, monkeypatch: pytest.MonkeyPatch, workers: list[str]
) -> None:
    monkeypatch.setenv("PLUMBLINE_URL", URL)
    monkeypatch.setenv("PLUMBLINE_API_KEY", KEY)
    pytester.makepyfile(
        """
        import plumbline, pytest

        @pytest.mark.parametrize("question", ["a", "b"])
        def test_answer(plumbline_trace, question):
            with plumbline.generation("model", model="gpt-4o"):
                pass
            plumbline_trace.update(output=question.upper())
            plumbline_trace.score("length", len(question))
            assert question == "a"

        def test_beside():
            pass
        """
    )
    plain = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    plain.assert_outcomes(passed=2, failed=1)
    name = unique("tests")
    options = ["-p", "no:cacheprovider", "--plumbline-experiment", name, "--plumbline-feature", feature]
    result = pytester.runpytest_subprocess(*options, *workers)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines([f"2 tests are the experiment '{name}': *"])
    experiments = client.operations.experiments.list(feature_slug=feature)
    experiment = next(each for each in experiments["experiments"] if each["name"] == name)

    def recorded() -> list[Any]:
        listed = client.request("GET", "/monitor/traces", query={"experimentId": experiment["id"]})["traces"]
        traces = [read_trace(client, each["id"]) for each in listed]
        assert len(traces) == 2
        assert all(len(trace["scores"]) == 2 for trace in traces)
        return traces

    by_output = {trace["output"]: trace for trace in eventually(recorded)}
    scores = {output: {each["name"]: each["value"] for each in trace["scores"]} for output, trace in by_output.items()}
    assert scores == {"A": {"passed": True, "length": 1}, "B": {"passed": False, "length": 1}}
    assert by_output["A"]["input"] == {"question": "a"}
    assert [by_output[output]["metadata"]["row"] for output in "AB"] == [0, 1]
    assert by_output["B"]["totals"]["errors"] == 1
    assert [log["name"] for log in by_output["A"]["logs"]][1] == "model"
    missing = pytester.runpytest_inprocess("--plumbline-experiment", name)
    missing.stderr.fnmatch_lines(["*needs --plumbline-feature*"])
