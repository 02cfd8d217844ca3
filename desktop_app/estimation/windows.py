"""How many layers of a network see only a sliding window of the text, as its config.json says it."""

from desktop_app.estimation.families import Reading
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import user_error
from desktop_app.foundation.records import bounds_of

ATTENTION_LAYERS = frozenset(
    ["attention", "full_attention", "sliding_attention", "chunked_attention", "indexed_attention"]
)
_LONGEST = bounds_of(TrainingJob.model_fields["sequence_length"])[1]  # tokens
_LIMITED = ("sliding_attention", "chunked_attention")


def window_layers(reading: Reading, layers: int, sliding_window: int | None) -> int:
    """The layers that see only the sliding window: as the file lists them, otherwise by the rule of the family.

    A window that no sequence fills is none. Raises UserError for a list of another length than the network, and for
    windowed layers without a window.
    """
    never_filled = sliding_window is not None and sliding_window >= _LONGEST
    kinds = reading.layer_words("layer_kinds")
    if kinds is not None:
        if len(kinds) != layers:
            raise user_error("model", "problem.config_layer_list", name=reading.key, entries=len(kinds), layers=layers)
        limited = sum(kind in _LIMITED for kind in kinds)
        if limited and sliding_window is None:
            raise user_error("model", "problem.config_missing", name="sliding_window")
        return 0 if never_filled else limited
    if sliding_window is None or never_filled:
        return 0
    first, end = reading.number("first_window") or 0, reading.number("end_window") or 0
    every, phase = reading.number("full_every") or 0, reading.number("full_phase") or 0
    within = range(min(first, layers), min(end, layers))
    return sum(1 for layer in within if not every or (layer + phase) % every)
