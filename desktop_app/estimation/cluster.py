"""The machines a job runs on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_app.estimation.gpus import Gpu, gpu_named, resolve_gpu
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.records import Record, choice
from desktop_app.foundation.units import BITS_PER_BYTE, BYTES_PER_GIB


class ClusterChoice(Record):
    """The choices of a cluster. None takes what is usual for the GPU, and says so."""

    gpu: str = choice("A100-80GB-SXM", card="cluster")
    gpus: int = choice(256, card="cluster", unit="gpu", ge=1, le=10_000_000)
    gpus_per_node: int | None = choice(card="cluster", unit="gpu", detail=True, ge=1, le=1024)
    network_gbit_per_node: float | None = choice(card="cluster", unit="gbit_per_s", detail=True, ge=0.001, le=1_000_000)
    host_memory_gib_per_node: float | None = choice(card="cluster", unit="gib", detail=True, ge=1, le=1_000_000)
    checkpoint_write_gb_per_s: float | None = choice(
        card="cluster", unit="gb_per_s", detail=True, ge=0.001, le=1_000_000
    )
    mtbf_gpu_hours: float | None = choice(card="cluster", unit="gpu_hour", detail=True, ge=1, le=1e9)
    restart_minutes: float | None = choice(card="cluster", unit="minute", detail=True, ge=0, le=100_000)


@dataclass(frozen=True, slots=True)
class Cluster:
    """What the choices come to."""

    gpu: Gpu
    gpus: int
    gpus_per_node: int
    network_bytes_per_s_per_node: float  # one way, all cards of the node together
    host_memory_bytes_per_node: float | None = None  # None: not known
    node_size_stated: bool = False

    @property
    def nodes(self) -> int:
        """Whole nodes, the last one perhaps not full."""
        return -(-self.gpus // self.gpus_per_node)

    @property
    def link_domain_gpus(self) -> int:
        """GPUs that reach each other without the network: those of a node, or of a rack that is one NVLink domain."""
        linked = self.gpu.link_domain_gpus
        if linked == 1:  # over PCIe, all cards of a node
            return self.gpus_per_node
        return linked if linked > self.gpu.typical_node_gpus else min(linked, self.gpus_per_node)

    def with_gpus(self, gpus: int) -> Cluster:
        """The same machines, but so many GPUs; a single server that is not full is filled up first.

        Unless the user stated how many GPUs a server has.
        """
        per_node = self.gpus_per_node
        if self.gpus <= per_node and not self.node_size_stated:
            per_node = max(per_node, min(gpus, self.gpu.typical_node_gpus))
        return replace(self, gpus=gpus, gpus_per_node=per_node)


def cluster_of(choice: ClusterChoice) -> Cluster:
    """The cluster of `choice`. Raises UserError for a GPU that is not known.

    GPUs per node are the usual number of the GPU (fewer when the job has fewer), the network that of its usual server.
    """
    gpu = gpu_named(choice.gpu)
    network = gpu.network_bytes_per_s_per_node
    if choice.gpus_per_node is not None:  # each card brings its share of the usual server's network
        network *= choice.gpus_per_node / gpu.typical_node_gpus
    if choice.network_gbit_per_node is not None:
        network = choice.network_gbit_per_node * 1e9 / BITS_PER_BYTE
    gpus_per_node = choice.gpus_per_node or min(choice.gpus, gpu.typical_node_gpus)
    host_gib = choice.host_memory_gib_per_node
    host_bytes = None if host_gib is None else host_gib * BYTES_PER_GIB
    return Cluster(gpu, choice.gpus, gpus_per_node, network, host_bytes, choice.gpus_per_node is not None)


def cluster_notes(choice: ClusterChoice) -> tuple[Problem, ...]:
    """What to tell about `choice`: which GPU an ambiguous name was read as, and a last node that is not full."""
    note = resolve_gpu(choice.gpu)[1]
    found = [note] if note else []
    per_node = cluster_of(choice).gpus_per_node
    if choice.gpus > per_node and choice.gpus % per_node:
        lower = choice.gpus // per_node * per_node
        values = {"value": choice.gpus, "per_node": per_node, "lower": lower, "upper": lower + per_node}
        found.append(Problem("gpus", "problem.not_divisible", values, "warning"))
    return tuple(found)
