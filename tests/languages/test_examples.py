import pytest

from polyfact import languages


@pytest.mark.parametrize("code", languages.available())
def test_every_example_of_every_language_comes_out_as_written(code):
    assert languages.check_examples(languages.load(code)) == []
