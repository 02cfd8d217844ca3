"""Proves a frozen program: python packaging/smoke_test.py FOLDER. It paints its window and writes both documents."""

import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from openpyxl import load_workbook
from PIL import Image
from pypdf import PageObject, PdfReader

LANGUAGES = ("en", "zh")
LOGO = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">
<rect width="300" height="100"/><text y="80" font-size="60" fill="white">Abc</text></svg>"""
FEWEST_COLOURS = 50  # an empty window has a handful; text is antialiased


def run(program: Path, folder: Path, *arguments: str, **variables: str) -> tuple[str, float]:
    """What the program prints and how long it takes, in an environment that knows nothing of a Python."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8", **variables}
    start = time.perf_counter()
    done = subprocess.run(
        [program, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    duration_s = time.perf_counter() - start
    if done.returncode != 0:
        raise SystemExit(f"{program.name} {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout, duration_s


def check(condition: bool, message: str) -> None:
    """Leave with `message` unless `condition` holds."""
    if not condition:
        raise SystemExit(f"smoke test: {message}")


def check_window(program: Path, folder: Path) -> None:
    """The window paints itself without a screen and leaves."""
    picture = folder / "window.png"
    _, duration_s = run(program, folder, QT_QPA_PLATFORM="offscreen", TRAINING_BUDGET_SMOKE=str(picture))
    check(picture.is_file(), "the window left no picture")
    with Image.open(picture) as image:
        colours = image.convert("RGB").getcolors(maxcolors=image.width * image.height) or []
        check(len(colours) >= FEWEST_COLOURS, f"the window is empty: {len(colours)} colours")
        print(f"window        {image.width} x {image.height}, started, painted and left in {duration_s:.2f} s")


def check_figures(program: Path, folder: Path) -> None:
    """The frozen program answers as the program it was made of."""
    arguments = ("estimate", "--json", "--today", "2026-11-30")
    frozen, duration_s = run(program, folder, *arguments)
    source = subprocess.run([sys.executable, "-P", "-m", "desktop_app", *arguments], capture_output=True, check=True)
    check(json.loads(frozen) == json.loads(source.stdout), "the frozen program gives other figures than its source")
    print(f"estimate      same figures as the source, {duration_s:.2f} s")


def check_documents(program: Path, folder: Path, language: str) -> None:
    """Workbook and PDF exist, open, and every font of the PDF is in the file."""
    workbook, proposal = folder / f"budget-{language}.xlsx", folder / f"proposal-{language}.pdf"
    files = ("--xlsx", str(workbook), "--pdf", str(proposal))
    _, duration_s = run(program, folder, "report", *files, "--language", language)
    sheets = load_workbook(workbook).sheetnames
    check(len(sheets) > 1, f"the workbook has the sheets {sheets}")
    pages = PdfReader(proposal).pages
    fonts = {font["/BaseFont"]: font for page in pages for font in fonts_of(page)}
    check(bool(fonts), "the PDF has no font")
    for name, font in fonts.items():
        check("/FontFile2" in font.get("/FontDescriptor", {}), f"{name} is not embedded")
    counts = f"{len(sheets)} sheets, {len(pages)} pages, {len(fonts)} embedded fonts"
    print(f"documents {language}  {counts}, {duration_s:.2f} s")


def check_logo(program: Path, folder: Path) -> None:
    """An SVG becomes the logo of the profile: the program draws it in a second process of itself."""
    logo = folder / "logo.svg"
    logo.write_text(LOGO, "utf-8")
    answer, duration_s = run(program, folder, "organisation", "--logo", str(logo), "--json")
    kept = json.loads(answer)["logo"]
    check((kept["width"], kept["height"]) == (1200, 400), f"the logo has {kept['width']} x {kept['height']} pixels")
    print(f"logo          {kept['width']} x {kept['height']} pixels, {duration_s:.2f} s")


def fonts_of(page: PageObject) -> list[Any]:
    """The font dictionaries of a page."""
    resources: Any = page["/Resources"]
    return [font.get_object() for font in resources.get("/Font", {}).values()]


def main(bundle: Path) -> None:
    """All checks, in a folder of their own."""
    program = bundle.resolve() / "training-budget"
    with TemporaryDirectory() as name:
        folder = Path(name)
        check_window(program, folder)
        check_figures(program, folder)
        check_logo(program, folder)
        for language in LANGUAGES:
            check_documents(program, folder, language)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
