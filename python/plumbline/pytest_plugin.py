"""Records tests as an experiment: ``pytest --plumbline-experiment "Shorter answers" --plumbline-feature support``.

Each test with the fixture ``plumbline_trace`` is a trace of the experiment, with the score ``passed``; its recordings belong
to that trace. Without the option the fixture records nothing, and the tests run as usual. pytest-xdist workers share one
experiment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ._client import Client
from ._recording import Recording

_RESULT = pytest.StashKey[dict[str, pytest.TestReport]]()
_RUN = pytest.StashKey["_Run"]()
_EXPERIMENT = "plumbline_experiment"


class _Run:
    def __init__(self, client: Client, name: str, feature: str, experiment: dict[str, Any] | None = None) -> None:
        self.client = client
        self.name = name
        self.feature = feature
        self.count = 0
        #: The number of records that workers could not deliver.
        self.unstored = 0
        self.experiment: dict[str, Any] = experiment or client.request(
            "POST", "/monitor/experiments", body={"featureSlug": feature, "name": name}
        )

    def deliver(self) -> int:
        """Returns the number of records that could not be delivered."""
        stats = self.client.flush(30.0)
        return stats.pending + sum(stats.dropped.values())


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("plumbline", "Plumbline")
    group.addoption("--plumbline-experiment", help="record the tests as an experiment of this name")
    group.addoption("--plumbline-feature", help="the slug of the feature that the experiment is about")
    parser.addini("plumbline_feature", "the slug of the feature that experiments are about", default="")


def pytest_configure(config: pytest.Config) -> None:
    name = config.getoption("--plumbline-experiment")
    if not name:
        return
    feature = config.getoption("--plumbline-feature") or config.getini("plumbline_feature")
    if not feature:
        raise pytest.UsageError("--plumbline-experiment needs --plumbline-feature, or plumbline_feature in the configuration")
    from . import get_client

    client = get_client()
    if not client.is_enabled:
        raise pytest.UsageError("--plumbline-experiment needs PLUMBLINE_API_KEY")
    # A pytest-xdist worker joins the experiment of the process that started it.
    experiment = getattr(config, "workerinput", {}).get(_EXPERIMENT)
    try:
        config.stash[_RUN] = _Run(client, name, feature, experiment)
    except Exception as error:
        raise pytest.UsageError(f"the experiment could not be created: {error}") from error


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """A hook of pytest-xdist: passes the experiment to a worker."""
    run = node.config.stash.get(_RUN, None)
    if run is not None:
        node.workerinput[_EXPERIMENT] = run.experiment


def pytest_sessionfinish(session: pytest.Session) -> None:
    run = session.config.stash.get(_RUN, None)
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if run is not None and output is not None:
        output[_EXPERIMENT] = {"count": run.count, "unstored": run.deliver()}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A hook of pytest-xdist: adds the counts that a worker reports at its end."""
    run = node.config.stash.get(_RUN, None)
    output = getattr(node, "workeroutput", {}).get(_EXPERIMENT)
    if run is not None and output is not None:
        run.count += output["count"]
        run.unstored += output["unstored"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report: pytest.TestReport = yield
    item.stash.setdefault(_RESULT, {})[report.when or ""] = report
    return report


@pytest.fixture
def plumbline_trace(request: pytest.FixtureRequest) -> Iterator[Recording]:
    """The trace of this test, with ``update(input=…, output=…)`` and ``score(name, value)``; it contains the test's recordings."""
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
        metadata={"test": request.node.nodeid, "row": _row_of(request.node)},
        input=dict(callspec.params) if callspec is not None else None,
    ) as trace:
        run.count += 1
        yield trace
        report = request.node.stash.get(_RESULT, {}).get("call")
        if report is not None and report.failed:
            trace.update(error=str(report.longreprtext).strip().rsplit("\n", 1)[-1])
    if report is not None and not report.skipped:
        trace.score("passed", bool(report.passed))


def _row_of(test: pytest.Item) -> int:
    """The index of a test in the experiment: the same in each worker, independent of which tests ran before."""
    return [item for item in test.session.items if "plumbline_trace" in getattr(item, "fixturenames", ())].index(test)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    run = config.stash.get(_RUN, None)
    if run is None:
        return
    unstored = run.deliver() + run.unstored
    terminalreporter.write_sep("-", "Plumbline")
    terminalreporter.write_line(f"{run.count} tests are the experiment {run.name!r}: {run.client.url}/app/experiments/{run.experiment['id']}")
    if unstored:
        terminalreporter.write_line(f"{unstored} spans or scores are not stored: the service did not take them.")
