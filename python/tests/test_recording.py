"""Recording: the fields that an application sets, and how they are stored."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import secrets
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

import plumbline
import pydantic
import pytest
from opentelemetry import trace as otel
from opentelemetry.context import Context
from opentelemetry.sdk.trace import TracerProvider
from plumbline._json import to_json
from plumbline._render import render

from .conftest import KEY, URL, Make, Stub, eventually, logs_of, read_trace, run


def test_a_function_is_recorded_with_its_arguments_and_its_result(client: plumbline.Client) -> None:
    @client.observe(type="tool", metadata={"kind": "lookup"})
    def lookup(city: str, *, days: int = 1) -> dict[str, int]:
        return {"days": days}

    @client.observe
    def answer(question: str) -> str:
        lookup(question, days=2)
        return "In Lyon."

    with client.trace("outer") as trace:
        assert answer("Where?") == "In Lyon."
    logs = logs_of(read_trace(client, trace.trace_id))
    names = {name.rsplit(".", 1)[-1]: log for name, log in logs.items()}
    assert (names["answer"]["type"], names["answer"]["input"], names["answer"]["output"]) == (
        "function",
        {"question": "Where?"},
        "In Lyon.",
    )
    assert names["lookup"]["type"] == "tool"
    assert names["lookup"]["input"] == {"city": "Where?", "days": 2}
    assert names["lookup"]["output"] == {"days": 2}
    assert names["lookup"]["parentId"] == names["answer"]["id"]
    assert names["lookup"]["metadata"]["kind"] == "lookup"


def test_a_method_is_recorded_without_its_object_and_keeps_its_name(client: plumbline.Client) -> None:
    class Agent:
        @client.observe(name="step")
        def step(self, text: str) -> str:
            """Steps."""
            return text.upper()

    assert Agent.step.__doc__ == "Steps."
    with client.trace("outer") as trace:
        assert Agent().step("a") == "A"
    log = logs_of(read_trace(client, trace.trace_id))["step"]
    assert (log["input"], log["output"]) == ({"text": "a"}, "A")


def test_an_exception_is_recorded_and_raised(client: plumbline.Client) -> None:
    @client.observe(name="broken")
    def broken() -> None:
        raise LookupError("no such city")

    with client.trace("outer") as trace:
        with pytest.raises(LookupError):
            broken()
    stored = read_trace(client, trace.trace_id)
    error = logs_of(stored)["broken"]["metadata"]["error"]
    assert (error["type"], error["message"]) == ("LookupError", "no such city")
    assert stored["totals"]["errors"] == 1


def test_a_generator_is_recorded_with_what_it_gave_and_nests_what_it_calls(client: plumbline.Client) -> None:
    @client.observe(name="inner")
    def inner() -> int:
        return 1

    @client.observe(name="words")
    def words() -> Iterator[str]:
        inner()
        got = yield "In "
        assert got is None
        yield "Lyon."

    with client.trace("outer") as trace:
        stream = words()
    # Read after the trace has ended: the call decides the nesting.
    assert list(stream) == ["In ", "Lyon."]
    assert plumbline.current() is None
    logs = logs_of(read_trace(client, trace.trace_id))
    assert logs["words"]["output"] == "In Lyon."
    assert logs["inner"]["parentId"] == logs["words"]["id"]
    assert logs["words"]["parentId"] == logs["outer"]["id"]


def test_a_generator_that_is_left_early_ends_with_what_it_gave(client: plumbline.Client) -> None:
    closed: list[bool] = []

    @client.observe(name="numbers")
    def numbers() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    with client.trace("outer") as trace:
        for number in numbers():
            assert number == 1
            break
    assert closed == [True]
    assert logs_of(read_trace(client, trace.trace_id))["numbers"]["output"] == [1]


def test_coroutines_nest_also_when_they_run_together(client: plumbline.Client) -> None:
    @client.observe(name="leaf")
    async def leaf(number: int) -> int:
        await asyncio.sleep(0)
        return number

    async def branch(number: int) -> int:
        async with client.span(f"branch {number}"):
            return await leaf(number)

    @client.observe(name="stream")
    async def stream() -> AsyncIterator[str]:
        for part in ("a", "b"):
            await asyncio.sleep(0)
            yield part

    async def main() -> str:
        with client.trace("outer") as trace:
            assert await asyncio.gather(*(branch(number) for number in range(3))) == [0, 1, 2]
            assert [part async for part in stream()] == ["a", "b"]
        return trace.trace_id

    stored = read_trace(client, asyncio.run(main()))
    by_id = {log["id"]: log for log in stored["logs"]}
    leaves = [log for log in stored["logs"] if log["name"] == "leaf"]
    assert {by_id[log["parentId"]]["name"] for log in leaves} == {"branch 0", "branch 1", "branch 2"}
    assert logs_of(stored)["stream"]["output"] == "ab"


def test_what_is_said_of_the_trace_from_within_belongs_to_the_trace(make_client: Make) -> None:
    client = make_client(environment="test", release="1.2.3")
    with client.trace("outer", user="u1") as trace:
        with client.span("inner") as inner:
            assert plumbline.current() is inner
            plumbline.update_trace(session_id="s1", tags=["a"], metadata={"plan": "pro"})
            plumbline.update(output=1)
    stored = read_trace(client, trace.trace_id)
    assert (stored["sessionId"], stored["tags"], stored["metadata"]["plan"]) == ("s1", ["a"], "pro")
    assert (stored["environment"], stored["release"], stored["user"]["id"]) == ("test", "1.2.3", "u1")
    assert logs_of(stored)["inner"]["output"] == "1"


def test_a_trace_goes_on_in_another_process_by_its_headers(client: plumbline.Client, make_client: Make) -> None:
    other = make_client()
    with client.trace("front") as trace:
        headers = plumbline.trace_headers()
    with other.trace("back", parent={"Traceparent": headers["traceparent"]}) as continued:
        pass
    other.flush()
    assert continued.trace_id == trace.trace_id
    read_trace(client, trace.trace_id)

    def both() -> None:
        logs = logs_of(read_trace(client, trace.trace_id))
        assert logs["back"]["parentId"] == logs["front"]["id"]

    eventually(both)


def test_what_continues_a_trace_that_its_caller_does_not_sample_is_recorded(client: plumbline.Client) -> None:
    header = f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-00"
    with client.trace("back", parent=header) as trace:
        assert plumbline.trace_headers()["traceparent"].endswith("-01")
    assert trace.trace_id == header.split("-")[1]
    client.flush()
    assert (client.stats.delivered, client.dropped) == (1, 0)


def test_a_step_below_a_span_that_its_caller_does_not_sample_is_recorded() -> None:
    # With the provider that the client creates: server instrumentations continue the trace of a request themselves.
    program = """
        import plumbline
        from opentelemetry import trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
        client = plumbline.init()
        context = TraceContextTextMapPropagator().extract({"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"})
        with trace.get_tracer("server").start_as_current_span("GET /", context=context):
            with plumbline.span("step"):
                pass
        print(client.flush().delivered)
    """
    assert run(program).communicate()[0].strip() == "2"


def test_an_instrumentation_of_opentelemetry_nests_both_ways(make_client: Make) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    client = make_client(tracer_provider=provider)
    tracer = provider.get_tracer("another")
    with client.trace("outer") as trace:
        with tracer.start_as_current_span("theirs", attributes={"input.value": "hi", "openinference.span.kind": "CHAIN"}):
            with client.span("ours"):
                pass
    logs = logs_of(read_trace(client, trace.trace_id))
    assert logs["ours"]["parentId"] == logs["theirs"]["id"]
    assert logs["theirs"]["parentId"] == logs["outer"]["id"]
    assert logs["theirs"]["input"] == "hi"


def test_a_span_that_is_not_kept_is_not_sent(make_client: Make) -> None:
    client = make_client(keep_span=lambda span: span.name != "noise")
    with client.trace("outer") as trace:
        with client.span("noise"):
            pass
    assert list(logs_of(read_trace(client, trace.trace_id))) == ["outer"]


def test_a_mask_sees_what_other_instrumentations_record(make_client: Make) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    client = make_client(tracer_provider=provider, mask=lambda value, field: value.replace("42", "**") if isinstance(value, str) else value)
    with client.trace("outer") as trace:
        with provider.get_tracer("another").start_as_current_span("theirs") as span:
            span.set_attribute("input.value", "card 42")
            span.record_exception(ValueError("card 42"))
    text = str(read_trace(client, trace.trace_id))
    assert "card **" in text
    assert "card 42" not in text


def test_a_span_goes_to_the_client_that_it_is_of_and_to_no_other(make_client: Make, stub: Stub) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    tracer = provider.get_tracer("another")
    one = make_client(url=stub.url, tracer_provider=provider, api_key="pl_one")
    with one.trace("of one", input="secret") as trace:
        with tracer.start_as_current_span("theirs in one") as theirs:
            # A client that is created meanwhile must not get the span either.
            two = make_client(url=stub.url, tracer_provider=provider, api_key="pl_two", mask=lambda value, field: None if field == "input" else value)
            with tracer.start_as_current_span("deeper", context=otel.set_span_in_context(theirs, Context())):
                pass
            with two.span("of two in one"):
                with tracer.start_as_current_span("theirs in two"):
                    pass
        with two.trace("of two", input="secret"):
            pass
        trace.update(output="x")
    with tracer.start_as_current_span("of nobody"):
        pass
    assert (one.flush().pending, two.flush().pending) == (0, 0)
    assert names_by_key(stub) == {
        "pl_one": {"of one", "theirs in one", "deeper", "of nobody"},
        "pl_two": {"of two in one", "theirs in two", "of two", "of nobody"},
    }
    two.close()
    with tracer.start_as_current_span("after"):
        pass
    one.flush()
    assert "after" in names_by_key(stub)["pl_one"]
    assert (two.dropped, one.dropped) == (0, 0)


def test_spans_that_never_end_are_not_kept(make_client: Make) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    client = make_client(tracer_provider=provider)
    assert client._processor is not None
    with client.trace("outer"):
        for _ in range(100):
            provider.get_tracer("another").start_span("left")
        gc.collect()
        assert len(client._processor._running) == 1
    assert len(client._processor._running) == 0


def names_by_key(stub: Stub) -> dict[str, set[str]]:
    """The names of the spans received with each key."""
    names: dict[str, set[str]] = {}
    for _, headers, body in stub.requests:
        content = gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
        scopes = [scope for resource in json.loads(content)["resourceSpans"] for scope in resource["scopeSpans"]]
        names.setdefault(headers["authorization"].removeprefix("Bearer "), set()).update(
            span["name"] for scope in scopes for span in scope["spans"]
        )
    return names


def test_values_that_json_cannot_say_are_put_into_words(client: plumbline.Client) -> None:
    @dataclass
    class Point:
        x: int

    class Broken:
        def __repr__(self) -> str:
            raise ValueError("no")

    circle: dict[str, Any] = {}
    circle["self"] = circle
    values = [Point(1), b"abc", {1, 1}, 2**60, float("nan"), ValueError("no"), circle, Broken(), "\ud800"]
    with client.trace("outer", output=values) as trace:
        pass
    output = read_trace(client, trace.trace_id)["output"]
    assert output[:5] == [{"x": 1}, "[3 bytes]", [1], str(2**60), None]
    assert output[5:8] == [{"name": "ValueError", "message": "no"}, {"self": "[circular]"}, "[unreadable]"]
    net: list[Any] = [{"name": "a" * 1000} for _ in range(500)]
    for node in net:
        node["links"] = list(net)
    text = to_json(net)
    assert len(text) < 2**25 and "[too large]" in text


class Plan(str, Enum):
    PRO = "pro"


class Order(pydantic.BaseModel):
    id: UUID
    price: Decimal
    plan: Plan = Plan.PRO


ORDER_ID = "00000000-0000-0000-0000-000000000001"


class Endless(Sequence[str]):
    """A sequence too long to read; counts its items that were read."""

    count = 0

    def __len__(self) -> int:
        return sys.maxsize

    def __getitem__(self, index: Any) -> Any:
        self.count += 1
        return "x" * 2**20


class Array:
    """An array too large to become a list."""

    size = 10**12

    def tolist(self) -> Any:
        raise AssertionError("nobody asked whether it fits")


def test_a_value_that_does_not_fit_is_not_copied_to_its_end(client: plumbline.Client, make_client: Make) -> None:
    endless = Endless()
    with client.trace("large", input=endless, metadata={"kept": 1}) as trace:
        trace.span("array", input=Array(), error=endless).end()
    with make_client(mask=lambda value, field: value).trace("masked", input=endless) as masked:
        pass
    assert endless.count < 100
    assert client.dropped == 3
    left_out = "[left out: the span would be too large]"
    stored = logs_of(read_trace(client, trace.trace_id))
    assert (stored["large"]["input"], stored["large"]["metadata"]["kept"]) == (left_out, 1)
    assert stored["array"]["input"] == left_out
    assert stored["array"]["metadata"]["error"]
    assert read_trace(client, masked.trace_id)["input"] == left_out


def test_what_is_a_method_of_a_class_can_be_observed_too(client: plumbline.Client) -> None:
    class Tools:
        @client.observe
        @classmethod
        def of_class(cls, city: str) -> str:
            return f"{cls.__name__} in {city}"

        @client.observe(name="own name")
        @staticmethod
        def of_nothing(city: str) -> str:
            return city

    assert (Tools.of_class("Lyon"), Tools().of_class("Paris")) == ("Tools in Lyon", "Tools in Paris")
    assert (Tools.of_nothing("Lyon"), Tools().of_nothing("Paris")) == ("Lyon", "Paris")
    assert client.flush().delivered == 4


def test_values_of_common_types_are_what_they_say(client: plumbline.Client) -> None:
    values = [Plan.PRO, {Plan.PRO: 1}, UUID(ORDER_ID), Decimal("1.20"), Path("a/b"), timedelta(seconds=3)]
    with client.trace("outer", tags="beta", user=Plan.PRO, input=Order(id=UUID(ORDER_ID), price=Decimal("1.20"))) as trace:
        client.generation("call", model=Plan.PRO, output=values).end()
    stored = read_trace(client, trace.trace_id)
    assert stored["input"] == {"id": ORDER_ID, "price": "1.20", "plan": "pro"}
    assert (stored["tags"], stored["user"]["id"]) == (["beta"], "pro")
    call = stored["logs"][1]
    assert call["model"] == "pro"
    assert call["output"] == ["pro", {"pro": 1}, ORDER_ID, "1.20", "a/b", "0:00:03"]
    variables = {"plan": Plan.PRO, "order": Order(id=UUID(ORDER_ID), price=Decimal("1.20"))}
    assert render("{{ plan }} {{ order.plan }} {{ order.id }}", "", variables)[0]["content"] == f"pro pro {ORDER_ID}"


def test_a_program_that_exits_when_it_is_done_has_not_failed(client: plumbline.Client) -> None:
    def run_and_exit(code: int) -> plumbline.Recording:
        with pytest.raises(SystemExit), client.trace("outer") as trace, client.span("inner"):
            sys.exit(code)
        return trace

    assert read_trace(client, run_and_exit(0).trace_id)["totals"]["errors"] == 0
    assert read_trace(client, run_and_exit(1).trace_id)["totals"]["errors"] > 0


def test_nothing_of_it_raises(client: plumbline.Client, make_client: Make) -> None:
    errors: list[Exception] = []
    odd = make_client(on_error=errors.append)
    trace = odd.trace("outer", nonsense=1, tags=5, user=object(), evaluators=5)  # type: ignore[call-arg, arg-type]
    trace.end()
    trace.end()
    trace.update(output=1)
    trace.span("late").end()
    odd.score("", "thumb", True)
    assert odd.stats.dropped["late"] == 1
    assert len(errors) >= 3
    assert read_trace(client, trace.trace_id)["name"] == "outer"


def test_a_client_that_is_off_records_nothing_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_ENABLED", "false")
    off = plumbline.Client(url="http://127.0.0.1:1")

    @off.observe
    def answer() -> int:
        return 1

    with off.trace("outer") as trace:
        assert answer() == 1
        trace.score("thumb", True)
    assert trace.trace_id == ""
    assert off.flush().pending == 0


def test_without_a_key_the_functions_of_the_module_do_nothing(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(plumbline, "_client", None)
    monkeypatch.delenv("PLUMBLINE_API_KEY", raising=False)
    with plumbline.trace("outer") as trace:
        plumbline.event("clicked")
    assert trace.trace_id == ""
    assert "api_key must be an API key" in capsys.readouterr().err


def test_a_key_that_no_header_can_have_is_rejected_and_one_that_ends_with_a_line_break_works() -> None:
    for key in ("", " ", "pl_…", "pl_a\nb"):
        with pytest.raises(ValueError, match="api_key must be an API key"):
            plumbline.Client(url=URL, api_key=key)
    assert "prompts" in plumbline.Client(url=URL, api_key=f"{KEY}\n", tracer_provider=TracerProvider()).request("GET", "/prompts")


def test_init_reads_the_environment_and_joins_the_global_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_URL", f"{URL}/")
    monkeypatch.setenv("PLUMBLINE_API_KEY", KEY)
    monkeypatch.setenv("PLUMBLINE_ENVIRONMENT", "staging")
    client = plumbline.init()
    with otel.get_tracer("another").start_as_current_span("theirs") as theirs:
        trace_id = f"{theirs.get_span_context().trace_id:032x}"
        with plumbline.generation("ours", model="gpt-4o"):
            pass
    stored = read_trace(client, trace_id)
    assert (stored["name"], stored["environment"]) == ("theirs", "staging")
    assert logs_of(stored)["ours"]["type"] == "generation"
    plumbline.close()
    with pytest.raises(TypeError, match="no option 'keey'"):
        plumbline.init(keey="x")  # type: ignore[call-arg]


def test_a_score_finds_its_trace_though_it_still_runs(client: plumbline.Client) -> None:
    with client.trace("outer") as trace:
        with client.generation("call", output="x") as generation:
            pass
        generation.score("tone", "warm")
        trace.score("thumb", True, user_id="u1")
        trace.score("thumb", False, user_id="u1", comment="Changed my mind.")
        assert client.flush(15).pending == 0

    def scored() -> None:
        scores = read_trace(client, trace.trace_id)["scores"]
        found = sorted((each["name"], each["value"], each["logId"]) for each in scores)
        assert found == [("thumb", False, None), ("tone", "warm", generation.id)]

    eventually(scored)


def test_recording_is_cheap_and_safe_from_many_threads(make_client: Make) -> None:
    client = make_client(batch_delay=0.05)
    ids: list[str] = []

    def work() -> None:
        for number in range(25):
            with client.trace("threaded", metadata={"number": number}) as trace:
                with client.span("inner"):
                    pass
            ids.append(trace.trace_id)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stats = client.flush(20)
    assert (stats.delivered, stats.pending, client.dropped, len(set(ids))) == (200, 0, 0, 100)
