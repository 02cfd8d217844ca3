"""`organisation`: shows the profile of the organisation that the documents print, and changes it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.organisation_file import load_organisation, organisation_path, save_organisation
from desktop_app.cli.arguments import as_utf8
from desktop_app.cli.document_flags import FIELDS
from desktop_app.cli.output import answer, json_text
from desktop_app.foundation.colours import contrast
from desktop_app.foundation.files import path_text
from desktop_app.foundation.number_reading import read_number
from desktop_app.foundation.problems import UserError, user_error
from desktop_app.foundation.records import replaced
from desktop_app.foundation.wording import Words, words_of
from report_templates.brand import brand_tones
from report_templates.logo import logo_from, size_of

_TEXTS = ("name", "cost_centre", "accent_colour", "disclaimer")
_DAYS = ("days", "day", "天")
_LABEL_WIDTH = 20  # characters of the terminal


def run_organisation(arguments: argparse.Namespace) -> None:
    """Change the profile where that was asked, and print it. Raises UserError, and nothing is changed."""
    fresh = "all" in arguments.clear  # which a damaged file does not stand in the way of
    before = Organisation() if fresh else load_organisation()
    after = _changed(before, arguments)
    if fresh or after != before:
        save_organisation(after)
    answer(json_text(_as_json(after)) if arguments.json else _as_text(after, words_of("en")))


def _changed(organisation: Organisation, arguments: argparse.Namespace) -> Organisation:
    """The profile after everything that was asked: emptied, then set. Raises UserError."""
    empty = Organisation()
    changes: dict[str, Any] = {FIELDS[flag]: getattr(empty, FIELDS[flag]) for flag in arguments.clear if flag in FIELDS}
    for name in _TEXTS:
        if (text := getattr(arguments, name)) is not None:
            changes[name] = as_utf8(text).strip()
    if arguments.role is not None:
        changes["sign_off_roles"] = tuple(as_utf8(role) for role in arguments.role)
    try:
        if arguments.validity_days is not None:
            changes["validity_days"] = days_of(arguments.validity_days)
        if arguments.logo is not None:
            changes["logo_png"] = logo_from(arguments.logo)
        return replaced(organisation, **changes) if changes else organisation
    except UserError as error:
        flags = {"logo": "--logo", **{field: f"--{flag}" for flag, field in FIELDS.items()}}
        raise UserError(
            *(replace(problem, field=flags.get(problem.field, problem.field)) for problem in error.problems)
        ) from None


def days_of(text: str) -> int | float:
    """The days that a text states, of which the record takes whole ones. Raises UserError."""
    reading = read_number(text, _DAYS)
    if reading is None:
        raise user_error("validity_days", "problem.not_a_number", text=text)
    return int(reading.value) if reading.value.is_integer() else reading.value


def _as_json(organisation: Organisation) -> dict[str, Any]:
    colour, logo = organisation.accent_colour, organisation.logo_png
    width, height = size_of(logo) if logo else (0, 0)
    return {
        "file": path_text(organisation_path()),
        **organisation.model_dump(mode="json", exclude={"logo_png"}),
        "accent_contrast_on_white": round(contrast(colour), 2) if colour else None,
        "logo": {"width": width, "height": height, "bytes": len(logo)} if logo else None,
    }


def _as_text(organisation: Organisation, words: Words) -> str:
    rows = [
        ("name", organisation.name),
        ("cost_centre", organisation.cost_centre),
        ("accent_colour", _colour(organisation.accent_colour, words)),
        ("roles", words("list.comma").join(organisation.sign_off_roles)),
        ("disclaimer", organisation.disclaimer),
        ("validity_days", _told_days(organisation.validity_days, words)),
        ("logo", _logo(organisation.logo_png, words)),
    ]
    empty = words("organisation.not_stated")
    lines = [f"{words(f'organisation.{key}'):{_LABEL_WIDTH}}{' '.join(text.split()) or empty}" for key, text in rows]
    return "\n".join([words("organisation.file", files=path_text(organisation_path())), *lines])


def _colour(colour: str, words: Words) -> str:
    if not colour:
        return ""
    told = words("organisation.contrast", ratio=round(contrast(colour), 1))
    return f"{colour} ({told})" if brand_tones(colour) else f"{colour} ({words('organisation.too_faint')})"


def _told_days(days: int | None, words: Words) -> str:
    return "" if days is None else words("organisation.days", count=days)


def _logo(png: bytes, words: Words) -> str:
    if not png:
        return ""
    width, height = size_of(png)
    return words("organisation.logo_size", width=width, height=height)
