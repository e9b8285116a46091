"""A run end to end on the real engine over a small corpus: the log, byte-equal runs, resuming, errors, replies."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.gate import log
from evals.material.cases import ClaimCase, Question
from evals.running import about, recording
from evals.running import run as running
from evals.running.plan import Plan
from rag.errors import UsageError
from rag.model.contract import Finish, Prompt
from rag.settings import Settings

PAPERS = [
    {
        "title": "Foo: A Sampler",
        "doi": "10.1/foo",
        "abstract": "We propose Foo, a sampler. Foo is 2.5 times faster than Bar on the Baz benchmark.",
    },
    {
        "title": "Qux: A Solver",
        "doi": "10.1/qux",
        "abstract": "We study Qux, a solver for graphs. Qux needs 40% less memory than its rivals.",
    },
    {
        "title": "Zed: A Parser",
        "doi": "10.1/zed",
        "abstract": "Zed parses sentences of Latin. It reaches an accuracy of 91.3% on old texts.",
    },
]
CASES = (
    Question("foo", "fact", "How much faster is Foo than Bar?", True, ("doi:10.1/foo",), (), (("2.5",),)),
    Question("qux", "fact", "How much memory does Qux save?", True, ("doi:10.1/qux",), (), (("40%",),)),
    Question("zed", "fact", "Which accuracy does Zed reach?", True, ("doi:10.1/zed",), (), (("91.3%",),)),
    Question("wrong", "fact", "How much faster is Foo than Bar on Baz?", True, ("doi:10.1/foo",), (), (("7.7",),)),
    ClaimCase(
        "true",
        "Foo is 2.5 times faster than Bar on the Baz benchmark.",
        "supported",
        "quote",
        ("doi:10.1/foo",),
    ),
    ClaimCase(
        "false",
        "Foo is 3.5 times faster than Bar on the Baz benchmark.",
        "contradicted",
        "number",
        ("doi:10.1/foo",),
    ),
    ClaimCase("lost", "Anything at all.", "not_found", "other", ("doi:10.1/gone",)),
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "papers.jsonl"
    path.write_text("\n".join(map(json.dumps, PAPERS)), "utf-8")
    return path


def plan(corpus: Path, tmp_path: Path, **changes: Any) -> Plan:
    return Plan(
        **{
            "cases": CASES,
            "corpus": (corpus,),
            "settings": Settings(home=tmp_path / "home"),
            "jobs": 1,
            **changes,
        }
    )


def test_a_log_holds_everything_and_two_runs_are_byte_equal(corpus: Path, tmp_path: Path) -> None:
    first = running.run(plan(corpus, tmp_path), tmp_path / "a.json")
    running.run(plan(corpus, tmp_path, jobs=2), tmp_path / "b.json")
    one, two = (log.read(tmp_path / name) for name in ("a.json", "b.json"))
    assert log.dumps(log.without_times(one)) == log.dumps(log.without_times(two))
    states = {entry["id"]: (entry["passed"], entry["error"] is not None) for entry in first["cases"]}
    assert states["foo"] == states["qux"] == states["zed"] == states["true"] == states["false"] == (True, False)
    assert states["wrong"] == (False, False)
    assert states["lost"] == (True, False)  # its paper is not there: nothing supports it
    assert first["summary"]["cases"] == {"total": 7, "passed": 6, "failed": 1, "errors": 0}
    assert set(first["times"]["cases"]) == {f"{case.id}#1" for case in CASES}
    assert first["papers"]["doi:10.1/foo"]["abstract"] == PAPERS[0]["abstract"]
    assert first["corpus"]["papers"] == 3
    assert not list(tmp_path.glob("*.journal"))


def test_an_error_is_told_as_one_and_the_run_goes_on(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rag.assistant import Assistant

    ask = Assistant.ask

    def failing(self: Assistant, question: str, **rest: Any) -> Any:
        if "Qux" in question:
            raise RuntimeError("the engine broke")
        return ask(self, question, **rest)

    monkeypatch.setattr(Assistant, "ask", failing)
    found = running.run(plan(corpus, tmp_path, cases=CASES[:3]), None)
    assert found["summary"]["cases"] == {"total": 3, "passed": 2, "failed": 0, "errors": 1}
    assert found["cases"][1]["error"] == {"type": "RuntimeError", "message": "the engine broke"}
    assert found["summary"]["metrics"]["fact_recall"]["mean"] == pytest.approx(2 / 3, abs=1e-5)


def test_an_interrupted_run_goes_on_where_it_stopped(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    whole = running.work

    def stopping(each: Any) -> Any:
        if len(asked) == 3:
            raise KeyboardInterrupt
        asked.append(each.key)
        return whole(each)

    monkeypatch.setattr(running, "work", stopping)
    with pytest.raises(KeyboardInterrupt):
        running.run(plan(corpus, tmp_path), tmp_path / "a.json")
    assert not (tmp_path / "a.json").exists()
    with (tmp_path / "a.json.journal").open("a", encoding="utf-8") as file:
        file.write('{"entry": {"id": "cut')  # killed in the middle of a line
    monkeypatch.setattr(running, "work", lambda each: (asked.append(each.key), whole(each))[1])
    resumed = running.run(plan(corpus, tmp_path), tmp_path / "a.json")
    assert asked == [f"{case.id}#1" for case in CASES]
    monkeypatch.setattr(running, "work", whole)
    assert log.without_times(resumed) == log.without_times(running.run(plan(corpus, tmp_path), tmp_path / "b.json"))


def test_a_journal_of_other_questions_is_not_resumed(corpus: Path, tmp_path: Path) -> None:
    journal = log.Journal(tmp_path / "a.json", "another run")
    journal.begin([({"id": "foo", "repeat": 1, "error": None}, 0.1)])
    found = running.run(plan(corpus, tmp_path, cases=CASES[:1]), tmp_path / "a.json")
    assert found["cases"][0]["passed"]


def test_changed_code_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted run must not go on with the answers of an earlier state of the engine."""
    before = about.code()
    for name in ("rag", "prompts"):
        (tmp_path / name).mkdir()
    (tmp_path / "rag" / "x.py").write_text("a = 1\n", "utf-8")
    monkeypatch.setattr(about, "ROOT", tmp_path)
    first = about.code()
    (tmp_path / "rag" / "x.py").write_text("a = 2\n", "utf-8")
    assert len({before, first, about.code()}) == 3
    assert about.identity({"code": first}) != about.identity({"code": before})


