"""The one family of the window, in both languages: Noto Sans SC at weights 400 and 600, with the system's after it."""

from importlib import resources

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

# The same files that the proposal embeds, so that screen and paper look alike.
_FILES = ("NotoSansSC-Regular.ttf", "NotoSansSC-SemiBold.ttf")
_SMALLEST_BASE = 13  # px: the size the window was designed at; below it Han characters lose strokes


def load_family(system: QFont) -> str:
    """Register the package's fonts and name their family; the system's own family where the files are absent."""
    family = system.family()
    folder = resources.files("report_templates") / "fonts"
    for name in _FILES:
        file = folder / name
        if file.is_file():
            with resources.as_file(file) as path:
                number = QFontDatabase.addApplicationFont(str(path))
            families = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
            family = families[0] if families and name == _FILES[0] else family
    return family


def base_size(system: QFont) -> int:
    """Height of the body text in logical pixels: the system's, but at least 13. Every length is a multiple of it."""
    return max(_SMALLEST_BASE, QFontInfo(system).pixelSize())
