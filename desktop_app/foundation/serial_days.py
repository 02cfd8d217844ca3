"""Days as a spreadsheet counts them, which is how formulas compute with them."""

from datetime import date, timedelta

_DAY_0 = date(1899, 12, 30)  # of Excel (from March 1900 on) and LibreOffice


def serial_day(day: date) -> int:
    """The number of a day."""
    return (day - _DAY_0).days


def day_of_serial(number: float) -> date:
    """The day of a number; of a part of a day its beginning. OverflowError beyond the calendar."""
    return _DAY_0 + timedelta(days=int(number // 1))
