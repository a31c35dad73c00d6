"""The tokens of a candidate set as a tree: what many candidates begin with is there once. No model, no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from polyfact.evaluators.ranking._tokens import shared

__all__ = ["CandidateTrie", "Node", "Pack"]

ROOT = 0


class Node(NamedTuple):
    """A token after its parent's. depth: tokens from the prompt's end, 1 for a candidate's first one."""

    token: int
    parent: int
    depth: int


class Pack(NamedTuple):
    """Internal nodes that go through a model together, each after its ancestors.

    nodes: all of them. own: those whose children are scored here, the root too where it is one of them; the others
    are ancestors that another pack scores.
    """

    nodes: tuple[int, ...]
    own: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CandidateTrie:
    """The tree of a set of candidates, whose order does not change it.

    nodes: in depth-first order, by token id; node 0, the root, is the last token of the prompt and has the token -1.
    ends: the last node of each candidate, in the order of the candidates. Equal candidates share a path; a candidate
    that another begins with ends at an inner node.

    >>> trie = CandidateTrie.of([[5, 6], [5], [5, 6, 7], [4], [5]])
    >>> [(node.token, node.parent) for node in trie.nodes]
    [(-1, -1), (4, 0), (5, 0), (6, 2), (7, 3)]
    >>> trie.ends, trie.internal, trie.path(4)
    ((3, 2, 4, 1, 2), (2, 3), [2, 3, 4])
    """

    nodes: tuple[Node, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, continuations: Sequence[Sequence[int]]) -> CandidateTrie:
        """The tree of the candidates' token ids. Raises ValueError for a candidate without a token."""
        nodes, path = [Node(-1, -1, 0)], [ROOT]
        last: dict[tuple[int, ...], int] = {}
        before: tuple[int, ...] = ()
        for tokens in sorted({tuple(each) for each in continuations}):
            if not tokens:
                raise ValueError("a candidate has no token")
            begun = shared(before, tokens)
            del path[begun + 1 :]
            for token in tokens[begun:]:
                nodes.append(Node(token, path[-1], len(path)))
                path.append(len(nodes) - 1)
            last[tokens], before = path[-1], tokens
        return cls(tuple(nodes), tuple(last[tuple(each)] for each in continuations))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes[1:], 1):
            found[node.parent].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def internal(self) -> tuple[int, ...]:
        """The nodes that have children, without the root: a model needs to see no others."""
        return tuple(number for number, below in enumerate(self.children) if below and number != ROOT)

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The nodes after which no candidate goes on."""
        return tuple(number for number, below in enumerate(self.children) if not below and number != ROOT)

    @cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The nodes by depth, from 1 on."""
        by_depth = sorted(range(1, len(self.nodes)), key=lambda number: (self.nodes[number].depth, number))
        return tuple(tuple(level) for _, level in groupby(by_depth, lambda number: self.nodes[number].depth))

    def path(self, node: int) -> list[int]:
        """The nodes from a first token to ``node``, this one too; none for the root."""
        found = []
        while node != ROOT:
            found.append(node)
            node = self.nodes[node].parent
        return found[::-1]

    def packs(self, size: int) -> list[Pack]:
        """The root and the internal nodes, each scored in one pack of about ``size`` nodes.

        A pack is a run of the depth-first order, so that all it lacks are the ancestors of its first node.
        """
        runs = [self.internal[start : start + size] for start in range(0, len(self.internal), size)] or [()]
        packs = []
        for number, run in enumerate(runs):
            lacking = self.path(run[0])[:-1] if run else []
            packs.append(Pack((*lacking, *run), run if number else (ROOT, *run)))
        return packs
