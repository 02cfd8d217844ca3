"""Networks by name: tables/models.csv, written from papers and model cards, built by the same rules as a config.json.

Names are forgiving: case, spaces, dashes, an owner ("meta-llama/") and words such as "hf" or "instruct" do not matter.
"""

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from desktop_app.estimation.families import kinds
from desktop_app.estimation.huggingface import model_from_config
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.table_files import Row, table
from desktop_app.foundation.problems import shown, user_error

_NOT_KEYS = ("name", "aliases", "wrapper", "more", "source", "as_of")
_OF_THE_WRAPPER = ("vision_config.", "scale_factor")
_WORDS = {"true": True, "false": False, "null": None}
# says how a network was tuned or stored, not its shape
_NOISE = frozenset(["base", "chat", "deduped", "hf", "instruct", "it", "meta", "model", "pt"])
_TOKEN = re.compile(r"[a-z]+|\d+(?:\.\d+)?[bmtk]?(?![a-z0-9])|\d+(?:\.\d+)?")
_SPACED_UNIT = re.compile(r"(?<=\d)\s+(?=[bmtk]\b)")


def model_named(name: str) -> ModelSpec:
    """The preset that `name` means. Raises UserError with suggestions on the choice "model" when there is none."""
    key = _key(name)
    if key not in _index():
        suggestions = _suggestions(name)
        if suggestions:
            raise user_error("model", "problem.model_name_like", text=shown(name), suggestions=", ".join(suggestions))
        raise user_error("model", "problem.model_name", text=shown(name))
    return _preset(key)


@lru_cache(maxsize=64)
def _preset(key: tuple[str, ...]) -> ModelSpec:
    return _built(_index()[key])


def preset_names() -> tuple[str, ...]:
    """The names of the presets whose training can be estimated, which are the decoders; in the order of the table."""
    return tuple(row["name"] for row in table("models") if kinds()[row["model_type"]] == "decoder")


@lru_cache(maxsize=1)
def presets() -> tuple[ModelSpec, ...]:
    """All presets, in the order of the table."""
    return tuple(_built(row) for row in table("models"))


@lru_cache(maxsize=1)
def _index() -> dict[tuple[str, ...], Row]:
    """Every name and alias, as `_key` sees it -> its row."""
    index: dict[tuple[str, ...], Row] = {}
    for row in table("models"):
        for name in _names(row):
            index.setdefault(_key(name), row)
    return index


def _names(row: Row) -> list[str]:
    return [row["name"], *(alias.strip() for alias in row["aliases"].split(";") if alias.strip())]


def _key(name: str) -> tuple[str, ...]:
    """What distinguishes a name: its words and numbers in order. "meta-llama/Llama-2-7b-hf" -> llama, 2, 7b."""
    plain = _SPACED_UNIT.sub("", name.lower().split("/")[-1].replace("_", " ").replace("+", " plus "))
    return tuple(token for token in _TOKEN.findall(plain) if token not in _NOISE)


def _suggestions(name: str) -> list[str]:
    by_text = {" ".join(_key(known)): row["name"] for row in table("models") for known in _names(row)}
    close = get_close_matches(" ".join(_key(name)), list(by_text), n=6, cutoff=0.6)
    return list(dict.fromkeys(by_text[text] for text in close))[:3]


def _built(row: Row) -> ModelSpec:
    config: dict[str, Any] = {key: _value(cell) for key, cell in row.items() if cell and key not in _NOT_KEYS}
    outside: dict[str, Any] = {"model_type": row["wrapper"]}
    for pair in row["more"].split():
        key, cell = pair.split("=")
        *outer, last = key.split(".")
        inside = outside if row["wrapper"] and key.startswith(_OF_THE_WRAPPER) else config
        for part in outer:
            inside = inside.setdefault(part, {})
        inside[last] = _value(cell)
    if row["wrapper"]:
        config = {**outside, "text_config": config}
    return model_from_config(config, row["name"], row["source"], row["as_of"])


def _value(cell: str) -> int | bool | str | list[Any] | None:
    """A cell as JSON would have it: a whole number, true, false, null, a list with bars between, or a word."""
    if "|" in cell:
        return [_value(part) for part in cell.split("|")]
    if cell in _WORDS:
        return _WORDS[cell]
    return int(cell) if cell.isdigit() else cell
