# Two commands to know: make demo, make test. Everything else is for people who change things.
PRESET := release
BUILD := build/$(PRESET)
SINEW := $(BUILD)/bin/sinew
# a shared machine may say how many jobs it can bear
JOBS ?= $(shell nproc)

.NOTPARALLEL:
.PHONY: build demo test bench lint format asan tsan minimal docs clean setup

build: $(BUILD)/build.ninja
	@cmake --build --preset $(PRESET) -j $(JOBS)

setup:
	@tools/setup.sh

$(BUILD)/build.ninja: CMakeLists.txt CMakePresets.json tools/packages.txt
	@tools/setup.sh
	@cmake --preset $(PRESET)

demo: setup $(BUILD)/build.ninja
	@cmake --build --preset $(PRESET) -j $(JOBS) --target sinew_cli
	@echo
	@echo "A stiff-shelled ball hanging from its top, under three methods:"
	@$(SINEW) compare hanging-ball --integrators si,tr-bdf2,trapezoidal -o out/demo

test: setup build
	@ctest --preset $(PRESET) -j $(JOBS)

bench: build
	@$(SINEW) bench assembly
	@$(BUILD)/bin/sinew_micro_benchmarks --benchmark_min_time=0.1

lint: setup
	@tools/lint.sh

format:
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

asan tsan minimal: setup
	@cmake --preset $@
	@cmake --build --preset $@ -j $(JOBS)
	@ctest --preset $@ -j $(JOBS)

docs:
	@python3 tools/check_docs.py

clean:
	@rm -rf build out runs
