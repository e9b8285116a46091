"""A sync that is killed, a reader beside a writer: real processes (`python -m evals.kills` does it at length)."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

from evals.kills import rounds


def test_killed_syncs_lose_nothing(tmp_path: Path) -> None:
    outcomes = rounds(tmp_path, times=3, papers=150, seed=3)
    assert [fault for outcome in outcomes for fault in outcome.faults] == []


READER = """
    import sys
    sys.path[:0] = sys.argv[1:3]
    from pathlib import Path
    from library_cases import WordEmbedder, paper
    from rag.library import Library, meaning
    meaning.EXACT_UP_TO = 0
    embedder, seen = WordEmbedder(), set()
    with Library.open(Path(sys.argv[3]), "c", embedder_identity=embedder.identity) as library:
        print("open", flush=True)
        while library.info.papers < 80:
            library.refresh()
            seen.add(library.info.papers)
            ids = [each.id for each in library.papers()]
            assert len(ids) == library.info.papers, (len(ids), library.info)
            for id_ in (ids[0], ids[-1]):
                vector = library.vectors_of(id_)[0]
                assert library.search_vectors(vector, 1)[0][0] == id_, id_
            assert library.search_words([f"number{int(ids[-1][-5:])}"], 1)[0][0] == ids[-1]
    print(sorted(seen))
"""


def test_a_reader_beside_a_writer_sees_whole_states_only(tmp_path: Path) -> None:
    from library_cases import WordEmbedder, many

    from rag.library.sync import sync

    embedder, here = WordEmbedder(), Path(__file__).parent
    sync(tmp_path, "c", many(40), embedder)
    command = [sys.executable, "-c", textwrap.dedent(READER), str(here.parent), str(here), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        reader.stdout.readline()
        for count in (50, 60, 70, 80):
            sync(tmp_path, "c", many(count), embedder)
        out, err = reader.communicate(timeout=300)
    assert reader.returncode == 0, err
    assert set(json.loads(out)) <= {40, 50, 60, 70, 80}
