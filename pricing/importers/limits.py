"""How much of somebody else's file is read before it is refused in words: a wrong file must not fill the memory."""

from __future__ import annotations

MOST_BYTES = 25_000_000  # a provider's whole machine list of 100,000 lines is about 20 MB
MOST_UNZIPPED_BYTES = 250_000_000  # a workbook of MOST_BYTES unpacks tenfold; a zip bomb thousandfold
MOST_ZIP_PARTS = 5_000  # a workbook has a few parts for each sheet
MOST_ROWS = 150_000  # the longest published machine list has about 100,000 lines
MOST_COLUMNS = 256  # what spreadsheets had until 2007; a price sheet has under 40
MOST_CELL_CHARACTERS = 10_000  # a GpuInfo cell has about 250, a long note 2,000
MOST_SHEETS = 40  # sheets looked through for the one with prices
MOST_HEADER_ROWS = 50  # lines that a title, a logo and a legend may take above the column names
SNIFFED_CHARACTERS = 60_000  # of the beginning of a file, to find its delimiter
MOST_NAME_CHARACTERS = 200  # of a name that is kept, as for the choices of a scenario
MOST_GPUS = 10_000  # in one instance: the largest TPU pod slice on sale has 9,216 chips (Ironwood, 2025)
