"""What the form needs to know of each choice, read from the scenario's own fields: no card is written by hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from types import NoneType
from typing import Any, Literal, get_args

from pydantic.fields import FieldInfo

from desktop_app.budget.scenario import Scenario, choices
from desktop_app.estimation.gpus import gpu_named, gpu_names
from desktop_app.estimation.presets import model_named, preset_names
from desktop_app.foundation.number_reading import shown_number
from desktop_app.foundation.problems import Problem, UserError
from desktop_app.foundation.quantities import percent_text
from desktop_app.foundation.records import Card, meta_of, options_of
from desktop_app.foundation.wording import Words
from desktop_app.window.name_search import by_family
from pricing.catalogue import Catalogue, load_catalogue

Kind = Literal["number", "options", "names", "day"]
Option = tuple[Any, str]  # the value of a choice, and its words

CARDS: tuple[Card, ...] = ("model", "job", "cluster", "price", "beside", "energy")
PERCENT_UNITS = ("percent", "share")
_UNITLESS = ("", "ratio", "number", "factor")


@lru_cache(maxsize=1)
def _models() -> tuple[Option, ...]:
    """Networks by family, then version, then size."""
    return _as_they_are(tuple(sorted(preset_names(), key=by_family)))


@lru_cache(maxsize=2)
def _as_they_are(names: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple((name, name) for name in names)


def seller_name(code: str) -> str:
    """What a seller is called; a name that is no code stands for itself."""
    sellers = load_catalogue().provider_rows.get(code, ())
    return sellers[0].name if sellers else code


def seller_named(text: str) -> str:
    """A place or a row of the price table with the name of its seller in place of the code: "AWS us-east-1"."""
    code, gap, rest = text.partition(" ")
    return f"{seller_name(code)}{gap}{rest}"


def place_words(scenario: Scenario) -> str:
    """The place of a scenario: "AWS us-east-1"."""
    price = scenario.price
    return " ".join(filter(None, (seller_name(price.provider or ""), price.region)))


def sentence(problem: Problem, words: Words) -> str:
    """What a problem says, with sellers by their names."""
    values = {
        key: seller_named(value) if key in ("provider", "region", "row") and isinstance(value, str) else value
        for key, value in problem.values.items()
    }
    return words.sentence(replace(problem, values=values))


def _providers(catalogue: Catalogue) -> tuple[Option, ...]:
    """Sellers by what they are called."""
    return tuple((code, seller_name(code)) for code in catalogue.providers())


def _regions(scenario: Scenario, catalogue: Catalogue, words: Words) -> tuple[Option, ...]:
    """Regions with their city, by which people look for them; first those with a price for the chosen GPU."""
    provider, gpu = scenario.price.provider or "", gpu_named(scenario.cluster.gpu).name
    cities = {row.region: row.city for row in catalogue.region_rows(provider)}
    named = {code: f"{code}, {cities[code]}" if code in cities else code for code in catalogue.regions(provider)}
    sold = [code for code in catalogue.regions(provider, gpu) if code in named]
    unsold = [code for code in named if code not in sold]
    return (
        *((code, named[code]) for code in sold),
        *((code, words("option.region_unsold", region=named[code], gpu=gpu)) for code in unsold),
    )


def _currencies(scenario: Scenario, catalogue: Catalogue) -> tuple[Option, ...]:
    """Currencies with a rate, by their codes; any other code may be typed when the rate is given."""
    return _as_they_are(tuple(sorted({"USD", scenario.price.currency, *catalogue.fx_rows})))


# The choices whose names come from a table: the scenario so far and the catalogue say which names there are.
NAMES: dict[str, Callable[[Scenario, Catalogue, Words], tuple[Option, ...]]] = {
    "model": lambda scenario, catalogue, words: _models(),
    "gpu": lambda scenario, catalogue, words: _as_they_are(gpu_names()),
    "provider": lambda scenario, catalogue, words: _providers(catalogue),
    "region": _regions,
    "currency": lambda scenario, catalogue, words: _currencies(scenario, catalogue),
}


_MEANT: dict[str, Callable[[str], str]] = {
    "model": lambda text: model_named(text).name,
    "gpu": lambda text: gpu_named(text).name,
}


def meant(key: str, text: str) -> str | None:
    """The name that a text means to the estimate: "h100" is the usual H100. None when it means none there."""
    try:
        return _MEANT[key](text) if key in _MEANT else None
    except UserError:
        return None


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One choice as a form sees it. `limits` are the lowest and highest value, None where there is none."""

    key: str
    card: Card
    kind: Kind
    unit: str
    detail: bool
    whole: bool  # whole numbers only
    optional: bool  # may be left to the program
    yes_or_no: bool
    options: tuple[str, ...]
    default: Any
    limits: tuple[float | None, float | None]

    def accepts(self, value: float) -> bool:
        """Whether the bounds and the kind of number allow `value`."""
        low, high = self.limits
        fits = (low is None or value >= low) and (high is None or value <= high)
        return fits and (not self.whole or value == int(value))


