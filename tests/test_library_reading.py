"""`Library`: papers, references, words, vectors, names and filters of a real corpus on disk."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_cases import WordEmbedder, many, paper

from rag.library import Library, meaning
from rag.library.sync import sync
from rag.text.normalise import plain
from rag.text.sentences import split
from rag.text.tokens import terms
from rag.types import Filters

EMBEDDER = WordEmbedder(64)
SPECIAL = (
    paper(
        500,
        id="doi:10.1000/x.(1)",
        doi="10.1000/x.(1)",
        url="https://example.org/a?b=c",
        title="EAGLE-3: Faster C++ with β-VAE and C$^2$R",
        abstract="We propose EAGLE-3. It is 1.78$\\times$ faster than C++ and β-VAE on CIFAR-10/100. 论文很好。",
        authors=("José Álvarez", "Smith, Jane A."),
        venue="Proceedings of the 40th ICLR",
        year=None,
    ),
    paper(501, id="text:0123456789abcdef", title="", abstract="", authors=(), venue=None, url=None),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("reading")
    sync(home, "c", [*many(400), *SPECIAL], EMBEDDER)
    return home


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    with Library.open(home, "c", embedder_identity=EMBEDDER.identity) as opened:
        yield opened


@pytest.fixture
def through_chroma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "EXACT_UP_TO", 0)
    monkeypatch.setattr(meaning, "_FEW", 0)


def ids(found: object) -> list[str]:
    return [id_ for id_, _ in found]  # type: ignore[attr-defined]


def test_get_keeps_the_order_asked_for(library: Library) -> None:
    wanted = [paper(7).id, "no such", SPECIAL[0].id, paper(3).id, paper(7).id]
    assert list(library.get(wanted)) == [paper(7).id, SPECIAL[0].id, paper(3).id]
    assert library.get(wanted)[SPECIAL[0].id] == SPECIAL[0]
    assert library.get([]) == {}
    everything = [each.id for each in library.papers()]
    assert len(library.get(everything)) == 402


def test_sentences_are_slices_in_order(library: Library) -> None:
    found = library.sentences([paper(7).id, SPECIAL[1].id, "no such"])
    spans = [(each.start, each.end) for each in found[paper(7).id]]
    assert spans == list(split(paper(7).abstract))
    assert [each.index for each in found[paper(7).id]] == list(range(len(spans)))
    assert found[SPECIAL[1].id] == ()
    assert "no such" not in found


@pytest.mark.parametrize(
    "reference",
    [
        "openreview:paper00042",
        "paper00042",
        " paper00042 ",
        "https://openreview.net/forum?id=paper00042",
        "https://openreview.net/pdf?id=paper00042",
        "TOPIC42  and Protein"[:20],
    ],
)
def test_references_that_mean_one_paper(library: Library, reference: str) -> None:
    expected = paper(42)
    reference = expected.title.upper() if reference.startswith("TOPIC") else reference
    assert library.resolve(reference) == (expected,)


@pytest.mark.parametrize(
    "reference",
    [
        "10.1000/X.(1)",
        "doi:10.1000/x.(1)",
        "https://doi.org/10.1000/x.(1)",
        "https://example.org/a?b=c",
        "10.1000/x",
    ],
)
def test_dois_and_links(library: Library, reference: str) -> None:
    assert library.resolve(reference) == (SPECIAL[0],)


@pytest.mark.parametrize(
    "reference", ["", " ", "pap", "paper0", "openreview:", "%", "x' OR 1=1 --", "\x00", "\ud800", "'"]
)
def test_references_that_mean_none(library: Library, reference: str) -> None:
    assert library.resolve(reference) == ()


def test_words_rank_and_count(library: Library) -> None:
    assert ids(library.search_words(["number42"], 5)) == [paper(42).id]
    found = library.search_words([*terms("code43"), "studi"], 3)
    assert len(found) == 3
    assert found[0][0] == paper(43).id
    assert found[0][1] > found[1][1] >= found[2][1]
    assert library.document_frequency(["number42", "zebra", "studi"]) == {
        "number42": 1,
        "zebra": 0,
        "studi": 400,
    }
    assert library.search_words(["zebra"], 5) == library.search_words([], 5) == library.search_words(["studi"], 0) == []


@pytest.mark.parametrize("written", ["EAGLE-3", "C++", "β-VAE", "C$^2$R", "1.78×", "CIFAR-100", "论文", "álvarez"])
def test_names_numbers_and_symbols_are_found(library: Library, written: str) -> None:
    wanted = terms(written)
    if written == "álvarez":
        assert ids(library.search_words(wanted, 5)) == []  # authors are filters, not words
        return
    assert ids(library.search_words(wanted, 5))[0] == SPECIAL[0].id
    assert library.document_frequency(wanted)[wanted[0]] == 1


@given(st.lists(st.text(min_size=1, max_size=12), max_size=30))
@settings(max_examples=150, deadline=None)
def test_whatever_is_searched_is_text(home: Path, wanted: list[str]) -> None:
    with Library.open(home, "c") as library:
        library.search_words(wanted, 5)
        library.document_frequency(wanted)
        for text in wanted[:3]:
            library.resolve(text)
            library.papers_named(text)
            library.search_words(["studi"], 5, Filters(venues=(text,), authors=(text,), paper_ids=(text,)))


def test_very_long_queries(library: Library) -> None:
    assert ids(library.search_words([f"word{n}" for n in range(5000)] + ["number42"], 5)) == [paper(42).id]


FILTERS = [
    (Filters(year_from=2005, year_to=2006), lambda p: p.year in (2005, 2006)),
    (Filters(venues=("icml",)), lambda p: p.venue == "ICML 2026"),
    (Filters(venues=("ICLR", "neurips")), lambda p: p.venue not in ("ICML 2026", None)),
    (Filters(venues=("ICM",)), lambda _: False),
    (Filters(authors=("author3",)), lambda p: "Ada Author3" in p.authors),
    (Filters(authors=("ada bo",)), lambda _: False),
    (Filters(authors=("JOSE alvarez",)), lambda p: p is SPECIAL[0]),
    (Filters(authors=("author3 bo",)), lambda _: False),
    (Filters(paper_ids=(paper(1).id, paper(2).id, "none")), lambda p: p.id in (paper(1).id, paper(2).id)),
    (Filters(without=(paper(1).id, "none")), lambda p: p.id != paper(1).id),
    (
        Filters(year_from=2010, authors=("author3",)),
        lambda p: (p.year or 0) >= 2010 and "Ada Author3" in p.authors,
    ),
    (Filters(authors=("!!",)), lambda _: False),
]


@pytest.mark.parametrize(("filters", "inside"), FILTERS)
@pytest.mark.parametrize("chroma", [False, True])
def test_filters(home: Path, filters: Filters, inside: object, chroma: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if chroma:
        monkeypatch.setattr(meaning, "EXACT_UP_TO", 0)
        monkeypatch.setattr(meaning, "_FEW", 0)
    expected = {each.id for each in (*many(400), *SPECIAL) if inside(each)}  # type: ignore[operator]
    with Library.open(home, "c") as library:
        assert {each.id for each in library.papers(filters)} == expected
        words = ids(library.search_words(["studi", "we", "eagle-3"], 500, filters))
        assert set(words) == expected - {SPECIAL[1].id}
        vector = EMBEDDER.embed(["a paper about robots"])[0]
        assert set(ids(library.search_vectors(vector, 500, filters))) == expected - {SPECIAL[1].id}
        assert len(library.search_vectors(vector, 3, filters)) == min(3, len(expected - {SPECIAL[1].id}))


def test_vectors_through_chroma_find_what_a_product_finds(library: Library, through_chroma: None) -> None:
    papers = [*many(400), SPECIAL[0]]  # each is one chunk: title and abstract
    matrix = EMBEDDER.embed([plain(f"{each.title}. {each.abstract}") for each in papers])
    rng, found = np.random.default_rng(0), []
    for _ in range(60):
        vector = rng.standard_normal(64).astype(np.float32)
        cosines = dict(zip((each.id for each in papers), matrix @ vector / np.linalg.norm(vector), strict=True))
        exact = library.search_vectors(vector, 10, exact=True)
        assert np.allclose([score for _, score in exact], [cosines[id_] for id_, _ in exact], atol=2e-3)
        assert np.allclose([score for _, score in exact], sorted(cosines.values())[:-11:-1], atol=2e-3)
        near = library.search_vectors(3.7 * vector, 10)
        assert [score for _, score in near] == sorted((score for _, score in near), reverse=True)
        found.append(len(set(ids(near)) & set(ids(exact))) / 10)
    assert np.mean(found) >= 0.98


@pytest.mark.parametrize("exact", [False, True])
def test_degenerate_vector_queries(library: Library, through_chroma: None, exact: bool) -> None:
    vector = EMBEDDER.embed(["robot"])[0]
    assert library.search_vectors(np.zeros(64, np.float32), 5, exact=exact) == []
    assert library.search_vectors(vector, 0, exact=exact) == []
    assert len(library.search_vectors(vector, 10_000, exact=exact)) == 401
    assert library.search_vectors(vector.astype(np.float64), 3, exact=exact)


def test_vectors_of_a_paper(library: Library) -> None:
    (vector,) = library.vectors_of(paper(9).id)
    assert library.search_vectors(vector, 1)[0][0] == paper(9).id
    assert len(library.vectors_of("none")) == 0


def test_names(library: Library) -> None:
    assert library.papers_named("EAGLE-3") == library.papers_named("eagle-3") == (SPECIAL[0].id,)
    assert library.papers_named("robot") == library.papers_named("") == ()


def test_refresh_sees_another_process_sync(tmp_path: Path, through_chroma: None) -> None:
    sync(tmp_path, "c", many(30), EMBEDDER)
    with Library.open(tmp_path, "c") as library:
        vector = library.vectors_of(paper(3).id)[0]
        assert library.search_vectors(vector, 1)[0][0] == paper(3).id
        code = (
            "import sys; sys.path[:0] = sys.argv[1:3]\n"
            "from pathlib import Path\nfrom library_cases import *\nfrom rag.library.sync import sync\n"
            "sync(Path(sys.argv[3]), 'c', many(30, first=20), WordEmbedder(64))"
        )
        here = Path(__file__).parent
        subprocess.run([sys.executable, "-c", code, str(here.parent), str(here), str(tmp_path)], check=True)
        # Until it asks for the new state, a reader keeps the old one, whole, though its vector folder is gone.
        assert library.info.papers == 30
        assert library.generation == 1
        assert paper(3).id in library.get([paper(3).id])
        assert library.search_vectors(vector, 1)[0][0] == paper(3).id
        library.refresh()
        assert library.generation == 2
        assert library.get([paper(3).id]) == {}
        assert library.search_vectors(library.vectors_of(paper(45).id)[0], 1)[0][0] == paper(45).id


def test_a_reader_that_opens_chroma_only_after_its_state_was_replaced(tmp_path: Path, through_chroma: None) -> None:
    sync(tmp_path, "c", many(30), EMBEDDER)
    with Library.open(tmp_path, "c") as library:
        vector = library.vectors_of(paper(3).id)[0]
        sync(tmp_path, "c", many(30, first=10), EMBEDDER)
        assert library.search_vectors(vector, 1)[0][0] == paper(3).id


def test_refresh_after_a_rebuild_with_another_embedder(tmp_path: Path) -> None:
    sync(tmp_path, "c", many(5), EMBEDDER)
    with Library.open(tmp_path, "c") as library:
        sync(tmp_path, "c", many(6), WordEmbedder(8), rebuild=True)
        library.refresh()
        assert library.info.papers == 6
        assert library.vectors_of(paper(5).id).shape == (1, 8)


def test_words_import_no_chroma(home: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from rag.library import Library; import rag.library.sync\n"
        "with Library.open(Path(sys.argv[1]), 'c') as library: library.search_words(['studi'], 3)\n"
        "assert not {'chromadb', 'wordllama', 'llama_index', 'openai'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(home)], check=True, cwd=Path(__file__).parents[1])
