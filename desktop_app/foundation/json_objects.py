"""JSON objects of somebody else's writing: a key that says two things is a contradiction and no choice of ours."""

from __future__ import annotations

from typing import Any


class RepeatedKeyError(ValueError):
    """A key that stands twice in one object with different values."""

    def __init__(self, key: str) -> None:
        """Keep the key."""
        super().__init__(f"the key {key!r} stands twice")
        self.key = key


def without_contradictions(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of `pairs`, as the object_pairs_hook of json.loads. Raises RepeatedKeyError; true is not 1 here."""
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values and repr(values[key]) != repr(value):
            raise RepeatedKeyError(key)
        values[key] = value
    return values
