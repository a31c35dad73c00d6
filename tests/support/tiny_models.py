"""Real language models with random weights, and real tokenizers that merge across the end of a prompt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TEXTS = [
    "The capital of Italy is Rome. The capital of France is Paris. The capital of Germany is Berlin.",
    "La capitale di Italia è Roma. La capitale di Francia è Parigi. La capitale di Germania è Berlino.",
    "İtalya ülkesinin başkenti: Roma. Almanya ülkesinin başkenti Berlin'dır. भारत की राजधानी नई दिल्ली है।",
    "The official languages of Alpland are French, German and Italian. Their number is 3.",
] * 8

VOCABULARY = 400


def tokenizer(*, bos: bool = False, pad: bool = False) -> Any:
    """A byte-level BPE tokenizer trained on a few sentences; "<s>" before every text with ``bos``."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<s>", "</s>", "<|eot_id|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(TEXTS, trainer)
    if bos:
        backend.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    names: dict[str, Any] = {"eos_token": "</s>", "additional_special_tokens": ["<|eot_id|>"]}
    if bos:
        names["bos_token"] = "<s>"
    if pad:
        names["pad_token"] = "</s>"  # as many models have it: the pad token is a real one
    return PreTrainedTokenizerFast(tokenizer_object=backend, **names)


def words(vocabulary: list[str]) -> Any:
    """A tokenizer that takes the longest word of ``vocabulary`` each time; it has neither BOS nor pad."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from tokenizers.pre_tokenizers import Split
    from transformers import PreTrainedTokenizerFast

    longest = sorted(vocabulary, key=len, reverse=True)
    escaped = "|".join("".join(f"\\{c}" if c in " .|" else c for c in word) for word in longest)
    backend = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(vocabulary)}, unk_token=vocabulary[0])
    )
    backend.pre_tokenizer = pre_tokenizers.Sequence([Split(Regex(escaped), "isolated")])
    return PreTrainedTokenizerFast(tokenizer_object=backend)


FAMILIES = (
    ("llama", "mistral", "gemma3", "gpt2", "qwen2", "qwen3")  # full, sliding, both, absolute positions, late sliding
    + ("gemma2", "gpt_oss", "llama4", "cohere2", "granite")  # eager and soft-capped, with sinks, chunked, scaled logits
)


def model(kind: str = "llama", *, vocabulary: int = VOCABULARY, window: int = 4) -> Any:
    """A random model of one of FAMILIES, with windows of so many tokens and chunks of 4, or "qwen3_next" (linear)."""
    import torch
    import transformers
    from transformers import AutoModelForCausalLM

    torch.manual_seed(7)
    shape: dict[str, Any] = {
        "vocab_size": vocabulary,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 256,
    }
    headed = {**shape, "head_dim": 8}
    both = {"sliding_window": window, "layer_types": ["sliding_attention", "full_attention"]}
    mixture = {"num_experts_per_tok": 2, "num_local_experts": 4}
    linear = {f"linear_{name}": 8 for name in ("key_head_dim", "value_head_dim")}
    linear |= {"linear_num_key_heads": 2, "linear_num_value_heads": 4}
    linear |= {"layer_types": ["linear_attention", "full_attention"], "num_experts": 4, "num_experts_per_tok": 2}
    capped = {"query_pre_attn_scalar": 8, "final_logit_softcapping": 5.0}
    settings: dict[str, tuple[str, dict[str, Any]]] = {
        "llama": ("LlamaConfig", headed),
        "mistral": ("MistralConfig", {**headed, "sliding_window": window}),
        "gemma3": ("Gemma3TextConfig", {**headed, **both, "query_pre_attn_scalar": 8}),
        "gpt2": ("GPT2Config", {"vocab_size": vocabulary, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 256}),
        "qwen2": ("Qwen2Config", {**shape, "use_sliding_window": True, "sliding_window": window, "max_window_layers": 1}),
        "qwen3": ("Qwen3Config", headed),
        "gemma2": ("Gemma2Config", {**headed, **both, **capped}),
        "gpt_oss": ("GptOssConfig", {**headed, **both, **mixture, "pad_token_id": None}),
        "llama4": (
            "Llama4TextConfig",
            {
                **headed,
                "intermediate_size_mlp": 64,
                "num_local_experts": 2,
                "attention_chunk_size": 4,
                "layer_types": ["chunked_attention", "full_attention"],
            },
        ),
        "cohere2": ("Cohere2Config", {**headed, **both}),
        "granite": ("GraniteConfig", {**shape, "logits_scaling": 8.0}),
        "qwen3_next": ("Qwen3NextConfig", {**headed, **linear}),
    }
    name, options = settings[kind]
    config = getattr(transformers, name)(**options, bos_token_id=0, eos_token_id=1)
    made = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    with torch.no_grad():
        for weights in made.parameters():
            if weights.ndim > 1:
                torch.nn.init.normal_(weights, std=0.3)
    return made


def save(folder: Path, *, bos: bool = False, pad: bool = False, kind: str = "llama") -> Path:
    """A model's folder as any other, with safetensors weights and its tokenizer."""
    made = tokenizer(bos=bos, pad=pad)
    model(kind, vocabulary=len(made)).save_pretrained(folder)
    made.save_pretrained(folder)
    return folder


class Bigram:
    """A language model that is a table: what may follow each token, with its probability. No cache."""

    def __init__(self, size: int, following: dict[int, dict[int, float]]) -> None:
        import torch

        self.device = torch.device("cpu")
        self.rows = torch.full((size, size), -1e4)
        for token, probabilities in following.items():
            rest = (1 - sum(probabilities.values())) / (size - len(probabilities))
            self.rows[token] = torch.tensor([probabilities.get(t, rest) for t in range(size)]).log()

    def __call__(self, input_ids: Any, **_: Any) -> Any:
        from types import SimpleNamespace

        return SimpleNamespace(logits=self.rows[input_ids])
