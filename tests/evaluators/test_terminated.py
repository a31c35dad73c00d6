"""What is scored of a candidate: with or without its end, the answer or the statement; case ids of the shared file."""

import math

import pytest

from polyfact.errors import DataError
from polyfact.evaluators.ranking import (
    Split,
    cached_scores,
    end_ids,
    log_probabilities,
    naive_scores,
    prefix_ids,
    right_padded,
    split,
    statement,
    terminated,
    with_bos,
)

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.cases.fake_models import Table  # noqa: E402
from tests.support import tiny_models  # noqa: E402

IS, ONE, ZERO, DOT, LINE, REST = range(6)
COUNTS = Table(6, {IS: {ONE: 0.9}, ONE: {ZERO: 0.8, DOT: 0.06, LINE: 0.04, REST: 0.1}, ZERO: {DOT: 0.9, REST: 0.1}})
ONE_AND_TEN = Split([IS], [[ONE], [ONE, ZERO]], [])


def test_f11_a_candidate_that_another_begins_with_can_lose():
    raw = naive_scores(COUNTS, ONE_AND_TEN)
    assert raw == pytest.approx([math.log(0.9), math.log(0.9 * 0.8)], abs=1e-12)
    ended = terminated(ONE_AND_TEN, [DOT], lambda parts: naive_scores(COUNTS, parts))
    assert ended == pytest.approx([math.log(0.9 * 0.06), math.log(0.9 * 0.8 * 0.9)], abs=1e-12)
    assert raw[0] > raw[1]
    assert ended[0] < ended[1]


def test_the_probabilities_of_all_ends_are_added_up():
    ended = terminated(ONE_AND_TEN, [DOT, LINE], lambda parts: cached_scores(COUNTS, parts))
    assert ended[0] == pytest.approx(math.log(0.9 * (0.06 + 0.04)), abs=1e-12)
    far = terminated(Split([0], [[1]], []), [2, 3], lambda parts: [-5000.0, -5000.0])
    assert far == pytest.approx([-5000 + math.log(2)])


@pytest.mark.parametrize("ends", [[], [3, 3]])
def test_ends_are_named_each_once(ends):
    with pytest.raises(ValueError, match="each once"):
        terminated(ONE_AND_TEN, ends, lambda parts: naive_scores(COUNTS, parts))


def test_a_real_model_gives_the_same_with_and_without_a_cache():
    tokenizer, model = tiny_models.tokenizer(), tiny_models.model()
    ends = end_ids(tokenizer)
    assert {tokenizer.decode([end]) for end in ends} == {".", "</s>", "\n"}
    parts = split(tokenizer, "The capital of Italy is", " ", ["Rome", "Rome and Paris", "R"], prefix_ids(tokenizer))
    plain = terminated(parts, ends, lambda each: naive_scores(model, each))
    assert terminated(parts, ends, lambda each: cached_scores(model, each)) == pytest.approx(plain, abs=1e-5)
    assert all(end < raw for end, raw in zip(plain, naive_scores(model, parts), strict=True))


def test_s13_the_answer_alone_or_the_whole_statement():
    # bos The capital is Rome, with a probability each
    model = Table(6, {0: {1: 0.5}, 1: {2: 0.25}, 2: {3: 0.125}, 3: {4: 0.5}})
    ids, answer = [1, 2, 3, 4], range(3, 4)
    conditional = statement(ids, answer, prefix=[0])
    assert naive_scores(model, conditional) == pytest.approx([math.log(0.5)], abs=1e-12)
    full = statement(ids, answer, conditional=False, prefix=[0])
    assert naive_scores(model, full) == pytest.approx([math.log(0.5 * 0.25 * 0.125 * 0.5)], abs=1e-12)
    middle = statement(ids, range(1, 3), prefix=[0])
    assert naive_scores(model, middle) == pytest.approx([math.log(0.25 * 0.125)], abs=1e-12)


@pytest.mark.parametrize(
    ("answer", "conditional", "prefix"),
    [(range(0), True, [0]), (range(3, 5), True, [0]), (range(1), True, []), (range(3, 4), False, [])],
)
def test_a_statement_needs_an_answer_and_something_before_it(answer, conditional, prefix):
    with pytest.raises(ValueError, match="no answer at|without a BOS"):
        statement([1, 2, 3, 4], answer, conditional=conditional, prefix=prefix)


def test_s08_the_mask_comes_from_lengths():
    batch = right_padded([[1, 5, 9, 6, 7], [1, 5]], 9)
    assert batch.attention_mask == [[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]]
    assert batch.ids[1] == [1, 5, 9, 9, 9]
    assert right_padded([[1], [2, 3]], None).ids == [[1, 0], [2, 3]]
    assert right_padded([]).ids == []


def test_s11_a_loss_is_turned_around_and_never_taken_for_a_log_probability():
    assert log_probabilities([0.5, 3.0], "loss") == [-0.5, -3.0]
    assert log_probabilities([0.5, 1.0], "mean-loss", tokens=[4, 1]) == [-2.0, -1.0]
    with pytest.raises(DataError, match="no log-probability"):
        log_probabilities([0.5, 3.0])
    with pytest.raises(DataError):
        log_probabilities([-0.5], "loss")
    assert log_probabilities([1e-7, -0.0]) == [0.0, 0.0], "rounding is not a loss"


def test_s03_exactly_one_bos():
    bos, plain = tiny_models.tokenizer(bos=True), tiny_models.tokenizer()
    ids = bos("The capital", add_special_tokens=False).input_ids
    assert with_bos(bos, ids) == [0, *ids]
    assert with_bos(bos, [0, *ids]) == [0, *ids], "a chat template has put it"
    assert with_bos(plain, ids) == ids
    assert with_bos(plain, ids, needed=True) == ids, "this tokenizer has no BOS at all"
    plain.bos_token = "<s>"
    assert with_bos(plain, ids, needed=True) == [0, *ids]
    assert with_bos(plain, with_bos(plain, ids, needed=True), needed=True) == [0, *ids]


def test_a_model_in_double_precision_is_scored_in_it():
    model = tiny_models.model().double()
    parts = Split([1, 5, 9], [[5], [6, 2], [7, 8, 3]], [])
    plain = naive_scores(model, parts)
    assert cached_scores(model, parts) == pytest.approx(plain, abs=1e-12)
    assert plain != pytest.approx(naive_scores(model.float(), parts), abs=1e-12)
