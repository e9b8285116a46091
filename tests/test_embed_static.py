"""The default embedder against the package whose model it reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.embed import load
from rag.embed.static import StaticEmbedder

TEXTS = [
    "DFlash is up to 2.5× faster than EAGLE-3.",
    "短",
    "β-VAE learns $\\mathcal{L}$ disentangled factors. " * 40,
    "a",
    "\ud7ff emoji 🧪 and accents: naïve Poincaré",
]


SHARED = StaticEmbedder()
SHARED.embed(["read the model once"])


def theirs(texts: list[str]) -> np.ndarray:
    """WordLlama's own vectors; its import replaces the root logger's settings, so those are put back."""
    import logging

    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    import wordllama

    root.setLevel(level)
    root.handlers[:] = handlers
    home = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load(cache_dir=home, disable_download=True)
    return model.embed(texts, norm=True)


def test_vectors_are_those_of_the_package_bit_for_bit() -> None:
    assert np.array_equal(SHARED.embed(TEXTS), theirs(TEXTS))


def test_text_without_tokens_is_a_zero_row() -> None:
    rows = SHARED.embed(["", "words"])
    assert rows.shape == (2, 256)
    assert not rows[0].any()
    assert np.linalg.norm(rows[1]) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_rows() -> None:
    assert SHARED.embed([]).shape == (0, 256)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(), max_size=6))
def test_a_vector_does_not_depend_on_its_batch(texts: list[str]) -> None:
    together = SHARED.embed(texts)
    apart = [SHARED.embed([text])[0] for text in texts]
    assert all(np.array_equal(one, other) for one, other in zip(together, apart, strict=True))
    norms = np.linalg.norm(together, axis=1)
    assert np.all((norms == 0) | (np.abs(norms - 1) < 1e-5))


def test_identity_names_package_version_model_and_size() -> None:
    assert load("wordllama").identity.startswith("wordllama-0.4")
    assert load("wordllama").identity.endswith("/l2_supercat/256")


def test_quiet_offline_and_without_other_providers() -> None:
    """A fresh process: no socket, no log line, no root handler, no provider imported."""
    script = (
        "import socket, logging, sys\n"
        "socket.socket.connect = lambda *a: sys.exit('network')\n"
        "from rag.embed import load\n"
        "rows = load('wordllama').embed(['hello world'])\n"
        "assert rows.shape == (1, 256)\n"
        "assert not logging.getLogger().handlers\n"
        "assert not {'openai', 'llama_index', 'requests', 'wordllama'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.text(
            alphabet=st.one_of(st.sampled_from(" \n\t\u2581<s>/aeβ短-,.é\u00a0"), st.characters()),
            max_size=60,
        )
    )
)
def test_words_learned_together_give_the_tokens_of_each_text(texts: list[str]) -> None:
    whole = [
        SHARED._tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids
        for text in texts
    ]
    SHARED._words.clear()
    assert [ids.tolist() for ids in SHARED._tokens(texts)] == whole
    assert [ids.tolist() for ids in SHARED._tokens(texts)] == whole, "known by now"
