# The two commands of the README. Both need nothing but Python 3.11 or later, git and make.
PYTHON ?= python3
VENV := .venv
LOWEST := .venv-lowest
FOREIGN := .venv-foreign
BIN := $(VENV)/bin
ITEMS ?= 5
# a small model rambles up to the limit: 200 tokens a reply keep the try short
TRY := -T dataset=sample -T include_confidence=true --limit $(ITEMS) --max-tokens 200 \
    --log-dir logs --display plain
# what reads, asks and computes: every line and branch is tested
FULLY_COVERED := vr_evals/answers.py,vr_evals/confidences.py,vr_evals/visible.py,vr_evals/reading/*,vr_evals/prompts/*,vr_evals/stats/*

# tests that share what a module makes run one after the other, so that it is made once
PYTEST := -m pytest -n auto --dist loadscope

# a checkout that cannot be written has its caches elsewhere
ifeq ($(shell test -w . && echo yes),)
CACHES := $(shell mktemp -d)
export RUFF_CACHE_DIR := $(CACHES)/ruff
export MYPY_CACHE_DIR := $(CACHES)/mypy
LAYERS := --no-cache
endif

.PHONY: try test test-slow test-foreign lint types layers evals-lint tests coverage lowest clean

try: $(VENV)/run
	$(BIN)/vr-evals fetch-local-model
	@echo; echo "ETHICS, level 5, $(ITEMS) sample items, on a small real model that answers as it likes:"
	$(BIN)/inspect eval vr_evals/ethics_level5 --model vr_local/smollm2 \
	    $(TRY)
	@echo; echo "The same, its sampling constrained to the format that was asked for:"
	$(BIN)/inspect eval vr_evals/ethics_level5 --model vr_local/smollm2 -M force_format=true \
	    $(TRY)
	@echo; echo "Done. The model is far too small for its scores to mean anything; the pipeline is real."
	@echo "Look at both passes of each sample:   $(BIN)/inspect view --log-dir logs"
	@echo "Run a model of yours:                 $(BIN)/inspect eval vr_evals/ethics_level5 --model ..."

test: $(VENV)/dev
	$(BIN)/vr-evals fetch-local-model
	$(MAKE) lint types layers evals-lint tests

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

layers:
	$(BIN)/lint-imports $(LAYERS)

evals-lint:
	$(BIN)/inspect-evals-lint vr_evals

tests:
	$(BIN)/python $(PYTEST) -m "not slow"

# long studies, every fault, every package, and each property with all of its examples
test-slow: $(VENV)/dev
	$(BIN)/vr-evals fetch-local-model
	$(BIN)/python $(PYTEST) -m "slow or hypothesis"

# logs of tasks of inspect-evals
test-foreign: $(VENV)/dev $(FOREIGN)/ready
	$(FOREIGN)/bin/python -m pytest tests/e2e/test_compare_inspect_evals.py

coverage: $(VENV)/dev
	$(BIN)/vr-evals fetch-local-model
	$(BIN)/coverage erase
	$(BIN)/coverage run $(PYTEST)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	$(BIN)/coverage report --include="$(FULLY_COVERED)" --fail-under=100

# the oldest versions that pyproject.toml admits
lowest:
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet uv
	$(LOWEST)/bin/uv pip compile --quiet --resolution lowest-direct --python $(LOWEST)/bin/python \
	    --extra local --extra report pyproject.toml --output-file $(LOWEST)/oldest.txt
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python \
	    --constraint $(LOWEST)/oldest.txt --editable ".[local,report]" --group dev
	$(LOWEST)/bin/vr-evals fetch-local-model
	$(LOWEST)/bin/python $(PYTEST)

$(VENV)/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or later is needed')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/run: $(VENV)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[local]"
	touch $@

$(VENV)/dev: $(VENV)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[local,report]" --group dev
	touch $@

# what .venv has, and inspect-evals: its tasks would be loaded by each run of an eval in .venv
$(FOREIGN)/ready: $(VENV)/dev
	$(PYTHON) -m venv --clear --without-pip $(FOREIGN)
	$(BIN)/python -c "import sysconfig; print('import site; site.addsitedir(%r)' % sysconfig.get_path('purelib'))" \
	    > "$$($(FOREIGN)/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/dev.pth"
	$(FOREIGN)/bin/python -m pip install --quiet --group foreign
	touch $@

clean:
	rm -rf $(VENV) $(LOWEST) $(FOREIGN)
