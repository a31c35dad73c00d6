"""Data from the Hugging Face Hub: hub:org/name@revision as a folder in the hub's own cache."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyfact.errors import DataError, MissingExtra, PolyfactError, UsageError, nearest
from polyfact.schemas import is_version, read_json, version_key

__all__ = ["Snapshot", "check", "fetch", "is_hub"]

PREFIX = "hub:"
MANIFEST = "manifest.json"

_NAMED = re.compile(r"hub:(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[^@\s]+))?", re.ASCII)


@dataclass(frozen=True)
class Snapshot:
    """A commit of a dataset repository on this machine.

    name: hub:org/name@revision, the revision as it was asked for, or the newest tag.
    commit: the SHA-1 that the revision stood for. stated: SHA-256 of its JSONL files by name, from its manifest.
    """

    folder: Path
    name: str
    commit: str
    stated: dict[str, str]


def is_hub(data: Path | str) -> bool:
    """Whether data is named by a place on the hub."""
    return str(data).startswith(PREFIX)


def fetch(name: str) -> Snapshot:
    """Download a revision of a dataset, or take it from the cache.

    name: hub:org/name@revision (a tag, branch or commit), or hub:org/name for the newest version.
    HF_ENDPOINT, HF_HOME, HF_HUB_OFFLINE and HF_TOKEN count; a stored login does not. Without the hub, what
    the cache holds is used.

    Raises UsageError for a wrong name or token and for a dataset or revision that is not there, DataError for a
    dataset that is no release, PolyfactError when the hub is away and the revision is not in the cache,
    MissingExtra without the extra "release".
    """
    try:
        import huggingface_hub as hub
        import huggingface_hub.errors
        import huggingface_hub.utils
    except ImportError as error:
        raise MissingExtra("release", "huggingface_hub") from error
    found = _NAMED.fullmatch(name)
    if not found:
        raise UsageError(f'"{name}" names no dataset on the hub', fix="write hub:org/name@version")
    repo, revision = found["repo"], found["revision"]
    api = hub.HfApi(token=_token())
    try:
        with _silenced(hub.utils):
            revision = revision or _newest(_tags(api, repo), name)
            folder = _download(api, repo, revision)
    except PolyfactError:
        raise
    except Exception as error:
        raise _explain(error, api, repo, name, revision) from error
    asked = f"{PREFIX}{repo}@{revision}"
    return Snapshot(folder, asked, folder.name, _stated(folder, asked))


def check(snapshot: Snapshot, files: Mapping[str, str]) -> None:
    """Compare the files that were read with those of the release's manifest.

    files: SHA-256 by name. Raises DataError for one that differs, is missing or is not in the manifest.
    """
    differing = sorted(
        name for name in files.keys() | snapshot.stated.keys() if files.get(name) != snapshot.stated.get(name)
    )
    if differing:
        raise DataError(
            f"{differing[0]} is not what the manifest says",
            where=snapshot.name,
            fix=f"if your copy is damaged, remove {snapshot.folder.parent.parent}",
        )


def _stated(folder: Path, name: str) -> dict[str, str]:
    path = folder / MANIFEST
    found = read_json(path) if path.is_file() else None
    listed = found.get("files") if isinstance(found, dict) else None
    if not isinstance(listed, dict) or not all(isinstance(entry, dict) for entry in listed.values()):
        raise DataError("not a release of a benchmark: it has no manifest", where=name)
    return {file: str(entry.get("sha256")) for file, entry in listed.items() if file.endswith(".jsonl")}


def _token() -> str | bool:
    """The environment's token; False, which is none at all and no stored one, where there is none."""
    token = os.environ.get("HF_TOKEN", "").strip()
    if not re.fullmatch(r"[!-~]*", token):
        raise UsageError("the token holds characters that no token has", fix="set HF_TOKEN again")
    return token or False


def _download(api: Any, repo: str, revision: str) -> Path:
    # What Parquet files hold stands in the JSONL too.
    asked = {"repo_id": repo, "repo_type": "dataset", "revision": revision, "ignore_patterns": ["*.parquet"]}
    try:
        return Path(api.snapshot_download(**asked))
    except Exception as error:
        # The library turns to its cache for some ways of being away, not for a connection that breaks.
        if getattr(error, "response", None) is not None:
            raise
        try:
            return Path(api.snapshot_download(**asked, local_files_only=True))
        except Exception:
            raise error from error.__cause__


@contextlib.contextmanager
def _silenced(utils: Any) -> Iterator[None]:
    """Keep the library's own bars and warnings from the terminal."""
    level, bars = utils.logging.get_verbosity(), not utils.are_progress_bars_disabled()
    utils.logging.set_verbosity_error()
    if bars:
        utils.disable_progress_bars()
    try:
        yield
    finally:
        utils.logging.set_verbosity(level)
        if bars:
            utils.enable_progress_bars()


def _tags(api: Any, repo: str) -> list[str]:
    return [tag.name for tag in api.list_repo_refs(repo, repo_type="dataset").tags]


def _newest(tags: list[str], name: str) -> str:
    """The highest version among the tags, as Semantic Versioning orders them."""
    versions = [tag for tag in tags if is_version(tag)]
    if not versions:
        raise UsageError("no version was published", where=name, fix=f"name a branch or commit: {name}@main")
    return max(versions, key=version_key)


def _explain(error: Exception, api: Any, repo: str, name: str, revision: str | None) -> PolyfactError:
    from huggingface_hub import errors

    chain: list[BaseException] = []
    following: BaseException | None = error
    while following is not None:
        chain.append(following)
        following = following.__cause__
    status = next((each.response.status_code for each in chain if isinstance(each, errors.HfHubHTTPError)), None)
    if isinstance(error, errors.RevisionNotFoundError):
        return UsageError(f'no revision "{revision}"', where=f"{PREFIX}{repo}", fix=_known(api, repo, str(revision)))
    if isinstance(error, errors.GatedRepoError) or status == 403:
        return UsageError("no permission to read this dataset", where=name, fix="ask its owners, and set HF_TOKEN")
    if status == 401 and api.token:
        return UsageError("the hub does not accept the token in HF_TOKEN", where=name, fix="correct or unset it")
    if isinstance(error, errors.RepositoryNotFoundError) or status == 401:
        fix = "check the name; a private dataset needs a token in HF_TOKEN that may read it"
        return UsageError("no such dataset, or none that you may read", where=name, fix=fix)
    if isinstance(error, errors.HFValidationError):
        return UsageError("this cannot be a dataset on the hub", where=name, fix="write hub:org/name@version")
    if any(isinstance(each, errors.OfflineModeIsEnabled) for each in chain):
        missing = "it is not in the cache" if revision else "the newest version is not known"
        fix = "unset HF_HUB_OFFLINE" + ("" if revision else f", or name the version: {name}@VERSION")
        return PolyfactError(f"HF_HUB_OFFLINE is set, and {missing}", where=name, fix=fix)
    why = f"answers {status}" if status else f"does not answer ({type(chain[-1]).__name__})"
    cached = ", and this revision is not in the cache" if revision else ""
    return PolyfactError(f"the hub {why}{cached}", where=name, fix="run the same command again later")


def _known(api: Any, repo: str, revision: str) -> str:
    try:
        return nearest(revision, _tags(api, repo))
    except Exception:
        return ""
