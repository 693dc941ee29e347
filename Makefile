# drystone: `make run` builds the library and runs the main job, `make test` runs every check. Both work from a bare
# checkout on a machine with a Rust toolchain and a C compiler; what else they need they install with apt-get when
# run as root, and otherwise name. `make help` lists the rest.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := help

CARGO ?= cargo
CFLAGS ?= -O2
C_STRICT := -std=c99 -Wall -Wextra -Wpedantic -Wconversion
TARGET := $(shell realpath -m -- "$(or $(CARGO_TARGET_DIR),target)")
export CARGO_TARGET_DIR := $(TARGET)
# cargo shows its progress on a terminal and is silent in a log
QUIET := $(if $(MAKE_TERMOUT),,--quiet)

say = @printf '\n== %s\n' $(1)

# what a C program needs to be linked with the release library and to find it in place
link := -L"$(TARGET)/release" -ldrystone -Wl,-rpath,"$(TARGET)/release" -lm

# $(call provide,<command>,<Debian packages>): true if the command is there or could be installed
provide = { . tests/bindings/provide.sh; provide $(1) $(2); }

# $(call skipped,<check>,<reason>): says that a check is left out, which with CI=true is a failure (may_skip.txt)
skipped = { . tests/bindings/provide.sh; skipped $(1) $(2); }

# $(call component,<cargo subcommand>,<rustup component>): the same for a part of the Rust toolchain
component = { $(CARGO) $(1) --version >/dev/null 2>&1 || rustup component add $(2) >build/rustup.log 2>&1; }

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

# ---- the main job -------------------------------------------------------------------------------------------------

.PHONY: run
run: library ## the main job: a pyramid of 2870 spheres dropped, at rest, measured and drawn
	$(call say,'the pyramid')
	@$(CC) $(C_STRICT) $(CFLAGS) -Iinclude examples/c/pyramid.c -o build/pyramid $(link)
	@build/pyramid build/pyramid.svg

.PHONY: indeterminacy
indeterminacy: library ## what rigid contacts leave open, and the correction that closes it: a platform, the pyramid
	$(call say,'the indeterminacy of rigid contacts')
	@$(CC) $(C_STRICT) $(CFLAGS) -Iinclude examples/c/indeterminacy.c -o build/indeterminacy $(link)
	@build/indeterminacy build/indeterminacy.svg 20 build/indeterminacy_laws.svg

.PHONY: library
library: tools ## the release library
	$(call say,'the release library (the first build takes a minute or two)')
	@$(CARGO) build --release --lib $(QUIET)

# Python's package index is asked for the build's own tool, hatchling. Without pip for python3 an environment is made for it.
.PHONY: wheel
wheel: library ## a wheel for Python with the library in it: build/wheel/drystone-*.whl
	$(call say,'the wheel for Python')
	@python=python3; $$python -m pip --version >/dev/null 2>&1 || { \
		$(call provide,/usr/share/python-wheels,python3-venv); \
		python3 -m venv build/wheel-environment && python=build/wheel-environment/bin/python; }; \
	rm -rf build/wheel; \
	DRYSTONE_LIBRARY=$${DRYSTONE_LIBRARY:-$(TARGET)/release/libdrystone.so} \
		$$python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel bindings/python
	@ls build/wheel/*.whl

.PHONY: tools
tools:
	@mkdir -p build
	@command -v $(CARGO) >/dev/null 2>&1 || { echo "cargo is missing: install a Rust toolchain, see https://rustup.rs"; exit 1; }
	@$(call provide,$(CC),gcc libc6-dev) || { echo "a C compiler is missing (Debian: apt-get install gcc libc6-dev)"; exit 1; }

# ---- the checks ---------------------------------------------------------------------------------------------------

.PHONY: test
test: tools words format lint targets documentation hosts bindings suite ## every check; with CI=true none may be skipped

.PHONY: format
format: tools
	$(call say,'rustfmt')
	@if $(call component,fmt,rustfmt); then $(CARGO) fmt --check; \
	else $(call skipped,rustfmt,"rustfmt is missing and could not be installed (rustup component add rustfmt)"); fi

.PHONY: lint
lint: tools
	$(call say,'clippy')
	@if $(call component,clippy,clippy); then $(CARGO) clippy --release --all-targets $(QUIET) -- -D warnings; \
	else $(call skipped,clippy,"clippy is missing and could not be installed (rustup component add clippy)"); fi

.PHONY: words
words: tools ## sentences and private words, links between pages, the constants of docs/tuning.md
	$(call say,'words')
	@if $(call provide,python3,python3); then \
		python3 tests/words/test_check.py 2>build/words.log || { cat build/words.log; exit 1; }; \
		python3 tests/words/check.py && \
		python3 tests/words/check.py src include bindings tests benches examples packaging && \
		python3 tests/words/links.py && python3 tests/words/constants.py; \
	else $(call skipped,words,"python3 is missing (Debian: apt-get install python3)"); fi

# The library is checked for machines other than this one. Checks need no linker.
TARGETS := aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-pc-windows-msvc wasm32-unknown-unknown

.PHONY: targets
targets: tools
	$(call say,'other targets')
	@for target in $(TARGETS); do \
		if rustup target add $$target >build/rustup.log 2>&1; then \
			RUSTFLAGS="-D warnings" $(CARGO) check --lib --target $$target $(QUIET); echo "compiles: $$target"; \
		else $(call skipped,targets,"$$target is missing and could not be installed (rustup target add $$target)"); fi; \
	done

.PHONY: documentation
documentation: tools
	$(call say,'documentation')
	@RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --no-deps $(QUIET)

# Under valgrind: bad input to every function, and the examples on a small pile. Without it they run plainly.
CHECKED_EXAMPLES := build/checked/pyramid build/checked/indeterminacy build/checked/door
CHECKED := $(patsubst tests/c/%.c,build/checked/%,$(wildcard tests/c/bad_*.c)) $(CHECKED_EXAMPLES)
# fair: a thread that waits gets its turn, which the test of two threads needs
VALGRIND := valgrind --quiet --fair-sched=try --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
COMPILE_CHECKED = @mkdir -p $(@D) && $(CC) $(C_STRICT) -Werror -g -O1 -Iinclude $< -o $@ $(link) -lpthread

.PHONY: host-library
host-library: tools
	$(call say,'C hosts under valgrind')
	@$(CARGO) build --release --lib $(QUIET)

# compiled anew each time: the header and the library change with the sources
.PHONY: $(CHECKED)
$(CHECKED): host-library
$(filter-out $(CHECKED_EXAMPLES),$(CHECKED)): build/checked/%: tests/c/%.c
	$(COMPILE_CHECKED)
$(CHECKED_EXAMPLES): build/checked/%: examples/c/%.c
	$(COMPILE_CHECKED)

.PHONY: hosts
hosts: $(CHECKED)
	@checker="$(VALGRIND)"; $(call provide,valgrind,valgrind libc6-dbg) || { checker=; \
		$(call skipped,valgrind,"valgrind is missing (Debian: apt-get install valgrind libc6-dbg); the hosts run without it"); }; \
	for host in $(CHECKED); do \
		: "the arguments of the examples, which the others do not read: a base of 4 by 4, between two pictures"; \
		$$checker $$host $$host.svg 4 $$host-second.svg >$$host.log || { tail -20 $$host.log; exit 1; }; \
		echo "clean: $${host##*/}"; \
	done
	@DRYSTONE_LIB="$(TARGET)/release" CC="$(CC)" tests/geometry/certify.sh >build/checked/geometry.log || { cat build/checked/geometry.log; exit 1; }
	@tail -1 build/checked/geometry.log

