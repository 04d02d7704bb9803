#!/usr/bin/env bash
# Builds the viewer for a browser into a folder that any web server can serve. Argument: the folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:-out/web}

bash scripts/web-cargo.sh rustc --locked --profile web -p tenter-viewer --lib --crate-type cdylib --target-dir target/web
mkdir -p "$out"
wasm=target/web/wasm32-unknown-unknown/web/tenter_viewer.wasm
version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
if command -v wasm-bindgen >/dev/null && [ "$(wasm-bindgen --version | cut -d ' ' -f 2)" = "$version" ]; then
    wasm-bindgen --target web --no-typescript --out-name viewer --out-dir "$out" "$wasm"
else
    cargo run --locked --quiet --manifest-path viewer/web/bindgen/Cargo.toml --target-dir target/web-bindgen -- "$wasm" "$out"
fi
# Older versions of wasm-opt, such as Debian's 108, break the tables of JavaScript objects.
if command -v wasm-opt >/dev/null && [ "$(wasm-opt --version | tr -dc '0-9 ' | awk '{ print $1 }')" -ge 116 ]; then
    wasm-opt -O2 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
        --enable-reference-types --enable-multivalue -o "$out/smaller.wasm" "$out/viewer_bg.wasm"
    mv "$out/smaller.wasm" "$out/viewer_bg.wasm"
else
    echo "not made smaller: wasm-opt 116 or newer of binaryen is not on the PATH"
fi
cp viewer/web/index.html "$out/"
cp docs/drape.gif "$out/recorded.gif"
printf '%s: wasm %d bytes, %d compressed\n' "$out" "$(stat -c %s "$out/viewer_bg.wasm")" "$(gzip -9c "$out/viewer_bg.wasm" | wc -c)"
