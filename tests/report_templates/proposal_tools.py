"""Budgets to write, and the proposal read back: its text, its fonts, its characters and where they stand."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import date
from functools import cache

import pypdfium2
from pypdf import PdfReader

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.examples import example_scenario
from desktop_app.budget.scenario import Scenario, with_choice
from desktop_app.foundation.wording import Language
from pricing.catalogue import load_catalogue
from report_templates.pdf.style import Paper
from report_templates.proposal import Form, proposal_bytes
from report_templates.sections.story import APPENDICES, SECTIONS

TODAY = date(2026, 11, 30)
CASES = ("dense", "small", "unpriced", "too_big", "renminbi", "developed")


def scenario_of(case: str) -> Scenario:
    """256 GPUs; one GPU and cents; no price at all; a job that does not fit; another currency and a typed-in price;
    development as a line."""
    if case == "small":
        return example_scenario("llama2_7b_lora", TODAY)
    dense = example_scenario("llama_13b_256", TODAY)
    if case == "unpriced":
        return with_choice(dense, "purchase", "flex-start")  # which this seller does not offer
    if case == "too_big":
        return with_choice(dense, "gpus", 1)
    if case == "renminbi":
        return with_choice(with_choice(dense, "currency", "CNY"), "price_usd_per_gpu_hour", 1.75)
    if case == "developed":
        return with_choice(dense, "development_multiplier", 2.5)
    return dense


@cache
def budget_of(case: str) -> Budget:
    return make_budget(scenario_of(case), load_catalogue())


@cache
def dossier_of(case: str) -> Dossier:
    return dossier_for(budget_of(case))


def dossier_for(budget: Budget) -> Dossier:
    return make_dossier([budget], load_catalogue())


@cache
def written(case: str, language: Language, paper: Paper = "a4", form: Form = "proposal") -> bytes:
    return proposal_bytes(dossier_of(case), language, paper, form)


def proposal_of(budget: Budget, language: Language, paper: Paper = "a4") -> bytes:
    return proposal_bytes(dossier_for(budget), language, paper)


def reader(content: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(content))


@cache
def page_texts(content: bytes) -> tuple[str, ...]:
    """The text of each page, its white space drawn together."""
    return tuple(re.sub(r"\s+", " ", page.extract_text()) for page in reader(content).pages)


def whole_text(content: bytes) -> str:
    return " ".join(page_texts(content))


def section_text(content: bytes, key: str) -> str:
    """The text of the pages on which a section stands, with what else stands on the first and the last of them."""
    keys = [section.key for section in (*SECTIONS, *APPENDICES)]
    entries = [entry for entry in reader(content).outline if not isinstance(entry, list)][1:]
    starts = [reader(content).get_destination_page_number(entry) for entry in entries]
    number = keys.index(key)
    last = starts[number + 1] if number + 1 < len(starts) else len(page_texts(content)) - 1
    return " ".join(page_texts(content)[starts[number] : last + 1])


def squeezed(text: str) -> str:
    """Without any white space: Chinese lines may end anywhere."""
    return re.sub(r"\s+", "", text)


def characters(content: bytes) -> Iterator[tuple[int, str, tuple[float, float, float, float], tuple[float, float]]]:
    """Every printed character: page, character, its box (left, bottom, right, top), and the size of the page."""
    document = pypdfium2.PdfDocument(content)
    for number, page in enumerate(document, 1):
        text = page.get_textpage()
        for index in range(text.count_chars()):
            sign = text.get_text_range(index, 1)
            if sign.strip():
                yield number, sign, text.get_charbox(index), page.get_size()
    document.close()
