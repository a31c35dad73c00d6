"""Tests run side by side: a model in one of them must not take all cores."""

import pytest


@pytest.fixture(scope="module")
def one_thread():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
