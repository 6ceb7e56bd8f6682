"""The two cards with a model, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from browsing import Demo, fill, open_card, press_score, scores, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


def test_both_cards_show_their_reasons(open_page: Open, demo: Demo) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    found = {name: float(value.lstrip("<>")) for name, value in scores(page, "cosine_similarity", "bertscore").items()}
    assert found["cosine_similarity"] == pytest.approx(0.97, abs=0.011)
    assert 0.9 < found["bertscore"] < 1
    sentence = page.locator(".al-sentence").inner_text()
    assert f"(Cosine similarity {found['cosine_similarity']:.2f} and BERTScore" in sentence
    assert "likeness of subject, not truth" in sentence
    assert "higher is better, -1 to 1" in open_card(page, "cosine_similarity").inner_text()
    bertscore = open_card(page, "bertscore")
    for name in ("Precision", "Recall", "F1"):
        assert re.fullmatch(r"0\.9\d", bertscore.locator(".al-row", has_text=name).locator(".al-number").inner_text())
    answer = bertscore.locator(".al-words").first
    near = [answer.locator("bdi.al-near", has_text=word).count() for word in ("niagara", "mexico")]
    assert near == [1, 0]
    marks = "(one) => getComputedStyle(one).borderBottomStyle + getComputedStyle(one).textDecorationStyle"
    legend = bertscore.locator(".al-legend .al-token")
    assert len({mark.evaluate(marks) for mark in legend.all()}) >= 3, "marks differ by colour alone"
    fill(page, reference="one two three four five " * 200, answer="five four three two six " * 200)
    press_score(page)
    for name in ("cosine_similarity", "bertscore"):
        assert "the model read only the first" in open_card(page, name).inner_text()
