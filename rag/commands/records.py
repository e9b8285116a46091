"""history, replay, cache, export: what was answered before, and the bibliography of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands.command import Run, command
from rag.commands.files import told, write_file
from rag.commands.numbers import named
from rag.commands.options import Caching, Output, Where
from rag.commands.run import NOTHING_FOUND
from rag.errors import UsageError
from rag.settings import Settings
from rag.types import Paper

if TYPE_CHECKING:
    from rag.history import Entry
    from rag.render.lines import Line
    from rag.terminal import Terminal

cache_app = typer.Typer(help="The cache of model replies.", no_args_is_help=True, rich_markup_mode=None)


def register(app: typer.Typer) -> None:
    app.command(short_help="List and search earlier answers.")(history)
    app.command(short_help="Ask an earlier question again and show what differs.")(replay)
    app.command(short_help="Write a bibliography: BibTeX, RIS, CSL-JSON, CSV, Markdown.")(export)
    cache_app.command("clear", short_help="Forget all cached replies.")(cache_clear)
    app.add_typer(cache_app, name="cache")


@command
def history(
    run: Run,
    words: Annotated[list[str] | None, typer.Argument(help="Only answers that hold all of these words.")] = None,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many, newest first.")] = 20,
    clear: Annotated[bool, typer.Option("--clear", help="Forget all of it.")] = False,
) -> int:
    """List earlier answers, newest first; the log is local and `--no-log` leaves an answer out.

    \b
    citewell history
    citewell history DFlash speedup --json
    """
    from rag.history import History
    from rag.render import jsonable

    log = History(run.settings.home)
    if clear:
        run.terminal.note(f"{log.clear()} answers forgotten")
        return 0
    found = log.latest(number, words=" ".join(words or ()))
    for entry in found:
        if run.json:
            told = {"id": entry.id, "at": entry.at, "model": entry.model, "answer": entry.answer}
            run.terminal.write(jsonable.dumps(told))
        else:
            run.terminal.show(_listed(entry))
    if not found:
        run.terminal.note("no earlier answer" + (" holds these words" if words else ""))
    return 0 if found else NOTHING_FOUND


def _listed(entry: Entry) -> Iterator[Line]:
    """When and what was asked, how a follow-up was understood, and the first thing that was said."""
    from rag.render.lines import Span, line
    from rag.text.normalise import plain

    number = Span(f"{entry.id:>4} ", "number")
    about = Span(f"{_when(entry.at)} {entry.status:<9} ", "meta")
    yield line(number, about, entry.question, hang=2)
    understood = entry.answer.get("understood")
    if understood and understood != entry.question:
        yield line(Span(f"understood: {understood}", "meta"), indent=5)
    claims = [str(claim["text"]) for claim in entry.answer.get("claims", ())]
    first, *more = claims or [entry.answer.get("reason") or ""]
    if first:
        yield line(Span(plain(first), "note"), Span(f" (+{len(more)})" if more else "", "meta"), indent=5)


def _when(at: str) -> str:
    """Of an ISO time in UTC: the reader's own time, to the minute."""
    from datetime import datetime

    try:
        return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:
        return at


@command
def replay(
    run: Run,
    entry_id: Annotated[str, typer.Argument(metavar="ID", help="The number that `citewell history` shows.")],
    *,
    caching: Caching,
) -> int:
    """Ask an earlier question again, with the settings it had, and show what differs.

    \b
    citewell replay 12

    Exits 0 when the answer is the same, 3 when it differs.
    """
    from rag.assistant import Assistant
    from rag.history import History
    from rag.render import jsonable
    from rag.render.lines import line

    entry = History(run.settings.home).get(entry_id)
    then = Assistant(_as_then(run.settings, entry), notify=run.terminal.note)
    now = jsonable.answer(then.ask(entry.question, filters=entry.filters))
    differences = list(_differences(entry, now))
    if run.json:
        run.terminal.write(jsonable.dumps({"then": entry.answer, "now": now, "differences": differences}))
    else:
        run.terminal.show([line(each) for each in differences or ["the same answer"]])
    return NOTHING_FOUND if differences else 0


