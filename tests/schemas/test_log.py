"""An append-only log: each line on the disk, an unfinished last one dropped, damage elsewhere told by its number."""

import multiprocessing
import os

import pytest

from polyfact.errors import DataError, PolyfactError
from polyfact.schemas import AppendLog, Rejected, read_jsonl, read_log

WHOLE = b'{"id":"1"}\n{"id":"2"}\n'
LAST = '{"id":"3","q":"नम'.encode()


def test_a_new_log(tmp_path):
    path = tmp_path / "deep" / "log.jsonl"
    assert read_log(path) == ([], 0)
    with AppendLog(path) as log:
        assert (log.rows, log.torn) == ([], 0)
        log.append({"id": "1", "q": "नमस्ते"})
        log.append(Rejected(stage="s", id="2", reason="r"))
    assert path.read_bytes().endswith(b'"detail":""}\n')
    assert [row["id"] for row in read_log(path)[0]] == ["1", "2"]


@pytest.mark.parametrize("cut", range(1, len(LAST)))
def test_r08_an_unfinished_last_line_is_dropped_wherever_it_was_cut(tmp_path, cut):
    path = tmp_path / "log.jsonl"
    path.write_bytes(WHOLE + LAST[:cut])
    assert read_log(path) == ([{"id": "1"}, {"id": "2"}], 1)
    assert path.read_bytes() == WHOLE + LAST[:cut], "reading changes nothing"
    with AppendLog(path) as log:
        assert log.torn == 1
        log.append({"id": "3"})
    assert path.read_bytes() == WHOLE + b'{"id":"3"}\n'


def test_a_last_line_that_only_lacks_its_newline_is_kept(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(WHOLE[:-1])
    with AppendLog(path) as log:
        assert (len(log.rows), log.torn) == (2, 0)
        log.append({"id": "3"})
    assert [row["id"] for row in read_jsonl(path)] == ["1", "2", "3"]


@pytest.mark.parametrize("line", [b"xx\n", b"\xff\xfe\n", b"[1]\n", b'{"a": NaN}\n', b'{"id":"1"\n', b"\x00\x00\n"])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_finished_line_that_is_broken_is_an_error_with_its_number(tmp_path, line, before):
    path = tmp_path / "log.jsonl"
    rows = [b'{"id":"1"}\n', b'{"id":"2"}\n']
    rows.insert(before, line)
    path.write_bytes(b"".join(rows))
    for opened in (read_log, AppendLog):
        with pytest.raises(DataError, match=rf"line {before + 1} is not"):
            opened(path)
    assert path.read_bytes() == b"".join(rows)


def test_blocks_of_zeros_after_a_power_cut_are_an_unfinished_line(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(WHOLE + b"\0" * 512)
    with AppendLog(path) as log:
        assert log.torn == 1
    assert path.read_bytes() == WHOLE


def test_each_line_is_synced_before_append_returns(tmp_path, monkeypatch):
    path = tmp_path / "log.jsonl"
    with AppendLog(path) as log:
        sizes = []
        sync = os.fsync
        monkeypatch.setattr(os, "fsync", lambda handle: (sizes.append(path.stat().st_size), sync(handle)))
        log.append({"id": "1"})
        log.append({"id": "2"})
    assert sizes == [11, 22]


def test_a_line_that_could_not_be_written_leaves_no_half(tmp_path, monkeypatch):
    path = tmp_path / "log.jsonl"
    write = os.write
    with AppendLog(path) as log:
        log.append({"id": "1"})
        monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:4]))
        with pytest.raises(PolyfactError, match="disk is full"):
            log.append({"id": "2"})
        monkeypatch.undo()
        log.append({"id": "3"})
    assert path.read_bytes() == b'{"id":"1"}\n{"id":"3"}\n'


def test_a_folder_is_no_log(tmp_path):
    with pytest.raises(PolyfactError, match="cannot write"):
        AppendLog(tmp_path)


def _write(path, name):
    for number in range(20):
        with AppendLog(path) as log:
            log.append({"id": f"{name}-{number}"})


def test_two_writers_wait_for_each_other(tmp_path):
    path = tmp_path / "log.jsonl"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(path, name)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert len({row["id"] for row in read_jsonl(path)}) == 40
