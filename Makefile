# Two commands: `make demo` and `make test`. Both create .venv and install what is missing; a second run installs nothing.
# On Windows: in Git's bash, with GNU make.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
SCRIPTS := Scripts
# Files are UTF-8 there too, whatever the system's own encoding.
export PYTHONUTF8 := 1
else
PYTHON ?= python3
SCRIPTS := bin
endif
VENV := .venv
BIN := $(VENV)/$(SCRIPTS)
# Environments of their own: the lowest versions, and the programs of `make lock`, `make audit` and `make test-lowest`.
LOWEST := .venv-lowest
RECIPES := .venv-recipes
TOOLS := .venv-tools
# Python compiles a module when it is first imported, and keeps the result even where the environment says otherwise: else each of
# the tests' many processes would compile anew all that it imports. To compile everything here would take longer than to install it.
unexport PYTHONDONTWRITEBYTECODE
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile

.PHONY: demo test test-lowest lint ray recipes copies bench coverage cascade agreement sensitivity estimate ablation hard-answers screenshot publish audit lock clean

demo: $(VENV)/demo.installed
	$(BIN)/python spaces/answer_lens/app.py --open

# Two tests at a time; whichever process is done first takes over from the other.
test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The tests with the lowest version that each range in the requirements admits. TESTS="tests/metrics/test_text_metrics.py ...": only these.
test-lowest: $(LOWEST)/installed
	$(LOWEST)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal $(TESTS)

# What `score.py --engine ray` and its tests need besides; without it those tests are skipped.
ray: $(VENV)/tests.installed $(VENV)/ray.installed

# The harnesses in whose recipes (metrics/README.md) the modules are tried; without them those tests are skipped.
recipes: $(RECIPES)/installed

lint: $(VENV)/tests.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy metrics tests spaces/publish.py
	cd spaces/answer_lens && ../../$(BIN)/mypy --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache app.py score.py lens
	cd spaces/answer_lens && ../../$(BIN)/lint-imports --no-cache --config ../../.importlinter

# Puts the files of metrics/shared/ into the metric folders that use them.
copies: $(VENV)/tests.installed
	$(BIN)/python metrics/make_copies.py

# Ours beside what it reproduces: prints the tables and writes them into metrics/benchmarks/README.md. LVEVAL=path:
# LV-Eval's repository.
bench: $(VENV)/tests.installed
	$(BIN)/python -m metrics.benchmarks.speed $(if $(LVEVAL),--lveval $(LVEVAL))
	$(BIN)/python -m metrics.benchmarks.agreement --pages

# How far each score agrees with human verdicts, in a file in the form of EVOUNA: prints the tables and writes them into
# README.md, metrics/, the cards and the demo. TITLE="..." SOURCE="..." URL=... LANGUAGE=en say what it is. PROVIDER=... MODEL=... (or
# BASE_URL=... MODEL=...) measure judges, on SAMPLE=100 questions: what that costs is said first; YES=1 asks. DECISION=1 is for a
# model that answers with a probability, such as gpt-6-luna; API=decisions or systemone names the format of another server.
# Only what stands on the command line counts: a MODEL of the environment is meant for something else.
given = $(if $(filter command,$(origin $(1))),$(2) "$$$(1)")
agreement: $(VENV)/tests.installed
	$(BIN)/python -m metrics.benchmarks.agreement $(call given,DATA,--data) \
		$(call given,TITLE,--title) $(call given,SOURCE,--source) $(call given,URL,--url) $(call given,LANGUAGE,--language) \
		$(call given,PROVIDER,--provider) $(call given,BASE_URL,--base-url) $(call given,MODEL,--model) \
		$(call given,KEY_VARIABLE,--key-variable) $(call given,SAMPLE,--sample) $(call given,API,--api) \
		$(if $(filter command,$(origin DECISION)),--decision) \
		$(if $(filter command,$(origin JUDGES)),--judges $(JUDGES)) $(if $(filter command,$(origin YES)),--yes)

# How sensitive each score is to one changed fact, and to the form alone (metrics/benchmarks/sensitivity.py): some minutes; writes
# metrics/README.md and the cards. DATA=path and perhaps GRADES=folder; PROVIDER=... MODEL=... SAMPLE=100 YES=1 for judges.
sensitivity: $(VENV)/tests.installed
	$(BIN)/python -m metrics.benchmarks.sensitivity $(call given,DATA,--data) $(call given,GRADES,--grades) \
		$(call given,PROVIDER,--provider) $(call given,BASE_URL,--base-url) $(call given,MODEL,--model) \
		$(call given,KEY_VARIABLE,--key-variable) $(call given,SAMPLE,--sample) $(call given,API,--api) \
		$(if $(filter command,$(origin DECISION)),--decision) \
		$(if $(filter command,$(origin JUDGES)),--judges $(JUDGES)) $(if $(filter command,$(origin YES)),--yes)

# Trains correctness_estimate on human verdicts, in a file in the form of EVOUNA, and on a folder of grading sets
# (metrics/training/grades.py): writes its model.py and the picture in its card, and prints how good it is: some
# minutes. DATA=path GRADES=folder.
estimate: $(VENV)/tests.installed
	$(BIN)/python -m metrics.training.rarity $(call given,DATA,--data)
	$(BIN)/python -m metrics.training.estimate $(call given,DATA,--data) $(call given,GRADES,--grades)

# What each group of its features is worth: trains without it, five times a group, an hour or two; writes
# metrics/benchmarks/README.md. DATA=path GRADES=folder.
ablation: $(VENV)/tests.installed
	$(BIN)/python -m metrics.benchmarks.ablation $(call given,DATA,--data) $(call given,GRADES,--grades)

