"""The vision part of a multimodal network, counted by tables/towers.csv (encoders) and tables/projectors.csv.

Both are written in the language of tables/families.csv. An encoder is `layers` equal blocks of `block_params` and the
rest, `other_params`; it hands on features of width `features`. A row of projectors.csv is an outer network: `kind` is
the encoder that it has when the file does not name one, and `projector_params` the layers that take the features to
the width of the text part (`text`). Where the file lacks a key, or a kind is not in the tables, nothing is guessed: the
part stays uncounted and the network is marked "text part only".
"""

import ast
from collections.abc import Mapping
from typing import Any

from desktop_app.estimation.families import Family, Reading, row_of
from desktop_app.estimation.model_spec import TowerSpec
from desktop_app.foundation.problems import Problem, UserError

_SIZES = (1, 1_000_000)  # of any part, as of the text part: ModelSpec.hidden_size
_KEYS = ("vision_config", "audio_config")


class _UncountedError(Exception):
    """A part that cannot be counted; the text is the key that is missing, or the kind that is not known."""


def has_other_parts(config: Mapping[str, Any]) -> bool:
    """Whether the config is of more than a text network: it describes another part, or its kind always has one."""
    kind = config.get("model_type")
    return any(config.get(key) is not None for key in _KEYS) or (
        isinstance(kind, str) and row_of("projectors", kind) is not None
    )


def tower_of(config: Mapping[str, Any], text_hidden_size: int) -> tuple[TowerSpec | None, str]:
    """The vision part that the outer config describes, or None and what is missing to count it."""
    try:
        return _counted(config, text_hidden_size), ""
    except _UncountedError as error:
        return None, str(error)
    except UserError as error:
        return None, _told(error.problems[0])
    except ValueError:  # pydantic: a size out of bounds
        return None, "vision_config"


def _told(problem: Problem) -> str:
    """The key that a problem is about, with its value where it has one that cannot be."""
    name, text = (problem.values.get(key) for key in ("name", "text"))
    return "vision_config" if name is None else str(name) if text is None else f"{name}: {text}"


def _counted(config: Mapping[str, Any], text_hidden_size: int) -> TowerSpec:
    vision = config.get("vision_config")
    if config.get("audio_config") is not None:
        raise _UncountedError("audio_config")
    if not isinstance(vision, Mapping):
        raise _UncountedError("vision_config")
    outer = _row("projectors", config.get("model_type"))
    kind = vision.get("model_type", outer.kind)
    family = _row("towers", kind)
    encoder = Reading(family, vision, sizes=_SIZES)
    sizes = {column: encoder.number(column) or 0 for column in family.rules}
    if not sizes["patches"] and not isinstance(family.rules["patches"], ast.Constant):
        raise _UncountedError("image_size")  # smaller than one patch
    projector = Reading(outer, config, {"features": sizes["features"], "text": text_hidden_size}, _SIZES)
    return TowerSpec(
        kind=kind,
        layers=sizes["layers"],
        hidden_size=sizes["hidden_size"],
        encoder_params=sizes["layers"] * sizes["block_params"] + sizes["other_params"],
        projector_params=projector.number("projector_params") or 0,
    )


def _row(table_name: str, model_type: object) -> Family:
    row = row_of(table_name, model_type) if isinstance(model_type, str) else None
    if row is None:
        raise _UncountedError(str(model_type))
    return row
