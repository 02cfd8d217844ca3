"""Model FLOPs: what MFU and the training total count.

6 per matrix parameter and token (forward 2, backward 4), 4 for LoRA and QLoRA, whose frozen weights need no gradient.
The output head counts, the input embedding does not; attention counts in full, 12 * layers * query width * length;
recompute does not count; of a mixture of experts only the experts that a token uses count.
"""

from __future__ import annotations

from desktop_app.estimation.shape import Shape, attended_share
from desktop_app.estimation.training_job import Method
from desktop_app.foundation import scalar_ops
from desktop_app.foundation.scalar_ops import Number, Ops

FLOPS_PER_PARAMETER_FULL = 6  # Kaplan et al. 2020 (arXiv 2001.08361): 2 forward, 4 backward
FLOPS_PER_PARAMETER_ADAPTER = 4  # 2 forward, 2 for the gradient of the inputs; none for frozen weights
ATTENTION_FLOPS = 12  # Chowdhery et al. 2022 (arXiv 2204.02311), appendix B: 2 products, 3 passes, 2 FLOP


def matrix_parameters(shape: Shape) -> Number:
    """Parameters that a token is multiplied with: those of the layers it passes, and the output head, tied or not.

    The layers' norms and biases are counted in; they are less than one part in a thousand.
    """
    outside = shape.params_embedding + shape.params_head + shape.params_positions + shape.params_final_norm
    return shape.params_active - outside + shape.hidden * shape.vocab


def flops_per_token(shape: Shape, sequence_length: Number, method: Method = "full") -> Number:
    """Model FLOPs of one token: 6 (or 4) * matrix parameters + 12 * layers * query width * length."""
    per_parameter = FLOPS_PER_PARAMETER_FULL if method == "full" else FLOPS_PER_PARAMETER_ADAPTER
    return per_parameter * matrix_parameters(shape) + attention_flops_per_token(shape, sequence_length)


def attention_flops_per_token(shape: Shape, sequence_length: Number, ops: Ops = scalar_ops) -> Number:
    """Model FLOPs of the attention products of one token, counted in full: 12 * layers * width * length.

    Layers that see a sliding window count what lies inside it, twice as full attention counts the causal half twice.
    """
    seen = attended_share(shape, sequence_length, ops)
    return ATTENTION_FLOPS * shape.layers * shape.attention_width * sequence_length * seen


def training_flops(shape: Shape, sequence_length: Number, tokens: Number, method: Method = "full") -> Number:
    """Model FLOPs of the whole job."""
    return flops_per_token(shape, sequence_length, method) * tokens


def mfu(flops_per_token: Number, tokens_per_s_per_gpu: Number, peak_dense_bf16_flops: Number) -> Number:
    """Model FLOPs utilisation: model FLOPs per second over the dense 16-bit peak, whatever the precision of the job."""
    return flops_per_token * tokens_per_s_per_gpu / peak_dense_bf16_flops