def test_every_repeat_is_asked(corpus: Path, tmp_path: Path) -> None:
    found = running.run(plan(corpus, tmp_path, cases=CASES[:2], repeat=3), None)
    assert [(entry["id"], entry["repeat"]) for entry in found["cases"]] == [
        (case.id, turn) for turn in (1, 2, 3) for case in CASES[:2]
    ]
    assert found["summary"]["repeats"] == {
        "rounds": 3,
        "pass_rates": [1.0, 1.0, 1.0],
        "always": 2,
        "sometimes": 0,
        "never": 0,
    }


class Scripted:
    """A model that says one thing."""

    name, context_window = "scripted", 4096

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Iterator[str | Finish]:
        yield "Foo is fast "
        yield "[k1]."
        yield Finish("stop", 10, 5)

    def identity(self) -> str:
        return "scripted@here"


def replies(path: Path, *prompts: tuple[str, Prompt]) -> None:
    entries = []
    for case, prompt in prompts:
        watched = recording.Watched(Scripted())
        list(watched.stream(prompt, max_tokens=9, seconds=9.0))
        call = watched.calls[0]
        kept = {
            name: getattr(call, name) for name in ("prompt", "reply", "ending", "prompt_tokens", "completion_tokens")
        }
        entries.append({"id": case, "repeat": 1, "calls": [kept]})
    recording.write(path, recording.about(Scripted()), entries)


