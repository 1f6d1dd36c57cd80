# `make demo` and `make test` do all their own set-up; the rest is for daily work.

.PHONY: demo test alone test-hosts test-mpi test-page test-editors test-python test-torch test-zoo test-drawn test-jax site dist test-dist test-suites setup check fmt clean

demo: setup ## train a byte-level GPT on 8 CPU devices, and let it write
	scripts/demo

test: setup ## everything that CI checks
	cargo fmt --all --check
	$(if $(RUSTC_WORKSPACE_WRAPPER),,cargo clippy --workspace --all-targets --quiet -- -D warnings)
	$(alone)
	scripts/test
	cargo test --workspace --doc --quiet

# Needs nothing that `setup` installs beyond a C compiler, and compiles most of what `test` needs.
alone: ## the command without LLVM, as a part of `test`
	$(alone)

# The command without LLVM, runtime and language server. Packages that would bring these back are left out; the others, and one test, say
# that dependencies have the features that they have in `test`, so that three crates are compiled, and not half of the workspace.
alone = cargo build --workspace --no-default-features --exclude meshloom-driver --exclude meshloom-tests --exclude meshloom-fuzz \
	--bin meshloom --test kill --quiet

# Apart from `test`: it needs root and iproute2, for network namespaces.
test-hosts: setup ## the same ranks on hosts of their own
	cargo test --workspace --test it --quiet -- --ignored ranks_meet_between_hosts

# Apart from `test`: it needs an MPI, and builds the runtime once more.
test-mpi: setup ## the same ranks under mpirun, with messages by MPI (Debian: libopenmpi-dev openmpi-bin)
	cargo test -p meshloom-run --features mpi --test it --quiet -- mpi

# Apart from `test`: it needs Chromium, which it installs with apt where it is missing, and Playwright from pip.
test-page: setup ## pages of plans in a headless Chromium
	scripts/page

# Apart from `test`: it needs Node.js, which it installs with apt where it is missing, and packages from npm.
test-editors: setup ## grammars and the VS Code extension
	scripts/editors

# Apart from `test`: it needs JAX and Flax, which it installs from PyPI.
test-python: setup ## the Python package, with JAX and NumPy
	scripts/python

# Apart from `test`: it needs PyTorch, torchax, JAX and Transformers, which it installs from PyPI: 2 GB.
test-torch: setup ## modules of PyTorch and configs of Transformers
	scripts/torch

# Apart from `test`: it needs PyTorch and Transformers, as `test-torch` does.
test-zoo: setup ## the models of models/ against Transformers
	scripts/zoo

# Apart from `test`: it needs JAX, which it installs from PyPI. Other seeds: scripts/drawn jax --seeds 0..3000
test-drawn: setup ## JAX programs drawn by seed against JAX, and train programs on meshes against one device
	scripts/drawn jax --seeds 0..60 --quiet
	scripts/drawn train --seeds 0..30

# Apart from `test`: it needs some twenty libraries from PyPI, and takes half an hour on 2 cores.
test-jax: setup ## train steps of public JAX libraries, on 8 devices, against JAX
	scripts/jax-libraries

site: ## docs/ as a site with search, in target/site, and its links checked
	scripts/site

dist: setup ## a wheel and a tarball that need no compiler, in dist/
	scripts/dist

# Apart from `test`: it makes a root file system, so it needs root.
test-dist: setup ## the wheel and the tarball in an empty Debian, from installing to a trained model
	scripts/dist --test

# Apart from `test`: it needs checkouts of the two suites, of which nothing is in this repository.
test-suites: setup ## StableHLO's and Shardy's own tests: make test-suites STABLEHLO=.. SHARDY=..
	STABLEHLO="$(abspath $(STABLEHLO))" SHARDY="$(abspath $(SHARDY))" \
		cargo test -p meshloom-tests --test it -- --ignored --nocapture suites

setup: ## install what is missing: LLVM 22 with MLIR, ptxas
	@scripts/setup

check: ## the quick part of `make test`
	cargo check --workspace --all-targets

fmt:
	cargo fmt --all

clean:
	cargo clean
