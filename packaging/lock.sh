#!/usr/bin/env bash
# Renews the locks after a change of pyproject.toml; `bash packaging/lock.sh --upgrade` also takes newer versions.
# One lock serves Python 3.11 and later on every system. No address of a registry goes into the files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source ./setup.sh
environment requirements.txt
find_uv
[ -n "$UV" ] || fail "This needs uv, from the Python package index."

export UV_CUSTOM_COMPILE_COMMAND="bash packaging/lock.sh"
compile() {
    "$UV" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate "$@"
}
compile ../pyproject.toml --output-file requirements.txt "$@"
compile ../pyproject.toml --extra dev --constraints requirements.txt --output-file requirements-dev.txt "$@"
echo uv | compile - --output-file requirements-installer.txt "$@"
