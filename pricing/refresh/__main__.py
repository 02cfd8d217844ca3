"""python -m pricing.refresh FOLDER: rebuild pricing/tables from the source files in FOLDER, and say what was dropped.

Reads local files only. Which files, where they come from and how to renew them: pricing/tables/SOURCES.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path

from pricing.catalogue import catalogue_of
from pricing.plausibility import implausible_rows
from pricing.refresh.others import (
    clean_commitments,
    clean_fx,
    clean_interruptions,
    clean_node_power,
    clean_physical,
    clean_storage,
)
from pricing.refresh.places import clean_grids, clean_regions
from pricing.refresh.prices import clean_prices
from pricing.refresh.rows import Cleaned, Drop, read_source, write_tables

PACKAGE = Path(__file__).resolve().parents[1]
RULES = Path(__file__).resolve().parent


def rebuilt(source: Path, tables: Path, accepted: Collection[str] = ()) -> list[Cleaned]:
    """Every table made from the files in `source`, compared with the ones in `tables`. Raises OSError."""
    physical = clean_physical(read_source(source, "gpus.csv"), read_source(RULES, "gpu_classes.csv"))
    gpus = {row["gpu"] for row in physical.rows}
    providers = {row["provider"] for row in read_source(tables, "providers.csv")}
    previous = tables / "gpu_prices.csv"
    before = [dict(row.cells) for row in read_source(tables, previous.name)] if previous.exists() else []
    grids = clean_grids(read_source(source, "grid_intensity.csv"))
    return [
        clean_prices(read_source(source, "gpu_prices.csv"), gpus, providers, before, accepted),
        physical,
        clean_node_power(read_source(source, "node_power.csv"), gpus),
        grids,
        clean_regions(read_source(source, "cloud_regions.csv"), read_source(RULES, "site_zones.csv"), grids.rows),
        clean_storage(read_source(source, "storage_prices.csv")),
        clean_fx(read_source(source, "fx_rates.csv")),
        clean_commitments(read_source(source, "commitments.csv")),
        clean_interruptions(read_source(source, "spot_interruption.csv")),
    ]


def report(table: Cleaned) -> str:
    """What became of one table: rows kept, rows left out by rule, and each row refused."""
    lines = [f"{table.table}: {len(table.rows)} rows kept, {len(table.drops)} dropped"]
    by_reason: dict[str, list[Drop]] = defaultdict(list)
    for drop in table.drops:
        by_reason[drop.reason].append(drop)
    for reason, drops in sorted(by_reason.items()):
        if drops[0].refused:
            lines += [f"  REFUSED {drop.row.name} {reason}: {drop.detail}" for drop in drops]
        else:
            numbers = ", ".join(str(drop.row.number) for drop in drops)
            lines.append(f"  left out {len(drops)} {reason}: {drops[0].row.file} rows {numbers}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild, write, read back. 0 = written; 2 = a source file is missing."""
    parser = argparse.ArgumentParser(prog="python -m pricing.refresh", description=__doc__)
    parser.add_argument("source", type=Path, help="folder with gpu_prices.csv, grid_intensity.csv and the others")
    parser.add_argument("--tables", type=Path, default=PACKAGE / "tables", help="folder of the tables to replace")
    parser.add_argument("--accept", nargs="*", default=[], metavar="FILE:ROW", help="price jumps that were looked at")
    choice = parser.parse_args(arguments)
    try:
        tables = rebuilt(choice.source, choice.tables, choice.accept)
    except OSError as error:
        print(f"cannot read {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    write_tables(tables, choice.tables)
    for table in tables:
        print(report(table))
    catalogue = catalogue_of(choice.tables)
    catalogue.check()
    for name, found in implausible_rows(catalogue):
        bounds = f"{found.low:g} to {found.high:g}"
        print(f"  WARNING {name} {found.reason}: {found.quantity} {found.value:g} is outside {bounds}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
