"""Evaluation: engines, ranking, metrics, tasks."""

from polyfact.evaluators._data import Benchmark, load
from polyfact.evaluators._evaluate import ENGINES, evaluate, run_folder, score_again

__all__ = ["ENGINES", "Benchmark", "evaluate", "load", "run_folder", "score_again"]
