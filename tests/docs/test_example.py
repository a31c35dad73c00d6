"""The example with seven languages, small and with reference models alone: published twice, loaded back, reported."""

import json
import subprocess
from pathlib import Path

from tests.support.hub import beside, serve

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_publishes_two_versions(tmp_path):
    work = tmp_path / "work"
    with serve() as hub:
        environment = {**beside(hub, tmp_path / "home"), "REPO": "example/seven", "MODELS": "", "SUBJECTS": "3"}
        script = [str(ROOT / "examples/seven-languages/run.sh"), str(work)]
        done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "every value equal" in done.stdout
    page = (work / "report/index.html").read_text(encoding="utf-8")
    for language in ("Odia", "Marathi", "Gujarati", "Hindi", "Turkish", "Italian", "English"):
        assert language in page
    manifests = [json.loads((work / f"releases/{v}/manifest.json").read_text()) for v in ("0.1.0", "0.2.0")]
    topics = [{path.split("/")[1] for path in manifest["counts"]["data"]} for manifest in manifests]
    assert (len(topics[0]), topics[1] - topics[0]) == (8, {"country-codes"})
    languages = {path.split("/")[2] for path in manifests[0]["counts"]["data"]}
    assert languages == {"en", "it", "tr", "hi", "gu", "mr", "or"}