@lru_cache(maxsize=1)
def field_specs() -> tuple[FieldSpec, ...]:
    """Every choice of a scenario, in its order."""
    return tuple(_spec(key, info) for key, (_, info) in choices().items())


def _spec(key: str, info: FieldInfo) -> FieldSpec:
    meta, options = meta_of(info), options_of(info)
    parts = get_args(info.annotation) or (info.annotation,)
    yes_or_no = bool in parts
    named: Kind = "names" if str in parts else "day" if date in parts else "number"
    kind: Kind = "options" if options or yes_or_no else named
    return FieldSpec(
        key=key,
        card=meta.card,
        kind=kind,
        unit=meta.unit,
        detail=meta.detail,
        whole=int in parts and float not in parts,
        optional=NoneType in parts,
        yes_or_no=yes_or_no,
        options=options,
        default=info.default,
        limits=(_bound(info, "ge", "gt"), _bound(info, "le", "lt")),
    )


def _bound(info: FieldInfo, *names: str) -> float | None:
    for bound in info.metadata:
        for name in names:
            if getattr(bound, name, None) is not None:
                return float(getattr(bound, name))
    return None


def unit_words(unit: str, words: Words) -> str:
    """The unit inside a box; "" for a pure number."""
    return "" if unit in _UNITLESS else words(f"unit.{unit}")


def box_unit(unit: str, words: Words) -> str:
    """The unit as it stands inside a narrow box: the short one where there is one."""
    short = f"unit_short.{unit}"
    return words(short) if words.has(short) else unit_words(unit, words)


def option_words(key: str, option: Any, words: Words) -> str:
    """What one option is called; a name from a table stands for itself."""
    if isinstance(option, bool):
        return words("option.yes" if option else "option.no")
    name = f"{key}.{str(option).replace('-', '_')}"
    return words(name) if words.has(name) else str(option)


def in_box(spec: FieldSpec, value: Any, words: Words) -> str:
    """A number as it stands in its box, shares as percent; a day as it is typed."""
    if isinstance(value, date):
        return value.isoformat()
    return shown_number(as_shown(spec, value), words.language)


def in_grey(spec: FieldSpec, value: Any, words: Words) -> str:
    """A number that the program found, in an empty box: no more decimals than anybody reads."""
    if isinstance(value, date):
        return value.isoformat()
    shown = as_shown(spec, value)
    rounded = round(shown, 1 if spec.unit == "share" else 4)
    return shown_number(rounded or shown, words.language)


def when_empty(spec: FieldSpec, words: Words) -> str:
    """What an empty box stands for, in words, where that is no number: "no limit"; "" for the others."""
    key = f"empty.{spec.key}"
    return words(key) if words.has(key) else ""


def as_shown(spec: FieldSpec, value: float) -> float:
    """The number that the box shows for `value`: a share of 0.51 is 51 %."""
    return float(f"{value * 100:.12g}") if spec.unit == "share" else value


def as_meant(spec: FieldSpec, shown: float) -> float:
    """The value of the choice for a number in the box."""
    return float(f"{shown / 100:.12g}") if spec.unit == "share" else shown


def value_words(spec: FieldSpec, value: Any, words: Words) -> str:
    """A value in few words, for tooltips and the names of undo steps."""
    if value is None:
        return when_empty(spec, words) or words("parallel.chosen")
    if spec.key == "provider":
        return seller_name(str(value))
    if spec.kind != "number":
        return option_words(spec.key, value, words)
    text = in_box(spec, value, words)
    return percent_text(text, words) if spec.unit in PERCENT_UNITS else text
