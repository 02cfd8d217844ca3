"""Who asks for the money, on screen: name, cost centre, colour, signatures, disclaimer, validity and logo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_app.budget.constants import constants
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.organisation_file import save_organisation
from desktop_app.cli.profile import days_of
from desktop_app.foundation.colours import colour_of, contrast
from desktop_app.foundation.files import name_text
from desktop_app.foundation.problems import Problem, UserError
from desktop_app.foundation.records import validated
from desktop_app.window.background import BackgroundRunner
from desktop_app.window.dialog_parts import HouseDialog, text_box
from desktop_app.window.files import Files
from desktop_app.window.look import Look
from desktop_app.window.number_edit import NumberEdit
from desktop_app.window.organisation_form import LogoView, ProfileRow, Swatch, TextArea
from report_templates.brand import brand_tones
from report_templates.logo import logo_from, size_of


class OrganisationDialog(HouseDialog):
    """Shows a profile; what is wrong with a box stands under it. Saved as a whole or not at all.

    `failed` carries what made the file impossible to write, or a logo to read for a reason of ours.
    """

    failed = Signal(object)

    def __init__(
        self, look: Look, parent: QWidget, files: Files, runner: BackgroundRunner, organisation: Organisation
    ) -> None:
        """With the boxes filled from `organisation`."""
        super().__init__(look, parent, look.words("title.organisation"), 640, 640)
        self._files, self._runner, self._before = files, runner, organisation
        self._build()
        self._fill(organisation)
        self.name.setFocus()

    def _build(self) -> None:
        look, words = self.look, self.look.words
        self.name, self.cost_centre = text_box(look), text_box(look)
        self.colour, self.swatch = text_box(look), Swatch(look)
        self.roles, self.disclaimer = TextArea(look, 4), TextArea(look, 4)
        self.days = NumberEdit(look)
        self.days.set_unit(words("unit.days"))
        self.logo = LogoView(look)
        self.choose, self.remove = self.button("action.choose_file"), self.button("action.remove")
        for button in (self.choose, self.remove):
            button.set_words(button.text(), f"{words('organisation.logo')}: {button.text()}")
        self.logo.setFocusProxy(self.choose)
        self.days.setFixedWidth(look.px(120))
        usual = int(constants()["validity_days"].value)
        self.days.setPlaceholderText(str(usual))
        hints = {name: words(f"organisation.{name}_hint") for name in ("logo", "accent_colour", "roles")}
        self.rows = {
            "name": ProfileRow(look, words("organisation.name"), self.name),
            "cost_centre": ProfileRow(look, words("organisation.cost_centre"), self.cost_centre),
            "logo_png": ProfileRow(
                look, words("organisation.logo"), self.logo, self.choose, self.remove, hint=hints["logo"]
            ),
            "accent_colour": ProfileRow(
                look, words("organisation.accent_colour"), self.colour, self.swatch, hint=hints["accent_colour"]
            ),
            "sign_off_roles": ProfileRow(look, words("organisation.roles"), self.roles, hint=hints["roles"]),
            "validity_days": ProfileRow(look, words("organisation.validity_days"), self.days),
            "disclaimer": ProfileRow(look, words("organisation.disclaimer"), self.disclaimer),
        }
        self._connect()
        self._arrange()

    def _connect(self) -> None:
        self.colour.textChanged.connect(self._show_colour)
        for name, box in (
            ("name", self.name), ("cost_centre", self.cost_centre), ("accent_colour", self.colour),
            ("validity_days", self.days),
        ):  # fmt: skip
            box.editingFinished.connect(lambda name=name: self._judge((name,)))
        for name, area in (("sign_off_roles", self.roles), ("disclaimer", self.disclaimer)):
            area.textChanged.connect(lambda name=name: self._judge((name,)))
        self.choose.clicked.connect(self._choose_logo)
        self.remove.clicked.connect(lambda: self._show_logo(b""))

    def _arrange(self) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, self.look.px(8), 0)
        column.setSpacing(self.look.px(8))
        for row in self.rows.values():
            column.addWidget(row)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        self.cancel, self.save = self.button("action.cancel"), self.button("action.save", primary=True)
        self.cancel.clicked.connect(self.reject)
        self.save.clicked.connect(self._save)
        self.column.addWidget(scroll, 1)
        self.add_foot(None, self.cancel, self.save)

    def _fill(self, organisation: Organisation) -> None:
        self.name.setText(organisation.name)
        self.cost_centre.setText(organisation.cost_centre)
        self.colour.setText(organisation.accent_colour)
        self.roles.setPlainText("\n".join(organisation.sign_off_roles))
        self.days.setText("" if organisation.validity_days is None else str(organisation.validity_days))
        self.disclaimer.setPlainText(organisation.disclaimer)
        self._show_logo(organisation.logo_png)
        self._show_colour()

    def values(self) -> dict[str, Any]:
        """What stands in the boxes. Raises UserError for days that are no number."""
        roles = [" ".join(line.split()) for line in self.roles.toPlainText().splitlines()]
        days = self.days.text().strip()
        return {
            "name": self.name.text().strip(),
            "cost_centre": self.cost_centre.text().strip(),
            "accent_colour": self.colour.text(),
            "sign_off_roles": tuple(role for role in roles if role),
            "disclaimer": self.disclaimer.toPlainText().strip(),
            "validity_days": days_of(days) if days else None,
            "logo_png": self.logo.png,
        }

    def _judge(self, names: tuple[str, ...]) -> Organisation | None:
        """Say under these boxes what is wrong with them; the profile, where nothing is wrong with any."""
        problems: tuple[Problem, ...] = ()
        organisation = None
        try:
            organisation = validated(Organisation, self.values())
        except UserError as error:
            problems = error.problems
        for name in names:
            fault = next((problem for problem in problems if problem.field == name), None)
            self.rows[name].say("" if fault is None else self.look.words.sentence(replace(fault, field="")))
            if name == "accent_colour" and fault is None:
                self._show_colour()
        return organisation

    def _save(self) -> None:
        organisation = self._judge(tuple(self.rows))
        if organisation is None:
            self._point_at_fault()
            return
        try:
            save_organisation(organisation)
        except UserError as error:
            self.failed.emit(error)
            return
        self.accept()

    def _point_at_fault(self) -> None:
        """The focus goes into the first box that something is wrong with."""
        row = next((row for row in self.rows.values() if row.label.buddy().property("bad")), None)
        if row is not None:
            row.label.buddy().setFocus()

    def reject(self) -> None:
        """Close; changes are asked about first."""
        words, dialogs = self.look.words, self._files.dialogs
        if self._is_changed() and not dialogs.confirm(words, words("ask.leave_profile"), words("action.dont_save")):
            return
        super().reject()

    def _is_changed(self) -> bool:
        try:
            return validated(Organisation, self.values()) != self._before
        except UserError:
            return True

    def _show_colour(self) -> None:
        """The colour as it looks, and how well it is read on white."""
        words, row = self.look.words, self.rows["accent_colour"]
        colour = colour_of(self.colour.text()) or ""
        self.swatch.show_colour(colour, colour or words("organisation.not_stated"))
        row.say("")
        if colour:
            ratio = words("organisation.contrast", ratio=round(contrast(colour), 1))
            readable = bool(brand_tones(colour))
            told = ratio if readable else words("organisation.contrast_low", contrast=ratio)
            row.tell(told, "text3" if readable else "warn")

    def _show_logo(self, png: bytes) -> None:
        words, row = self.look.words, self.rows["logo_png"]
        width, height = size_of(png) if png else (0, 0)
        told = words("organisation.logo_size", width=width, height=height) if png else words("organisation.no_logo")
        self.logo.show_logo(png, told)
        self.remove.setEnabled(bool(png))
        row.say("")
        if png:
            row.tell(told, "text3")

    def _choose_logo(self) -> None:
        words = self.look.words
        path = self._files.dialogs.open_file(
            words, words("dialog.logo"), words("filter.logo"), self._files.folder()
        )  # fmt: skip
        if path is not None:
            self.read_logo(path)

    def read_logo(self, path: Path) -> None:
        """Take the logo from a file, beside the window: a strange one may take seconds."""
        self._allow(False)
        self.rows["logo_png"].tell(self.look.words("organisation.reading", file=name_text(path)), "text2")
        self._runner.run("logo", lambda: logo_from(path), self._take_logo, self._refuse_logo)

    def _take_logo(self, png: bytes) -> None:
        if self.is_open:
            self._allow(True)
            self._show_logo(png)

    def _refuse_logo(self, error: Exception) -> None:
        if not self.is_open:
            return
        self._allow(True)
        self._show_logo(self.logo.png)
        if isinstance(error, UserError):
            self.rows["logo_png"].say(self.look.words.sentence(error.problems[0]))
        else:
            self.failed.emit(error)

    def _allow(self, allowed: bool) -> None:
        """Nothing is saved while a logo is read."""
        for button in (self.choose, self.save):
            button.setEnabled(allowed)
        self.remove.setEnabled(allowed and bool(self.logo.png))
