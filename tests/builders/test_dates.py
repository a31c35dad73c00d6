"""Dates are as exact as they say, and have an order where they do not overlap; case ids are of the shared case file."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact.builders._dates import date_value, earlier
from polyfact.errors import DataError

UNIX = 2440588
"""The Julian day number of 1970-01-01."""


@pytest.mark.parametrize(
    ("time", "precision", "text", "years"),
    [
        ("+1947-00-00T00:00:00Z", 9, "1947", (1947, 1947)),
        ("+1947-01-01T00:00:00Z", 9, "1947", (1947, 1947)),
        ("+1947-08-15T00:00:00Z", 11, "1947-08-15", (1947, 1947)),
        ("+1947-08-00T00:00:00Z", 10, "1947-08", (1947, 1947)),
        ("+1940-00-00T00:00:00Z", 8, "1940s", (1940, 1949)),
        ("+2000-00-00T00:00:00Z", 7, "20th century", (1901, 2000)),
        ("+1901-00-00T00:00:00Z", 7, "20th century", (1901, 2000)),
        ("+1100-00-00T00:00:00Z", 7, "11th century", (1001, 1100)),
        ("+0100-00-00T00:00:00Z", 7, "1st century", (1, 100)),
        ("+2000-00-00T00:00:00Z", 6, "2nd millennium", (1001, 2000)),
        ("-0044-03-15T00:00:00Z", 11, "0044-03-15 BCE", (-44, -44)),
        ("-0044-00-00T00:00:00Z", 9, "44 BCE", (-44, -44)),
        ("-0500-00-00T00:00:00Z", 7, "5th century BCE", (-500, -401)),
        ("+00000001947-00-00T00:00:00Z", 9, "1947", (1947, 1947)),
        ("+1757", 9, "1757", (1757, 1757)),
    ],
)
def test_q07_text_and_years(time, precision, text, years):
    found = date_value(time, precision)
    assert (found.text, (found.first_year, found.last_year)) == (text, years)
    assert found.is_day == (precision == 11)


@pytest.mark.parametrize("calendar", ["julian", "Q1985786", "http://www.wikidata.org/entity/Q1985786"])
def test_a_julian_day_says_so_and_is_compared_as_what_it_is(calendar):
    panipat = date_value("+1526-04-21T00:00:00Z", 11, calendar)
    assert panipat.text == "1526-04-21 (Julian)"
    assert panipat.first == date_value("+1526-05-01", 11).first
    assert date_value("+1526-04-00", 9, calendar).text == "1526"


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((("+1757", 9)), ("+1757-06-23", 11), None),
        (("+1757", 9), ("+1758-01-01", 11), True),
        (("+1758-01-01", 11), ("+1757", 9), False),
        (("+1526-04-21", 11, "julian"), ("+1526-04-25", 11), False),
        (("+1526-04-21", 11, "julian"), ("+1526-05-02", 11), True),
        (("+1947-08-15", 11), ("+1947-08-15", 11), None),
        (("-0044", 9), ("-0043", 9), True),
        (("-0001", 9), ("+0001", 9), True),
        (("+2000", 7), ("+1950", 9), None),
        (("+1900", 7), ("+1901", 9), True),
        (("+1948-02-00", 10), ("+1948-02-29", 11), None),
    ],
)
def test_q09_order_only_where_nothing_overlaps(a, b, expected):
    assert earlier(date_value(*a), date_value(*b)) is expected


@given(st.dates())
def test_days_are_numbered_as_the_standard_library_does(day):
    found = date_value(f"+{day.isoformat()}T00:00:00Z", 11)
    assert found.first == found.last == UNIX + (day - datetime.date(1970, 1, 1)).days
    year = date_value(f"+{day.year:04d}-00-00T00:00:00Z", 9)
    assert year.first <= found.first <= year.last
    assert earlier(year, found) is None


@given(st.integers(min_value=-3000, max_value=3000).filter(bool), st.sampled_from(["gregorian", "julian"]))
def test_years_follow_each_other_without_a_gap(year, calendar):
    following = year + 1 or 1
    a, b = date_value(f"{year:+05d}", 9, calendar), date_value(f"{following:+05d}", 9, calendar)
    assert b.first == a.last + 1
    assert a.last - a.first in (364, 365)


def test_the_julian_calendar_has_a_leap_day_that_the_gregorian_lacks():
    assert date_value("+1500-02-29", 11, "julian").last + 1 == date_value("+1500-03-01", 11, "julian").first
    with pytest.raises(DataError, match="no day of that month"):
        date_value("+1500-02-29", 11)


@pytest.mark.parametrize(
    ("time", "precision", "calendar", "message"),
    [
        ("1947-13-01", 11, "gregorian", "no month"),
        ("+1947-00-00", 10, "gregorian", "no month"),
        ("+1947-08-00", 11, "gregorian", "no day"),
        ("+1947", 14, "gregorian", "precision 14"),
        ("+1947", 5, "gregorian", "precision 5"),
        ("+0000", 9, "gregorian", "not a time"),
        ("soon", 9, "gregorian", "not a time"),
        ("+1947", 9, "Q1", "no calendar"),
    ],
)
def test_what_is_no_date_is_refused(time, precision, calendar, message):
    with pytest.raises(DataError, match=message):
        date_value(time, precision, calendar)
