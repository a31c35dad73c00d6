"""polyfact release build and push: what the recipe says, handed to the release stage."""

from __future__ import annotations

from pathlib import Path

from polyfact import languages, release, topics
from polyfact.errors import UsageError, nearest
from polyfact.execution import Progress, quiet
from polyfact.workspace import FILE_NAME, Workspace, read_recipe

__all__ = ["build_release", "push_release"]


def build_release(folder: Path, *, version: str | None = None, unaudited: bool = False) -> release.ReleaseReport:
    """Release the workspace at ``folder`` under the recipe's version, or another one.

    The language and topic files that the items were made with travel along.
    """
    space = Workspace(folder)
    recipe = space.recipe
    return release.build(
        space.root,
        version=version or recipe.version,
        name=recipe.name,
        licence=recipe.licence,
        contact=recipe.contact,
        unaudited=unaudited,
        languages_used={code: Path(languages.load(code, space.language_dirs).source) for code in recipe.languages},
        topics_used={use.use: topics.load(use.use, space.topic_dirs).path for use in recipe.topics},
    )


def push_release(
    folder: Path,
    version_or_folder: str | None = None,
    *,
    repo: str | None = None,
    private: bool = False,
    dry_run: bool = False,
    progress: Progress = quiet,
) -> release.Pushed:
    """Publish a release of the workspace at ``folder``, or one in a folder of its own.

    version_or_folder: the recipe's version when not given. repo: the recipe's when not given.
    Raises UsageError when there is no such release, or no repository to publish it in.
    """
    found = _release_folder(folder, version_or_folder)
    if not repo:
        made_in = found.resolve().parent.parent
        home = made_in if (made_in / FILE_NAME).is_file() else folder
        repo = read_recipe(home).release.repo
        if not repo:
            raise UsageError(
                "no repository to push to",
                where=str(home / FILE_NAME),
                fix='set repo = "org/name" under [release], or pass --repo org/name',
            )
    return release.push(found, repo, private=private, dry_run=dry_run, progress=progress)


def _release_folder(folder: Path, version_or_folder: str | None) -> Path:
    wanted = version_or_folder or read_recipe(folder).version
    for path in (folder / "releases" / wanted, Path(wanted)):
        if (path / "manifest.json").is_file():
            return path
    known = sorted(path.parent.name for path in (folder / "releases").glob("*/manifest.json"))
    raise UsageError(
        f'no release "{wanted}"',
        where=str(folder / "releases"),
        fix=nearest(wanted, known) or "run: polyfact release build",
    )
