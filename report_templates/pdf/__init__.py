"""What a PDF is made of: texts, tables, charts, pages. Knows nothing of budgets."""
