"""reward_accuracy: log-probabilities against a plain loop in 64 bits, and what is made of them."""

import inspect
import json
import math
import random
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import evaluate
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import models
from tests.support.models import CHAT, causal_gpt2, causal_llama, tiny_bert
from tests.support.project import functions, load

ra: Any = functions("reward_accuracy")
jm: Any = functions("reward_accuracy", "judge_model")
text_model: Any = functions("reward_accuracy", "text_model")

# Shared by tests that read only. GPT-2 merges across the prompt's end; Llama begins a text with its own space.
KINDS: dict[str, Callable[[Path], str]] = {"gpt2": causal_gpt2, "llama": causal_llama}


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {name: make(tmp_path_factory.mktemp("causal") / name) for name, make in KINDS.items()}


@cache
def plain_model(folder: str) -> Any:
    import torch
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64).eval()


@cache
def tokenizer_of(folder: str) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def plain_log_prob(folder: str, context: list[int], tokens: list[int]) -> float:
    """Log P(tokens | context), one token after the other, in 64 bits."""
    import torch

    with torch.no_grad():
        scores = plain_model(folder)(torch.tensor([[*context, *tokens]])).logits[0].log_softmax(-1)
    return math.fsum(scores[len(context) - 1 + i, token].item() for i, token in enumerate(tokens))


def slow(folder: str, prompt: str, text: str) -> float:
    """The definition: the prompt's tokens with the mark in front, then the text's as they stand after something."""
    tokenizer = tokenizer_of(folder)
    if "llama" in folder:  # its tokenizer begins with a space of its own: what stands after a line break is the text
        both, newline = (tokenizer(t, add_special_tokens=False).input_ids for t in ("\n" + text, "\n"))
        tokens = both[len(newline) :]
        assert both[: len(newline)] == newline
    else:
        tokens = tokenizer(text, add_special_tokens=False).input_ids
    return plain_log_prob(folder, tokenizer(prompt).input_ids, tokens)


WORDS = ["the", "capital", "of", "France", "is", "Paris", "score: ", "4", "44", "3", "cat", "good", "bad", ":", ". "]
TEXTS = st.lists(st.sampled_from([*WORDS, " ", " the", " Paris", " 4"]), max_size=8).map("".join)
PROMPTS = st.lists(st.sampled_from([*WORDS, " "]), min_size=1, max_size=10).map("".join)


