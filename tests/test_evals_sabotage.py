"""Every sabotage still fits the engine it breaks, and one of them is run against the gate."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from evals.sabotage.__main__ import main
from evals.sabotage.copies import run_one
from evals.sabotage.ways import SABOTAGES, Sabotage
from evals.scorers import BY_NAME


@pytest.mark.parametrize("each", SABOTAGES, ids=lambda each: each.name)
def test_a_sabotage_overrides_what_is_there(each: Sabotage) -> None:
    module = importlib.import_module(each.module.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    assert set(each.metrics) <= set(BY_NAME)
    overridden = []
    for node in ast.parse(each.code).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            overridden.append(hasattr(module, node.name))
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            target = node.targets[0]
            assert isinstance(target.value, ast.Name)
            overridden.append(hasattr(getattr(module, target.value.id), target.attr))
    assert overridden
    assert all(overridden)


def test_there_are_enough_of_them() -> None:
    assert len({each.name for each in SABOTAGES}) >= 12


@pytest.mark.timeout(1200)
def test_the_gate_fails_on_a_shifted_offset_and_says_so_of_the_kept_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ("--kind", "fact", "--only", "automl-market-*", "--limit", "2")
    caught = run_one(SABOTAGES[0], jobs=1, options=few, keep=tmp_path)
    assert caught.exit_code == 10
    assert "quote_fidelity" in caught.failed
    assert caught.right
    page = tmp_path / "page.md"
    assert main(["--judge", str(tmp_path), "--page", str(page)]) == 0
    assert "1 of 1 as they should be" in capsys.readouterr().out
    assert "| offset by one |" in page.read_text("utf-8")
