# ruff: noqa: E501 - records stand as files hold them
"""RIS, Web of Science, PubMed nbib and Atom."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.readers import atom, nbib, ris, wos
from rag.readers.record import Flaw, Record, Unusable
from rag.types import Paper, Problem

Reading = Callable[..., tuple[list[Paper], list[Problem]]]

RIS = """\ufeffTY  - JOUR
AU  - Smith, John A.
AU  - van der Berg, Ann
TI  - A title: with a colon
AB  - First line
continues here
with more.
PY  - 2020/03/01/
T2  - Nature
DO  - 10.1000/ABC
UR  - https://example.org/z
ER  -

1.
TY  - CONF
A1  - Lee, Ann
T1  - EndNote's names
N2  - Its abstract.
Y1  - 2019
JF  - NeurIPS
ER  -
"""


def test_ris(reading: Reading) -> None:
    papers, problems = reading("a.ris", RIS.replace("\n", "\r\n"))
    assert not problems
    first, second = papers
    assert (first.id, first.title, first.year, first.venue) == (
        "doi:10.1000/abc",
        "A title: with a colon",
        2020,
        "Nature",
    )
    assert first.authors == ("John A. Smith", "Ann van der Berg")
    assert first.abstract == "First line continues here with more."
    assert (first.url, first.files) == ("https://example.org/z", ("a.ris:1",))
    assert (second.title, second.authors, second.abstract) == ("EndNote's names", ("Ann Lee",), "Its abstract.")
    assert (second.year, second.venue, second.files) == (2019, "NeurIPS", ("a.ris:15",))


def test_ris_is_told_by_content_and_cut_records_are_read(reading: Reading) -> None:
    papers, problems = reading("a", "TY  - JOUR\nTI  - A\nAB  - One.\nTY  - JOUR\nTI  - B\nAB  - Two.\n")
    assert [paper.abstract for paper in papers] == ["One.", "Two."]
    assert not problems


def test_ris_problems_have_lines(reading: Reading) -> None:
    text = "TY  - JOUR\nTI  - no abstract\nER  - \nstray text\nTY  - JOUR\nAB  - Fine.\nER  - \n"
    papers, problems = reading("a.ris", text)
    assert [paper.abstract for paper in papers] == ["Fine."]
    assert [problem.line for problem in problems] == [1, 4]


WOS = """\ufeffFN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Huang, CL
   Wang, YM
AF Huang, Chaolin
   Wang, Yeming
TI Some title that
   continues: with a colon
SO LANCET
AB A recent cluster
   of cases - and an AB in it.
CR Smith J, 1999, NATURE
   Lee A, 2001, CELL
PY 2020
DI 10.1016/S0140-6736(20)30183-5
UT WOS:000518164500020
ER

PT C
AU Lee, A
TI No abstract
UT WOS:1
ER

PT C
AU Lee, A
TI Early
AB One.
EY 2024
UT WOS:2
ER

EF
"""


@pytest.mark.parametrize("name", ["savedrecs.txt", "savedrecs.ciw", "a"])
def test_web_of_science_is_told_by_content(reading: Reading, name: str) -> None:
    papers, problems = reading(name, WOS.replace("\n", "\r\n"))
    first, second = papers
    assert first.id == "doi:10.1016/s0140-6736(20)30183-5"
    assert first.title == "Some title that continues: with a colon"
    assert first.abstract == "A recent cluster of cases - and an AB in it."
    assert first.authors == ("Chaolin Huang", "Yeming Wang")
    assert (first.year, first.venue, first.files) == (2020, "LANCET", (f"{name}:3",))
    assert (second.title, second.abstract, second.year) == ("Early", "One.", 2024)
    assert [(problem.file, problem.line) for problem in problems] == [(name, 20)]


def test_a_web_of_science_record_without_its_end_is_read(reading: Reading) -> None:
    papers, problems = reading("a.txt", "PT J\nTI A\nAB One.\nPT J\nTI B\nAB Two.\n")
    assert [paper.abstract for paper in papers] == ["One.", "Two."]
    assert not problems


def test_text_that_begins_like_web_of_science_is_text(reading: Reading) -> None:
    (paper,), _ = reading("a.txt", "PT J is a theorem prover that we study.\nIt is fast.\n")
    assert paper.abstract.startswith("PT J is")


NBIB = """PMID- 32105609
OWN - NLM
TI  - Some title that
      continues.
LID - S0140-6736(20)30183-5 [pii]
AID - S0140-6736(20)30183-5 [pii]
AID - 10.1016/S0140-6736(20)30183-5 [doi]
AB  - BACKGROUND: A recent cluster
      of cases.
FAU - Huang, Chaolin
AU  - Huang C
FAU - Wang, Yeming
AU  - Wang Y
DP  - 2020 Feb 15
TA  - Lancet
JT  - Lancet (London, England)

