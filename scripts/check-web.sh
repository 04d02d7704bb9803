#!/usr/bin/env bash
# Checks that the library compiles for a browser, with whichever compiler for wasm32 is installed: rustup's target, or Debian's rustc with the sources of std.
# Where there is none, it says how to get one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=wasm32-unknown-unknown
check=(cargo check --locked --lib --target "$target" --target-dir target/web --no-default-features --features webgpu)

if rustup target list --installed 2>/dev/null | grep -qx "$target"; then
    "${check[@]}"
elif [ -x /usr/bin/rustc ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library" ]; then
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 "${check[@]}" -Zbuild-std=std,panic_abort
else
    echo "not checked: no compiler for $target. 'rustup target add $target' installs one, or Debian's packages rustc-web and rust-web-src"
fi
