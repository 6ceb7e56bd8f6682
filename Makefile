# Two commands: `make demo` and `make test`. Both create .venv and install what is missing; a second run installs nothing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint ray copies bench agreement screenshot clean

demo: $(VENV)/demo.installed
	$(BIN)/python spaces/answer_lens/app.py --open

# Two tests at a time; whichever process is done first takes over from the other.
test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

# What `score.py --engine ray` and its tests need besides; without it those tests are skipped.
ray: $(VENV)/ray.installed

lint: $(VENV)/tests.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy metrics tests
	cd spaces/answer_lens && ../../$(BIN)/mypy --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache .

# Rewrites what stands in several metric folders on purpose from its one original.
copies: $(VENV)/tests.installed
	$(BIN)/python -m tests.copies

# Ours beside what it reproduces: prints the tables and writes them into the README. LVEVAL=path: LV-Eval's repository.
bench: $(VENV)/tests.installed
	$(BIN)/python -m tests.benchmarks.speed $(if $(LVEVAL),--lveval $(LVEVAL))
	$(BIN)/python -m tests.benchmarks.speed --readme
	$(BIN)/python -m tests.benchmarks.agreement --pages

# How far each score agrees with human verdicts, in a file in the form of EVOUNA: prints the tables and writes them into
# the README, the cards and the demo. TITLE="..." SOURCE="..." URL=... LANGUAGE=en say what it is. PROVIDER=... MODEL=... (or
# BASE_URL=... MODEL=...) measure judges, on SAMPLE=100 questions: what that costs is said first; YES=1 asks at once.
# Only what stands on the command line counts: a MODEL of the environment is meant for something else.
given = $(if $(filter command,$(origin $(1))),$(2) "$($(1))")
agreement: $(VENV)/tests.installed
	$(BIN)/python -m tests.benchmarks.agreement $(call given,DATA,--data) \
		$(call given,TITLE,--title) $(call given,SOURCE,--source) $(call given,URL,--url) $(call given,LANGUAGE,--language) \
		$(call given,PROVIDER,--provider) $(call given,BASE_URL,--base-url) $(call given,MODEL,--model) \
		$(call given,KEY_VARIABLE,--key-variable) $(call given,SAMPLE,--sample) \
		$(if $(filter command,$(origin JUDGES)),--judges $(JUDGES)) $(if $(filter command,$(origin YES)),--yes)

screenshot: $(VENV)/tests.installed
	$(BIN)/python tests/browser/screenshot.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/created:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 10) <= v <= (3, 13) else "Answer Lens needs Python 3.10 to 3.13, this is %d.%d; try: make $(MAKECMDGOALS) PYTHON=python3.12" % v)'
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/demo.installed: requirements.txt | $(VENV)/created
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/tests.installed: tests/requirements.txt $(VENV)/demo.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	@touch $@

$(VENV)/ray.installed: spaces/answer_lens/requirements-ray.txt $(VENV)/demo.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r spaces/answer_lens/requirements-ray.txt
	@touch $@
