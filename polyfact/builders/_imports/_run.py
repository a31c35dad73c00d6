"""polyfact import: a published benchmark becomes a folder that evaluate reads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from polyfact import languages
from polyfact.builders._imports._fiber import Imported, items_of
from polyfact.builders._imports._fiber_files import read_fiber
from polyfact.builders._imports._links import Linker
from polyfact.builders._imports._report import ImportReport
from polyfact.builders.sources import open_source
from polyfact.errors import UsageError, nearest
from polyfact.execution import Progress, quiet
from polyfact.schemas import write_json, write_jsonl
from polyfact.workspace import new_folder

__all__ = ["KINDS", "import_dataset"]

KINDS = ("fiber",)


def import_dataset(kind: str, source: Path, out: Path, *, progress: Progress = quiet) -> ImportReport:
    """Read a published benchmark and write it to the new folder ``out``, which appears whole or not at all.

    kind: "fiber". source: the folder of its files. ``out`` holds items.jsonl, candidates.jsonl, associations.jsonl,
    wordings.jsonl, rejected.jsonl and import.json (counts, source hashes, what was odd). Every row is an item or is
    rejected with its reason; the data is not repaired. The same source gives the same bytes.

    Raises UsageError for an unknown kind, a source without such files and an ``out`` that is there already, DataError
    for a broken file, MissingExtra without the extra "build".
    """
    if kind not in KINDS:
        raise UsageError(f'no importer for "{kind}"', fix=nearest(kind, KINDS))
    if out.exists() or out.is_symlink():
        raise UsageError("something is here already", where=str(out), fix="choose another folder, or remove this one")
    progress("reading", 0, 1)
    files, ignored = read_fiber(source)
    used = {code: languages.load(code) for code in sorted({file.language for file in files})}
    progress("items", 0, 1)
    made = items_of(files, used, Linker(open_source("embedded")))
    report = ImportReport(
        kind=kind,
        folder=out,
        cells=made.cells,
        rejected=dict(sorted(Counter(row.reason for row in made.rejected).items())),
        defects=made.defects.listed(),
        ignored=ignored,
        linked=made.linked,
        associations=len(made.associations),
        verbatim=made.verbatim,
    )
    with new_folder(out) as folder:
        _write(folder, made, report)
        folder.rename(out)
    return report


def _write(folder: Path, made: Imported, report: ImportReport) -> None:
    write_jsonl(folder / "items.jsonl", made.items)
    write_jsonl(folder / "candidates.jsonl", made.sets)
    write_jsonl(folder / "associations.jsonl", made.associations)
    write_jsonl(folder / "wordings.jsonl", (made.wordings[name] for name in sorted(made.wordings)))
    write_jsonl(folder / "rejected.jsonl", made.rejected)
    write_json(folder / "import.json", report.summary())
