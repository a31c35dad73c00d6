"""Dates: what their precision and calendar make of them, and their order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polyfact.builders._dates import DateValue, date_value, earlier
from tests.cases.compare import Checks, differences


def _date(given: Mapping[str, Any]) -> DateValue:
    return date_value(given["time"], given["precision"], given.get("calendar", "gregorian"))


def _spelled(date: DateValue) -> str:
    """A date as the case file writes one: what is no year says so, with its years."""
    if date.precision >= 9:
        return date.text
    return f"{date.text} ({date.first_year}-{date.last_year}), not a year"


def dates(case: dict[str, Any]) -> list[str]:
    """Points in time with their precision and calendar."""
    given, checks = case["input"], Checks(case)
    found = [_date(each) for each in given["dates"]]
    checks.value("values", [_spelled(each) for each in found])
    checks.value("precisions", [each.precision for each in found])
    checks.value("day_question_allowed", [each.is_day for each in found])
    return checks.done()


def can_order(case: dict[str, Any]) -> list[str]:
    """Pairs of dates."""
    given, checks = case["input"], Checks(case)
    found = [earlier(_date(a), _date(b)) for a, b in given["pairs"]]
    back = [earlier(_date(b), _date(a)) for a, b in given["pairs"]]
    checks.value("orderable", [each is not None for each in found])
    checks.value("first_is_earlier", found)
    checks.lines += differences([None if each is None else not each for each in found], back, 0.0, "the other way round")
    return checks.done()


HANDLERS = {"date_value": dates, "can_order": can_order}
