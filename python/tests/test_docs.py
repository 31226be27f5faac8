"""Every example of docs/python.md runs as it is written, and records what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import plumbline
import pytest

from .conftest import KEY, MODEL_URL, URL, eventually, unique

GUIDE = (Path(__file__).parents[2] / "docs/python.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


def test_every_example_runs_in_a_process_of_its_own(client: plumbline.Client, tmp_path: Path, monkeypatch: Any) -> None:
    feature, cases = unique("support"), unique("parcels")
    client.operations.features.create(slug=feature, name="Support")
    for name, value in (
        ("PLUMBLINE_URL", URL),
        ("PLUMBLINE_API_KEY", KEY),
        ("PLUMBLINE_FEATURE", feature),
        ("OPENAI_API_KEY", "any"),
        ("OPENAI_BASE_URL", MODEL_URL),
        ("ANTHROPIC_API_KEY", "any"),
        ("ANTHROPIC_BASE_URL", MODEL_URL.removesuffix("/v1")),
    ):
        monkeypatch.setenv(name, value)
    processes = []
    for index, example in enumerate(EXAMPLES):
        code = example.replace('"support"', f'"{feature}"').replace('"parcels"', f'"{cases}"')
        file = tmp_path / f"test_example_{index}.py"
        file.write_text(code)
        command = [sys.executable, "-W", "ignore", *(["-m", "pytest", "-q"] if "def test_" in code else []), str(file)]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        if len(processes) % 4 == 0:
            processes[-1].wait(60)
    for process, example in zip(processes, EXAMPLES):
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0, f"{example}\n{output}"
        assert "Plumbline:" not in output or "could not be" not in output, output

    def recorded() -> None:
        traces = client.operations.traces.list(feature_slug=feature, limit=100)["traces"]
        names = {trace["name"] for trace in traces}
        expected = {"First trace", "answer", "front", "Instrumented", "Chat", "FakeListChatModel", "Support chat", "greet"}
        assert expected | {"Shorter answers", "anthropic.messages claude-sonnet-4-5"} <= names

    eventually(recorded)


def test_the_guide_names_the_version_and_every_option() -> None:
    assert f"plumbline-{plumbline.__version__}-py3-none-any.whl" in GUIDE
    missing = [name for name in plumbline.ClientOptions.__annotations__ if f"`{name}`" not in GUIDE]
    assert missing == []


if __name__ == "__main__":
    pytest.main([__file__])
