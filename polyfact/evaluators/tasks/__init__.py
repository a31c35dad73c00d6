"""Tasks: declared, not programmed."""

from __future__ import annotations

from polyfact.errors import UsageError, nearest
from polyfact.evaluators.tasks._task import RankingTask, Scoring

__all__ = ["TASKS", "RankingTask", "Scoring", "find_task"]

fiber = RankingTask(
    name="fiber",
    aligned_forms={"completion_suffixed": "completion"},
    top=(1, 3, 5, 10, 20),
    scoring=Scoring(normalise="sum", bos="tokenizer", temperature=1.0, ties="expected"),
)

TASKS = {task.name: task for task in (fiber,)}


def find_task(name: str) -> RankingTask:
    """The task of that name. Raises UsageError with the nearest known name."""
    if name not in TASKS:
        raise UsageError(f'unknown task "{name}"', fix=nearest(name, TASKS))
    return TASKS[name]