PMID- 124
TI  - No abstract
"""


def test_nbib(reading: Reading) -> None:
    papers, problems = reading("a.nbib", NBIB)
    (paper,) = papers
    assert paper.id == "doi:10.1016/s0140-6736(20)30183-5"
    assert (paper.title, paper.abstract) == ("Some title that continues.", "BACKGROUND: A recent cluster of cases.")
    assert paper.authors == ("Chaolin Huang", "Yeming Wang")
    assert (paper.year, paper.venue) == (2020, "Lancet (London, England)")
    assert paper.url == "https://pubmed.ncbi.nlm.nih.gov/32105609"
    assert [(problem.file, problem.line) for problem in problems] == [("a.nbib", 18)]


def test_nbib_without_a_doi_goes_by_its_pmid(reading: Reading) -> None:
    (paper,), _ = reading("a.txt", "PMID- 7\nOWN - NLM\nTI  - T\nAB  - One.\n")
    assert paper.id == "pmid:7"


ATOM = """<?xml version="1.0" encoding="{encoding}"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <link href="http://arxiv.org/api/query" rel="self"/><title>ArXiv Query</title><id>http://arxiv.org/api/x</id>
  <entry>
    <id>http://arxiv.org/abs/2304.09848v2</id><updated>2024-10-23T00:00:00Z</updated>
    <published>2023-04-19T17:56:12Z</published>
    <title>Evaluating Verifiability
  in Search</title>
    <summary>  Generative &lt;search&gt; engines é
directly generate.
</summary>
    <author><name>Nelson F. Liu</name><arxiv:affiliation>Stanford</arxiv:affiliation></author>
    <author><name>Tianyi Zhang</name></author>
    <arxiv:journal_ref>EMNLP 2023</arxiv:journal_ref>
    <link href="http://arxiv.org/abs/2304.09848v2" rel="alternate" type="text/html"/>
    <link title="pdf" href="http://arxiv.org/pdf/2304.09848v2" rel="related" type="application/pdf"/>
  </entry>
  <entry><id>http://arxiv.org/abs/1</id><title>None</title></entry>
</feed>"""


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16"])
def test_atom(reading: Reading, encoding: str) -> None:
    papers, problems = reading("q.xml", ATOM.format(encoding=encoding).encode(encoding))
    (paper,) = papers
    assert (paper.id, paper.year, paper.venue) == ("arxiv:2304.09848", 2023, "EMNLP 2023")
    assert paper.title == "Evaluating Verifiability in Search"
    assert paper.abstract == "  Generative <search> engines é\ndirectly generate.\n"
    assert paper.authors == ("Nelson F. Liu", "Tianyi Zhang")
    assert (paper.url, paper.files) == ("http://arxiv.org/abs/2304.09848v2", ("q.xml:record 1",))
    assert [problem.reason.split(":")[0] for problem in problems] == ["record 2"]


def test_a_feed_that_breaks_off_keeps_what_came_before(reading: Reading) -> None:
    text = ATOM.format(encoding="utf-8")
    papers, problems = reading("q.atom", text[: text.index("<entry><id>http://arxiv.org/abs/1<") + 10])
    assert len(papers) == 1
    assert "breaks off after 1 entries" in problems[0].reason


LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "text",
    [
        f'<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a0 "ha">{LAUGHS}]><feed><entry><summary>&a9;</summary></entry></feed>',
        '<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/hostname">]><feed><entry><summary>&x;</summary></entry></feed>',
        "<feed>" + "<a>" * 200_000,
        "<feed><entry><summary>" + "x" * 6_000_000,
        "<rss><channel/></rss>",
        "<feed",
    ],
)  # fmt: skip
def test_hostile_xml_is_one_problem(reading: Reading, text: str) -> None:
    papers, problems = reading("q.xml", text)
    assert not papers
    assert len(problems) == 1
    assert len(str(problems[0])) < 250


Reader = Callable[[io.BytesIO], Iterator[Record | Flaw]]


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from([ris.records, nbib.records, wos.records]),
    st.lists(
        st.one_of(
            st.sampled_from(["TY  - JOUR", "ER  - ", "AB  - Text", "TI  - T", "UR  - a;b", "PMID- 1", "PT J", "ER", "AB x", "TI", "   y", "AB  -", "      more", "", "AU  - A, B"]),
            st.text(max_size=20),
        ),
        max_size=15,
    ),
)  # fmt: skip
def test_wild_lines_end_in_records_or_flaws(reader: Reader, lines: list[str]) -> None:
    body = "\n".join(lines).encode("utf-8", "replace")
    assert all(isinstance(item, Record | Flaw) for item in reader(io.BytesIO(body)))


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="<>/&;!?[]\"'= \nfeedntrysuma", max_size=80))
def test_wild_xml_ends_in_records_or_is_unusable(text: str) -> None:
    body = f"<feed><entry><summary>Fine.</summary></entry>{text}</feed>".encode()
    found: list[Record | Flaw] = []
    try:
        found.extend(atom.records(io.BufferedReader(io.BytesIO(body))))  # type: ignore[arg-type]
    except Unusable as error:
        assert str(error)
    assert found or "<" in text or "&" in text
