"""Test reward_accuracy: log-probabilities, rewards and summaries.

The log-probabilities are compared with those of a plain loop in 64 bits.
"""

import inspect
import math
import random
import runpy
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.support import models
from tests.support.project import import_file, load

ra: Any = import_file("reward_accuracy")
jm: Any = import_file("reward_accuracy", "judge_model")
text_model: Any = import_file("reward_accuracy", "text_model")


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Tiny models: GPT-2's tokenizer merges across the prompt's end, Llama's adds a space."""
    root = tmp_path_factory.mktemp("causal")
    return {
        "gpt2": models.make_causal_gpt2(root / "gpt2"),
        "llama": models.make_causal_llama(root / "llama"),
    }


@cache
def load_tokenizer(folder: str) -> Any:
    """Return the tokenizer in a folder; it is loaded once."""
    return AutoTokenizer.from_pretrained(folder)


@cache
def load_plain_model(folder: str) -> Any:
    """Return the model in a folder with floats of 64 bits; it is loaded once."""
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64).eval()


def tokenize_plainly(folder: str, text: str) -> list[int]:
    """Return the tokens of a text without special tokens."""
    tokenizer = load_tokenizer(folder)
    tokens: list[int] = tokenizer(text, add_special_tokens=False).input_ids
    return tokens


def compute_log_prob(folder: str, context: list[int], tokens: list[int]) -> float:
    """Return log P(tokens | context), summed over single tokens in 64 bits."""
    model = load_plain_model(folder)
    ids = torch.tensor([[*context, *tokens]])
    with torch.no_grad():
        (logits,) = model(ids).logits
    log_probs = logits.log_softmax(-1)
    # The scores at a position predict the next token.
    first = len(context) - 1
    log_probs_of_tokens = []
    for position, token in enumerate(tokens, first):
        log_prob = log_probs[position, token]
        log_probs_of_tokens.append(log_prob.item())
    return math.fsum(log_probs_of_tokens)


def compute_slowly(folder: str, prompt: str, text: str) -> float:
    """Return the log-probability by its definition: of the text's tokens after the prompt's."""
    tokenizer = load_tokenizer(folder)
    context = tokenizer(prompt).input_ids
    tokens = tokenize_continuation(folder, text)
    return compute_log_prob(folder, context, tokens)


def tokenize_continuation(folder: str, text: str) -> list[int]:
    """Return the tokens of a text after a line break.

    Neither tokenizer merges a line break with any of these texts.
    """
    newline = tokenize_plainly(folder, "\n")
    with_newline = tokenize_plainly(folder, "\n" + text)
    length = len(newline)
    assert with_newline[:length] == newline
    return with_newline[length:]


WORDS = [
    "the",
    "capital",
    "of",
    "France",
    "is",
    "Paris",
    "score: ",
    "4",
    "44",
    "3",
    "cat",
    "good",
    "bad",
    ":",
    ". ",
]


