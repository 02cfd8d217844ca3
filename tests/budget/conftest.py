"""Tests in folders below find the hand-written budgets of this one: modules are found where a conftest stands."""
