"""Delivery of records while the service, the network or the process fails."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sys
import textwrap
import time
from pathlib import Path

import plumbline
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from plumbline._otlp import size_of

from .conftest import KEY, URL, Make, Stub, eventually, logs_of, read_trace, run

DOWN = {"status": 503, "body": {"error": "Down."}}


def reader() -> plumbline.Client:
    """A client that only reads, and so needs no spans."""
    return plumbline.Client(url=URL, api_key=KEY, enabled=False)


def test_a_service_that_is_away_costs_no_record_that_fits(make_client: Make, stub: Stub) -> None:
    errors: list[Exception] = []
    stub.otherwise = DOWN
    client = make_client(url=stub.url, on_error=errors.append, pause_min=0.01, pause_max=0.05)
    started = time.monotonic()
    for _ in range(300):
        with client.trace("away"):
            pass
    assert time.monotonic() - started < 2
    eventually(lambda: _has(client.stats.retried >= 3))
    assert (client.stats.pending, client.dropped) == (300, 0)
    # An outage is reported once.
    assert len(errors) == 1
    stub.otherwise = {"status": 200, "body": {}}
    assert client.flush(10).pending == 0
    assert client.stats.delivered == 300


def _has(claim: bool) -> None:
    assert claim


def test_what_does_not_fit_is_dropped_and_counted(make_client: Make, stub: Stub) -> None:
    stub.otherwise = DOWN
    client = make_client(url=stub.url, records_max=5)
    for _ in range(8):
        client.trace("many").end()
    assert client.stats.dropped["buffer_full"] == 3
    small = make_client(url=stub.url, bytes_max=10_000)
    small.trace("large", input="x" * 20_000).end()
    assert small.stats.dropped["buffer_full"] == 1


def test_one_span_that_the_service_fails_on_does_not_hold_up_the_others(make_client: Make, stub: Stub) -> None:
    stub.answers = [{"status": 500, "body": {"error": "A bug."}}]
    client = make_client(url=stub.url, pause_min=0.01, pause_max=0.02)
    for _ in range(4):
        client.trace("one").end()
    assert client.flush(5).pending == 0
    assert client.stats.delivered == 4


def test_scores_of_one_user_keep_their_order_though_the_first_has_to_wait(make_client: Make, stub: Stub) -> None:
    stub.answers = [{"status": 404, "body": {"error": "No trace."}}]
    client = make_client(url=stub.url)
    for value in (1, 2, 3):
        client.score("t", "thumb", value, user_id="u1")
    client.score("t", "thumb", 4, user_id="u2")
    assert client.flush(5).pending == 0
    sent = [json.loads(body)["value"] for _, _, body in stub.requests]
    assert sent == [1, 4, 1, 2, 3]
    keys = [headers["idempotency-key"] for _, headers, _ in stub.requests]
    assert keys[0] == keys[2]
    assert len(set(keys)) == 4


def test_a_span_that_is_larger_than_the_service_takes_is_sent_without_its_values(make_client: Make) -> None:
    client = make_client()
    with client.trace("huge", input="x" * (16 * 2**20), output="small") as trace:
        pass
    stored = read_trace(client, trace.trace_id)
    assert (stored["input"], stored["output"]) == ("[left out: the span would be too large]", "small")
    assert client.stats.dropped["too_large"] == 1


def test_sizes_are_those_of_the_bytes_that_are_sent(make_client: Make, stub: Stub) -> None:
    client = make_client(url=stub.url)
    with client.trace("fits", input="漢" * 4_000_000):
        pass
    with client.trace("does not fit", input="漢" * 6_000_000):
        pass
    client.flush()
    assert (client.stats.delivered, client.stats.dropped["too_large"]) == (2, 1)
    sent = [gzip.decompress(body) if headers.get("content-encoding") else body for _, headers, body in stub.requests]
    assert 12_000_000 < len(sent[0]) < 12_010_000
    assert b"left out" in b"".join(sent[1:])


def test_the_size_of_a_span_counts_the_bytes_of_its_texts() -> None:
    empty = size_of(ReadableSpan("x", attributes={"text": "", "list": [""]}))
    assert size_of(ReadableSpan("x", attributes={"text": "漢" * 100, "list": ["漢" * 100]})) - empty == 600


def test_a_lone_surrogate_of_another_instrumentation_loses_nothing(make_client: Make) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    client = make_client(tracer_provider=provider)
    with client.trace("outer") as trace:
        with provider.get_tracer("another").start_as_current_span("theirs \ud800", attributes={"input.value": "a \ud800 b"}):
            pass
    assert logs_of(read_trace(client, trace.trace_id))["theirs ?"]["input"] == "a ? b"


def test_flush_gives_up_after_its_time(make_client: Make, stub: Stub) -> None:
    stub.otherwise = DOWN
    client = make_client(url=stub.url)
    client.trace("one").end()
    started = time.monotonic()
    assert client.flush(0.3).pending == 1
    assert 0.25 < time.monotonic() - started < 2
    assert client.close(0.1).dropped["closed"] == 1
    client.trace("after").end()
    assert client.stats.dropped["closed"] == 2


def test_a_process_that_ends_has_delivered_what_it_recorded() -> None:
    program = """
        import plumbline
        plumbline.init()
        with plumbline.trace("at exit") as trace:
            trace.score("thumb", True)
        print(trace.trace_id)
    """
    process = run(program)
    trace_id = process.communicate()[0].strip()
    client = reader()
    assert eventually(lambda: read_trace(client, trace_id))["name"] == "at exit"


def test_a_client_that_nobody_holds_delivers_what_it_recorded_also_in_a_child() -> None:
    program = """
        import gc, multiprocessing, plumbline
        from opentelemetry.sdk.trace import TracerProvider

        def handle():
            client = plumbline.Client(batch_delay=60.0, tracer_provider=TracerProvider(shutdown_on_exit=False))
            with client.trace("of a client that nobody holds") as trace:
                pass
            print(trace.trace_id, flush=True)

        handle()
        gc.collect()
        process = multiprocessing.get_context("fork").Process(target=handle)
        process.start()
        process.join()
    """
    output, errors = run(program).communicate()
    trace_ids = output.split()
    assert len(trace_ids) == 2, errors
    client = reader()
    for trace_id in trace_ids:
        assert eventually(lambda id=trace_id: read_trace(client, id))["name"] == "of a client that nobody holds"


@pytest.mark.skipif(sys.version_info < (3, 14), reason="interpreters beside the first came with Python 3.14")
def test_an_interpreter_beside_the_first_delivers_by_flush_and_as_it_ends() -> None:
    inner = """
        import plumbline
        with plumbline.trace("while it runs") as trace:
            pass
        print(plumbline.flush().delivered, trace.trace_id, flush=True)
        with plumbline.trace("as it ends") as trace:
            print(trace.trace_id, flush=True)
    """
    program = f"""
        from concurrent import interpreters
        interpreter = interpreters.create()
        interpreter.exec({textwrap.dedent(inner)!r})
        interpreter.close()
        print("closed", flush=True)
    """
    output, errors = run(program).communicate()
    assert len(output.split()) == 4, errors
    delivered, first, second, _ = output.split()
    assert delivered == "1", errors
    client = reader()
    assert read_trace(client, first)["name"] == "while it runs"
    assert read_trace(client, second)["name"] == "as it ends"


def test_a_process_that_is_killed_leaves_every_step_that_had_ended() -> None:
    program = """
        import time, plumbline
        plumbline.init()
        with plumbline.trace("agent", user="u1", tags=["long"]) as trace:
            for number in range(20):
                with plumbline.span(f"step {number}") as step:
                    step.update(output=number)
            print(trace.trace_id, flush=True)
            with plumbline.span("never ended"):
                time.sleep(60)
    """
    process = run(program, wait=False)
    assert process.stdout is not None
    trace_id = process.stdout.readline().strip()
    client = reader()

    def watched() -> None:
        # The trace can be watched while it runs: its root has arrived with its user.
        running = read_trace(client, trace_id, has_ended=False)
        assert (running["name"], running["user"], running["tags"]) == ("agent", {"id": "u1", "name": "u1"}, ["long"])
        assert running["endTime"] is None

    eventually(watched)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    logs = logs_of(read_trace(client, trace_id, has_ended=False))
    assert {f"step {number}" for number in range(20)} <= set(logs)
    assert "never ended" not in logs


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_that_gevent_patches_after_the_fork_delivers_as_workers_of_a_server_that_was_loaded_before() -> None:
    program = """
        import os, warnings
        warnings.simplefilter("ignore")
        import plumbline
        with plumbline.trace("loaded before"):
            pass
        plumbline.flush()
        if os.fork() == 0:
            from gevent import monkey
            monkey.patch_all()
            import gevent
            before = plumbline.get_client().stats.delivered
            with plumbline.trace("in a worker"):
                gevent.spawn(plumbline.event, "in a greenlet").join()
            with gevent.Timeout(20):
                while plumbline.get_client().stats.delivered < before + 2:
                    gevent.sleep(0.02)
            print("delivered", flush=True)
            os._exit(0)
        os.wait()
    """
    process = run(program)
    output, errors = process.communicate()
    assert output == "delivered\n", errors


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_records_and_sends_nothing_twice() -> None:
    program = """
        import multiprocessing, os, plumbline
        client = plumbline.init(batch_delay=0.2)
        with plumbline.trace("before the fork") as trace:
            pass
        print(trace.trace_id, flush=True)
        pid = os.fork()
        if pid == 0:
            with plumbline.trace("in the child") as child:
                pass
            print(child.trace_id, client.stats.pending, flush=True)
            plumbline.flush()
            os._exit(0)
        os.waitpid(pid, 0)

        def work():
            with plumbline.trace("of multiprocessing") as trace:
                pass
            print(trace.trace_id, 1, flush=True)

        process = multiprocessing.get_context("fork").Process(target=work)
        process.start()
        process.join()
    """
    output, errors = run(program).communicate()
    before, child, worker = (line.split() for line in output.strip().split("\n"))
    assert child[1] == "1", errors
    client = reader()
    names = [eventually(lambda id=line[0]: read_trace(client, id))["name"] for line in (before, child, worker)]
    assert names == ["before the fork", "in the child", "of multiprocessing"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_of_multiprocessing_that_is_the_first_to_record_delivers_it() -> None:
    program = """
        import multiprocessing, plumbline

        def work():
            plumbline.init(batch_delay=60.0)
            with plumbline.trace("only in the child") as trace:
                pass
            print(trace.trace_id, flush=True)

        process = multiprocessing.get_context("fork").Process(target=work)
        process.start()
        process.join()
    """
    output, errors = run(program).communicate()
    client = reader()
    assert eventually(lambda: read_trace(client, output.strip()))["name"] == "only in the child", errors


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_that_celery_ends_delivers_what_it_recorded() -> None:
    program = """
        import os
        from celery.signals import worker_process_shutdown
        import plumbline

        plumbline.init(batch_delay=60.0)
        if os.fork() == 0:
            with plumbline.trace("in a child of Celery") as trace:
                pass
            print(trace.trace_id, flush=True)
            worker_process_shutdown.send(sender=None, pid=os.getpid(), exitcode=0)
            os._exit(0)
        os.wait()
    """
    output, errors = run(program).communicate()
    client = reader()
    assert eventually(lambda: read_trace(client, output.strip()))["name"] == "in a child of Celery", errors


def test_no_socket_is_left_to_the_garbage_collector() -> None:
    program = """
        import gc, plumbline

        client = plumbline.Client()
        with client.trace("closed"):
            pass
        thread = client._delivery._thread
        client.close()
        thread.join()
        client.operations.prompts.list()
        del client, thread
        gc.collect()
    """
    process = run(program, PYTHONWARNINGS="always::ResourceWarning")
    assert "unclosed" not in process.communicate()[1]


def test_importing_the_package_starts_nothing() -> None:
    program = """
        import sys, threading, plumbline
        print(threading.active_count(), "pandas" in sys.modules, "asyncio.base_events" in sys.modules)
    """
    assert run(program).communicate()[0].split()[:2] == ["1", "False"]


def test_the_package_says_its_types() -> None:
    assert (Path(plumbline.__file__).parent / "py.typed").exists()
