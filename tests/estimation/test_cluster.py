"""From the choices of a cluster to its machines."""

from desktop_app.estimation.cluster import ClusterChoice, cluster_notes, cluster_of


def test_defaults_follow_from_the_gpu() -> None:
    cluster = cluster_of(ClusterChoice(gpu="H100", gpus=64))
    assert (cluster.gpus_per_node, cluster.nodes) == (8, 8)
    assert cluster.network_bytes_per_s_per_node == 400e9  # 8 x 400 Gb/s


def test_a_stated_network_is_gigabits_of_the_whole_node() -> None:
    assert cluster_of(ClusterChoice(network_gbit_per_node=800)).network_bytes_per_s_per_node == 100e9


def test_fewer_gpus_than_a_node_have_a_smaller_node() -> None:
    cluster = cluster_of(ClusterChoice(gpu="A100", gpus=2))
    assert (cluster.gpus_per_node, cluster.nodes, cluster.link_domain_gpus) == (2, 1, 2)


def test_a_rack_is_one_domain() -> None:
    cluster = cluster_of(ClusterChoice(gpu="GB200", gpus=128))
    assert (cluster.gpus_per_node, cluster.nodes, cluster.link_domain_gpus) == (4, 32, 64)


def test_a_last_node_that_is_not_full_is_told() -> None:
    (problem,) = cluster_notes(ClusterChoice(gpu="A100-80GB-SXM", gpus=12))
    assert (problem.key, problem.severity) == ("problem.not_divisible", "warning")
    assert problem.values == {"value": 12, "per_node": 8, "lower": 8, "upper": 16}
    assert cluster_of(ClusterChoice(gpus=12)).nodes == 2


def test_an_ambiguous_name_is_told() -> None:
    assert [problem.key for problem in cluster_notes(ClusterChoice(gpu="V100", gpus=8))] == ["problem.ambiguous"]
    assert cluster_notes(ClusterChoice(gpus=256)) == ()
