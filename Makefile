# `make help` lists what there is to do.

SWIFT ?= swift
program := .build/release/safelight
documentation := .build/documentation

# One file without the Swift libraries beside it, which starts fastest. lld, because GNU ld warns about a
# function of Foundation's that Safelight does not call. No library looks up symbols of the program.
release := -c release --product safelight --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic

# The most bytes of the program: 25 MB of 2^20 bytes.
size_limit := 26214400

rivals = $(SWIFT) run -c release --package-path Benchmarks RivalEvaluation --program $(program)

swift_sources := Package.swift Plugins Sources Tests $(wildcard Benchmarks/*.swift Benchmarks/*/*.swift Benchmarks/*/*/*.swift)
c_sources = $(shell find Sources presets -name '*.c' -o -name '*.cc' -o -name '*.h')

# Where `make install` puts things; DESTDIR goes before all of it, for packages.
PREFIX ?= /usr/local
bindir = $(DESTDIR)$(PREFIX)/bin
mandir = $(DESTDIR)$(PREFIX)/share/man/man1
bash_completions = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh_completions = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fish_completions = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

.PHONY: help deps build docs install uninstall test test-camera test-size test-benchmarks attack demo bench bench-rivals bench-check lint format clean
.DEFAULT_GOAL := help

help:
	@echo 'make build            build $(program), and its debug information as a file beside it'
	@echo 'make docs             build the documentation of the library into $(documentation)'
	@echo 'make install          put the program, its manual pages and completions below PREFIX (/usr/local), after make build'
	@echo 'make uninstall        take them away again'
	@echo 'make test [ONLY=…]    run all tests; ONLY is a regular expression for their names'
	@echo 'make test-camera      run the tests that need a camera, in a virtual machine (Debian on x86-64)'
	@echo 'make test-size        fail if the program is larger than 25 MB'
	@echo 'make test-benchmarks  run the tests of the benchmarks'
	@echo 'make attack [ONLY=…]  damaged files, floods, full disks, tiny limits: what must not crash or hang (Tests/Attacks)'
	@echo 'make demo [PHOTO=…]   edit a photo and put before/after pictures into out/'
	@echo 'make bench [ONLY=…]   measure; ONLY is a part of the names of benchmarks'
	@echo 'make bench-rivals     measure beside other programs and libraries, which are installed; writes Benchmarks/Results'
	@echo '                      (ONLY=… measures a part, QUICK=1 takes less care; both only print)'
	@echo 'make bench-check      fail where a bar of Benchmarks/thresholds.json is lost; what is not installed is skipped'
	@echo 'make lint             check the format of all sources'
	@echo 'make format           put all sources into that format'
	@echo 'make deps             install what is missing to build (Debian, Ubuntu)'
	@echo 'make clean            remove everything built'

deps:
	@.ci/dependencies

build: deps
	$(SWIFT) build $(release)
	@SWIFT='$(SWIFT)' .ci/split-debug $(program)

# The modules that users of the library meet; their pages link to each other.
documented := Safelight FilterGraph Filters Rendering PhotoIO PhotoPipeline Backends Sidecars Editing Capture LiveVideo \
  BatchEditing Profiling FrameAnalysis ColorScience Files FrameCore

docs: deps
	SAFELIGHT_DOCS=1 $(SWIFT) package --allow-writing-to-directory $(documentation) generate-documentation \
	  $(addprefix --target ,$(documented)) --enable-experimental-combined-documentation \
	  --output-path $(documentation)

# The program is not built here: who installs is often somebody else than who builds. Looks are in the program.
install:
	@test -x $(program) || { echo 'There is no $(program); run make build first.' >&2; exit 1; }
	install -d '$(bindir)' '$(mandir)' '$(bash_completions)' '$(zsh_completions)' '$(fish_completions)'
	install -m 755 $(program) '$(bindir)/safelight'
	$(program) manual '$(mandir)'
	$(program) --generate-completion-script bash > '$(bash_completions)/safelight'
	$(program) --generate-completion-script zsh > '$(zsh_completions)/_safelight'
	$(program) --generate-completion-script fish > '$(fish_completions)/safelight.fish'

uninstall:
	rm -f '$(bindir)/safelight' '$(mandir)/safelight.1' '$(mandir)'/safelight-*.1
	rm -f '$(bash_completions)/safelight' '$(zsh_completions)/_safelight' '$(fish_completions)/safelight.fish'

test: deps
	@SWIFT='$(SWIFT)' Tests/run $(if $(ONLY),'$(ONLY)')

test-camera: deps
	@SWIFT='$(SWIFT)' Tests/CameraVM/run-tests

test-size: build
	@size=$$(stat -Lc %s $(program)); echo "$(program): $$size bytes, at most $(size_limit)"; \
	test "$$size" -le $(size_limit) || { echo 'See what is large with: nm --size-sort $(program).debug' >&2; exit 1; }

test-benchmarks: deps
	$(SWIFT) test --package-path Benchmarks

attack: deps
	$(SWIFT) build --product safelight
	@Tests/Attacks/run $(ONLY)

demo: build
	$(program) demo --output out $(if $(PHOTO),--photo '$(PHOTO)')

bench: deps
	$(SWIFT) package --package-path Benchmarks benchmark --no-progress --skip-target HorizonEvaluation --skip-target BatchEvaluation --skip-target RivalEvaluation $(if $(ONLY),--filter '.*($(ONLY)).*')

# Part of a page, or hints, would take the place of a whole one.
bench-rivals: build
	@Benchmarks/Rivals/install
	$(rivals) $(if $(ONLY),--only '$(ONLY)') $(if $(ONLY)$(QUICK),,--results Benchmarks/Results) $(if $(QUICK),--quick)

bench-check: build
	$(rivals) --check $(if $(ONLY),--only '$(ONLY)')

lint: deps
	$(SWIFT) format lint --strict --recursive $(swift_sources)
	clang-format --dry-run -Werror $(c_sources)

format: deps
	$(SWIFT) format --in-place --recursive $(swift_sources)
	clang-format -i $(c_sources)

clean:
	rm -rf .build Benchmarks/.build out