def pairs(count: int, seed: int = 3) -> dict[str, list[str]]:
    """Rows of many lengths; some prompts stand in several of them."""
    chance = random.Random(seed)

    def text(least: int, most: int) -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(least, most)))

    prompts = [text(1, 16) for _ in range(max(1, count // 2))]
    return {
        "prompts": [chance.choice(prompts) + chance.choice(["", " ", "\n"]) for _ in range(count)],
        "chosen": [chance.choice(["", " "]) + text(0, 9) for _ in range(count)],
        "rejected": [text(0, 9) for _ in range(count)],
    }


def computed(folder: str, rows: dict[str, Any], **settings: Any) -> dict[str, Any]:
    result: dict[str, Any] = load("reward_accuracy").compute(
        **rows, model=folder, progress=False, per_example=True, **settings
    )
    return result


def rewards_of(result: dict[str, Any]) -> list[tuple[float, float]]:
    return [(row["chosen"], row["rejected"]) for row in result["per_example"]]


@pytest.mark.parametrize("kind", KINDS)
def test_equals_a_plain_loop_in_64_bits(kind: str, folders: dict[str, str]) -> None:
    rows, folder = pairs(24), folders[kind]
    got = rewards_of(computed(folder, rows))
    for i, found in enumerate(got):
        want = [slow(folder, rows["prompts"][i], rows[name][i]) for name in ("chosen", "rejected")]
        assert found == pytest.approx(want, abs=1e-5), i
    assert min(min(pair) for pair in got) < -30


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.tuples(PROMPTS, TEXTS, TEXTS), min_size=1, max_size=3), size=st.integers(1, 5))
def test_any_texts_in_any_batch_equal_the_loop(
    kind: str, folders: dict[str, str], rows: list[tuple[str, str, str]], size: int
) -> None:
    judge = ra.judge_of(folders[kind])
    texts = ra.read(judge, *map(list, zip(*rows, strict=True)))
    got = ra.log_probs(judge, texts, size)
    want = [slow(folders[kind], row[0], row[side]) for side in (1, 2) for row in rows]
    assert got == pytest.approx(want, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_batch_size_order_and_padding_side_move_nothing(kind: str, folders: dict[str, str], tmp_path: Path) -> None:
    rows = pairs(16)
    want = rewards_of(computed(folders[kind], rows, batch_size=1))
    left = shutil.copytree(folders[kind], tmp_path / "left")
    settings_file = left / "tokenizer_config.json"
    changed = json.loads(settings_file.read_text()) | {"padding_side": "left", "truncation_side": "left"}
    settings_file.write_text(json.dumps(changed))
    order = random.Random(1).sample(range(16), 16)
    shuffled = {name: [column[i] for i in order] for name, column in rows.items()}
    for folder, columns, size in ((folders[kind], rows, 7), (str(left), rows, 16), (folders[kind], shuffled, 16)):
        got = rewards_of(computed(folder, columns, batch_size=size))
        expected = [want[i] for i in order] if columns is shuffled else want
        assert [x for pair in got for x in pair] == pytest.approx([x for pair in expected for x in pair], abs=1e-5)


def test_prompt_and_text_are_tokenized_each_by_itself_where_the_tokenizer_would_merge_them(
    folders: dict[str, str],
) -> None:
    tokenizer, judge = tokenizer_of(folders["gpt2"]), ra.judge_of(folders["gpt2"])
    prompt, text = "score: the c", "at"
    joint = tokenizer(prompt + text).input_ids
    parts = tokenizer(prompt).input_ids, tokenizer(text).input_ids
    assert joint != [*parts[0], *parts[1]], "this tokenizer merges nothing across the boundary"
    (read, _) = ra.read(judge, [prompt], [text], [text])
    assert (list(read.context), list(read.tokens)) == parts
    # Both texts follow the same tokens, whatever they begin with.
    chosen, rejected = ra.read(judge, [prompt], ["at"], [" dog"])
    assert chosen.context == rejected.context


def test_a_tokenizer_s_own_space_stands_before_the_prompt_alone(folders: dict[str, str]) -> None:
    tokenizer, judge = tokenizer_of(folders["llama"]), ra.judge_of(folders["llama"])
    prompt, texts = "score:the", ["cat", " cat"]
    assert tokenizer.convert_ids_to_tokens(tokenizer("cat").input_ids)[1].startswith("▁")
    for text in texts:
        read = ra.read(judge, [prompt], [text], [text])[0]
        assert list(read.context) == tokenizer(prompt).input_ids
        assert tokenizer.decode([*read.context, *read.tokens], skip_special_tokens=True) == prompt + text
    # Without a prompt, the text is the beginning.
    read = ra.read(judge, [""], ["cat"], ["cat"])[0]
    assert [*read.context, *read.tokens] == tokenizer("cat").input_ids


@pytest.mark.parametrize("part", ["normalizer", "normalizers", "pre_tokenizer"])
def test_every_way_to_begin_with_a_space_is_known(part: str, folders: dict[str, str]) -> None:
    from tokenizers import Tokenizer, normalizers, pre_tokenizers

    original = tokenizer_of(folders["gpt2"])
    plain = original(" the cat", add_special_tokens=False).input_ids
    backend = Tokenizer.from_str(original.backend_tokenizer.to_str())
    if part == "pre_tokenizer":
        backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=False)
    else:
        several = part == "normalizers"
        backend.normalizer = normalizers.Sequence([normalizers.Prepend(" ")]) if several else normalizers.Prepend(" ")
    tokenizer = original.__class__(tokenizer_object=backend)
    assert tokenizer("the cat", add_special_tokens=False).input_ids == plain
    assert ra.continuing(tokenizer)(["the cat", " the cat"])[1] == plain
    assert tokenizer.decode(ra.continuing(tokenizer)(["the cat"])[0]) == "the cat"
    assert tokenizer("the cat", add_special_tokens=False).input_ids == plain, "the tokenizer itself was changed"


def test_chat_template_puts_the_prompt_into_the_user_s_turn(folders: dict[str, str], tmp_path: Path) -> None:
    folder, rows = folders["llama"], pairs(6)
    tokenizer = tokenizer_of(folder)
    got = rewards_of(computed(folder, rows, chat_template=True))
    for i, prompt in enumerate(rows["prompts"]):
        rendered = f"<user>{prompt.strip()}</s><assistant>"
        context = tokenizer(rendered, add_special_tokens=False).input_ids
        tokens = tokenizer("\n" + rows["chosen"][i], add_special_tokens=False).input_ids
        newline = tokenizer("\n", add_special_tokens=False).input_ids
        assert got[i][0] == pytest.approx(plain_log_prob(folder, context, tokens[len(newline) :]), abs=1e-5)
    with pytest.raises(ValueError, match="gpt2 has no chat template"):
        computed(folders["gpt2"], rows, chat_template=True)
    strict = causal_llama(tmp_path / "strict", chat=False)
    refusing = CHAT.replace("{% if add", "{{ raise_exception('no turn of a user') }}{% if add")
    (Path(strict) / "chat_template.jinja").write_text(refusing)
    with pytest.raises(ValueError, match=r"refuses prompts\[0\].*no turn of a user"):
        computed(strict, rows, chat_template=True)
    picky = CHAT.replace(
        "{% if add", "{% if 'no' in messages[0]['content'] %}{{ raise_exception('no') }}{% endif %}{% if add"
    )
    (Path(strict) / "chat_template.jinja").write_text(picky)
    with pytest.raises(ValueError, match=r"refuses prompts\[2\] \('no'\)"):
        computed(strict, {**pairs(3), "prompts": ["yes", "yes", "no"]}, chat_template=True)


def test_mean_is_the_sum_by_the_number_of_tokens(folders: dict[str, str]) -> None:
    rows = pairs(8)
    whole, mean = (computed(folders["gpt2"], rows, normalize=one)["per_example"] for one in ("sum", "mean"))
    for one, other in zip(whole, mean, strict=True):
        assert other["chosen"] == one["chosen"] / max(one["chosen_tokens"], 1)
        assert other["chosen_log_prob"] == one["chosen_log_prob"] == one["chosen"]


def test_implicit_reward_is_relative_to_the_reference(folders: dict[str, str], tmp_path: Path) -> None:
    other = causal_gpt2(tmp_path / "other", n_embd=48)
    rows = pairs(8)
    alone = [computed(folder, rows)["per_example"] for folder in (folders["gpt2"], other)]
    result = computed(folders["gpt2"], rows, reference_model=other, beta=0.1)
    for row, mine, reference in zip(result["per_example"], *alone, strict=True):
        assert row["chosen"] == pytest.approx(0.1 * (mine["chosen"] - reference["chosen"]), abs=1e-6)
        assert row["chosen_reference_log_prob"] == pytest.approx(reference["chosen"], abs=1e-6)
    assert result["reward_accuracy"] == sum(row["margin"] > 0 for row in result["per_example"]) / 8
    assert "reference:other@sha256-" in result["signature"]
    assert "beta-0.1" in result["signature"]


def test_texts_longer_than_the_context(folders: dict[str, str]) -> None:
    folder = folders["gpt2"]  # for 96 tokens
    rows = {
        "prompts": ["the cat", "x" * 90, "the"],
        "chosen": ["Paris", "y" * 30, "y" * 95],
        "rejected": ["good", "z", "z"],
    }
    message = r"chosen\[1\] has 120 tokens with its prompt, and gpt2 takes 96: .*truncate='left'"
    with pytest.raises(ValueError, match=message):
        computed(folder, {name: column[:2] for name, column in rows.items()})
    result = computed(folder, rows, truncate="left")
    assert result["truncated"] == {"chosen": 1, "rejected": 0}
    assert [row["chosen_truncated"] for row in result["per_example"]] == [False, True, False]
    ids = tokenizer_of(folder)("x" * 90 + "y" * 30).input_ids[-96:]
    want = plain_log_prob(folder, ids[:66], ids[66:])
    assert result["per_example"][1]["chosen"] == pytest.approx(want, abs=1e-5)
    with pytest.raises(ValueError, match=r"rejected\[0\] alone has 96 tokens"):
        computed(folder, {"prompts": ["the"], "chosen": ["a"], "rejected": ["y" * 96]}, truncate="left")


def test_one_text_longer_than_the_context(folders: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"^text\[0\] has 120 tokens with its prompt, and gpt2 takes 96"):
        ra.log_prob("x" * 90, "y" * 30, folders["gpt2"])
    cut = ra.log_prob("x" * 90, "y" * 30, folders["gpt2"], truncate="left")
    assert cut == ra.log_prob("x" * 66, "y" * 30, folders["gpt2"])
    with pytest.raises(TypeError, match="chat_template is 'no'"):
        ra.log_prob("P", "a", folders["gpt2"], chat_template="no")


def test_what_belongs_to_the_other_configuration_is_told_where_it_goes() -> None:
    texts, numbers = load("reward_accuracy"), load("reward_accuracy", config_name="logprobs")
    there = r"\. Log-probabilities go to the other configuration: evaluate.load\(..., 'logprobs'\)$"
    with pytest.raises(TypeError, match=r"^prompts is missing.*" + there):
        texts.compute(chosen=[-1.0], rejected=[-2.0])
    with pytest.raises(TypeError, match=r"^chosen\[0\] is -1.0 \(float\); a string is expected" + there):
        texts.compute(prompts=["p"], chosen=[-1.0], rejected=[-2.0], model="m")
    with pytest.raises(TypeError, match=r"^chosen\[1\] is None \(NoneType\); a string is expected$"):
        texts.compute(prompts=["p", "p"], chosen=["a", None], rejected=["b", "b"], model="m")
    there = r"\. Texts and a model go to the other configuration: evaluate.load\(...\) without 'logprobs'$"
    with pytest.raises(TypeError, match=r"^chosen\[0\] is 'a'.*" + there):
        numbers.compute(chosen=["a"], rejected=["b"])
    for wrong in ({"prompts": ["p"]}, {"model": "m"}):
        with pytest.raises(TypeError, match=r"has no argument.*" + there):
            numbers.compute(chosen=[-1.0], rejected=[-2.0], **wrong)
    with pytest.raises(TypeError, match=r"has no argument 'per_exampel'.*per_example\)$"):
        numbers.compute(chosen=[-1.0], rejected=[-2.0], per_exampel=True)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, "-1", None, True, [-1.0]])
