"""The catalogue files of SkyPilot (CLOUD/vms.csv) as they are: USD, machine-written numbers, one line for each zone."""

from __future__ import annotations

import ast
import csv
import io
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import resources
from typing import Any

from pricing.importers.context import Lookups, Options
from pricing.importers.drafts import Draft, is_formula, kept_name
from pricing.importers.faults import Finding, SheetError, Value
from pricing.importers.limits import MOST_GPUS
from pricing.importers.sheets import Sheet, SheetRow

CURRENCY = "USD"  # of all its catalogues
_NEEDED = frozenset(["InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region"])
_USED = (*sorted(_NEEDED), "SpotPrice", "AvailabilityZone", "GpuInfo")
_LONGEST_LITERAL = 4_000  # characters of a GpuInfo; real ones have about 250
_MOST_BRACKETS = 100  # opened in a GpuInfo, and so its depth; a real one of one kind of card has 5
_LEAST_MIB = 1024  # no accelerator on sale has under 1 GiB: "80 MiB" is a GB of somebody's
_SPOT_DECIMALS = 4  # as AWS quotes spot: 32.9365 where the list says 32.93646
_MEMORY_SLACK = 0.15  # GiB against GB, and what the driver keeps: 81,559 MiB of a card sold as 80 GB


def is_skypilot(sheet: Sheet) -> bool:
    """Whether the first line has the column names of a SkyPilot catalogue."""
    return bool(sheet.rows) and {cell for cell in sheet.rows[0].cells if isinstance(cell, str)} >= _NEEDED


@dataclass(slots=True)
class SkyPilotReader:
    """Reads the rows of one cloud. `drafts` and `findings` fill while `read` runs."""

    sheet: Sheet
    options: Options
    lookups: Lookups
    drafts: list[Draft] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    _columns: dict[str, int] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)

    @property
    def mapping(self) -> dict[str, str]:
        """The columns that were used, under their own names."""
        return {name: name for name in _USED if name in self._columns}

    @property
    def ignored(self) -> tuple[str, ...]:
        """The columns that nobody uses."""
        return tuple(name for name in self._columns if name not in _USED)

    def read(self) -> None:
        """Turn every row into drafts or findings. Raises SheetError when nobody says which cloud it is."""
        head = self.sheet.rows[0]
        self._columns = {head.text(position): position for position in range(len(head.cells)) if head.text(position)}
        provider = self._provider()
        self.findings.append(Finding(None, "no_date", "note", {"as_of": self.options.import_day}))
        for row in self.sheet.rows[1:]:
            self._read_row(row, provider)

    def _provider(self) -> str:
        stated = self.options.provider
        code = self.lookups.provider(stated) if stated else _clouds().get(self.options.folder.strip().lower())
        if not code:
            raise SheetError("cloud_not_stated", folder=self.options.folder)
        return code

    def _text(self, row: SheetRow, column: str) -> str:
        return row.text(self._columns.get(column))

    def _drop(self, row: SheetRow, reason: str, **values: Value) -> None:
        self.findings.append(Finding(row.number, reason, "dropped", values))

    def _read_row(self, row: SheetRow, provider: str) -> None:
        names = ("InstanceType", "AcceleratorName", "Region", "AvailabilityZone")
        formula = next((name for name in names if is_formula(self._text(row, name))), None)
        if formula:
            self._drop(row, "formula_cell", column=formula)
            return
        accelerator, instance = self._text(row, "AcceleratorName"), kept_name(self._text(row, "InstanceType"))
        if not accelerator:
            self._drop(row, "no_gpu")
            return
        if not instance:
            self._drop(row, "no_instance_type")
            return
        count = self._count(row)
        gpu = gpu_of(provider, accelerator, instance)
        if count is None or gpu is None:
            self._drop(row, *(("unknown_gpu",) if count else ("bad_gpu_count",)), text=self._faulty(row, count))
            return
        self._check_memory(row, gpu)
        base = Draft(
            row=row.number,
            provider=provider,
            region=kept_name(self._text(row, "Region")) or "unspecified",
            zone=kept_name(self._text(row, "AvailabilityZone")),
            instance_type=instance,
            gpu=gpu,
            gpu_count=count,
            purchase="",
            amount=0.0,
            currency=CURRENCY,
            as_of=self.options.import_day,
            rows=(row.number,),
        )
        self._read_prices(row, base)

    def _faulty(self, row: SheetRow, count: int | None) -> str:
        if count is None:
            return self._text(row, "AcceleratorCount")
        return f"{self._text(row, 'AcceleratorName')} ({self._text(row, 'InstanceType')})"

    def _count(self, row: SheetRow) -> int | None:
        number = _number(self._text(row, "AcceleratorCount"))
        return int(number) if number is not None and number.is_integer() and 1 <= number <= MOST_GPUS else None

    def _read_prices(self, row: SheetRow, base: Draft) -> None:
        """The on-demand half and the spot half of a row, each on its own."""
        price, spot = self._price(row, "Price"), self._price(row, "SpotPrice")
        if price is None and spot is None and not (self._text(row, "Price") or self._text(row, "SpotPrice")):
            self._drop(row, "no_price")
        if price is not None:
            self._keep(base, "on-demand", price)
        if spot is None:
            return
        if price is not None and round(spot, _SPOT_DECIMALS) == round(price, _SPOT_DECIMALS):
            self._drop(row, "spot_equals_on_demand", price=price)
            return
        self._keep(base, "spot", spot)

    def _keep(self, base: Draft, purchase: str, amount: float) -> None:
        self.drafts.append(
            Draft(
                base.row, base.provider, base.region, base.zone, base.instance_type, base.gpu, base.gpu_count, purchase,
                amount, base.currency, base.as_of, rows=base.rows,
            )
        )  # fmt: skip

    def _price(self, row: SheetRow, column: str) -> float | None:
        """A price above zero; None where there is none, which is said unless the cell is empty."""
        text = self._text(row, column)
        if not text or text.lower() == "nan":
            return None
        number = _number(text)
        if number is None or number <= 0:
            reason = "not_a_number" if number is None else "zero_price" if number == 0 else "negative_price"
            self._drop(row, reason, text=text)
            return None
        return number

    def _check_memory(self, row: SheetRow, gpu: str) -> None:
        """Warn where the memory that the file states is not that of the card the row was taken for."""
        size = re.search(r"(\d+)GB", gpu)
        memory = gpu_memory_mib(self._text(row, "GpuInfo"))
        if size is None or memory is None or gpu in self._said:
            return
        expected_mib = float(size[1]) * 1024
        if not 1 - _MEMORY_SLACK <= memory / expected_mib <= 1 + _MEMORY_SLACK:
            self._said.add(gpu)
            values: dict[str, Value] = {"gpu": gpu, "gib": memory / 1024}
            self.findings.append(Finding(row.number, "gpu_memory_differs", "warning", values))


