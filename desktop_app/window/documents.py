"""The documents that the window can write, and the work of writing one: what stands here knows no widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.project import fault_in_scenario
from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.problems import Problem, UserError
from desktop_app.foundation.wording import Language
from pricing.catalogue import Catalogue

if TYPE_CHECKING:
    from desktop_app.budget.dossier.dossier import Dossier
    from report_templates.proposal import Form

Kind = Literal["excel", "pdf", "memo", "panel", "card", "figures", "focus"]
Paper = Literal["a4", "letter"]
Faults = tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """What documents are made of when they are asked for; later edits do not reach them."""

    budget: Budget
    others: tuple[Scenario, ...]
    notes: str
    project: str  # the name of its file; "" before the first save
    catalogue: Catalogue
    language: Language
    paper: Paper

    def dossier(self) -> tuple[Dossier, Faults]:
        """The dossier of all scenarios, and why it lacks the profile of the organisation. Raises UserError."""
        from desktop_app.budget.dossier.dossier import make_dossier
        from desktop_app.budget.dossier.organisation_file import organisation_or_fault

        organisation, faults = organisation_or_fault()
        budgets = [self.budget, *map(self._budget_of, self.others)]
        return make_dossier(budgets, self.catalogue, organisation, self.notes), faults

    def _budget_of(self, scenario: Scenario) -> Budget:
        try:
            return make_budget(scenario, self.catalogue)
        except UserError as error:
            name = scenario.name
            raise UserError(*(fault_in_scenario(problem, self.project, name) for problem in error.problems)) from None


@dataclass(frozen=True, slots=True)
class Document:
    """One kind: how its file is called, which files the dialog shows, and who writes it."""

    ending: str
    filter: str
    write: Callable[[Order, Path], Faults]


def _write_workbook(order: Order, path: Path) -> Faults:
    from report_templates.workbook import write_workbook

    dossier, faults = order.dossier()
    write_workbook(dossier, path, order.language)
    return faults


def _pdf(form: Form) -> Callable[[Order, Path], Faults]:
    def write(order: Order, path: Path) -> Faults:
        from report_templates.proposal import write_proposal

        dossier, faults = order.dossier()
        write_proposal(dossier, path, order.language, order.paper, form)
        return faults

    return write


def _write_card(order: Order, path: Path) -> Faults:
    """Markdown, or PDF where the file is called so."""
    from report_templates.model_card import write_card

    if path.suffix.lower() == ".pdf":
        return _pdf("card")(order, path)
    dossier, faults = order.dossier()
    write_card(dossier, path, order.language)
    return faults


def _write_figures(order: Order, path: Path) -> Faults:
    from report_templates.tidy_csv import write_tidy

    dossier, faults = order.dossier()
    write_tidy(dossier, path, order.language)
    return faults


def _write_focus(order: Order, path: Path) -> Faults:
    from report_templates.focus_csv import write_focus

    dossier, faults = order.dossier()
    write_focus(dossier, path, order.language)
    return faults


DOCUMENTS: Final[dict[Kind, Document]] = {
    "excel": Document(".xlsx", "excel", _write_workbook),
    "pdf": Document(".pdf", "pdf", _pdf("proposal")),
    "memo": Document("-memo.pdf", "pdf", _pdf("memo")),
    "panel": Document("-panel.pdf", "pdf", _pdf("panel")),
    "card": Document("-model-card.md", "card", _write_card),
    "figures": Document("-figures.csv", "table", _write_figures),
    "focus": Document("-focus.csv", "table", _write_focus),
}
FURTHER: Final[tuple[Kind, ...]] = ("memo", "panel", "card", "figures", "focus")
"""Those that have no button of their own."""
