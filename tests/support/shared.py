"""Where the published data of other benchmarks lies, when it is there. It carries no licence and is never copied."""

from __future__ import annotations

import os
from pathlib import Path


def folder() -> Path | None:
    """POLYFACT_SHARED, else ../shared beside the checkout, else None."""
    named = os.environ.get("POLYFACT_SHARED")
    found = Path(named) if named else Path(__file__).resolve().parents[3] / "shared"
    return found if found.is_dir() else None
