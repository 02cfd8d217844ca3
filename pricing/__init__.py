"""Prices, node power, grids and exchange rates: tables and look-ups. A leaf: it imports nothing of ours."""
