"""Published benchmarks of others, as items: polyfact import."""

from polyfact.builders._imports._report import Defect, ImportedCell, ImportReport
from polyfact.builders._imports._run import KINDS, import_dataset

__all__ = ["KINDS", "Defect", "ImportReport", "ImportedCell", "import_dataset"]
