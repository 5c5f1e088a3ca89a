# `make help` lists the targets.

SWIFT ?= swift
program := .build/release/safelight
vision := .build/release/safelight-vision
documentation := .build/documentation

# What is moved in memory when the program starts takes a twentieth of it; packed, next to nothing. glibc reads that since 2.36.
packed := $(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2)" | sort -CV && \
  echo -Xlinker -z -Xlinker pack-relative-relocs)

# Statically linked: a single file, which also starts fastest. lld, because GNU ld warns about a Foundation
# function that Safelight does not call. No library looks up symbols of the program, so none are exported.
options := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic $(packed)
release := $(options) --product safelight
library := .build/library

# The most bytes of the program: 40 MB of 2^20 bytes. It has grown by movies, sound, local tone and the studio with its server;
# what is not called is left out already (function sections gain 4 % more, and cost a build of everything).
size_limit := 41943040

rivals = $(SWIFT) run -c release --package-path Benchmarks RivalEvaluation --program $(program)

swift_sources := Package.swift Plugins Sources Tests $(wildcard Benchmarks/*.swift Benchmarks/*/*.swift Benchmarks/*/*/*.swift)
c_sources = $(shell find Sources presets studio vision -name '*.c' -o -name '*.cc' -o -name '*.h')

# The folders of `make install`; DESTDIR, for packages, is prepended to all of them.
PREFIX ?= /usr/local
bindir = $(DESTDIR)$(PREFIX)/bin
mandir = $(DESTDIR)$(PREFIX)/share/man/man1
bash_completions = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh_completions = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fish_completions = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
applications = $(DESTDIR)$(PREFIX)/share/applications
libdir = $(DESTDIR)$(PREFIX)/lib
includedir = $(DESTDIR)$(PREFIX)/include
icons = $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps

.PHONY: help deps build vision library wheel deb image try-packages docs install uninstall demo-ray test test-camera test-studio test-python test-ray test-network test-size test-benchmarks check-interface interface attack demo bench bench-rivals bench-check bench-studio bench-scale lint format clean
.DEFAULT_GOAL := help

help:
	@echo 'make build            build $(program), and its debug information as a file beside it'
	@echo 'make vision           build only $(vision), which finds codes, faces and text'
	@echo 'make library          build the C library, its header and its file for pkg-config into $(library)'
	@echo 'make wheel            build the Python package into dist/'
	@echo 'make deb              build packages for Debian into dist/ (debhelper)'
	@echo 'make image            build an image for containers into dist/, after make deb (mmdebstrap, buildah)'
	@echo 'make try-packages     install what is in dist/ in Debians that have nothing else (mmdebstrap); WAY=apt tries one way'
	@echo 'make docs             build the documentation of the library into $(documentation)'
	@echo 'make install          install the program, its man pages and completions below PREFIX (/usr/local), after make build'
	@echo 'make uninstall        remove them again'
	@echo 'make test [ONLY=…]    run all tests; ONLY is a regular expression for their names'
	@echo 'make test-camera      run the tests that need a camera, in a virtual machine (Debian on x86-64)'
	@echo 'make test-studio      try the page of the studio in a browser (Debian: chromium; PyPI: playwright)'
	@echo 'make test-python      run the tests of the Python package (PyPI: numpy, pytest)'
	@echo 'make test-ray         run the tests of many photos with Ray (PyPI: ray, 500 MB)'
	@echo 'make test-network     two machines edit photos in one folder by NFS, in a virtual machine (PyPI: ray)'
	@echo 'make test-size        fail if the program is larger than 40 MB'
	@echo 'make check-interface  fail if a change breaks programs that use the library, and the version does not allow it'
	@echo 'make interface        keep the interface that make check-interface compares with'
	@echo 'make test-benchmarks  run the tests of the benchmarks'
	@echo 'make attack [ONLY=…]  damaged files, floods, full disks, tiny limits: what must not crash or hang (Tests/Attacks)'
	@echo 'make demo [PHOTO=…]   edit a photo and put before/after pictures into out/'
	@echo 'make demo-ray         edit photos with Ray on this machine (PyPI: ray, 500 MB)'
	@echo 'make bench [ONLY=…]   run the benchmarks; ONLY is a part of their names'
	@echo 'make bench-rivals     compare with other programs and libraries, which are installed; writes Benchmarks/Results'
	@echo '                      (ONLY=… measures a part, QUICK=1 is less precise; both only print)'
	@echo 'make bench-check      fail if a bar of Benchmarks/thresholds.json is missed; skips what is not installed'
	@echo 'make bench-studio     how fast the page of the studio follows, in a browser'
	@echo 'make bench-scale      what photos cost through Ray, and what kills do to them (PyPI: ray); ONLY=… measures a part'
	@echo 'make lint             check the format of all sources'
	@echo 'make format           format all sources'
	@echo 'make deps             install what is missing to build (Debian, Ubuntu); make deps-test adds what tests need'
	@echo 'make clean            remove everything built'

