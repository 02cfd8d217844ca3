"""What nodes draw: far more than the TDP of their GPUs, less than their nameplate, and always with a range."""

import pytest

from pricing.catalogue import load_catalogue

CATALOGUE = load_catalogue()


def test_eight_a100_draw_far_more_than_eight_times_300_w():
    power = CATALOGUE.node_power("A100-80GB-SXM", 8)
    assert power is not None
    assert power.training_kw == pytest.approx(0.76 * 6.5)  # kW; 8 x 300 W is 2.4
    assert power.training_kw_low > 8 * 0.4  # even the low end is above the TDP of the cards
    assert power.training_kw_high < power.rated_max_kw == 6.5
    assert (power.basis, power.node_model, power.scaled_from_gpus) == ("rated_share", "DGX A100 640GB", None)


def test_the_h100_node_is_measured_and_its_peak_is_the_upper_end():
    power = CATALOGUE.node_power("H100-80GB-SXM", 8)
    assert power is not None
    assert (power.basis, power.training_kw, power.rated_max_kw) == ("measured", 7.75, 10.2)
    assert power.training_kw_high == pytest.approx(8.4, abs=0.01)  # highest seen while training, Latif et al.
    assert power.training_kw_low == pytest.approx(1.2 * 8 * 0.7, abs=0.03)  # 1.2 x TDP
    assert "2506.14551" in power.source
    assert power.quality == "good"
    assert CATALOGUE.node_power("H100-80GB-SXM", 4).quality == "estimated"
    assert CATALOGUE.node_power("A100-80GB-SXM", 8).quality == "estimated"  # the share was measured on another card


def test_per_gpu_power_of_the_sxm_class_is_between_the_published_ends():
    for gpu, tdp_kw in (
        ("H100-80GB-SXM", 0.7),
        ("H200-141GB-SXM", 0.7),
        ("H800-80GB-SXM", 0.7),
        ("A100-40GB-SXM", 0.4),
    ):
        power = CATALOGUE.node_power(gpu, 8)
        assert power is not None
        assert 1.3 * tdp_kw < power.training_kw / 8 < 1.6 * tdp_kw


def test_a_part_of_a_node_takes_its_share_and_a_wider_range():
    whole, half = CATALOGUE.node_power("A100-80GB-SXM", 8), CATALOGUE.node_power("A100-80GB-SXM", 4)
    assert whole is not None
    assert half is not None
    assert half.training_kw == pytest.approx(whole.training_kw / 2)
    assert half.scaled_from_gpus == 8
    assert half.training_kw_high / half.training_kw > whole.training_kw_high / whole.training_kw
    assert half.training_kw_low / half.training_kw < whole.training_kw_low / whole.training_kw


@pytest.mark.parametrize(
    ("gpu", "gpus", "node_model", "rated_max_kw"),
    [
        ("GB200", 4, "GB200 NVL72 compute tray", 6.667),
        ("GB200", 72, "GB200 NVL72 rack", 120),
        ("V100-32GB", 8, "DGX-1 (V100 32 GB)", 3.5),
        ("V100-32GB", 16, "DGX-2", 10),
        ("GB300", 4, "GB300 NVL72 rack", 7.5),
    ],
)
def test_the_row_nearest_in_size(gpu, gpus, node_model, rated_max_kw):
    power = CATALOGUE.node_power(gpu, gpus)
    assert power is not None
    assert power.node_model == node_model
    assert power.rated_max_kw == pytest.approx(rated_max_kw)


def test_a_cluster_row_is_no_node():
    power = CATALOGUE.node_power("H100-80GB-SXM", 1024)
    assert power is not None
    assert power.node_model == "DGX H100"
    assert power.training_kw == pytest.approx(7.75 * 128)


