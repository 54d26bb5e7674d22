# Each target is a few lines: the work is done by cargo and by the judge.
.PHONY: bundle judge serve test test-long test-portable verify hostile fuzz-sandbox stress-ng flips faults measure bench figures static lint lint-private book guides install uninstall dist help
.DEFAULT_GOAL := help

# The oldest compiler of the judge.
RUST_VERSION = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' judge/Cargo.toml)
.PHONY: rust
rust:
	@command -v cargo > /dev/null || { echo 'error: Rust $(RUST_VERSION) or later is needed, found none: see https://rustup.rs' >&2; exit 1; }
	@found=$$(cargo --version | cut -d ' ' -f 2); \
	printf '%s\n%s\n' '$(RUST_VERSION)' "$$found" | sort -C -V || \
	    { echo "error: Rust $(RUST_VERSION) or later is needed, found $$found: see https://rustup.rs" >&2; exit 1; }

judge: rust ## build everything and judge every problem over its test data
	cargo run -p judge -- run

serve: rust ## build the server and start it over the workspace's packages; ARGS='--listen 0.0.0.0:8080'
	cargo build -p judge -p judge-server
	target/debug/judge serve $(ARGS)

# Most tests wait for programs and servers, so that even two cores have work for four threads.
export RUST_TEST_THREADS ?= $(shell cores=$$(nproc); echo $$((cores < 4 ? 4 : cores)))
# Of random tests.
export PROPTEST_CASES ?= 64

