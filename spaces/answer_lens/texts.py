"""Every text of the page, kept together so that a translation is one more table.

What belongs to one metric (its title and what it measures) stands in registry.py; what belongs to one example stands
in examples.py.
"""

LANGUAGE = "en"

ENGLISH = {
    # The page
    "title": "Answer Lens",
    "tagline": "Every score for one answer, side by side: its value, its reasons, and where the scores disagree.",
    "description": "Score one free-form answer with several published metrics at once and see why they disagree.",
    "examples": "Try an example",
    "question": "Question",
    "question_info": "Only a judge reads it.",
    "reference": "Reference",
    "reference_placeholder": "The right answer",
    "answer": "Answer to score",
    "answer_placeholder": "What the model said",
    "keywords": "Keywords (optional)",
    "keywords_placeholder": "Words the answer cannot do without",
    "keywords_info": "Separate them with spaces. Only LV-Eval F1 reads them.",
    "score": "Score",
    "keys": "Enter in a one-line field, or Shift + Enter in a text, scores too. "
    "Nothing you type is stored, and nothing leaves the computer this page runs on unless you choose a judge.",
    # The judge
    "judge": "Judge (optional)",
    "judge_info": "A language model can grade the answer too. Score then sends question, reference and answer to the "
    "provider that you choose here, which may charge you for it.",
    "judge_provider": "Provider",
    "judge_model": "Model",
    "judge_model_placeholder": "As the provider names it",
    "judge_key": "Key",
    "judge_key_info": "Goes to the provider with this one request and is kept nowhere.",
    "judge_key_info_here": "Goes to the provider with this one request and is kept nowhere. Left empty, the provider’s "
    "environment variable is taken, if there is one.",
    "judge_address": "Address (optional)",
    "judge_address_info": "Of another server that speaks the OpenAI API; it gets the texts instead, and only a key "
    "that stands above.",
    "lacks_provider": "a provider",
    "lacks_model": "a model",
    "lacks_key": "a key",
    "lacks_key_or": "a key (or the environment variable {variable})",
    "and_last": "{first} and {last}",
    "needs_judge": "Needs a judge: give {missing} under “Judge”, then press Score. Or ask any language model "
    "yourself: this is the prompt.",
    "judge_needed": "Needs a judge",
    "judge_unasked": "Not asked yet",
    "press_score": "Press Score to ask the judge. It costs what the provider charges, so it is never asked before.",
    "open_judge": "Choose a judge",
    "asking_judge": "Asking {model}. The other scores don’t wait for it.",
    "no_question": "The question is empty, so the judge gets none.",
    "judge_not_offered": "This page does not ask that provider.",
    "judge_no_address": "On a public page a judge has the address of its provider; another cannot be chosen.",
    "judge_too_long": "Provider, model, key and address have at most {limit} characters each.",
    "unjudged": "{why}. That is not a score of 0. What came back: {message}.",
    # Why a judge gave no score, by the reason codes of the modules
    "reason_bad_key": "The provider does not accept this key",
    "reason_forbidden": "This key may not use this model",
    "reason_no_model": "The provider has no such model",
    "reason_parameter_refused": "This model refuses a setting that the score needs",
    "reason_no_logprobs": "This model gives no log-probabilities, without which there is no L3Score",
    "reason_quota": "The account has no credit or quota left",
    "reason_redirect": "The address leads to another, which is not followed",
    "reason_unreachable": "No server answered at this address",
    "reason_bad_request": "The provider refuses the question as it stands",
    "reason_rate_limited": "The provider has too many questions to answer just now; try again later",
    "reason_server_error": "The provider has trouble of its own; try again later",
    "reason_connection": "The connection broke off; try again",
    "reason_timeout": "No answer came in time",
    "reason_context_too_long": "The texts are too long for this model",
    "reason_content_filter": "The provider’s content filter stopped it",
    "reason_refusal": "The judge refused to judge this",
    "reason_cut_off": "The judge’s reply was cut off before it came to an end",
    "reason_no_choices": "The judge’s reply is empty",
    "reason_no_content": "The judge’s reply is empty",
    "reason_logprobs_missing": "The reply has no log-probabilities, without which there is no L3Score",
    "reason_logprobs_malformed": "The log-probabilities of the reply make no sense",
    "reason_not_json": "What answered is no language model’s server",
    "reason_error_in_reply": "The provider answered with an error",
    "reason_no_verdict": "The judge’s reply has no verdict in it",
    "reason_bad_verdict": "The judge’s verdict is neither 0 nor 1",
    "reason_ambiguous": "The judge’s reply has two verdicts that differ",
    "reason_other": "The judge gave no usable verdict",
    "reason_asks_key": "The server asks for a key",
    "reason_no_model_there": "The server has no such model, or the address is wrong (does it end in /v1?)",
    "judge_refused": "The judge was not asked: {message}.",
    "results": "Scores",
    "footer": "Every score here is computed by the module that you can load with evaluate.load: "
    "the same code, the same number.",
    "foreign_host": "Answer Lens serves only the computer it runs on, under the names localhost and 127.0.0.1. "
    "To serve it under another name, start it with ANSWER_LENS_PUBLIC=1.",
    # What is going on
    "progress": "{done} of {total} scores ready",
    "example_shows": "Example",
    "waiting": "Waiting",
    "still_one": "1 score is still to come.",
    "still_more": "{count} scores are still to come.",
    "scores_of_words": "Words in common",
    "scores_of_judges": "A language model’s verdict",
    "scores_of_embeddings": "Nearness in a model’s space (each on a scale of its own)",
    "computing": "Computing. The first time takes a few seconds, while the metric is loaded.",
    "computing_again": "Computing.",
    "loading_model": "Loading the model {model} on first use. The other scores don’t wait for it.",
    "fetching_model": "Fetching and loading the model {model}{size} on first use, which can take minutes. The other "
    "scores don’t wait for it.",
    "download_size": " (a download of {size})",
    # States of a card
    "not_scored": "No score",
    "needs_reference": "Needs a reference: paste the right answer into the field “Reference”.",
    "no_reference": "The reference is empty, so there is nothing to compare the answer with.",
    "too_long": "{field} is too long: {length:,} characters, and this page takes at most {limit:,}. "
    "Shorten it, or score it with the module itself, which has no such limit.",
    "model_not_here": "The model {model} is not on this machine. Press Score to fetch it{size}, or name another, or "
    "a folder that holds one, in the environment variable {variable}.",
    "model_unavailable": "{message}. For this page, name it in the environment variable {variable}.",
    "wrong_layers": "{message}. This page takes it from the environment variable {variable}.",
    "unavailable": "Not available here. Run this page from a clone of the project, where the folder metrics/{name} "
    "stands beside spaces/, or set the environment variable ANSWER_LENS_ORG to the Hugging Face organisation "
    "that holds the metric modules.",
    "package_missing": "A package is missing where this page runs: {message}",
    "not_loaded": "The module {module} could not be loaded ({error}). The other scores are not affected.",
    "refused": "The metric refused this input: {message}",
    "failed": "This score could not be computed ({error}). That is not a score of 0, and the other scores are not "
    "affected.",
    # Parts of a card
    "percent_most": "more than 99%",
    "percent_least": "less than 1%",
    "higher": "higher is better",
    "lower": "lower is better",
    "range": "{low} to {high}",
    "answer_words": "Answer, as the metric reads it",
    "reference_words": "Reference, as the metric reads it",
    "no_words": "(no words)",
    "more_words": "… and {count:,} more not shown",
    "in_both": "in both",
    "reordered": "in both, elsewhere",
    "answer_only": "only in the answer",
    "missing": "missing from the answer",
    "blacklisted": "blacklisted",
    "legend": "Legend",
    "signature": "Signature",
    "copy": "Copy",
    "copied": "Copied",
    "copy_signature": "Copy the signature of {title}",
    "paper_of": "Paper: {paper}",
    "metric_card_of": "Metric card of {title}",
    "metric_card_at": "Metric card: {path}",
    # Reasons
    "precision": "Precision",
    "recall": "Recall",
    "of_answer": "{count} of {total} words of the answer",
    "of_reference": "{count} of {total} words of the reference",
    "of_distinct_answer": "{count} of {total} different words of the answer",
    "of_distinct_reference": "{count} of {total} different words of the reference",
    "keyword_recall": "Keyword recall",
    "of_keywords": "{count} of {total} words",
    "reference_recall": "Gate: recall of the whole reference",
    "gate_failed": "Gate not met: at least {threshold} is needed, so the score is 0.",
    "gate_passed": "Gate met: at least {threshold} is needed.",
    "gate_none": "No keywords, no gate: the score is the token F1.",
    "gate_off": "The gate is off: the score is the token F1.",
    "before_gate": "F1 before the gate",
    "keywords_matched": "Found",
    "keywords_missing": "Missing",
    "keywords_blacklisted": "Blacklisted, never counts",
    "blacklist_note": "Blacklisted words never count as keywords. They do count in F1, as in the published code.",
    "blacklist_removed": "Blacklisted words are removed before the two texts are compared.",
    "ngrams": "{n}-gram precision",
    "of_ngrams": "{count} of {total}",
    "brevity": "Brevity penalty",
    "length_ratio": "Answer length / reference length: {ratio:.2f}. Tokenizer: {tokenizer}. Where no run of a length "
    "is shared, smoothing leaves a small precision.",
    "measure": "Measure",
    "f": "F",
    "p": "P",
    "r": "R",
    "how_cosine": "Each text is one point, so this shows how near their subjects lie, not whether the answer is true: "
    "a wrong name in a right sentence hardly moves it.",
    "prediction_tokens": "Answer, in tokens",
    "reference_tokens": "Reference, in tokens",
    "tokens_of_both": "{answer:,} tokens in the answer, {reference:,} in the reference, the model’s marks included",
    "at_most": "; the model reads at most {limit:,} of each",
    "of_at_most": "{length:,} (limit {limit:,})",
    "prediction_cut": "The model read only the first {limit:,} tokens of the answer: the rest plays no part in the "
    "score.",
    "reference_cut": "The model read only the first {limit:,} tokens of the reference: the rest plays no part in the "
    "score.",
    "how_bertscore": "With many models even unrelated texts score far above 0 (about 0.52 with the default one): "
    "differences count, not the height.",
    "bert_precision": "Precision",
    "bert_recall": "Recall",
    "bert_f1": "F1",
    "of_answer_words": "mean over the words of the answer",
    "of_reference_words": "mean over the words of the reference",
    "near_90": "0.9 or more",
    "near_70": "0.7 to 0.9",
    "near_50": "0.5 to 0.7",
    "near_less": "below 0.5",
    "weakest": "Weakest words and their best match",
    "answer_side": "(answer)",
    "reference_side": "(reference)",
    "matched_nothing": "(no word)",
    "word_by_word": "Every word and its best match",
    "answer_table": "Words of the answer",
    "reference_table": "Words of the reference",
    "word": "Word",
    "best_match": "Best match",
    "similarity": "Similarity",
    "weight": "Weight",
    "branch_both": "The judge answers in one word, Yes or No. The score is the share of yes: yes / (yes + no).",
    "branch_yes_only": "The judge says Yes, and No is not among its likeliest first words: the probability of No is "
    "put at the most it can be.",
    "branch_no_only": "The judge says No, and Yes is not among its likeliest first words: the probability of Yes is "
    "put at the most it can be.",
    "branch_neither": "Neither Yes nor No is among the judge’s likeliest first words. The score is 0 by definition "
    "and says nothing about the answer.",
    "p_yes": "Yes",
    "p_no": "No",
    "p_other": "Other words",
    "estimated": "not listed, estimated",
    "not_listed": "not listed",
    "first_tokens": "Likeliest first words",
    "empty_token": "(empty)",
    "pass": "PASS",
    "fail": "FAIL",
    "verdict": "The judge’s verdict: {verdict}",
    "reasoning": "The judge’s reasoning",
    "no_reasoning": "The judge gave no reasoning.",
    "paid": "{model}: {tokens}, {cost}",
    "paid_tokens": "{input:,} tokens in, {output:,} out",
    "paid_unreported": "tokens not reported",
    "price_unknown": "price unknown",
    "sent_again": " ({count} requests)",
    "prompt": "The exact prompt",
    "prompt_of": "The exact prompt of {title}",
    "prompt_replaced": "Signs that a page cannot hold are replaced by � here.",
    "copy_prompt": "Copy the prompt of {title}",
    # The judge check: its tab and its fields
    "one_answer": "One answer",
    "judge_check": "Judge check",
    "check_head": "Is this judge any good?",
    "check_info": "Take a file of a judge’s work on texts that were changed on purpose, as in the dataset "
    "JudgeBias-DPO-RefFree-testset: some only reworded, some with an error put in. A good judge keeps its score for "
    "the first and lowers it for the second.",
    "check_file": "File: CSV, JSONL, JSON or Parquet",
    "check_file_info": "At most {size} MB and {rows:,} rows. It is read in memory, kept nowhere, and gone when the "
    "numbers are there.",
    "check_columns": "Columns that count",
    "check_replies": "<code>generated</code> (the judge’s reply), <code>anchor_score</code> and "
    "<code>perturbation_category</code> (represent or error): representational bias and error sensitivity.",
    "check_chances": "<code>chosen_logprob</code> and <code>rejected_logprob</code>: reward accuracy.",
    "check_type": "<code>perturbation_type</code>, if it is there: all of it by type.",
    "check_other": "Other columns may be there and are not read.",
    "range_low": "Lowest score",
    "range_high": "Highest score",
    "range_info": "Optional: the scale of the judge, such as 1 to 5. With it you see how far replies without a score "
    "could move the numbers.",
    "check": "Check",
    "try_example": "Try the example",
    "get_example": "Download the example (CSV, made up)",
    "check_example_info": "The example is made up: no judge ever said this.",
    "check_start": "Choose a file, or try the example.",
    "check_no_file": "No file is chosen. Choose one, or try the example.",
    "check_busy": "Too many files are being checked just now. Try again in a moment.",
    "checking": "Reading and computing. The first time takes a few seconds, while the modules are loaded.",
    "check_results": "Results",
    # The judge check: files that cannot be read
    "file_kind_unknown": "What this file is cannot be told from its name. It should end in .csv, .tsv, .jsonl, "
    ".ndjson, .json or .parquet, and be uncompressed.",
    "file_bytes": "The file is too large: this page takes at most {limit} MB. For more, use the modules themselves, "
    "which have no such limit.",
    "file_unsent": "The file did not arrive whole. Choose it again; if it has changed since you chose it, the "
    "browser does not hand it over.",
    "file_not_utf8": "The file is not in UTF-8 (line {line} has other bytes). Save it again as UTF-8 text.",
    "file_ragged": "Row {row} has {cells} cells, where the header has {columns}. Is a quotation mark missing?",
    "file_ragged_one": "Row {row} has 1 cell, where the header has {columns}. Is a quotation mark missing?",
    "file_twice": "The column “{column}” stands twice, so nobody can know which one counts.",
    "file_not_json": "This is not JSON: it breaks off in line {line}, at sign {column}.",
    "file_no_object": 'Row {row} is not a JSON object. Each row should look like {{"generated": …, "anchor_score": '
    "…}}.",
    "file_one_object": "This JSON is one single object. Needed is an array of objects, one for each row, or one object "
    "per line (JSON Lines; from pandas: to_json(…, orient='records', lines=True)).",
    "file_not_csv": "This CSV file cannot be read: {message}.",
    "file_not_parquet": "This is no Parquet file that can be read.",
    "file_parquet_not_utf8": "This Parquet file holds a text that is not UTF-8.",
    "file_failed": "This file could not be read ({error}).",
    "file_needs_pyarrow": "Parquet files need the package pyarrow where this page runs. CSV and JSONL do not.",
    "file_kind": "The column “{column}” holds {kind}; texts or numbers are expected.",
    "file_rows": "The file has more than {limit:,} rows, which is what this page takes. For more, use the modules "
    "themselves, which have no such limit.",
    "file_cell": "The column “{column}”, row {row}, is too long: {length:,} characters, and this page takes at most "
    "{limit:,}.",
    "file_characters": "The columns that count have more than {limit:,} characters together, which is what this page "
    "takes.",
    "file_no_rows": "The file has no rows.",
    "file_bomb": "Reading this file takes more memory or time than this page gives it.",
    "columns_wrong": "The columns that count are not there. Found: {found}. Needed: {replies} for bias and "
    "sensitivity, or {chances} for reward accuracy.",
    "and_more": " and {count:,} more",
    "cell": "column “{column}”, row {row}",
    "cell_row": "row {row}",
    "cell_no_number": "The column “{column}”, row {row}, is {cell}; a number such as 4.5 is expected.",
    "cell_empty": "empty",
    "text_expected": "a text is expected",
    "range_wrong": "Lowest and highest score must both be numbers, the lowest below the highest, or both be empty.",
    "check_refused": "The module refused this file: {message}",
    "judge_bias_needs": "For these two numbers the file would also need {columns}.",
    "reward_accuracy_needs": "For this number the file would also need {columns}.",
    # The judge check: numbers
    "made_up": "A made-up example: no judge ever said this, and the numbers say nothing about any model.",
    "checked_rows": "{rows:,} rows. They are counted from 1; the header and empty lines are none.",
    "checked_row": "1 row.",
    "title_judge_bias": "Representational bias and error sensitivity",
    "title_repr_bias": "Representational bias",
    "title_error_sensitivity": "Error sensitivity",
    "title_reward_accuracy": "Reward accuracy",
    "measures_repr_bias": "How far does the score move from the anchor, up or down, when a text is only reworded?",
    "measures_error_sensitivity": "How far does the score fall below the anchor when an error is put in?",
    "measures_reward_accuracy": "In how many pairs does the judge find the chosen text likelier than the rejected one?",
    "scale_repr_bias": "0 is best, in points of the score",
    "scale_error_sensitivity": "in points of the score, below 0 where errors are rewarded",
    "scale_reward_accuracy": "0 to 1, 0.5 is chance",
    "interval": "95% interval",
    "from_to": "{low} to {high}",
    "scored_of": "Rows with a score",
    "scored_count": "{scored:,} of {rows:,}",
    "unparsed": "Without a score",
    "bounds": "With them, at the extremes",
    "pairs": "Pairs",
    "ties": "Ties (count as no win)",
    "mean_margin": "Mean margin",
    "types_bias": "Scores by perturbation type",
    "types_accuracy": "Reward accuracy by perturbation type",
    "plot_repr_bias": "Bias on reworded texts (lower is better)",
    "plot_error_sensitivity": "Sensitivity to errors (higher is better)",
    "plot_reward_accuracy": "Share of pairs won (the mark is at 0.5, chance)",
    "short_repr_bias": "Bias",
    "short_error_sensitivity": "Sensitivity",
    "no_type": "(no type)",
    "more_types": "… and {count:,} more types not shown.",
    "table_of": "{title}, as a table",
    "as_table": "The same as a table",
    "head_type": "Type",
    "head_measure_of": "Measure",
    "head_scored_of": "With a score",
    "head_mean": "Mean",
    "head_interval": "95% interval",
    "head_pairs": "Pairs",
    "head_ties": "Ties",
    "head_mean_margin": "Mean margin",
    "head_accuracy": "Accuracy",
    "unparsed_replies": "Replies without a score: {count:,}",
    "unparsed_info": "They count in neither bias nor sensitivity, and never as 0.",
    "more_unparsed": "… and {count:,} more.",
    "row": "Row {number:,}",
    "plot_count": "n = {count:,}",
    "unparsed_no_score": "no JSON object with overall_score",
    "unparsed_bad_score": "its overall_score is no number",
    "unparsed_out_of_range": "its score lies outside the range you gave",
    # The judge check: what the numbers mean together
    "w_none": "None of the {rows:,} replies has a score, so there is neither a bias nor a sensitivity.",
    "w_none_one": "The one reply has no score, so there is neither a bias nor a sensitivity.",
    "w_constant": "Every reply that has a score gives the same one ({score}), so nothing shows that the judge tells "
    "texts apart.",
    "w_nearly": "All but {others:,} of the {scored:,} replies that have a score give the same one ({score}), so next "
    "to nothing shows that the judge tells texts apart.",
    "w_few_errors": "Fewer than {least} texts with an error have a score: too few to say whether the judge notices "
    "errors.",
    "w_blind": "The sensitivity is about 0: the scores do not show that the judge notices errors.",
    "w_no_merit": "A low bias alone is no merit.",
    "w_unsure": "These rows do not settle whether the judge notices errors: the interval of its sensitivity includes "
    "0.",
    "w_below_few": "Texts with an error score below their anchors. Whether that is because of the errors cannot be "
    "said: fewer than {least} reworded texts have a score.",
    "w_above_few": "Texts with an error score above their anchors. Whether that is because of the errors cannot be "
    "said: fewer than {least} reworded texts have a score.",
    "w_below_both": "The scores lie below the anchors for errors and for reworded texts alike, so a fall because of "
    "errors is not shown.",
    "w_above_both": "The scores lie above the anchors for errors and for reworded texts alike, so whether the judge "
    "notices errors is not shown.",
    "w_below_unsure": "Texts with an error score below their anchors. Whether that is because of the errors, these "
    "rows do not settle.",
    "w_above_unsure": "Texts with an error score above their anchors. Whether that is because of the errors, these "
    "rows do not settle.",
    "w_reversed": "Texts with an error score above their anchors, and more so than reworded texts: the judge rewards "
    "errors.",
    "w_more": "The judge lowers its score for errors more than rewording moves it.",
    "w_less": "The judge lowers its score for errors, but less than rewording alone moves it.",
    "w_alike": "The judge lowers its score for errors. Whether it does so by more than rewording moves it, these rows "
    "do not settle.",
    "w_only_chances": "The two kinds disagree: by its log-probabilities it prefers the chosen text, in {share} of "
    "pairs.",
    "w_only_replies": "The two kinds disagree: by its log-probabilities it mostly prefers the rejected text; the "
    "chosen one wins in {share} of pairs.",
    "w_unparsed": "Replies without a score: {unparsed:,} of {rows:,}. Bias and sensitivity rest on the others.",
    "w_above": "By its log-probabilities the judge prefers the chosen text in {share} of pairs, more than by chance.",
    "w_below": "By its log-probabilities the judge prefers the chosen text in {share} of pairs, less than by chance.",
    "w_chance": "By its log-probabilities the judge prefers the chosen text in {share} of pairs, which chance alone "
    "could give.",
    "w_ties": "By its log-probabilities the judge prefers the chosen text in {share} of pairs; {ties:,} of {pairs:,} "
    "pairs are ties, which count as no win.",
    "w_even": "By its log-probabilities the judge prefers neither text: {ties:,} of {pairs:,} pairs are ties.",
    "w_few": "Fewer than {least} pairs are too few to say which text the judge prefers by its log-probabilities.",
    # Where scores disagree, and why
    "v_none": "No score could be computed.",
    "v_one": "Only {best} could be computed, so there is nothing to compare it with.",
    "v_one_of_words": "Of the scores that compare words only {best} could be computed.",
    "v_only_near": "No score that compares words could be computed, only nearness in a model’s space: {near}.",
    "v_empty": "The answer has no words that a metric could compare, so every score of words is at the bottom.",
    "v_wordless": "Scores disagree: {others}, but {silent} found no word to compare, which is 0 by definition; "
    "punctuation, and in LV-Eval F1 articles, are no words.",
    "v_gate_high": "Scores disagree: {overlap} reward the shared words, but LV-Eval F1 is 0, because the keyword gate "
    "is not met: ",
    "v_gate_low": "LV-Eval F1 is 0, because the keyword gate is not met: ",
    "v_found_none": "none of the keywords is in the answer (missing: {missing})",
    "v_found": "{found} of the {total} words of the keywords are in the answer (missing: {missing})",
    "v_banned": "; “{banned}” never count, being on LV-Eval’s blacklist",
    "v_banned_only": "the keywords “{banned}” never count, being on LV-Eval’s blacklist",
    "v_reference_found": "without keywords it asks for the reference’s own words, of which {found} of {total} count as "
    "found",
    "v_reference_banned": " (words on LV-Eval’s blacklist, here {count}, never do)",
    "v_gate_needed": ", and at least {threshold} is needed.",
    "v_slipped": "A keyword is missing ({missing}), yet {found} of {total} words of the keywords are enough for the "
    "gate of {threshold}: {scores} reward the words around it.",
    "v_case": "Scores disagree: {bleu} minds upper and lower case and punctuation; without them the two texts are the "
    "same ({rouge}).",
    "v_scrambled": "Scores disagree: the same words in another order. ROUGE-1 {rouge1} ignores order; {ordered} follow "
    "it.",
    "v_scrambled_many": "Scores disagree: many words are shared, but in another order. ROUGE-1 {rouge1} ignores order; "
    "{ordered} follow it.",
    "v_long": "Every keyword is there, yet {overlap} stay low: the answer is {ratio:.1f} times as long as the "
    "reference, and these scores count every extra word against it.",
    "v_short": "Every keyword is there, yet {overlap} stay low: the answer is short ({length} against {total} words), "
    "and these scores count what is left out.",
    "v_reworded": "Every keyword is there, yet {overlap} stay low: they need the reference’s own words, and only "
    "{count} of the answer’s {length} are among them.",
    "v_low": "Scores of words agree that little wording is shared ({span}). They cannot tell a wrong answer from a "
    "right one in other words.",
    "v_same": "Scores of words agree ({span}): the answer repeats the reference almost word for word.",
    "v_spread": "Scores disagree: of those that compare words {best} is highest, {worst} lowest.",
    "v_why_ngrams": " Of the answer’s runs of four words, {count} of {total} stand in the reference, and BLEU weighs "
    "runs.",
    "v_why_brevity": " BLEU also punishes an answer shorter than the reference.",
    "v_why_order": " Some of the shared words stand in another order, which ROUGE-L follows.",
    "v_agree": "Scores of words agree within {width:.2f} ({span}).",
    "v_no_keywords": " No keywords were given, so no score asks whether the words that matter are right.",
    "v_near_too": " Nearness in a model’s space is high too ({near}): it shows likeness of subject, not truth.",
    "v_near_higher": " Nearness in a model’s space is higher ({near}), on a scale of its own: it shows likeness of "
    "subject, not truth.",
    "v_near": " Nearness in a model’s space, on a scale of its own: {near}.",
    "v_near_unknown": " Nearness in a model’s space ({near}) says little here: the model does not know some of the "
    "words.",
    "v_only_judged": "Only a judge gave a score, so there is nothing to compare it with: {judged}.",
    "v_judged": " A language model’s verdict: {judged}.",
    "v_judged_right": " A language model contradicts the words ({judged}): it reads meaning, but its verdict depends "
    "on the model.",
    "v_judged_wrong": " A language model contradicts the words ({judged}): it reads meaning, but its verdict depends "
    "on the model.",
    "v_judge_sides": " A language model sides with {words} ({judged}): it reads meaning, but its verdict depends on "
    "the model.",
    "v_judges_split": " The judges contradict each other ({judged}), so no verdict is certain.",
    "v_near_empty": " Nearness in a model’s space ({near}) tells nothing about an empty text.",
}

TEXTS = {"en": ENGLISH}


def knows(key: str) -> bool:
    """Whether there is a text called `key`."""
    return key in TEXTS[LANGUAGE]


def say(key: str, **values: object) -> str:
    """The text called `key` in the page's language, with `values` filled in."""
    return TEXTS[LANGUAGE][key].format(**values)
