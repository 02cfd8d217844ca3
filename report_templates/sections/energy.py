"""Energy and carbon: electricity with cooling, carbon by both methods, what is inside the boundary, what is unknown."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.explain import formula_texts
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.report import Report

_ROWS = (
    ("energy_it_kwh", True),
    ("energy_gpus_kwh", False),
    ("energy_hosts_kwh", False),
    ("energy_network_kwh", False),
    ("energy_idle_kwh", False),
    ("pue", False),
    ("energy_facility_kwh", True),
    ("development_energy_kwh", False),
    ("grid_g_per_kwh", False),
    ("co2e_kg_location", True),
    ("development_co2e_kg", False),
    ("market_g_per_kwh", False),
    ("co2e_kg_market", True),
    ("co2e_kg_embodied", True),
    ("sci_kg_per_run", True),
    ("water_l", True),
)
_ALWAYS = (
    "energy_it_kwh", "pue", "energy_facility_kwh", "grid_g_per_kwh", "co2e_kg_location",
    "market_g_per_kwh", "co2e_kg_market", "co2e_kg_embodied", "sci_kg_per_run", "water_l",
)  # fmt: skip
"""Said to be not known where they are; the others are left out then."""
_PROBLEMS = ("no_power", "pue_assumed", "no_grid", "no_market_factor", "no_embodied", "no_water")


def energy(report: Report) -> Iterator[Flowable]:
    """The section."""
    words, ledger = report.words, report.budget.ledger
    known = ledger.value("energy_facility_kwh") is not None and ledger.value("co2e_kg_location") is not None
    values = {"energy": report.value("energy_facility_kwh"), "carbon": report.value("co2e_kg_location")}
    yield report.text(words("proposal.energy_lead", **values) if known else words("proposal.energy_unknown"), "lead")
    yield from _table(report)
    sentences = [words.sentence(problem) for problem in report.budget.problems if problem.key in _named()]
    if ledger.value("co2e_kg_market") is not None:
        sentences.append(words("proposal.market_known"))
    yield report.text("\n".join(sentences), "note")
    yield report.text(words("proposal.boundary_developed" if report.developed else "proposal.boundary"), "note")


def _named() -> frozenset[str]:
    """The sentences that belong here."""
    return frozenset(f"problem.{name}" for name in _PROBLEMS)


def _table(report: Report) -> Iterator[Flowable]:
    words = report.words
    columns = (
        Column(words("head.figure"), weight=1.1),
        Column(words("head.value"), "right"),
        Column(words("figure.range"), "right"),
        Column(words("proposal.head_how"), weight=1.6),
    )
    stated = (key for key, _ in _ROWS if report.budget.ledger.value(key) is not None)
    shown = {*stated, *_ALWAYS}
    rows = [_row(report, key, computed) for key, computed in _ROWS if key in shown]
    return report.captioned_table(words("proposal.energy_table"), columns, rows, tight=True)


def _row(report: Report, key: str, is_result: bool) -> Row:
    ledger = report.budget.ledger
    line = ledger[key]
    value: str | Cell = report.value(key)
    if ledger.value(key) is None:
        value = Cell(report.value(key), "cell_warn")
    elif is_result:
        value = Cell(report.value(key), "cell_bold")
    how, _ = formula_texts(report.budget, key, report.words)
    if not how:
        how = ", ".join(part for part in (report.cited(line), line.source.as_of) if part)
    return Row((report.name(key), value, report.span(key) if ledger.value(key) is not None else "", how))
