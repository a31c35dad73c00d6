"""Fixtures for all tests: parts that may be absent, and no way to a model hub."""

import os

import pytest
from hypothesis import settings

from tests.support.needs import PARTS

# A busy machine is no fault of the code.
settings.register_profile("polyfact", deadline=None)
settings.load_profile("polyfact")

# Models come from folders that the tests make; a hub that cannot be reached would only be waited for.
os.environ.setdefault("HF_HUB_OFFLINE", "1")


def required() -> set[str]:
    return {name for name in os.environ.get("POLYFACT_REQUIRE", "").split(",") if name}


def pytest_configure(config):
    unknown = required() - set(PARTS)
    if unknown:
        raise pytest.UsageError(f"POLYFACT_REQUIRE names unknown parts: {', '.join(sorted(unknown))}")


def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        name = mark.args[0]
        probe, hint = PARTS[name]
        if probe():
            continue
        if name in required():
            pytest.fail(f"{name} is required and not there: {hint}", pytrace=False)
        pytest.skip(f"not tested: {name} is not there; to test it: {hint}")


def pytest_terminal_summary(terminalreporter):
    reasons: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] = reasons.get(reason.removeprefix("Skipped: "), 0) + 1
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{count} skipped: {reason}")
