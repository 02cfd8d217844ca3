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
from desktop_app.budget.examples import example_scenario
from desktop_app.budget.scenario import Scenario, with_choice
from desktop_app.foundation.wording import Language
from pricing.catalogue import load_catalogue
from report_templates.pdf.style import Paper
from report_templates.sections.story import proposal

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
def written(case: str, language: Language, paper: Paper = "a4") -> bytes:
    return proposal(budget_of(case), language, paper)


def reader(content: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(content))


@cache
def page_texts(content: bytes) -> tuple[str, ...]:
    """The text of each page, its white space drawn together."""
    return tuple(re.sub(r"\s+", " ", page.extract_text()) for page in reader(content).pages)


def whole_text(content: bytes) -> str:
    return " ".join(page_texts(content))


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
