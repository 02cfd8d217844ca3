"""The rules of the house: who imports whom, how large a file may grow, one catalogue of words, no way to a network."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from importlinter.cli import lint_imports

from desktop_app.budget.budget import make_budget
from desktop_app.budget.scenario import Scenario, choices
from desktop_app.foundation import wording
from pricing.catalogue import load_catalogue

PROJECT = Path(__file__).resolve().parents[1]
SHIPPED = ("desktop_app", "pricing", "report_templates")
FOLDERS = {*SHIPPED, "packaging", "tests"}
TEXT_SUFFIXES = {
    ".py", ".sh", ".md", ".toml", ".txt", ".csv", ".json", ".po", ".svg", ".spec", ".desktop", ".tbudget", "",
}  # fmt: skip
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60


def files(*folders: str, suffixes: set[str]) -> list[Path]:
    """The files below `folders` of the project, without what Python and the tools leave behind."""
    return [
        path
        for folder in folders
        for path in sorted((PROJECT / folder).rglob("*"))
        if path.is_file() and path.suffix in suffixes and "__pycache__" not in path.parts
    ]


PYTHON_FILES = files(*FOLDERS, suffixes={".py"})
SHIPPED_PYTHON = files(*SHIPPED, suffixes={".py"})


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def told(path: Path, line: int) -> str:
    return f"{path.relative_to(PROJECT)}:{line}"


def fresh_interpreter(code: str) -> set[str]:
    """The modules that a new interpreter has loaded after running `code`."""
    code += "\nimport sys\nprint(*sys.modules, sep='\\n', file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


# ---- who imports whom


def test_import_contracts_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    assert lint_imports(no_cache=True) == 0


def test_everything_but_the_window_imports_without_qt() -> None:
    loaded = fresh_interpreter(
        "import importlib, pkgutil\n"
        f"for name in {SHIPPED}:\n"
        "    package = importlib.import_module(name)\n"
        "    for module in pkgutil.walk_packages(package.__path__, name + '.'):\n"
        "        if not module.name.startswith('desktop_app.window'):\n"
        "            importlib.import_module(module.name)\n"
    )
    ours = {name for name in loaded if name.split(".")[0] in SHIPPED}
    expected = {
        ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")
        for path in SHIPPED_PYTHON
        if "window" not in path.parts
    }
    assert expected <= ours | {"desktop_app.window"}
    assert not {name for name in loaded if name.split(".")[0] in {"PySide6", "shiboken6", "pypdfium2"}}


def test_start_path_is_light() -> None:
    """A whole `estimate --json` loads neither numpy nor pandas, nor what only writes documents, nor Qt."""
    loaded = fresh_interpreter(
        "import desktop_app.__main__\n"
        "from desktop_app.cli import main\n"
        "assert main(['estimate', '--json', '--today', '2026-11-30']) == 0"
    )
    heavy = {"numpy", "pandas", "openpyxl", "reportlab", "PySide6", "babel"}
    assert not {name for name in loaded if name.split(".")[0] in heavy}


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{name.name}") for name in node.names)


def test_nothing_that_ships_can_reach_a_network() -> None:
    clients = re.compile(
        r"(socket|ssl|socketserver|urllib\.request|http|ftplib|smtplib|poplib|imaplib|telnetlib|xmlrpc"
        r"|requests|httpx|urllib3|aiohttp|websockets|paramiko|fsspec|PySide6\.QtNetwork|PySide6\.QtWebSockets)(\.|$)"
    )
    found = [
        f"{told(path, line)} imports {name}"
        for path in SHIPPED_PYTHON
        for line, name in imported(tree_of(path))
        if clients.match(name)
    ]
    assert not found


# ---- sizes, places, names


def test_files_are_short() -> None:
    long = {
        str(path.relative_to(PROJECT)): lines
        for path in PYTHON_FILES
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES_OF_A_FILE
    }
    assert not long


def test_functions_are_short() -> None:
    long = {
        f"{told(path, node.lineno)} {node.name}": node.end_lineno - node.lineno + 1
        for path in PYTHON_FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno
        and node.end_lineno - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION
    }
    assert not long


def test_top_level_is_the_one_of_the_map() -> None:
    ignored = (PROJECT / ".gitignore").read_text(encoding="utf-8").split()
    found = {
        path.name
        for path in PROJECT.iterdir()
        if not any(path.match(pattern.strip("/")) for pattern in ignored) and path.name != ".git"
    }
    assert found == FOLDERS | {".ci", ".gitignore", "LICENSE", "README.md", "pyproject.toml"}


def test_no_machine_path_and_no_registry_stands_in_the_project() -> None:
    foreign = re.compile(r"(?<![\w.])/(work|root|tmp|home|Users)/[A-Za-z]|pypi\.org|pythonhosted\.org|-{2}index-url")
    found = [
        f"{told(path, number)} {match.group()}"
        for path in (*files(*FOLDERS, ".ci", suffixes=TEXT_SUFFIXES), PROJECT / "README.md", PROJECT / "pyproject.toml")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := foreign.search(line))
    ]
    assert not found


# ---- the catalogue of words


@cache
def catalogue(language: str) -> Catalog:
    with (Path(wording.__file__).parent / "words" / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def texts(language: str) -> dict[str, str]:
    return {str(message.id): str(message.string) for message in catalogue(language) if message.id}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def literals(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Each string: line, text, True. Each f-string: line, its text up to the first hole, False."""
    inside = set()
    for node in ast.walk(tree_of(path)):  # breadth first: an f-string comes before its parts
        if isinstance(node, ast.JoinedStr):
            inside |= {id(part) for part in node.values}
            if isinstance(node.values[0], ast.Constant):
                yield node.lineno, str(node.values[0].value), False
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value, True


