"""The profile of an organisation: what it may hold, and its file, which is whole or refused in a sentence."""

import json
import zlib

import pytest

from desktop_app.budget.dossier import organisation_file
from desktop_app.budget.dossier.logo_check import is_whole_png
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.organisation_file import (
    load_organisation,
    organisation_or_fault,
    organisation_path,
    save_organisation,
)
from desktop_app.foundation.colours import colour_of, contrast
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import LANGUAGES, words_of


def chunk(kind: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4) + kind + content + zlib.crc32(kind + content).to_bytes(4)


def png(width: int = 2, height: int = 2, head: bytes = b"\x08\x06\0\0\0", pixels: bytes | None = None) -> bytes:
    """A PNG written by hand: red, green, blue, opacity, nothing interlaced."""
    raw = b"".join(b"\0" + b"\x0b\x5a\x8a\xff" * width for _ in range(height)) if pixels is None else pixels
    size = width.to_bytes(4) + height.to_bytes(4)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size + head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


FULL = Organisation(
    name="Acme 研究院",
    cost_centre="4711",
    accent_colour="7A1F5C",
    sign_off_roles=("Director", "财务"),
    disclaimer="Binds nobody.\nNot an offer.",
    validity_days=14,
    logo_png=png(),
)


def refused(path=None) -> UserError:
    with pytest.raises(UserError) as told:
        load_organisation(path)
    for language in LANGUAGES:
        assert all(words_of(language).sentence(problem) for problem in told.value.problems)
    return told.value


def test_without_a_file_it_is_empty(no_organisation):
    assert organisation_path() == no_organisation
    assert load_organisation() == Organisation()
    assert organisation_or_fault() == (Organisation(), ())
    assert not no_organisation.exists()


def test_what_is_saved_comes_back(no_organisation):
    assert save_organisation(FULL) == no_organisation
    assert load_organisation() == FULL
    assert load_organisation(no_organisation) == FULL
    assert "Acme 研究院" in no_organisation.read_text("utf-8")
    save_organisation(Organisation())
    assert load_organisation() == Organisation()


def test_the_folder_is_made_and_another_file_can_be_named(tmp_path):
    path = tmp_path / "new" / "team.json"
    save_organisation(FULL, path)
    assert load_organisation(path) == FULL
    assert load_organisation() == Organisation()


def test_a_file_that_was_stated_must_be_there(tmp_path):
    assert refused(tmp_path / "gone.json").problems[0].key == "problem.file_missing"


def edited(path, **changes) -> None:
    save_organisation(FULL, path)
    document = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**document, **changes}), "utf-8")


@pytest.mark.parametrize(
    ("changes", "entry", "key"),
    [
        ({"validity_days": 0}, "validity_days", "problem.at_least"),
        ({"validity_days": "14"}, "validity_days", "problem.not_a_number"),
        ({"validity_days": True}, "validity_days", "problem.not_a_number"),
        ({"accent_colour": "red"}, "accent_colour", "problem.not_a_colour"),
        ({"name": "x" * 201}, "name", "problem.too_long"),
        ({"name": "two\nlines"}, "name", "problem.not_printable"),
        ({"cost_centre": "two\nlines"}, "cost_centre", "problem.not_printable"),
        ({"disclaimer": "a\x1b[31m"}, "disclaimer", "problem.not_printable"),
        ({"sign_off_roles": ["a"] * 13}, "sign_off_roles", "problem.sign_off_roles"),
        ({"sign_off_roles": ["a", " "]}, "sign_off_roles", "problem.sign_off_roles"),
        ({"logo_png": "AAAA"}, "logo_png", "problem.logo_stored"),
        ({"logo_png": "no base64!"}, "logo_png", "problem.not_valid"),
        ({"logo": "x.png"}, "logo", "problem.unknown_key"),
    ],
)
def test_a_wrong_entry_is_named_and_the_file_untouched(no_organisation, changes, entry, key):
    edited(no_organisation, **changes)
    before = no_organisation.read_bytes()
    problem = refused().problems[0]
    assert (problem.key, problem.values["name"]) == ("problem.organisation_entry", entry)
    assert problem.values["fault"].key == key
    assert str(no_organisation) in words_of("en").sentence(problem)
    assert no_organisation.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "1", "[" * 100_000, '{"format": "training-budget"}', '{"a": 1, "a": 2}',
     '{"format": "training-budget-organisation", "schema_number": true}'],
)  # fmt: skip
def test_a_damaged_file_is_told_and_documents_go_on(no_organisation, text):
    no_organisation.write_text(text, "utf-8")
    assert refused().problems[0].key == "problem.organisation_broken"
    organisation, faults = organisation_or_fault()
    assert organisation == Organisation()
    assert [fault.key for fault in faults] == ["problem.organisation_broken", "problem.organisation_left_out"]
    assert no_organisation.read_text("utf-8") == text


