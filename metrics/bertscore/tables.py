"""The tables of bert_score 0.3.13: the layer to use of each model, and the baselines."""

import importlib.util
import re
from pathlib import Path

# Models by the number of layers with which they agreed best with people on WMT16
# (bert_score/utils.py).
MODELS_BY_LAYER = """
0: amazon/bort
1: google/bert_uncased_L-2_H-128_A-2 google/bert_uncased_L-2_H-256_A-4
    google/bert_uncased_L-2_H-512_A-8 google/byt5-small
2: facebook/blenderbot-400M-distill google/bert_uncased_L-2_H-768_A-12 sshleifer/tiny-mbart
3: google/bert_uncased_L-4_H-128_A-2 google/bert_uncased_L-4_H-256_A-4
    google/bert_uncased_L-4_H-512_A-8 google/bert_uncased_L-4_H-768_A-12
4: dbmdz/distilbert-base-turkish-cased distilbert-base-uncased-distilled-squad
    microsoft/deberta-v3-small microsoft/prophetnet-large-uncased
    zhiheng-huang/bert-base-uncased-embedding-relative-key
5: distilbert-base-multilingual-cased distilbert-base-uncased distilroberta-base
    google/bert_uncased_L-6_H-128_A-2 google/bert_uncased_L-6_H-256_A-4
    google/bert_uncased_L-6_H-512_A-8 google/bert_uncased_L-6_H-768_A-12 xlnet-base-cased
6: allenai/led-base-16384 facebook/bart-base google/bert_uncased_L-8_H-512_A-8 t5-small
    xlm-mlm-en-2048
7: allenai/longformer-base-4096 facebook/blenderbot_small-90M google/bert_uncased_L-8_H-128_A-2
    google/bert_uncased_L-8_H-256_A-4 google/bert_uncased_L-8_H-768_A-12
    microsoft/prophetnet-large-uncased-cnndm microsoft/xprophetnet-large-wiki100-cased
    roberta-base-openai-detector xlnet-large-cased
    zhiheng-huang/bert-base-uncased-embedding-relative-key-query
8: SpanBERT/spanbert-base-cased albert-xxlarge-v1 albert-xxlarge-v2 allenai/scibert_scivocab_uncased
    bert-base-chinese google/bert_uncased_L-10_H-128_A-2 google/bert_uncased_L-10_H-256_A-4
    google/bert_uncased_L-10_H-768_A-12 google/bigbird-base-trivia-itc google/mt5-small
    google/pegasus-large microsoft/mpnet-base princeton-nlp/unsup-simcse-roberta-base
9: YituTech/conv-bert-medium-small albert-base-v2 allenai/scibert_scivocab_cased
    bert-base-cased-finetuned-mrpc bert-base-multilingual-cased bert-base-uncased
    facebook/bart-large-xsum google/bert_uncased_L-10_H-512_A-8 google/bert_uncased_L-12_H-768_A-12
    google/electra-base-discriminator google/electra-small-generator microsoft/deberta-base
    microsoft/deberta-base-mnli microsoft/deberta-v3-base nfliu/scibert_basevocab_uncased
    squeezebert/squeezebert-mnli squeezebert/squeezebert-mnli-headless
    squeezebert/squeezebert-uncased vinai/bertweet-base xlm-roberta-base
10: ProsusAI/finbert YituTech/conv-bert-base YituTech/conv-bert-small albert-base-v1
    dbmdz/bert-base-turkish-cased facebook/bart-large facebook/bart-large-cnn
    google/bert_uncased_L-12_H-128_A-2 google/bert_uncased_L-12_H-512_A-8
    google/bigbird-roberta-base google/electra-base-generator microsoft/deberta-v2-xlarge
    microsoft/deberta-v3-xsmall microsoft/mdeberta-v3-base
    princeton-nlp/sup-simcse-bert-base-uncased princeton-nlp/sup-simcse-roberta-base
    princeton-nlp/unsup-simcse-bert-base-uncased roberta-base xlm-mlm-100-1280
11: facebook/bart-large-mnli google/bert_uncased_L-12_H-256_A-4 google/electra-small-discriminator
    google/mt5-base google/pegasus-xsum ramsrigouthamg/t5_paraphraser t5-base
12: Vamsi/T5_Paraphrase_Paws facebook/mbart-large-50 facebook/mbart-large-50-many-to-many-mmt
    facebook/mbart-large-50-one-to-many-mmt facebook/mbart-large-cc25 facebook/mbart-large-en-ro
    microsoft/deberta-v3-large
13: albert-xlarge-v2 princeton-nlp/unsup-simcse-roberta-large
14: albert-large-v2 allenai/longformer-large-4096 allenai/longformer-large-4096-finetuned-triviaqa
    google/bigbird-roberta-large google/electra-large-discriminator
15: roberta-large-openai-detector tuner007/pegasus_paraphrase
16: albert-xlarge-v1 microsoft/deberta-large princeton-nlp/sup-simcse-roberta-large
17: SpanBERT/spanbert-large-cased albert-large-v1 google/byt5-base microsoft/deberta-v2-xlarge-mnli
    roberta-large xlm-roberta-large
18: bert-large-uncased google/electra-large-generator khalidalt/DeBERTa-v3-large-mnli
    microsoft/deberta-large-mnli microsoft/deberta-xlarge
    princeton-nlp/sup-simcse-bert-large-uncased princeton-nlp/unsup-simcse-bert-large-uncased
19: google/mt5-large roberta-large-mnli
    zhiheng-huang/bert-large-uncased-whole-word-masking-embedding-relative-key-query
21: microsoft/deberta-v2-xxlarge
22: microsoft/deberta-v2-xxlarge-mnli
23: t5-large
24: google/mt5-xl
30: google/byt5-large
40: microsoft/deberta-xlarge-mnli
"""
LAYER_OF_MODEL: dict[str, int] = {}
for word in MODELS_BY_LAYER.split():
    if word.endswith(":"):
        layer = int(word[:-1])
    else:
        LAYER_OF_MODEL[word] = layer


