"""A GPU or a precision that nobody measured is said to be so, in words, wherever figures are shown."""

import io
import json
import re

import openpyxl
import pytest
from asking import ask
from pypdf import PdfReader

from desktop_app.budget.dossier.dossier import make_dossier
from desktop_app.cli import main
from desktop_app.estimation.calibration import generation_of, is_measured, speed_range_factor
from desktop_app.estimation.gpus import Gpu, gpu_named, gpus
from desktop_app.estimation.measured_runs import published_speeds
from desktop_app.foundation.wording import Language, words_of
from pricing.catalogue import load_catalogue
from report_templates.proposal import proposal_bytes
from report_templates.workbook import workbook_bytes

JOB = {"model": "Llama-3-8B", "method": "lora", "gpus": 8, "tokens": 1e8}
UNMEASURED = [gpu for gpu in gpus() if generation_of(gpu) and not is_measured(gpu)]


def squeezed(text: str) -> str:
    """Without white space: lines may end anywhere."""
    return re.sub(r"\s+", "", text)


def test_every_measured_class_has_a_run_to_show_and_no_other_has_one() -> None:
    shown = {speed.gpu.efficiency_class for speed in published_speeds()}
    assert shown == {gpu.efficiency_class for gpu in gpus() if is_measured(gpu)}


@pytest.mark.parametrize("gpu", UNMEASURED, ids=lambda gpu: gpu.name)
def test_the_estimate_says_so_and_is_less_sure(gpu: Gpu) -> None:
    precision = "bf16-mixed" if gpu.supports_bf16 else "fp16-mixed"
    answer = ask(model="Llama-3-8B", gpu=gpu.name, gpus=8, precision=precision)
    said = [problem for problem in answer.problems if problem.key == "problem.gpu_not_measured"]
    assert [(problem.field, problem.values["gpu"]) for problem in said] == [("gpu", gpu.name)]
    assert answer.estimate.regime == "new_gpu"
    assert answer.estimate.speed_factor_80 == speed_range_factor("new_gpu") > speed_range_factor("layout_chosen")
    assert gpu.name not in {run.gpu for run in answer.estimate.closest_measured_runs}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_documents_say_so(language: Language) -> None:
    budget = ask(**JOB, gpu="A10")
    (problem,) = (problem for problem in budget.problems if problem.key == "problem.gpu_not_measured")
    sentence, dossier = words_of(language).sentence(problem), make_dossier([budget], load_catalogue())
    assert "A10" in sentence
    pages = PdfReader(io.BytesIO(proposal_bytes(dossier, language, "a4"))).pages
    assert squeezed(sentence) in squeezed(" ".join(page.extract_text() for page in pages))
    sheets = openpyxl.load_workbook(io.BytesIO(workbook_bytes(dossier, language)))
    cells = [str(cell.value) for sheet in sheets for row in sheet.iter_rows() for cell in row if cell.value]
    assert any(sentence in text for text in cells)


def test_the_command_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["estimate", "--model", "Llama-3-8B", "--gpu", "A10", "--gpus", "8", "--method", "lora", "--json"]
    assert main([*words, "--today", "2026-11-30"]) == 0
    told = json.loads(capsys.readouterr().out)
    said = [
        one for one in told["problems"] if one["field"] == "gpu" and "No published training speed" in one["message"]
    ]
    assert len(said) == 1
    assert len(told["basis"]["closest_measured_runs"]) == 3


def test_fp32_is_named_too() -> None:
    keys = {problem.key for problem in ask(precision="fp32").problems}
    assert "problem.precision_not_measured" in keys
    assert "problem.gpu_not_measured" not in keys


def test_measured_hardware_is_not_doubted() -> None:
    for gpu in ("A100", "H200", "MI300X", "RTX-5090", "GB300"):
        assert is_measured(gpu_named(gpu))
        assert "problem.gpu_not_measured" not in {problem.key for problem in ask(**JOB, gpu=gpu).problems}
