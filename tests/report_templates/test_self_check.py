"""The documents check their own arithmetic, and say on the first page what does not add up."""

from dataclasses import replace

import pytest
from proposal_tools import CASES, dossier_of, page_texts, squeezed

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.ledger import Ledger
from desktop_app.foundation.wording import LANGUAGES, Language, words_of
from report_templates.proposal import Form, proposal_bytes
from report_templates.self_check import self_checks


class Tampered(Ledger):
    """A ledger of which some values are others than its formulas give."""

    def __init__(self, ledger: Ledger, **changed: float) -> None:
        super().__init__(ledger.lines)
        self.values = {**ledger.values, **{key.replace("__", "."): value for key, value in changed.items()}}


def tampered(**changed: float) -> Dossier:
    dossier = dossier_of("dense")
    base = replace(dossier.base, ledger=Tampered(dossier.base.ledger, **changed))
    return replace(dossier, budgets=(base,))


def failed(dossier: Dossier) -> list[str]:
    return [check.key for check in self_checks(dossier) if check.passes is False]


@pytest.mark.parametrize("case", CASES)
def test_every_figure_of_a_sound_dossier_adds_up(case: str) -> None:
    checks = self_checks(dossier_of(case))
    assert not failed(dossier_of(case))
    assert len(checks) == 8
    if case != "unpriced":
        assert all(check.passes for check in checks)


def test_without_a_price_what_cannot_be_checked_is_not_called_right() -> None:
    states = {check.key: check.passes for check in self_checks(dossier_of("unpriced"))}
    assert states["lines"] is None and states["ask"] is None and states["months"] is None
    assert states["plan"] is True


def with_another_amount(budget: Budget, cents: float) -> Budget:
    first, *rest = budget.cost_lines
    return replace(budget, cost_lines=(replace(first, amount=(first.amount or 0.0) + cents), *rest))


def test_each_fault_is_found() -> None:
    dossier = dossier_of("dense")
    base = dossier.base
    assert failed(replace(dossier, budgets=(with_another_amount(base, 0.01),))) == ["lines"]
    assert failed(replace(dossier, budgets=(base, with_another_amount(base, -1.0)))) == ["options"]
    assert failed(tampered(cost__ask=1.0)) == ["ask"]
    assert failed(tampered(wall_days__p50=1e6)) == ["percentiles"]
    plan = {**dossier.schedule.values, "month.1.total": 1.0}
    assert failed(replace(dossier, schedule=replace(dossier.schedule, values=plan))) == ["months"]
    risks = {**dossier.risks.values, "risk.expected": 1.0}
    assert failed(replace(dossier, risks=replace(dossier.risks, values=risks))) == ["risks"]


@pytest.mark.parametrize("form", ["proposal", "memo", "card", "panel"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_says_what_does_not_add_up(language: Language, form: Form) -> None:
    words = words_of(language)
    wrong = replace(dossier_of("dense"), budgets=(with_another_amount(dossier_of("dense").base, 1.0),))
    told = (words("self_check.title", count=1), words("self_check.lines"))
    first = squeezed(page_texts(proposal_bytes(wrong, language, "a4", form))[0])
    assert all(squeezed(text) in first for text in told)
    sound = squeezed(page_texts(proposal_bytes(dossier_of("dense"), language, "a4", form))[0])
    assert not any(squeezed(text) in sound for text in told)