deps:
	@.ci/dependencies

# What more than the build needs it.
deps-%:
	@.ci/dependencies $*

build: deps
	$(SWIFT) build $(release)
	@SWIFT='$(SWIFT)' .ci/split-debug $(program)
	@$(MAKE) --no-print-directory -C vision OUTPUT='$(abspath $(vision))'

# Builds only safelight-vision; safelight looks for it beside itself, then on PATH.
vision:
	@$(MAKE) --no-print-directory -C vision OUTPUT='$(abspath $(vision))'

# Compiled as the program is, so that both share what they compile.
library: deps
	$(SWIFT) build $(options) --product SafelightC
	@SWIFTC='$(SWIFT)c' .ci/link-library .build/release $(library)
	@SWIFT='$(SWIFT)' .ci/split-debug $(library)/libsafelight.so.1

wheel: deps-python library
	@SWIFT='$(SWIFT)' .ci/wheel $(library) dist

deb: deps-deb build library
	@.ci/deb dist

image: deps-image
	@.ci/image dist

try-packages:
	@.ci/try-packages dist $(WAY)

# The modules that users of the library see; their pages link to each other.
documented := Safelight FilterGraph Filters Rendering PhotoIO PhotoPipeline Backends Sidecars Editing LensProfiles Capture LiveVideo \
  Recording MovieIO AudioProcessing SpatialAudio BatchEditing Similarity Profiling Vision FrameAnalysis ColorScience Files FrameCore

docs: deps
	SAFELIGHT_DOCS=1 $(SWIFT) package --allow-writing-to-directory $(documentation) generate-documentation \
	  $(addprefix --target ,$(documented)) --enable-experimental-combined-documentation \
	  --output-path $(documentation)

# This does not build the program, because installing is often done by another user. Looks are in the program.
install:
	@test -x $(program) || { echo 'There is no $(program); run make build first.' >&2; exit 1; }
	install -d '$(bindir)' '$(mandir)' '$(bash_completions)' '$(zsh_completions)' '$(fish_completions)'
	install -m 755 $(program) '$(bindir)/safelight'
	if test -x $(vision); then install -m 755 $(vision) '$(bindir)/safelight-vision'; fi
	$(program) manual '$(mandir)'
	$(program) --generate-completion-script bash | sed '1{/^#!/d}' > '$(bash_completions)/safelight'
	$(program) --generate-completion-script zsh > '$(zsh_completions)/_safelight'
	$(program) --generate-completion-script fish > '$(fish_completions)/safelight.fish'
	install -D -m 644 desktop/safelight.desktop '$(applications)/safelight.desktop'
	install -D -m 644 studio/page/icon.svg '$(icons)/safelight.svg'
	if test -e $(library)/libsafelight.so.1; then \
	  install -D -m 644 $(library)/libsafelight.so.1 '$(libdir)/libsafelight.so.1'; \
	  ln -sf libsafelight.so.1 '$(libdir)/libsafelight.so'; \
	  install -D -m 644 $(library)/safelight.h '$(includedir)/safelight.h'; \
	  install -D -m 644 $(library)/safelight.pc '$(libdir)/pkgconfig/safelight.pc'; \
	fi