def test_replies_are_played_again_and_stale_ones_are_told(tmp_path: Path) -> None:
    path, prompt = tmp_path / "r.jsonl", Prompt("system", "How fast?")
    replies(path, ("foo", prompt))
    watched = recording.Watched(recording.Replay(path))
    watched.begin("foo", 1)
    played = list(watched.stream(prompt, max_tokens=9, seconds=9.0))
    assert played == ["Foo is fast [k1].", Finish("stop", 10, 5)]
    assert (watched.name, watched.context_window, watched.identity()) == ("scripted", 4096, "scripted@here")
    with pytest.raises(recording.Unrecorded, match="stale"):
        list(watched.stream(Prompt("system changed", "How fast?"), max_tokens=9, seconds=9.0))
    assert watched.missed
    watched.begin("foo", 2)
    with pytest.raises(recording.Unrecorded, match="no reply was recorded"):
        list(watched.stream(prompt, max_tokens=9, seconds=9.0))  # another repeat is another reply


def test_a_recording_that_is_none_says_so(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"case": "x"}\n', "utf-8")
    with pytest.raises(UsageError, match="names no model"):
        recording.Replay(tmp_path / "r.jsonl")


def test_a_run_with_a_model_is_recorded_and_replayed_and_a_changed_prompt_is_an_error(
    corpus: Path, tmp_path: Path
) -> None:
    """The script errs (see evals.models.scripted); what is kept of its replies is what came."""
    kept, cases = tmp_path / "r.jsonl", CASES[:3]
    settings = Settings(home=tmp_path / "home", model="evals.models.scripted:Scripted")
    live = running.run(plan(corpus, tmp_path, cases=cases, settings=settings, record=kept), None)
    assert all(entry["calls"] for entry in live["cases"])
    assert live["model"]["model"] == "scripted"
    played = running.run(plan(corpus, tmp_path, cases=cases, replay=kept), None)
    assert played["cases"] == live["cases"]
    assert (played["replayed"], played["model"]) == (True, live["model"])

    kept.write_text(kept.read_text("utf-8").replace('"prompt": "', '"prompt": "0'), "utf-8")
    stale = running.run(plan(corpus, tmp_path, cases=cases, replay=kept), None)
    assert [entry["error"]["type"] for entry in stale["cases"]] == ["Unrecorded"] * 3
    assert "stale recording" in stale["cases"][0]["error"]["message"]
    assert stale["summary"]["cases"]["passed"] == 0


def test_a_summary_is_recomputed_from_the_log_alone(corpus: Path, tmp_path: Path) -> None:
    """An independent script over what the log says was retrieved, shown and cited."""
    found = running.run(plan(corpus, tmp_path), None)
    asked = [each for each in found["cases"] if each["kind"] != "claim"]
    gold = [each for each in asked if each["papers"]]
    ranks = [[paper in each["papers"] for paper in each["retrieved"][:10]] for each in gold]
    cited = [[citation for claim in each["answer"]["claims"] for citation in claim["citations"]] for each in asked]
    exact = [
        [
            found["papers"][each["paper_id"]]["abstract"][each["start"] : each["end"]] == each["quote"]
            for each in all_of_it
        ]
        for all_of_it in cited
        if all_of_it
    ]
    ideal = [sum(1 / math.log2(n + 2) for n in range(len(each["papers"]))) for each in gold]
    gains = [sum(hit / math.log2(n + 2) for n, hit in enumerate(hits)) for hits in ranks]
    refused = [not each["answer"]["claims"] for each in asked]
    expected = {
        "recall_at_10": [sum(hits) / len(each["papers"]) for hits, each in zip(ranks, gold, strict=True)],
        "mrr": [1 / (hits.index(True) + 1) if True in hits else 0 for hits in ranks],
        "ndcg_at_10": [gain / best for gain, best in zip(gains, ideal, strict=True)],
        "quote_fidelity": [sum(each) / len(each) for each in exact],
        "abstention": [no is not each["answerable"] for no, each in zip(refused, asked, strict=True)],
        "false_refusal": [no for no, each in zip(refused, asked, strict=True) if each["answerable"]],
    }
    for name, values in expected.items():
        assert found["summary"]["metrics"][name]["mean"] == pytest.approx(sum(values) / len(values)), name
