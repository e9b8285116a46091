# ruff: noqa: E501 - records stand as files hold them
from __future__ import annotations

import pytest

from rag.readers.authors import author_names
from rag.readers.identity import best_id, global_id, id_by_form, id_in_url
from rag.text.normalise import content_key


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("doi", "10.1145/3442188.3445922", "doi:10.1145/3442188.3445922"),
        ("doi", "https://doi.org/10.1145/ABC.1", "doi:10.1145/abc.1"),
        ("doi", "doi: 10.1145/ABC.1.", "doi:10.1145/abc.1"),
        ("doi", "(10.1016/S0140-6736(20)30183-5)", "doi:10.1016/s0140-6736(20)30183-5"),
        ("doi", "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2", "doi:10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2"),
        ("doi", "10.48550/arXiv.2304.09848", "arxiv:2304.09848"),
        ("doi", "https%3A%2F%2Fdoi.org%2F10.1%2Fx", "doi:10.1/x"),
        ("doi", "none", None),
        ("arxiv", "2304.09848v3", "arxiv:2304.09848"),
        ("arxiv", "arXiv:2304.09848 [cs.CL]", "arxiv:2304.09848"),
        ("arxiv", "hep-th/9901001", "arxiv:hep-th/9901001"),
        ("arxiv", "math.GT/0309136v1", "arxiv:math.gt/0309136"),
        ("arxiv", "2399.12345", None),
        ("arxiv", "61926", None),
        ("openreview", "Oz335dV48X", "openreview:Oz335dV48X"),
        ("openreview", "61926", None),
        ("pmid", "PMID: 123", "pmid:123"),
        ("pmid", "12a", None),
        ("s2", "649def34f8be52c8b66281af98ae884c09aef38b", "s2:649def34f8be52c8b66281af98ae884c09aef38b"),
        ("openalex", "w2741809807", "openalex:W2741809807"),
    ],
)  # fmt: skip
def test_one_spelling_of_an_identifier(kind: str, value: str, expected: str | None) -> None:
    assert global_id(kind, value) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://openreview.net/forum?id=Oz335dV48X", "openreview:Oz335dV48X"),
        ("https://openreview.net/pdf?referrer=x&id=Oz335dV48X", "openreview:Oz335dV48X"),
        ("http://arxiv.org/abs/2304.09848v2", "arxiv:2304.09848"),
        ("https://arxiv.org/pdf/2304.09848.pdf", "arxiv:2304.09848"),
        ("http://dx.doi.org/10.1000/X?utm=1", "doi:10.1000/x"),
        ("https://pubmed.ncbi.nlm.nih.gov/123/", "pmid:123"),
        ("https://aclanthology.org/2021.acl-long.24/", "acl:2021.acl-long.24"),
        ("https://www.semanticscholar.org/paper/A-Title/649def34f8be52c8b66281af98ae884c09aef38b", "s2:649def34f8be52c8b66281af98ae884c09aef38b"),
        ("https://openalex.org/W123456", "openalex:W123456"),
        ("https://example.org/forum?id=Oz335dV48X", None),
        ("https://openreview.net/group?id=ICML.cc", None),
    ],
)  # fmt: skip
def test_identifiers_in_links(url: str, expected: str | None) -> None:
    assert id_in_url(url) == expected
    assert id_by_form(url) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("arXiv:2304.09848", "arxiv:2304.09848"),
        ("PMID: 12", "pmid:12"),
        ("10.1000/x", "doi:10.1000/x"),
        ("CorpusId:123", "s2:123"),
        ("61926", None),
        ("2304.09848", None),
        ("acl2021-2021.acl-long.24", None),
        ("note: something", None),
        ("", None),
    ],
)
def test_bare_ids_are_kept_out(value: str, expected: str | None) -> None:
    assert id_by_form(value) == expected


def test_precedence_and_the_hash() -> None:
    ids = ["s2:1", "openreview:abcdefgh", "doi:10.1/b", "doi:10.1/a", "arxiv:2304.09848"]
    assert best_id(ids, "x") == best_id(reversed(ids), "x") == "doi:10.1/a"
    assert best_id(["openreview:abcdefgh", "pmid:1"], "x") == "openreview:abcdefgh"
    assert best_id(["unknown:1"], " We\n show ") == "text:" + content_key("we show")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["Ann Lee", "Chen, Bo", "Ann Lee", ""], ("Ann Lee", "Bo Chen")),
        ("Ann Lee, Bo Chen, Cy Dee", ("Ann Lee", "Bo Chen", "Cy Dee")),
        ("Ann Lee, Bo Chen", ("Ann Lee", "Bo Chen")),
        ("Ann Lee and Bo Chen", ("Ann Lee", "Bo Chen")),
        ("Ann Lee, Bo Chen, and Cy Dee", ("Ann Lee", "Bo Chen", "Cy Dee")),
        ("Ann Lee, Bo Chen & Cy Dee", ("Ann Lee", "Bo Chen", "Cy Dee")),
        ("Lee, Ann and Chen, Bo", ("Ann Lee", "Bo Chen")),
        ("Lee, Ann and Chen, Bo and Dee, Cy", ("Ann Lee", "Bo Chen", "Cy Dee")),
        ("Lee, Ann; Chen, Bo", ("Ann Lee", "Bo Chen")),
        ("Lee, A., Chen, B.-C., Dee, C. D.", ("A. Lee", "B.-C. Chen", "C. D. Dee")),
        ("Lee, Ann", ("Ann Lee",)),
        ("van der Berg, J.", ("J. van der Berg",)),
        ("Plato", ("Plato",)),
        ("King, Jr., Martin", ("Martin King, Jr.",)),
        ("Martin King, Jr., Ann Lee", ("Martin King, Jr.", "Ann Lee")),
        ("Ann Lee et al.", ("Ann Lee",)),
        ([["Bal", "C.", ""], ["Berger", "E. L.", "Jr"]], ("C. Bal", "E. L. Berger Jr")),
        ([{"given": "Ann", "family": "Lee"}, {"name": "Bo Chen"}, {"literal": "Team"}], ("Ann Lee", "Bo Chen", "Team")),
        ([{"author": {"display_name": "Ann Lee"}}, {"firstName": "Bo", "lastName": "Chen"}], ("Ann Lee", "Bo Chen")),
        ({"name": "Ann Lee"}, ("Ann Lee",)),
        ("['Ann Lee' 'Bo Chen']", ("Ann Lee", "Bo Chen")),
        ("李明；王芳", ("李明", "王芳")),
        ("李明、王芳", ("李明", "王芳")),
        ("Anderson Sandy, Andy Band", ("Anderson Sandy", "Andy Band")),
        (None, ()),
        (7, ()),
        ([7, None, {}, []], ()),
    ],
)
def test_authors(value: object, expected: tuple[str, ...]) -> None:
    assert author_names(value) == expected
