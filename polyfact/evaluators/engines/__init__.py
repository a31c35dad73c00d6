"""Engines: what runs a model."""

from polyfact.evaluators.engines._protocol import BatchScorer, Scorer, Scores
from polyfact.evaluators.engines._reference import REFERENCE, Reference

__all__ = ["REFERENCE", "BatchScorer", "Reference", "Scorer", "Scores"]
