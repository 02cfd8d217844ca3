"""A remedy in words: what it does to memory and to GPU-hours, which is what costs."""

from __future__ import annotations

from desktop_app.estimation.results import Remedy
from desktop_app.foundation.formatting import percent
from desktop_app.foundation.quantities import format_number
from desktop_app.foundation.wording import Words

_SAME = 0.005  # less than the half per cent that would round to 1


def memory_words(remedy: Remedy, words: Words) -> str:
    """ "-21 GiB" in words."""
    gib = format_number(abs(remedy.peak_change_bytes), "byte", words)
    return words("explain.less_memory" if remedy.peak_change_bytes <= 0 else "explain.more_memory", gib=gib)


def effort_words(remedy: Remedy, words: Words) -> str:
    """ "24 % more GPU-hours", or that they stay the same."""
    if abs(remedy.gpu_hours_change) < _SAME:
        return words("explain.same_hours")
    change = percent(abs(remedy.gpu_hours_change), 0, words.language)
    return words("explain.more_hours" if remedy.gpu_hours_change > 0 else "explain.fewer_hours", percent=change)
