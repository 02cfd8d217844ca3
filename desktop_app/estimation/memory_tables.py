"""The facts that the memory equations rest on, read once from the package's tables and checked on the way in."""

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal

from desktop_app.estimation.table_files import table

NormKind = Literal["rms", "rms_fp32", "rms_unweighted", "layer", "layer_fp32", "layer_python"]
Layout = Literal["sequential", "parallel", "parallel_two", "sandwich", "post"]
MlpKernel = Literal["gated", "gated_clamped", "gated_every_expert", "gelu", "gelu_python", "relu", "relu2"]
QkvPacking = Literal["separate", "packed", "packed_rotary"]
QkNorm = Literal["none", "rms", "rms_fp32", "rms_unweighted", "layer_python"]


@dataclass(frozen=True, slots=True)
class Family:
    """What one decoder block of a model family keeps for backward in Hugging Face's implementation.

    `layout`: sequential = two norms; parallel = one norm feeds attention and MLP; parallel_two = two norms on one
    input; sandwich = two more norms after attention and MLP; post = norms after them only. `norm`: rms_fp32 multiplies
    in fp32, rms_unweighted not at all, layer_fp32 has no weights, layer_python is written out in single operations.
    `mlp`: gated_clamped clamps both inputs of the gate, gated_every_expert runs every token through every expert.
    `mask_bytes` counts the bytes of dropout masks per hidden element, `score_bytes_*` what eager attention keeps per
    head and key.
    """

    model_type: str
    norm: NormKind
    layout: Layout
    mlp: MlpKernel
    qkv: QkvPacking
    mask_bytes: float
    qk_norm: QkNorm
    score_bytes_16bit: float
    score_bytes_autocast: float
    score_bytes_fp32: float
    softmax_bytes_16bit: float  # one element of the softmax that eager attention computes in 16-bit training
    proof: Literal["measured", "block", "derived"]  # a step of the class, one block of it, or its code read
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class PrecisionRecipe:
    """Bytes per parameter that one way of mixed precision keeps, and how it computes."""

    recipe: str
    weight_bytes: float
    gradient_bytes: float
    unsharded_gradient_bytes: float | None  # as backward makes it, where that is another type
    master_bytes: float  # fp32 master weights
    state_bytes: float  # one optimizer state
    accumulator_bytes: float  # fp32 gradient accumulator that lives beside the optimizer
    compute_bytes: float
    residual_bytes: float  # one element of the residual stream
    autocast: bool
    kept_gradients: bool  # gradient buffers live all the time
    fused_accumulation: bool  # weight gradients are added into that buffer by the product itself
    bucket_copies: bool  # data parallelism holds the gradients once more, in its buckets
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class OptimizerMemory:
    """What one optimizer keeps and makes, in units of a parameter of its own."""

    optimizer: str
    states: float
    bytes_per_state: float | None  # None: the recipe's state_bytes
    temporaries: float  # parameter-sized temporaries of the step
    largest_tensor_temporaries: float
    paged: bool  # states move to host memory when the card runs short
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class Constant:
    """One constant with its provenance."""

    name: str
    value: float
    unit: str
    meaning: str
    source: str
    as_of: str


_FROM_TEXT: dict[Any, Any] = {
    float: float,
    bool: lambda text: bool(int(text)),
    float | None: lambda text: float(text) if text else None,
}


def _records(name: str, record_type: type[Any]) -> list[Any]:
    columns = [(field.name, _FROM_TEXT.get(field.type, str)) for field in fields(record_type)]
    return [record_type(**{column: from_text(row[column]) for column, from_text in columns}) for row in table(name)]


@lru_cache
def families() -> dict[str, Family]:
    """Every family with a line of its own, by `model_type`."""
    return {row.model_type: row for row in _records("activation_families", Family)}


@lru_cache
def precision_recipes() -> dict[str, PrecisionRecipe]:
    """Every precision recipe by name."""
    return {row.recipe: row for row in _records("memory_recipes", PrecisionRecipe)}


@lru_cache
def optimizers() -> dict[str, OptimizerMemory]:
    """Every optimizer by name."""
    return {row.optimizer: row for row in _records("memory_optimizers", OptimizerMemory)}


@lru_cache
def constants() -> dict[str, Constant]:
    """Every constant with its provenance, by name."""
    return {row.name: row for row in _records("memory_constants", Constant)}


def constant(name: str) -> float:
    """The value of one constant of tables/memory_constants.csv."""
    return constants()[name].value
