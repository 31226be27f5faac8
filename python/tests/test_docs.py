"""Every example of docs/python.md runs unchanged, and records what it describes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import plumbline

from .conftest import KEY, MODEL_URL, URL, eventually, unique

GUIDE = (Path(__file__).parents[2] / "docs/python.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


def run(command: list[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr
    # Dropped records would be reported.
    assert "Plumbline:" not in result.stderr, result.stderr


def test_every_example_runs_and_is_recorded(client: plumbline.Client, tmp_path: Path, monkeypatch: Any) -> None:
    feature, cases, slug = unique("support"), unique("parcels"), unique("greeting")
    client.operations.prompts.create(slug=slug, name="Greeting")
    client.operations.versions.create(slug, text="Greet {{ name }}.", tags=["production"])
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
    names = {'"support"': f'"{feature}"', '"parcels"': f'"{cases}"', '"greeting"': f'"{slug}"'}
    files: list[Path] = []
    for index, example in enumerate(EXAMPLES):
        for name, own in names.items():
            example = example.replace(name, own)
        files.append(tmp_path / f"{'test_' if 'def test_' in example else ''}example_{index}.py")
        files[-1].write_text(example)
    # One after the other in one process, since a reader may begin with any of them.
    runner = "import runpy, sys\nfor file in sys.argv[1:]:\n    runpy.run_path(file)\n"
    tests = [str(file) for file in files if file.name.startswith("test_")]
    examples = [str(file) for file in files if str(file) not in tests]
    run([sys.executable, "-W", "ignore", "-c", runner, *examples])
    run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests])

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
