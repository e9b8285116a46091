"""citewell in pytest: `assert_grounded(answer)`, a fixture with a corpus, and one test a question of a question file.

    # pytest.ini
    [pytest]
    citewell_corpus = abstracts/
    citewell_questions = grounding/questions.jsonl

Loaded through the `pytest11` entry point in every pytest run, so nothing is imported before it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from evals.material.cases import Question
    from evals.running.engine import Engine
    from evals.scorers.record import Record
    from rag.assistant import Assistant


def assert_grounded(answer: Any, question: str = "") -> None:
    """Fails unless every sentence is supported by what it cites, and every quote is exact.

    `answer` is citewell's own Answer, a mapping as `citewell eval score` reads it, or a LlamaIndex response (then
    `question` is what was asked). An abstention is grounded.
    """
    __tracebackhide__ = True
    from evals.scorers import score, verdicts
    from evals.scorers.judge import Judge

    record = _record(answer, question)
    if record.abstained:
        return
    if not record.statements:
        pytest.fail("the answer says nothing, and does not abstain", pytrace=False)
    faults = verdicts.grounding(score(None, record, Judge()))
    if faults:
        pytest.fail("not grounded:\n" + "\n".join(f"  {fault}" for fault in faults), pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("citewell", "grounding of cited answers")
    group.addoption("--citewell-corpus", metavar="PATH", help="files or folder of abstracts")
    group.addoption("--citewell-questions", metavar="PATH", help="question file; each question becomes a test")
    parser.addini("citewell_corpus", "files or folder of abstracts", type="paths")
    parser.addini("citewell_questions", "question files; each question becomes a test", type="paths")


def pytest_configure(config: pytest.Config) -> None:
    for path in _paths(config, "citewell_questions"):
        known = {Path(str(each).split("::")[0]).absolute() for each in config.args}
        if path.exists() and not any(path == each or each in path.parents for each in known):
            config.args.append(str(path))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.absolute() in _paths(parent.config, "citewell_questions"):
        return QuestionFile.from_parent(parent, path=file_path)
    return None


@pytest.fixture(scope="session")
def citewell_assistant(pytestconfig: pytest.Config) -> Assistant:
    """An assistant over the corpus that `citewell_corpus` names, or over the shipped seeds."""
    return _engine(pytestconfig).assistant


@pytest.fixture(name="assert_grounded")
def _assert_grounded() -> Any:
    return assert_grounded


class QuestionFile(pytest.File):
    """A question file: one test a question."""

    def collect(self) -> Iterator[pytest.Item]:
        from evals.material import cases

        for question in cases.load_questions([self.path]):
            yield QuestionItem.from_parent(self, name=question.id, question=question)


class QuestionItem(pytest.Item):
    """Asks one question and fails where `citewell eval run` would."""

    def __init__(self, *, question: Question, **rest: Any) -> None:
        super().__init__(**rest)
        self.question = question

    def runtest(self) -> None:
        from evals.scorers import score, verdicts
        from evals.scorers.judge import Judge

        answered = _engine(self.config).ask(self.question)
        scores = score(self.question, answered.record, Judge())
        for name, each in scores.items():
            if each.value is not None and name != "latency":
                self.user_properties.append((name, f"{each.value:.4f}"))
        faults = verdicts.failures(self.question, scores)
        if faults:
            raise QuestionFailed(self.question, faults, answered.record)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, QuestionFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.name}: {self.question.id}"


class QuestionFailed(Exception):
    """A question that does not pass, told in the words of the scorers."""

    def __init__(self, question: Question, faults: tuple[str, ...], record: Record) -> None:
        shown = [each.text for each in record.statements] or ["abstained"]
        super().__init__(
            "\n".join((question.question, *(f"  said: {text}" for text in shown), *(f"  {x}" for x in faults)))
        )


_ENGINE = pytest.StashKey["Engine"]()


def _engine(config: pytest.Config) -> Engine:
    """One engine a process, over a corpus indexed once."""
    if _ENGINE not in config.stash:
        import tempfile

        from evals.running.engine import Engine, index, settings_for
        from rag.shipped import SEEDS

        home = tempfile.TemporaryDirectory(prefix="citewell-pytest-", ignore_cleanup_errors=True)
        config.add_cleanup(home.cleanup)
        settings = settings_for(Path(home.name))
        index(settings, _paths(config, "citewell_corpus") or [SEEDS])
        config.stash[_ENGINE] = Engine(settings)
    return config.stash[_ENGINE]


def _paths(config: pytest.Config, name: str) -> list[Path]:
    """From the command line, else from the configuration file."""
    typed = config.getoption(f"--{name.replace('_', '-')}", default=None)
    found = [Path(config.invocation_params.dir, typed)] if typed else config.getini(name)
    return [Path(each).absolute() for each in found]


def _record(answer: Any, question: str) -> Record:
    from evals.others import outside
    from evals.running.engine import record_of
    from rag.types import Answer

    if isinstance(answer, Answer):
        return record_of(answer)
    line: Mapping[str, Any] = answer if isinstance(answer, Mapping) else outside.from_llamaindex(question, answer)
    return outside.record(outside.plain({"question": question, **line}))
