"""What works here and what does not: the settings, the embedder, the corpus, what lies beside it, the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rag import embed, kept
from rag import settings as configuration
from rag.errors import CitewellError, CorpusError, ModelUnreachable
from rag.library.reports import Finding
from rag.release import release
from rag.settings import Settings
from rag.shipped import awaits_indexing, corpus_name


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found, and the exit code that says it."""

    findings: tuple[Finding, ...]
    exit_code: int


def examine(settings: Settings, *, repair: bool = False) -> Examination:
    """Every finding, well or not; what keeps one thing from being looked at keeps nothing else from it.

    With `repair`, mends what can be mended without the source files. A model that was asked for gets one tiny call.
    The exit code is that of the first thing that is not well.
    """
    findings = [Finding("citewell", True, f"{release()}, home {settings.home}")]
    findings += [
        Finding(f"setting {name}", True, f"{value} ({origin})")
        for name, value, origin in configuration.describe(settings)
        if origin != "default"
    ]
    code = 0
    beside = kept.examine(settings.home, repair=repair)
    for looked_at in (_of_corpus(settings, repair), beside, _of_model(settings)):
        try:
            found = list(looked_at)
            code = code or (0 if all(finding.well for finding in found) else CorpusError.exit_code)
            findings += found
        except CitewellError as error:
            findings.append(Finding(error.code.replace("_", " "), False, error.message, error.hint))
            code = code or error.exit_code
    return Examination(tuple(findings), code)


def _of_corpus(settings: Settings, repair: bool) -> Iterator[Finding]:
    from rag.library import health

    embedder = embed.load(settings.embedder, settings)
    yield Finding("embedder", True, embedder.identity)
    if awaits_indexing(settings):
        said = "nothing was synced yet: the next question indexes the shipped seeds (38 ICML 2026 abstracts)"
        yield Finding("catalogue", True, said)
        return
    name, token = corpus_name(settings), settings.store_token
    if repair:
        found = health.repair(settings.home, name, embedder, token=token)
    else:
        found = health.examine(settings.home, name, embedder.identity, token=token)
    yield from (each for each in found if each.subject != "embedder" or not each.well)


def _of_model(settings: Settings) -> Iterator[Finding]:
    if not settings.uses_model:
        yield Finding("model", True, "none: answers are quoted from the abstracts")
        return
    from rag.model import load
    from rag.model.probe import probe

    model = load(settings)
    found = probe(model, seconds=settings.timeout)
    if not found.works:
        raise ModelUnreachable(f"{model.identity()} {found}", "see the server's own log")
    yield Finding("model", True, f"{model.identity()} {found}")
