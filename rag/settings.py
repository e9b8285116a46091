"""One frozen Settings, from defaults < config file < environment < flags. Alone in reading config.toml and environment.

Each value remembers where it came from, so that `citewell doctor` can say it and an error can name the place to mend.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from rag.errors import ConfigError, UsageError

CONFIG_NAME = "config.toml"
DEFAULT_CORPUS = "default"
SEEDS_CORPUS = "seeds"
"""The shipped corpus, asked when nothing was synced yet."""
NO_MODEL = "none"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is to do. `origins` maps a field to the place its value came from, defaults left out."""

    home: Path
    corpus: str = DEFAULT_CORPUS
    embedder: str = "wordllama"
    store: str | None = None
    """A Chroma server for the vectors of new corpora: http(s)://host[:port][/tenant[/database]]."""
    store_token: str | None = field(default=None, repr=False)
    model: str = NO_MODEL
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    top_k: int = 10
    max_risk: float = 0.05
    timeout: float = 60.0
    max_cost: float | None = None
    judge: bool = False
    context_window: int | None = None
    cache: bool = True
    log: bool = True
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Dollars per million prompt and completion tokens, by model name: what the shipped table lacks."""
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def uses_model(self) -> bool:
        return self.model != NO_MODEL


def _positive(text: object) -> float:
    number = float(str(text))
    if not (math.isfinite(number) and number > 0):
        raise ValueError("must be a positive number")
    return number


def _count(text: object) -> int:
    number = int(str(text))
    if not 0 < number <= 1_000_000:
        raise ValueError("must be a whole number from 1 to 1,000,000")
    return number


def _probability(text: object) -> float:
    number = float(str(text))
    if not 0 < number < 1:
        raise ValueError("must lie between 0 and 1")
    return number


def _flag(text: object) -> bool:
    word = str(text).strip().lower()
    if word not in {"1", "true", "yes", "on", "0", "false", "no", "off"}:
        raise ValueError("must be true or false")
    return word in {"1", "true", "yes", "on"}


def _words(text: object) -> str:
    word = str(text).strip()
    if not word:
        raise ValueError("must not be empty")
    return word


def _prices(table: object) -> Mapping[str, tuple[float, float]]:
    if not isinstance(table, dict):
        raise ValueError('must be a table such as [prices] with "model" = [0.15, 0.60]')
    prices = {}
    for model, pair in table.items():
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(p, int | float) for p in pair)):
            raise ValueError(f"needs two numbers for {model!r}: dollars per million prompt and completion tokens")
        prices[model] = (float(pair[0]), float(pair[1]))
    return prices


_WITH_ARGUMENTS = frozenset({"model", "embedder", "base_url"})

_PARSERS: Mapping[str, Callable[[object], Any]] = {
    "corpus": _words,
    "embedder": _words,
    "store": _words,
    "store_token": _words,
    "model": _words,
    "base_url": _words,
    "api_key": _words,
    "top_k": _count,
    "max_risk": _probability,
    "timeout": _positive,
    "max_cost": _positive,
    "judge": _flag,
    "context_window": _count,
    "cache": _flag,
    "log": _flag,
    "prices": _prices,
}

_SECRET = frozenset({"api_key", "store_token"})

_ENVIRONMENT = {
    "CITEWELL_CORPUS": "corpus",
    "CITEWELL_EMBEDDER": "embedder",
    "CITEWELL_STORE": "store",
    "CITEWELL_STORE_TOKEN": "store_token",
    "CITEWELL_MODEL": "model",
    "OPENAI_BASE_URL": "base_url",
    "OPENAI_API_KEY": "api_key",
    "CITEWELL_TOP_K": "top_k",
    "CITEWELL_MAX_RISK": "max_risk",
    "CITEWELL_TIMEOUT": "timeout",
    "CITEWELL_MAX_COST": "max_cost",
    "CITEWELL_CONTEXT_WINDOW": "context_window",
}


def load(flags: Mapping[str, object] | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of this run. `flags` holds what was typed; None values count as not typed.

    Raises ConfigError naming the file or variable, UsageError naming the flag.
    """
    environ = os.environ if environ is None else environ
    home = _home(environ)
    settings = Settings(home=home)
    settings = _from_file(settings, home / CONFIG_NAME)
    for variable, name in _ENVIRONMENT.items():
        if environ.get(variable):
            settings = _with(settings, name, environ[variable], f"environment variable {variable}", ConfigError)
    for name, value in (flags or {}).items():
        if value is not None:
            settings = _with(settings, name, value, f"--{name.replace('_', '-')}", UsageError)
    return settings


def _home(environ: Mapping[str, str]) -> Path:
    if environ.get("CITEWELL_HOME"):
        return Path(environ["CITEWELL_HOME"]).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("citewell", appauthor=False))


def _from_file(settings: Settings, path: Path) -> Settings:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return settings
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}", "mend its permissions") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}", "mend that line") from error
    for name, value in table.items():
        if name not in _PARSERS:
            known = ", ".join(sorted(_PARSERS))
            raise ConfigError(f"{path}: unknown setting {name!r}", f"known settings: {known}")
        settings = _with(settings, name, value, str(path), ConfigError)
    return settings


def _with(settings: Settings, name: str, value: object, origin: str, error: type[UsageError]) -> Settings:
    try:
        parsed = _PARSERS[name](value)
    except ValueError as problem:
        shown = "its value" if name in _SECRET else repr(value)
        reason = str(problem) if str(problem).startswith(("must", "is", "needs")) else "is not of the right form"
        raise error(f"{origin}: {name} {shown} {reason}", "see `citewell --help`") from None
    changed: Settings = replace(settings, **{name: parsed}, origins={**settings.origins, name: origin})
    return changed


def without_arguments(text: str) -> str:
    """An address or an import path without what may hold a key: user and password, and all after the `?`."""
    before, mark, _ = text.partition("?")
    return re.sub(r"//[^/]*@", "//***@", before) + ("?***" if mark else "")


def describe(settings: Settings) -> list[tuple[str, str, str]]:
    """(name, value, origin) of every setting, the key masked: what `doctor` prints."""
    rows = []
    for entry in fields(settings):
        if entry.name in {"origins", "prices"}:
            continue
        value = getattr(settings, entry.name)
        shown = ("set" if value else "not set") if entry.name in _SECRET else str(value)
        if entry.name in _WITH_ARGUMENTS:
            shown = without_arguments(shown)
        rows.append((entry.name, shown, settings.origins.get(entry.name, "default")))
    return rows
