"""The Excel workbook: cells, sheets and what stands on them."""
