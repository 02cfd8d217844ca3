"""All sheets of the workbook in their order, and the names of the cells that others rely on."""

from __future__ import annotations

from collections.abc import Mapping

from report_templates.excel.alternatives import write_alternatives
from report_templates.excel.book import Book, SheetKind
from report_templates.excel.cells import Place, Sheet
from report_templates.excel.check_list import Parts
from report_templates.excel.checks import Light, write_checks
from report_templates.excel.data import write_data
from report_templates.excel.embedded import write_embedded
from report_templates.excel.entries import MFU, START, TODAY
from report_templates.excel.focus import write_focus
from report_templates.excel.log import write_log
from report_templates.excel.look import WARNING
from report_templates.excel.memory import MemoryCells, write_memory
from report_templates.excel.price_rows import write_price_rows
from report_templates.excel.purchase import write_purchases
from report_templates.excel.readme import Listed, write_readme
from report_templates.excel.risks import write_risks
from report_templates.excel.rows import GridWriter
from report_templates.excel.schedule import write_schedule
from report_templates.excel.sensitivity import write_sensitivity
from report_templates.excel.summary import Summary, write_summary

# Names of cells that users, other workbooks and tests rely on. An underscore keeps them from reading as addresses.
_LINE_NAMES = {
    "in_tokens": "tokens",
    "in_seq_len": "sequence_length",
    "in_global_batch": "global_batch",
    "in_gpu_count": "gpus",
    "in_gpus_per_node": "gpus_per_node",
    "in_gpu_peak_flops": "peak_flops",
    "in_params_total": "params_total",
    "in_params_active": "params_active",
    "in_params_trainable": "params_trainable",
    "in_gpu_step_time_s": "gpu_step_time_s",
    "in_practice_factor": "practice_factor",
    "in_price_gpu_h": "price_usd_per_gpu_hour",
    "in_fx": "fx_rate",
    "in_evaluation_percent": "evaluation_percent",
    "in_mtbf_gpu_h": "mtbf_gpu_hours",
    "in_restart_minutes": "restart_minutes",
    "in_stall_share": "data_stall_share",
    "in_dev_multiplier": "development_multiplier",
    "in_node_kw": "node_power_kw",
    "in_pue": "pue",
    "in_ci_location": "grid_g_per_kwh",
    "in_ci_market": "market_g_per_kwh",
    "out_flop": "training_flops",
    "out_step_time_s": "step_time_s",
    "out_mfu": "mfu",
    "out_goodput": "goodput",
    "out_gpu_hours": "gpu_hours",
    "out_wall_days": "wall_days",
    "out_cost_base": "cost.total",
    "out_cost_p10": "cost.total.p10",
    "out_cost_p50": "cost.total.p50",
    "out_cost_p80": "cost.total.p80",
    "out_cost_p90": "cost.total.p90",
    "out_request": "cost.ask",
    "out_contingency": "contingency",
    "out_kwh": "energy_facility_kwh",
}
_HEADLINE_NAMES = {
    "out_tco2e_location": "co2e_kg_location",
    "out_tco2e_market": "co2e_kg_market",
    "out_tco2e_embodied": "co2e_kg_embodied",
}


_ENTRY_NAMES = {"in_today": TODAY, "in_start_date": START, "in_mfu": MFU}


_SHEETS: tuple[tuple[str, SheetKind, str], ...] = (
    ("readme", "control", "D"),
    ("summary", "output", "I"),
    ("inputs", "input", "E"),
    ("prices", "input", "E"),
    ("power", "input", "E"),
    ("compute", "calculation", "E"),
    ("memory", "calculation", "E"),
    ("schedule", "calculation", "F"),
    ("cost", "calculation", "E"),
    ("purchase", "output", "H"),
    ("alternatives", "output", "H"),
    ("sensitivity", "output", "H"),
    ("risks", "input", "H"),
    ("checks", "control", "J"),
    ("focus", "output", "G"),
    ("data", "output", "H"),
    ("log", "control", "H"),
)
"""The sheets in their order: key, kind, and the column that the light of the checks stands in."""

_OF_SIMPLE_JOBS = ("readme", "summary", "inputs", "prices", "power", "compute", "checks")
_SIMPLE_GPUS = 8  # one scenario on at most so many GPUs: the other sheets are there, and hidden


def write_sheets(book: Book) -> None:
    """Fill the book."""
    sheets = {key: book.add_sheet(key, kind, column) for key, kind, column in _SHEETS}
    written = tuple(
        GridWriter(book, sheets[key], key).write(book.words(f"workbook.{key}_note"))
        for key in ("inputs", "prices", "power", "compute", "cost")
    )
    memory = write_memory(book, sheets["memory"])
    write_price_rows(book, sheets["prices"])
    write_purchases(book, sheets["purchase"])
    write_alternatives(book, sheets["alternatives"])
    write_sensitivity(book, sheets["sensitivity"])
    write_risks(book, sheets["risks"])
    schedule = write_schedule(book, sheets["schedule"])
    focus = write_focus(book, sheets["focus"], schedule)
    write_data(book, sheets["data"])
    ages = write_log(book, sheets["log"])
    summary = write_summary(book, sheets["summary"], memory.verdict, ages)
    parts = Parts((*written, memory.written), summary.amounts, ages, schedule, focus)
    light = write_checks(book, sheets["checks"], parts)
    hidden = _hide(book, sheets)
    write_readme(book, sheets["readme"], [Listed(key, kind, key in hidden) for key, kind, _ in _SHEETS])
    book.put_light(light.text, light.ok)
    sheets["summary"].put("B", book.link(sheets["summary"], light.failing), WARNING, row=3)
    sheets["summary"].page.row_dimensions[3].height = 14
    _name_cells(book, summary, light, memory)
    write_embedded(book, sheets["log"])


def _hide(book: Book, sheets: Mapping[str, Sheet]) -> frozenset[str]:
    """Hide what a simple job does not need at first; a menu of the spreadsheet program shows it again."""
    simple = len(book.dossier.budgets) == 1 and book.budget.estimate.cluster.gpus <= _SIMPLE_GPUS
    hidden = frozenset(sheets) - frozenset(_OF_SIMPLE_JOBS) if simple else frozenset()
    for key in hidden:
        sheets[key].page.sheet_state = "hidden"
    return hidden


def _name_cells(book: Book, summary: Summary, light: Light, memory: MemoryCells) -> None:
    for name, key in _LINE_NAMES.items():
        if key in book.places:  # development only where the user states it
            book.name_cell(name, book.places[key])
    for name, key in _ENTRY_NAMES.items():
        book.name_cell(name, Place(book.grid.title(key), book.grid.address(key, 0), None))
    for name, key in _HEADLINE_NAMES.items():
        book.name_cell(name, summary.headlines[key])
    book.name_cell("out_mem_fits", memory.verdict)
    book.name_cell("out_mem_peak_gib", memory.peak_gib)
    book.name_cell("out_checks_ok", light.ok)