def draw_preference_rows(count: int) -> dict[str, list[str]]:
    """Return rows of many lengths; some prompts are in several rows."""
    rng = random.Random(3)

    def draw_text(least: int, most: int) -> str:
        n_words = rng.randint(least, most)
        return " ".join(rng.choices(WORDS, k=n_words))

    def draw_answer() -> str:
        return rng.choice(["", " "]) + draw_text(0, 9)

    prompts = []
    for _ in range(max(1, count // 2)):
        prompt = draw_text(1, 16) + rng.choice(["", " ", "\n"])
        prompts.append(prompt)
    return {
        "prompts": rng.choices(prompts, k=count),
        "chosen": [draw_answer() for _ in range(count)],
        "rejected": [draw_answer() for _ in range(count)],
    }


def compare_answers(folder: str, rows: dict[str, Any], **settings: Any) -> dict[str, Any]:
    """Return the result of reward_accuracy with the model in a folder, with an entry per row."""
    settings = {"progress": False, "per_example": True, **settings}
    metric = load("reward_accuracy")
    result = metric.compute(**rows, model=folder, **settings)
    return dict(result)


def list_rewards(result: dict[str, Any]) -> list[float]:
    """Return the rewards of both answers of each row, the chosen one first."""
    rewards = []
    for row in result["per_example"]:
        rewards += [row["chosen"], row["rejected"]]
    return rewards


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_log_probabilities_equal_those_of_a_plain_loop_in_64_bits(
    kind: str, folders: dict[str, str], tmp_path: Path
) -> None:
    """They depend neither on the size of batches nor on the side of padding."""
    rows = draw_preference_rows(24)
    folder = folders[kind]
    padded_left = str(shutil.copytree(folder, tmp_path / kind))
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left", truncation_side="left")
    tokenizer.save_pretrained(padded_left)
    expected = compute_rewards_slowly(folder, rows)
    assert min(expected) < -30
    for model, batch_size in ((folder, 1), (folder, 7), (padded_left, 16)):
        result = compare_answers(model, rows, batch_size=batch_size)
        assert list_rewards(result) == pytest.approx(expected, abs=1e-5)


def compute_rewards_slowly(folder: str, rows: dict[str, list[str]]) -> list[float]:
    """Return the log-probabilities of both answers of each row, by a plain loop in 64 bits."""
    rewards = []
    for prompt, chosen, rejected in zip(*rows.values(), strict=True):
        rewards.append(compute_slowly(folder, prompt, chosen))
        rewards.append(compute_slowly(folder, prompt, rejected))
    return rewards


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_threads_that_share_a_model_get_the_same_log_probabilities(
    kind: str, folders: dict[str, str]
) -> None:
    rows = draw_preference_rows(24)
    folder = folders[kind]

    def compute_rewards() -> list[float]:
        result = compare_answers(folder, rows, batch_size=2)
        return list_rewards(result)

    expected = compute_rewards()
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(compute_rewards) for _ in range(8)]
    for job in jobs:
        assert job.result() == pytest.approx(expected, abs=1e-5)


PREFIX_SPACE = pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=False)
PREPEND_SPACE = normalizers.Prepend(" ")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("pre_tokenizer", PREFIX_SPACE),
        ("normalizer", PREPEND_SPACE),
        ("normalizer", normalizers.Sequence([PREPEND_SPACE])),
    ],
    ids=["prefix space", "normalizer", "sequence of normalizers"],
)
def test_a_space_that_a_tokenizer_would_add_is_left_out(
    folders: dict[str, str], part: str, value: Any
) -> None:
    """The tokenizer itself is not changed."""
    original = load_tokenizer(folders["gpt2"])
    with_space = tokenize_plainly(folders["gpt2"], " the cat")
    backend = Tokenizer.from_str(original.backend_tokenizer.to_str())
    setattr(backend, part, value)
    tokenizer = original.__class__(tokenizer_object=backend)
    without_space, own_space = ra.tokenize_following(tokenizer, ["the cat", " the cat"])
    assert tokenizer.decode(without_space) == "the cat"
    assert own_space == with_space
    assert tokenizer("the cat", add_special_tokens=False).input_ids == with_space


def test_the_chat_template_puts_the_prompt_into_the_users_turn(folders: dict[str, str]) -> None:
    rows = draw_preference_rows(6)
    folder = folders["llama"]
    result = compare_answers(folder, rows, chat_template=True)
    for number, row in enumerate(result["per_example"]):
        prompt = rows["prompts"][number].strip()
        text = rows["chosen"][number]
        context = tokenize_plainly(folder, f"<user>{prompt}</s><assistant>")
        tokens = tokenize_continuation(folder, text)
        expected = compute_log_prob(folder, context, tokens)
        assert row["chosen"] == pytest.approx(expected, abs=1e-5)


def test_a_tokenizer_without_a_chat_template_is_refused(folders: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="chat_template is not set"):
        compare_answers(folders["gpt2"], draw_preference_rows(1), chat_template=True)


