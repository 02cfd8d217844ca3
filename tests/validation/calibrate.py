"""Refits the constants of the speed model and says how true the model is for what it has not seen.

    python tests/validation/calibrate.py            print what a refit gives, change nothing
    python tests/validation/calibrate.py --write    also write constants.csv, left_out.csv and ACCURACY.md

Reads ../shared/validation/throughput.csv and published/throughput.csv. Every publication (of mixtures of experts:
every model family) is left out in turn and predicted by constants fitted without it; from these residuals come the
80 % ranges. A full run takes about ten minutes on two cores.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

if __name__ == "__main__" and {"-h", "--help"} & set(sys.argv[1:]):  # also where scipy is missing
    print((__doc__ or "").strip())
    sys.exit(0)
try:
    from calibration.accuracy import report
    from calibration.fit import Fit, Prior, fit, read_priors
    from calibration.left_out import LeftOut, factor_80, left_out
    from calibration.observations import Observation, columns_of, observations
except ModuleNotFoundError as missing:
    package = (missing.name or "").partition(".")[0]
    if __name__ != "__main__" or package not in ("numpy", "scipy"):
        raise
    sys.exit(f"A refit needs {package}: pip install -r packaging/requirements-dev.txt")

HERE = Path(__file__).resolve().parent
TABLES = (HERE.parents[1].parent / "shared" / "validation" / "throughput.csv", HERE / "published" / "throughput.csv")
CONSTANTS = HERE.parents[1] / "desktop_app" / "estimation" / "tables" / "constants.csv"
AS_OF = "2026-11-30"  # of the tables of published rows


def main(arguments: Sequence[str]) -> None:
    """Fit, leave out, print; write the three files when asked to."""
    _check(arguments)
    rows, priors = observations(TABLES), read_priors()
    best = fit(columns_of(rows), priors)
    unseen = left_out(rows, priors)
    factors = {f"speed_factor_80.{regime}": factor for regime, factor in ranges(unseen).items()}
    text = report(rows, columns_of(rows).log_ratio(best.constants), unseen, factors)
    print(text)
    if "--write" in arguments:
        _write_constants(best, priors, rows, factors)
        _write_left_out(unseen)
        (HERE / "ACCURACY.md").write_text(text, encoding="utf-8")


def _check(arguments: Sequence[str]) -> None:
    """SystemExit with a sentence for an argument that is not known, or a table that is not there."""
    unknown = [argument for argument in arguments if argument != "--write"]
    if unknown:
        sys.exit(f"{unknown[0]} is not known: only --write and --help are.")
    missing = [table for table in TABLES if not table.is_file()]
    if missing:
        sys.exit(f"There is no {missing[0]}: the published speeds that a refit reads.")


def ranges(unseen: Sequence[LeftOut]) -> dict[str, float]:
    """The 80 % factor of each kind of estimate, rounded up to a hundredth."""
    kinds = sorted({one.regime for one in unseen})
    return {kind: math.ceil(100 * factor_80([one for one in unseen if one.regime == kind])) / 100 for kind in kinds}


def _write_constants(
    best: Fit, priors: Sequence[Prior], rows: Sequence[Observation], factors: Mapping[str, float]
) -> None:
    with CONSTANTS.open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    by_name = {prior.name: prior for prior in priors}
    source = f"fit to {len(rows)} rows of {len({row.source for row in rows})} publications (tests/validation)"
    for row in table:
        name = row["name"]
        prior = by_name.get(name)
        if prior is not None:
            error = best.errors[name]
            told = "published rows" if error < 0.8 * prior.width else "mostly its prior"
            row["width"], row["source"], row["as_of"] = f"{error:.2f}", source, AS_OF
            row["pinned_by"] = f"{told}: {prior.centre:g} within a factor {1 + prior.width:g} before ({prior.reason})"
        if name in factors:
            row["value"] = f"{factors[name]:.2f}"
        elif best.constants[name] != float(row["value"]):
            row["value"] = f"{best.constants[name]:.4g}"
    _write(CONSTANTS, list(table[0]), table)


def _write_left_out(unseen: Sequence[LeftOut]) -> None:
    columns = ["id", "source_group", "kind", "regime", "log_ratio"]
    rows = [
        {
            "id": one.observation.cells["id"],
            "source_group": one.observation.cells["source_group"],
            "kind": one.observation.kind,
            "regime": one.regime,
            "log_ratio": f"{one.log_ratio:.4f}",
        }
        for one in unseen
    ]
    _write(HERE / "left_out.csv", columns, rows)


def _write(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
