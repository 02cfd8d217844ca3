"""run.sh and setup.sh, tried in a project whose Python, apt-get and ldconfig only tell what they were asked."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SCRIPTS = [*sorted((PROJECT / "packaging").glob("*.sh")), PROJECT / ".ci" / "run"]
TOOLS = ("bash", "cat", "cksum", "dirname", "env", "mkdir", "mktemp", "rm", "tail", "uname")

PYTHON = """#!/usr/bin/env bash
if [ "$1" = -P ]; then
    printf '%s|' "$PWD" "$@"
    echo
    exit "${STUB_EXIT:-0}"
fi
"""
ALL_LIBRARIES = """
source "$PACKAGING/setup.sh"
while read -r library _; do
    [ -z "$library" ] || echo "    $library (libc6,x86-64)"
done <<<"$QT_LIBRARIES$SCREEN_LIBRARIES"
"""


class Place:
    """A copy of the scripts with a stub of a finished environment, and a folder with the only commands there are."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "Projekt ä 项目 mit Raum"
        self.elsewhere = folder / "else where"
        self.commands = folder / "commands"
        for made in (self.elsewhere, self.commands, self.project / ".venv" / "bin"):
            made.mkdir(parents=True)
        shutil.copytree(PROJECT / "packaging", self.project / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(PROJECT / "pyproject.toml", self.project)
        for tool in TOOLS:
            (self.commands / tool).symlink_to(str(shutil.which(tool)))
        self.command("ldconfig", "#!/usr/bin/env bash\ncat <<'END'\n" + self.bash(ALL_LIBRARIES).stdout + "END\n")
        self.executable(self.project / ".venv" / "bin" / "python", PYTHON)
        self.bash('source "$PACKAGING/setup.sh"; state_of requirements.txt >"$VENV/stamp-requirements.txt"')

    def executable(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def command(self, name: str, text: str) -> None:
        self.executable(self.commands / name, text)

    def bash(self, code: str) -> subprocess.CompletedProcess[str]:
        return self.start("-c", code)

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.start(str(self.project / "packaging" / "run.sh"), *arguments, **variables)

    def start(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.commands), "PACKAGING": str(self.project / "packaging"), "LANG": "C.UTF-8"}
        return subprocess.run(
            [str(shutil.which("bash")), *arguments],
            cwd=self.elsewhere,
            env=environment | variables,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def program(place: Place, *arguments: str) -> str:
    return "|".join([str(place.elsewhere), "-P", "-m", "desktop_app", *arguments, "\n"])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_is_sound_bash(script: Path) -> None:
    assert subprocess.run(["bash", "-n", str(script)], capture_output=True, check=True).stderr == b""
    assert os.access(script, os.X_OK) or script.name == "setup.sh"


def test_arguments_folder_and_exit_code_pass_through(place: Place) -> None:
    done = place.run("estimate", "--model", "my config.json", "", "--json", STUB_EXIT="2")
    assert done.stdout == program(place, "estimate", "--model", "my config.json", "", "--json")
    assert done.stderr == ""
    assert done.returncode == 2


def test_without_a_display_the_job_runs_headless(place: Place) -> None:
    done = place.run()
    out = place.project / "out"
    assert done.returncode == 0
    assert done.stdout == program(place, "estimate") + program(
        place, "report", "--xlsx", f"{out}/training-budget.xlsx", "--pdf", f"{out}/training-budget.pdf"
    )
    assert "no display" in done.stderr
    assert str(out) in done.stderr
    assert out.is_dir()


def test_headless_job_takes_a_project_file_and_stops_at_a_failure(place: Place) -> None:
    done = place.run("plan.tbudget", STUB_EXIT="2")
    assert done.stdout == program(place, "estimate", "plan.tbudget")
    assert done.returncode == 2


@pytest.mark.parametrize("arguments", [(), ("plan.tbudget",)])
@pytest.mark.parametrize("display", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_with_a_display_the_window_opens(place: Place, display: str, arguments: tuple[str, ...]) -> None:
    done = place.run(*arguments, **{display: ":0"})
    assert done.stdout == program(place, *arguments)
    assert done.stderr == ""


def test_a_display_that_does_not_answer_is_told(place: Place) -> None:
    done = place.run(DISPLAY=":9", STUB_EXIT="134")  # 128 + SIGABRT: what Qt ends with
    assert done.returncode == 134
    assert "could not open on this display" in done.stderr


def test_missing_libraries_are_installed_as_root(place: Place) -> None:
    place.command("ldconfig", "#!/usr/bin/env bash\necho '    libEGL.so.1 (libc6,x86-64)'\n")
    place.command("id", "#!/usr/bin/env bash\necho 0\n")
    place.command("apt-get", '#!/usr/bin/env bash\necho "$@" >>"$PACKAGING/asked"\n')
    assert place.run(DISPLAY=":0").returncode == 0
    update, install = (place.project / "packaging" / "asked").read_text(encoding="utf-8").splitlines()
    assert update.endswith("update")
    assert {"install", "-y", "--no-install-recommends", "libgl1", "libxcb-icccm4", "libxcb-keysyms1"} <= set(
        install.split()
    )
    assert "libegl1" not in install


def test_headless_commands_need_no_screen_library(place: Place) -> None:
    place.command("ldconfig", "#!/usr/bin/env bash\n")
    assert place.run("estimate").returncode == 0


@pytest.mark.parametrize(("user", "sentence"), [("1000", "administrator"), ("0", "no apt-get")])
def test_libraries_that_cannot_be_installed_are_named(place: Place, user: str, sentence: str) -> None:
    place.command("ldconfig", "#!/usr/bin/env bash\n")
    place.command("id", f"#!/usr/bin/env bash\necho {user}\n")
    if user != "0":
        place.command("apt-get", "#!/usr/bin/env bash\nexit 100\n")
    done = place.run(DISPLAY=":0")
    assert done.returncode == 1
    assert done.stdout == ""
    assert sentence in done.stderr
    assert "libxcb-icccm4" in done.stderr


def test_failing_apt_get_is_told(place: Place) -> None:
    place.command("ldconfig", "#!/usr/bin/env bash\n")
    place.command("id", "#!/usr/bin/env bash\necho 0\n")
    place.command("apt-get", "#!/usr/bin/env bash\necho 'E: no such mirror'\nexit 100\n")
    done = place.run(DISPLAY=":0")
    assert done.returncode == 1
    assert "E: no such mirror" in done.stderr
    assert "apt-get could not install" in done.stderr


def test_environment_is_made_anew_after_a_change_of_the_lock(place: Place) -> None:
    """The stub Python has no pip, so the attempt fails, and says what is needed."""
    (place.project / "packaging" / "requirements.txt").write_text("changed\n", encoding="utf-8")
    (place.project / ".venv" / "bin" / "python").write_text('#!/usr/bin/env bash\n[ "$2" != pip ]\n', encoding="utf-8")
    done = place.run("estimate")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Installing the packages of packaging/requirements.txt" in done.stderr
    assert "is the network there?" in done.stderr
    assert "Making the environment" not in done.stderr


def test_project_may_be_moved(place: Place) -> None:
    place.project = place.project.rename(place.project.parent / "moved")
    done = place.run("estimate")
    assert (done.stdout, done.stderr, done.returncode) == (program(place, "estimate"), "", 0)
