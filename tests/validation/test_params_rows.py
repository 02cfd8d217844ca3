"""The validation rows of the parameter counts."""

from pathlib import Path

import pytest

from desktop_app.estimation.validation.params import rows
from desktop_app.foundation.problems import UserError

SHARED = Path(__file__).resolve().parents[3] / "shared" / "validation"
HEADER = "name,total_params,active_params_per_token,vision_and_projector_params,origin\n"
CONFIG = (
    '{"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, '
    '"num_attention_heads": 4, "vocab_size": 100}'
)
TOTAL = 2 * 100 * 64 + 2 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64) + 64


def test_good_wrong_and_refused_rows(tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "a.json").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "configs" / "b.json").write_text('{"model_type": "rwkv"}', encoding="utf-8")
    lines = [f"a,{TOTAL},{2 * TOTAL},,some/repository file", "b,5,5,0,", "gone,7,7,0,", f"a,{TOTAL + 9},{TOTAL},9,"]
    (tmp_path / "params.csv").write_text(HEADER + "\n".join(lines), encoding="utf-8")
    found = rows(tmp_path)
    assert [row.quantity for row in found[:2]] == ["total_params", "active_params_per_token"]
    assert [row.status for row in found] == ["ok"] * 2 + ["refused"] * 4 + ["ok"] * 2
    assert [row.ratio for row in found[:2]] == [1.0, 0.5]
    assert "state-space" in found[2].note
    assert "gone.json does not exist" in found[4].note
    assert (found[6].ratio, found[6].note[:9]) == (1.0, "text part")
    assert [found[0].source_group, found[2].source_group] == ["some/repository", "published facts"]


def test_folder_without_the_table(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        rows(tmp_path)


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/validation is not here")
def test_shared_table_has_no_wrong_row() -> None:
    found = rows(SHARED)
    assert len(found) == 262
    assert {row.ratio for row in found if row.status == "ok"} == {1.0}
    assert sum(row.note == "with vision part" for row in found) == 2 * 8
    assert not any(row.note.startswith("text part") for row in found)
    assert [row.id for row in found if row.status == "refused"] == ["jamba-v0.1"] * 2 + ["qwen3.5-35b-a3b"] * 2