# How often the estimate judges hand-written hard answers correctly, by kinds: half a minute; writes metrics/benchmarks/README.md.
hard-answers: $(VENV)/tests.installed
	$(BIN)/python -m metrics.benchmarks.hard_answers

# How often the intervals of reports hold what is true, on made-up samples: some twenty minutes; writes metrics/README.md.
coverage: $(VENV)/tests.installed
	$(BIN)/python -m metrics.benchmarks.coverage

# What is saved, and what is lost, where a judge is asked only about answers that the estimate is unsure of: a simulation on human
# verdicts, in a file in the form of EVOUNA, of some minutes; writes metrics/README.md. DATA=path.
cascade: $(VENV)/tests.installed
	$(BIN)/python -m metrics.benchmarks.cascade $(call given,DATA,--data)

screenshot: $(VENV)/tests.installed
	$(BIN)/python tests/browser/screenshot.py

# Every metric and the demo to the Hugging Face Hub, as Spaces of an organisation: make publish ORG=name. DRY_RUN=1 says what
# that would do; SDK=gradio gives each metric its own page with a form in place of the card alone. ORG and SDK count only on
# the command line.
publish: $(VENV)/tests.installed
	$(BIN)/python spaces/publish.py $(call given,ORG,--org) $(call given,SDK,--sdk) $(if $(filter-out 0 no false,$(DRY_RUN)),--dry-run)

# Known vulnerabilities of what is installed (a build of its own, 2.13.0+cpu, counts as the version it is of) and of what the
# demo's Space installs. Asks the package index, which no mirror replaces: no part of the tests.
AUDIT := $(TOOLS)/$(SCRIPTS)/pip-audit --strict --no-deps --disable-pip --requirement
audit: $(VENV)/tests.installed $(TOOLS)/installed
	$(BIN)/python -m pip list --format=freeze | sed 's/+.*//' > $(TOOLS)/installed.txt
	failed=0; for file in $(TOOLS)/installed.txt $(SPACE)/requirements.lock; do $(AUDIT) $$file || failed=1; done; exit $$failed

# What the demo's Space installs, every package with its hashes: the newest versions in the ranges of its requirements, for
# Linux and the Python in its README, with what the Space's builder adds, so that it finds everything installed.
SPACE := spaces/answer_lens
front = $$(sed -n 's/^$(1): *//p' $(SPACE)/README.md | tr -d '"')
lock: $(TOOLS)/installed
	printf '%s\n' "gradio[oauth,mcp]==$(call front,sdk_version)" "uvicorn>=0.14.0" "websockets>=10.4" spaces \
		| $(TOOLS)/$(SCRIPTS)/uv --no-config pip compile --quiet --upgrade --generate-hashes --no-annotate \
		--python-version "$(call front,python_version)" --python-platform x86_64-unknown-linux-gnu \
		--custom-compile-command "make lock" --output-file $(SPACE)/requirements.lock $(SPACE)/requirements.txt -

clean:
	rm -rf $(VENV) $(LOWEST) $(RECIPES) $(TOOLS) .pytest_cache .mypy_cache .ruff_cache .hypothesis

define check_python
@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 10) <= v <= (3, 13) else "Answer Lens needs Python 3.10 to 3.13, this is %d.%d; try: make $(MAKECMDGOALS) PYTHON=python3.12" % v)'
endef

$(VENV)/created:
	$(check_python)
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/demo.installed: requirements.txt | $(VENV)/created
	@echo "Installing into $(VENV): 2 GB and more, some minutes the first time"
	$(BIN)/python $(PIP_INSTALL) -r requirements.txt
	@touch $@

$(VENV)/tests.installed: tests/requirements.txt $(VENV)/demo.installed
	$(BIN)/python $(PIP_INSTALL) -r tests/requirements.txt
	@touch $@

$(VENV)/ray.installed: spaces/answer_lens/requirements-ray.txt $(VENV)/demo.installed
	$(BIN)/python $(PIP_INSTALL) -r spaces/answer_lens/requirements-ray.txt
	@touch $@

# On top of what stands in .venv, which it sees and leaves alone.
$(RECIPES)/installed: tests/requirements-recipes.txt $(VENV)/demo.installed
	$(PYTHON) -m venv --clear $(RECIPES)
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" \
		> "$$($(RECIPES)/$(SCRIPTS)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/tests.pth"
	$(RECIPES)/$(SCRIPTS)/python $(PIP_INSTALL) -r tests/requirements-recipes.txt
	@touch $@

$(LOWEST)/installed: requirements.txt tests/requirements.txt | $(TOOLS)/installed
	$(check_python)
	$(PYTHON) -m venv --clear $(LOWEST)
	$(TOOLS)/$(SCRIPTS)/uv --no-config pip compile --quiet --no-deps --no-strip-extras --resolution lowest-direct \
		--python $(LOWEST)/$(SCRIPTS)/python --output-file $(LOWEST)/lowest.txt requirements.txt tests/requirements.txt
	$(LOWEST)/$(SCRIPTS)/python $(PIP_INSTALL) -r $(LOWEST)/lowest.txt
	@touch $@

$(TOOLS)/installed: tests/requirements-tools.txt
	$(check_python)
	$(PYTHON) -m venv --clear $(TOOLS)
	$(TOOLS)/$(SCRIPTS)/python $(PIP_INSTALL) -r tests/requirements-tools.txt
	@touch $@
