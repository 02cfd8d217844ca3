"""Tests in folders below find the hand-written budgets of this one: pytest looks for modules where a conftest stands."""
