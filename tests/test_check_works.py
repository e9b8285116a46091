"""Citations matched to papers of the shipped corpus, and judged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.assistant import Assistant
from rag.checking.works import Works
from rag.export.entries import keys
from rag.manuscript import Form, Key, decode, read
from rag.manuscript.references import bibliography
from rag.settings import Settings

DFLASH, MULOCO = "openreview:Oz335dV48X", "openreview:OBXBXSgwcD"


@pytest.fixture(scope="module")
def assistant(seeds_home: Path) -> Iterator[Assistant]:
    made = Assistant(Settings(home=seeds_home / "citewell"))
    with made.library:
        yield made


def works(assistant: Assistant, text: str = "", form: Form = "plain", bib: bytes = b"") -> Works:
    references = (*read(decode(text.encode(), "-", form)).layout.references, *bibliography(bib))
    return Works(assistant.library, assistant.retriever, references)


@pytest.mark.parametrize(
    ("key", "style", "papers"),
    [
        ("chen2026dflash", "key", {DFLASH}),
        ("Chen2026DFlash", "key", {DFLASH}),
        ("chen-etal-2026-dflash", "key", {DFLASH}),
        ("chen_block_2026", "key", set()),
        ("therien2026muloco", "key", {MULOCO}),
        ("Thérien2026", "key", {MULOCO}),
        ("Oz335dV48X", "key", {DFLASH}),
        ("chen2025dflash", "key", set()),
        ("smith2026dflash", "key", set()),
        ("Thérien et al., 2026", "name", {MULOCO}),
        ("Therien et al., 2026", "name", {MULOCO}),
        ("Thérien, Huang, Defazio, Rish and Belilovsky, 2026", "name", {MULOCO}),
        ("Thérien and Huang, 2026", "name", set()),
        ("Thérien et al., 2025", "name", set()),
        ("openreview:OBXBXSgwcD", "link", {MULOCO}),
        ("openreview:XXXXXXXXXX", "link", set()),
        ("3", "number", set()),
        ("dflash", "key", {DFLASH}),
        ("DFlash2026", "key", {DFLASH}),
        ("chen_dflash", "key", {DFLASH}),
        ("dflash2024", "key", set()),
        ("smith_dflash", "key", set()),
        ("flash", "key", set()),
    ],
)
def test_keys_names_and_identifiers(assistant: Assistant, key: str, style: str, papers: set[str]) -> None:
    assert set(works(assistant).papers(Key(key, style))) == papers  # type: ignore[arg-type]


def test_a_key_that_is_a_systems_name_says_how_it_was_matched(assistant: Assistant) -> None:
    text = "DFlash uses a lightweight block diffusion model for parallel drafting~\\cite{dflash, chen2026dflash}."
    (found,) = assistant.check(read(decode(text.encode(), "x.tex"))).sentences
    assert [(each.verdict, each.paper_id) for each in found.cited] == [("right", DFLASH)] * 2
    assert [each.how for each in found.cited] == ["the name of its system", ""]


def test_every_exported_key_is_matched_to_its_paper(assistant: Assistant) -> None:
    papers = list(assistant.library.papers())
    known = works(assistant)
    for paper, key in zip(papers, keys(papers), strict=True):
        if paper.authors:
            assert paper.id in known.papers(Key(key, "key")), key


def test_an_author_and_year_that_fit_two_papers_are_both(assistant: Assistant) -> None:
    found = works(assistant).papers(Key("Chen et al., 2026", "name"))
    assert DFLASH in found
    assert len(found) > 1


LISTED = """It is so [1] and so [2] and so [3] and so [4].

