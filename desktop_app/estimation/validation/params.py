"""Parameter counts against those of the real model classes: params.csv and the configs beside it."""

from pathlib import Path

from desktop_app.estimation.huggingface import read_config
from desktop_app.estimation.parameters import count
from desktop_app.estimation.validation.cell_rules import Number, Rules, require
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.rows import ValidationRow
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

_QUANTITIES = ("total_params", "active_params_per_token")
_OTHER = "vision_and_projector_params"
_MOST = 1e15  # parameters: the limit of TowerSpec.encoder_params
_RULES: Rules = {**dict.fromkeys(_QUANTITIES, Number(1, _MOST, whole=True)), _OTHER: Number(0, _MOST, whole=True)}


def _check(cells: Cells) -> None:
    """Raise UnansweredError for a count that is none."""
    require(cells, _RULES)


_TABLE = Table(
    "params", ("name", *_QUANTITIES, _OTHER, "origin"), _QUANTITIES[0], id="name", source_group="origin", check=_check
)


def rows(folder: Path) -> list[ValidationRow]:
    """Two rows for each network of params.csv in `folder`: all parameters, and those that one token uses.

    Of a multimodal network whose vision part is not counted, the text part is compared: the published count less its
    vision and projector parameters.
    Raises UserError for a table that cannot be read.
    """
    return _TABLE.rows(folder, lambda cells: _compared(cells, folder / "configs"))


def _compared(cells: Cells, configs: Path) -> list[ValidationRow]:
    try:
        spec = read_config(configs / f"{cells['name']}.json")
    except UserError as error:
        reason = words_of("en").sentence(error.problems[0])
        return [_row(cells, quantity, None, 0.0, reason) for quantity in _QUANTITIES]
    counted = count(spec)
    left_out = 0.0 if spec.tower else value(cells, _OTHER) or 0.0
    note = "text part: published less vision and projector" if left_out else "with vision part" if spec.tower else ""
    predicted = {"total_params": counted.whole, "active_params_per_token": counted.whole_active}
    return [_row(cells, quantity, predicted[quantity], left_out, note) for quantity in _QUANTITIES]


def _row(cells: Cells, quantity: str, predicted: int | None, left_out: float, note: str) -> ValidationRow:
    """A count has no range: low and high are the count itself. `left_out` is the published part that is not counted."""
    counted = None if predicted is None else float(predicted)
    published = value(cells, quantity)
    return ValidationRow(
        table=_TABLE.name,
        id=cells["name"],
        source_group=_source_group(cells["origin"]),
        quantity=quantity,
        published=None if published is None else published - left_out,
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
