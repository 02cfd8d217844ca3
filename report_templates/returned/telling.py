"""Changes in words, for the command line and the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.budget.scenario import Scenario, choices
from desktop_app.foundation.number_reading import shown_number
from desktop_app.foundation.problems import Problem, shown
from desktop_app.foundation.quantities import format_unit, format_value
from desktop_app.foundation.wording import Language, Words, words_of
from report_templates.excel.cases import scenario_mark
from report_templates.returned.records import CALCULATED, CHOICE_OF, InputChange, Shown
from report_templates.settings_shown import choice_words, empty_words
from report_templates.workbook_reading import ReturnedWorkbook

_WITH_UNIT: dict[Language, str] = {"en": "{} ({})", "zh": "{}（{}）"}
_IN_THE_NUMBER = ("share", "byte")  # units that a number is scaled for
_UNITLESS = ("", "date")


@dataclass(frozen=True, slots=True)
class ToldChange:
    """One change in words. `why_not` is "" where it is taken."""

    scenario: str
    name: str  # with the unit
    old: str
    new: str
    place: str
    why_not: str


def told(change: InputChange, scenarios: Sequence[Scenario], words: Words) -> ToldChange:
    """A change of one of `scenarios` in words."""
    name = _name(change, words)
    unit = "" if change.unit in (*_UNITLESS, *_IN_THE_NUMBER) else format_unit(change.unit, words)
    return ToldChange(
        scenario=_scenario(scenarios[change.scenario], change),
        name=_WITH_UNIT[words.language].format(name, unit) if unit else name,
        old=_old(change, words),
        new=_value(change, change.new, words),
        place=change.place,
        why_not="" if change.problem is None else words.sentence(change.problem),
    )


def notices(returned: ReturnedWorkbook, scenario: int) -> tuple[Problem, ...]:
    """What the reader of the figures of a scenario must know: inputs that are not taken, and how many are."""
    mine = [change for change in returned.changes if change.scenario == scenario]
    found = [_notice(returned, change, change.problem) for change in mine if change.problem is not None]
    taken = sum(change.taken for change in mine)
    if taken:
        values: dict[str, str | float | Problem] = {"file": returned.file, "count": taken}
        found.append(Problem("", "problem.returned_taken", values, "note"))
    return (*found, *notes_of(returned, scenario))


def notes_of(returned: ReturnedWorkbook, scenario: int | None = None) -> tuple[Problem, ...]:
    """What is to be said beside the changes, of one scenario or all."""
    moved = returned.moved if scenario is None else returned.moved[scenario : scenario + 1]
    return (*filter(None, moved), *returned.notes)


def _notice(returned: ReturnedWorkbook, change: InputChange, fault: Problem) -> Problem:
    values: dict[str, str | float | Problem] = {
        "scenario": _scenario(returned.scenarios[change.scenario], change), "name": change.label,
        "place": change.place, "old": _part(change, change.old), "new": _part(change, change.new), "fault": fault,
    }  # fmt: skip
    return Problem("", "problem.returned_input", values, "warning")


def _part(change: InputChange, value: Shown) -> str | float | Problem:
    """A value as part of a sentence, in whatever language that is told."""
    choice = CHOICE_OF.get(change.key, change.key)
    if value is None:
        if change.problem is not None and change.problem.key == CALCULATED:
            return Problem("", "tag.computed")
        own = f"empty.{choice}"
        return Problem("", own if words_of("en").has(own) else "empty.other")
    if not isinstance(value, str):
        return float(f"{value:.6g}")  # enough to see the difference
    option = f"option.{value}" if value in ("yes", "no") else f"{choice}.{value.replace('-', '_')}"
    return Problem("", option) if words_of("en").has(option) else shown(value)


def _scenario(scenario: Scenario, change: InputChange) -> str:
    mark = scenario_mark(change.scenario)
    return mark if scenario.name == mark else f"{mark}: {scenario.name}"


def _name(change: InputChange, words: Words) -> str:
    label = change.label
    return words.sentence(label) if isinstance(label, Problem) else shown(label)


def _old(change: InputChange, words: Words) -> str:
    """What a cell was; a calculated one has no value of its own."""
    calculated = change.problem is not None and change.problem.key == CALCULATED
    return words("tag.computed") if calculated and change.old is None else _value(change, change.old, words)


def _value(change: InputChange, value: Shown, words: Words) -> str:
    """A value of a cell; a word of ours by its name, and whatever somebody typed as it stands."""
    choice = CHOICE_OF.get(change.key, change.key)
    if value is None:
        return empty_words(choice, words)
    if isinstance(value, str):
        if choice in choices():
            return choice_words(choice, {"yes": True, "no": False}.get(value, shown(value)), words)
        return shown(value)
    if change.unit in _IN_THE_NUMBER:
        return format_value(value, change.unit, words)
    return shown_number(value, words.language)
