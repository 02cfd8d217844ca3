"""A workbook of ours that comes back: its cells, its structure, what was changed in it, and what of that is taken."""
