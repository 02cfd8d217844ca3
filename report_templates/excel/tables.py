"""Tables of the file format: a header row and a name, so that rows can be filtered and pivoted."""

from __future__ import annotations

from report_templates.excel.cells import Sheet


def add_table(sheet: Sheet, name: str, header: int, first: str, last: str) -> None:
    """Make a table of the rows from `header` to the last one that was written; nothing where there are no rows.

    The names of its columns are what stands in the header row, which must be texts, each once.
    """
    from openpyxl.worksheet.table import Table, TableStyleInfo

    if sheet.row - 1 <= header:
        return
    table = Table(name=name, displayName=name, ref=f"{first}{header}:{last}{sheet.row - 1}")
    table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=False)
    sheet.page.add_table(table)
    sheet.page.protection.autoFilter = sheet.page.protection.sort = False  # False: not locked