def gpu_of(provider: str, accelerator: str, instance: str) -> str | None:
    """Our name for an accelerator of SkyPilot's; None where the table does not know which card it is."""
    for cloud, name, pattern, gpu in _gpus():
        if cloud in (provider, "*") and name == accelerator.lower() and fnmatchcase(instance.lower(), pattern):
            return gpu
    return None


def gpu_memory_mib(info: str) -> float | None:
    """Memory of one GPU by a GpuInfo cell, a Python literal; None where it says none that a card can have.

    `TotalGpuMemoryInMiB` is not used: it is the node's in some clouds and one card's in others.
    """
    if not info or len(info) > _LONGEST_LITERAL or len(re.findall(r"[\[{(]", info)) > _MOST_BRACKETS:
        return None
    try:
        value = ast.literal_eval(info)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    first = _item(value, "gpus")
    first = first[0] if isinstance(first, list) and first else None
    size = _item(_item(first, "memoryinfo"), "sizeinmib")
    usable = isinstance(size, int | float) and not isinstance(size, bool) and _LEAST_MIB <= size < 1e9
    return float(size) if usable else None


def _item(value: Any, key: str) -> Any:
    """The value of a key in whatever capitals; None where there is no such dictionary."""
    if not isinstance(value, dict):
        return None
    return next((item for name, item in value.items() if isinstance(name, str) and name.lower() == key), None)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


@lru_cache(maxsize=1)
def _gpus() -> tuple[tuple[str, str, str, str], ...]:
    """The rows of skypilot_gpus.csv; the first that fits counts."""
    rows = _table("skypilot_gpus.csv")
    return tuple((row["cloud"], row["accelerator"].lower(), row["instance"].lower(), row["gpu"]) for row in rows)


@lru_cache(maxsize=1)
def _clouds() -> Mapping[str, str]:
    return {row["folder"]: row["provider"] for row in _table("skypilot_clouds.csv")}


def _table(name: str) -> list[dict[str, str]]:
    text = (resources.files("pricing.importers") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))
