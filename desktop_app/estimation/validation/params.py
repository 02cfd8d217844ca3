"""Parameter counts against those of the real model classes: params.csv and the configs beside it."""

import csv
from pathlib import Path

from desktop_app.estimation.huggingface import read_config
from desktop_app.estimation.parameters import count
from desktop_app.estimation.validation.rows import ValidationRow
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

_QUANTITIES = ("total_params", "active_params_per_token")


def rows(folder: Path) -> list[ValidationRow]:
    """Two rows for each network of params.csv in `folder`: all parameters, and those that one token uses.

    Of a multimodal network the text part is compared: the published count less its vision and projector parameters.
    An empty list when the folder has no params.csv.
    """
    table = folder / "params.csv"
    if not table.exists():
        return []
    with table.open(encoding="utf-8", newline="") as file:
        return [row for cells in csv.DictReader(file) for row in _compared(cells, folder / "configs")]


def _compared(cells: dict[str, str], configs: Path) -> list[ValidationRow]:
    other = float(cells["vision_and_projector_params"] or 0)
    published = {quantity: float(cells[quantity]) - other for quantity in _QUANTITIES}
    try:
        counted = count(read_config(configs / f"{cells['name']}.json"))
    except UserError as error:
        reason = " ".join(words_of("en").sentence(problem) for problem in error.problems)
        return [_row(cells, quantity, published[quantity], None, reason) for quantity in _QUANTITIES]
    note = "text part: published less vision and projector" if other else ""
    predicted = {"total_params": counted.total, "active_params_per_token": counted.active}
    return [_row(cells, quantity, published[quantity], predicted[quantity], note) for quantity in _QUANTITIES]


def _row(cells: dict[str, str], quantity: str, published: float, predicted: int | None, note: str) -> ValidationRow:
    """A count has no range: low and high are the count itself."""
    value = None if predicted is None else float(predicted)
    return ValidationRow(
        table="params",
        id=cells["name"],
        source_group=_source_group(cells["origin"]),
        quantity=quantity,
        published=published,
        predicted=value,
        low=value,
        high=value,
        status="refused" if predicted is None else "ok",
        note=note,
    )


def _source_group(origin: str) -> str:
    """The repository that a config came from, or "published facts" for one written from them."""
    first, _, _ = origin.partition(" ")
    return first if "/" in first else "published facts"
