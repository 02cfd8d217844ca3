"""A config.json as Hugging Face's libraries write it, read as data: config -> ModelSpec. Nothing of it is executed.

What each key means, and what its absence means, stands in tables/families.csv. Anything else is refused in plain words.
"""

from collections.abc import Mapping
from pathlib import Path
from types import NoneType
from typing import Any, get_args

from pydantic.fields import FieldInfo

from desktop_app.estimation.config_file import read_json_object
from desktop_app.estimation.families import LARGEST, REFUSED, Family, Reading, family_of
from desktop_app.estimation.model_spec import MlaSpec, ModelSpec, MoeSpec
from desktop_app.estimation.towers import has_other_parts, tower_of
from desktop_app.estimation.windows import ATTENTION_LAYERS, window_layers
from desktop_app.foundation.files import path_text
from desktop_app.foundation.problems import shown, user_error
from desktop_app.foundation.records import Record, bounds_of

_ACTIVATIONS = {  # names in config.json -> what memory needs to know (transformers, activations.py)
    "silu": "silu",
    "swish": "silu",
    "swiglu": "silu",
    "gelu": "gelu",
    "gelu_fast": "gelu",
    "quick_gelu": "gelu",
    "gelu_pytorch_tanh": "gelu",
    "gelu_python": "gelu_python",
    "gelu_new": "gelu_python",
    "relu": "relu",
    "relu2": "relu2",
}
_STATE_SPACE_KEYS = ("mamba_d_state", "ssm_cfg", "linear_conv_kernel_dim")  # MEMORY_MODEL.md section 1, reading rules


def read_config(path: Path) -> ModelSpec:
    """The network that a config.json describes, named after the file or, for a plain "config.json", after its folder.

    Raises UserError with a problem on the choice "model" for anything that is not the config of a network we can count.
    """
    config = read_json_object(path)
    name = path.resolve().parent.name if path.stem == "config" else path.stem
    return model_from_config(config, path_text(Path(name)))


def model_from_config(config: Mapping[str, Any], name: str, source: str = "config.json", as_of: str = "") -> ModelSpec:
    """The network that the keys of a config.json describe. Raises UserError on the choice "model".

    With a `text_config` inside, that part is read; the vision part becomes the tower, or the network is marked "text
    part only" with the reason. `as_of` is empty for a user's own file, which has no date of its own.
    """
    part, multimodal = _text_part(config)
    model_type = part.get("model_type")
    if model_type is None:
        raise user_error("model", "problem.config_no_type")
    if not isinstance(model_type, str):
        raise user_error("model", "problem.config_value", name="model_type", text=shown(model_type))
    family = family_of(model_type)
    if (family and family.kind == "hybrid") or _is_state_space(part):
        raise user_error("model", "problem.model_hybrid", kind=shown(model_type))
    if family is None:
        raise user_error("model", "problem.unknown_model", kind=shown(model_type))
    if family.kind in REFUSED:
        raise user_error("model", "problem.model_uneven", kind=shown(model_type))
    reading = Reading(family, part)
    values = _numbers_and_switches(ModelSpec, reading, family, skip={"ffn_size"})
    values["moe"] = _moe(reading, family, values["layers"])
    values["mla"] = _mla(reading, family)
    values["ffn_size"] = _ffn_size(reading, values["moe"], values["layers"])
    values["window_layers"] = window_layers(reading, values["layers"], values["sliding_window"])
    tower, missing = tower_of(config, values["hidden_size"]) if multimodal else (None, "")
    return ModelSpec(
        name=shown(name) or model_type,
        family=model_type,
        kind=family.kind,
        tower=tower,
        text_part_only=multimodal and tower is None,
        uncounted_because=shown(missing),
        source=source,
        as_of=as_of,
        **values,
    )


def _text_part(config: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """The config of the text part, and whether there are other parts. The outer file has the say on a shared head."""
    inner = config.get("text_config")
    if inner is None:
        return config, has_other_parts(config)
    if not isinstance(inner, Mapping):
        raise user_error("model", "problem.config_value", name="text_config", text=shown(inner))
    tied = config.get("tie_word_embeddings")
    return (inner if tied is None else {**inner, "tie_word_embeddings": tied}), True


def _is_state_space(config: Mapping[str, Any]) -> bool:
    layer_types = config.get("layer_types")
    kinds = {kind for kind in layer_types if isinstance(kind, str)} if isinstance(layer_types, list) else set()
    return bool(kinds - ATTENTION_LAYERS) or any(config.get(key) is not None for key in _STATE_SPACE_KEYS)


def _moe(reading: Reading, family: Family, layers: int) -> MoeSpec | None:
    """The mixture of experts; None for a dense family, and where the file gives no layer experts."""
    if "experts" not in family.filled:
        return None
    values = _numbers_and_switches(MoeSpec, reading, family, skip={"moe_layers"})
    only, never = reading.layer_numbers("moe_layers"), reading.layer_numbers("dense_layers") or frozenset()
    first = reading.number("first_moe_layer") or 0
    if first > layers:
        raise user_error("model", "problem.config_number", name=reading.key, text=shown(first), low=0, high=layers)
    phase, last = reading.number("moe_phase") or 0, reading.number("last_moe_layer") or 0
    every = reading.number("moe_every")
    if not every:
        raise user_error("model", "problem.config_number", name=reading.key, text=shown(every), low=1, high=layers)
    if only is None:
        only = frozenset(layer for layer in range(first, min(last + 1, layers)) if (layer + phase) % every == 0)
    moe_layers = sum(1 for layer in only - never if 0 <= layer < layers)
    return MoeSpec(moe_layers=moe_layers, **values) if moe_layers else None


def _ffn_size(reading: Reading, moe: MoeSpec | None, layers: int) -> int | None:
    """The width of the dense MLP: 0 where every layer has experts, at least 1 where none has."""
    if moe is not None and moe.moe_layers == layers:
        return 0
    return _number(ModelSpec.model_fields["ffn_size"], "ffn_size", reading, least=0 if moe else 1)


def _mla(reading: Reading, family: Family) -> MlaSpec | None:
    if "key_value_rank" not in family.filled:
        return None
    return MlaSpec(**_numbers_and_switches(MlaSpec, reading, family))


def _numbers_and_switches(
    record: type[Record], reading: Reading, family: Family, skip: set[str] | None = None
) -> dict[str, Any]:
    """The value of every column that is a field of `record`, in the order of the table, checked against its bounds."""
    values: dict[str, Any] = {}
    for column in family.rules:
        if column not in record.model_fields or column in (skip or ()):
            continue
        info = record.model_fields[column]
        if info.annotation is bool:
            values[column] = reading.flag(column)
        elif int in (info.annotation, *get_args(info.annotation)):
            values[column] = _number(info, column, reading)
        else:
            values[column] = reading.text(column)
            if column == "activation":
                values[column] = _activation(values[column], reading.key)
    return values


def _number(info: FieldInfo, column: str, reading: Reading, least: int = 0) -> int | None:
    value = reading.number(column)
    if value is None and NoneType in get_args(info.annotation):
        return None
    low, high = bounds_of(info)
    low, high = max(low, least), min(high, LARGEST)
    if value is None or not low <= value <= high:
        raise user_error("model", "problem.config_number", name=reading.key, text=shown(value), low=low, high=high)
    return value


def _activation(name: str, key: str) -> str:
    if name not in _ACTIVATIONS:
        raise user_error("model", "problem.config_value", name=key, text=shown(name))
    return _ACTIVATIONS[name]
