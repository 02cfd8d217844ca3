"""The energy block of a model card, before the training: as a page, and as Markdown to be pasted into a card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportlab.platypus import Flowable, Spacer

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.project import app_version
from desktop_app.foundation.wording import Language
from pricing.quotes import WORLDWIDE
from report_templates.figures import document_title
from report_templates.fingerprint import result_mark
from report_templates.pdf.columns import Column, Row
from report_templates.sections.cover import brand_row
from report_templates.sections.report import Report
from report_templates.sections.self_check import failed_checks
from report_templates.sections.thresholds import counted

_RANGED = ("wall_days", "gpu_hours", "energy_facility_kwh", "co2e_kg_location")
_LINKS = {"://": "&#58;//", "www.": "www&#46;", "@": "&#64;"}  # what some readers make links of by themselves
_MARKUP = re.compile(r"([\\`*_{}\[\]|~$]|^[#+-])")  # what means something in Markdown, some of it at the start only


def card(report: Report) -> Iterator[Flowable]:
    """The page."""
    words = report.words
    yield brand_row(report, "doc.card")
    yield Spacer(1, 14)
    yield report.heading(report.title, "section")
    yield report.text(_made(report), "lead")
    yield from failed_checks(report)
    columns = (Column(words("head.figure"), weight=1), Column(words("head.value"), weight=1.4))
    yield report.table(columns, [Row(pair) for pair in _pairs(report)])
    yield report.text(words("proposal.card_note"), "note")
    if report.dossier.organisation.disclaimer:
        yield report.text(report.dossier.organisation.disclaimer, "note")


def markdown(dossier: Dossier, language: Language) -> str:
    """A heading, a sentence and a table; names are escaped, so that they stand as they are and do nothing."""
    report = Report(dossier, language, 0.0, {})
    words = report.words
    rows = [f"| {_escaped(name)} | {_escaped(value)} |" for name, value in _pairs(report)]
    lines = [
        f"## {words('proposal.card_heading')}",
        "",
        _escaped(document_title(dossier.base, words)),
        "",
        _escaped(_made(report)),
        "",
        f"| {words('head.figure')} | {words('head.value')} |",
        "|---|---|",
        *rows,
        "",
        _escaped(words("proposal.card_note")),
    ]
    return "\n".join(lines) + "\n"


def _made(report: Report) -> str:
    """That it was estimated before the training, when, with what."""
    day, mark = report.budget.scenario.today.isoformat(), result_mark(report.budget)
    return report.words("proposal.card_made", date=day, version=app_version(), mark=mark)


def _pairs(report: Report) -> list[tuple[str, str]]:
    """Names and values, in the order in which cards have them."""
    words, estimate = report.words, report.budget.estimate
    hardware = words("proposal.annex_cluster", count=estimate.cluster.gpus, gpus=report.value("gpus"),
                     gpu=estimate.cluster.gpu.name)  # fmt: skip
    keys = ("gpu_hours", "wall_days", "gpu_alone_kw", "it_kw_per_gpu", "pue", "energy_facility_kwh", "grid_g_per_kwh",
            "co2e_kg_location", "co2e_kg_market", "co2e_kg_embodied", "water_l")  # fmt: skip
    return [
        (words("proposal.annex_hardware"), hardware),
        (words("field.provider"), report.budget.place.provider or words("state.not_known")),
        (words("field.region"), _region(report)),
        *((report.name(key), _figure(report, key)) for key in keys if key in report.budget.ledger),
        (words("proposal.annex_compute"), counted(report)),
        (words("proposal.annex_parameters"), report.value("params_total")),
        (words("proposal.annex_tokens"), report.value("tokens")),
    ]


def _region(report: Report) -> str:
    region = report.budget.place.region
    return report.words("state.not_known") if region is None or region in WORLDWIDE else region


def _figure(report: Report, key: str) -> str:
    """With its P10 to P90 where it has a range."""
    if key not in _RANGED or report.budget.ledger.value(key) is None:
        return report.value(key)
    return report.words("proposal.with_range", value=report.value(key), range=report.span(key))


def _escaped(text: str) -> str:
    """`text` on one line, without any meaning in Markdown or HTML."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for link, broken in _LINKS.items():
        plain = plain.replace(link, broken)
    return _MARKUP.sub(r"\\\1", plain)
