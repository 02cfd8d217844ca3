"""Qt's own words in its dialogs and menus, in the language of the window."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from desktop_app.foundation.wording import Language

# Qt speaks English by itself. Asking for "zh" alone finds nothing: the file has the full name.
_CATALOGUES: dict[Language, str] = {"zh": "qtbase_zh_CN"}


class QtWords:
    """Installs Qt's translation of the language in force."""

    def __init__(self) -> None:
        """English at first."""
        self._translator: QTranslator | None = None

    def use(self, language: Language) -> bool:
        """Switch Qt's words to `language`; False when Qt's catalogue is absent."""
        if self._translator is not None:
            QCoreApplication.removeTranslator(self._translator)
            self._translator = None
        if language not in _CATALOGUES:
            return True
        translator = QTranslator()
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if not translator.load(_CATALOGUES[language], folder):
            return False
        self._translator = translator
        return QCoreApplication.installTranslator(translator)
