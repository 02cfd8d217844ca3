"""Parameter counts against those of the real model classes: params.csv and the configs beside it."""

from pathlib import Path

from desktop_app.estimation.huggingface import read_config
from desktop_app.estimation.parameters import count
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.rows import UnansweredError, ValidationRow
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

_QUANTITIES = ("total_params", "active_params_per_token")
_OTHER = "vision_and_projector_params"
_TABLE = Table("params", ("name", *_QUANTITIES, _OTHER, "origin"), _QUANTITIES[0], id="name", source_group="origin")


def rows(folder: Path) -> list[ValidationRow]:
    """Two rows for each network of params.csv in `folder`: all parameters, and those that one token uses.

    Of a multimodal network the text part is compared: the published count less its vision and projector parameters.
    Raises UserError for a table that cannot be read.
    """
    return _TABLE.rows(folder, lambda cells: _compared(cells, folder / "configs"))


def _compared(cells: Cells, configs: Path) -> list[ValidationRow]:
    other = value(cells, _OTHER) or 0.0
    try:
        if cells[_OTHER] and value(cells, _OTHER) is None:
            raise UnansweredError("refused", f"{_OTHER} is no number")
        counted = count(read_config(configs / f"{cells['name']}.json"))
    except (UserError, UnansweredError) as error:
        reason = error.reason if isinstance(error, UnansweredError) else words_of("en").sentence(error.problems[0])
        return [_row(cells, quantity, None, reason) for quantity in _QUANTITIES]
    note = "text part: published less vision and projector" if other else ""
    predicted = {"total_params": counted.total, "active_params_per_token": counted.active}
    return [_row(cells, quantity, predicted[quantity], note) for quantity in _QUANTITIES]


def _published(cells: Cells, quantity: str) -> float | None:
    """The published count of what we count: without the vision part."""
    whole = value(cells, quantity)
    return None if whole is None else whole - (value(cells, _OTHER) or 0.0)


def _row(cells: Cells, quantity: str, predicted: int | None, note: str) -> ValidationRow:
    """A count has no range: low and high are the count itself."""
    counted = None if predicted is None else float(predicted)
    return ValidationRow(
        table=_TABLE.name,
        id=cells["name"],
        source_group=_source_group(cells["origin"]),
        quantity=quantity,
        published=_published(cells, quantity),
        predicted=counted,
        low=counted,
        high=counted,
        status="refused" if predicted is None else "ok",
        note=note,
    )


def _source_group(origin: str) -> str:
    """The repository that a config came from, or "published facts" for one written from them."""
    first, _, _ = origin.partition(" ")
    return first if "/" in first else "published facts"
