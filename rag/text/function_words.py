"""English's closed classes, each as an alternation that rooms put into their patterns: the small words that frame,
point and compare."""

from __future__ import annotations

from typing import Final

AUXILIARIES: Final = "do|does|did|is|are|was|were|has|have|had|must|can|could|will|would|should|may|might"
COMPARATIVES: Final = (
    "better|worse|faster|slower|cheaper|costlier|larger|bigger|smaller|higher|lower|fewer|safer|stronger|weaker"
)
POINTING_BACK: Final = "it|its|they|their|these|those|such|both|the former|the latter"
"""What a sentence opens with that leans on the one before it; "this" depends on its noun."""
A_WORK: Final = "paper|work|study|article|survey|review|report|thesis"
"""What an abstract calls itself: "this paper" points at nothing before it."""
NAME_PARTICLES: Final = "van|von|de|der|den|la|le|di|da|du|del|dos|al|el|bin|ter|ten|zu"
"""Small words inside a person's family name."""
