"""One self-contained page from stored runs. Only files are read; no number is made here that a file does not hold."""

from polyfact.report._page import write
from polyfact.report._read import Run, read_run, summary

__all__ = ["Run", "read_run", "summary", "write"]
