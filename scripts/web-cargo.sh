#!/usr/bin/env bash
# Runs cargo with a compiler for wasm32-unknown-unknown, whichever is installed: rustup's target, or Debian's rustc-web with the sources of std. Exit code 3: there is
# none. Arguments: those of cargo.
set -euo pipefail
target=wasm32-unknown-unknown
if rustup target list --installed 2>/dev/null | grep -qx "$target"; then
    exec cargo "$@" --target "$target"
elif [ -x /usr/bin/rustc ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library" ]; then
    linker=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/rust-lld
    [ -x "$linker" ] && export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 exec cargo "$@" --target "$target" -Zbuild-std=std,panic_abort
else
    echo "no compiler for $target: 'rustup target add $target' installs one, or Debian's packages rustc-web and rust-web-src" >&2
    exit 3
fi
