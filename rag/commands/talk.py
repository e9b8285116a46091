"""What happens to a message typed into chat: a slash command, or a turn of the conversation that is shown and saved."""

from __future__ import annotations

import shlex
import webbrowser
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches

from rag.assistant import Assistant, merged
from rag.chat import Conversation, Exchange
from rag.commands.asking import Telling, finished
from rag.commands.command import Run
from rag.commands.files import write_bibliography
from rag.commands.slash import COMMANDS, meant
from rag.errors import CitewellError, UsageError
from rag.followup import leans
from rag.followup.asides import asked_language, is_courtesy
from rag.followup.focus import names_of, short_name
from rag.render import answers, jsonable, papers
from rag.render.lines import Line, Span, line
from rag.sessions import Session, Sessions, Turn
from rag.types import Filters, Paper, Source

_ONE_LANGUAGE = (
    "answers stay in the language of the abstracts, against which each sentence is checked; "
    "to read one in another, give it to a translator"
)
_AT_YOUR_SERVICE = "ask about the papers of this corpus, in a sentence or a few words; /help lists the commands"
_LEAVING = ("/exit", "/quit", "exit", "quit", "bye")


@dataclass(slots=True)
class Spent:
    """What the models of this conversation have cost: None once a price was unknown."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0


class Talk:
    """One conversation and its screen."""

    def __init__(self, run: Run, filters: Filters) -> None:
        assistant = run.assistant()
        # Opened now, so that the first message does not wait for it.
        _ = assistant.retriever
        self.conversation = Conversation(assistant, filters)
        self._run, self._terminal, self._json = run, run.terminal, run.json
        self._sessions = Sessions(run.settings.home, secrets=[run.settings.api_key])
        self._session: Session = self._sessions.begin(assistant.library.info.name)
        self._spent = Spent()
        self._unsaved = False

    @property
    def _filters(self) -> Filters:
        return self.conversation.filters

    @property
    def assistant(self) -> Assistant:
        return self.conversation.assistant

    def go_on(self, session_id: str | None) -> None:
        """With an earlier conversation: the latest, or the one named. Raises UsageError when there is none."""
        self._session = self._sessions.load(session_id) if session_id else self._sessions.latest()
        for turn in self._session.turns:
            self.conversation.restore(turn.message, turn.understood, turn.answer)
        self._terminal.note(f"conversation {self._session.id}: {len(self._session.turns)} turns so far")

    def say(self, message: str) -> bool:
        """Does what was typed. False when it ends the conversation."""
        if message.strip().lower() in _LEAVING:
            return False
        if message.startswith("/"):
            return self._command(message)
        self._answer(message)
        return True

    def names(self) -> tuple[str, ...]:
        """What completes: system names, titles and ids of the corpus."""
        found: dict[str, None] = {}
        for paper in self.assistant.papers():
            found.update(dict.fromkeys(name for name in (short_name(paper), paper.title, paper.id) if name))
        return tuple(found)

    def _answer(self, message: str) -> None:
        said = _instead_of_an_answer(message)
        if said and self._terminal.interactive and not self._json:
            self._terminal.show([line(Span(said, "note")), line()])
            return
        if said:
            self._terminal.note(said)
        telling = Telling(self._run, self.conversation.numbers)
        exchange = self.conversation.ask(message, on_note=telling.note, on_claim=telling.claim)
        self._save(exchange)  # before it is shown: what a reader saw is never lost
        telling.rest(exchange.answer)
        if exchange.answer.status == "abstained" and not self.conversation.numbers and leans(message):
            self._terminal.note("no paper was spoken of yet that this could be about: name one")
        if not self._json:
            self._terminal.show([line()])
        finished(self.assistant, exchange.answer, self.conversation.filters, self._terminal)

    def _save(self, exchange: Exchange) -> None:
        usage = exchange.answer.usage
        self._spent.calls += usage.calls
        self._spent.prompt_tokens += usage.prompt_tokens
        self._spent.completion_tokens += usage.completion_tokens
        known = self._spent.cost_usd is not None and usage.cost_usd is not None
        self._spent.cost_usd = (self._spent.cost_usd or 0.0) + (usage.cost_usd or 0.0) if known else None
        if not self.assistant.settings.log:
            return
        answer = jsonable.answer(exchange.answer)
        try:
            turn = Turn(exchange.message, exchange.understood.question, answer)
            self._session = self._sessions.append(self._session, turn)
        except CitewellError as error:
            say = self._terminal.detail if self._unsaved else self._terminal.note
            say(f"this turn is not saved: {error.message}")
            self._unsaved = True

    def _command(self, typed: str) -> bool:
        name, _, rest = typed.partition(" ")
        rest = rest.strip()
        commands: dict[str, Callable[[str], None]] = {
            "/help": self._help,
            "/sources": self._sources,
            "/quote": self._quote,
            "/open": self._open,
            "/papers": self._papers,
            "/compare": self._compare,
            "/summarise": self._summarise,
            "/summarize": self._summarise,
            "/why": self._why,
            "/export": self._export,
            "/json": self._as_json,
            "/model": self._model,
            "/cost": self._cost,
            "/reset": self._reset,
        }
        if name not in commands:
            near = get_close_matches(name, commands, n=1)
            raise UsageError(f"no command {name}", f"did you mean {near[0]}?" if near else "/help lists them")
        commands[name](rest)
        return True

    def _tell(self, lines: Iterable[Line], value: object) -> None:
        """What a command says: lines to read, or under --json one line that holds the same."""
        if self._json:
            self._terminal.write(jsonable.dumps(value))
        else:
            self._terminal.show(lines)

    def _help(self, _: str) -> None:
        lines = (line(Span(f"{name:<11}", "number"), said, hang=1) for name, said in COMMANDS.items())
        self._tell(lines, {"commands": COMMANDS})

    def _sources(self, _: str) -> None:
        if not self.conversation.numbers:
            self._terminal.note("no paper was cited yet")
        sources = [Source(number, self._numbered(str(number))) for number in sorted(self.conversation.numbers.values())]
        lines = (
            line(Span(f"[{each.number}] ", "number"), *papers.listed(each.paper).spans, hang=1) for each in sources
        )
        self._tell(lines, {"sources": [jsonable.source(each) for each in sources]})

    def _quote(self, rest: str) -> None:
        paper = self._numbered(rest)
        number = self.conversation.numbers[paper.id]
        claims = (claim for exchange in self.conversation.exchanges for claim in exchange.answer.claims)
        cited = dict.fromkeys(each for claim in claims for each in claim.citations if each.paper_id == paper.id)
        if not cited:
            self._terminal.note(f"no words of [{number}] were quoted yet")
        lines = (
            line(Span(f"“{each.quote}”", "quote"), Span(f" ({each.field} {each.start}–{each.end})", "meta"))
            for each in cited
        )
        self._tell(lines, {"quotes": [jsonable.citation(each, number) for each in cited]})

    def _open(self, rest: str) -> None:
        paper = self._numbered(rest)
        address = papers.web_link(paper)
        if address is None:
            raise UsageError(f"no web address is known for “{paper.title}”")
        self._tell([line(Span(address, "meta", link=address))], {"url": address})
        if self._terminal.interactive:
            webbrowser.open(address)

    def _papers(self, rest: str) -> None:
        if rest:
            found = self.assistant.search(rest, filters=self._filters)
            self._tell(papers.hits(found), {"papers": [jsonable.paper(paper, hit) for hit, paper in found]})
            return
        held = tuple(self.assistant.papers(self._filters))
        self._tell(map(papers.listed, held), {"papers": [jsonable.paper(paper) for paper in held]})

    def _compare(self, rest: str) -> None:
        from rag.render.comparison import comparison, json

        references = self._references(rest)
        found = self.assistant.compare(references)
        self._run.not_found(found.unknown)
        if len(found.rows) > 1:
            compared = [source.paper for source in found.sources]
            found = replace(found, sources=self.conversation.show(f"Compare {names_of(compared)}", compared))
            self._tell(comparison(found), json(found))
        elif not found.unknown:
            raise UsageError("that is one paper", "name two: /compare 1 2")
        else:
            self._tell((), json(found))  # who reads JSON learns there what is unknown

    def _references(self, rest: str) -> list[str]:
        """Numbers and names, apart by blanks, or by commas where names hold blanks; else the last answer's papers."""
        if rest:
            named = [part.strip(" \"'") for part in (rest.split(",") if "," in rest else shlex.split(_balanced(rest)))]
            return [self._numbered(word).id if word.strip("[]").isdigit() else word for word in named if word]
        sources = self.conversation.exchanges[-1].answer.sources if self.conversation.exchanges else ()
        if len(sources) < 2:
            raise UsageError("the last answer cites no two papers to compare", "name two: /compare 1 2")
        return [source.paper.id for source in sources]

    def _summarise(self, rest: str) -> None:
        from rag.render.summary import summary
        from rag.render.summary_forms import json

        if not rest:
            raise UsageError("no topic was named", "for example /summarise speculative decoding")
        found = self.assistant.summarise(rest, filters=self._filters)
        used = [source.paper for source in found.sources]
        found = replace(found, sources=self.conversation.show(f"Which papers are about {rest}?", used))
        self._tell(summary(found), json(found))

    def _why(self, _: str) -> None:
        understood = self._last().understood
        consulted = self.assistant.consult(understood.question, filters=merged(understood.filters, self._filters))
        said = {
            "understood": understood.question,
            "because": understood.why,
            "searched": consulted.understood.search,
            "only": answers.narrowed(consulted.understood.filters),
        }
        shown = {name: text for name, text in said.items() if text}
        self._tell((line(Span(f"{name:<11}", "meta"), text, hang=1) for name, text in shown.items()), shown)

    def _export(self, rest: str) -> None:
        if not rest:
            raise UsageError("no file was named", "/export refs.bib")
        listed = [self._numbered(str(number)) for number in sorted(self.conversation.numbers.values())]
        write_bibliography(rest, listed, self._terminal)

    def _as_json(self, _: str) -> None:
        self._terminal.write(jsonable.dumps(jsonable.answer(self._last().answer)))

    def _model(self, rest: str) -> None:
        if rest:
            settings = replace(self.assistant.settings, model=rest)
            self.conversation.assistant = Assistant(settings, notify=self._terminal.note)
        self._terminal.note(f"model: {self.assistant.settings.model}")

    def _cost(self, _: str) -> None:
        spent = self._spent
        cost = "unknown" if spent.cost_usd is None else f"${spent.cost_usd:.4f}"
        tokens = f"{spent.prompt_tokens} + {spent.completion_tokens} tokens"
        self._tell([line(f"{spent.calls} calls, {tokens}, {cost}")], asdict(spent))

    def _reset(self, _: str) -> None:
        self.conversation.reset()
        self._session = self._sessions.begin(self._session.corpus)
        self._terminal.note("a new conversation")

    def _numbered(self, text: str) -> Paper:
        number = text.strip().strip("[]")
        paper = self.conversation.paper(int(number)) if number.isdigit() else None
        if not number:
            raise UsageError("no paper was named by its number", "/sources lists them")
        if paper is None:
            raise UsageError(f"no paper has the number {text!r} here", "/sources lists them")
        return paper

    def _last(self) -> Exchange:
        if not self.conversation.exchanges:
            raise UsageError("nothing was asked yet")
        return self.conversation.exchanges[-1]


def _instead_of_an_answer(message: str) -> str | None:
    """What is said where a message asks nothing of the papers."""
    if asked_language(message):
        return _ONE_LANGUAGE
    if is_courtesy(message):
        return _AT_YOUR_SERVICE
    command = meant(message)
    return f"a command does that: {command}" if command else None


def _balanced(text: str) -> str:
    """Without quotation marks where one has no other: an apostrophe is none."""
    return text if all(text.count(mark) % 2 == 0 for mark in "\"'") else text.replace('"', "").replace("'", "\\'")
