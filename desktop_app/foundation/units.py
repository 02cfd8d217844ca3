"""Exact conversions between units. Device memory is bytes inside and GiB, with that word, outside."""

BYTES_PER_GIB = 2**30  # IEC 80000-13
BYTES_PER_GB = 10**9  # SI
BYTES_PER_TB = 10**12  # SI
BITS_PER_BYTE = 8
SECONDS_PER_HOUR = 3600
MINUTES_PER_HOUR = 60
SECONDS_PER_MINUTE = 60
HOURS_PER_DAY = 24
SECONDS_PER_DAY = SECONDS_PER_HOUR * HOURS_PER_DAY
HOURS_PER_YEAR = 8760  # 365 days
HOURS_PER_MONTH = 730  # a year of 8,760 h / 12, the month of the cloud price lists
WATTS_PER_KW = 1000
GRAMS_PER_KG = 1000
KG_PER_TONNE = 1000


def tonnes(kilograms: float) -> float:
    """Kilograms as tonnes."""
    return kilograms / KG_PER_TONNE
