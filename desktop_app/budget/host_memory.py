"""Whether host memory, and not that of the GPU, decides that an offloaded job does not fit or only just."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from desktop_app.estimation.memory import verdict
from desktop_app.estimation.results import Estimate
from desktop_app.foundation.formatting import plain
from desktop_app.foundation.units import BYTES_PER_GIB
from desktop_app.foundation.wording import Words


@dataclass(frozen=True, slots=True)
class HostMemory:
    """What offloading takes on one node, and what is there; None when nobody stated it."""

    needed_bytes: float
    given_bytes: float | None

    def tell(self, key: str, words: Words) -> str:
        """The sentence `key` with both in GiB, or its form "key_open" where nobody stated what is there."""
        needed = plain(math.ceil(self.needed_bytes / BYTES_PER_GIB))
        if self.given_bytes is None:
            return words(f"{key}_open", needed=needed)
        return words(key, needed=needed, given=plain(round(self.given_bytes / BYTES_PER_GIB)))


def deciding_host_memory(estimate: Estimate) -> HostMemory | None:
    """The host memory of a node where it makes the verdict worse than the memory of the GPU alone would."""
    memory, cluster = estimate.memory, estimate.cluster
    alone = verdict(replace(memory, host_bytes=0.0), cluster.gpu.usable_memory_bytes)
    if alone == estimate.fits:
        return None
    needed = memory.host_bytes * min(cluster.gpus, cluster.gpus_per_node)
    return HostMemory(needed, cluster.host_memory_bytes_per_node)
