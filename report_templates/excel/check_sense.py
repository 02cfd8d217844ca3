"""Checks of sense: does the layout divide, and do the figures lie where figures of their kind lie."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_app.budget.constants import constants
from report_templates.excel.book import Book
from report_templates.excel.cells import Formula, Sheet
from report_templates.excel.check import Check

_DIVIDED = (("heads", "tp"), ("experts", "ep"))  # what must split evenly over which ranks
_BANDS = ("mfu", "price_usd_per_gpu_hour", "kwh_per_gpu_hour")
"""Figures with rows plausible.* in the constants, the last one a quotient."""


def sense_checks(book: Book, sheet: Sheet) -> Iterator[Check]:
    """The checks, addresses as seen from `sheet`."""
    yield _divides(book, sheet)
    yield _hours(book, sheet)
    for name in _BANDS:
        yield from _band(book, sheet, name)
    yield from _thresholds(book, sheet)


def _divides(book: Book, sheet: Sheet) -> Check:
    """Heads over tensor ranks, experts over expert ranks, layers over pipeline stages: how many do not divide."""
    grid, words = book.grid, book.words
    faults = []
    for whole, ranks in _DIVIDED:
        if whole in grid and ranks in grid:
            cells = (grid.cell(sheet.title, key, 0) for key in (whole, ranks))
            faults.append("IF(MOD({},{})=0,0,1)".format(*cells))
    layers, stages = (grid.cell(sheet.title, key, 0) for key in ("layers", "pp"))
    faults.append(f"IF({layers}>={stages},0,1)")
    return Check(words("check.divides"), Formula("+".join(faults), 0), 0, words("check.rerun"))


def _hours(book: Book, sheet: Sheet) -> Check:
    """GPU-hours of the run are its GPUs times its hours on the clock."""
    words, places = book.words, book.places
    gpus, hours = (places[key].seen_from(sheet.title) for key in ("gpus", "wall_hours"))
    whole, value = book.link(sheet, places["gpu_hours"]), book.budget.ledger.value("wall_hours")
    product = whole.result if value is None else (book.budget.ledger.value("gpus") or 0.0) * value
    text = f"IF(COUNT({hours})=1,{gpus}*{hours},{whole.text})"
    return Check(
        words("check.hours"), Formula(text, product), whole, words("check.same_advice"),
        abs(product) * 1e-9 if isinstance(product, float) else 0.0,
    )  # fmt: skip


def _band(book: Book, sheet: Sheet, name: str) -> Iterator[Check]:
    """A notice where a figure lies outside the band of published ones; nothing where it is not known."""
    words, row = book.words, constants()[f"plausible.{name}"]
    figure = _figure(book, sheet, name)
    if figure is None:
        return
    for test, end in (("at_least", row.low), ("at_most", row.high)):
        label = words(f"check.{test}", item=words(f"check.figure.{name}"))
        yield Check(
            label, figure, float(end or 0.0), words("check.band_advice"), test=test, must=0,  # type: ignore[arg-type]
            number=book.number_format("share" if name == "mfu" else "ratio", figure.result),
        )  # fmt: skip


def _figure(book: Book, sheet: Sheet, name: str) -> Formula | None:
    ledger, places = book.budget.ledger, book.places
    if name != "kwh_per_gpu_hour":
        return book.link(sheet, places[name]) if ledger.value(name) is not None else None
    energy, hours = ledger.value("energy_facility_kwh"), ledger.value("energy_gpu_hours")
    if not energy or not hours:
        return None
    cells = (places[key].seen_from(sheet.title) for key in ("energy_facility_kwh", "energy_gpu_hours"))
    return Formula("{}/{}".format(*cells), energy / hours)


def _thresholds(book: Book, sheet: Sheet) -> Iterator[Check]:
    """Training compute against the thresholds of published rules: a notice, never advice on law."""
    flop = book.link(sheet, book.places["training_flops"])
    for threshold in book.dossier.thresholds:
        yield Check(
            book.words("check.threshold", rule=book.words(f"threshold.{threshold.key}")), flop, threshold.flop,
            book.words("check.threshold_advice"), test="at_most", must=0, number="0.00E+00",
        )  # fmt: skip
