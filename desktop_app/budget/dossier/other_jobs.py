"""Another job that may do as well: a smaller model, adapters, fewer tokens. What comes out is not the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log10

from desktop_app.budget.budget import Budget
from desktop_app.budget.constants import constants
from desktop_app.budget.dossier.thresholds import modifies
from desktop_app.budget.dossier.ways import LAYOUT, Way, changed, overfull, tried
from desktop_app.estimation.parameters import count
from desktop_app.estimation.presets import model_named, preset_names
from desktop_app.foundation.problems import UserError
from pricing.catalogue import Catalogue

_SMALLEST, _LARGEST = 0.3, 0.75  # of the present parameters: about half
_HALF = 0.5
_BUILT = 6  # names that are looked at more closely
_SIZE = re.compile(r"(?:(\d+)x)?(\d+(?:\.\d+)?)([BM])(?![A-Za-z])")
_SHARED = 0.8  # of the experts' parameters counted one by one; attention is shared (Mixtral: 46.7B of 8 x 7B)
_UNITS = {"B": 1e9, "M": 1e6}


def other_jobs(budget: Budget, catalogue: Catalogue) -> Iterator[Way]:
    """A smaller model; then adapters where a model is fine-tuned, or fewer tokens where one is trained from nothing."""
    yield from _smaller_model(budget, catalogue)
    method = budget.scenario.job.method
    if method == "lora" or (method == "full" and modifies(budget)):
        yield from _adapters(budget, "qlora" if method == "lora" else "lora", catalogue)
    elif method == "full":
        yield from _fewer_tokens(budget, catalogue)


def _adapters(budget: Budget, method: str, catalogue: Catalogue) -> Iterator[Way]:
    freed = (*LAYOUT, "mfu", "base_precision", "sharding", "recompute")
    yield from _other(budget, method, {}, catalogue, freed, method=method)


def _fewer_tokens(budget: Budget, catalogue: Catalogue) -> Iterator[Way]:
    """As many tokens as make the best model of the compute; published for dense networks only."""
    if budget.estimate.shape.experts:
        return
    best = _two_digits(constants()["optimal_tokens_per_parameter"].value * budget.estimate.shape.params_total)
    if best < budget.estimate.job.tokens:
        yield from _other(budget, "fewer_tokens", {"billions": best / 1e9}, catalogue, (), tokens=best)


def _two_digits(value: float) -> float:
    return round(value, 1 - int(log10(value)))


def _smaller_model(budget: Budget, catalogue: Catalogue) -> Iterator[Way]:
    """The likeliest model of about half the parameters that can be estimated."""
    shape = budget.estimate.shape
    for name in _similar(budget.estimate.model.name, float(shape.params_total))[:_BUILT]:
        parameters = count(model_named(name))
        ratio, active = parameters.whole / shape.params_total, parameters.whole_active / shape.params_active
        if not _SMALLEST <= ratio <= _LARGEST or active > _LARGEST or ratio * overfull(budget) > 1:
            continue
        values: dict[str, str | float] = {"model": name, "percent": round(100 * ratio)}
        found = list(_other(budget, "smaller_model", values, catalogue, LAYOUT, model=name))
        if found:
            yield from found
            return


def _other(
    budget: Budget,
    kind: str,
    values: dict[str, str | float],
    catalogue: Catalogue,
    freed: tuple[str, ...],
    **choices: object,
) -> Iterator[Way]:
    try:
        found = tried(changed(budget.scenario, freed, **choices), catalogue)
    except UserError:
        return
    if found is not None:
        yield Way(kind, values, found, same_scope=False)


def _similar(name: str, parameters: float) -> list[str]:
    """Names of about half as many parameters: those of the same series first, then of the same makers, then others.

    By what the names say of the size: building all presets takes longer than all alternatives together.
    """
    series, maker = _series(name), _maker(name)
    sized = [(other, size / parameters) for other in preset_names() if (size := _size(other)) is not None]
    fitting = [(other, ratio) for other, ratio in sized if _SMALLEST <= ratio <= _LARGEST]

    def rank(entry: tuple[str, float]) -> tuple[int, float, str]:
        other, ratio = entry
        kinship = 0 if _series(other) == series else 1 if _maker(other) == maker else 2
        return (kinship, abs(log10(ratio / _HALF)), other)

    return [other for other, _ in sorted(fitting, key=rank)]


def _size(name: str) -> float | None:
    found = _SIZE.search(name)
    if found is None:
        return None
    experts, number, unit = found.groups()
    return float(number) * _UNITS[unit] * (int(experts) * _SHARED if experts else 1)


def _series(name: str) -> str:
    found = _SIZE.search(name)
    return name[: found.start()].lower() if found else name.lower()


def _maker(name: str) -> str:
    return re.split(r"[-\d.]", name.lower(), maxsplit=1)[0]
