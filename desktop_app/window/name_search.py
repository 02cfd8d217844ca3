"""Finding names as people remember them: words in any order, spaces and dashes do not matter. And their order."""

import re
from collections.abc import Sequence

_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?[bmtx]?(?![^\W\d_])|\d+(?:\.\d+)?")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([mbt])")
_BY_WORDS, _BY_LETTERS = 3, 4  # ranks: from the latter on, words may hide in other words
_STEPS = {"m": 1e6, "b": 1e9, "t": 1e12}


def found(typed: str, names: Sequence[str]) -> list[str]:
    """The names that `typed` may mean, the likeliest first; all of them for an empty text.

    "llama 3" finds Llama-3-8B before Llama-3.1-8B, and both before TinyLlama; "70b llama" finds every Llama of 70B.
    """
    ranked = [(rank, number, name) for number, name in enumerate(names) if (rank := _rank(typed, name)) is not None]
    best = min(ranked, default=(0,))[0]
    return [name for rank, _, name in sorted(ranked) if rank < _BY_LETTERS or best > _BY_WORDS]


def by_family(name: str) -> tuple[tuple[int, str, float], ...]:
    """A sort key that keeps families together: sizes by parameters, then versions, then words by letters."""
    return tuple(_place(token) for token in _tokens(name))


def _rank(typed: str, name: str) -> int | None:
    """How well `typed` names `name`, 0 best; None when it does not."""
    wanted, had = _squeezed(typed), _squeezed(name)
    words, tokens = _tokens(typed), _tokens(name)
    tests = (
        wanted == had,
        tokens[: len(words)] == words,
        tokens[: len(words) - 1] == words[:-1] and _begins(tokens, words),
        set(words) <= set(tokens),
        had.startswith(wanted),
        wanted in had,
        all(_squeezed(word) in had for word in re.split(r"[\s\-_/,]+", typed)),
    )
    return next((rank for rank, passed in enumerate(tests) if passed), None)


def _begins(tokens: list[str], words: list[str]) -> bool:
    """Whether the last word is the start of a version or of a word: "3" of 3.1, "mistral la" of Mistral-Large."""
    place, last = len(words) - 1, words[-1] if words else ""
    return len(tokens) > place and tokens[place].startswith(f"{last}." if last[-1:].isdigit() else last)


def _squeezed(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum() or letter == ".")


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def _place(token: str) -> tuple[int, str, float]:
    size = _SIZE.fullmatch(token)
    if size:
        return (0, "", float(size[1]) * _STEPS[size[2]])
    if token[0].isdigit():
        return (1, "", float(re.match(r"[\d.]+", token)[0]))  # type: ignore[index]
    return (2, token, 0.0)
