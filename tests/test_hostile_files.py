"""Hostile files through the real commands: one good paper beside each, and nothing hostile may cost it.

What belongs to one room is tested there: bombs, huge records, wild bytes in readers/test_readers_hostile.py, entities
in readers/test_readers_exports.py, formulas and macros in test_export.py, script in test_summarise_faces.py.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from program import ROOT, Citewell, environment, run_inside

from evals.hostile.records import blocks, run
from evals.hostile.texts import ESCAPES

GOOD = "We show that ZORBLAX reaches 41.7% accuracy on QUIXBENCH. It is trained on 12 graphs."
QUESTION = "What accuracy does ZORBLAX reach on QUIXBENCH?"
SECRET = "We show that SECRETFILE was read from outside."
ABSTRACT = "We show that {} is 3x faster than BAR on GLIB. It needs {} tokens."


def hostile(folder: Path) -> None:
    """Every kind that is a file, beside a good one."""
    (folder / "good.txt").write_text(f"{GOOD}\n")
    (folder.parent / "outside.txt").write_text(f"{SECRET}\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../climbs.txt", b"We show it. " * 5_000_000)
    for name in ("bomb.zip", "bomb.txt", "bomb.jsonl"):
        (folder / name).write_bytes(packed.getvalue())
    (folder / "manifest.csv").write_text(
        "file,starts_with,title\n../outside.txt,We show,Climbs\n/etc/passwd,root,Passwords\ngood.txt,We show,Good\n"
    )
    for name in ("-rf", "--help", "con", "nul.txt", "a b;rm -rf .txt", "$(touch pwned).txt", "*.txt"):
        (folder / name).write_text(ABSTRACT.format(f"NAME{abs(hash(name)) % 999}", len(name)) + "\n")
    twins = [
        {"id": "same", "doi": "10.1/same", "title": "Paper A", "abstract": ABSTRACT.format("TWINA", 7)},
        {"id": "same", "doi": "10.1/same", "title": "Quite another title", "abstract": "Sourdough keeps for weeks."},
        {"title": "Scalable Graphs", "abstract": ABSTRACT.format("LATIN", 8)},
        {"title": "Sc\u0430l\u0430ble Gr\u0430phs", "abstract": "Choirs sound dull in small rooms with curtains."},
        {"title": f"Escaping {''.join(ESCAPES)}", "abstract": f"ESCAPER is {''.join(ESCAPES)} 5x faster than BAR.",
         "authors": [f"Ann {ESCAPES[3]}"], "url": f"https://example.org/{ESCAPES[2]}", "venue": ESCAPES[1]},
        {"title": "\u202eesrever", "abstract": "BIDIPAPER is 2x\u202e faster than \u2066BAR\u200b, we show."},
        {"title": "Lone \ud800 half", "abstract": "HALFPAPER is \udfff 6x faster than BAR."},
    ]  # fmt: skip
    (folder / "twins.jsonl").write_text("\n".join(json.dumps(each) for each in twins) + "\n")


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Citewell, Path, list[dict[str, object]]]:
    home = tmp_path_factory.mktemp("attacked")
    (home / "files").mkdir()
    hostile(home / "files")
    citewell = run_inside(home)
    run = citewell("sync", "files", "--json")
    assert run.code == 0, run.err
    return citewell, home, run.json["problems"]


def papers(citewell: Citewell) -> list[dict[str, object]]:
    return [json.loads(line) for line in citewell("papers", "--json").out.splitlines()]


def test_the_good_paper_is_answered_from(attacked: tuple[Citewell, Path, object]) -> None:
    assert "41.7%" in attacked[0]("ask", QUESTION).out


def test_each_bad_file_is_one_clear_line(attacked: tuple[Citewell, Path, list[dict[str, object]]]) -> None:
    _, home, problems = attacked
    for name in ("bomb.zip", "bomb.txt", "bomb.jsonl"):
        (problem,) = [each for each in problems if str(each["file"]).endswith(name)]
        assert "archive" in str(problem["reason"])
    assert all("\n" not in str(each["reason"]) and len(str(each["reason"])) < 300 for each in problems)
    assert sum("manifest.csv" in str(each["file"]) for each in problems) == 2
    assert not list(home.rglob("climbs.txt")) and not list(home.rglob("pwned"))


def test_nothing_is_read_from_outside_and_nothing_is_lost(attacked: tuple[Citewell, Path, object]) -> None:
    found = papers(attacked[0])
    text = " ".join(str(paper["abstract"]) for paper in found)
    assert "SECRETFILE" not in text and "root:" not in text
    assert len(re.findall(r"NAME\d+", text)) == 7
    assert "TWINA" in text and "Sourdough" in text
    assert len({paper["paper_id"] for paper in found}) == len(found) == 15


def test_look_alike_titles_are_two_papers(attacked: tuple[Citewell, Path, object]) -> None:
    shown = attacked[0]("show", "Scalable Graphs", "--json").out.splitlines()
    assert ["LATIN" in json.loads(line)["abstract"] for line in shown] == [True]


COMMANDS = [
    ("papers",), ("show", "ESCAPER"), ("ask", "How much faster is ESCAPER than BAR?"),
    *(pytest.param(each, marks=pytest.mark.slow)
      for each in (("search", "ESCAPER"), ("compare", "ESCAPER", "LATIN"), ("summarise", "faster than BAR"))),
]  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of its own")
@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_a_terminal_is_not_commanded(attacked: tuple[Citewell, Path, object], arguments: tuple[str, ...]) -> None:
    """What goes to a real terminal: colours and links of our own, and none of the corpus's sequences."""
    ours, theirs = os.openpty()
    command = [sys.executable, str(ROOT / "cli.py"), *arguments]
    env = {**environment(attacked[1]), "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=attacked[1]) as process:
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:
            pass  # the other end is closed
        os.close(ours)
    assert process.wait() in (0, 3)
    text = said.decode("utf-8", "replace")
    assert re.search("ESCAPER|Escaping|esrever", text)
    assert not re.search(r"\x1b\](?!8;)", text), "only links"
    assert not re.search(r"\x1b\[2J|\x1b\[H|\x1b\[31m|\x1bP", text)
    for address in re.findall(r"\x1b\]8;[^;]*;([^\x1b\x07]*)", text):
        assert not address or re.fullmatch(r"https?://[\x21-\x7e]+", address)
    assert not re.search("[\x07\x08\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_a_file_that_was_zeroed_takes_no_paper_away(inside: Citewell, tmp_path: Path) -> None:
    """As a crash leaves one: its papers stay, and the sync says why it was not read."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text(f"{GOOD}\n")
    (tmp_path / "files" / "b.jsonl").write_text(json.dumps({"title": "Kept", "abstract": ABSTRACT.format("KEPT", 3)}))
    assert inside("sync", "files").code == 0
    size = (tmp_path / "files" / "b.jsonl").stat().st_size
    (tmp_path / "files" / "b.jsonl").write_bytes(bytes(size))
    report = inside("sync", "files", "--json").json
    assert (report["removed"], len(report["problems"])) == (0, 1)
    assert "KEPT" in inside("papers", "--json").out


def test_a_file_that_says_one_paper_and_one_fault_thousands_of_times(inside: Citewell, tmp_path: Path) -> None:
    (tmp_path / "big.jsonl").write_bytes(b"".join(blocks(16_000)))
    begun = time.process_time()
    report = inside("sync", "big.jsonl", "--json").json
    assert time.process_time() - begun < 40  # 1 s; quadratic time took minutes
    assert (report["added"], len(report["problems"])) == (2, 1001)
    assert report["problems"][-1]["reason"].startswith("7,000 more records")
    held = {each["title"]: each for each in map(json.loads, inside("papers", "--json").out.splitlines())}
    assert len(held["Same"]["files"]) == 1000, "places beyond a thousand are not kept"


@pytest.mark.slow
def test_very_many_records_take_bounded_memory() -> None:
    found = run(300_000)
    assert (found.added, found.unread, found.faults) == (4, 150_000, ())


@pytest.mark.slow
def test_a_line_of_a_gigabyte_through_a_pipe(tmp_path: Path) -> None:
    """In bounded memory: far less than the line."""
    import resource

    citewell = f'"{sys.executable}" "{ROOT / "cli.py"}"'
    good = json.dumps({"title": "Good", "abstract": GOOD})
    line = """printf '{"abstract": "'; head -c 1073741824 /dev/zero | tr '\\0' x; echo '"}'"""
    feed = f"(echo '{good}'; {line}; echo '{good}')"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        ["bash", "-c", f"{feed} | {citewell} sync - --json"],
        env=environment(tmp_path), capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime < 120  # 15 s with the making of the line
    assert used.ru_maxrss < 600_000  # KB
    report = json.loads(done.stdout)
    assert (report["added"], len(report["problems"])) == (1, 1)
    assert "41.7%" in run_inside(tmp_path)("ask", QUESTION).out
