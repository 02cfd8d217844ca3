"""The machines a job runs on."""

from dataclasses import dataclass

from desktop_app.estimation.gpus import Gpu
from desktop_app.foundation.records import Record, choice


class ClusterChoice(Record):
    """The choices of a cluster. None takes what is usual for the GPU, and says so."""

    gpu: str = choice("A100-80GB-SXM", card="cluster")
    gpus: int = choice(256, card="cluster", unit="gpu", ge=1, le=10_000_000)
    gpus_per_node: int | None = choice(card="cluster", unit="gpu", detail=True, ge=1, le=1024)
    network_gbit_per_node: float | None = choice(card="cluster", unit="gbit_per_s", detail=True, gt=0, le=1_000_000)


@dataclass(frozen=True, slots=True)
class Cluster:
    """What the choices come to."""

    gpu: Gpu
    gpus: int
    gpus_per_node: int
    network_bytes_per_s_per_node: float  # one way, all cards of the node together

    @property
    def nodes(self) -> int:
        """Whole nodes, the last one perhaps not full."""
        return -(-self.gpus // self.gpus_per_node)
