"""The house as README draws it: imports go one way, between files and between rooms, and nobody reaches around."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@cache
def files() -> Mapping[str, Path]:
    """Every module of the program, by its dotted name."""
    paths = [*ROOT.glob("rag/**/*.py"), *ROOT.glob("evals/**/*.py"), ROOT / "cli.py"]
    dotted = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    return {name.removesuffix(".__init__"): path for name, path in dotted.items()}


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """What each module imports of the others, inside functions too; what only a type checker reads is left out."""
    known = files()
    return {
        name: frozenset(_imported(ast.parse(path.read_text("utf-8")), known)) - {name} for name, path in known.items()
    }


def _imported(node: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names if alias.name in known)
        elif isinstance(child, ast.ImportFrom) and child.module:
            assert child.level == 0, "imports are absolute"
            for alias in child.names:
                whole = f"{child.module}.{alias.name}"
                yield from (each for each in (whole if whole in known else child.module,) if each in known)
        yield from _imported(child, known)


def room(module: str) -> str:
    """A folder or a single file under rag/ or evals/; a program that nobody imports is a room of its own."""
    return module if module.endswith(".__main__") else ".".join(module.split(".")[:2])


def rooms() -> Mapping[str, set[str]]:
    drawn: dict[str, set[str]] = {}
    for module, others in imports().items():
        drawn.setdefault(room(module), set()).update({room(other) for other in others} - {room(module)})
    return drawn


def in_order(graph: Mapping[str, frozenset[str] | set[str]]) -> None:
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail("imports go in a circle: " + " -> ".join(reversed(error.args[1])))


def test_no_file_imports_itself_by_a_way_around() -> None:
    in_order(imports())


def test_no_room_imports_itself_by_a_way_around() -> None:
    in_order(rooms())


def test_a_circle_would_be_found() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"rag\.verify"):
        in_order({**rooms(), "rag.text": {"rag.verify"}})


def test_the_engine_does_not_know_who_measures_it_or_who_types() -> None:
    """Only the commands know evals/, and only the command line knows the commands."""
    for module, others in imports().items():
        if not module.startswith(("rag.commands", "evals")):
            assert not any(other.startswith("evals") for other in others), module
        if not module.startswith(("rag.commands", "cli")):
            assert not any(other.startswith("rag.commands") for other in others), module


def test_the_commands_open_evals_only_when_they_are_run() -> None:
    """An `ask` must not pay for `eval`: at the top of a module of the commands nothing of evals/ is imported."""
    for path in (ROOT / "rag" / "commands").glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] == "evals" for name in named), path.name


def drawn(house: str) -> list[str]:
    """The rooms of rag/ or evals/ as a README's table has them, first to last."""
    page, heading = {"rag": ("README.md", "## Architecture"), "evals": ("evals/README.md", "## Rooms")}[house]
    section = (ROOT / page).read_text("utf-8").split(heading)[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", section, re.M)
    return [name.rstrip("/") for row in rows for name in re.findall(r"`(.+?)`", row)]


def test_readme_draws_every_room_once() -> None:
    assert sorted(drawn("rag")) == sorted({module.split(".")[1] for module in files() if module.startswith("rag.")})


def test_the_evals_readme_draws_every_folder_once() -> None:
    assert sorted(drawn("evals")) == sorted(path.parent.name for path in ROOT.glob("evals/*/__init__.py"))


def _named(path: Path, house: str) -> Iterator[str]:
    """The rooms of this house that a file imports from, also for the type checker alone."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == house:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{house}."):
            yield str(node.module).split(".")[1]


@pytest.mark.parametrize("house", ["rag", "evals"])
def test_a_file_imports_only_from_rooms_before_its_own(house: str) -> None:
    place = {name: at for at, name in enumerate(drawn(house))}
    for module, path in files().items():
        parts = module.split(".")
        if parts[0] == house and len(parts) > 1 and parts[1] in place:
            for other in _named(path, house):
                assert place[other] <= place[parts[1]], f"{module} imports {other}, a later room"


def test_what_lies_flat_in_evals_is_a_program_that_no_other_imports() -> None:
    """But for what pytest loads. What two programs share is in a folder."""
    shared = {other for others in imports().values() for other in others}
    for path in (ROOT / "evals").glob("*.py"):
        if path.stem not in ("__init__", "pytest_plugin"):
            assert 'if __name__ == "__main__":' in path.read_text("utf-8"), f"{path.name} belongs in a folder"
            assert f"evals.{path.stem}" not in shared, f"what others use of {path.name} belongs in a folder"


def test_the_evals_readme_says_where_every_weight_comes_from() -> None:
    told = (ROOT / "evals" / "README.md").read_text("utf-8").split("## Where the weights come from")[1]
    for path in [*(ROOT / "rag" / "weights").glob("*.json"), *(ROOT / "evals").glob("fit_*.py")]:
        assert f"`{path.name.removesuffix('.py')}`" in told, path.name
