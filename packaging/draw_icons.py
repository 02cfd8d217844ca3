"""Draws the icon in the sizes a desktop looks for: python packaging/draw_icons.py FOLDER (a hicolor theme)."""

import os
import shutil
import sys
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SOURCE = Path(__file__).parent / "icons" / "training-budget.svg"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)  # freedesktop.org icon theme specification, hicolor


def draw(renderer: QSvgRenderer, size: int, path: Path) -> None:
    """One square PNG with a transparent ground."""
    image = QImage(QSize(size, size), QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    path.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(path)):
        raise OSError(f"cannot write {path}")


def main(folder: Path) -> None:
    """All sizes, and the drawing itself."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication([])
    renderer = QSvgRenderer(str(SOURCE))
    for size in SIZES:
        draw(renderer, size, folder / f"{size}x{size}" / "apps" / f"{SOURCE.stem}.png")
    scalable = folder / "scalable" / "apps"
    scalable.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SOURCE, scalable / SOURCE.name)
    application.quit()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
