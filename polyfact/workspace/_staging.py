"""Folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from polyfact.errors import PolyfactError, UsageError

__all__ = ["new_folder"]


@contextlib.contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A new folder beside ``target`` that is taken away at the end of the block unless it was moved into its place."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part"))
    except OSError as error:
        raise UsageError(f"cannot write: {error.strerror}", where=str(target.parent)) from error
    try:
        folder.chmod(0o755)
        yield folder
    except OSError as error:
        raise PolyfactError(f"cannot write: {error.strerror}", where=str(target)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
