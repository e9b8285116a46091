"""Settings: defaults < file < environment < flags, each value knowing where it came from."""

from pathlib import Path

import pytest

from rag.errors import ConfigError, UsageError
from rag.settings import describe, load


def settings(tmp_path: Path, file: str = "", flags: dict[str, object] | None = None, **environ: str):
    if file:
        (tmp_path / "config.toml").write_text(file)
    return load(flags, {"CITEWELL_HOME": str(tmp_path), **environ})


def test_later_layers_win_and_are_named(tmp_path: Path) -> None:
    file = 'model = "a"\ntop_k = 3\ntimeout = 5\n'
    found = settings(tmp_path, file, {"model": "c", "corpus": None}, CITEWELL_MODEL="b", CITEWELL_TOP_K="4")
    assert (found.model, found.top_k, found.timeout, found.corpus) == ("c", 4, 5.0, "default")
    assert found.origins["model"] == "--model"
    assert found.origins["top_k"] == "environment variable CITEWELL_TOP_K"
    assert found.origins["timeout"].endswith("config.toml")
    assert "corpus" not in found.origins


def test_a_key_in_the_environment_alone_asks_for_no_model(tmp_path: Path) -> None:
    assert not settings(tmp_path, OPENAI_API_KEY="sk-secret").uses_model


def test_the_key_is_never_shown(tmp_path: Path) -> None:
    found = settings(tmp_path, OPENAI_API_KEY="sk-secret")
    assert found.api_key == "sk-secret"
    assert "sk-secret" not in repr(found) + repr(describe(found))


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("modle = 'x'", "unknown setting 'modle'"),
        ("top_k = 0", "top_k 0 must be a whole number"),
        ("max_risk = 2", "max_risk 2 must lie between 0 and 1"),
        ("top_k = ", "not valid TOML"),
        ("timeout = 'soon'", "timeout 'soon' is not of the right form"),
        ("timeout = inf", "timeout inf must be a positive number"),
        ("[prices]\nm = 3", "needs two numbers"),
    ],
)
def test_a_wrong_file_names_itself_and_the_setting(tmp_path: Path, file: str, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        settings(tmp_path, file)
    assert words in error.value.message
    assert "config.toml" in error.value.message


def test_a_wrong_flag_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--top-k: top_k 'many'"):
        settings(tmp_path, flags={"top_k": "many"})


def test_a_binary_file_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not valid TOML"):
        settings(tmp_path)


def test_prices_extend_the_table(tmp_path: Path) -> None:
    assert settings(tmp_path, '[prices]\n"my-model" = [0.5, 1]').prices == {"my-model": (0.5, 1.0)}
