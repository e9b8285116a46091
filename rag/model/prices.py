"""What a call costs, where the price is known. Unknown stays unknown: never zero, never guessed."""

from __future__ import annotations

from collections.abc import Mapping

# Dollars per million (prompt, completion) tokens, as published by OpenAI; config.toml's [prices] adds and overrides.
_PRICES: Mapping[str, tuple[float, float]] = {
    "gpt-4o": (2.50, 10.00),
    "gpt-4o-mini": (0.15, 0.60),
    "gpt-4.1": (2.00, 8.00),
    "gpt-4.1-mini": (0.40, 1.60),
    "gpt-4.1-nano": (0.10, 0.40),
    "gpt-5": (1.25, 10.00),
    "gpt-5-mini": (0.25, 2.00),
    "gpt-5-nano": (0.05, 0.40),
}


def cost(
    model: str, prompt_tokens: int, completion_tokens: int, extra: Mapping[str, tuple[float, float]]
) -> float | None:
    """Dollars, or None for a model without a known price. Dated names (`gpt-4o-2024-08-06`) cost what theirs do."""
    prices = {**_PRICES, **extra}
    known = [name for name in prices if model == name or model.startswith(f"{name}-20")]
    if not known:
        return None
    prompt, completion = prices[max(known, key=len)]
    return (prompt * prompt_tokens + completion * completion_tokens) / 1_000_000
