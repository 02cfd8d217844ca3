"""One accelerator, as its data sheet and the fits describe it, and the names people give it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from desktop_app.estimation.table_files import Row, number, required, table
from desktop_app.foundation.problems import Problem, user_error
from desktop_app.foundation.units import BITS_PER_BYTE, BYTES_PER_GIB

_TERA, _GIGA = 1e12, 1e9  # SI


@dataclass(frozen=True, slots=True)
class Gpu:
    """Dense peaks only (no 2:4 sparsity). Rates per second; links one way."""

    name: str
    vendor: str
    memory_bytes: float
    usable_memory_bytes: float  # what a training process gets
    memory_bytes_per_s: float
    peak_dense_bf16_flops: float  # 16-bit; fp16 where the card has no bf16
    peak_dense_fp8_flops: float | None
    peak_dense_fp4_flops: float | None
    supports_bf16: bool
    link_bytes_per_s_one_way: float  # NVLink or its like; PCIe where there is none
    link_domain_gpus: int  # GPUs that reach each other at that speed; 1 = only over PCIe
    typical_node_gpus: int
    network_bytes_per_s_per_node: float  # one way, when nothing is stated
    efficiency_class: (
        str  # row of efficiency_classes.csv: "A100", "prior-ada" (never measured), "none" (no speed model)
    )
    source: str
    as_of: str
    kind: str = "gpu"  # "gpu", "tpu" or "asic"
    peak_fp32_flops: float | None = None  # outside tensor cores
    peak_dense_tf32_flops: float | None = None
    fit_peak_bf16_flops: float | None = None  # the peak that the speed fit used, where it is another one

    @property
    def speed_peak_flops(self) -> float:
        """The 16-bit peak that the efficiency of the class refers to, so that efficiency times peak stays as fitted."""
        return self.fit_peak_bf16_flops or self.peak_dense_bf16_flops


def gpu_rows() -> tuple[Row, ...]:
    """The rows of gpus.csv as they stand, for the catalogue."""
    return table("gpus")


def gpu_names() -> tuple[str, ...]:
    """The names of all accelerators in the table's order."""
    return tuple(row["name"] for row in gpu_rows())


@lru_cache(maxsize=1)
def gpus() -> tuple[Gpu, ...]:
    """All accelerators whose 16-bit peak is known."""
    return tuple(_gpu(row) for row in gpu_rows() if row["bf16_tflops_dense"])


def gpu_named(name: str) -> Gpu:
    """The accelerator that `name` means, however it is written. Raises UserError on the choice "gpu"."""
    return resolve_gpu(name)[0]


def resolve_gpu(text: str) -> tuple[Gpu, Problem | None]:
    """The accelerator that `text` means, and a note when the name fits several and the usual one was taken.

    Raises UserError for an unknown name, with the nearest ones, and for an accelerator whose peak nobody published.
    """
    spelling = _plain(text)
    alias = _aliases().get(spelling)
    name = alias["name"] if alias else spelling
    found = _by_spelling().get(_plain(name))
    if found is None:
        raise _refusal(text, name)
    if alias and alias["other"]:
        return found, Problem("gpu", "problem.ambiguous", {"value": found.name, "other": alias["other"]}, "note")
    return found, None


@lru_cache(maxsize=1)
def _by_spelling() -> Mapping[str, Gpu]:
    return {_plain(gpu.name): gpu for gpu in gpus()}


def _refusal(text: str, name: str) -> Exception:
    known = {_plain(row["name"]): row["name"] for row in gpu_rows()}
    if _plain(name) in known:
        return user_error("gpu", "problem.gpu_no_peak", gpu=known[_plain(name)])
    spellings = {**{alias: row["name"] for alias, row in _aliases().items()}, **known}
    near = difflib.get_close_matches(_plain(text), spellings, n=9, cutoff=0.5)
    names = list(dict.fromkeys(spellings[spelling] for spelling in near))[:3]
    if names:
        return user_error("gpu", "problem.unknown_gpu", text=text[:60], names=", ".join(names))
    return user_error("gpu", "problem.unknown_gpu_no_hint", text=text[:60])


@lru_cache(maxsize=1)
def _aliases() -> Mapping[str, Row]:
    return {_plain(row["alias"]): row for row in table("gpu_aliases")}


def _plain(text: str) -> str:
    """How names are compared: small letters and digits, the maker's and the family's words left out."""
    words = re.sub(r"nvidia|geforce|tesla|quadro|amd|instinct|google|intel|habana|huawei|aws", " ", text.lower())
    parts = [re.sub(r"^(\d{2,3})(gib|gb|g)$", r"\1", part) for part in re.split(r"[\s_/(),-]+", words)]
    return "".join(parts)


def _gpu(row: Row) -> Gpu:
    def tera(column: str) -> float | None:
        value = number(row[column])
        return None if value is None else value * _TERA

    return Gpu(
        name=row["name"],
        vendor=row["vendor"],
        memory_bytes=required(row, "memory_gib") * BYTES_PER_GIB,
        usable_memory_bytes=required(row, "usable_memory_gib") * BYTES_PER_GIB,
        memory_bytes_per_s=required(row, "memory_bandwidth_gb_s") * _GIGA,
        peak_dense_bf16_flops=required(row, "bf16_tflops_dense") * _TERA,
        peak_dense_fp8_flops=tera("fp8_tflops_dense"),
        peak_dense_fp4_flops=tera("fp4_tflops_dense"),
        supports_bf16=row["supports_bf16"] == "yes",
        link_bytes_per_s_one_way=required(row, "link_gb_s_one_way") * _GIGA,
        link_domain_gpus=int(row["link_domain_gpus"]),
        typical_node_gpus=int(row["typical_node_gpus"]),
        network_bytes_per_s_per_node=required(row, "network_gbit_per_node") * _GIGA / BITS_PER_BYTE,
        efficiency_class=row["efficiency_class"],
        source=row["source"],
        as_of=row["as_of"],
        kind=row["kind"],
        peak_fp32_flops=tera("fp32_tflops"),
        peak_dense_tf32_flops=tera("tf32_tflops_dense"),
        fit_peak_bf16_flops=tera("fit_peak_bf16_tflops"),
    )
