"""How a budget looks on paper: the Excel workbook, the PDF proposal and the cost lines as CSV."""
