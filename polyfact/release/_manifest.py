"""manifest.json: the SHA-256 of every file, counts, and what the release was made with; and its check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from polyfact.errors import DataError, PolyfactError
from polyfact.release._arrow import read_parquet
from polyfact.release._card import Identity
from polyfact.release._contents import Contents
from polyfact.schemas import Item, digest, iter_jsonl, read_json
from polyfact.workspace import sha256_file

__all__ = ["MANIFEST", "files_of", "manifest", "read_manifest", "verify"]

MANIFEST = "manifest.json"
FORMAT = 1

_NOT_OURS = re.compile(r"\.git(/.*|attributes|ignore)?|\.cache/.*|(.*/)?\.DS_Store")


def files_of(folder: Path) -> dict[str, Path]:
    """Every file of a release but its manifest, by path with forward slashes; without a hub's own files."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if not path.is_dir()}
    return {name: path for name, path in found.items() if name != MANIFEST and not _NOT_OURS.fullmatch(name)}


def manifest(identity: Identity, contents: Contents, folder: Path, tools: Mapping[str, str]) -> dict[str, Any]:
    """The manifest of the release written so far in ``folder``. tools: versions of what wrote it."""
    return {
        "format": FORMAT,
        "name": identity.name,
        "version": identity.version,
        "licence": identity.licence,
        "audited": not identity.unaudited,
        "canary": identity.canary,
        "made_with": dict(tools),
        "content_hash": contents.content_hash,
        "counts": {
            "items": contents.items,
            "candidate_sets": contents.candidate_sets,
            "associations": contents.associations,
            "wordings": contents.templates,
            "forms_to_review": sum(contents.forms_to_review.values()),
            "forms_in_doubt": sum(contents.forms_in_doubt.values()),
            "reviews": dict(sorted(contents.reviews.items())),
            "rejected": dict(sorted(contents.rejected.items())),
            "data": {group.path: group.items for group in contents.groups},
        },
        "files": {
            name: {"bytes": path.stat().st_size, "sha256": sha256_file(path)} for name, path in files_of(folder).items()
        },
    }


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a release. Raises DataError when there is none or it is not one."""
    path = folder / MANIFEST
    found = read_json(path)
    listed = found.get("files") if isinstance(found, dict) else None
    counts = found.get("counts") if isinstance(found, dict) else None
    if not isinstance(listed, dict) or not isinstance(counts, dict) or not isinstance(counts.get("data"), dict):
        raise DataError("not the manifest of a release", where=str(path))
    if found.get("format") != FORMAT:
        raise DataError(f"format {found.get('format')} is not known to this version of polyfact", where=str(path))
    manifest_read: dict[str, Any] = found
    return manifest_read


def verify(folder: Path) -> list[str]:
    """What is wrong with a release, one sentence each; nothing when every file is as the manifest says.

    Compares presence, size and SHA-256 of the files; then, if these are right, the number of rows, the hash
    of every item's content, and each Parquet file with its JSONL. Raises DataError when there is no manifest.
    """
    stated = read_manifest(folder)
    return list(_files(folder, stated)) or list(_rows(folder, stated))


def _files(folder: Path, stated: Mapping[str, Any]) -> Iterator[str]:
    present = files_of(folder)
    for name, expected in sorted(stated["files"].items()):
        if name not in present:
            inside = not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts
            yield f"{name}: missing" if inside else f"{name}: not a path inside a release"
            continue
        path = present[name]
        if path.is_symlink() and not path.resolve().is_file():
            yield f"{name}: a link to nothing"
        elif not isinstance(expected, dict) or path.stat().st_size != expected.get("bytes"):
            yield f"{name}: {path.stat().st_size} bytes, the manifest says {dict(expected).get('bytes')}"
        elif sha256_file(path) != expected.get("sha256"):
            yield f"{name}: changed (SHA-256 differs from the manifest's)"
    for name in sorted(present.keys() - stated["files"].keys()):
        yield f"{name}: not in the manifest"


def _rows(folder: Path, stated: Mapping[str, Any]) -> Iterator[str]:
    counts = stated["counts"]
    hashes: dict[str, str] = {}
    others = {"candidates": counts.get("candidate_sets", 0)}
    others |= {name: counts.get(name, 0) for name in ("associations", "wordings")}
    for name, expected in {**counts["data"], **others}.items():
        lines = folder / f"{name}.jsonl"
        if expected and f"{name}.jsonl" not in stated["files"]:
            yield f"{name}.jsonl: counted, but not among the files"
            continue
        try:
            rows = list(iter_jsonl(lines)) if expected or lines.is_file() else []
            if len(rows) != expected:
                yield f"{name}.jsonl: {len(rows)} rows, the manifest says {expected}"
            if rows and rows != read_parquet(folder / f"{name}.parquet"):
                yield f"{name}.parquet: other rows than {name}.jsonl"
            if name in counts["data"]:
                for item in iter_jsonl(lines, Item):
                    hashes[item.id] = item.content_hash
                    if item.content_hash != digest(item.content()):
                        yield f"{name}.jsonl: {item.id}: content_hash does not fit the content"
        except PolyfactError as error:
            yield str(error)
    if len(hashes) != counts.get("items"):
        yield f"{len(hashes)} items, the manifest says {counts.get('items')}"
    if digest(sorted(hashes.items()), length=64) != stated.get("content_hash"):
        yield "the items are not those that the manifest was made for (content_hash)"
