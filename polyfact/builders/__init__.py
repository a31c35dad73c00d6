"""From sources to items: facts, drafts, filters."""

from polyfact.builders._apply import apply
from polyfact.builders._build import STAGES, BuildReport, StageReport, build

__all__ = ["STAGES", "BuildReport", "StageReport", "apply", "build"]