# In the release profile: from a bare checkout it builds in two thirds of the dev profile's time (which optimises too, and
# writes debug information besides), and it is the library that `make run` has and hosts get. Passed tests are listed in
# the log only.
.PHONY: suite
suite: tools
	$(call say,'tests (each one in build/test.log)')
	@$(call provide,c++,g++) || echo "a C++ compiler is missing (Debian: apt-get install g++): hosts in C++ fail"
	@$(CARGO) test --release --no-fail-fast 2>&1 | tee build/test.log | grep --line-buffered -vE '^test .* \.\.\. ok$$|^$$|^ *(Compiling|Download|Locking|Adding)'

# Every binding against an installed drystone: tests/bindings/run.sh. BINDINGS="c cpp" runs these two alone.
.PHONY: bindings
bindings: tools ## the bindings, adapters and packages, built against an installed drystone and run
	$(call say,'bindings')
	@$(CARGO) build --release --lib $(QUIET)
	@tests/bindings/run.sh $(BINDINGS)

# ---- installing ---------------------------------------------------------------------------------------------------

# Where things go is said to packaging/install.sh, in the environment.
export PREFIX DESTDIR LIBDIR

# as another user, who has no cargo (sudo), what was built before is installed
.PHONY: linked
linked:
	@if command -v $(CARGO) >/dev/null 2>&1 || [ ! -f "$(TARGET)/release/libdrystone.a" ]; then \
		$(MAKE) --no-print-directory library; \
	else echo "cargo is not in the path: $(TARGET)/release is taken as it is"; fi
	@packaging/link.sh "$(TARGET)/release" build/library

.PHONY: install
install: linked ## libraries, header, bindings, pkg-config and CMake files; PREFIX=/usr/local DESTDIR= LIBDIR=lib
	@packaging/install.sh install build/library

.PHONY: uninstall
uninstall: ## what make install put there, with the same PREFIX and DESTDIR
	@packaging/install.sh uninstall

.PHONY: package
package: linked ## build/drystone-*.tar.gz, and Debian packages where dpkg-deb is there
	@packaging/package.sh build/library build

# ---- the rest -----------------------------------------------------------------------------------------------------

.PHONY: header
header: tools ## regenerate include/drystone.h and what follows from it in bindings/
	@DRYSTONE_WRITE_HEADER=1 $(CARGO) test --release --test header --test description $(QUIET)
	@for language in fortran python julia; do python3 bindings/generate/$$language.py; done

.PHONY: bench
bench: tools ## the benchmarks
	@$(CARGO) bench

.PHONY: clean
clean: ## remove everything built
	@$(CARGO) clean $(QUIET)
	@rm -rf build