def test_the_signature_identifies_what_the_chat_template_writes(
    folders: dict[str, str], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(folders["llama"], tmp_path / "dated"))

    def read_template_mark(day: str) -> str:
        (folder / "chat_template.jinja").write_text(day + models.CHAT)
        result = compare_answers(str(folder), draw_preference_rows(1), chat_template=True)
        mark: str = result["signature"].split("|chat_template:")[1][:19]
        return mark

    first_of_may = read_template_mark("1 May")
    assert read_template_mark("1 May") == first_of_may
    assert read_template_mark("2 May") != first_of_may


def test_a_mean_log_probability_is_the_sum_by_the_number_of_tokens(
    folders: dict[str, str],
) -> None:
    folder = folders["gpt2"]
    rows = draw_preference_rows(8)
    sums = compare_answers(folder, rows, normalize="sum")["per_example"]
    means = compare_answers(folder, rows, normalize="mean")["per_example"]
    for with_sum, with_mean in zip(sums, means, strict=True):
        n_tokens = max(with_sum["chosen_tokens"], 1)
        assert with_mean["chosen"] == with_sum["chosen"] / n_tokens
        assert with_mean["chosen_log_prob"] == with_sum["chosen_log_prob"]
        assert with_sum["chosen_log_prob"] == with_sum["chosen"]


def test_rewards_may_be_relative_to_a_reference_model(
    folders: dict[str, str], tmp_path: Path
) -> None:
    folder = folders["gpt2"]
    reference_folder = models.make_causal_gpt2(tmp_path / "other", n_embd=48)
    rows = draw_preference_rows(8)
    log_probs = list_rewards(compare_answers(folder, rows))
    reference_log_probs = list_rewards(compare_answers(reference_folder, rows))
    result = compare_answers(folder, rows, reference_model=reference_folder, beta=0.1)
    expected = []
    for log_prob, reference_log_prob in zip(log_probs, reference_log_probs, strict=True):
        difference = log_prob - reference_log_prob
        expected.append(0.1 * difference)
    assert list_rewards(result) == pytest.approx(expected, abs=1e-6)
    shown = [row["chosen_reference_log_prob"] for row in result["per_example"]]
    assert shown == pytest.approx(reference_log_probs[::2], abs=1e-6)
    assert "|reference:other@sha256-" in result["signature"]
    assert ",beta-0.1|" in result["signature"]


def test_texts_longer_than_the_context_are_truncated_and_counted(folders: dict[str, str]) -> None:
    folder = folders["gpt2"]  # its context has 96 tokens
    rows = {
        "prompts": ["the", "x" * 90, "the"],
        "chosen": ["a", "y" * 30, "y" * 95],
        "rejected": ["good", "z", "z"],
    }
    result = compare_answers(folder, rows, truncate="left")
    assert result["chosen_truncated"] == 1
    assert result["rejected_truncated"] == 0
    per_example = result["per_example"]
    assert [row["chosen_truncated"] for row in per_example] == [False, True, False]
    # The prompt keeps 96 - 30 = 66 tokens.
    truncated = compute_slowly(folder, "x" * 66, "y" * 30)
    assert per_example[1]["chosen"] == pytest.approx(truncated, abs=1e-5)


def test_an_answer_longer_than_the_context_is_refused(folders: dict[str, str]) -> None:
    rows = {
        "prompts": ["the"],
        "chosen": ["a"],
        "rejected": ["y" * 96],
    }
    with pytest.raises(ValueError, match=r"rejected\[0\] has 97 tokens .*: shorten it$"):
        compare_answers(folders["gpt2"], rows, truncate="left")


def test_a_truncated_prompt_keeps_the_mark_of_its_beginning(folders: dict[str, str]) -> None:
    """The context of the model has 128 tokens."""
    judge = ra.load_judge(folders["llama"])
    prompt = "the " * 200
    prompt_tokens = load_tokenizer(folders["llama"])(prompt).input_ids
    answers = {"chosen": ["cat"], "rejected": ["good good"]}
    for text in ra.prepare_texts(judge, [prompt], answers, False, "left"):
        n_kept = 128 - 1 - len(text.tokens)
        assert text.context == (1, *prompt_tokens[-n_kept:])


