"""What every room uses: problems, records, units, rounding, expressions, words. Standard library and pydantic only."""