uninstall:
	rm -f '$(bindir)/safelight' '$(bindir)/safelight-vision' '$(mandir)/safelight.1' '$(mandir)'/safelight-*.1
	rm -f '$(bash_completions)/safelight' '$(zsh_completions)/_safelight' '$(fish_completions)/safelight.fish'
	rm -f '$(libdir)/libsafelight.so.1' '$(libdir)/libsafelight.so' '$(includedir)/safelight.h' '$(libdir)/pkgconfig/safelight.pc'
	rm -f '$(applications)/safelight.desktop' '$(icons)/safelight.svg'

test: deps-test
	@SWIFT='$(SWIFT)' Tests/run $(if $(ONLY),'$(ONLY)')

test-camera: deps-test
	@SWIFT='$(SWIFT)' Tests/CameraVM/run-tests

# With the program that the tests were built with.
test-studio: deps-test
	@Tests/Page/run "$$(dirname "$$(SWIFT='$(SWIFT)' Tests/build)")/safelight" $(ONLY)

# With the library that the tests were built with.
test-python: deps-test
	@SWIFT='$(SWIFT)' python/run-tests $(if $(ONLY),-k '$(ONLY)')

test-ray: deps-test
	@SWIFT='$(SWIFT)' python/run-tests --ray $(if $(ONLY),-k '$(ONLY)')

# Two machines that share a folder by NFS.
test-network: deps-test
	@SWIFT='$(SWIFT)' Tests/NetworkFolder/run

# Photos spread by Ray over this machine.
demo-ray: deps-python build library
	@python/demo-ray $(library) $(program)

test-size: build
	@size=$$(stat -Lc %s $(program)); echo "$(program): $$size bytes, at most $(size_limit)"; \
	test "$$size" -le $(size_limit) || { echo 'See what is large with: nm --size-sort $(program).debug' >&2; exit 1; }

# With the modules that the tests were built from, or those of FOLDER.
check-interface: deps-test
	@SWIFT='$(SWIFT)' FOLDER='$(FOLDER)' .ci/interface check $(documented)

interface: deps-test
	@SWIFT='$(SWIFT)' FOLDER='$(FOLDER)' .ci/interface save $(documented)

test-benchmarks: deps-test
	$(SWIFT) test --package-path Benchmarks

attack: deps-test
	$(SWIFT) build --product safelight
	@Tests/Attacks/run $(ONLY)

demo: build
	$(program) demo --output out $(if $(PHOTO),--photo '$(PHOTO)')

bench: deps
	$(SWIFT) package --package-path Benchmarks benchmark --no-progress --skip-target HorizonEvaluation --skip-target MergeEvaluation --skip-target FilterEvaluation --skip-target PhotoEvaluation --skip-target BatchEvaluation --skip-target RivalEvaluation $(if $(ONLY),--filter '.*($(ONLY)).*')

# Results are not written for a part or a quick run, which would replace a whole page.
bench-rivals: build
	@Benchmarks/Rivals/install
	$(rivals) $(if $(ONLY),--only '$(ONLY)') $(if $(ONLY)$(QUICK),,--results Benchmarks/Results) $(if $(QUICK),--quick)

bench-check: build
	$(rivals) --check $(if $(ONLY),--only '$(ONLY)')

# In a real browser, with a photo of 24 megapixels that it makes.
bench-studio: build
	@Tests/Page/install
	@.build/page-tests/bin/python Benchmarks/Studio/latency.py $(program) $(if $(ONLY),--only '$(ONLY)')

bench-scale: deps-test build library
	@PYTHONPATH='$(CURDIR)/python' SAFELIGHT='$(abspath $(program))' SAFELIGHT_LIBRARY='$(abspath $(library))/libsafelight.so.1' \
	  "$$(python/install-ray tests)/bin/python" Benchmarks/Scale $(ONLY)

lint: deps-test
	$(SWIFT) format lint --strict --parallel --recursive $(swift_sources)
	clang-format --dry-run -Werror $(c_sources)

format: deps-test
	$(SWIFT) format --in-place --parallel --recursive $(swift_sources)
	clang-format -i $(c_sources)

clean:
	rm -rf .build Benchmarks/.build out