def test_notes_of_rows_and_the_progress_bar(folders: dict[str, str], capfd: Any) -> None:
    rows = {
        "prompts": ["the", "the"],
        "chosen": ["cat", ""],
        "rejected": ["good", ""],
    }
    result = compare_answers(folders["gpt2"], rows, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "reward_accuracy gpt2: 100%" in err
    note = (
        "no token in chosen and rejected: log-probability 0, that of a certain event; "
        "equal rewards: no win"
    )
    with_tokens, without_tokens = result["per_example"]
    assert with_tokens["note"] is None
    assert without_tokens["note"] == note


def test_batches_of_long_texts_are_split(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = ra.load_judge(folders["llama"])
    rows = draw_preference_rows(30)
    texts = ra.prepare_texts(judge, rows.pop("prompts"), rows)
    expected = ra.compute_log_probs(judge, texts)
    scores_after = mock.Mock(side_effect=jm.score_vocabulary)
    monkeypatch.setattr(jm, "score_vocabulary", scores_after)
    monkeypatch.setattr(text_model, "CPU_TOKENS", 200)
    # A score has four bytes.
    bytes_per_token = 4 * judge.model.config.vocab_size
    for scores in (1000, 50):
        monkeypatch.setattr(jm, "LOGIT_BYTES_CPU", bytes_per_token * scores)
        scores_after.reset_mock()
        log_probs = ra.compute_log_probs(judge, texts, 64)
        assert log_probs == pytest.approx(expected, abs=1e-5)
        batches = list_model_batches(scores_after)
        assert max(batch.rows for batch in batches) > 1
        for batch in batches:
            if batch.rows > 1:
                assert batch.tokens <= 200
                assert batch.scored_tokens <= scores
    n_scored = sum(batch.scored_tokens for batch in batches)
    n_tokens = sum(batch.tokens for batch in batches)
    assert n_scored < 0.8 * n_tokens


@dataclass(frozen=True)
class Batch:
    """The sizes of a batch: its rows, its tokens, and those with scores of the vocabulary."""

    rows: int
    tokens: int
    scored_tokens: int


def list_model_batches(score_vocabulary: mock.Mock) -> list[Batch]:
    """Return the batches that a model got, from the calls of `score_vocabulary`."""
    batches = []
    for call in score_vocabulary.call_args_list:
        _, ids, first = call.args
        rows, length = ids.shape
        scored_length = length - first
        batch = Batch(rows, rows * length, rows * scored_length)
        batches.append(batch)
    return batches


LONGROPE = {
    "rope_type": "longrope",
    "short_factor": [1.0] * 4,
    "long_factor": [2.0, 4.0, 8.0, 16.0],
}
USUAL = {"num_key_value_heads": 2, "max_position_embeddings": 128, "pad_token_id": 0}


@pytest.mark.parametrize(
    ("kind", "sizes"),
    [
        ("gemma2", {"head_dim": 8, "sliding_window": 8, "final_logit_softcapping": 0.05}),
        ("mistral", {"sliding_window": 6}),
        ("cohere", {"logit_scale": 0.3}),
        ("opt", {"ffn_dim": 64, "word_embed_proj_dim": 16}),
        ("mamba", {"state_size": 4}),
        # If the longest text of a batch decided on the positions, it would change the scores of the
        # others.
        ("phi3", {"rope_parameters": LONGROPE, "original_max_position_embeddings": 32}),
    ],
)
def test_log_probabilities_of_other_types_of_models(
    kind: str, sizes: dict[str, Any], tmp_path: Path
) -> None:
    tokenizer = models.make_gpt2_tokenizer()
    all_sizes = {**USUAL, **sizes}
    folder = models.make_causal_model(tmp_path / "model", kind, tokenizer, **all_sizes)
    judge = ra.load_judge(folder)
    rows = draw_preference_rows(8)
    # Three rows with one prompt, and answers of very different lengths.
    rows["prompts"][:3] = ["x" * 24] * 3
    rows["chosen"][:3] = ["y" * 3, "y" * 60, "z" * 8]
    texts = ra.prepare_texts(judge, rows.pop("prompts"), rows)
    expected = []
    for text in texts:
        log_prob = compute_log_prob(folder, [*text.context], [*text.tokens])
        expected.append(log_prob)
    log_probs = ra.compute_log_probs(judge, texts, 4)
    assert log_probs == pytest.approx(expected, abs=2e-5)


def test_log_probabilities_that_are_nan_are_refused(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ra, "compute_log_probs", lambda judge, texts, *_: [-1.0, -math.inf])
    judge = ra.load_judge(folders["gpt2"])
    texts = [ra.Text((1,), (2,), place) for place in ("chosen[0]", "rejected[0]")]
    message = r"gpt2 gives rejected\[0\] the log-probability -inf; dtype='float32'"
    with pytest.raises(ValueError, match=message):
        ra.compute_rewards(judge, texts)


def test_invalid_input_is_refused_and_added_rows_are_kept(folders: dict[str, str]) -> None:
    metric = load("reward_accuracy")
    settings = {"model": folders["gpt2"], "progress": False}
    metric.add(prompt="the", chosen="cat", rejected="dog")
    invalid = {
        "truncate": "right",
        "beta": -1,
        "batch_size": 0,
        "reference_model": 5,
    }
    for name, value in invalid.items():
        with pytest.raises((TypeError, ValueError), match=f"{name} is {value!r}"):
            metric.compute(**settings, **{name: value})
    result = metric.compute(**settings)
    assert result["n"] == 1
    message = "configuration is 'logprob'; one of 'default', 'model', 'logprobs'"
    with pytest.raises(ValueError, match=message):
        load("reward_accuracy", config_name="logprob")


def test_special_tokens_are_before_a_prompt_and_not_after_it(folders: dict[str, str]) -> None:
    tokenizer = models.make_metaspace_tokenizer(128)
    template = processors.TemplateProcessing(
        single="<s> $0 </s>",
        special_tokens=[("<s>", 1), ("</s>", 2)],
    )
    tokenizer.backend_tokenizer.post_processor = template
    the = tokenizer("the", add_special_tokens=False).input_ids
    assert tokenizer("the").input_ids == [1, *the, 2]
    judge = SimpleNamespace(tokenizer=tokenizer)
    with_prompt, without_prompt = ra.tokenize_prompts(judge, ["the", ""], False)
    assert with_prompt == (1, *the)
    assert without_prompt == (1,)


def test_a_text_without_a_prompt_begins_the_sequence(folders: dict[str, str]) -> None:
    judge = ra.load_judge(folders["llama"])
    (text,) = ra.prepare_texts(judge, [""], {"text": ["cat"]})
    tokenizer = load_tokenizer(folders["llama"])
    assert [*text.context, *text.tokens] == tokenizer("cat").input_ids


def test_an_empty_prompt_is_the_mark_of_the_end_if_there_is_none_of_the_beginning(
    folders: dict[str, str],
) -> None:
    """Without either mark it is refused, because no token would be before the answer."""
    tokenizer = AutoTokenizer.from_pretrained(folders["gpt2"])
    judge = SimpleNamespace(tokenizer=tokenizer, name="gpt2")
    (context,) = ra.tokenize_prompts(judge, [""], False)
    assert context == (tokenizer.eos_token_id,)
    tokenizer.bos_token = None
    tokenizer.eos_token = None
    with pytest.raises(ValueError, match=r"prompts\[0\] is '', of which gpt2 makes no token"):
        ra.tokenize_prompts(judge, [""], False)


REWARDS = st.sampled_from([-1.5, -1.0, 0.0, 2.25])
GROUPS = st.sampled_from(["a", "b", ""])
ROWS = st.lists(st.tuples(REWARDS, REWARDS, GROUPS), min_size=1)


@given(ROWS)
def test_summaries_equal_a_plain_computation(rows: list[tuple[float, float, str]]) -> None:
    pairs = [(chosen, rejected) for chosen, rejected, _ in rows]
    groups = [group for _, _, group in rows]
    result = ra.summarize_groups(pairs, groups)
    check_summary(result, pairs)
    by_group = result.get("by_group", [])
    # Without any name there are no groups.
    pairs_of_group: dict[str, list[tuple[float, float]]] = {}
    if any(groups):
        for chosen, rejected, group in rows:
            pairs_of_group.setdefault(group, []).append((chosen, rejected))
    names = [summary["group"] or "" for summary in by_group]
    assert names == list(pairs_of_group)
    for name, summary in zip(names, by_group, strict=True):
        check_summary(summary, pairs_of_group[name])


def check_summary(summary: dict[str, Any], pairs: list[tuple[float, float]]) -> None:
    """Check the figures of pairs of rewards against a plain computation."""
    margins = [chosen - rejected for chosen, rejected in pairs]
    wins = sum(margin > 0 for margin in margins)
    n = len(pairs)
    mean_margin = sum(margins) / n
    assert summary["n"] == n
    assert summary["ties"] == margins.count(0)
    assert summary["reward_accuracy"] == pytest.approx(wins / n, abs=1e-15)
    assert summary["mean_margin"] == pytest.approx(mean_margin, abs=1e-12)
    low, high = summary["interval"]
    assert low <= summary["reward_accuracy"] <= high


def test_intervals_equal_those_of_scipy() -> None:
    million = 1_000_000
    wins_of_million = (0, 1, 17, 333_333, 500_000, 999_999, million)
    cases = [(wins, million) for wins in wins_of_million]
    for pairs in (1, 2, 3, 10, 29, 60):
        cases += [(wins, pairs) for wins in range(pairs + 1)]
    for wins, pairs in cases:
        test = stats.binomtest(wins, pairs)
        low, high = test.proportion_ci(0.95, "exact")
        interval = ra.compute_interval(wins, pairs)
        assert interval == pytest.approx([low, high], abs=1e-11)


@pytest.mark.parametrize(
    ("wins", "pairs", "interval"),
    [
        (81, 263, [0.2527, 0.3676]),
        (15, 148, [0.0578, 0.1617]),
        (0, 20, [0.0, 0.1684]),
        (1, 29, [0.0009, 0.1776]),
    ],
)
def test_intervals_equal_those_of_newcombe_1998_table_1(
    wins: int, pairs: int, interval: list[float]
) -> None:
    assert [round(end, 4) for end in ra.compute_interval(wins, pairs)] == interval


def test_a_copied_scoring_file_gives_equal_numbers(folders: dict[str, str], tmp_path: Path) -> None:
    copy = shutil.copy(inspect.getfile(ra), str(tmp_path / "pasted.py"))
    names = runpy.run_path(copy)
    assert names["load_judge"].__module__ == "<run_path>"
    log_prob_of_copy = names["log_prob"]
    texts = [
        ("the capital", " of France"),
        ("", "cat"),
        ("the", ""),
        ("score: ", "\ud800 4"),
    ]
    models_and_settings: list[tuple[str, dict[str, Any]]] = [
        ("gpt2", {"normalize": "mean"}),
        ("llama", {"chat_template": True}),
        ("llama", {}),
    ]
    for prompt, text in texts:
        for kind, settings in models_and_settings:
            expected = ra.log_prob(prompt, text, folders[kind], **settings)
            of_copy = log_prob_of_copy(prompt, text, folders[kind], **settings)
            assert of_copy == pytest.approx(expected, abs=1e-5)
    message = r"^text\[0\] has 120 tokens with its prompt, .* takes 96: .*truncate='left'"
    with pytest.raises(ValueError, match=message):
        log_prob_of_copy("x" * 90, "y" * 30, folders["gpt2"])
