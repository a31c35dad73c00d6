"""From sources to items: facts, drafts, filters."""

from polyfact.builders._apply import apply
from polyfact.builders._build import STAGES, BuildReport, StageReport, build
from polyfact.builders._imports import ImportReport, import_dataset

__all__ = ["STAGES", "BuildReport", "ImportReport", "StageReport", "apply", "build", "import_dataset"]