def test_a_newer_file_is_refused(no_organisation):
    edited(no_organisation, schema_number=2)
    assert refused().problems[0].key == "problem.organisation_newer"


def test_a_file_too_large_is_not_read(no_organisation, monkeypatch):
    save_organisation(FULL)
    monkeypatch.setattr(organisation_file, "_LARGEST_BYTES", 100)
    assert refused().problems[0].key == "problem.file_huge"


def test_the_old_file_stands_when_the_new_one_cannot_be_written(no_organisation, monkeypatch):
    save_organisation(FULL)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(UserError) as told:
        save_organisation(Organisation(name="Other"))
    assert told.value.problems[0].key == "problem.disk_full"
    assert load_organisation() == FULL


@pytest.mark.parametrize(
    ("text", "colour"), [("#0b5a8a", "0B5A8A"), (" 0B5A8A ", "0B5A8A"), ("#0a5", "00AA55"), ("", ""), ("  ", "")]
)
def test_colours_are_read_as_people_write_them(text, colour):
    assert colour_of(text) == colour
    assert validated(Organisation, {"accent_colour": text}).accent_colour == colour


@pytest.mark.parametrize("text", ["red", "0B5A8", "0B5A8A0", "#GGGGGG", "０B5A8A", "rgb(1,2,3)"])
def test_what_is_no_colour_is_refused(text):
    assert colour_of(text) is None
    with pytest.raises(UserError):
        validated(Organisation, {"accent_colour": text})


def test_contrast_is_that_of_wcag():
    assert contrast("000000") == pytest.approx(21)
    assert contrast("FFFFFF") == 1
    assert contrast("777777") == pytest.approx(4.48, abs=0.005)  # the well-known grey just below 4.5
    assert contrast("0B5A8A", "FFFFFF") == contrast("FFFFFF", "0B5A8A")


def test_only_a_whole_picture_is_kept():
    whole = png()
    assert is_whole_png(whole)
    assert is_whole_png(png(3, 1, b"\x08\x02\0\0\0", b"\0" + b"abc" * 3))
    wrong = [
        b"", whole[:-1], whole + b"\0", whole[:40], whole.replace(b"IDAT", b"IDAX"), b"GIF89a" + whole,
        png(head=b"\x10\x06\0\0\0"), png(head=b"\x08\x03\0\0\0"), png(head=b"\x08\x06\0\0\1"), png(pixels=b"\0"),
        png(0, 0), png(5000, 1), png(pixels=b"\0" * 1000),
    ]  # fmt: skip
    for data in wrong:
        assert not is_whole_png(data), data
    flipped = bytearray(whole)
    flipped[45] ^= 1
    assert not is_whole_png(bytes(flipped))


def test_a_bomb_is_not_unpacked():
    bomb = png(4000, 4000, pixels=b"\0" * 80_000_000)  # 64 MB are promised
    assert len(bomb) < 200_000
    assert not is_whole_png(bomb)
