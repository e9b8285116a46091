"""Stems of English words: Snowball's stemmer, with British and American spelling made one first."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import Stemmer

# Its own cache is off: ours also spares the spelling rules.
_snowball: Callable[[str], str] = Stemmer.Stemmer("english", 0).stemWord
_BRITISH = (
    (re.compile(r"(?<=[a-z]{3})is(?=(?:e|ed|es|er|ers|ing|ation|ations|able)$)"), "iz"),
    (re.compile(r"(?<=[a-z]{3})ys(?=(?:e|ed|es|er|ing)$)"), "yz"),
    (re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|al|ally|ite|ites|able|ful|less|hood|hoods)?$)"), "or"),
    (re.compile(r"(?<=odel|abel|avel|gnal|ncel|nnel|evel|trol)l(?=(?:ing|ed|er|ers)$)"), ""),
    (re.compile(r"(?<=[a-z]{2})logue(?=s?$)"), "log"),
    (re.compile(r"(?<=efen|ffen|icen|eten)c(?=es?$)"), "s"),
    (re.compile(r"(?<=ent|fib|met|lit|eat)re(?=s?$)"), "er"),
    (re.compile(r"(?<=gr)ey(?=(?:s|scale)?$)"), "ay"),
    (re.compile(r"(?<=art)e(?=facts?$)"), "i"),
    (re.compile(r"(?<=program)me(?=s?$)"), ""),
    (re.compile(r"(?<=[a-z])ae(?=m|sthe|di)|(?<=h)ae(?=m)"), "e"),
    (re.compile(r"^oe(?=s|d)|(?<=f)oe(?=t)"), "e"),
)
"""British spellings made American. A word that is neither may come out odd, as long as it does so every time."""
_VOWELLESS_PLURAL = re.compile(r"[b-df-hj-np-rtv-xz]{2,}s")  # Snowball leaves `llms`, `cnns` as they are
_BRITISH_SIGN = re.compile(r"is[eai]|ys[ei]|our|ll[ie]|logues?$|ces?$|res?$|grey|efact|mme|ae|oe")


@lru_cache(maxsize=131072)
def stem(word: str) -> str:
    """The stem of one folded word, the same for `optimise` and `optimize`, `behaviour` and `behavior`."""
    if word[-1:] == "s" and _VOWELLESS_PLURAL.fullmatch(word):
        return word[:-1]
    if _BRITISH_SIGN.search(word):
        for pattern, american in _BRITISH:
            word = pattern.sub(american, word, count=1)
    return _snowball(word)
