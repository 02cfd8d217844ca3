#!/usr/bin/env bash
# Installs what the tests need and runs every check: ruff, mypy, pytest (the import contracts are one of its tests).
#   bash packaging/test.sh                 the fast lane, under 5 minutes
#   bash packaging/test.sh --all           also what is marked slow: LibreOffice, the frozen bundle, long fuzzing
#   bash packaging/test.sh tests/budget    arguments are passed on to pytest
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

lane=()
slow=no
if [ "${1:-}" = --all ]; then
    shift
    lane=(-m "slow or not slow" --timeout 600)
    slow=yes
fi

need_libraries "$QT_LIBRARIES"
need_commands pdftotext poppler-utils
if [ "$slow" = yes ]; then
    need_libraries "$SCREEN_LIBRARIES"
    need_commands soffice libreoffice-calc-nogui xvfb-run xvfb xauth xauth objdump binutils
fi
environment requirements-dev.txt

cd "$PROJECT"
export QT_QPA_PLATFORM=offscreen
failed=()
check() {
    local name="$1"
    shift
    printf '== %s\n' "$name"
    "$@" </dev/null || failed+=("$name")
}
check "ruff check" "$PYTHON" -m ruff check .
check "ruff format" "$PYTHON" -m ruff format --check .
check "mypy" "$PYTHON" -m mypy
check "pytest" "$PYTHON" -m pytest -n auto "${lane[@]}" "$@"
[ ${#failed[@]} = 0 ] || fail "Failed: ${failed[*]}"
