"""Every dialog of the window, behind one small class, so that tests can answer in a person's place."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop_app.foundation.wording import Words

Answer = Literal["save", "discard", "cancel"]


class Dialogs:
    """Asks and tells. Each method waits for the person."""

    def __init__(self, parent: QWidget) -> None:
        """Over `parent`."""
        self._parent = parent

    def open_file(self, words: Words, title: str, kinds: str, folder: Path) -> Path | None:
        """A file to read; None when the person cancels."""
        dialog = self._file_dialog(words, title, kinds, folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        return self._chosen(dialog)

    def save_file(self, words: Words, title: str, kinds: str, proposed: Path) -> Path | None:
        """Where to write; the usual ending is added where none was typed. None when the person cancels."""
        dialog = self._file_dialog(words, title, kinds, proposed.parent)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(proposed.suffix.lstrip("."))
        dialog.selectFile(proposed.name)
        return self._chosen(dialog)

    def _file_dialog(self, words: Words, title: str, kinds: str, folder: Path) -> QFileDialog:
        """The system's dialog or Qt's own, whose Chinese words are not complete."""
        dialog = QFileDialog(self._parent, title, str(folder), kinds)
        label = QFileDialog.DialogLabel
        for place, key in ((label.LookIn, "look_in"), (label.FileName, "file_name"), (label.FileType, "file_type")):
            dialog.setLabelText(place, words(f"dialog.{key}"))
        return dialog

    def _chosen(self, dialog: QFileDialog) -> Path | None:
        path = Path(dialog.selectedFiles()[0]) if dialog.exec() and dialog.selectedFiles() else None
        dialog.deleteLater()
        return path

    def ask_save(self, words: Words, file_name: str) -> Answer:
        """Whether changes are kept before something replaces them."""
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(words("title.program"))
        box.setText(words("ask.close", file=file_name) if file_name else words("ask.close_unnamed"))
        box.setInformativeText(words("ask.close_detail"))
        save = box.addButton(words("action.save"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(words("action.dont_save"), QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(words("action.cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(cancel)
        box.exec()
        clicked = box.clickedButton()
        box.deleteLater()
        return "save" if clicked is save else "discard" if clicked is discard else "cancel"

    def confirm(self, words: Words, question: str, yes: str) -> bool:
        """Whether to go on; `yes` names what is done then."""
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(words("title.program"))
        box.setText(question)
        go = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
        cancel = box.addButton(words("action.cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(cancel)
        box.setEscapeButton(cancel)
        box.exec()
        clicked = box.clickedButton()
        box.deleteLater()
        return clicked is go

    def tell(self, words: Words, sentence: str, details: str = "") -> None:
        """An error in one sentence; `details` for our own bugs can be copied."""
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(words("error.title"))
        box.setText(sentence)
        box.addButton(words("action.ok"), QMessageBox.ButtonRole.AcceptRole)
        if details:
            box.setDetailedText(details)
            copy = box.addButton(words("error.details"), QMessageBox.ButtonRole.ActionRole)
            copy.clicked.disconnect()
            copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(details))
        box.exec()
        box.deleteLater()

    def about(self, words: Words, version: str) -> None:
        """What the program is and under which licences."""
        box = QMessageBox(self._parent)
        box.setWindowTitle(words("action.about"))
        box.setText(words("about.text", version=version))
        box.addButton(words("action.ok"), QMessageBox.ButtonRole.AcceptRole)
        box.exec()
        box.deleteLater()
