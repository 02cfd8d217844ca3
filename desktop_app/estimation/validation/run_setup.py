"""A published whole run as the inputs of an estimate: network, job and cluster, from what its row states.

The network is the preset of that name and size where there is one, else a plain decoder 128 times as wide as deep.
Layout, batch and all else are what the program chooses for a user who states no more. The software is the class of the
framework that the makers name (run_frameworks.csv), else tuned, and legacy on cards without bf16.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import combinations

from desktop_app.estimation.calibration import constant
from desktop_app.estimation.cluster import Cluster, ClusterChoice, cluster_of
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.parameters import count
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.software import SoftwareStack
from desktop_app.estimation.table_files import required, table
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.estimation.validation.throughput_setup import framework_row, stack_of_framework
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated

_ASPECT = 128  # hidden size over layers: 32 x 4096, 40 x 5120, 96 x 12288 (LLaMA-7B and -13B, GPT-3)
_HEAD_DIM = 128  # of nearly all networks from 1B on
_VOCAB = 50_304  # GPT-2's 50,257 padded; half of the published tokenizers lie between 32,000 and 65,000
_SAME_SIZE = 0.1  # a preset is the network of a row when its parameters differ by no more: published sizes are rounded
_USUAL_LENGTH, _LONGEST_UNSTATED = 2048, 4096  # tokens: GPT-3 to LLaMA; the main stage of nearly all models since


@dataclass(frozen=True, slots=True)
class RunSetup:
    """A run, ready to be estimated."""

    model: ModelSpec
    job: TrainingJob
    cluster: Cluster
    hours_factor: float  # GPU-hours of the run over those of `model`: 1 but for mixtures of experts of unknown shape
    note: str  # what was assumed, in words


def setup_of_run(cells: Cells) -> RunSetup:
    """The inputs of one run. Raises UserError for an accelerator or a size that cannot be."""
    active, total = value(cells, "active_params_b"), params_of(cells)
    preset = preset_of(cells["model"], total, mixture=bool(active))
    params = (active or 0.0) * 1e9 or total
    gpus = int(value(cells, "n_gpus") or usual_gpus(params))
    cluster = cluster_of(validated(ClusterChoice, {"gpu": cells["gpu"], "gpus": gpus}))
    model = preset or model_of_size(params)
    return RunSetup(
        model=model,
        job=_job(cells, model, cluster.gpu.supports_bf16),
        cluster=cluster,
        hours_factor=constant("moe_run_factor") if active and preset is None else 1.0,
        note="; ".join(
            filter(
                None,
                (
                    f"shape of {preset.name}" if preset else "shape guessed from the size",
                    "layout chosen",
                    "" if cells["n_gpus"] else f"{gpus} GPUs assumed",
                    "published hours are GPUs x calendar days" if calendar_time(cells) else "",
                ),
            )
        ),
    )


def calendar_time(cells: Cells) -> bool:
    """Whether the published GPU-hours are GPUs times calendar days, which the makers rounded."""
    return "gpu_hours" in cells["derived_fields"].split(",") and (value(cells, "wall_days") or 0.0) >= 1


def params_of(cells: Cells) -> float:
    """Parameters of a run: published, or FLOPs over 6 times the tokens where only these are; 0 where nothing is."""
    stated, tokens = value(cells, "params_b"), value(cells, "tokens_b")
    if stated:
        return stated * 1e9
    flops = re.search(r"([\d.]+e\d+) FLOP", cells["notes"])
    return float(flops[1]) / (6 * tokens * 1e9) if flops and tokens else 0.0


def tokens_of(cells: Cells) -> float:
    """Tokens of a run; 0 where nothing says.

    That is: as published (per epoch, for fine-tuning), as the note works them out ("= 472B"), or examples x epochs x
    the mean length of an example of a data set that we know (run_datasets.csv).
    """
    stated, text = value(cells, "tokens_b"), _text(cells)
    passes = re.search(r"(\d+) epochs?", text)
    epochs = float(passes[1]) if passes and cells["kind"] == "finetune" else 1.0
    if stated:
        return stated * 1e9 * epochs
    worked_out = re.search(r"= (\d+)B\b", text)
    if worked_out:
        return float(worked_out[1]) * 1e9
    examples, length = re.search(r"(\d+)k (?:\w+ )?examples", text), _mean_example(cells)
    return float(examples[1]) * 1000 * epochs * length if examples and length else 0.0


def _mean_example(cells: Cells) -> float | None:
    """Mean tokens of an example, for a fine-tuning that states its data set and not its tokens."""
    if value(cells, "tokens_b") or cells["kind"] != "finetune":
        return None
    names = (row for row in table("run_datasets") if row["dataset"] in _text(cells))
    return next((required(row, "tokens_per_example") for row in names), None)


def _text(cells: Cells) -> str:
    return f"{cells['model']} {cells['notes']}"


def preset_of(name: str, params: float, mixture: bool) -> ModelSpec | None:
    """The preset that some of the words of `name` mean, if it has about `params` parameters; the most words win.

    `mixture`: whether it is to be a mixture of experts.
    """
    words = name.split(" (", maxsplit=1)[0].replace(",", " ").split()
    spans = sorted(combinations(range(len(words) + 1), 2), key=lambda span: span[0] - span[1])
    for start, end in spans:
        try:
            model = model_named(" ".join(words[start:end]))
        except UserError:
            continue
        if (model.moe is not None) == mixture and abs(count(model).total - params) <= _SAME_SIZE * params:
            return model
    return None


def model_of_size(params: float) -> ModelSpec:
    """A plain gated decoder of about `params` parameters: 12 * layers * width^2 and the embeddings, tied below 2B."""
    embeddings = 1 if params < 2e9 else 2  # GPT-2, SmolLM and Llama-3.2-1B tie; LLaMA-7B and larger do not
    width = (params * _ASPECT / 12) ** (1 / 3)
    for _ in range(8):  # a fixed point: the embeddings take their share of the parameters
        width = (max(params - embeddings * _VOCAB * width, params / 4) * _ASPECT / 12) ** (1 / 3)
    step = 8 * _HEAD_DIM if width > 8 * _HEAD_DIM else _HEAD_DIM  # heads of real networks split eight ways
    hidden = int(max(2, round(width / step))) * step if width > step else step
    layers = int(max(2, round((params - embeddings * _VOCAB * hidden) / (12 * hidden * hidden))))
    heads = hidden // _HEAD_DIM
    values = {
        "name": f"{params / 1e9:g}B", "family": "llama", "layers": layers, "hidden_size": hidden, "heads": heads,
        "kv_heads": heads, "head_dim": _HEAD_DIM, "ffn_size": round(hidden * 8 / 3), "vocab_size": _VOCAB,
        "gated_mlp": True, "tied_embeddings": embeddings == 1, "source": "derived from the size", "as_of": "2026-11-30",
    }  # fmt: skip
    return validated(ModelSpec, values)


def usual_gpus(params: float) -> int:
    """GPUs for a size when none are published: about 32 per billion parameters, in powers of two, 8 to 2,048."""
    return int(min(2048, max(8, 2 ** round(math.log2(32 * params / 1e9)))))


def _job(cells: Cells, model: ModelSpec, bf16: bool) -> TrainingJob:
    """What a run states of its job, and what its software did by itself."""
    method = _method(cells)
    stack = stack_of_run(cells["model"])
    software = stack.software if stack else None if bf16 else "legacy"
    if cells["kind"] == "finetune":
        stack, software = None, "stock"
    example = _mean_example(cells)
    return validated(
        TrainingJob,
        {
            "tokens": tokens_of(cells),
            "sequence_length": round(example or value(cells, "seq_len") or usual_length(model)),
            "micro_batch": 1 if example else None,  # examples of different lengths side by side would be padded
            "method": method,
            "precision": "fp8" if cells["notes"].startswith("FP8") else "bf16-mixed" if bf16 else "fp16-mixed",
            "software": software,
            "native_attention": stack.native_attention if stack else None,
            "tp_overlap": stack.tp_overlap if stack else None,
            "moe_stack": stack.moe_stack if stack else None,
        },
    )


def _method(cells: Cells) -> str:
    name = cells["model"].lower()
    if cells["kind"] != "finetune":
        return "full"
    return "qlora" if "qlora" in name else "lora" if "lora" in name else "full"


def usual_length(model: ModelSpec) -> int:
    """Tokens per sequence where none are stated: what a model of its length reads in its main stage."""
    return min(model.max_sequence_length or _USUAL_LENGTH, _LONGEST_UNSTATED)


def stack_of_run(model: str) -> SoftwareStack | None:
    """The stack of the framework that the makers of `model` name; None where they name none that we know."""
    for row in table("run_frameworks"):
        if model.startswith(row["model"]):
            return stack_of_framework(framework_row(row["framework"]), "")
    return None
