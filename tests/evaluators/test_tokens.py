"""Where a prompt ends: case ids are those of the shared case file."""

import pytest

from polyfact.evaluators.ranking import bos_policy, naive_scores, prefix_ids, split

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.support import tiny_models  # noqa: E402


def test_s01_trailing_space_goes_to_the_candidate():
    vocabulary = ["The", " capital", " is", " ", "Rome", " Rome", "R", "ome"]
    tokenizer = tiny_models.words(vocabulary)
    after = {2: {5: 0.6, 3: 0.01}, 3: {4: 0.5, 6: 0.2}}
    for prompt in ("The capital is ", "The capital is"):
        parts = split(tokenizer, prompt, " ", ["Rome"], [])
        assert parts.context == [0, 1, 2]
        assert parts.continuations == [[5]]
        assert naive_scores(tiny_models.Bigram(8, after), parts) == pytest.approx([-0.5108256237659907], abs=1e-6)


def test_s02_a_pair_that_merges_everywhere_is_encoded_apart_and_flagged():
    tokenizer = tiny_models.words(["a", "b", "ab", "abc", "c", "d", "cd"])
    parts = split(tokenizer, "ab", "", ["cd"], [])
    assert tokenizer.convert_ids_to_tokens(parts.continuations[0]) == ["cd"]
    assert parts.flags == ["boundary-merge", "separate-encoding"]
    model = tiny_models.Bigram(7, {2: {6: 0.25, 4: 0.5}, 3: {5: 0.9}})
    assert naive_scores(model, parts) == pytest.approx([-1.3862943611198906], abs=1e-6)


def test_a_pair_that_merges_inside_its_prompt_is_encoded_apart_too():
    tokenizer = tiny_models.words(["p", "a", "b", "ab", "c", "bc"])
    parts = split(tokenizer, "pa", "", ["bc"], [])
    texts = [tokenizer.convert_ids_to_tokens(ids) for ids in (parts.context, *parts.continuations)]
    assert texts == [["p", "a"], ["bc"]]
    assert parts.flags == ["boundary-merge", "separate-encoding"]


def test_a_merge_for_one_candidate_moves_the_fork_of_all():
    tokenizer = tiny_models.words(["x", "a", "b", "ab", "abc", "c", "d", "cd"])
    parts = split(tokenizer, "xab", "", ["cd", "d"], [])
    assert parts.flags == ["boundary-merge"]
    texts = [tokenizer.convert_ids_to_tokens(ids) for ids in (parts.context, *parts.continuations)]
    assert texts == [["x"], ["abc", "d"], ["ab", "d"]]


@pytest.mark.parametrize("bos", [False, True])
@pytest.mark.parametrize("pad", [False, True])
def test_every_split_gives_the_text_back(bos, pad):
    tokenizer = tiny_models.tokenizer(bos=bos, pad=pad)
    surfaces = ["Rome", "नई दिल्ली", "Berlin'dır", "Fe", "I"]
    for prompt in ("The capital of Ital", "भारत की राजधानी", "x", "The capital of Italy is"):
        for separator in (" ", ""):
            parts = split(tokenizer, prompt, separator, surfaces, prefix_ids(tokenizer))
            for surface, ids in zip(surfaces, parts.continuations, strict=True):
                whole = tokenizer.decode([*parts.context[len(prefix_ids(tokenizer)) :], *ids])
                assert whole == prompt + separator + surface


def test_bos_is_added_once_and_only_by_a_tokenizer_that_wants_it():
    with_bos, without = tiny_models.tokenizer(bos=True), tiny_models.tokenizer()
    assert (prefix_ids(with_bos), prefix_ids(without)) == ([0], [])
    assert (bos_policy(with_bos), bos_policy(without)) == ("added", "absent")
    assert without.bos_token is None
    assert without.pad_token is None
    parts = split(with_bos, "<s>The capital", " ", ["is"], prefix_ids(with_bos))
    assert parts.context.count(0) == 1
    assert parts.context[0] == 0


def test_s15_control_tokens_in_a_text_are_plain_characters():
    tokenizer = tiny_models.tokenizer()
    special = {tokenizer.convert_tokens_to_ids(token) for token in ("<s>", "</s>", "<|eot_id|>")}
    prompt, surface = "Who wrote <|eot_id|> in the log?", "nobody</s>"
    parts = split(tokenizer, prompt, " ", [surface], [])
    ids = [*parts.context, *parts.continuations[0]]
    assert not special.intersection(ids)
    assert tokenizer.decode(ids) == f"{prompt} {surface}"
    assert special.intersection(tokenizer(prompt).input_ids), "the tokenizer alone would have ended the turn"
