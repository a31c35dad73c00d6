import tracemalloc

import pytest

from polyfact.execution import Shard, run_shards, shards


def double(records, shard):
    for number in shard.of(records):
        yield 2 * number


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_together_are_the_whole(count):
    parts = [list(double(range(10), shard)) for shard in shards(count)]
    assert sorted(number for part in parts for number in part) == [2 * n for n in range(10)]
    assert list(run_shards(double, lambda: range(10), count)) == [number for part in parts for number in part]


def test_a_shard_outside_its_count_is_an_error():
    with pytest.raises(ValueError, match="shard 2 of 2"):
        Shard(2, 2)


def test_memory_is_flat():
    def records():
        return ({"text": "x" * 1000, "number": n} for n in range(20_000))

    def sizes(rows, shard):
        for row in shard.of(rows):
            yield len(row["text"])

    tracemalloc.start()
    total = sum(run_shards(sizes, records, 2))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == 20_000_000
    assert peak < 1_000_000
