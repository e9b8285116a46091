"""Spam that is made to be found: left out of lists and summaries; real abstracts are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import SEEDS

from evals import spam
from rag.assistant import Assistant
from rag.settings import Settings
from rag.text.stuffing import is_stuffed
from rag.types import Paper


@pytest.fixture(scope="module")
def seeds(seeds_home: Path) -> tuple[Paper, ...]:
    return tuple(Assistant(Settings(home=seeds_home / "citewell", log=False)).papers())


def test_the_shipped_abstracts_are_not_stuffed(seeds: tuple[Paper, ...]) -> None:
    assert [paper.title for paper in seeds if is_stuffed(paper.abstract)] == []


@pytest.mark.parametrize("kind", spam.KINDS)
def test_keywords_in_every_form_are_seen(seeds: tuple[Paper, ...], kind: str) -> None:
    assert is_stuffed(spam.KINDS[kind](spam.keywords(seeds)))


def test_spam_gets_into_lists_and_summaries_without_the_guard_and_not_with_it(tmp_path: Path) -> None:
    topics, *bare = spam.shares("one long list", tmp_path, guarded=False, count=4)
    assert min(bare) > 0, "spam that is not found shows nothing"
    assert spam.shares("one long list", tmp_path, guarded=True, count=4) == (topics, 0, 0)


def test_search_leaves_spam_out_unless_it_is_named(tmp_path: Path, seeds: tuple[Paper, ...]) -> None:
    (tmp_path / "spam.txt").write_text(f"{spam.TITLE}\n{spam.KINDS['one long list'](spam.keywords(seeds))}\n", "utf-8")
    assistant = Assistant(Settings(home=tmp_path, corpus="spammed", log=False))
    assistant.sync([str(SEEDS), str(tmp_path / "spam.txt")])
    for topic in (paper.title for paper in seeds[:5]):
        found = [paper.title for _, paper in assistant.search(topic)]
        assert found and spam.TITLE not in found
        assert [hit.rank for hit, _ in assistant.search(topic)] == list(range(1, len(found) + 1))
    assert assistant.search(spam.TITLE)[0][1].title == spam.TITLE


def test_real_abstracts_one_after_the_other_do_not_look_like_spam(seeds: tuple[Paper, ...]) -> None:
    for first in range(0, len(seeds), 4):
        assert not is_stuffed(" ".join(paper.abstract for paper in seeds[first : first + 4]))
