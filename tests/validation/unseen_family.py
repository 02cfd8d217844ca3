"""How far off memory is for a model family that the table of activations has no line for.

Every tracked step of memory.csv is predicted twice: with its family's own line and with the block that the
configuration alone describes. Run it as a program to see the figures family by family:

    python tests/validation/unseen_family.py ../shared/validation
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from unittest.mock import patch

from desktop_app.estimation.memory_tables import families
from desktop_app.estimation.validation import memory


@contextmanager
def no_family_known() -> Iterator[None]:
    """Within it every model is of a family without a line."""
    with patch("desktop_app.estimation.memory_family.families", dict):
        yield


def errors(folder: Path) -> dict[str, list[float]]:
    """Absolute errors of the live peaks by family, in shares."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in memory.rows(folder):
        if row.quantity == "peak_bytes" and row.ratio is not None:
            found[row.source_group].append(abs(row.ratio - 1))
    return found


def ninth_decile(values: list[float]) -> float:
    """The value that nine of ten do not exceed."""
    return sorted(values)[int(0.9 * len(values))]


def main(folder: Path) -> None:
    """Print both sets of figures."""
    own = errors(folder)
    with no_family_known():
        unseen = errors(folder)
    for title, found in (("own line", own), ("unseen", unseen)):
        every = [error for of_family in found.values() for error in of_family]
        print(
            f"{title}: {len(every)} steps, median {median(every):.2%}, p90 {ninth_decile(every):.2%}, {max(every):.1%}"
        )
    for family, values in sorted(unseen.items(), key=lambda item: -max(item[1])):
        proof = families()[family].proof if family in families() else "none"
        print(f"  {family:12} {len(values):3} steps, median {median(values):.2%}, worst {max(values):.1%} ({proof})")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