def test_what_is_no_log_probability_is_no_loss(wrong: Any) -> None:
    for arguments, name in (((wrong, -1.0), "chosen"), ((-1.0, wrong), "rejected")):
        with pytest.raises((TypeError, ValueError), match=f"^{name} is "):
            ra.score(*arguments)


def test_equal_texts_tie_and_empty_texts_are_certain(folders: dict[str, str]) -> None:
    rows = {"prompts": ["the", "the", "the"], "chosen": ["cat", "", ""], "rejected": ["cat", "cat", ""]}
    result = computed(folders["gpt2"], rows, batch_size=1)
    assert [row["tie"] for row in result["per_example"]] == [True, False, True]
    assert (result["reward_accuracy"], result["ties"], result["per_example"][1]["chosen"]) == (1 / 3, 2, 0.0)
    notes = [row["note"] for row in result["per_example"]]
    assert notes[1] == "no token in chosen: log-probability 0, that of a certain event"
    assert notes[2].endswith("event; equal rewards: no win")
    assert result["empty"] == {"chosen": 2, "rejected": 1}


def test_lone_surrogates_and_controls_are_texts(folders: dict[str, str]) -> None:
    rows = {"prompts": ["\ud800", "\x00"], "chosen": ["a\udfff", "北京"], "rejected": ["", "\u202e"]}
    result = computed(folders["gpt2"], rows)
    assert all(math.isfinite(row["margin"]) for row in result["per_example"])


