"""Token ids: how a text begins, how rows become a batch, and that a batch changes no score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyfact.evaluators.engines._hf import silenced
from polyfact.evaluators.ranking import Split, cached_scores, naive_scores, right_padded, split, with_bos
from tests.cases.compare import Checks, shown
from tests.cases.fake_models import Fixed
from tests.support import tiny_models


def build_input_ids(case: dict[str, Any]) -> list[str]:
    """Texts that have their BOS from a template, from the tokenizer, or from nobody."""
    given, checks = case["input"], Checks(case)
    bos = given["bos_id"]
    made = []
    for each in given["cases"]:
        tokenizer = Fixed(each["ids_without_special"], bos_id=bos, adds_bos=each.get("tokenizer_adds_bos", False))
        ids = tokenizer([each["text"]], add_special_tokens=False).input_ids[0]
        made.append(with_bos(tokenizer, ids, needed=each.get("model_needs_bos", False)))
    checks.value("ids", made)
    checks.value("bos_count", [ids.count(bos) for ids in made])
    return checks.done()


def make_batch(case: dict[str, Any]) -> list[str]:
    """Rows of ids and the id of the padding, which may be that of a real token, or null."""
    given, checks = case["input"], Checks(case)
    batch = right_padded(given["seqs"], given.get("pad_id"))
    checks.value("attention_mask", batch.attention_mask)
    pad = given.get("pad_id")
    if pad is not None:
        checks.value("input_ids", batch.ids)
    if [[i for i, m in zip(ids, mask, strict=True) if m] for ids, mask in zip(*batch, strict=True)] != given["seqs"]:
        checks.lines.append("the rows do not come back")
    checks.wrong_ones(batch.attention_mask)
    return checks.done()


def encode(case: dict[str, Any]) -> list[str]:
    """A text in which something is written like a control token."""
    from tokenizers import AddedToken

    given, checks = case["input"], Checks(case)
    tokenizer = tiny_models.tokenizer()
    named = [AddedToken(token, special=True, normalized=False) for token in given["special_tokens"]]
    tokenizer.add_special_tokens({"additional_special_tokens": named})
    special = set(tokenizer.convert_tokens_to_ids(given["special_tokens"])) | set(tokenizer.all_special_ids)
    written = any(token in given["text"] for token in given["special_tokens"])
    if written and not special & set(tokenizer(given["text"], add_special_tokens=False).input_ids):
        checks.lines.append("the text would not have been taken for a control token anyway")
    # The text as a prompt, and as a candidate.
    for prompt, surface in ((given["text"], "x"), ("x", given["text"])):
        parts = split(tokenizer, prompt, " ", [surface], [])
        ids = [*parts.context, *parts.continuations[0]]
        checks.value("special_ids_in_output", sum(each in special for each in ids))
        decoded = tokenizer.decode(ids, clean_up_tokenization_spaces=False)
        # White space at the end of a prompt takes the place of the separator.
        separator = " " if prompt == prompt.rstrip() else ""
        checks.value("decoded_equals_text", decoded == prompt + separator + surface)
    return checks.done()


# --- batches --------------------------------------------------------------------------------------------------------


def batch_loglikelihood(case: dict[str, Any]) -> list[str]:
    """Tiny random models of several families: candidates of unlike lengths scored alone and together."""
    import torch

    given, checks = case["input"], Checks(case, known=["observed"])
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        worst = max(_worst(_model(name), given["lengths"]) for name in given["models"])
    finally:
        torch.set_num_threads(threads)
    checks.check("max_abs_diff_right_pad", lambda most: worst <= most or f"got {worst:.2g}")
    return checks.done()


def _model(name: str) -> Any:
    """ "tiny random mistral sliding_window=4": the family and what else its configuration says."""
    words = [word for word in name.split() if word not in ("tiny", "random")]
    options = {key: int(value) for key, _, value in (word.partition("=") for word in words[1:])}
    if set(options) - {"sliding_window"}:
        raise ValueError(f"no model here with {shown(options)}")
    with silenced():
        return tiny_models.model(words[0], window=options.get("sliding_window", 4))


def _worst(model: Any, lengths: Sequence[int]) -> float:
    """The largest difference of a score to that of the same row alone, by the plain loop and by the engine."""
    rows = [[(7 * place + 31 * number) % 390 + 3 for place in range(n)] for number, n in enumerate(lengths)]
    context = [5, 17, 9]
    together = cached_scores(model, Split(context, rows, []))
    found = 0.0
    for row, score in zip(rows, together, strict=True):
        for alone in (naive_scores(model, Split(context, [row], [])), cached_scores(model, Split(context, [row], []))):
            found = max(found, abs(alone[0] - score))
    return found


HANDLERS = {
    "build_input_ids": build_input_ids,
    "make_batch": make_batch,
    "encode": encode,
    "batch_loglikelihood": batch_loglikelihood,
}
