#!/usr/bin/env bash
# Starts Training Budget and does all the set-up the first time. Arguments are passed on to the program:
#   bash packaging/run.sh                        opens the window; without a display: the example's documents into out/
#   bash packaging/run.sh estimate --model NAME  any command of the program, see `bash packaging/run.sh --help`
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# A window is asked for with no arguments or with a project file alone.
wants_window() { [ $# = 0 ] || { [ $# = 1 ] && [[ "$1" == *.tbudget ]]; }; }

has_display() { [ "$(uname -s)" != Linux ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; }

# -P keeps the folder the caller stands in off the import path.
program() { "$PYTHON" -P -m desktop_app "$@"; }

# Qt aborts (128 + SIGABRT) where the display does not answer, and names a library that is not to blame.
tell_failure() {
    [ "$1" != 134 ] || say "The window could not open on this display. Without one: bash packaging/run.sh estimate"
    exit "$1"
}

headless_job() {
    say "There is no display here, so the window stays closed. The same job runs without it."
    program estimate "$@"
    mkdir -p "$PROJECT/out"
    program report "$@" --xlsx "$PROJECT/out/training-budget.xlsx" --pdf "$PROJECT/out/training-budget.pdf"
    say "The Excel budget and the PDF proposal are in $PROJECT/out"
}

environment requirements.txt
if ! wants_window "$@"; then
    exec "$PYTHON" -P -m desktop_app "$@"
elif has_display; then
    [ -n "${QT_QPA_PLATFORM:-}" ] || QT_LIBRARIES+="$SCREEN_LIBRARIES"
    need_libraries "$QT_LIBRARIES"
    program "$@" || tell_failure $?
else
    headless_job "$@"
fi
