"""Rebuilding pricing/tables from local copies of the source files. A maintainer's tool: the app never runs it."""
