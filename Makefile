# A shim over scripts/dev.py, which says what it does. ARGS="..." goes to the job: make test ARGS="-k capitals"
PYTHON ?= python3

.PHONY: help demo test lint bench example resolve

help:
	@echo "make demo     set everything up and run the whole pipeline: demo/report/index.html"
	@echo "make test     set everything up and run the tests"
	@echo "make lint     format, rules, types, layers"
	@echo "make bench    speed, as ratios"
	@echo "make example  seven languages, eight topics, published twice on a hub of its own: example/report/index.html"
	@echo "make resolve  the pins resolve from wheels on every supported Python"

demo test lint bench example resolve:
	@$(PYTHON) scripts/dev.py $@ $(ARGS)
