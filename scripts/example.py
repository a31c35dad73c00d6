"""Run examples/seven-languages against a hub on loopback that lives as long as the script."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.hub import beside, serve

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """The folder to work in is the first argument, example/ when there is none."""
    work = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "example").resolve()
    with serve() as hub:
        environment = {**beside(hub, work / ".hub-cache"), "REPO": os.environ.get("REPO", "example/seven-languages")}
        return subprocess.call([str(ROOT / "examples/seven-languages/run.sh"), str(work)], env=environment)


if __name__ == "__main__":
    sys.exit(main())
