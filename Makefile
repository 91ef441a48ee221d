# Two commands to know: make demo, make test. Everything else is for people who change things.
PRESET := release
# Debian's, whose packages the module uses
PYTHON ?= /usr/bin/python3
BUILD := build/$(PRESET)
SINEW := $(BUILD)/bin/sinew
# a shared machine may say how many jobs it can bear
JOBS ?= $(shell nproc)

# A demo is the program alone: a new folder is configured without the rest, so that no package of the
# tests has to be there. Tests are added to the same folder when they are wanted.
PROGRAM_ALONE := -DSINEW_TESTS=OFF -DSINEW_BENCHMARKS=OFF -DSINEW_PYTHON=OFF
# OFF leaves the Python module out
SINEW_PYTHON ?= ON
# ON builds runs on several processes too; make setup-mpi installs what that needs
SINEW_PETSC ?= OFF
ALL_PARTS := -DSINEW_TESTS=ON -DSINEW_BENCHMARKS=ON -DSINEW_PYTHON=$(SINEW_PYTHON) -DSINEW_PETSC=$(SINEW_PETSC)
# a note of what the folder is configured with
PARTS := all_parts-$(SINEW_PYTHON)-$(SINEW_PETSC)

.NOTPARALLEL:
.PHONY: build demo test torture bench bench-python reproduce reproduce-full notebooks deb mpi lint format asan tsan minimal docs clean
.PHONY: setup setup-demo setup-test setup-notebooks setup-mpi

build: setup-$(if $(filter ON,$(SINEW_PETSC)),mpi,test) $(BUILD)/$(PARTS)
	@cmake --build --preset $(PRESET) -j $(JOBS)

setup:
	@tools/setup.sh lint

setup-demo setup-test setup-notebooks setup-mpi:
	@tools/setup.sh $(@:setup-%=%)

$(BUILD)/$(PARTS): CMakeLists.txt CMakePresets.json tools/packages.txt
	@cmake --preset $(PRESET) $(ALL_PARTS)
	@touch $@

$(BUILD)/build.ninja:
	@cmake --preset $(PRESET) $(PROGRAM_ALONE)

demo: setup-demo $(BUILD)/build.ninja
	@cmake --build --preset $(PRESET) -j $(JOBS) --target sinew_cli
	@echo
	@echo "A soft beam held at both ends falls into its own weight and swings, under three methods:"
	@$(SINEW) compare soft-beam --integrators si,siere,ere --dt 0.04 --end 5 -o out/demo --force
	@if [ -e out/demo/preview.png ]; then echo "or          out/demo/preview.png, the same in one picture"; fi

test: build
	@ctest --preset $(PRESET) -j $(JOBS)

# a million collisions and all scenes with barriers, judged by exact arithmetic
torture: setup-test $(BUILD)/$(PARTS)
	@cmake --build --preset $(PRESET) -j $(JOBS) --target torture_collision torture_scenes
	@$(BUILD)/bin/torture_collision
	@$(BUILD)/bin/torture_scenes

bench: build
	@$(SINEW) bench assembly
	@$(BUILD)/bin/sinew_micro_benchmarks --benchmark_min_time=0.1

# every figure and table of the papers, quickly: the page of all verdicts
reproduce: build
	@$(SINEW) reproduce all --quick -o out/reproduction
	@cp out/reproduction/reproduction.md docs/reproduction.md

# the papers' tables at their own sizes: hours
FULL_TARGETS := siere-table2 exp-table2 rosenbrock-table2 imex-fig3-7
reproduce-full: build
	@for target in $(FULL_TARGETS); do $(SINEW) reproduce $$target --full -o out/reproduction-full/$$target || exit 1; done
	@$(SINEW) reproduce page -o out/reproduction-full
	@cp out/reproduction-full/reproduction.md docs/reproduction-full.md

# the Python module, on its own and against the loop in C++
bench-python: build
	@PYTHONPATH=$(BUILD)/python $(PYTHON) benchmarks/python_steps.py

# executes the notebooks of examples/notebooks; what they show is in build/notebooks
notebooks: setup-notebooks build
	@mkdir -p build/notebooks
	@PYTHONPATH=$(abspath $(BUILD)/python) PYDEVD_DISABLE_FILE_VALIDATION=1 $(PYTHON) -m jupyter nbconvert --execute --to html --log-level=ERROR \
	  --output-dir build/notebooks examples/notebooks/*.ipynb
	@ls build/notebooks/*.html

# Debian packages, tried in a scratch root
deb: build
	@cd $(BUILD) && cpack > packages.log || { cat packages.log; exit 1; }
	@tests/package/check_debs.sh $(abspath $(BUILD)/packages) $(abspath $(BUILD)/packages-root) $(abspath examples) $(PYTHON)

# the program with runs on several processes, and their tests
mpi: setup-mpi
	@cmake --preset petsc
	@cmake --build --preset petsc -j $(JOBS) --target sinew_cli test_mpi
	@ctest --preset petsc -R '^mpi\.'

lint: setup
	@tools/lint.sh

format:
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

asan tsan: setup-test
	@cmake --preset $@
	@cmake --build --preset $@ -j $(JOBS)
	@ctest --preset $@ -j $(JOBS)

# without the optional parts: the program, and the suites that notice
MINIMAL_SUITES := unit.la unit.output unit.scene cli.commands cli.run_command cli.pictures_and_tables
minimal: setup-test
	@cmake --preset $@
	@cmake --build --preset $@ -j $(JOBS) --target $(addprefix test_,$(subst .,_,$(MINIMAL_SUITES)))
	@ctest --preset $@ -j $(JOBS) -R "^($(subst $() $(),|,$(MINIMAL_SUITES)))$$"

docs: build
	@python3 tools/check_docs.py
	@python3 tools/check_tables.py $(SINEW)

clean:
	@rm -rf build out runs
