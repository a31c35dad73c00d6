"""Dataset versions: typed files that load back as they were, a card, a manifest, a changelog."""

from polyfact.release._build import ReleaseReport, build
from polyfact.release._card import config_name
from polyfact.release._diff import Difference, ReleaseDiff, compare, diff
from polyfact.release._hub import Pushed, push
from polyfact.release._manifest import verify
from polyfact.release._yaml import Card, read_card

__all__ = [
    "Card",
    "Difference",
    "Pushed",
    "ReleaseDiff",
    "ReleaseReport",
    "build",
    "compare",
    "config_name",
    "diff",
    "push",
    "read_card",
    "verify",
]
