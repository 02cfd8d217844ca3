"""The budget as an Excel workbook: every figure a live formula with its result stored beside it."""

from __future__ import annotations

from pathlib import Path

from desktop_app.budget.budget import Budget
from desktop_app.foundation.files import replace_file
from desktop_app.foundation.wording import Language
from report_templates.excel.book import Book
from report_templates.excel.budget import write_budget
from report_templates.excel.cells import Place
from report_templates.excel.check_list import Parts
from report_templates.excel.checks import Light, write_checks
from report_templates.excel.inputs import write_inputs
from report_templates.excel.memory import write_memory
from report_templates.excel.sources import write_sources
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
    "in_today": "today",
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


def write_workbook(budget: Budget, path: Path, language: Language) -> None:
    """Write the workbook whole or not at all. Raises UserError when the file cannot be written."""
    data = workbook_bytes(budget, language)
    replace_file(path, lambda beside: _write(beside, data))


def workbook_bytes(budget: Budget, language: Language) -> bytes:
    """The workbook as a file's bytes; the same budget and language give the same bytes."""
    book = Book(budget, language)
    summary_sheet = book.add_sheet("summary", "output", last_column="I")
    inputs_sheet = book.add_sheet("inputs", "input", last_column="I")
    budget_sheet = book.add_sheet("budget", "calculation", last_column="F")
    memory_sheet = book.add_sheet("memory", "calculation", last_column="H")
    sources_sheet = book.add_sheet("sources", "control", last_column="H")
    checks_sheet = book.add_sheet("checks", "control", last_column="J")
    inputs = write_inputs(book, inputs_sheet)
    memory = write_memory(book, memory_sheet)
    calculated = write_budget(book, budget_sheet)
    ages = write_sources(book, sources_sheet)
    summary = write_summary(book, summary_sheet, memory.verdict, ages)
    light = write_checks(book, checks_sheet, Parts(inputs, summary.amounts, calculated, ages))
    book.put_light(light.text, light.ok)
    _name_cells(book, summary, light, memory.verdict, memory.peak_gib)
    return book.finished()


def _name_cells(book: Book, summary: Summary, light: Light, verdict: Place, peak_gib: Place) -> None:
    for name, key in _LINE_NAMES.items():
        if key in book.places:  # development only where the user states it
            book.name_cell(name, book.places[key])
    for name, key in _HEADLINE_NAMES.items():
        book.name_cell(name, summary.headlines[key])
    book.name_cell("out_mem_fits", verdict)
    book.name_cell("out_mem_peak_gib", peak_gib)
    book.name_cell("out_checks_ok", light.ok)


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