def fed_to(monkeypatch: pytest.MonkeyPatch, judge: Any) -> list[tuple[int, int, int]]:
    """Return where it will be noted of each run of a model how many rows and columns go in, and columns come out."""
    fed: list[tuple[int, int, int]] = []
    forward = judge.model.forward

    def noting(ids: Any, **given: Any) -> Any:
        output = forward(ids, **given)
        fed.append((*ids.shape, output.logits.shape[1]))
        return output

    noting.__signature__ = inspect.signature(forward)  # type: ignore[attr-defined]
    monkeypatch.setattr(judge.model, "forward", noting)
    return fed


def test_prompts_are_read_once_and_scores_of_the_vocabulary_made_in_pieces(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, rows = ra.judge_of(folders["llama"]), pairs(30)
    read: list[str] = []
    encoded = ra.encoded

    def noting(tokenizer: Any, several: list[str]) -> Any:
        read.extend(several)
        return encoded(tokenizer, several)

    monkeypatch.setattr(ra, "encoded", noting)
    texts = ra.read(judge, rows["prompts"], rows["chosen"], rows["rejected"])
    assert sorted(read) == sorted(set(rows["prompts"]))
    want = ra.log_probs(judge, texts)
    fed = fed_to(monkeypatch, judge)
    monkeypatch.setattr(jm, "LOGIT_BYTES_CPU", 4 * judge.model.config.vocab_size * 8)
    assert ra.log_probs(judge, texts) == pytest.approx(want, abs=1e-5)
    assert max(rows * out for rows, _, out in fed) <= 16
    fed.clear()
    monkeypatch.setattr(text_model, "CPU_TOKENS", 200)
    assert ra.log_probs(judge._replace(shares=False), texts, 64) == pytest.approx(want, abs=1e-5)
    assert max(rows for rows, *_ in fed) > 1
    assert all(rows * length <= 200 or rows == 1 for rows, length, _ in fed)
    assert sum(rows * out for rows, _, out in fed) < sum(rows * length for rows, length, _ in fed) * 0.8


@pytest.mark.parametrize("shared", [True, False])
def test_texts_of_one_prompt_share_its_computation(
    shared: bool, folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = ra.judge_of(folders["llama"])
    assert judge.shares
    prompt = "the capital of France is " * 4
    texts = ra.read(judge, [prompt] * 3, ["Paris", "good", "bad cat"], ["4", "44 3", "the"])
    fed = fed_to(monkeypatch, judge)
    got = ra.log_probs(judge._replace(shares=shared), texts)
    want = [plain_log_prob(folders["llama"], list(text.context), list(text.tokens)) for text in texts]
    assert got == pytest.approx(want, abs=1e-5)
    assert (sum(rows * length for rows, length, _ in fed) < 2 * len(texts[0].context) + 60) == shared


def of_kind(kind: str, **sizes: Any) -> Callable[[Path], str]:
    """Make a small model of another kind, with the tokenizer of the small GPT-2."""

    def make(folder: Path) -> str:
        from transformers import AutoConfig, AutoModelForCausalLM

        tokenizer = tokenizer_of(causal_gpt2(folder.parent / "tokenizer"))
        common = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
        given = {**common, "num_key_value_heads": 2, "max_position_embeddings": 128, "pad_token_id": 0, **sizes}
        config = AutoConfig.for_model(kind, vocab_size=len(tokenizer), **given)
        return models.save(folder, tokenizer, lambda: AutoModelForCausalLM.from_config(config))

    return make


LONGROPE = {
    "rope_type": "longrope",
    "rope_theta": 1e4,
    "short_factor": [1.0] * 4,
    "long_factor": [2.0, 4.0, 8.0, 16.0],
    "original_max_position_embeddings": 32,
}


@pytest.mark.parametrize(
    ("kind", "sizes", "mixes", "shares"),
    [
        ("gemma2", {"head_dim": 8, "sliding_window": 8, "final_logit_softcapping": 0.05}, True, False),
        ("mistral", {"sliding_window": 6}, True, False),
        ("cohere", {"logit_scale": 0.3}, True, True),
        ("opt", {"ffn_dim": 64, "word_embed_proj_dim": 16}, True, True),
        ("mamba", {"state_size": 4}, True, False),
        # Positions chosen by the longest text at hand would move the others.
        ("phi3", {"rope_parameters": LONGROPE, "original_max_position_embeddings": 32}, False, False),
    ],
)
def test_other_kinds_of_models(kind: str, sizes: dict[str, Any], mixes: bool, shares: bool, tmp_path: Path) -> None:
    folder = of_kind(kind, **sizes)(tmp_path / "model")
    judge, rows = ra.judge_of(folder), pairs(8)
    assert (judge.mixes, judge.shares) == (mixes, shares)
    rows["prompts"][:3], rows["chosen"][:3] = ["x" * 24] * 3, ["y" * 3, "y" * 60, "z" * 8]
    texts = ra.read(judge, rows["prompts"], rows["chosen"], rows["rejected"])
    want = [plain_log_prob(folder, list(text.context), list(text.tokens)) for text in texts]
    assert ra.log_probs(judge, texts, 4) == pytest.approx(want, abs=2e-5)


def test_a_model_that_reads_what_follows_is_refused(tmp_path: Path) -> None:
    folder = of_kind("bert")(tmp_path / "bert")
    with pytest.raises(OSError, match="bert' could not be loaded: OSError: it is no causal language model"):
        computed(folder, pairs(1))


def test_models_with_gaps_are_refused(tmp_path: Path) -> None:
    headless = tiny_bert(tmp_path / "headless")
    with pytest.raises(OSError, match="its files lack weights that the score needs, such as cls"):
        computed(headless, pairs(1))
    with pytest.raises(OSError, match="neither a folder on this machine nor a name"):
        computed("no such/model/at all", pairs(1))
    damaged = causal_gpt2(tmp_path / "damaged")
    next(Path(damaged).glob("*.safetensors")).write_bytes(b"\x00" * 100)
    with pytest.raises(OSError, match=r"the model '.*damaged' could not be loaded"):
        computed(damaged, pairs(1))
    large = causal_gpt2(tmp_path / "large", vocab_size=100)
    with pytest.raises(OSError, match="its tokenizer has more tokens than the model"):
        computed(large, pairs(1))


def test_sixteen_bits_are_named_in_the_signature_and_near(folders: dict[str, str]) -> None:
    rows = pairs(4)
    want, got = computed(folders["llama"], rows), computed(folders["llama"], rows, dtype="bfloat16")
    assert "dtype:bfloat16" in got["signature"]
    assert [row["chosen"] for row in got["per_example"]] == pytest.approx(
        [row["chosen"] for row in want["per_example"]], rel=0.01, abs=0.1
    )
    exact = computed(folders["llama"], rows, dtype="float64")
    assert [row["chosen"] for row in exact["per_example"]] == pytest.approx(
        [slow(folders["llama"], p, c) for p, c in zip(rows["prompts"], rows["chosen"], strict=True)], abs=1e-9
    )


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"chosen": ["a", None]}, r"chosen\[1\] is None"),
    ({"prompts": ["a", 5]}, r"prompts\[1\] is 5 \(int\)"),
    ({"prompts": "ab"}, "prompts is 'ab'"),
    ({"rejected": ["a"]}, "rejected has 1 rows"),
    ({"groups": ["a", ["b"]]}, r"groups\[1\] is \['b'\]"),
    ({"predictions": ["a", "b"]}, "no argument 'predictions'"),
    ({"normalise": "sum"}, "did you mean 'normalize'"),
    ({"normalize": "max"}, "normalize is 'max'; one of 'sum', 'mean'"),
    ({"truncate": "right"}, "truncate is 'right'; one of None, 'left'"),
    ({"truncate": False}, "truncate is False"),
    ({"dtype": "int8"}, "dtype is 'int8'"),
    ({"beta": 0.1}, "beta is 0.1, but it weighs a reward relative to a reference_model"),
    ({"beta": -1}, "beta is -1; a number above 0"),
    ({"batch_size": 0}, "batch_size is 0"),
    ({"chat_template": "yes"}, "chat_template is 'yes'"),
    ({"model": None}, "model is None"),
    ({"reference_model": 5}, "reference_model is 5"),
    ({"device": "xpu9"}, "device is 'xpu9'"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_bad_input_is_refused(change: dict[str, Any], message: str, folders: dict[str, str]) -> None:
    good = {"prompts": ["a", "b"], "chosen": ["a", "b"], "rejected": ["a", "b"], "model": folders["gpt2"]}
    metric = load("reward_accuracy")
    metric.add(prompt="the", chosen="cat", rejected="dog")
    with pytest.raises((TypeError, ValueError), match=message):
        metric.compute(**{**good, "progress": False, **change})
    assert len(metric) == 1


def test_a_prompt_without_any_token_needs_a_mark(folders: dict[str, str], tmp_path: Path) -> None:
    rows = {"prompts": [""], "chosen": ["cat"], "rejected": ["good"]}
    assert computed(folders["gpt2"], rows)["per_example"][0]["chosen_prompt_tokens"] == 1
    bare = shutil.copytree(folders["gpt2"], tmp_path / "bare")
    settings_file = bare / "tokenizer_config.json"
    kept = {k: v for k, v in json.loads(settings_file.read_text()).items() if k not in ("bos_token", "eos_token")}
    settings_file.write_text(json.dumps(kept))
    with pytest.raises(ValueError, match=r"prompts\[0\] is '', of which bare makes no token"):
        computed(str(bare), rows)


def test_the_progress_bar_is_on_the_error_stream(folders: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    computed_with_bar = load("reward_accuracy").compute(**pairs(4), model=folders["gpt2"])
    out, err = capfd.readouterr()
    assert (out, "reward_accuracy gpt2: 100%" in err, computed_with_bar["n"]) == ("", True, 4)


# What is made of two numbers.


REWARDS = st.sampled_from([-1.5, -1.0, 0.0, 2.25])


@given(st.lists(st.tuples(REWARDS, REWARDS, st.sampled_from(["a", "b", ""])), min_size=1))
def test_summaries_by_hand(rows: list[tuple[float, float, str]]) -> None:
    result = ra.summaries([row[:2] for row in rows], [row[2] for row in rows])
    assert result["reward_accuracy"] == pytest.approx(sum(c > r for c, r, _ in rows) / len(rows), abs=1e-15)
    assert result["mean_margin"] == pytest.approx(sum(c - r for c, r, _ in rows) / len(rows), abs=1e-12)
    assert result["ties"] == sum(c == r for c, r, _ in rows)
    assert result["interval"][0] <= result["reward_accuracy"] <= result["interval"][1]
    names = list(dict.fromkeys(row[2] for row in rows))
    assert [one["group"] or "" for one in result["by_group"]] == (names if any(names) else [])
    for one in result["by_group"]:
        own = [(c, r) for c, r, group in rows if group == (one["group"] or "")]
        assert (one["n"], one["ties"]) == (len(own), sum(c == r for c, r in own))


@pytest.mark.parametrize(
    ("wins", "n", "want"),
    # Published examples: Newcombe 1998, table I (81 of 263, 15 of 148, 0 of 20, 1 of 29).
    [(81, 263, [0.2553, 0.3662]), (15, 148, [0.0624, 0.1605]), (0, 20, [0.0, 0.1611]), (1, 29, [0.0061, 0.1718])],
)
def test_wilson_interval_equals_published_ones(wins: int, n: int, want: list[float]) -> None:
    assert [round(end, 4) for end in ra.wilson(wins, n)] == want


def test_logprobs_take_numbers_only() -> None:
    metric = load("reward_accuracy", config_name="logprobs")
    for bad, message in [("-1", r"chosen\[1\] is '-1' \(str\)"), (None, "is None"), (True, "is True")]:
        with pytest.raises(TypeError, match=message):
            metric.compute(chosen=[-1.0, bad], rejected=[-2.0, -3.0])
    for infinite in (math.nan, math.inf, 10**400):
        with pytest.raises(ValueError, match=r"chosen\[0\] is .*; a finite number is expected"):
            metric.compute(chosen=[infinite], rejected=[-2.0])
    with pytest.raises(TypeError, match="no argument 'model'"):
        metric.compute(chosen=[-1.0], rejected=[-2.0], model="gpt2")
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute(chosen=[], rejected=[])
    with pytest.raises(ValueError, match="the configuration of reward_accuracy is 'logprob'"):
        load("reward_accuracy", config_name="logprob")


def test_add_and_add_batch_equal_compute(folders: dict[str, str], tmp_path: Path) -> None:
    numbers = {"chosen": [-1, -2.5, 3.0], "rejected": [-2, -2.5, 4], "groups": ["a", None, "b"]}
    want = load("reward_accuracy", config_name="logprobs").compute(**numbers, per_example=True)
    one = load("reward_accuracy", config_name="logprobs")
    one.add(chosen=-1, rejected=-2, group="a")
    one.add_batch(chosen=[-2.5, 3.0], rejected=[-2.5, 4], groups=["", "b"])
    assert one.compute(per_example=True) == want
    assert [row["group"] for row in want["per_example"]] == ["a", None, "b"]
    rows = pairs(3)
    texts = load("reward_accuracy")
    for prompt, chosen, rejected in zip(*rows.values(), strict=True):
        texts.add(prompt=prompt, chosen=chosen, rejected=rejected)
    result = texts.compute(model=folders["gpt2"], progress=False, per_example=True)
    assert result == computed(folders["gpt2"], rows)
    saved = json.loads(Path(evaluate.save(tmp_path / "result.json", **result)).read_text("utf-8"))
    assert {key: saved[key] for key in result} == result


def test_a_column_that_is_not_there_is_refused_in_add() -> None:
    metric = load("reward_accuracy")
    with pytest.raises(TypeError, match="no column 'predictions'; it takes prompts, chosen, rejected, groups"):
        metric.add_batch(predictions=["a"], prompts=["a"], chosen=["a"], rejected=["b"])


def test_threads_that_share_a_model_disturb_each_other_not(folders: dict[str, str]) -> None:
    rows = pairs(12)
    want = rewards_of(computed(folders["gpt2"], rows))
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(lambda: rewards_of(computed(folders["gpt2"], rows, batch_size=2))) for _ in range(8)]
    for job in jobs:
        assert [x for pair in job.result() for x in pair] == pytest.approx([x for pair in want for x in pair], abs=1e-5)


def test_a_context_of_few_tokens(tmp_path: Path) -> None:
    folder = causal_gpt2(tmp_path / "short", positions=5)
    row = computed(folder, {"prompts": ["xy"], "chosen": ["z"], "rejected": ["zz"]})["per_example"][0]
    assert row["rejected"] == pytest.approx(slow(folder, "xy", "zz"), abs=1e-5)


def test_a_cut_prompt_keeps_the_mark_of_a_beginning(folders: dict[str, str]) -> None:
    judge = ra.judge_of(folders["llama"])
    chosen, rejected = ra.read(judge, ["the " * 200], ["cat"], ["good good"], False, "left")
    ids = tokenizer_of(folders["llama"])("the " * 200).input_ids
    for text in (chosen, rejected):
        assert len(text.context) + len(text.tokens) == 128
        assert (text.context[0], list(text.context[1:])) == (1, ids[1 - len(text.context) :])


@pytest.mark.parametrize(("unknown", "mark"), [(None, "<s>"), ("<s>", "<s>"), ("<unk>", "<s>")])
def test_marks_in_front_are_found_whatever_the_vocabulary(unknown: str | None, mark: str) -> None:
    from tokenizers import Tokenizer, pre_tokenizers, processors
    from tokenizers import models as kinds
    from transformers import PreTrainedTokenizerFast

    words = {word: i for i, word in enumerate(["<s>", "</s>", "<unk>", "dog", "cat"])}
    tokenizer = Tokenizer(kinds.WordLevel(words, **({"unk_token": unknown} if unknown else {})))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $0 </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token=unknown)
    assert ra.contexts(jm.Judge(None, fast, "words", "", "cpu"), ["dog cat"], False) == {"dog cat": (0, 3, 4)}


