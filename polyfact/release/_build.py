"""polyfact release build: a workspace's items as a dataset version, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version as installed
from pathlib import Path

from polyfact import __version__
from polyfact.errors import DataError, PolyfactError, UsageError
from polyfact.release._card import Identity, front_matter
from polyfact.release._changelog import changelog, previous
from polyfact.release._contents import Contents, write_data
from polyfact.release._manifest import MANIFEST, files_of, manifest, verify
from polyfact.release._prose import prose
from polyfact.schemas import atomic_write, read_json, redact, version_key, write_json
from polyfact.workspace import new_folder, sha256_file

__all__ = ["ReleaseReport", "build"]

AUDITED = ("items.jsonl", "candidates.jsonl", "associations.jsonl", "wordings.jsonl")

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NAMESPACE = uuid.UUID("6f1a0d1e-52b7-5c3b-9a53-6d1f0a0c7e21")


@dataclass(frozen=True)
class ReleaseReport:
    """What a release holds.

    written: False when the same release was there already. files: how many there are, with the manifest.
    """

    folder: Path
    version: str
    items: int
    files: int
    written: bool
    unaudited: bool
    content_hash: str


def build(
    workspace: Path,
    *,
    version: str,
    name: str,
    licence: str,
    unaudited: bool,
    languages_used: Mapping[str, Path],
    topics_used: Mapping[str, Path],
    out: Path | None = None,
    homepage: str = "",
    contact: str = "",
) -> ReleaseReport:
    """Write a version of the dataset to ``workspace``/releases/``version``, or to the folder ``out``.

    version: Semantic Versioning. licence: an SPDX name.
    unaudited: publish without an audit; the card says so.
    languages_used, topics_used: the files that the items were made with, by language code and topic name.

    The folder appears whole or not at all; the same input gives the same bytes (Parquet: for one pyarrow
    version). A version that is there already stays as it is: with the same content it is reported as not
    written. Raises UsageError for a wrong version, name or licence and for a missing audit; DataError for
    data that must not be published and for a version that is there with other content; MissingExtra without
    the extra "release".
    """
    version_key(version)
    if not _NAME.fullmatch(name):
        raise UsageError(f'"{name}" cannot be a dataset\'s name', fix="use lower-case letters, digits and hyphens")
    if not licence.strip():
        raise UsageError("a release needs a licence", fix='set licence in the recipe, for example "CC0-1.0"')
    if not unaudited:
        _require_audit(workspace)
    target = out or workspace / "releases" / version
    with _lock(target.parent):
        for left in target.parent.glob(f".{target.name}.*.part"):
            shutil.rmtree(left, ignore_errors=True)
        with new_folder(target) as folder:
            contents = write_data(workspace, folder, languages_used, topics_used)
            guid = uuid.uuid5(_NAMESPACE, f"{name} {version} {contents.content_hash}")
            identity = Identity(name, version, licence.strip(), unaudited, str(guid), homepage, contact)
            _write_texts(folder, identity, contents, workspace, target)
            written = not target.exists()
            if written:
                _publish(folder, target)
            else:
                _compare(folder, target)
    return ReleaseReport(
        folder=target,
        version=version,
        items=contents.items,
        files=len(files_of(target)) + 1,
        written=written,
        unaudited=unaudited,
        content_hash=contents.content_hash,
    )


def _require_audit(workspace: Path) -> None:
    """Raise UsageError unless audit.json holds, under "inputs", the SHA-256 of each file to be published."""
    path = workspace / "audit.json"
    fix = "audit this version of the items, or pass --unaudited: the card will say so"
    if not path.is_file():
        raise UsageError("no audit of these items", where=str(path), fix=fix)
    found = read_json(path)
    inputs = found.get("inputs") if isinstance(found, dict) else None
    for name in AUDITED:
        source = workspace / name
        stated = inputs.get(name) if isinstance(inputs, dict) else None
        if stated != (sha256_file(source) if source.is_file() else None):
            raise UsageError(f"the audit is of another {name}", where=str(path), fix=fix)


def _write_texts(staging: Path, identity: Identity, contents: Contents, workspace: Path, target: Path) -> None:
    """The card, the changelog and, last, the manifest."""
    if not identity.unaudited:
        shutil.copyfile(workspace / "audit.json", staging / "audit.json")
    notice = _notice(contents)
    if notice is not None:
        _write(staging / "NOTICE", notice)
    _write(
        staging / "README.md",
        f"---\n{front_matter(identity, contents)}---\n\n{prose(identity, contents, staging)}",
    )
    before = previous(target.parent, identity.name, identity.version)
    _write(staging / "CHANGELOG.md", changelog(identity.name, identity.version, contents, before))
    tools = {"polyfact": __version__, "pyarrow": installed("pyarrow")}
    write_json(staging / MANIFEST, manifest(identity, contents, staging, tools))


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as out:
        out.write(redact(text))


def _notice(contents: Contents) -> str | None:
    """The NOTICE of the embedded knowledge base, for a release whose facts come from it."""
    if not any(source == "embedded" for source, _ in contents.sources):
        return None
    path = Path(__file__).parent.parent / "kb" / "NOTICE"
    return path.read_text(encoding="utf-8") if path.is_file() else None


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """One build at a time in a folder of releases; the lock goes with the process."""
    try:
        import fcntl
    except ImportError as error:
        raise PolyfactError("releases are not built on this system", fix="on Windows use WSL") from error
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise UsageError(f"cannot write: {error.strerror}", where=str(folder)) from error
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _publish(staging: Path, target: Path) -> None:
    staging.rename(target)
    handle = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _compare(staging: Path, target: Path) -> None:
    """Raise DataError unless the release at ``target`` is whole and says the same as that in ``staging``.

    Parquet bytes depend on the version of pyarrow: their rows are compared with the JSONL by `verify`.
    """
    if not (target / MANIFEST).is_file():
        raise DataError(
            "something else than a release is here", where=str(target), fix="choose another folder or version"
        )
    problems = verify(target)
    if problems:
        raise DataError(
            f"the release that is here is damaged: {problems[0]}", where=str(target), fix="restore or move it"
        )
    new, old = files_of(staging), files_of(target)
    differing = [
        file
        for file in sorted(new.keys() | old.keys())
        if not (
            file in new
            and file in old
            and (file.endswith(".parquet") or sha256_file(new[file]) == sha256_file(old[file]))
        )
    ]
    if differing:
        more = f" and {len(differing) - 1} more" if len(differing) > 1 else ""
        raise DataError(
            f"released already with other content ({differing[0]}{more})",
            where=str(target),
            fix="raise the version",
        )