@pytest.mark.parametrize(
    ("gpu", "tdp_w", "low", "central", "high"),
    [
        ("RTX-3090", 350, 0.95, 1.16, 1.45),
        ("A100-80GB-PCIe", 300, 1.05, 1.25, 1.6),
        ("L4", 72, 1.5, 2.4, 3.5),
        ("GH200-96GB", 1000, 0.65, 0.8, 1.0),
        ("TPU-v5e", 140, 1.0, 1.4, 1.8),
    ],
)
def test_cards_without_a_node_row_take_tdp_times_a_stated_factor(gpu, tdp_w, low, central, high):
    power = CATALOGUE.node_power(gpu, 2)
    assert power is not None
    assert power.basis == "tdp_factor"
    assert power.quality == "estimated"
    assert power.training_kw_low == pytest.approx(2 * tdp_w * low / 1000)
    assert power.training_kw == pytest.approx(2 * tdp_w * central / 1000)
    assert power.training_kw_high == pytest.approx(2 * tdp_w * high / 1000)
    assert f"TDP {tdp_w} W" in power.source


def test_a_consumer_card_in_one_workstation():
    power = CATALOGUE.node_power("RTX-4090", 1)
    assert power is not None
    assert (power.basis, power.scaled_from_gpus) == ("measured", 4)
    assert power.training_kw == pytest.approx(2.08 / 4)


def test_unknown_power_is_none_and_not_zero():
    assert CATALOGUE.node_power("A101", 8) is None
    assert CATALOGUE.node_power("Trainium1", 16) is None  # no power was ever published for it


def test_every_known_gpu_has_an_ordered_plausible_range_with_its_source():
    known = [gpu for gpu in CATALOGUE.physical_rows if CATALOGUE.node_power(gpu, 8)]
    assert len(known) >= 50
    for gpu in known:
        power = CATALOGUE.node_power(gpu, 8)
        assert 0.05 < power.training_kw_low / 8 < power.training_kw / 8 < power.training_kw_high / 8 < 3.5, gpu
        assert power.source, gpu
        assert power.as_of, gpu


def test_embodied_carbon_is_reckoned_by_one_method_for_all_cards():
    a100, h100 = CATALOGUE.physical("A100-80GB-SXM"), CATALOGUE.physical("H100-80GB-SXM")
    assert a100 is not None
    assert h100 is not None
    assert (a100.tdp_w, h100.tdp_w, a100.embodied_kg_co2e, h100.embodied_kg_co2e) == (400, 700, 150, 164)
    known = [card for name in CATALOGUE.physical_rows if (card := CATALOGUE.physical(name)).embodied_kg_co2e]
    assert {card.host_embodied_kg_co2e for card in known} == {712.5}  # 5,700 kg for a server of 8 GPUs, EcoLogits
    assert [card.gpu for card in known if card.embodied_quality.startswith("primary")] == ["H100-80GB-SXM"]
    assert CATALOGUE.physical("A101") is None
    assert CATALOGUE.physical("RTX-4090").embodied_kg_co2e is None  # not published: unknown, not 0


def test_the_source_of_a_cards_power_names_the_data_sheet():
    assert CATALOGUE.physical("A100-80GB-SXM").source == "NVIDIA A100-80GB-SXM data sheet"
    assert CATALOGUE.physical("TPU-v5p").source == "no data sheet: Google publishes no power of TPU-v5p"
    assert not [name for name in CATALOGUE.physical_rows if "vendor datasheet" in CATALOGUE.physical(name).source]


def test_a_gpu_alone_draws_less_than_its_tdp_and_far_less_than_its_share_of_the_node():
    alone, node = CATALOGUE.gpu_power("H100-80GB-SXM"), CATALOGUE.node_power("H100-80GB-SXM", 8)
    assert alone is not None
    assert alone.training_kw == pytest.approx(0.637)  # 0.91 x 700 W; Olmo 3 metered 624 and 649 W
    assert 0.624 <= alone.training_kw <= 0.649
    assert alone.training_kw_low < alone.training_kw < alone.training_kw_high == pytest.approx(0.7)
    assert alone.training_kw < 0.7 * node.training_kw / 8
    assert "Olmo 3" in alone.source
    assert CATALOGUE.gpu_power("Z1") is None


def test_a_grace_hopper_module_draws_less_than_its_rating():
    # Linpack: 43.0 TFLOP/s per GH200 at 68.8 GFLOP/s per W = 625 W; the rating of the module is 1,000 W
    power = CATALOGUE.node_power("GH200-96GB", 4)
    assert power is not None
    assert power.training_kw_low / 4 == pytest.approx(0.65)
    assert power.training_kw / 4 == pytest.approx(0.8)
    assert power.training_kw_high / 4 == pytest.approx(1.0)
