"""The words of the proposal, each explained in one sentence."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from report_templates.pdf.blocks import WIDE, Run
from report_templates.sections.report import Report

TERMS = (
    "base", "p10", "ask", "contingency", "token", "parameter", "flop", "mfu", "goodput", "gpu_hour",
    "node_hour", "wall", "checkpoint", "failure_time", "on_demand", "spot", "reserved", "break_even", "parallel",
    "sharding", "recompute", "mixed", "lora", "experts", "pue", "location", "market", "embodied", "sci", "driver",
    "dominated",
)  # fmt: skip


def glossary(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    for term in TERMS:
        name, told = words(f"glossary.{term}"), words(f"glossary.{term}.told")
        yield report.runs([Run(name, bold=True), Run(f"{WIDE}{told}")], "formula")