# The library's optional features: with them, all of its tests are compiled.
FEATURES = --features sudoku-engines/cli,sudoku-engines/serde,sudoku-engines/rand
# Of the programs only these two have tests in their own source; the examples are compiled by clippy.
UNITS = --lib --bin judge-dist --bin sudoku
TESTS = --workspace $(FEATURES) $(UNITS) --test '*'
# Each test program names its group: `//! Test group: server.`
PROGRAMS = $(wildcard $(addsuffix /tests/*.rs,. program problems/* judge judge/*) $(addsuffix /tests/*/main.rs,. judge judge/*))
group = $(addprefix --test ,$(sort $(shell grep -l '^//! Test group: $(1)\.' $(PROGRAMS) | sed -E 's|(/main)?\.rs$$||; s|.*/||')))
# cargo runs one test program after the other. Two groups of them run at once, so that tests which wait leave no core
# idle. The output of a group is shown when it ends.
# Each group has a program that depends on judge-bundle and so on the crate syn. Otherwise cargo compiles syn's dependencies
# for macros alone, in another way than `cargo test --no-run` did, and then everything that depends on a macro again.
# TEST_ARGS are arguments of the test programs.
test: rust ## run all tests that take seconds
	cargo test $(TESTS) --no-run
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-server test-judge test-sudoku
.PHONY: test-server test-judge test-sudoku
test-server:
	cargo test --workspace $(FEATURES) $(call group,server) -- $(TEST_ARGS)
test-judge:
	cargo test --workspace $(FEATURES) $(call group,judge) -- $(TEST_ARGS)
test-sudoku:
	cargo test --workspace $(FEATURES) $(UNITS) $(call group,sudoku) -- $(TEST_ARGS)
	cargo test --workspace $(FEATURES) --doc

# The tests that take longest are marked where they are, by `#[ignore = "long: ..."]`; `make test` ignores them.
LONG = $(shell grep -rhA 4 --include='*.rs' --exclude-dir=target 'ignore = "long: ' judge problems program src tests | \
    awk '/ignore = "long: / { found = 1 } found && match($$0, /fn [a-z0-9_]+/) { print substr($$0, RSTART + 3, RLENGTH - 3); found = 0 }')
test-long: ## run the tests that take minutes
	cargo test --workspace $(FEATURES) --lib --test '*' -- --ignored $(LONG)

test-portable: rust ## run the command's tests without the sandbox, as on Windows and macOS (docs/platforms.md)
	JUDGE_TEST_SANDBOX=none cargo test --workspace $(FEATURES) --test command

verify: ## check the packages: validators, submissions, generated data and bundles; VERIFY=--quick leaves out what takes long
	cargo run -p judge -- verify $(VERIFY)
	printf '%s\n' $(CHECKED) | tr : ' ' | xargs -P 2 -L 1 sh -c \
	    'cargo run -q -p judge -- bundle $$0 --to $$1 --check testdata/$$0/submissions/accepted'
ifeq ($(filter --quick,$(VERIFY)),)
	cargo run -q -p judge -- gen --check
	mkdir -p target/bundles
	for b in $(FUNCTIONS); do cargo run -q -p judge -- bundle $${b%:*} --to $${b#*:} -o target/bundles || exit 1; done
endif

hostile: ## judge the hostile programs, REPEAT times, with user namespaces and without
	cargo test -p judge --test hostile -- --nocapture --include-ignored --test-threads=1

SECONDS ?= 60
fuzz-sandbox: ## random system calls, then innocent programs: SECONDS=60 a mode, SEED=7, MODE=as-is,user,landlock
	SECONDS=$(SECONDS) cargo test -p judge --test fuzz_sandbox -- --nocapture random

stress-ng: ## each of stress-ng's stressors for a second, then innocent programs; MODE=as-is,user,landlock
	cargo test -p judge --test fuzz_sandbox -- --nocapture --ignored stressors

flips: ## count verdicts that change while the machine is loaded, and measure a hostile neighbour; RUNS=1000 of each
	cargo bench -p judge --bench flips

RUNS ?= 100000
MINUTES ?= 10
faults: ## kill workers, server and nats-server until RUNS=100000 cases ran in a fake sandbox, and a hundredth in the real one, and during a contest of MINUTES=10; SEED=1
	RUNS=$(RUNS) MINUTES=$(MINUTES) cargo test --release -p judge-server --test server -- --nocapture --include-ignored --test-threads=1 faults::

measure: ## measure the overhead of judging, the accuracy of its figures, and what a run can leave for the next one
	cargo bench -p judge --bench overhead
	cargo bench -p judge --bench accuracy
	cargo bench -p judge --bench residency

bench: ## time the articles' methods against each other, the fast engines over their sets, and whole processes
	cargo bench --bench methods
	cargo bench --bench engines
	cargo bench --bench start

# A static program at a fixed address needs no dynamic linker and no relocation; benches/record/start.md has the effect on the start.
STATIC = -C target-feature=+crt-static -C relocation-model=static -C relro-level=off
static: ## build the problems' programs for the fastest start, into target/static/release/
	for p in $(notdir $(wildcard problems/*)); do \
	    cargo rustc -q --release -p $$p --bin $$p --target-dir target/static -- $(STATIC) || exit 1; \
	done

# Handwritten C++ for judges on Windows or 32 bits: the manifest names its source.
PORTABLE = $(patsubst problems/%/Cargo.toml,%:cpp,$(shell grep -l '^source = ' problems/*/Cargo.toml))
RUST = luogup1784:rust luogup1074:rust uva1309:rust kattissudokunique:rust sudokuall:rust six:rust killer9:rust
# Bundles that are complete programs: each is also an accepted submission of its package. `verify` checks that those
# without machine code are up to date; machine code depends on the compiler version.
CHECKED = $(RUST) $(PORTABLE)
ACCEPTED = $(CHECKED) uva1309:cpp
# Bundles that are a function, which the site calls; `verify` judges them as they would be written now.
FUNCTIONS = nowcodernc47:nowcoder leetcode37:leetcode
BUNDLES = $(ACCEPTED) $(FUNCTIONS)
bundle: ## write the files to submit into target/bundles/ and the packages; compile each alone and judge it
	mkdir -p target/bundles
	for b in $(BUNDLES); do cargo run -q -p judge -- bundle $${b%:*} --to $${b#*:} -o target/bundles || exit 1; done
	for b in $(ACCEPTED); do cp target/bundles/$${b%:*}-$${b#*:}.* testdata/$${b%:*}/submissions/accepted/; done

figures: ## draw docs/figures.md and its charts from benches/record/
	UPDATE_FIGURES=1 cargo test --workspace $(FEATURES) --test repository figures

lint: ## check words, formatting, clippy and the documentation
	.ci/words
	cargo fmt --all --check
	cargo clippy --workspace $(FEATURES) --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace $(FEATURES) --no-deps

lint-private: ## check the documentation of private items
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace $(FEATURES) --no-deps --document-private-items

book: ## build the book, docs/, as pages in target/book/
	@command -v mdbook > /dev/null || { echo 'error: mdbook is not installed: run `cargo install mdbook`' >&2; exit 1; }
	mdbook build

# A browser's own sandbox does not work for root.
GUIDES = team-guide jury first-contest serve machines ccs
guides: book ## print the book's guides for contests as PDF, into target/guides/
	@mkdir -p target/guides; \
	browser=$$(command -v chromium chromium-browser google-chrome | head -n 1); \
	[ -n "$$browser" ] || { echo 'error: no browser is installed that prints PDF: run `apt install chromium`' >&2; exit 1; }; \
	[ "$$(id -u)" != 0 ] || browser="$$browser --no-sandbox"; \
	for guide in $(GUIDES); do \
	    $$browser --headless --disable-gpu --no-pdf-header-footer --print-to-pdf=target/guides/$$guide.pdf \
	        target/book/$$guide.html 2> /dev/null && test -s target/guides/$$guide.pdf || exit 1; \
	done; \
	ls target/guides/*.pdf

# Where shells and man look for a user's own files.
SHARE = $(or $(XDG_DATA_HOME),$(HOME)/.local/share)
install: rust ## install `judge`, `judge-server` and `sudoku` into cargo's bin directory, completions and man pages into SHARE
	cargo install --locked --profile installed --path judge
	cargo install --locked --profile installed --path judge/server
	cargo install --locked --path . --features cli
	cargo run -q --locked --profile installed -p judge-dist -- target/install
	mkdir -p $(SHARE) && cp -r target/install/share/. $(SHARE)/

uninstall: ## remove what `make install` installed, the caches and the history; languages and the server's data stay
	-judge clean --history
	-cargo uninstall judge judge-server sudoku-engines
	cd $(SHARE) && rm -f man/man1/judge.1 man/man1/judge-*.1 zsh/site-functions/_judge \
	    bash-completion/completions/judge fish/vendor_completions.d/judge.fish
	cd $(SHARE) && rmdir -p --ignore-fail-on-non-empty man/man1 zsh/site-functions bash-completion/completions \
	    fish/vendor_completions.d

dist: rust ## build target/dist/: static programs as a tarball, a .deb and an .rpm, each tested in an empty root
	judge/dist/build.sh

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14
