"""Run a file of cases: python -m tests.cases.run [FILE] [--list] [ID...]

Prints a line for each case that failed and, last, how many passed, failed and are pending. Exit code 1 when one failed,
2 when the file cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from polyfact.errors import PolyfactError
from tests.cases.adapter import Outcome, case_file, load, run_case


def main(arguments: list[str] | None = None) -> int:
    """Run it. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.cases.run", description="Run a file of cases.")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the shared case file when not given")
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these cases")
    parser.add_argument("--list", action="store_true", help="a line for every case with its state")
    options = parser.parse_args(arguments)
    path = options.file or case_file()
    if path is None:
        print("no case file: name one, or set POLYFACT_SHARED to the folder that holds cases/", file=sys.stderr)
        return 2
    try:
        cases = [case for case in load(path) if not options.ids or case["id"] in options.ids]
    except PolyfactError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    unknown = sorted(set(options.ids) - {case["id"] for case in cases})
    if unknown:
        print(f"{path}: no case {', '.join(unknown)}", file=sys.stderr)
        return 2
    counts: Counter[str] = Counter()
    for case in cases:
        outcome = run_case(case)
        counts[outcome.state] += 1
        if outcome.state == "failed" or options.list:
            print(_line(outcome), flush=True)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['pending']} pending")
    return 1 if counts["failed"] else 0


def _line(outcome: Outcome) -> str:
    said = "; ".join(outcome.differences) if outcome.state == "failed" else outcome.waits_for
    state = {"passed": "passed", "failed": "FAILED", "pending": "pending"}[outcome.state]
    return f"{outcome.id} {state}" + (f": {said}" if said else "")


if __name__ == "__main__":
    sys.exit(main())
