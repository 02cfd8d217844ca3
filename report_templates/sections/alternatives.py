"""Alternatives: what is asked for beside other ways, the user's further scenarios, and doing nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.platypus import Flowable

from desktop_app.budget.budget import Budget
from desktop_app.budget.comparison import differences
from desktop_app.budget.dossier.alternatives import dominates, is_complete
from desktop_app.budget.explain import never_ends
from desktop_app.foundation.formatting import plain
from desktop_app.foundation.quantities import format_parts
from report_templates.pdf.blocks import Run
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.report import Report
from report_templates.settings_shown import choice_words
from report_templates.style import LIGHT

_DASH = "–"
_LOOKS = {"yes": "cell", "tight": "cell_warn", "no": "cell_warn", "unknown": "cell_warn"}


@dataclass(frozen=True, slots=True)
class Option:
    """One row: its name, what it gives up or changes, its budget, and how it stands to the others."""

    name: str
    told: str
    budget: Budget
    same_scope: bool
    dominated: bool
    complete: bool


def alternatives(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield report.text(_lead(report), "lead")
    columns = (
        Column(words("proposal.head_option"), weight=1, room=0.4),
        Column(words("proposal.head_p50_cost", currency=report.currency), "right"),
        Column(words("proposal.head_p90_cost", currency=report.currency), "right"),
        Column(words("head.days"), "right"),
        Column(words("proposal.head_fits")),
        Column(words("proposal.head_carbon"), "right"),
        Column(words("proposal.head_scope")),
    )
    rows = [_row(report, option, number == 0) for number, option in enumerate(options(report))]
    rows.append(_nothing(report))
    note = words("proposal.options_note")
    yield from report.captioned_table(words("proposal.options_table"), columns, rows, note=note)


def options(report: Report) -> list[Option]:
    """The base, the user's further scenarios in their order, and the generated alternatives in the order of cost."""
    words, dossier, base = report.words, report.dossier, report.budget
    own = report.budget.scenario.name if report.is_named else words("proposal.asked_for")
    dominated = any(dominates(other, base) for other in _rivals(report, base))
    found = [Option(own, words("proposal.asked_for_told") if report.is_named else "", base, True, dominated, True)]
    found += [_scenario(report, number, other) for number, other in enumerate(dossier.budgets[1:], 2)]
    found += [
        Option(
            words(f"alternative.{one.kind}", **one.values),
            words(f"alternative.{one.kind}.risk", **one.values),
            one.budget,
            one.same_scope,
            one.dominated,
            one.complete,
        )
        for one in dossier.alternatives
    ]
    return found


def _scenario(report: Report, number: int, budget: Budget) -> Option:
    """A further scenario of the user, told by what differs from the base."""
    base = report.budget
    name = budget.scenario.name if "name" in budget.scenario.model_fields_set else str(number)
    changes = [_change(report, key, value) for key, _, value in differences(base.scenario, budget.scenario)]
    told = report.joined(changes) or report.words("proposal.no_difference")
    same = same_job(base, budget)
    dominated = same and any(dominates(other, budget) for other in _rivals(report, budget))
    return Option(
        report.words("proposal.scenario", name=name),
        told,
        budget,
        same,
        dominated,
        is_complete(budget, base),
    )


def _rivals(report: Report, budget: Budget) -> list[Budget]:
    """The other ways to do the same job of which everything is priced that the base prices."""
    base, dossier = report.budget, report.dossier
    rivals = [other for other in dossier.budgets if other is not budget and same_job(base, other)]
    rivals = [other for other in rivals if is_complete(other, base)]
    return rivals + [one.budget for one in dossier.alternatives if one.same_scope and one.complete]


def same_job(one: Budget, other: Budget) -> bool:
    """Whether two budgets train the same model in the same way on the same tokens."""
    jobs = [(budget.estimate.model, budget.estimate.job.tokens, budget.scenario.job.method) for budget in (one, other)]
    return jobs[0] == jobs[1]


def _change(report: Report, key: str, value: object) -> str:
    words = report.words
    if key == "custom_model":
        return words("proposal.other_model")
    return words("proposal.part", name=words(f"field.{key}"), value=choice_words(key, value, words))


def _lead(report: Report) -> str:
    """How many there are, and which of the same scope costs least."""
    words, found = report.words, options(report)
    priced = [(total, option) for option in found if option.same_scope and option.complete and
              (total := option.budget.ledger.value("cost.total")) is not None]  # fmt: skip
    count = len(found) - 1
    if not priced or not report.priced:
        return words("proposal.options_lead_unpriced", count=count)
    total, cheapest = min(priced, key=lambda pair: pair[0])
    if cheapest.budget is report.budget:
        return words("proposal.options_lead_own", count=count, total=report.money(total))
    return words("proposal.options_lead", count=count, name=cheapest.name, amount=report.money(total, cheapest.budget),
                 total=report.money(report.budget.ledger.value("cost.total")))  # fmt: skip


def _row(report: Report, option: Option, is_base: bool) -> Row:
    words, ledger = report.words, option.budget.ledger
    carbon = ledger.value("co2e_kg_location")
    fits = option.budget.estimate.fits
    return Row(
        (
            _name(report, option, is_base),
            report.priced_or(ledger.value("cost.total.p50"), option.budget),
            report.priced_or(ledger.value("cost.total.p90"), option.budget),
            _days(report, option.budget),
            Cell(words(f"verdict.{fits}"), _LOOKS[fits]),
            report.tonnes(carbon),
            words("proposal.same_scope" if option.same_scope else "proposal.other_scope"),
        ),
        "ask" if is_base else "plain",
    )


def _name(report: Report, option: Option, is_base: bool) -> Flowable:
    """The name, what it gives up, and in words what speaks against it."""
    words = report.words
    faded = LIGHT.text3 if option.dominated else None
    parts = [Run(option.name, bold=True, tone=faded)]
    if option.dominated:
        parts.append(Run(f" ({words('verdict.dominated')})", tone=LIGHT.warn))
    if option.told:
        parts.append(Run(f"\n{option.told}", bold=False, tone=LIGHT.text3))
    if not option.complete:
        parts.append(Run(f"\n{words('proposal.option_incomplete')}", tone=LIGHT.warn))
    return report.runs(parts, "cell")


def _days(report: Report, budget: Budget) -> str | Cell:
    days = budget.ledger.value("wall_days")
    if days is not None:
        return format_parts((days,), "days", report.words)[0][0]
    never = never_ends(budget, "wall_days")
    return Cell(report.words("state.never_finishes" if never else "state.not_known"), "cell_warn")


def _nothing(report: Report) -> Row:
    """Doing nothing costs nothing, and gives nothing."""
    words = report.words
    name = report.runs(
        [Run(words("alternative.nothing"), bold=True), Run(f"\n{words('alternative.nothing.risk')}", tone=LIGHT.text3)],
        "cell",
    )
    none = plain(0.0)
    return Row((name, none, none, "0", _DASH, "0", words("proposal.other_scope")))
