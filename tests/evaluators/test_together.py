"""Which prompts go through a model together, and what becomes of one that fails."""

import itertools
import random

import pytest

from polyfact.evaluators.ranking import Split, batches, score_together

ONE, TWO = [[1, 2], [3]], [[1, 2], [4]]


def forward(contexts, trie):
    return [[sum(context) + len(trie.path(end)) for end in trie.ends] for context in contexts]


@pytest.mark.parametrize("limit", [1, 10, 30, 1000])
def test_batches_are_runs_within_the_limit(limit):
    lengths = [random.Random(n).randrange(1, 20) for n in range(50)]
    runs = batches(lengths, 3, limit)
    assert [place for run in runs for place in run] == list(range(50))
    for run in runs:
        assert len(run) == 1 or len(run) * (max(lengths[place] for place in run) + 3) <= limit
    for run, after in itertools.pairwise(runs):
        assert (len(run) + 1) * (max(lengths[place] for place in (*run, after[0])) + 3) > limit
    assert batches([], 3, limit) == []


def test_prompts_with_the_same_continuations_go_together_and_others_alone():
    calls = []

    def counted(contexts, trie):
        calls.append([list(context) for context in contexts])
        return forward(contexts, trie)

    parts = [Split([1], ONE, []), Split([2, 2], TWO, ["boundary-merge"]), Split([5], ONE, []), Split([9], ONE, [])]
    assert score_together(parts, counted, 1000) == [[3, 2], [6, 5], [7, 6], [11, 10]]
    assert calls == [[[1], [5], [9]], [[2, 2]]]
    calls.clear()
    score_together(parts, counted, 4)
    assert calls == [[[1], [5]], [[9]], [[2, 2]]]


def test_a_prompt_that_fails_takes_no_other_with_it():
    def failing(contexts, trie):
        if [7] in contexts:
            raise RuntimeError("seven")
        return forward(contexts, trie)

    found = score_together([Split([n], ONE, []) for n in range(5, 14)], failing, 1000)
    assert [str(each) if isinstance(each, Exception) else each[1] - 1 for each in found] == [5, 6, "seven", *range(8, 14)]


def test_a_batch_without_memory_is_halved():
    sizes = []

    def small(contexts, trie):
        sizes.append(len(contexts))
        if len(contexts) > 3:
            raise MemoryError
        return forward(contexts, trie)

    found = score_together([Split([n], ONE, []) for n in range(9)], small, 1000)
    assert [each[1] - 1 for each in found] == list(range(9))
    assert sizes == [9, 4, 2, 2, 5, 2, 3]
