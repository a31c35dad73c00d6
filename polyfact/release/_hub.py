"""polyfact release push: a built release as one commit and one tag of a dataset repository on the Hugging Face Hub."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyfact.errors import DataError, PolyfactError, UsageError
from polyfact.execution import Progress, quiet
from polyfact.release._hub_client import HubRepo
from polyfact.release._manifest import MANIFEST, files_of, read_manifest, verify
from polyfact.schemas import version_key

__all__ = ["Pushed", "push"]

CARD = "README.md"


@dataclass(frozen=True)
class Pushed:
    """What was sent, or what would be sent if this was a dry run.

    tag: the version. head: the commit that the repository's main branch was at; None for a new repository.
    commit: the commit that holds the release; None in a dry run that found none.
    files: bytes by path, only of files that the repository did not have already. deleted: paths of files that
    the release has not. created: the repository was (or would be) new. sent: False when the files were there
    already and only the tag was missing.
    """

    repo: str
    url: str
    tag: str
    head: str | None
    commit: str | None
    files: dict[str, int]
    deleted: list[str]
    created: bool
    sent: bool
    dry_run: bool

    @property
    def bytes(self) -> int:
        """The size of the files sent, in bytes."""
        return sum(self.files.values())


@dataclass(frozen=True)
class _File:
    """A file of the release. sha256: what large file storage names it by; blob: what git names it by."""

    path: Path
    size: int
    sha256: str
    blob: str


@dataclass(frozen=True)
class _Plan:
    """What stands on the hub and what is to be done about it. commit: the one that holds the release already."""

    title: str
    head: str | None
    exists: bool
    commit: str | None
    local: Mapping[str, _File]
    files: list[str]
    deleted: list[str]


def push(
    folder: Path,
    repo: str,
    *,
    private: bool = False,
    dry_run: bool = False,
    token: str | None = None,
    endpoint: str | None = None,
    progress: Progress = quiet,
    backoff: float = 1.0,
) -> Pushed:
    """Publish the release in ``folder`` as a version of the dataset repository ``repo`` ("org/name").

    The release is verified, the repository created if there is none (``private``: for nobody else to see), its
    files sent in one commit on top of the head that was seen, and that commit tagged with the version. Files
    that the release has not are deleted by the same commit. dry_run: look and say, send nothing.
    token: with write access; the environment's HF_TOKEN when not given, and nothing else.
    endpoint: of another hub; the environment's HF_ENDPOINT when not given.
    backoff: seconds before the first new attempt when the hub is away for a moment; doubled each time.

    A push that was interrupted is finished by the same call: what is there already is not sent again.

    Raises UsageError for a wrong repository or token and for a missing permission; DataError for a damaged
    release, a version that is published already, a repository that holds something else, and when somebody
    else pushed in between; PolyfactError when the hub is away; MissingExtra without the extra "release".
    """
    tag, title = _checked(folder)
    hub = HubRepo(repo, token, endpoint, backoff)
    if not hub.has_token and not dry_run:
        raise UsageError("no token for the hub", where=hub.url, fix="set HF_TOKEN to a token with write access")
    with hub.silenced():
        progress(f"looking at {hub.url}", 0, 0)
        plan = _plan(hub, tag, title, folder, private)
        commit = plan.commit
        if not dry_run:
            commit = commit or _send(hub, plan, private, progress)
            progress(f"tagging {tag}", 0, 0)
            _tag(hub, tag, commit)
    return Pushed(
        repo=repo,
        url=hub.url,
        tag=tag,
        head=plan.head,
        commit=commit,
        files={name: plan.local[name].size for name in plan.files},
        deleted=plan.deleted,
        created=not plan.exists,
        sent=plan.commit is None,
        dry_run=dry_run,
    )


def _checked(folder: Path) -> tuple[str, str]:
    """The version of a whole release and the title of its commit, which names the manifest that it holds."""
    if not (folder / MANIFEST).is_file():
        raise UsageError("no release here", where=str(folder), fix="run: polyfact release build")
    problems = verify(folder)
    if problems:
        raise DataError(f"this release is damaged: {problems[0]}", where=str(folder), fix="build it again")
    version = str(read_manifest(folder).get("version"))
    version_key(version)
    digest = hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    return version, f"Release {version} (manifest {digest[:16]})"


def _plan(hub: HubRepo, tag: str, title: str, folder: Path, private: bool) -> _Plan:
    state = hub.state()
    if state is not None and tag in state.tags:
        raise DataError(
            f"version {tag} is published already",
            where=hub.url,
            fix="raise the version in the recipe and build the release again",
        )
    if state is not None and private and not hub.is_private():
        raise UsageError(
            "this repository is public", where=hub.url, fix="make it private in its settings, or leave out --private"
        )
    head = state.head if state is not None else None
    local = {name: _file(path) for name, path in {**files_of(folder), MANIFEST: folder / MANIFEST}.items()}
    remote = hub.tree(head) if head else {}
    if head:
        _require_ours(hub, head, remote, local, str(read_manifest(folder).get("name")))
    commit = _find(hub, head, title, local, remote) if head else None
    return _Plan(
        title=title,
        head=head,
        exists=state is not None,
        commit=commit,
        local=local,
        files=[] if commit else [name for name in sorted(local) if not _same(remote.get(name), local[name])],
        deleted=[] if commit else sorted(remote.keys() - local.keys()),
    )


def _file(path: Path) -> _File:
    size = path.stat().st_size
    sha256, blob = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            sha256.update(part)
            blob.update(part)
    return _File(path, size, sha256.hexdigest(), blob.hexdigest())


def _same(remote: Any, local: _File) -> bool:
    """Whether a file on the hub has the same content."""
    if remote is None:
        return False
    if remote.lfs is not None:
        return bool(remote.lfs.sha256 == local.sha256)
    return bool(remote.blob_id == local.blob)


def _holds(tree: Mapping[str, Any], local: Mapping[str, _File]) -> bool:
    return tree.keys() == local.keys() and all(_same(tree[name], file) for name, file in local.items())


def _require_ours(hub: HubRepo, head: str, remote: Mapping[str, Any], local: Mapping[str, _File], name: str) -> None:
    """Raise DataError for a repository with files of something else: they would be deleted."""
    fix = "choose another repository with --repo"
    if MANIFEST in remote:
        try:
            found = json.loads(hub.read(MANIFEST, head))
        except ValueError:
            found = None
        other = found.get("name") if isinstance(found, dict) else None
        if other != name:
            what = f'the dataset "{other}"' if isinstance(other, str) else "something else than releases"
            raise DataError(f'this repository holds {what}, not "{name}"', where=hub.url, fix=fix)
    elif strange := sorted(remote.keys() - local.keys() - {CARD}):
        raise DataError(f"this repository holds something else than releases ({strange[0]})", where=hub.url, fix=fix)


def _find(
    hub: HubRepo, head: str, title: str, local: Mapping[str, _File], tree: Mapping[str, Any] | None = None
) -> str | None:
    """The commit that holds exactly the release: the head, or one below it that an earlier push made."""
    if _holds(hub.tree(head) if tree is None else tree, local):
        return head
    return next((commit for commit in hub.commits(title) if commit != head and _holds(hub.tree(commit), local)), None)


def _send(hub: HubRepo, plan: _Plan, private: bool, progress: Progress) -> str:
    """Make the commit, once. Returns its id."""
    head = plan.head
    if not plan.exists:
        hub.create(private)
    if head is None:
        state = hub.state()
        head = state.head if state is not None else None
    size = sum(plan.local[name].size for name in plan.files)
    progress(f"sending {len(plan.files)} files, {size:,} bytes", 0, 0)
    additions = {name: plan.local[name].path for name in plan.files}
    for wait in hub.waits:
        try:
            commit = hub.commit(plan.title, head, additions, plan.deleted)
            break
        except Exception as error:
            # Whatever the answer, the commit may have been made: look before sending again.
            commit = _sent(hub, plan, head) or ""
            if commit:
                break
            if hub.is_stale(error):
                raise DataError(
                    "somebody else pushed in between; nothing of this release was published",
                    where=hub.url,
                    fix="run the same command again",
                ) from error
            if wait is None or not hub.is_passing(error):
                raise hub.explain(error) from error
            hub.sleep(wait)
    if not _holds(hub.tree(commit), plan.local):
        raise PolyfactError(
            f"the commit {commit[:12]} does not hold what was sent, and was not tagged",
            where=hub.url,
            fix="look for a .gitignore in the repository",
        )
    return commit


def _sent(hub: HubRepo, plan: _Plan, parent: str | None) -> str | None:
    """The commit of the release, where one was made on top of ``parent``."""
    state = hub.state()
    if state is None or state.head is None or state.head == parent:
        return None
    return _find(hub, state.head, plan.title, plan.local)


def _tag(hub: HubRepo, tag: str, commit: str) -> None:
    """Tag the commit, and see that it is so: the answer to the request alone does not say it."""
    failure, found = "", None
    try:
        hub.tag(tag, commit)
    except PolyfactError as error:
        failure = f": {error.what}"
    try:
        for wait in hub.waits:
            found = hub.resolve(tag)
            if found or failure or wait is None:
                break
            hub.sleep(wait)
    except PolyfactError as error:
        failure = failure or f": {error.what}"
    if found == commit:
        return
    if found is not None:
        raise DataError(f"the tag {tag} was given to another commit, {found[:12]}", where=hub.url)
    raise PolyfactError(
        f"the files are published (commit {commit[:12]}), but the tag {tag} is not set{failure}",
        where=hub.url,
        fix="run the same command again: it only sets the tag",
    )
