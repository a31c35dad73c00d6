"""Wikidata's dates: a point in time is as exact as its precision says, in the calendar that it names.

+2000-00-00 with precision 7 is the twentieth century and not a year, with precision 9 the year 2000 and not its first
day. A date is therefore an interval of days, and two dates have an order only where their intervals do not touch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from polyfact.errors import DataError

__all__ = ["DateValue", "date_value", "earlier"]

Calendar = Literal["gregorian", "julian"]

MILLENNIUM, CENTURY, DECADE, YEAR, MONTH, DAY = 6, 7, 8, 9, 10, 11

_CALENDARS: dict[str, Calendar] = {
    "Q1985727": "gregorian",
    "gregorian": "gregorian",
    "proleptic gregorian": "gregorian",
    "Q1985786": "julian",
    "julian": "julian",
    "proleptic julian": "julian",
}
_TIME = re.compile(r"([+-]?)0*(\d{1,11})(?:-(\d\d)(?:-(\d\d))?)?(?:T[0-9:.]*Z?)?", re.ASCII)
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True)
class DateValue:
    """A date of some precision.

    text: as a reader meets it: "1947", "1947-08", "1947-08-15", "1940s", "20th century", "44 BCE"; a day or month of
    the Julian calendar says so. precision: 6 millennium, 7 century, 8 decade, 9 year, 10 month, 11 day.
    first_year, last_year: of the interval, inclusive; there is no year 0: 1 BCE is -1.
    first, last: its days as Julian day numbers, inclusive, so that dates of both calendars are compared.
    """

    text: str
    precision: int
    calendar: Calendar
    first_year: int
    last_year: int
    first: int
    last: int

    @property
    def is_day(self) -> bool:
        """Whether a question may ask for the day."""
        return self.precision == DAY


def date_value(time: str, precision: int, calendar: str = "gregorian") -> DateValue:
    """The date of a time value of Wikidata's JSON, such as +1947-08-15T00:00:00Z.

    calendar: "gregorian", "julian", or the calendar model's entity id or IRI. What is below the precision is not read:
    with precision 9, 1947-01-01 is 1947. Years before 1 are written -44 for 44 BCE. The RDF of a query service is
    another matter: there Julian dates come converted.
    Raises DataError for a time that is none, a precision other than 6 to 11, and an unknown calendar.

    >>> date_value("+1526-04-21T00:00:00Z", 11, "Q1985786").text
    '1526-04-21 (Julian)'
    >>> date_value("+2000-00-00T00:00:00Z", 7).text
    '20th century'
    """
    found = _TIME.fullmatch(time)
    model = _CALENDARS.get(calendar.rsplit("/", 1)[-1].lower()) or _CALENDARS.get(calendar.rsplit("/", 1)[-1])
    if model is None:
        raise DataError(
            f'"{calendar}" is no calendar that is known here', fix="gregorian (Q1985727) or julian (Q1985786)"
        )
    if found is None or int(found[2]) == 0:
        raise DataError(f'"{time}" is not a time such as +1947-08-15T00:00:00Z')
    if not MILLENNIUM <= precision <= DAY:
        raise DataError(f"a date of precision {precision} is not used", fix="6 (millennium) to 11 (day)")
    year = -int(found[2]) if found[1] == "-" else int(found[2])
    month, day = int(found[3] or 0), int(found[4] or 0)
    if precision >= MONTH and not 1 <= month <= 12:
        raise DataError(f'"{time}" names no month, but its precision is {precision}')
    if precision == DAY and not 1 <= day <= _days(year, month, model):
        raise DataError(f'"{time}" names no day of that month')
    first_year, last_year = _years(year, precision)
    start, end = (month, month) if precision >= MONTH else (1, 12)
    return DateValue(
        text=_text(year, month, day, precision, model),
        precision=precision,
        calendar=model,
        first_year=first_year,
        last_year=last_year,
        first=_day_number(first_year, start, day if precision == DAY else 1, model),
        last=_day_number(last_year, end, day if precision == DAY else _days(last_year, end, model), model),
    )


def earlier(a: DateValue, b: DateValue) -> bool | None:
    """Whether ``a`` is before ``b``; None where the dates overlap, as a year and one of its days do.

    >>> year, day = date_value("+1757", 9), date_value("+1757-06-23", 11)
    >>> earlier(year, day), earlier(year, date_value("+1758-01-01", 11))
    (None, True)
    """
    if a.last < b.first:
        return True
    return False if b.last < a.first else None


def _years(year: int, precision: int) -> tuple[int, int]:
    """The years of the interval. A century ends with its hundredth year; a decade holds the years that begin alike."""
    if precision >= YEAR:
        return year, year
    size = {MILLENNIUM: 1000, CENTURY: 100, DECADE: 10}[precision]
    before, number = year < 0, abs(year)
    if precision == DECADE:
        low = number // size * size
        ends = (max(low, 1), low + size - 1)
    else:
        low = (number - 1) // size * size
        ends = (low + 1, low + size)
    return (-ends[1], -ends[0]) if before else ends


def _text(year: int, month: int, day: int, precision: int, calendar: Calendar) -> str:
    number, era = abs(year), " BCE" if year < 0 else ""
    if precision in (MILLENNIUM, CENTURY):
        size, name = (1000, "millennium") if precision == MILLENNIUM else (100, "century")
        return f"{_ordinal((number - 1) // size + 1)} {name}{era}"
    if precision == DECADE:
        return f"{number // 10 * 10}s{era}"
    if precision == YEAR:
        return f"{number}{era}"
    written = f"{number:04d}-{month:02d}" + (f"-{day:02d}" if precision == DAY else "")
    return written + era + (" (Julian)" if calendar == "julian" else "")


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _days(year: int, month: int, calendar: Calendar) -> int:
    """Days of a month."""
    if month != 2:
        return _MONTH_DAYS[month - 1]
    astronomical = year + 1 if year < 0 else year
    leap = astronomical % 4 == 0 and (calendar == "julian" or astronomical % 100 != 0 or astronomical % 400 == 0)
    return 29 if leap else 28


def _day_number(year: int, month: int, day: int, calendar: Calendar) -> int:
    """The Julian day number of a day in its calendar (E. G. Richards, 2013)."""
    astronomical = year + 1 if year < 0 else year
    shift = (14 - month) // 12
    years, months = astronomical + 4800 - shift, month + 12 * shift - 3
    days = day + (153 * months + 2) // 5 + 365 * years + years // 4
    return days - 32083 if calendar == "julian" else days - years // 100 + years // 400 - 32045