def _as_then(settings: Settings, entry: Entry) -> Settings:
    """Today's settings with those that shaped the answer then; the corpus counts as named only if it was."""
    from dataclasses import fields, replace

    known = {each.name for each in fields(Settings)}
    return replace(settings, **{name: value for name, value in entry.settings.items() if name in known})


def _differences(entry: Entry, now: dict[str, object]) -> Iterable[str]:
    import difflib

    corpus = now["corpus"]
    if isinstance(corpus, dict) and corpus["fingerprint"] != entry.fingerprint:
        yield f"the corpus has changed: {entry.fingerprint} -> {corpus['fingerprint']}"
    if entry.answer.get("status") != now["status"]:
        yield f"status: {entry.answer.get('status')} -> {now['status']}"
    then_lines = [str(claim.get("text")) for claim in entry.answer.get("claims", [])]
    now_lines = [str(claim["text"]) for claim in now["claims"]]  # type: ignore[attr-defined]
    for each in difflib.unified_diff(then_lines, now_lines, "then", "now", lineterm="", n=0):
        if not each.startswith(("---", "+++", "@@")):
            yield each


@command
def cache_clear(run: Run) -> int:
    """Forget all cached replies of models; the next question calls the model again."""
    from rag.model import ReplyCache
    from rag.render import jsonable

    forgotten = ReplyCache.under(run.settings.home).clear()
    if run.json:
        run.terminal.write(jsonable.dumps({"forgotten": forgotten}))
    else:
        run.terminal.note(f"{forgotten} replies forgotten")
    return 0


@command
def export(
    run: Run,
    papers: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID...", help="Ids, titles, system names, DOIs, URLs, numbers of the last answer."),
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="The sources of the last answer.")] = False,
    session: Annotated[bool, typer.Option("--session", help="The sources of the last conversation.")] = False,
    form: Annotated[
        str | None, typer.Option("--format", metavar="FORM", help="bibtex, ris, csl-json, csv or markdown.")
    ] = None,
    output: Output = None,
    *,
    where: Where,
) -> int:
    """Write a bibliography. Fields that are not known are absent, never guessed.

    \b
    citewell export DFlash MuLoCo > refs.bib
    citewell ask "Which papers propose samplers?" && citewell export --last -o samplers.ris

    Exits 3 when an id stands for no paper; the others are written. A file is left as it is when none is found.
    """
    from rag.export import export as written
    from rag.export import form_of

    references = named(run.settings, papers or ())
    if last or session:
        references += _last(run.settings, whole_session=session)
    if not references:
        raise UsageError("nothing to export", "name papers, or use --last or --session")
    found, unknown = run.corpus().resolve(references)
    if not found and output is not None:  # the bibliography that is there stays
        run.not_found(unknown)
        return NOTHING_FOUND
    _put(
        written(found, form or ("csl-json" if run.json and output is None else form_of(output or ""))),
        found,
        output,
        run.terminal,
    )
    run.not_found(unknown)
    return NOTHING_FOUND if unknown else 0


def _put(text: str, papers: Sequence[Paper], output: str | None, terminal: Terminal) -> None:
    if output is None:
        if text.strip():
            terminal.write(text.rstrip("\n"))
        return
    write_file(output, text)
    told(papers, output, terminal)


def _last(settings: Settings, *, whole_session: bool) -> list[str]:
    """Paper ids of the last answer's sources, or of all answers of the last conversation."""
    from rag.history import History

    entries = History(settings.home).latest(1)
    if not entries:
        raise UsageError("there is no earlier answer", "ask something first, without --no-log")
    if whole_session:
        from rag.sessions import Sessions

        return list(Sessions(settings.home).latest().paper_ids)
    return [source["paper_id"] for source in entries[0].answer.get("sources", [])]
