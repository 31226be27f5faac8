"""The service that the tests use, and a stub of it that fails on request."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import textwrap
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import plumbline
import pytest
from opentelemetry.sdk.trace import TracerProvider

pytest_plugins = ("pytester",)

URL = os.environ.get("BASE_URL", "")
KEY = os.environ.get("API_KEY", "")
MODEL_URL = os.environ.get("OPENAI_BASE_URL", "")

Result = TypeVar("Result")


def pytest_configure() -> None:
    if not URL:
        raise pytest.UsageError("Run these by `node scripts/python-tests.ts`, which starts the service.")


def eventually(check: Callable[[], Result], seconds: float = 15.0) -> Result:
    """The result of a check, once it no longer fails, such as when another process has caught up."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return check()
        except (AssertionError, plumbline.RequestFailed):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def unique(prefix: str) -> str:
    return f"{prefix}-{uuid.uuid4().hex[:10]}"


Make = Callable[..., plumbline.Client]


@pytest.fixture
def make_client() -> Iterator[Make]:
    """Makes clients that each have a tracer provider of their own, so that they get no spans of others."""
    made: list[plumbline.Client] = []

    def make(**options: Any) -> plumbline.Client:
        options.setdefault("tracer_provider", TracerProvider(shutdown_on_exit=False))
        options.setdefault("on_error", lambda error: None)
        options.setdefault("batch_delay", 0.01)
        client = plumbline.Client(**{"url": URL, "api_key": KEY, **options})
        made.append(client)
        return client

    yield make
    for client in made:
        client.close(0.1)


@pytest.fixture
def client(make_client: Make) -> plumbline.Client:
    return make_client()


def read_trace(client: plumbline.Client, trace_id: str, has_ended: bool = True) -> Any:
    """A stored trace, once its root has arrived: the root is delivered last, after everything in it."""
    client.flush()

    def read() -> Any:
        trace = client.request("GET", f"/monitor/traces/{trace_id}")["trace"]
        roots = [log for log in trace["logs"] if "parentSpanId" not in log["metadata"]["otel"]]
        assert roots
        assert not has_ended or roots[0]["endTime"] is not None
        return trace

    return eventually(read)


def logs_of(trace: Any) -> dict[str, Any]:
    """The logs by name."""
    return {log["name"]: log for log in trace["logs"]}


def run(program: str, *, wait: bool = True, **environment: str) -> subprocess.Popen[str]:
    """Runs a program in a separate Python process."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "PLUMBLINE_URL": URL, "PLUMBLINE_API_KEY": KEY, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if wait:
        process.wait(30)
    return process


class Stub:
    """A service with scripted responses: each of ``answers`` in turn, then ``otherwise``."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.otherwise: Any = {"status": 200, "body": {"trace": {"id": "1"}}}
        self.lock = threading.Lock()
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                with stub.lock:
                    stub.requests.append((self.path, dict(self.headers.items()), body))
                    answer = stub.answers.pop(0) if stub.answers else stub.otherwise
                if answer == "break":
                    self.close_connection = True
                    return
                if answer == "hang":
                    time.sleep(1.0)
                    self.close_connection = True
                    return
                content = answer.get("body", "")
                data = (content if isinstance(content, str) else json.dumps(content)).encode()
                self.send_response(answer["status"])
                for name, value in answer.get("headers", {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = handle_any

            def log_message(self, *arguments: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub()
    yield made
    made.close()
