#!/usr/bin/env bash
# Seven languages, eight topics, two versions: built, published, loaded back, evaluated, reported.
#
#   HF_TOKEN=... REPO=org/name ./run.sh FOLDER
#
# REPO: the dataset's name on the Hub, or on the hub that HF_ENDPOINT names. MODELS: what is evaluated beside the
# reference models. SUBJECTS: of each topic.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${1:?usage: run.sh FOLDER}
: "${REPO:?say REPO=org/name}" "${MODELS=smollm2}" "${SUBJECTS=10}"
mkdir -p "$work"
cd "$work"

echo "== build"
sed "s/max_subjects = .*/max_subjects = $SUBJECTS/" "$here/benchmark.toml" > benchmark.toml
polyfact build

echo "== release 0.1.0 and publish it"
polyfact release build --unaudited
polyfact release verify releases/0.1.0
polyfact release push 0.1.0 --repo "$REPO" --dry-run
polyfact release push 0.1.0 --repo "$REPO"

echo "== load it back by its version"
python - "$REPO" <<'PYTHON'
import json
import sys
from pathlib import Path

from datasets import load_dataset

published = load_dataset(sys.argv[1], "all", revision="0.1.0", split="test")
lines = [json.loads(line) for path in sorted(Path("releases/0.1.0/data").rglob("*.jsonl")) for line in path.open()]
by_id = {row["id"]: row for row in published}
assert len(by_id) == len(lines) and all(by_id[line["id"]] == line for line in lines)
print(f"{len(by_id)} items, every value equal")
PYTHON

echo "== evaluate what is published"
for model in oracle random empty $MODELS; do
  polyfact evaluate --data "hub:$REPO@0.1.0" --model "$model" --out runs
done
polyfact report

echo "== 0.2.0: one more topic"
mkdir -p topics
cp "$here/country_codes.toml" topics/
sed 's/^version = .*/version = "0.2.0"/' benchmark.toml > next.toml
mv next.toml benchmark.toml
printf '\n[[topics]]\nuse = "country-codes"\nmax_subjects = %s\n' "$SUBJECTS" >> benchmark.toml
polyfact build
polyfact release build --unaudited
polyfact release push 0.2.0 --repo "$REPO"
head -n 20 releases/0.2.0/CHANGELOG.md
