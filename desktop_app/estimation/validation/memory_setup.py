"""Memory rows as the inputs of the memory model: which software options each publication ran with."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from desktop_app.estimation.lora import Linear, adapted_linears
from desktop_app.estimation.memory_job import Sharing, options_of
from desktop_app.estimation.memory_options import AdapterOptions, MemoryOptions
from desktop_app.estimation.memory_tables import constant, optimizers, precision_recipes
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.table_files import Row, table
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.cell_rules import refused
from desktop_app.estimation.validation.reading import Cells, value

_DEQUANTISED = {"bnb": "dequantised_bytes", "gptq": "gptq_dequantised_bytes"}


@dataclass(frozen=True, slots=True)
class SourceRecipe:
    """How one publication trained, from tables/memory_sources.csv."""

    row: Row

    @property
    def counted(self) -> str:
        """What the figure counts: allocated tensors, what the allocator reserved, or all that the device shows."""
        return self.row["counted"]

    @property
    def deepspeed(self) -> bool:
        """Whether DeepSpeed held the state."""
        return self.row["recipe"].startswith("deepspeed")

    @property
    def micro_batch(self) -> float | None:
        """The micro-batch that stands in the publication's text, where its table has none."""
        return float(self.row["micro_batch"]) if self.row["micro_batch"] else None

    @property
    def devices(self) -> int | None:
        """The GPUs that the publication's configuration uses, where its table names the machine instead."""
        return int(self.row["devices"]) if self.row["devices"] else None


def source_recipe(cells: Cells) -> SourceRecipe | None:
    """The recipe of a published row: the last that fits its publication, method and sharding.

    The first rows of the table are for publications that it does not name: by the software in their name, else as
    Hugging Face's code does it, with what the row itself says of precision, optimizer and the way of measuring.
    """
    fitting = [
        row
        for row in table("memory_sources")
        if _names(row["publication"], cells["source"])
        and row["method"] == cells["method"]
        and (row["sharding"] == "*" or cells["sharding"].startswith(row["sharding"]))
    ]
    if not fitting:
        return None
    stated = {"recipe": _precision(cells), "optimizer": _optimizer(cells), "counted": _counted(cells)}
    return SourceRecipe({name: stated.get(name, text) if text == "row" else text for name, text in fitting[-1].items()})


def _names(publication: str, source: str) -> bool:
    return source.startswith(publication[:-1]) if publication.endswith("*") else publication == source


def _precision(cells: Cells) -> str:
    """The precision recipe that a row's words mean."""
    text, sharing = cells.get("precision", ""), sharing_of(cells["sharding"])
    full = cells["method"] == "full"
    if sharing == "zero":
        return "deepspeed-fp16" if "fp16" in text else "deepspeed-bf16"
    if sharing == "fsdp":
        return "fsdp-mixed" if full and "true" not in text and "pure" not in text else "bf16"
    if any(word in text for word in ("autocast", "mixed", "amp")) or not text:
        return "autocast" if full else "bf16-autocast"
    return "fp32" if "fp32" in text or "float32" in text else "bf16"


def _optimizer(cells: Cells) -> str:
    text = cells.get("optimizer", "").lower()
    if "8bit" in text or "8-bit" in text:
        return "adamw-paged-8bit" if "paged" in text else "adamw-8bit"
    return "adamw-fused" if "fused" in text else "sgd" if "sgd" in text else "adamw"


def _counted(cells: Cells) -> str:
    text = cells.get("what_was_measured", "")
    return "allocated" if "allocated" in text else "reserved" if "reserved" in text else "device"


