DEMO_OUT := out/demo
DEMO     := cargo run --release --locked -- run scenes/drape.toml --output $(DEMO_OUT)

# rustup's directory is not on the PATH of every shell.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin

# Mesa's device-select layer looks for a display and complains where there is none. Adapters are chosen by tenter itself.
export NODEVICE_SELECT ?= 1

.PHONY: help setup demo view web web-serve test bench gallery kernel-stats faults soak clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## Check for Rust and a Vulkan driver; install a software driver if there is none
	@bash scripts/setup.sh

demo: setup ## Set up, build, drape a cloth over a ball and draw it
	$(DEMO)
	@test -f $(DEMO_OUT)/last.png
	@echo "The pictures are in $(DEMO_OUT)/; the last one is $(DEMO_OUT)/last.png"

view: setup ## Build the live viewer and look at a scene: make view SCENE=flag
	cargo run --release --locked -p tenter-viewer -- $(or $(SCENE),drape)

web: ## Build the viewer for a browser into out/web, a folder that any web server can serve
	bash scripts/build-web.sh out/web

PORT ?= 8000

web-serve: web ## Build the viewer for a browser and serve it at http://localhost:8000; PORT chooses another port
	python3 -m http.server --bind localhost --directory out/web $(PORT)

# SwiftShader, where Debian's chromium has brought it along: tests that compare adapters then have two. For all of them on it: TENTER_ADAPTER=swiftshader.
SWIFTSHADER := $(wildcard /usr/lib/chromium/vk_swiftshader_icd.json)

test: export VK_ADD_DRIVER_FILES ?= $(SWIFTSHADER)
test: ## Set up, then check formatting, lints and documentation and run all tests
	@bash scripts/setup.sh --test
	@echo "== Formatting"
	cargo fmt --all --check
	@echo "== Lints, everything"
	cargo clippy --locked --all-targets --all-features -- -D warnings
	@echo "== Lints, the library without optional features"
	cargo clippy --locked --no-default-features --lib -- -D warnings
	@echo "== Lints, the viewer"
	cargo clippy --locked -p tenter-viewer --all-targets -- -D warnings
	@echo "== The library for a browser, where a compiler for it is installed"
	bash scripts/check-web.sh
	@echo "== Documentation"
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --all-features
	@echo "== Tests, those in the documentation included"
	cargo test --locked --all-features
	@echo "== Tests of the viewer; the one with a window is 'cargo test -p tenter-viewer -- --ignored'"
	cargo test --locked -p tenter-viewer
	@echo "== All passed"

bench: setup ## Set up, then run the benchmarks
	cargo run --release --locked -- bench

gallery: setup ## Set up, then draw every built-in scene for docs/gallery.md and every preset for docs/materials.md; takes a while
	cargo build --release --locked
	for name in $$(target/release/tenter scenes | cut -d ' ' -f 1); do \
		target/release/tenter run $$name --frames none --output out/gallery/$$name --image docs/gallery/$$name.png --image-size 640x480 || exit 1; \
	done
	for preset in silk wool cotton denim leather rubber; do for kind in drape hanging; do \
		mkdir -p out/materials; sed "s/\"cotton\"/\"$$preset\"/" docs/materials/$$kind.toml > out/materials/$$kind-$$preset.toml; \
		target/release/tenter run out/materials/$$kind-$$preset.toml --frames none --output out/materials/$$kind-$$preset --image docs/materials/$$kind-$$preset.png --image-size 320x320 || exit 1; \
	done; done

kernel-stats: ## Print what AMD's shader compiler makes of every kernel, without a GPU; needs Mesa's RADV and the Vulkan loader, and says so if they are missing
	cargo run --locked --manifest-path tools/kernel-stats/Cargo.toml -- $(ARGUMENTS)

faults: setup ## Let every call fail in turn that the system may refuse, to the GPU and to files, in a short run; takes minutes
	cargo test --locked --all-features --lib every_call_fails -- --ignored --nocapture --test-threads 1

# Seconds that each of the two long runs may take.
SOAK_SECONDS ?= 1800

soak: setup ## Make a million steps of a small scene and ten thousand with contact; check that memory and energy stay bounded. SOAK_SECONDS bounds each
	cargo run --release --locked --example soak -- --seconds $(SOAK_SECONDS)

clean: ## Remove build products and output
	cargo clean
	rm -rf out