def test_the_signature_shows_a_template_that_changes_with_the_day(
    folders: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(folders["llama"], tmp_path / "dated"))
    (folder / "chat_template.jinja").write_text("{{ strftime_now('%d %B %Y') }}" + CHAT)
    judge = ra.judge_of(str(folder))
    marks = [ra.template_mark(judge) for _ in range(2)]
    from transformers.utils import chat_template_utils

    class Later(chat_template_utils.datetime):  # type: ignore[name-defined, misc]
        @classmethod
        def now(cls, zone: Any = None) -> Any:
            return cls(2030, 1, 1)

    monkeypatch.setattr(chat_template_utils, "datetime", Later)
    chat_template_utils._compile_jinja_template.cache_clear()
    assert marks[0] == marks[1] != ra.template_mark(judge)
    assert (
        f"chat_template:{ra.template_mark(judge)}" in computed(str(folder), pairs(1), chat_template=True)["signature"]
    )


def test_stretched_positions_reach_as_far_as_the_tokenizer_says(tmp_path: Path) -> None:
    rope = {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e4}
    folder = causal_llama(tmp_path / "stretched", maximum=64, rope_parameters=rope)
    settings_file = Path(folder) / "tokenizer_config.json"
    settings_file.write_text(json.dumps(json.loads(settings_file.read_text()) | {"model_max_length": 200}))
    assert ra.judge_of(folder).max_length == 200


def test_an_adapter_without_peft_says_what_it_needs(folders: dict[str, str], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(folders["gpt2"], tmp_path / "adapter"))
    (folder / "adapter_config.json").write_text("{}")
    with pytest.raises(ImportError, match="pip install peft"):
        computed(str(folder), pairs(1))


def test_numbers_that_no_sum_bears_are_refused() -> None:
    metric = load("reward_accuracy", config_name="logprobs")
    with pytest.raises(ValueError, match=r"rejected\[1\] is -1e\+308.*at most 1e\+100 either way"):
        metric.compute(chosen=[0.0, 1e100], rejected=[0.0, -1e308])