# Models of the table that were trained on several languages, and on one that is not English.
MULTILINGUAL = re.compile(
    "multilingual|xlm-mlm-100|xlm-roberta|/byt5-|/mt5-|mbart|mdeberta|xprophetnet"
)
OTHER_LANGUAGES = {"chinese": "zh", "turkish": "tr"}


def find_language(model: str) -> str | None:
    """Return the language on which a model of the table was trained.

    Return None if it was trained on several, or if the model is not in the table.

    >>> find_language("roberta-large"), find_language("bert-base-chinese")
    ('en', 'zh')
    >>> find_language("google/mt5-base"), find_language("my/model")
    (None, None)
    """
    if model not in LAYER_OF_MODEL or MULTILINGUAL.search(model):
        return None
    for name, language in OTHER_LANGUAGES.items():
        if name in model:
            return language
    return "en"


def describe_language_mismatch(model_type: object, lang: str | None) -> tuple[str, dict[str, str]]:
    """Return the text of a warning if a model was trained on another language than `lang`.

    Returns:
        the sentence, and the values in it; "" and {} without a warning.

    >>> message, values = describe_language_mismatch("roberta-large", "zh")
    >>> message.partition(":")[0]
    "lang is 'zh', and the model 'roberta-large' was trained on 'en'"
    """
    trained_on = find_language(str(model_type))
    if model_type is None or lang is None or trained_on is None:
        return "", {}
    if lang.lower().partition("-")[0] == trained_on:
        return "", {}
    values = {
        "lang": f"{lang!r:.80}",
        "model": f"{str(model_type)!r:.200}",
        "trained_on": repr(trained_on),
    }
    message = (
        "lang is {lang}, and the model {model} was trained on {trained_on}: leave out model_type "
        "to take the model of lang"
    )
    return message.format(**values), values


def read_baselines(model_type: str, lang: str | None) -> list[tuple[float, ...]]:
    """Read bert_score's baselines for a model and a language.

    Returns:
        for each number of layers, the mean precision, recall and F1 of unrelated sentences.

    Raises:
        ImportError: bert_score is not installed.
        ValueError: there is no such baseline, or no language was passed.
    """
    if lang is None:
        raise ValueError("rescale_with_baseline needs lang, the language whose baseline to take")
    package = importlib.util.find_spec("bert_score")
    if package is None or package.origin is None:
        raise ImportError(
            "the baselines to rescale with come with bert_score: pip install bert_score"
        )
    folder = Path(package.origin).parent / "rescale_baseline" / lang
    files = {}
    for path in folder.rglob("*.tsv"):
        files[path.relative_to(folder).as_posix().removesuffix(".tsv")] = path
    if model_type not in files:
        request = f"the model {model_type!r:.200} and lang {lang!r:.80}"
        known_models = ", ".join(sorted(files)) or "none"
        raise ValueError(
            f"bert_score has no baseline for {request}; of this language it has: {known_models}"
        )
    _, *rows = files[model_type].read_text("utf-8").splitlines()
    baselines = []
    for row in rows:
        _, *values = row.split(",")
        baselines.append(tuple(map(float, values)))
    return baselines
