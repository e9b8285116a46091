"""The wheel holds all that an answer needs: installed in an environment of its own, it answers from another folder.

Its dependencies are lent by this environment, which holds what the wheel asks for; .ci/run installs them anew.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from program import ROOT, environment


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (built,) = folder.glob("citewell-*.whl")
    return built


def test_the_wheel_holds_seeds_prompts_and_weights_and_nothing_else_of_the_checkout(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"cli.py", "seeds/manifest.csv", "prompts/answer.txt", "rag/weights/retrieve.json"} <= names
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"cli.py", "rag", "evals", "prompts", "seeds"}
    assert not [name for name in names if "__pycache__" in name]


@pytest.mark.slow  # CI installs the wheel with all it asks for in a clean environment, and asks it
def test_an_installed_citewell_answers_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=False)
    (python,) = [path for path in (tmp_path / "env").glob("*/python*") if path.stem == "python"]
    purelib = Path(sysconfig.get_path("purelib", vars={"base": str(tmp_path / "env")}))
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(purelib), str(wheel)]
    subprocess.run(install, check=True, capture_output=True, timeout=300)
    # A .pth line is read after the environment's own packages, so the wheel's come first.
    (purelib / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    code = "import cli, rag; print(cli.__file__, rag.__file__); cli.main()"
    command = [str(python), "-c", code, "ask", "How much faster is DFlash than EAGLE-3?"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment(tmp_path), timeout=300)
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    assert out.splitlines()[0].count(str(purelib)) == 2
    assert "2.5×" in out
