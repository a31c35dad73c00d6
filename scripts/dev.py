"""What the Makefile calls: makes .venv, installs polyfact into it, runs one job there.

    python3 scripts/dev.py demo|test|lint|bench|example|resolve [ARGUMENTS...]

Standard library only, and a syntax that old interpreters can read far enough to be told that they are too old.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = Path(os.environ.get("POLYFACT_VENV") or ROOT / ".venv")
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "polyfact-installed.json"
INPUTS = ("pyproject.toml", "constraints.txt", "polyfact/__init__.py")
WHAT = {"demo": ["demo"], "test": ["all", "dev"]}


def stop(line: str) -> None:
    """Leave with one line."""
    sys.exit("polyfact: " + line)


def right_python() -> None:
    """Go on with Python 3.11 or later: this one, else one on the PATH."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(14, OLDEST[1] - 1, -1):
        other = shutil.which("python3.%d" % minor)
        test = "import sys; sys.exit(sys.version_info < (3, 11))"
        if other and subprocess.call([other, "-c", test], stderr=subprocess.DEVNULL) == 0:
            os.execv(other, [other, *sys.argv])
    found = ".".join(str(part) for part in sys.version_info[:2])
    stop("needs Python 3.11 or later; this is %s. Install one, then: make PYTHON=/path/to/python3" % found)


def fingerprint() -> str:
    """Changes when what is to be installed changes."""
    digest = hashlib.sha256(sys.version.encode())
    for name in INPUTS:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def installed() -> "dict[str, object]":
    """What the last finished installation left: its fingerprint and extras."""
    try:
        return dict(json.loads(STAMP.read_text()))
    except (OSError, ValueError):
        return {}


def download_note(target: str) -> str:
    """How much there is to download, from the head of constraints.txt."""
    found = re.findall(r"\b(\w+)=(\d+)", (ROOT / "constraints.txt").read_text().split("\n")[1])
    size = {part: int(amount) for part, amount in found}
    note = "up to %d MB of packages" % size[target]
    if os.environ.get("TORCH_INDEX"):
        return note + ", and PyTorch from TORCH_INDEX"
    note += ", and PyTorch"
    if sys.platform == "linux":
        cuda = size["torch"] + size["cuda"]
        note += " (%.1f GB with the CUDA libraries that its wheel on PyPI brings;" % (cuda / 1000)
        note += " from an index of CPU builds, TORCH_INDEX=URL, it is about 0.2 GB)"
    return note + ", less what pip has in its cache or finds nearer"


def create() -> None:
    """A new .venv; an old one of another Python, or a broken one, is made anew."""
    works = PYTHON.exists() and subprocess.call([str(PYTHON), "-c", "import pip"], stderr=subprocess.DEVNULL) == 0
    if works:
        probe = [str(PYTHON), "-c", "import sys; print(sys.version)"]
        works = subprocess.check_output(probe).decode().strip() == sys.version.strip()
    if works:
        return
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], stdout=subprocess.PIPE)
    if made.returncode:
        stop("cannot make %s; on Debian and Ubuntu the package python3-venv is needed" % VENV)


def install(target: str) -> None:
    """Install polyfact with the extras of ``target`` into .venv, unless that is done already."""
    mark, before = fingerprint(), installed()
    extras = before.get("extras") if before.get("fingerprint") == mark and PYTHON.exists() else None
    done = {str(extra) for extra in extras} if isinstance(extras, list) else set()
    wanted = set(WHAT[target])
    if wanted <= done or (target == "demo" and "all" in done):
        return
    print("polyfact: installing into %s: %s" % (VENV, download_note(target)), flush=True)
    create()
    if STAMP.exists():
        STAMP.unlink()
    asked = "%s[%s]" % (ROOT, ",".join(sorted(wanted | done)))
    pip = [str(PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input"]
    pip += ["-c", str(ROOT / "constraints.txt"), "-e", asked]
    if os.environ.get("TORCH_INDEX"):
        pip += ["--extra-index-url", os.environ["TORCH_INDEX"]]
    if subprocess.call(pip) and subprocess.call(pip):
        stop("pip failed twice; its own message is above. What is downloaded is kept: run the same command again")
    STAMP.write_text(json.dumps({"fingerprint": mark, "extras": sorted(wanted | done)}))


def run(*command: str, **more: str) -> int:
    """Run the interpreter of .venv in the project's folder."""
    environment = dict(os.environ, **more)
    environment["PATH"] = str(PYTHON.parent) + os.pathsep + environment.get("PATH", "")
    return subprocess.call([str(PYTHON), *command], cwd=str(ROOT), env=environment)


def demo(arguments: "list[str]") -> int:
    """The whole pipeline; leaves demo/report/index.html."""
    install("demo")
    return run("-m", "polyfact", "demo", *arguments)


def test(arguments: "list[str]") -> int:
    """All tests that this machine can run, on all its cores."""
    install("test")
    threads = os.environ.get("OMP_NUM_THREADS", "1")
    return run(
        "-m",
        "pytest",
        "-n",
        "auto",
        "--dist",
        "loadfile",
        "--durations=20",
        *arguments,
        OMP_NUM_THREADS=threads,
    )


def lint(arguments: "list[str]") -> int:
    """Format, rules, types, layers: what pre-commit runs too."""
    install("test")
    contract = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    checks = [["ruff", "format", "--check", "."], ["ruff", "check", ".", *arguments], ["mypy"]]
    results = [run("-m", *check) for check in checks]
    return max([*results, run("-c", contract, "--no-cache")])


def bench(arguments: "list[str]") -> int:
    """Speed, as ratios to a plain loop."""
    install("test")
    return run("-m", "benchmarks", *arguments)


def example(arguments: "list[str]") -> int:
    """Seven languages, eight topics, two versions, on a hub of its own; leaves example/report/index.html."""
    install("test")
    return run("-m", "scripts.example", *arguments)


def resolve(arguments: "list[str]") -> int:
    """Check that the pins resolve from wheels on every supported Python."""
    install("test")
    if run("-m", "pip", "install", "-qq", "--disable-pip-version-check", "uv"):
        return 1
    return run("-m", "scripts.constraints", *(arguments or ["--check"]))


JOBS = {"demo": demo, "test": test, "lint": lint, "bench": bench, "example": example, "resolve": resolve}


def main() -> None:
    """Run the job that the first argument names."""
    if len(sys.argv) < 2 or sys.argv[1] not in JOBS:
        stop("say one of: " + ", ".join(JOBS))
    right_python()
    try:
        code = JOBS[sys.argv[1]](sys.argv[2:])
        sys.exit(128 - code if code < 0 else code)  # a signal, as a shell would say it
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
