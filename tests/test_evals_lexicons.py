"""The tables of related words: WordNet's files read as Princeton writes them, pairs counted in running text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals import fit_acronyms, fit_contrasts, fit_wordnet
from rag.verify import gaps, wordnet

NOUNS = """\
  1 This software and database is being provided to you, the LICENSEE, by
00000001 06 n 02 drug 0 medicine 0 002 @ 00000002 n 0000 ~ 00000003 n 0000 | a thing that heals
00000002 06 n 01 agent 0 000 | what acts
00000003 06 n 01 aspirin 0 001 @ 00000001 n 0000 | a drug
"""
ADJECTIVES = """\
00000011 00 a 01 fast 0 001 ! 00000012 a 0101 | quick
00000012 00 a 01 slow(p) 0 001 ! 00000011 a 0101 | not fast
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.noun").write_text(NOUNS)
    (tmp_path / "data.adj").write_text(ADJECTIVES)
    index = "drug n 1 2 @ ~ 1 0 00000001\nmedicine n 1 1 @ 1 0 00000001\nagent n 1 0 1 0 00000002\n"
    (tmp_path / "index.noun").write_text(index + "aspirin n 1 1 @ 1 0 00000003\n")
    (tmp_path / "index.adj").write_text("fast a 1 1 ! 1 0 00000011\nslow a 1 1 ! 1 0 00000012\n")
    for part in ("verb", "adv"):
        (tmp_path / f"data.{part}").write_text("")
        (tmp_path / f"index.{part}").write_text("")
    return tmp_path


def test_relations_of_common_words_by_stem(folder: Path) -> None:
    found = fit_wordnet.Relations(folder, frozenset("drug medicine aspirin agent fast slow".split()))
    assert found.synonyms() == ["drug medicin"]
    assert found.opposites() == ["fast slow"]
    assert set(found.hypernyms()) == {"aspirin drug", "aspirin medicin", "drug agent", "medicin agent"}


def test_words_that_nobody_uses_are_left_out(folder: Path) -> None:
    found = fit_wordnet.Relations(folder, frozenset("aspirin drug fast".split()))
    assert (found.synonyms(), found.opposites(), found.hypernyms()) == ([], [], ["aspirin drug"])


def test_the_shipped_table_keeps_its_notice_and_is_small() -> None:
    written = json.loads(fit_wordnet.OUT.read_text(encoding="utf-8"))
    assert written["notice"] == fit_wordnet.NOTICE
    assert fit_wordnet.OUT.stat().st_size < 400_000
    assert all(len(line.split()) > 1 for line in (*written["synonyms"], *written["hypernyms"]))
    assert wordnet.load().genera


def test_only_what_stands_together_often_and_is_not_one_thing_is_a_contrast() -> None:
    together = fit_contrasts.Counter({("mice", "rat"): 9, ("model", "train"): 1, ("method", "approach"): 9})
    alone = fit_contrasts.Counter({"mice": 9, "rat": 9, "model": 40, "train": 40, "method": 9, "approach": 9})
    together["filler", "other"] = 200
    alone.update({"filler": 200, "other": 200})
    assert "mice rat" in fit_contrasts.kept(together, alone)
    assert "model train" not in fit_contrasts.kept(together, alone)
    assert "method approach" not in fit_contrasts.kept(together, alone)


def test_the_shipped_contrasts_are_read_both_ways() -> None:
    first, second = json.loads(fit_contrasts.OUT.read_text(encoding="utf-8"))["contrasts"][0].split()
    assert gaps._rival_stems(first, second) > 0
    assert gaps._rival_stems(second, first) > 0


def test_an_acronym_is_kept_where_several_abstracts_agree() -> None:
    texts = [
        "A graph convolutional network (GCN) is used.",
        "Graph convolutional networks (GCNs) scale.",
        "We use XAB (XAB).",
    ]
    found = fit_acronyms.kept(fit_acronyms.counted(iter(texts)))
    assert found == {"gcn": ["graph convolutional network"]}
