"""Cells of Inputs that follow another input: an efficiency that is typed in, and ranges of figures that are typed over.

A stated efficiency stands for the speed as `--mfu` does: the step takes what it makes of the FLOPs of the model,
nothing is added for practice or offloading, and its range is that of a stated efficiency. As long as it is the one
that was exported, the figures of the engine stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.budget.uncertainty import DRIVEN
from report_templates.excel.cells import Formula
from report_templates.excel.entries import MFU, MFU_RANGE, Entry

if TYPE_CHECKING:
    from report_templates.excel.book import Book

_TYPED_OVER = ("price", "power", "pue", "grid")  # drivers whose input a table gives and a reader may type
_BY_EFFICIENCY = {
    "gpu_step_time_s": "{flops_per_token}*{global_batch}*{sequence_length}*(1-{padding_share})"
    "/({gpus}*{peak_flops}*{stated_mfu})",
    "offload_s": "0",
    "practice_factor": "1",
    "driver.speed.low": "1/{stated_mfu_range}",
    "driver.speed.high": "{stated_mfu_range}",
}
_READ = (
    "flops_per_token", "global_batch", "sequence_length", "padding_share", "gpus", "peak_flops", MFU, MFU_RANGE,
)  # fmt: skip


def driver_factor(key: str) -> tuple[str, str] | None:
    """The driver that moves a given line, and the sign that its factor is joined with; None for other lines."""
    driver = next((driver for driver, driven in DRIVEN.items() if driven == key), None)
    return None if driver is None else (driver, "/" if driver == "overhead" else "*")


def derived(book: Book, sheet: str, entry: Entry, case: int) -> Formula | None:
    """The formula of an input of a scenario that follows another one; None for what is typed in."""
    if not isinstance(entry.value, str | int | float):
        return None
    grid = book.grid
    exported = f"{grid.exported_column(case)}{grid.row(entry.key)}"
    if entry.key in _BY_EFFICIENCY:
        cells = {key: grid.cell(sheet, key, case) for key in _READ}
        stated = _BY_EFFICIENCY[entry.key].format(**cells)
        return Formula(f"IF({_unchanged(book, sheet, MFU, case)},{exported},{stated})", entry.value)
    _, _, name = entry.key.removesuffix(".low").removesuffix(".high").partition("driver.")
    if name in _TYPED_OVER and DRIVEN[name] in book.cases[case].budget.ledger:
        return Formula(f"IF({_unchanged(book, sheet, DRIVEN[name], case)},{exported},1)", entry.value)
    return None


def _unchanged(book: Book, sheet: str, key: str, case: int) -> str:
    """Whether an input of a scenario is what it was at export; it stands on Inputs, Prices or Power."""
    grid = book.grid
    cell = grid.cell(sheet, key, case)
    there, dot, _ = cell.rpartition("!")
    return f"{cell}={there}{dot}{grid.exported_column(case)}{grid.row(key)}"
