"""The tree of a candidate set."""

import random

import pytest

from polyfact.evaluators.ranking import CandidateTrie

SETS = {
    "one": [[7]],
    "one deep": [[7, 8, 9, 7, 7]],
    "prefixes": [[1], [1, 2], [1, 2, 3], [1, 2, 4]],
    "equal": [[3, 4], [5], [3, 4], [3, 4]],
    "deep": [list(range(end)) for end in range(1, 40)],
    "any": [[random.Random(5 * n + m).randrange(4) for m in range(n % 6 + 1)] for n in range(80)],
}


@pytest.mark.parametrize("name", SETS)
def test_every_candidate_is_the_path_to_its_end(name):
    trie = CandidateTrie.of(SETS[name])
    for tokens, end in zip(SETS[name], trie.ends, strict=True):
        assert [trie.nodes[node].token for node in trie.path(end)] == tokens
        assert trie.nodes[end].depth == len(tokens)


@pytest.mark.parametrize("name", SETS)
def test_nothing_is_there_twice_and_parents_come_first(name):
    trie = CandidateTrie.of(SETS[name])
    prefixes = {tuple(tokens[:end]) for tokens in SETS[name] for end in range(1, len(tokens) + 1)}
    assert len(trie.nodes) == len(prefixes) + 1
    assert len({(node.parent, node.token) for node in trie.nodes}) == len(trie.nodes)
    assert all(node.parent < number for number, node in enumerate(trie.nodes))
    inner = {prefix[:-1] for prefix in prefixes} - {()}
    assert {tuple(trie.nodes[n].token for n in trie.path(node)) for node in trie.internal} == inner
    assert sorted([0, *trie.internal, *trie.leaves]) == list(range(len(trie.nodes)))
    assert sorted(node for level in trie.levels for node in level) == list(range(1, len(trie.nodes)))
    assert all({trie.nodes[node].depth for node in level} == {depth} for depth, level in enumerate(trie.levels, 1))


def test_the_order_of_candidates_does_not_change_the_tree():
    candidates = SETS["any"]
    mixed = random.Random(1).sample(candidates, len(candidates))
    one, other = CandidateTrie.of(candidates), CandidateTrie.of(mixed)
    assert one.nodes == other.nodes
    ends = {tuple(tokens): end for tokens, end in zip(candidates, one.ends, strict=True)}
    assert [ends[tuple(tokens)] for tokens in mixed] == list(other.ends)


def test_a_candidate_without_a_token_is_refused():
    with pytest.raises(ValueError, match="no token"):
        CandidateTrie.of([[1], []])


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_packs_score_each_node_once_and_hold_its_ancestors(name, size):
    trie = CandidateTrie.of(SETS[name])
    packs = trie.packs(size)
    assert sorted(node for pack in packs for node in pack.own) == sorted([0, *trie.internal])
    for pack in packs:
        assert list(pack.nodes) == sorted(set(pack.nodes))
        assert {node for own in pack.own for node in trie.path(own)} == set(pack.nodes)
    if size == 1000:
        assert len(packs) == 1
