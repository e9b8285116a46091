"""Which release of citewell this is."""

from __future__ import annotations


def release() -> str:
    """The version that is installed; "unreleased" for a checkout that is not."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("citewell")
    except PackageNotFoundError:
        return "unreleased"