def source_options(spec: ModelSpec, cells: Cells, source: SourceRecipe, sharing: Sharing) -> MemoryOptions:
    """The software options of a published row."""
    row = source.row
    compiled = row["software"] == "tuned-fused" and "compile" in cells["note"]
    software = "tuned-eager" if row["software"] == "tuned-fused" and not compiled else row["software"]
    options = options_of(spec, TrainingJob(method="full"), software, sharing)
    loss = constant(row["loss_constant"])
    full_loss = row["loss_constant"] == "backward_bytes_full"
    return replace(
        options,
        precision=precision_recipes()[row["recipe"]],
        optimizer=optimizers()[row["optimizer"]],
        adapters=_adapters(spec, cells, row),
        base_bytes=constant(row["base_constant"]) if row["base_constant"] else None,
        outer_bytes=float(row["outer_bytes"]) if row["outer_bytes"] else None,
        dequantised_bytes=constant(_DEQUANTISED[row["dequantised"]]) if row["dequantised"] else 0.0,
        dequantised_block_bytes=constant("gptq_block_bytes") if row["dequantised"] == "gptq" else 0.0,
        base_keeps_inputs=row["base_inputs"] == "shared",
        base_input_bytes=float(row["base_inputs"]) if row["base_inputs"] not in ("", "shared") else 0.0,
        quantised_head=row["quantised_head"] == "1",
        expanded_kv=row["expanded_kv"] == "1",
        untied_head=row["untied_head"] == "1",
        loss_bytes=constant("loss_bytes_16bit") if full_loss else loss,
        backward_bytes=loss,
        step_in_backward=row["step_in_backward"] == "1" and "in backward" in cells["note"],
        offloaded_optimizer=row["offload"] == "all",
        offloaded_weights=row["offload"] == "all",
        outer_units=row["outer_units"] == "1",
        full_copies=cells["source"].startswith("LitGPT") and cells["sharding"] == "FSDP",
        bucket_elements=float(row["bucket_elements"] or 0),
    )


def _adapters(spec: ModelSpec, cells: Cells, row: Row) -> AdapterOptions | None:
    if not row["adapter_bytes"]:
        return None
    return AdapterOptions(
        linears=targeted(spec, cells["lora_targets"] if row["targets"] == "row" else row["targets"]),
        rank=int(value(cells, "lora_r") or TrainingJob().lora_rank),
        weight_bytes=float(row["adapter_bytes"]),
        dropout=row["adapter_dropout"] == "1",
        padded_bytes=float(row["padded_bytes"] or 0),
        embedding_bytes=float(row["embedding_bytes"]),
    )


def targeted(spec: ModelSpec, text: str) -> tuple[Linear, ...]:
    """The linear layers that a row's text names: PEFT module names, words for them, or all (also when it is empty).

    Raises UnansweredError for words that name no layer of this network.
    """
    every, names = adapted_linears(spec, "all-linear"), set(text.split("+"))
    if not text or text.startswith("all") or {"query", "mlp"} <= names:
        return every
    if names in ({"query", "value"}, {"q", "v"}):
        return adapted_linears(spec, "qv")
    named = tuple(linear for linear in every if linear.name in names)
    if not named:
        raise refused("lora_targets", text, f"no linear layer of {spec.name}")
    return named


def sharing_of(text: str) -> Sharing:
    """Which variant of a recipe the words of a sharding column mean."""
    if "DeepSpeed" in text:
        return "zero"
    return "fsdp" if text.startswith("FSDP") else "plain"


def plan_of(cells: Cells, micro_batch: float, source: SourceRecipe) -> Plan:
    """The layout that a published row states.

    A pipeline's local batch is cut into single sequences (torchtitan); DeepSpeed on one GPU runs its stage 2.
    """
    text = cells["sharding"]
    gpus = source.devices or int(value(cells, "n_gpus") or 1)
    tp, pp, cp = splits(text)
    sharing = sharing_of(text)
    stage = re.search(r"ZeRO-(\d)", text)
    recompute = cells["grad_checkpointing"]
    return Plan(
        tp=tp,
        pp=pp,
        dp=gpus // (tp * pp * cp),
        cp=cp,
        ep=1,
        interleave=2 if "interleaved" in text else 1,
        micro_batch=1 if pp > 1 else micro_batch,
        accumulation=micro_batch if pp > 1 else int(value(cells, "grad_accum") or 1),
        zero_stage=3 if sharing == "fsdp" else int(stage.group(1)) if stage else 2 * source.deepspeed,
        full_shard=int(sharing == "fsdp"),
        full_recompute=int(recompute.startswith(("yes", "full"))),
        selective_recompute=int(recompute.startswith("selective")),
        sequence_parallel=int(tp > 1),
    )


def splits(text: str) -> tuple[int, int, int]:
    """Tensor, pipeline and context parallel sizes that the words of a sharding column name."""
    return _size(text, "TP"), _size(text, "PP"), _size(text, "CP")


def _size(text: str, name: str) -> int:
    found = re.search(rf"{name} (\d+)", text)
    return int(found.group(1)) if found else 1
