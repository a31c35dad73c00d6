"""Write constraints.txt, or check it: one resolution for each supported Python, from wheels alone.

    pip install uv
    python scripts/constraints.py            rewrite constraints.txt; a pin that still fits is kept
    python scripts/constraints.py --upgrade  the same, with the newest packages
    python scripts/constraints.py --check    what is pinned resolves on every Python and platform below

A package that needs another version on some Pythons stands there once for each, with its marker. The first lines say
how much there is to download; scripts/dev.py shows it before it starts.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LINUX = "x86_64-manylinux_2_28"
PLATFORMS = (LINUX, "aarch64-apple-darwin")
MACOS = "14.0"  # torch has no wheel for an older one
EXTRAS = {"demo": ("demo",), "test": ("all", "dev")}
TORCH = "torch==2.13.0"
CUDA = re.compile(r"nvidia-|cuda-|triton$")
HEADER = """\
# Pins everything that `make` installs. Written by scripts/constraints.py; checked by `make resolve`.
# Linux on x86-64 downloads, in MB (scripts/dev.py reads this line): {sizes}
"""


class NoResolutionError(Exception):
    """The resolver's own words."""


def resolve(python: str, platform: str, extras: Iterable[str], out: Path, *options: str) -> None:
    """Resolve pyproject.toml's extras into ``out``; its suffix says the format (.txt or .toml)."""
    asked = [word for extra in extras for word in ("--extra", extra)]
    kind = "pylock.toml" if out.suffix == ".toml" else "requirements.txt"
    target = ["--python-version", python, "--python-platform", platform, "--only-binary", ":all:"]
    command = [
        "uv",
        "pip",
        "compile",
        str(ROOT / "pyproject.toml"),
        *asked,
        *target,
        "--format",
        kind,
        "-o",
        str(out),
    ]
    command += ["--quiet", "--no-header", "--no-annotate", *options]
    environment = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": MACOS}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise NoResolutionError(f"Python {python}, {platform}:\n{done.stderr.strip()}")


def pins(text: str) -> dict[str, str]:
    r"""The version of each package in a resolution.

    >>> pins("numpy==2.2.6\n# via\ntorch==2.13.0 ; sys_platform == 'linux'")
    {'numpy': '2.2.6', 'torch': '2.13.0'}
    """
    found = re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE)
    return {name.lower().replace("_", "-"): version for name, version in found}


def merged(resolutions: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Constraint lines that hold for every Python; a version that not all share gets a marker for those that do.

    >>> merged({"3.13": {"a": "1", "b": "1"}, "3.14": {"a": "1", "b": "2", "c": "1"}})
    ['a==1', "b==1; python_version < '3.14'", "b==2; python_version >= '3.14'", 'c==1']
    """
    users: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for python, resolution in resolutions.items():
        for name, version in resolution.items():
            users[name][version].append(python)
    pythons = list(resolutions)
    lines = []
    for name, versions in sorted(users.items()):
        for version, served in versions.items():
            marker = "" if len(versions) == 1 else f"; {_marker(pythons, served)}"
            lines.append(f"{name}=={version}{marker}")
    return lines


def _marker(pythons: Sequence[str], served: Sequence[str]) -> str:
    first, after = served[0], pythons.index(served[-1]) + 1
    if list(served) != list(pythons[pythons.index(first) : after]):
        raise ValueError(f"not neighbours: {served}")
    parts = [] if first == pythons[0] else [f"python_version >= '{first}'"]
    parts += [] if after == len(pythons) else [f"python_version < '{pythons[after]}'"]
    return " and ".join(parts)


def megabytes(lock: Mapping[str, list[dict[str, object]]]) -> dict[str, int]:
    """Sizes of a pylock's wheels in MB: everything else, torch, and the CUDA libraries that its default wheel brings."""
    total = {"others": 0, "torch": 0, "cuda": 0}
    for package in lock["packages"]:
        wheels = package.get("wheels")
        assert isinstance(wheels, list), package["name"]
        name = str(package["name"])
        part = "torch" if name == "torch" else "cuda" if CUDA.match(name) else "others"
        total[part] += min(int(wheel["size"]) for wheel in wheels)
    return {part: round(size / 1e6) for part, size in total.items()}


def write(*, upgrade: bool) -> None:
    """Resolve again on Linux for every Python, and rewrite constraints.txt."""
    resolutions, sizes = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder, "asked.txt")
        asked.write_text(TORCH + "\n", encoding="utf-8")
        for python in PYTHONS:
            out = Path(folder, f"{python}.txt")
            if not upgrade and CONSTRAINTS.exists():
                out.write_text(CONSTRAINTS.read_text(encoding="utf-8"), encoding="utf-8")
            resolve(python, LINUX, EXTRAS["test"], out, "-c", str(asked))
            resolutions[python] = pins(out.read_text(encoding="utf-8"))
        for target, extras in EXTRAS.items():
            lock = Path(folder, f"pylock.{target}.toml")
            resolve(PYTHONS[0], LINUX, extras, lock, "-c", str(Path(folder, f"{PYTHONS[0]}.txt")))
            sizes[target] = megabytes(tomllib.loads(lock.read_text(encoding="utf-8")))
    said = {target: size["others"] for target, size in sizes.items()}
    said |= {"torch": sizes["demo"]["torch"], "cuda": sizes["demo"]["cuda"]}
    header = HEADER.format(sizes=" ".join(f"{part}={size}" for part, size in said.items()))
    CONSTRAINTS.write_text(header + "".join(f"{line}\n" for line in merged(resolutions)), encoding="utf-8")
    print(f"{CONSTRAINTS.name}: {said}")


def check() -> None:
    """Every Python and platform finds wheels for what is pinned, and nothing but what is pinned."""
    with tempfile.TemporaryDirectory() as folder:
        for python in PYTHONS:
            for platform in PLATFORMS:
                out = Path(folder, f"{python}-{platform}.txt")
                resolve(python, platform, EXTRAS["test"], out, "-c", str(CONSTRAINTS))
                found = pins(out.read_text(encoding="utf-8"))
                loose = sorted(set(found) - set(pins(CONSTRAINTS.read_text(encoding="utf-8"))))
                if loose:
                    raise NoResolutionError(f"Python {python}, {platform}: not pinned: {', '.join(loose)}")
                print(f"Python {python} on {platform}: {len(found)} packages, wheels only")


def main() -> None:
    """See the module's own words."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when something has no wheel")
    parser.add_argument("--upgrade", action="store_true", help="forget the present pins")
    options = parser.parse_args()
    try:
        check() if options.check else write(upgrade=options.upgrade)
    except FileNotFoundError:
        sys.exit("constraints: uv is not installed (pip install uv)")
    except NoResolutionError as error:
        sys.exit(f"constraints: {error}")


if __name__ == "__main__":
    main()
