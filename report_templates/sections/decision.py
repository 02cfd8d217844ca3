"""The decision box: the amount to approve with its range, four figures, the memory verdict, and what to know first."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.constants import constants
from desktop_app.foundation.formatting import compact, percent
from desktop_app.foundation.quantities import format_parts
from report_templates.pdf.blocks import WIDE, Box, BoxLook, Run
from report_templates.pdf.charts import RangeMarks, range_line
from report_templates.pdf.draw import Drawn, mark, warning
from report_templates.pdf.fonts import width
from report_templates.pdf.table import grid
from report_templates.sections.checks import committed, things_to_check
from report_templates.sections.report import Report
from report_templates.settings_shown import choice_words
from report_templates.style import LIGHT

_LOOK = BoxLook(
    tone=LIGHT.sunken, radius=7, border=LIGHT.bar_soft, edge=LIGHT.primary, left=22, right=20, top=14, bottom=12
)
_BIG, _MIDDLE, _SMALL = 32.0, 17.0, 9.0
_FIGURE_GAP = 6.0  # right of each of the four figures
_COMPACT_FROM = 10_000  # 1万
_ICON = 14.0
_TONES = {"yes": "ok", "tight": "warn", "no": "bad", "unknown": "unknown"}


def decision_box(report: Report) -> Box:
    """Everything that the decision needs, on half a page."""
    across = report.across - _LOOK.left - _LOOK.right
    return Box([_ask_row(report, across), _figure_row(report, across), *_verdict_rows(report, across)], _LOOK)


def _ask_row(report: Report, across: float) -> Flowable:
    """The amount at the left, its range at the right."""
    words, ledger = report.words, report.budget.ledger
    ask = ledger.value("cost.ask")
    runs = report.budget.estimate.fits != "no"
    left: list[Flowable] = [report.text(words("figure.ask" if runs else "proposal.ask_if_it_ran"), "label")]
    right: list[Flowable] = []
    half = across * 0.56
    if ask is None:
        left.append(report.runs([Run(words("line.not_priced"), tone=LIGHT.warn)], "figure"))
        left.append(report.text(words("proposal.no_ask" if report.ends else "proposal.no_ask_never"), "label"))
    else:
        left.append(_big_amount(report, ask, half))
        shortened = report.language == "zh" and ask >= _COMPACT_FROM
        key = _ask_key(report.budget.not_priced, shortened)
        left.append(report.text(words(key, amount=report.money(ask)), "label"))
        title = words("proposal.range_title", currency=report.currency)
        right = [report.text(title, "label"), _range(report, across - half)]
    return grid([[left, right]], [half, across - half], [("BOTTOMPADDING", (0, 0), (-1, -1), 10)])


def _ask_key(not_priced: tuple[str, ...], shortened: bool) -> str:
    """What the amount means. Where interruptions of a spot run are not priced, nothing is said of eight in ten."""
    if "cost.interruptions" in not_priced:
        return "proposal.exact_spot" if shortened else "proposal.spot_range"
    if not_priced:
        return "proposal.exact_ask_priced" if shortened else "proposal.eight_in_ten_priced"
    return "proposal.exact_ask" if shortened else "proposal.eight_in_ten"


def _big_amount(report: Report, ask: float, room: float) -> Flowable:
    """The figure of the page; it shrinks rather than break. In Chinese it counts in 万 and 亿."""
    figure = report.amount(ask)
    currency = report.currency
    if report.language == "zh":
        figure = compact(ask, "zh") if ask >= _COMPACT_FROM else figure
    needed = width(figure, _BIG, bold=True) + width(f"{currency} ", _MIDDLE) + 8
    size = min(_BIG, _BIG * room / needed)
    unit = Run(currency, bold=False, tone=LIGHT.text2, size=min(_MIDDLE * 0.8, size))
    number = Run(figure, size=size)
    parts = [number, Run(" ", size=6), unit] if report.language == "zh" else [unit, Run(" "), number]
    return report.runs(parts, "figure")


def _range(report: Report, across: float) -> Flowable:
    total = report.budget.ranged("cost.total")
    known = [value for value in (total.p10, total.base, total.p80, total.p90) if value is not None]
    if len(known) < 4:
        return report.text(report.words("state.not_known"), "label")
    low, base, ask, high = known
    keys = ("proposal.range_p10", "proposal.range_base", "proposal.range_ask", "proposal.range_p90")
    texts = (report.words(key, amount=report.short(value)) for key, value in zip(keys, known, strict=True))
    return range_line(RangeMarks(low, base, ask, high, *texts), across)


_UNKNOWN = ("line.not_priced", "state.not_known", "state.never_finishes")


def _figure_row(report: Report, across: float) -> Flowable:
    """Base, days, electricity and carbon, each with what stands beside it."""
    words, ledger = report.words, report.budget.ledger
    total, contingency = ledger.value("cost.total"), ledger.value("contingency")
    cells = [
        _figure(
            report,
            words("proposal.base_in", currency=report.currency),
            _base_parts(report, total),
            _plus(report, contingency),
        ),
        _ranged(report, words("time.wall"), "wall_days"),
        _ranged(report, words("energy.facility"), "energy_facility_kwh"),
        _ranged(report, words("figure.carbon_location"), "co2e_kg_location", _market(report)),
    ]
    rule = ("LINEABOVE", (0, 0), (-1, 0), 0.6, report.rule)
    below = ("LINEBELOW", (0, 0), (-1, 0), 0.6, report.rule)
    space = [("TOPPADDING", (0, 0), (-1, -1), 9), ("BOTTOMPADDING", (0, 0), (-1, -1), 9)]
    return grid([cells], [across / 4] * 4, [rule, below, *space, ("RIGHTPADDING", (0, 0), (-1, -1), _FIGURE_GAP)])


def _base_parts(report: Report, total: float | None) -> tuple[str, str]:
    return (report.words("line.not_priced"), "") if total is None else (report.amount(total), "")


def _plus(report: Report, contingency: float | None) -> str:
    """The median of the total, and what is asked for beyond the base."""
    median = report.budget.ledger.value("cost.total.p50")
    if contingency is None or median is None:
        return ""
    key = "proposal.plus_contingency" if contingency >= 0 else "proposal.minus_contingency"
    plus = report.words(key, amount=report.amount(contingency))
    return f"{report.words('proposal.range_p50', amount=report.amount(median))}\n{plus}"


def _market(report: Report) -> str:
    value = report.value("co2e_kg_market")
    if report.budget.ledger.value("co2e_kg_market") is None:
        value = report.inside(value)
    return report.words("proposal.market", value=value)


def _ranged(report: Report, label: str, key: str, market: str = "") -> list[Flowable]:
    """The base of a figure with its unit; below it P80 and the range, or what the market-based figure is."""
    ranged, unit = report.budget.ranged(key), report.budget.ledger[key].unit
    if ranged.base is None:
        return _figure(report, label, (report.value(key), ""), market)
    low, high = (ranged.base if end is None else end for end in (ranged.p10, ranged.p90))
    ask = ranged.base if ranged.p80 is None else ranged.p80
    (value, first, p80, last), name = format_parts((ranged.base, low, ask, high), unit, report.words)
    if market:
        told = report.words("proposal.beside_carbon", p80=p80, market=market)
    else:
        told = report.words("proposal.beside", p80=p80, low=first, high=last)
    return _figure(report, label, (value, name), told)


def _figure_room(report: Report) -> float:
    return (report.across - _LOOK.left - _LOOK.right) / 4 - _FIGURE_GAP


def _figure(report: Report, label: str, value: tuple[str, str], beside: str) -> list[Flowable]:
    number, unit = value
    known = number not in map(report.words, _UNKNOWN)
    needed = width(number, _MIDDLE, bold=True) + width(f" {unit}", _SMALL)
    scale = min(1.0, (_figure_room(report) - 1) / needed)  # it shrinks rather than break
    beside_number = Run(f"\u00a0{unit}", bold=False, tone=LIGHT.text2, size=_SMALL * scale)
    parts = [Run(number, tone=None if known else LIGHT.warn, size=_MIDDLE * scale), beside_number]
    return [report.text(label, "label"), report.runs(parts, "middle"), report.text(beside, "label_soft")]


def _verdict_rows(report: Report, across: float) -> Iterator[Flowable]:
    """Does it fit, until when the estimate holds, and how much there is to check."""
    estimate, words = report.budget.estimate, report.words
    fits = estimate.fits
    icon = Drawn(_ICON, _ICON, lambda pen: mark(pen, fits, 0, 0, _ICON))
    verdict = report.runs(
        [
            Run(words(f"proposal.fits_{fits}"), bold=True, tone=getattr(LIGHT, _TONES[fits]), size=10.5),
            Run(f"{WIDE}{_fact(report)}"),
        ],
        "box",
    )
    valid = [Run(words("doc.valid", date=report.valid_until.isoformat()), bold=True, tone=LIGHT.text)]
    valid.append(Run(f"{WIDE}{_class(report)}"))
    rows: list[list[Flowable | str]] = [[icon, verdict], ["", report.runs(valid, "box")]]
    checks = _checks(report)
    if checks:
        rows.append([Drawn(_ICON, _ICON, lambda pen: warning(pen, 0, 0, _ICON)), report.text(checks, "box_warn")])
    padding = [("TOPPADDING", (0, 0), (-1, -1), 5), ("TOPPADDING", (0, 0), (-1, 0), 9)]
    yield grid(rows, [_ICON + 7, across - _ICON - 7], padding)


def _fact(report: Report) -> str:
    """GiB and the settings that decide them."""
    estimate = report.budget.estimate
    memory, usable = estimate.memory, estimate.cluster.gpu.usable_memory_bytes
    values = {
        name: report.gib(size)
        for name, size in (
            ("peak", memory.peak),
            ("low", memory.peak_low),
            ("high", memory.peak_high),
            ("usable", usable),
        )
    }
    return report.words("proposal.fit_fact", layout=layout_text(report), **values)


def layout_text(report: Report) -> str:
    """Precision, optimizer, and how the model is divided: "bf16 mixed, AdamW, Tensor parallel 2, ZeRO-1"."""
    estimate, words = report.budget.estimate, report.words
    divided = [
        words("proposal.part", name=words(f"field.{name}"), value=int(getattr(estimate.plan, name)))
        for name in ("tp", "pp", "cp", "ep")
        if getattr(estimate.plan, name) > 1
    ]
    names = [
        choice_words("precision", estimate.job.precision, words),
        choice_words("optimizer", estimate.job.optimizer, words),
        *divided,
        choice_words("sharding", estimate.sharding, words) if estimate.sharding != "none" else "",
    ]
    return report.joined(names)


def _class(report: Report) -> str:
    """How rough the estimate is: P10 and P90 against the base."""
    total = report.budget.ranged("cost.total" if report.priced else "wall_days")
    if not total.base or total.p10 is None or total.p90 is None:
        return ""
    low, high = total.p10 / total.base, total.p90 / total.base
    bounds = constants()["estimate_class_budget"]
    within = bounds.low is not None and bounds.high is not None and bounds.low <= low and high <= bounds.high
    name = report.words("proposal.class_budget" if within else "proposal.class_rough")
    ends = (("+" if end >= 1 else "") + percent(end - 1, 0, report.language) for end in (low, high))
    return report.words("proposal.class", name=name, low=next(ends), high=next(ends))


def _checks(report: Report) -> str:
    """What is not priced, what is old, and where the list stands."""
    words, budget = report.words, report.budget
    old = sum(line.old for line in budget.cost_lines)
    counted = (("proposal.unpriced", len(budget.not_priced)), ("proposal.old_prices", old))
    parts = [words(key, count=count) for key, count in counted if count]
    bound = committed(report)
    if bound:
        parts.insert(0, words("proposal.committed", amount=bound))
    found = len(things_to_check(report))
    end = words("proposal.to_check", count=found, section=report.number("cost")) if found else ""
    stop = "。" if report.language == "zh" else ". "
    return (stop.join([*parts, ""]) + end).strip()
