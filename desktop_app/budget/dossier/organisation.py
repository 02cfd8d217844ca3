"""Who asks for the money: the profile of an organisation, kept in the settings and printed in every document."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from desktop_app.budget.dossier.logo_check import is_whole_png
from desktop_app.foundation.colours import colour_of
from desktop_app.foundation.records import LONGEST_NAME, Record, readable

_MOST_ROLES = 12  # more lines for signatures would not fit under a decision


class Organisation(Record):
    """What the documents say of the organisation. Everything may be empty: then the house's own defaults stand."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    name: str = Field(default="", max_length=LONGEST_NAME)
    cost_centre: str = Field(default="", max_length=LONGEST_NAME)
    accent_colour: str = ""  # red, green, blue: "1F5FA8"; "" for the house's
    sign_off_roles: tuple[str, ...] = ()  # () for the usual five
    disclaimer: str = Field(default="", max_length=2000)
    validity_days: int | None = Field(default=None, ge=1, le=3650)
    logo_png: bytes = b""  # of a PNG, whatever the file was; b"" for none

    @field_validator("accent_colour", mode="before")
    @classmethod
    def _colour(cls, value: Any) -> Any:
        """Six hexadecimal digits, as people write them: with a # or not, in capitals or not."""
        if not isinstance(value, str):
            return value
        colour = colour_of(value)
        if colour is None:
            raise PydanticCustomError("problem.not_a_colour", "no colour")
        return colour

    @field_validator("cost_centre")
    @classmethod
    def _one_line(cls, text: str) -> str:
        return readable(text, one_line=True)

    @field_validator("sign_off_roles")
    @classmethod
    def _roles(cls, roles: tuple[str, ...]) -> tuple[str, ...]:
        """Each one line, none empty."""
        if len(roles) > _MOST_ROLES or any(len(role) > LONGEST_NAME or not role.strip() for role in roles):
            raise PydanticCustomError("problem.sign_off_roles", "too many roles, or one too long or empty")
        return tuple(readable(role.strip(), one_line=True) for role in roles)

    @field_validator("logo_png")
    @classmethod
    def _logo(cls, data: bytes) -> bytes:
        """A picture that every document can hold."""
        if data and not is_whole_png(data):
            raise PydanticCustomError("problem.logo_stored", "no whole PNG")
        return data
