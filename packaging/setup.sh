# shellcheck shell=bash disable=SC2034
# Sourced by the scripts beside it: finds or installs what they need. Everything said here goes to stderr, so that
# stdout holds nothing but the program's own output.

unset CDPATH
PROJECT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
VENV="$PROJECT/.venv"
PYTHON="$VENV/bin/python"
CHECKED=(--quiet --no-deps --only-binary :all: --require-hashes)
PIP=("$PYTHON" -m pip --disable-pip-version-check --no-input install "${CHECKED[@]}")

# PYTHONDONTWRITEBYTECODE would double every start, a PYTHONPATH or PYTHONHOME of somebody else's would mix libraries,
# and uv is to trust the certificates of this computer, as pip does.
unset PYTHONDONTWRITEBYTECODE PYTHONPATH PYTHONHOME
export UV_SYSTEM_CERTS=1

# shared library, Debian package (measured on Debian 12 without anything)
QT_LIBRARIES="
    libglib-2.0.so.0        libglib2.0-0
    libGL.so.1              libgl1
    libEGL.so.1             libegl1
    libdbus-1.so.3          libdbus-1-3
    libfontconfig.so.1      libfontconfig1
    libxkbcommon.so.0       libxkbcommon0
"
SCREEN_LIBRARIES="
    libxcb-cursor.so.0      libxcb-cursor0
    libxcb-icccm.so.4       libxcb-icccm4
    libxcb-keysyms.so.1     libxcb-keysyms1
    libxcb-shape.so.0       libxcb-shape0
    libxcb-xkb.so.1         libxcb-xkb1
    libxkbcommon-x11.so.0   libxkbcommon-x11-0
    libwayland-cursor.so.0  libwayland-cursor0
"

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# install_packages PACKAGE...: with apt-get, as root or with sudo; otherwise tell what to do.
install_packages() {
    local as_root=() log
    command -v apt-get >/dev/null ||
        fail "This computer lacks something and has no apt-get to install it with. Please install what Debian calls: $*"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            fail "Please ask the administrator of this computer to run: apt-get install $*"
        as_root=(sudo)
    fi
    say "Installing system packages (about half a minute): $*"
    log="$(mktemp)"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
    if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
        tail -n 15 "$log" >&2
        rm -f "$log"
        fail "apt-get could not install: $*"
    fi
    rm -f "$log"
}

# need_libraries LIST: installs the packages of the libraries in LIST that the loader does not find.
need_libraries() {
    local known library package missing=()
    [ "$(uname -s)" = Linux ] || return 0
    known="$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p)"
    while read -r library package; do
        [ -z "$library" ] || [[ "$known" == *"$library "* ]] || missing+=("$package")
    done <<<"$1"
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

# need_commands COMMAND PACKAGE [COMMAND PACKAGE]...: installs the packages of the commands that are not there.
need_commands() {
    local missing=()
    while [ $# -ge 2 ]; do
        command -v "$1" >/dev/null || missing+=("$2")
        shift 2
    done
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# Prints a Python of 3.11 or newer, or nothing.
find_python() {
    local name
    for name in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if command -v "$name" >/dev/null && recent "$name"; then
            printf '%s\n' "$name"
            return
        fi
    done
}

make_venv() {
    local base
    base="$(find_python)"
    if [ -z "$base" ]; then
        install_packages python3 python3-venv ca-certificates
        base="$(find_python)"
        [ -n "$base" ] || fail "Training Budget needs Python 3.11 or newer; this computer's python3 is older."
    fi
    say "Making the environment in .venv with $("$base" --version)"
    if ! "$base" -c 'import ensurepip' 2>/dev/null; then
        if command -v uv >/dev/null; then
            uv venv --quiet --clear --python "$base" "$VENV" >&2
            return
        fi
        install_packages python3-venv ca-certificates
    fi
    "$base" -m venv --clear "$VENV" >&2
}

# find_uv: sets UV to uv on the path or in .venv, installed there if need be; empty where there is none.
find_uv() {
    UV="$(command -v uv || printf '%s\n' "$VENV/bin/uv")"
    [ -x "$UV" ] || "${PIP[@]}" -r "$PROJECT/packaging/requirements-installer.txt" </dev/null >/dev/null 2>&1 || UV=""
}

# install_lock LOCK: every package of the lock, checked against its hash and compiled; uv where it works, else pip.
install_lock() {
    local lock="$PROJECT/packaging/$1"
    say "Installing the packages of packaging/$1 (under a minute)"
    find_uv
    if [ -n "$UV" ] &&
        "$UV" pip install --python "$PYTHON" "${CHECKED[@]}" --compile-bytecode -r "$lock" </dev/null >&2; then
        return
    fi
    "${PIP[@]}" --compile -r "$lock" </dev/null >&2 ||
        fail "The packages could not be installed. This needs the Python package index (or its mirror) once; is the network there?"
}

# What an editable install would leave in the environment, without a build: where our packages are, as a relative path
# (letters beyond ASCII in the project's path do no harm, nor does moving it), and our name and version.
INSTALL_OURS='
import shutil, sys, sysconfig, tomllib
from os.path import relpath
from pathlib import Path
project, site = Path(sys.argv[1]), Path(sysconfig.get_path("purelib"))
about = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for old in site.glob("training_budget-*.dist-info"):
    shutil.rmtree(old)
name, version = about["name"], about["version"]
metadata = site / f"training_budget-{version}.dist-info" / "METADATA"
metadata.parent.mkdir()
metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="ascii")
(site / "training_budget.pth").write_text(relpath(project, site), encoding="ascii")
'

# state_of LOCK: changes when the environment of LOCK has to be made anew.
state_of() { cat "$PROJECT/packaging/$1" "$PROJECT/pyproject.toml" | cksum; }

# environment LOCK: .venv holds the packages of LOCK and finds ours. Does nothing when it did all this before.
environment() {
    local stamp="$VENV/stamp-$1" state
    state="$(state_of "$1")"
    if [ -x "$PYTHON" ] && [ "$state" = "$(cat "$stamp" 2>/dev/null)" ]; then
        return
    fi
    recent "$PYTHON" || make_venv
    install_lock "$1"
    "$PYTHON" -c "$INSTALL_OURS" "$PROJECT"
    "$PYTHON" -m compileall -q "$PROJECT/desktop_app" "$PROJECT/pricing" "$PROJECT/report_templates" >&2 ||
        say "Some of the program's own files could not be compiled; it may start more slowly."
    printf '%s\n' "$state" >"$stamp"
}

# PyInstaller needs libpython as a shared library; Debian has it in a package of its own.
need_shared_python() {
    local library
    library="$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_config_var("INSTSONAME") or "")')"
    if [[ "$library" == *.so* ]] && [ ! -e "$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_config_var("LIBDIR"))')/$library" ]; then
        need_libraries "$library ${library%%.so*}"
    fi
}
