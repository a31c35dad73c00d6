"""Tasks: declared, not programmed."""

from __future__ import annotations

from dataclasses import replace

from polyfact.errors import UsageError, nearest
from polyfact.evaluators.tasks._task import RankingTask, Scoring

__all__ = ["TASKS", "RankingTask", "Scoring", "find_task"]

fiber = RankingTask(
    name="fiber",
    aligned_forms={"completion_suffixed": "completion"},
    top=(1, 3, 5, 10, 20),
    scoring=Scoring(normalise="sum", bos="tokenizer", temperature=1.0, ties="expected"),
)

# The script that was published with FIBER, faults included, so that the difference can be shown (METRICS §1): the last
# character of every candidate is cut off, no BOS, logits divided by 0.1, prompt and candidate tokenised apart. Its order
# of ties was that of a Python set; here it is that of the candidates' text.
fiber_2025_12 = replace(
    fiber,
    name="fiber-2025-12",
    scoring=Scoring(bos="none", temperature=0.1, ties="listed", joined=False, cut=1),
)

TASKS = {task.name: task for task in (fiber, fiber_2025_12)}


def find_task(name: str) -> RankingTask:
    """The task of that name. Raises UsageError with the nearest known name."""
    if name not in TASKS:
        raise UsageError(f'unknown task "{name}"', fix=nearest(name, TASKS))
    return TASKS[name]
