"""The ways in which the engine is broken on purpose, for `evals.sabotage` to try the gate on.

Each is a few lines put at the end of one module of a copy, against a function that other rooms rely on.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sabotage:
    """`code` goes to the end of `module`; the gate must fail on one of `metrics`."""

    name: str
    what: str
    module: str
    code: str
    metrics: tuple[str, ...]


SABOTAGES = (
    Sabotage(
        "offset by one",
        "every citation begins and ends a character late",
        "rag/verify/support.py",
        """
def _late(self: Span) -> Citation:
    return Citation(self.paper.id, self.start + 1, self.end + 1, self.paper.abstract[self.start + 1 : self.end + 1])
Span.citation = _late
""",
        ("quote_fidelity",),
    ),
    Sabotage(
        "citations shuffled",
        "every claim cites the sentence after its own",
        "rag/verify/support.py",
        """
def _next(self: Span) -> Citation:
    spans = split(self.paper.abstract)
    after = [span for span in spans if span[0] >= self.end] or [spans[0]]
    return Citation(self.paper.id, *after[0], self.paper.abstract[after[0][0] : after[0][1]])
Span.citation = _next
""",
        ("citation_recall",),
    ),
    Sabotage(
        "abstention off",
        "the best sentence is shown however unlikely it is to answer",
        "rag/extract/model.py",
        """
import dataclasses as _d
_honest = shipped
def shipped():
    return _d.replace(_honest(), threshold=-1.0)
""",
        ("unsupported_answer",),
    ),
    Sabotage(
        "verification off",
        "every check says supported",
        "rag/verify/checking.py",
        """
def check(text, citations, **_):
    return Check("supported", 1.0, (), 0.0, True, 1.0)
""",
        ("claims_leaked", "edits_missed"),
    ),
    Sabotage(
        "negation dropped",
        "no, not, never and without are read over",
        "rag/verify/checking.py",
        r"""
import re as _re
_exact = check
def _positive(text):
    text = _re.sub(r"\b(do|does|did)(?: not|n't) (\w+)", r"\2", text)
    return " ".join(_re.sub(r"\b(not|no|never|without|cannot|nor|neither)\b|n't\b", " ", text).split())
def check(text, citations, *, context=(), **rest):
    return _exact(_positive(text), [_positive(c) for c in citations], context=[_positive(c) for c in context], **rest)
""",
        ("claims_leaked", "edits_missed"),
    ),
    Sabotage(
        "numbers ignored",
        "every number counts as the same",
        "rag/verify/checking.py",
        r"""
import re as _re
_counting = check
def _one(text):
    return _re.sub(r"\d+(?:[.,]\d+)*", "7", text)
def check(text, citations, *, context=(), **rest):
    return _counting(_one(text), [_one(c) for c in citations], context=[_one(c) for c in context], **rest)
""",
        ("claims_leaked", "edits_missed"),
    ),
    Sabotage(
        "BM25 off",
        "words count for nothing in the ranking, by BM25 or otherwise: papers are ranked by their vectors alone",
        "rag/retrieve/retriever.py",
        """
def features(query, lexicon, candidates, cosines):
    made = np.zeros((len(candidates), len(NAMES)), dtype=np.float32)
    made[:, NAMES.index("best_chunk") : NAMES.index("mean_chunk") + 1] = cosines
    return made
def feedback(*_):
    return 0.0
""",
        ("recall_at_10", "mrr", "ndcg_at_10", "first_paper", "fact_recall", "accuracy"),
    ),
    Sabotage(
        "last record skipped",
        "readers lose the last paper of what they read",
        "rag/readers/__init__.py",
        """
_whole = read
def read(paths, *, stdin=None):
    held = None
    for item in _whole(paths, stdin=stdin):
        if held is not None:
            yield held
        held = item
""",
        ("recall_at_10",),
    ),
    Sabotage(
        "abstracts cut",
        "readers keep the first 600 characters of an abstract",
        "rag/readers/__init__.py",
        """
import dataclasses as _d
_whole = read
def read(paths, *, stdin=None):
    for item in _whole(paths, stdin=stdin):
        yield _d.replace(item, abstract=item.abstract[:600]) if isinstance(item, Paper) else item
""",
        ("sentence_recall", "fact_recall"),
    ),
    Sabotage(
        "ranking turned around",
        "retrieval gives its hits worst first",
        "rag/retrieve/retriever.py",
        """
import dataclasses as _d
_ranked = Retriever.search
def _reversed(self, *a, **k):
    found = _ranked(self, *a, **k)
    hits = tuple(_d.replace(hit, rank=n) for n, hit in enumerate(reversed(found.hits), 1))
    return _d.replace(found, hits=hits)
Retriever.search = _reversed
""",
        ("mrr", "ndcg_at_10", "first_paper"),
    ),
    Sabotage(
        "one paper only",
        "retrieval gives a single hit",
        "rag/retrieve/retriever.py",
        """
import dataclasses as _d
_several = Retriever.search
def _single(self, *a, **k):
    found = _several(self, *a, **k)
    return _d.replace(found, hits=found.hits[:1], belonging=min(1, found.belonging))
Retriever.search = _single
""",
        ("recall_at_10", "paper_recall", "coverage"),
    ),
    Sabotage(
        "history forgotten",
        "a follow-up is answered as if nothing had been said before",
        "rag/chat.py",
        """
Conversation._attend = lambda self, *_: None
""",
        ("fact_recall", "first_paper", "false_refusal"),
    ),
    Sabotage(
        "wrong paper cited",
        "the right words under another paper's name",
        "rag/verify/support.py",
        """
_own = Span.citation
def _borrowed(self: Span) -> Citation:
    cited = _own(self)
    return Citation("openreview:Oz335dV48X", cited.start, cited.end, cited.quote)
Span.citation = _borrowed
""",
        ("quote_fidelity", "first_paper", "citation_recall"),
    ),
    Sabotage(
        "names ignored",
        "every capitalised name counts as the same",
        "rag/verify/checking.py",
        r"""
import re as _re
_naming = check
def _anon(text):
    return _re.sub(r"\b[A-Za-z]*[A-Z][A-Za-z]*[A-Z\d][\w-]*\b", "Thing", text)
def check(text, citations, *, context=(), **rest):
    return _naming(_anon(text), [_anon(c) for c in citations], context=[_anon(c) for c in context], **rest)
""",
        ("claims_leaked", "edits_missed"),
    ),
)