def test_both_languages_have_the_same_keys() -> None:
    assert texts("en").keys() == texts("zh").keys()
    assert len(texts("en")) > 400


@pytest.mark.parametrize("language", wording.LANGUAGES)
def test_no_word_is_empty_or_broken(language: str) -> None:
    for key, text in texts(language).items():
        assert text.strip(), key
        assert "{}" not in text, key


def test_both_languages_have_the_same_placeholders() -> None:
    english, chinese = texts("en"), texts("zh")
    different = {
        key: (english[key], chinese[key]) for key in english if placeholders(english[key]) != placeholders(chinese[key])
    }
    assert not different


@pytest.mark.parametrize("language", wording.LANGUAGES)
def test_compiled_catalogue_is_up_to_date(language: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, catalogue(language))
    compiled.seek(0)
    expected = {message.id: message.string for message in read_mo(compiled) if message.id}
    with (Path(wording.__file__).parent / "words" / f"{language}.mo").open("rb") as file:
        assert {message.id: message.string for message in read_mo(file) if message.id} == expected


def test_every_key_in_the_code_is_in_the_catalogue() -> None:
    """A string like "problem.heads_tp", whose first part is that of a key, is taken for a key or its beginning."""
    keys = texts("en").keys()
    rooms = "|".join(sorted({key.split(".")[0] for key in keys}))
    shape = re.compile(rf"({rooms})\.[a-z0-9_.-]*(?<!\.csv)(?<!\.json)(?<!\.pdf)")

    def known(text: str, whole: bool) -> bool:
        if f"ledger.{text}" in keys:  # the key of a line, whose words are these
            return True
        return text in keys if whole and not text.endswith(".") else any(key.startswith(text) for key in keys)

    missing = [
        f"{told(path, line)} {text}"
        for path in SHIPPED_PYTHON
        for line, text, whole in literals(path)
        if shape.fullmatch(text) and not known(text, whole)
    ]
    assert not missing, "\n".join(sorted(set(missing)))


def test_every_choice_has_a_name() -> None:
    assert not [key for key in choices() if f"field.{key}" not in texts("en")]


def test_every_line_of_a_budget_has_a_name_and_a_unit() -> None:
    budget = make_budget(Scenario(today=date(2026, 11, 30)), load_catalogue())
    needed = {f"ledger.{line.key}" for line in budget.ledger} | {f"unit.{line.unit}" for line in budget.ledger}
    missing = needed - texts("en").keys() - {"unit."}
    assert not missing, "\n".join(sorted(missing))