References
[1] Chen, J., Liang, Y., Liu, Z. DFlash: Block Diffusion for Flash Speculative
Decoding. In ICML, 2026.
[2] B. Thérien. Some other title. https://openreview.net/forum?id=OBXBXSgwcD
[3] Leviathan, Y. Fast inference from transformers via speculative decoding. ICML 2023.
[4] Thérien, B. A title of 2026 that is not in this corpus at all. ICML 2026.
"""


def test_numbers_mean_what_the_list_says(assistant: Assistant) -> None:
    known = works(assistant, LISTED)
    found = [known.papers(Key(str(number), "number")) for number in range(1, 6)]
    assert found == [(DFLASH,), (MULOCO,), (), (), ()]


def test_an_entry_of_a_bib_file_wins_over_what_its_key_looks_like(assistant: Assistant) -> None:
    bib = (
        b"@article{chen2026dflash, title={MuLoCo: Muon is a Practical Inner Optimizer for {DiLoCo}}, year={2026}}\n"
        b"@article{dflash, title={DFlash: Block Diffusion for Flash Speculative Decoding}, author={Chen, Jian}}\n"
        b"@article{thrien, title={Quite another paper that is elsewhere}, author={Th\\'erien, Benjamin}, year={2026}}\n"
    )
    known = works(assistant, bib=bib)
    assert known.papers(Key("chen2026dflash", "key")) == (MULOCO,)
    assert known.papers(Key("dflash", "key")) == (DFLASH,)
    assert known.papers(Key("thrien", "key")) == ()


QUOTED = (
    "Experiments show that DFlash achieves over 6$\\times$ lossless acceleration across a range of models and tasks, "
    "delivering up to 2.5$\\times$ higher speedup than the state-of-the-art speculative decoding method EAGLE-3"
)


@pytest.mark.parametrize(
    ("cited", "verdict", "paper"),
    [
        ("~\\citep{chen2026dflash}.", "right", DFLASH),
        (" (Chen et al., 2026).", "right", DFLASH),
        ("~\\citep{therien2026muloco}.", "wrong_paper", MULOCO),
        (" (Thérien et al., 2026).", "wrong_paper", MULOCO),
        ("~\\citep{leviathan2023fast}.", "unknown", None),
        (".~\\citep{therien2026muloco}", "wrong_paper", MULOCO),
    ],
)
def test_a_citation_is_judged(assistant: Assistant, cited: str, verdict: str, paper: str | None) -> None:
    found = assistant.check(read(decode(f"{QUOTED}{cited}".encode(), "x.tex"))).sentences
    assert [(each.verdict, each.risk) for each in found] == [("supported", 0.0)]
    assert [(each.verdict, each.paper_id) for each in found[0].cited] == [(verdict, paper)]
    assert found[0].flagged is (verdict == "wrong_paper")
    assert {citation.paper_id for citation in found[0].citations} == {DFLASH}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Can graph neural networks learn algorithms exactly?", "a question"),
        ("We believe that diffusion language models are the most exciting direction.", "an opinion"),
        ("In our view, uncertainty deserves far more attention from practitioners.", "an opinion"),
        ("In the next section, we review speculative decoding.", "about the text itself"),
        ("We will release our code for speculative decoding later.", "about the text itself"),
        ("The following papers are relevant:", "a transition"),
        ("Our kitchen robot bakes bread in the oven.", "about the writers' own work"),
        ("In contrast, we train our own draft model on code repositories.", "about the writers' own work"),
        ("So it is.", "too little is said"),
        ("扩散模型可以并行生成文本。", "the checker reads English only"),
    ],
)
def test_what_no_abstract_can_support_is_not_checked(assistant: Assistant, text: str, reason: str) -> None:
    found = assistant.check(text).sentences
    assert [(each.verdict, each.reason) for each in found] == [("not_checkable", reason)]
    assert not found[0].flagged


@pytest.mark.parametrize(
    "text",
    [
        "Quantitative easing lowered long-term government bond yields after 2008.",
        "ORB-SLAM2 runs in real time on cameras.",
    ],
)
def test_what_is_of_another_field_is_not_found(assistant: Assistant, text: str) -> None:
    assert [each.verdict for each in assistant.check(text).sentences] == ["not_found"]


def test_every_citation_is_a_slice_and_every_sentence_too(assistant: Assistant) -> None:
    text = f"{QUOTED}.\n\nDFlash is up to 4.5 times faster than EAGLE-3. Statins lower the risk of a second infarction."
    found = assistant.check(text)
    assert [each.text for each in found.sentences] == [text[each.start : each.end] for each in found.sentences]
    assert found.sentences[2].verdict == "not_found"
    papers = assistant.library.get([source.paper.id for source in found.sources])
    for each in found.sentences:
        for citation in each.citations:
            assert citation.quote == papers[citation.paper_id].abstract[citation.start : citation.end]
    assert [source.number for source in found.sources] == list(range(1, len(found.sources) + 1))
