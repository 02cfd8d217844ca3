#!/usr/bin/env bash
# Freezes the program into dist/training-budget (one folder that needs no Python), with icon, desktop entry and
# licences, and proves it: the frozen program paints its window and writes both documents (smoke_test.py).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# PyInstaller copies the screen libraries of this computer into the bundle and reads libraries with objdump.
need_libraries "$QT_LIBRARIES$SCREEN_LIBRARIES"
need_commands objdump binutils pdffonts poppler-utils
environment requirements-dev.txt
need_shared_python

cd "$PROJECT"
bundle="$PROJECT/dist/training-budget"
"$PYTHON" -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build/pyinstaller \
    packaging/training-budget.spec </dev/null
mv "$bundle/_internal/licences" "$bundle/licences"
mkdir -p "$bundle/share/applications"
cp packaging/icons/training-budget.desktop "$bundle/share/applications/"
"$PYTHON" packaging/draw_icons.py "$bundle/share/icons/hicolor"
"$PYTHON" packaging/smoke_test.py "$bundle"
say "The program is $bundle/training-budget ($(du -sm "$bundle" | cut -f1) MB)"
