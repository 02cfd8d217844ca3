"""The software options that decide how many bytes training keeps, as one record."""

from dataclasses import dataclass
from typing import Literal

from desktop_app.estimation.lora import Linear
from desktop_app.estimation.memory_tables import OptimizerMemory, PrecisionRecipe


@dataclass(frozen=True, slots=True)
class AdapterOptions:
    """Low-rank adapters beside the linear layers in `linears`."""

    linears: tuple[Linear, ...]
    rank: int
    weight_bytes: float  # 4: PEFT keeps adapters in fp32 over a 16-bit base
    dropout: bool
    padded_bytes: float  # of one element of the packed projection's update, padded to its whole width; 0: not kept
    embedding_bytes: float  # of trained copies of embedding and head beside the frozen ones; 0: they stay frozen


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """Every option that changes bytes. `adapters` None means that all weights are trained."""

    precision: PrecisionRecipe
    optimizer: OptimizerMemory
    adapters: AdapterOptions | None
    base_bytes: float | None  # of one parameter of a frozen linear layer in a block; None: as the recipe says
    outer_bytes: float | None  # of embedding, head and norms of a frozen base; None: as the recipe says
    base_keeps_inputs: bool  # a frozen layer that saves its input all the same (LLM.int8)
    base_input_bytes: float  # of one element of the copy that each frozen layer makes of its input; 0: none
    fp32_activations: bool  # PEFT's k-bit preparation: norms and embeddings in fp32 make what flows between layers fp32
    quantised_head: bool  # the head is a frozen linear layer like those of the blocks
    dequantised_bytes: float  # temporaries of one MLP matrix, per parameter
    dequantised_block_bytes: float  # weights that the block in backward keeps dequantised, per parameter (GPTQ)
    fp8_copy_bytes: float  # of one block parameter, beyond the recipe's weights
    linear_input_bytes: float | None  # one element that a linear layer saves; None: the compute type
    untied_head: bool  # the software keeps a separate head even where the model ties it
    fused_norms: bool  # norms save their input in the compute type, not an fp32 copy
    fused_gates: bool  # gated activation saves its two inputs only
    native_gelu: bool
    mask_bytes: float | None  # of dropout masks per hidden element; None: the family's
    attention: Literal["flash", "eager"]
    score_bytes: float | None  # per head and key that eager attention keeps; None: the family's
    expanded_kv: bool  # keys and values repeated to all heads (padding mask, fp32 kernel, eager)
    loss_bytes: float  # per logit when the loss is computed
    backward_bytes: float  # per logit when backward starts
    selective_bytes: float | None  # per hidden element under operator-wise checkpointing; None: drop the scores only
    step_in_backward: bool  # the optimizer steps inside backward: only one block's gradients exist
    offloaded_optimizer: bool
    offloaded_weights: bool
    offloaded_activations: bool
    outer_units: bool  # embedding and head are FSDP units of their own, not gathered while the blocks work
    full_copies: bool  # FSDP builds the whole model on a GPU before it is sharded and gathers it there for saving
    expert_capacity: float  # tokens that an expert gets room for, over those that it is sent; 1: no padding
    bucket_elements: float  # size of DeepSpeed's communication buckets, which stand in the allowance; 0: none

    @property
    def trains_base(self) -> bool:
        """Whether all weights are trained."""
        return self.adapters is None

    @property
    def keeps_inputs(self) -> bool:
        """Whether linear layers of the base save what they read."""
        return self.adapters is None or self.base_keeps_inputs

    @property
    def own_weight_bytes(self) -> float:
        """Bytes of one trained weight."""
        return self.precision.weight_bytes if self.adapters is None else self.adapters.weight_bytes

    @property
    def expert_bytes(self) -> float:
        """Bytes of one element in routed experts: grouped products know no autocast, they take the weights' type."""
        wide = self.precision.autocast and self.trains_base and not self.native_gelu
        return self.precision.weight_bytes if wide else self.precision.compute_bytes
