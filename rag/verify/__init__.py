"""Drafts to claims: resolves evidence keys, checks support, re-cites, repairs or drops, and states the risk it lets
through."""

from __future__ import annotations

from rag.verify.checking import Check, check, check_against, compared
from rag.verify.verifier import Counts, Verified, Verifier, verify

__all__ = ["Check", "Counts", "Verified", "Verifier", "check", "check_against", "compared", "verify"]
