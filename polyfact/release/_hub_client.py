"""One dataset repository on the Hugging Face Hub: the few calls that a push needs, tried again, with clear errors."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from polyfact.errors import MissingExtra, PolyfactError, UsageError
from polyfact.release._manifest import _NOT_OURS

__all__ = ["HubRepo", "State"]

T = TypeVar("T")

MAIN = "main"
ATTEMPTS = 4
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
STALE = frozenset({409, 412})
AGAIN = "run the same command again later: it looks first, and sends nothing twice"


class State(NamedTuple):
    """head: the commit of the main branch; None in a repository without commits. tags: their names."""

    head: str | None
    tags: frozenset[str]


class HubRepo:
    """A dataset repository, spoken to through huggingface_hub, with a token of its own.

    Every call raises PolyfactError with one clear line; the token stands in none of them. Large files go the
    way that huggingface_hub takes: Xet where it is installed, large file storage with HF_HUB_DISABLE_XET=1.
    """

    def __init__(self, repo: str, token: str | None, endpoint: str | None, backoff: float) -> None:
        try:
            import httpx2
            import huggingface_hub.errors
            import huggingface_hub.hf_api
            import huggingface_hub.utils
        except ImportError as error:
            raise MissingExtra("release", "huggingface_hub 2") from error
        self._hub, self._errors = huggingface_hub, huggingface_hub.errors
        self._transport_error = httpx2.TransportError
        self._token = _clean(token)
        self._api = huggingface_hub.HfApi(endpoint=endpoint, token=self._token or False)
        self._of: dict[str, Any] = {"repo_id": _repo_id(repo), "repo_type": "dataset"}
        self.url = f"{self._api.endpoint}/datasets/{repo}"
        self.waits = [*(backoff * 2**n for n in range(ATTEMPTS - 1)), None]
        """Seconds to wait after each attempt that failed; None after the last."""

    @property
    def has_token(self) -> bool:
        """Whether there is any."""
        return bool(self._token)

    def sleep(self, seconds: float) -> None:
        """Wait before a new attempt."""
        time.sleep(seconds)

    @contextlib.contextmanager
    def silenced(self) -> Iterator[None]:
        """Keep the library's own bars and warnings from the terminal."""
        utils = self._hub.utils
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

    def state(self) -> State | None:
        """Head and tags; None when there is no such repository, or none to be seen without a token."""

        def look() -> Any:
            try:
                return self._api.list_repo_refs(**self._of)
            except self._errors.GatedRepoError:
                raise
            except self._errors.RepositoryNotFoundError as error:
                if self.has_token and self._status(error) == 401:
                    raise
                return None

        refs = self._call(look)
        if refs is None:
            return None
        head = next((branch.target_commit for branch in refs.branches if branch.name == MAIN), None)
        return State(head, frozenset(tag.name for tag in refs.tags))

    def is_private(self) -> bool:
        """Whether others cannot see it."""
        return bool(self._call(lambda: self._api.dataset_info(self._of["repo_id"])).private)

    def resolve(self, revision: str) -> str | None:
        """The commit of a tag or branch; None when there is none."""

        def look() -> str | None:
            try:
                return str(self._api.dataset_info(self._of["repo_id"], revision=revision).sha)
            except self._errors.RevisionNotFoundError:
                return None

        return self._call(look)

    def tree(self, commit: str) -> dict[str, Any]:
        """The files of a commit by path, without those that belong to the hub itself (.gitattributes)."""
        found = self._call(lambda: list(self._api.list_repo_tree(**self._of, revision=commit, recursive=True)))
        files = (entry for entry in found if isinstance(entry, self._hub.hf_api.RepoFile))
        return {file.path: file for file in files if not _NOT_OURS.fullmatch(file.path)}

    def commits(self, title: str) -> list[str]:
        """The commits of the main branch with this title, newest first."""
        found = self._call(lambda: self._api.list_repo_commits(**self._of, revision=MAIN))
        return [commit.commit_id for commit in found if commit.title == title]

    def read(self, path: str, commit: str) -> bytes:
        """The content of a small file."""
        with tempfile.TemporaryDirectory() as cache:
            download = self._api.hf_hub_download
            return Path(
                self._call(lambda: download(**self._of, filename=path, revision=commit, cache_dir=cache))
            ).read_bytes()

    def create(self, private: bool) -> None:
        """Make the repository; it may be there already. Where not private, the organisation's default counts."""
        self._call(lambda: self._api.create_repo(**self._of, private=private or None, exist_ok=True))

    def commit(self, title: str, parent: str | None, additions: Mapping[str, Path], deleted: Sequence[str]) -> str:
        """Send files and make one commit of them, without a second attempt. Returns its id; raises what comes."""
        add, delete = self._hub.CommitOperationAdd, self._hub.CommitOperationDelete
        operations = [
            *(delete(path_in_repo=name, is_folder=False) for name in deleted),
            *(add(path_in_repo=name, path_or_fileobj=str(path)) for name, path in additions.items()),
        ]
        made = self._api.create_commit(
            **self._of, operations=operations, commit_message=title, parent_commit=parent, revision=MAIN
        )
        return str(made.oid)

    def tag(self, tag: str, commit: str) -> None:
        """Tag a commit; a tag that is there already is left alone."""
        self._call(lambda: self._api.create_tag(**self._of, tag=tag, revision=commit, exist_ok=True))

    def is_passing(self, error: Exception) -> bool:
        """Whether the same request may do better in a moment."""
        cause = self._cause(error)
        return isinstance(cause, (self._transport_error, json.JSONDecodeError)) or self._status(cause) in PASSING

    def is_stale(self, error: Exception) -> bool:
        """Whether a commit was refused because the head is not its parent any more."""
        return self._status(self._cause(error)) in STALE

    def explain(self, error: Exception) -> PolyfactError:
        """What to tell about an error of the library."""
        if isinstance(error, PolyfactError):
            return error
        cause = self._cause(error)
        status = self._status(cause)
        if isinstance(cause, self._errors.OfflineModeIsEnabled):
            return UsageError("the hub is not asked: HF_HUB_OFFLINE is set", where=self.url, fix="unset HF_HUB_OFFLINE")
        if status == 401:
            fix = "set HF_TOKEN to a valid token with write access"
            return UsageError(
                "the hub does not accept this token" if self.has_token else "the hub wants a token",
                where=self.url,
                fix=fix,
            )
        if status == 403:
            fix = f"set HF_TOKEN to a token that may write to {self._of['repo_id']}"
            return UsageError("this token has no permission here", where=self.url, fix=fix)
        if status == 429:
            return PolyfactError("the hub has had too many requests", where=self.url, fix=AGAIN)
        if status in PASSING or isinstance(cause, json.JSONDecodeError):
            answer = f"answers {status}" if status else "answers with something else than JSON"
            return PolyfactError(f"the hub {answer}", where=self.url, fix=AGAIN)
        if isinstance(cause, self._transport_error):
            return PolyfactError(f"the hub does not answer ({type(cause).__name__})", where=self.url, fix=AGAIN)
        if isinstance(cause, ConnectionError):
            # Xet's client, which has made new attempts of its own.
            fix = f"{AGAIN}; HF_HUB_DISABLE_XET=1 uploads without Xet"
            return PolyfactError(f"the upload failed: {self._one_line(str(cause))}", where=self.url, fix=fix)
        said = getattr(cause, "server_message", None) or f"{type(cause).__name__}: {cause}"
        return PolyfactError(f"the hub refused: {self._one_line(said)}", where=self.url)

    def _one_line(self, text: str) -> str:
        line = next((line.strip() for line in text.splitlines() if line.strip()), "")[:200]
        return line.replace(self._token, "…") if self._token else line

    def _cause(self, error: BaseException) -> BaseException:
        """The request that failed: the library wraps those of its threads and of its cache."""
        found: BaseException | None = error
        known = (self._errors.HfHubHTTPError, self._errors.OfflineModeIsEnabled, self._transport_error)
        while found is not None:
            if isinstance(found, known):
                return found
            found = found.__cause__
        return error

    def _status(self, error: BaseException) -> int | None:
        return error.response.status_code if isinstance(error, self._errors.HfHubHTTPError) else None

    def _call(self, what: Callable[[], T]) -> T:
        """Do it, again while the hub is away for a moment."""
        for wait in self.waits:
            try:
                return what()
            except Exception as error:
                if wait is None or not self.is_passing(error):
                    raise self.explain(error) from error
                self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")


def _clean(token: str | None) -> str:
    """The token without blanks around it; not shown where it cannot be one, as an HTTP library would."""
    text = (os.environ.get("HF_TOKEN", "") if token is None else token).strip()
    if not re.fullmatch(r"[!-~]*", text):
        raise UsageError("the token holds characters that no token has", fix="set HF_TOKEN again")
    return text


def _repo_id(repo: str) -> str:
    from huggingface_hub.utils import HFValidationError, validate_repo_id

    fix = "write it as org/name"
    try:
        validate_repo_id(repo)
    except HFValidationError as error:
        raise UsageError(f'"{repo}" cannot be a repository on the hub', fix=fix) from error
    if "/" not in repo:
        raise UsageError(f'"{repo}" names no owner', fix=fix)
    return repo
