"""The command line. Each command is a few lines that call one public function."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from polyfact import __version__
from polyfact._terminal import explain, print_json, progress, table
from polyfact.errors import PolyfactError, UsageError

__all__ = ["app", "main"]

app = typer.Typer(
    name="polyfact",
    help="Build, release, evaluate and report multilingual factual benchmarks. Start with: polyfact demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for machines.")]
Folder = Annotated[Path, typer.Option("--dir", "-C", help="The benchmark's folder.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"polyfact {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback when something fails.")] = False,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,  # noqa: ARG001
) -> None:
    _state["debug"] = debug


_state: dict[str, bool] = {"debug": False}


@app.command()
def demo(
    out: Annotated[Path, typer.Option("--out", help="Where the demo's benchmark is made.")] = Path("demo"),
    model: Annotated[str, typer.Option("--model", help="A path, a hub id, smollm2, or none.")] = "smollm2",
    json: Json = False,
) -> None:
    """The whole pipeline, offline, on the embedded knowledge base and a small real model.

    Example: polyfact demo --out demo
    """
    from polyfact._demo import run_demo

    with progress(silent=json) as report:
        result = run_demo(out, model=model, progress=report)
    if json:
        print_json(result)
        return
    print(table(["model", "MAP", "low", "high", "prior", "chance", "n"], result["summary"]))
    print(f"\nReport: {result['report']}\nRelease: {result['release']}")


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The new benchmark's folder.")],
    language: Annotated[list[str] | None, typer.Option("--language", "-l", help="May be repeated.")] = None,
    json: Json = False,
) -> None:
    """A new benchmark with a commented recipe.

    Example: polyfact init my-benchmark -l en -l hi
    """
    import re

    from polyfact import _template, languages, workspace

    codes = list(dict.fromkeys(language or ["en", "it", "tr", "hi"]))
    for code in codes:
        languages.load(code)
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-")[:60].strip("-") or "my-benchmark"
    made = workspace.create(folder, _template.recipe(name, languages=codes, as_of=datetime.date.today()))
    if json:
        print_json({"folder": str(made.root)})
    else:
        print(f"{made.root / workspace.FILE_NAME}\nNext: polyfact build --dir {folder}")


@app.command()
def build(
    folder: Folder = Path(),
    stage: Annotated[
        list[str] | None, typer.Option("--stage", help="facts, drafts or items; all when not given.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and check the recipe, write nothing.")] = False,
    json: Json = False,
) -> None:
    """Facts, drafts and items from the recipe; says what was planned, written and dropped.

    Example: polyfact build --dir my-benchmark
    """
    from polyfact import builders

    with progress(silent=json) as report:
        result = builders.build(folder, stages=stage or builders.STAGES, progress=report, dry_run=dry_run)
    if json:
        print_json({"stages": [vars(each) for each in result.stages], "forms_to_review": result.to_review})
        return
    if dry_run:
        print("The recipe is in order.")
        return
    rows = [
        [each.stage, each.planned, each.written, sum(each.dropped.values()), _reasons(each)] for each in result.stages
    ]
    print(table(["stage", "planned", "written", "dropped", "why"], rows))
    if result.to_review:
        print(f"\n{result.to_review} items hold forms that no native speaker has seen yet.")


@app.command("import")
def import_(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="fiber.")],
    source: Annotated[Path, typer.Argument(metavar="SRC", help="The folder of the published files.")],
    out: Annotated[Path, typer.Option("--out", help="The new folder; it must not be there yet.")],
    json: Json = False,
) -> None:
    """A published benchmark as a folder that evaluate reads; says what was read and what is odd about it.

    Example: polyfact import fiber FIBER/data --out fiber
    """
    from polyfact import builders

    with progress(silent=json) as show:
        result = builders.import_dataset(kind, source, out, progress=show)
    if json:
        print_json({"folder": str(result.folder), **result.summary()})
        return
    print(table(*result.table()))
    if result.defects:
        print("\n" + table(["odd, kept as it is", "n", "such as"], [[d.kind, d.n, d.example] for d in result.defects]))
    print(f"\n{result.outcome}\n{result.folder}")


def _reasons(stage: Any) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in stage.dropped.items())


@app.command()
def evaluate(
    model: Annotated[str, typer.Option("--model", "-m", help="A path, a hub id, smollm2, oracle, random or empty.")],
    data: Annotated[
        str, typer.Option("--data", "-d", help="A benchmark's folder, a release, or hub:org/name@version.")
    ] = ".",
    engine: Annotated[str, typer.Option("--engine", help="hf.")] = "hf",
    task: Annotated[
        str, typer.Option("--task", help="fiber; fiber-2025-12: the published script, faults included.")
    ] = "fiber",
    out: Annotated[
        Path | None, typer.Option("--out", help="Where runs go; DATA/runs when not given, ./runs for data from the hub.")
    ] = None,
    language: Annotated[list[str] | None, typer.Option("--language", "-l", help="Only these languages.")] = None,
    topic: Annotated[list[str] | None, typer.Option("--topic", "-t", help="Only these topics.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many subjects of each cell.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the intervals and the random model.")] = 0,
    json: Json = False,
) -> None:
    """Rank every question's candidates with a model; scores, metrics and the run's record go to a folder of their own.

    Example: polyfact evaluate --data my-benchmark --model smollm2
    """
    from polyfact import evaluators, report

    with progress(silent=json) as show:
        run = evaluators.evaluate(
            data,
            model,
            engine=engine,
            task=task,
            out=out,
            languages=language,
            topics=topic,
            limit=limit,
            seed=seed,
            progress=show,
        )
    folder = evaluators.run_folder(run, data, out)
    if json:
        print_json({"run": str(folder), "summary": report.summary([folder])})
        return
    headers = ["model", "MAP", "low", "high", "prior", "chance", "n"]
    print(table(headers, [list(row.values()) for row in report.summary([folder])]))
    print(f"\nRun: {folder}")


release_app = typer.Typer(
    help="Dataset versions: build, verify, diff, push.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(release_app, name="release")


@release_app.command("build")
def release_build(
    folder: Folder = Path(),
    version: Annotated[str | None, typer.Option("--version", help="The recipe's when not given.")] = None,
    unaudited: Annotated[bool, typer.Option("--unaudited", help="Publish without an audit; the card says so.")] = False,
    json: Json = False,
) -> None:
    """A dataset version: JSONL and Parquet, card, manifest, changelog.

    Example: polyfact release build --dir my-benchmark --unaudited
    """
    from polyfact._release import build_release

    made = build_release(folder, version=version, unaudited=unaudited)
    if json:
        print_json({"release": str(made.folder), "items": made.items, "files": made.files})
    else:
        print(f"{made.folder}\n{made.items} items, {made.files} files")


@release_app.command("verify")
def release_verify(
    folder: Annotated[Path, typer.Argument(metavar="RELEASE", help="A release's folder.")], json: Json = False
) -> None:
    """Compare every file of a release with its manifest; exit 1 when something differs.

    Example: polyfact release verify my-benchmark/releases/0.1.0
    """
    from polyfact import release

    problems = [str(problem) for problem in release.verify(folder)]
    if json:
        print_json({"problems": problems})
    else:
        print("\n".join(problems) or "Every file is as the manifest says.")
    if problems:
        raise typer.Exit(1)


@release_app.command("diff")
def release_diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The folder of a release.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The folder of a later one.")],
    json: Json = False,
) -> None:
    """What changed between two versions; exit 1 when the version's number is too low for it.

    Example: polyfact release diff my-benchmark/releases/0.1.0 my-benchmark/releases/0.2.0
    """
    from polyfact import release

    found = release.diff(old, new)
    changes = vars(found.difference)
    if json:
        print_json({**vars(found), "difference": changes, "step": found.difference.step, "problem": found.problem})
    else:
        rows = [[what, len(ids), ", ".join(ids[:3]) + (" …" if len(ids) > 3 else "")] for what, ids in changes.items()]
        print(table(["items", "n", "such as"], rows))
        enough = f"{found.old} to {found.new} is enough: a {found.difference.step} step is needed"
        print(f"\n{found.problem or enough}")
    if found.problem:
        raise typer.Exit(1)


@release_app.command("push")
def release_push(
    release: Annotated[
        str | None, typer.Argument(metavar="[VERSION|FOLDER]", help="The recipe's version when not given.")
    ] = None,
    folder: Folder = Path(),
    repo: Annotated[str | None, typer.Option("--repo", help="org/name on the hub; the recipe's when not given.")] = None,
    private: Annotated[bool, typer.Option("--private", help="A new repository is private.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be sent, send nothing.")] = False,
    json: Json = False,
) -> None:
    """Publish a release on the Hugging Face Hub: one commit, and a tag with its version. Needs HF_TOKEN.

    Example: polyfact release push 0.1.0 --dir my-benchmark --repo org/name --dry-run
    """
    from polyfact._release import push_release

    with progress(silent=json) as show:
        pushed = push_release(folder, release, repo=repo, private=private, dry_run=dry_run, progress=show)
    if json:
        print_json({**vars(pushed), "bytes": pushed.bytes})
        return
    if dry_run:
        rows: list[list[object]] = [[name, size] for name, size in pushed.files.items()]
        rows += [[name, "delete"] for name in pushed.deleted]
        print(table(["file", "bytes"], rows), end="\n\n")
    print(_pushed(pushed))


def _pushed(pushed: Any) -> str:
    head = f"head {pushed.head[:12]}" if pushed.head else "a new repository" if pushed.created else "no commits yet"
    files = f"{len(pushed.files)} files, {pushed.bytes:,} bytes, {len(pushed.deleted)} deleted"
    if not pushed.sent:
        files = f"The files are there already (commit {pushed.commit[:12]})"
    if pushed.dry_run:
        return f"{pushed.url} ({head})\n{files}, tag {pushed.tag}. Nothing was sent."
    return f"{pushed.url}/tree/{pushed.tag}\n{files}, tag {pushed.tag}, commit {pushed.commit[:12]}"


@app.command()
def report(
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="[RUN]...", help="Folders of runs; all of DIR when none.")
    ] = None,
    folder: Folder = Path(),
    out: Annotated[Path | None, typer.Option("--out", help="The page; DIR/report/index.html when not given.")] = None,
    json: Json = False,
) -> None:
    """One self-contained HTML page from stored runs.

    Example: polyfact report --dir my-benchmark
    """
    from polyfact import report as reports

    found = runs or sorted(path.parent for path in (folder / "runs").glob("*/*/metrics.json"))
    if not found:
        raise UsageError("no runs here", where=str(folder), fix="run: polyfact evaluate --model MODEL")
    page = reports.write(found, out or folder / "report" / "index.html")
    if json:
        print_json({"report": str(page), "runs": [str(run) for run in found]})
    else:
        print(page)


@app.command()
def doctor(json: Json = False) -> None:
    """What is installed, reachable and configured, and what to do about what is not.

    Example: polyfact doctor
    """
    from polyfact._doctor import examine

    findings = examine()
    if json:
        print_json({"findings": [finding._asdict() for finding in findings]})
    else:
        print(table(["part", "state", "what to do"], [[f.part, f.state, f.advice] for f in findings]))
    if any(finding.needed and not finding.ok for finding in findings):
        raise typer.Exit(1)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code: 0 ok, 1 findings, 2 usage, 3 failed, 130 interrupted."""
    _state["debug"] = False
    try:
        code = app(arguments, standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except (KeyboardInterrupt, typer.Abort):
        print("polyfact: interrupted; run the same command again to go on", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        sys.exit(_failed(error))


def _failed(error: Exception) -> int:
    show = getattr(error, "format_message", None)
    if show is not None:
        print(f"polyfact: {show()} (see: polyfact --help)", file=sys.stderr)
        return int(getattr(error, "exit_code", 2))
    explain(error, debug=_state["debug"])
    return error.exit_code if isinstance(error, PolyfactError) else 3
