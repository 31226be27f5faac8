"""Tests whose results are an experiment: ``pytest --plumbline-experiment "Shorter answers" --plumbline-feature support``.

Each test that asks for ``plumbline_trace`` is a trace of the experiment, with the score ``passed``; whatever it records is
part of it. Without the option the fixture records nothing, and the tests run as ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ._client import Client
from ._recording import Recording

_RESULT = pytest.StashKey[dict[str, pytest.TestReport]]()
_RUN = pytest.StashKey["_Run"]()


class _Run:
    def __init__(self, client: Client, name: str, feature: str) -> None:
        self.client = client
        self.name = name
        self.feature = feature
        self.count = 0
        self.experiment: dict[str, Any] = client.request(
            "POST", "/monitor/experiments", body={"featureSlug": feature, "name": name}
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("plumbline", "Plumbline")
    group.addoption("--plumbline-experiment", help="record the tests as an experiment of this name")
    group.addoption("--plumbline-feature", help="the slug of the feature that the experiment is about")
    parser.addini("plumbline_feature", "the slug of the feature that experiments are about", default="")


def pytest_configure(config: pytest.Config) -> None:
    name = config.getoption("--plumbline-experiment")
    # With pytest-xdist each worker would make an experiment of its own.
    if not name or hasattr(config, "workerinput"):
        return
    feature = config.getoption("--plumbline-feature") or config.getini("plumbline_feature")
    if not feature:
        raise pytest.UsageError("--plumbline-experiment needs --plumbline-feature, or plumbline_feature in the configuration")
    from . import get_client

    client = get_client()
    if not client.is_enabled:
        raise pytest.UsageError("--plumbline-experiment needs PLUMBLINE_API_KEY")
    try:
        config.stash[_RUN] = _Run(client, name, feature)
    except Exception as error:
        raise pytest.UsageError(f"the experiment could not be created: {error}") from error


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report: pytest.TestReport = yield
    item.stash.setdefault(_RESULT, {})[report.when or ""] = report
    return report


@pytest.fixture
def plumbline_trace(request: pytest.FixtureRequest) -> Iterator[Recording]:
    """The trace of this test: ``update(input=…, output=…)`` and ``score(name, value)``; what is recorded is part of it."""
    from . import get_client

    run = request.config.stash.get(_RUN, None)
    client = run.client if run is not None else Client(enabled=False)
    if run is None:
        with client.trace(request.node.name) as trace:
            yield trace
        return
    get_client()
    callspec = getattr(request.node, "callspec", None)
    with client.trace(
        request.node.name,
        feature=run.feature,
        experiment=run.experiment["id"],
        metadata={"test": request.node.nodeid, "row": run.count},
        input=dict(callspec.params) if callspec is not None else None,
    ) as trace:
        run.count += 1
        yield trace
        report = request.node.stash.get(_RESULT, {}).get("call")
        if report is not None and report.failed:
            trace.update(error=str(report.longreprtext).strip().rsplit("\n", 1)[-1])
    if report is not None and not report.skipped:
        trace.score("passed", bool(report.passed))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    run = config.stash.get(_RUN, None)
    if run is None:
        return
    stats = run.client.flush(30.0)
    unstored = stats.pending + sum(stats.dropped.values())
    terminalreporter.write_sep("-", "Plumbline")
    terminalreporter.write_line(f"{run.count} tests are the experiment {run.name!r}: {run.client.url}/app/experiments/{run.experiment['id']}")
    if unstored:
        terminalreporter.write_line(f"{unstored} spans or scores are not stored: the service did not take them.")
