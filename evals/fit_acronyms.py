"""Finds what acronyms stand for across a field: `python -m evals.fit_acronyms` writes rag/weights/acronyms.json.

An abstract that defines no acronym still means by `GCN` and `NSCLC` what others of its field define them as. Read from
every `Long Form (LF)` of the ML abstracts and SciFact's, without a label; kept where several abstracts agree.
Needs the shared papers (CITEWELL_DATA, or ../shared/data beside the checkout).
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from evals.material.places import shared
from rag.text.definitions import definitions
from rag.text.normalise import plain
from rag.verify.acronyms import bare, spaced
from rag.weights import FOLDER

OUT = FOLDER / "acronyms.json"
LEAST_TIMES, LEAST_SHARE, MOST = 2, 0.15, 3


def counted(texts: Iterator[str]) -> dict[str, Counter[str]]:
    """Acronym -> how many abstracts define it by each long form."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        readable = plain(text)
        for made in {(readable[slice(*d.short)], readable[slice(*d.long)]) for d in definitions(readable)}:
            found[bare(made[0])][spaced(made[1])] += 1
    return {acronym: singular(forms) for acronym, forms in found.items()}


def singular(forms: Counter[str]) -> Counter[str]:
    """A plural is counted with its singular, where that is seen too."""
    merged: Counter[str] = Counter()
    for form, n in forms.items():
        merged[form[:-1] if form.endswith("s") and form[:-1] in forms else form] += n
    return merged


def kept(found: dict[str, Counter[str]]) -> dict[str, list[str]]:
    """The long forms that several abstracts give, up to three an acronym, the commonest first."""
    table = {}
    for acronym, forms in sorted(found.items()):
        total = sum(forms.values())
        common = [form for form, n in forms.most_common(MOST) if n >= LEAST_TIMES and n >= LEAST_SHARE * total]
        if common and len(acronym) > 1:
            table[acronym] = common
    return table


def _abstracts(folder: Path) -> Iterator[str]:
    with gzip.open(folder / "ml_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["abstract"] for line in lines)
    with (folder / "scifact" / "corpus.jsonl").open(encoding="utf-8") as lines:
        yield from (" ".join(json.loads(line)["abstract"]) for line in lines)


def main() -> int:
    folder = shared()
    if folder is None:
        print("fit_acronyms: no shared papers; set CITEWELL_DATA", file=sys.stderr)
        return 11
    found = kept(counted(_abstracts(folder)))
    table = {"source": "python -m evals.fit_acronyms on ML abstracts and SciFact's", "acronyms": found}
    OUT.write_text(json.dumps(table, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"wrote {OUT.name}: {OUT.stat().st_size // 1024} kB, {len(found)} acronyms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
