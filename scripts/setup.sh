#!/usr/bin/env bash
# Checks that this machine can build and run tenter, and installs a software Vulkan driver if it
# has no usable one. Does nothing, quickly, when everything is there.
#
#   scripts/setup.sh           what building and running needs
#   scripts/setup.sh --test    also rustfmt and clippy, which `make test` uses, and what some tests
#                              skip without: spirv-val, OpenGL, and a display for the viewer
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: error: %s\n' "$@" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# --- Rust -----------------------------------------------------------------------------------------

check_rust() {
    have cargo || die "cargo was not found: install Rust from https://rustup.rs"

    local needed found
    needed=$(sed -n 's/^rust-version *= *"\(.*\)"/\1/p' Cargo.toml)
    found=$(rustc --version) || die "rustc does not run: install Rust from https://rustup.rs"
    found=$(cut -d ' ' -f 2 <<<"$found")
    if [ "$(printf '%s\n' "$needed" "${found%%-*}" | sort -V | head -n 1)" != "$needed" ]; then
        die "Rust $found is too old, $needed or newer is needed: run 'rustup update stable'," \
            "or install Rust from https://rustup.rs if it came from a distribution's package"
    fi
    say "Rust $found"
}

# check_component COMMAND COMPONENT
check_component() {
    cargo "$1" --version >/dev/null 2>&1 && return
    have rustup || die "'cargo $1' was not found: install your distribution's package for $2"
    say "'cargo $1' is missing and the tests use it: adding it with rustup"
    rustup component add "$2"
}

# --- Vulkan ---------------------------------------------------------------------------------------

# A driver's manifest says little: Mesa's package brings those for Intel, AMD and software together,
# whatever the machine has. So ask the Vulkan loader, as tenter will, which devices there are.
build_probe() {
    local cc=${CC:-cc}
    have "$cc" || die "no C compiler ('$cc'), which Rust links with: install gcc"
    "$cc" -w -x c -o "$tmp/probe" - -ldl <<'EOF'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

struct instance_info { /* VkInstanceCreateInfo */
    int32_t type; const void *next; uint32_t flags; const void *app;
    uint32_t layers; const void *layer_names; uint32_t extensions; const void *extension_names;
};
union properties { /* VkPhysicalDeviceProperties, of which the start is read */
    struct { uint32_t api, driver, vendor, device, type; char name[256]; } start;
    uint64_t room[512];
};

int main(void) {
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW);
    if (!loader) return puts("there is no Vulkan loader (libvulkan.so.1)"), 1;
    int (*create)(void *, void *, void **) = dlsym(loader, "vkCreateInstance");
    int (*enumerate)(void *, uint32_t *, void **) = dlsym(loader, "vkEnumeratePhysicalDevices");
    void (*describe)(void *, void *) = dlsym(loader, "vkGetPhysicalDeviceProperties");

    struct instance_info info = {1};
    void *instance, *devices[16];
    uint32_t count = 16;
    if (create(&info, (void *)0, &instance) != 0)
        return puts("the Vulkan loader finds no driver that works"), 1;
    if (enumerate(instance, &count, devices) < 0 || count == 0)
        return puts("the Vulkan drivers find no device"), 1;
    for (uint32_t i = 0; i < count; i++) {
        union properties p;
        describe(devices[i], &p);
        printf("%s%s%s", i ? ", " : "", p.start.name, p.start.type == 4 ? " [software]" : "");
    }
    return puts(""), 0;
}
EOF
}

# Prints the devices, or fails and prints why there are none. Arguments: as for env.
probe() {
    local rc=0
    env "$@" "$tmp/probe" >"$tmp/found" 2>/dev/null || rc=$?
    [ "$rc" -ne 126 ] || die "cannot run programs in $tmp: set TMPDIR to a directory that allows it"
    [ "$rc" -lt 128 ] || echo "a Vulkan driver crashes" >"$tmp/found"
    return "$rc"
}

# Runs a command, showing what it prints only if it fails.
quietly() { "$@" >"$tmp/log" 2>&1 </dev/null || { cat "$tmp/log" >&2; return 1; }; }

install_driver() {
    local -a update=() install sudo=()
    if have apt-get; then
        update=(apt-get update)
        install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends
            mesa-vulkan-drivers libvulkan1)
    elif have dnf; then
        install=(dnf install -y mesa-vulkan-drivers vulkan-loader)
    elif have pacman; then
        # Refreshing an existing package list without a full upgrade can break an Arch system.
        [ -e /var/lib/pacman/sync/core.db ] || update=(pacman -Sy --noconfirm)
        install=(pacman -S --noconfirm --needed vulkan-swrast vulkan-icd-loader)
    else
        die "no apt-get, dnf or pacman here: install a Vulkan loader and Mesa's software driver" \
            "(lavapipe) with this system's package manager, then run this again"
    fi

    local by_hand="${update[*]:+${update[*]} && }${install[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        have sudo || die "installing it needs root and there is no sudo: as root, run" "  $by_hand"
        sudo=(sudo)
        [ -t 0 ] || sudo+=(-n) # nobody there to type a password
        by_hand="${update[*]:+sudo ${update[*]} && }sudo ${install[*]}"
    fi

    say "installing Mesa's software driver, which runs Vulkan on the processor:"
    say "  $by_hand"
    # A failing update (one broken repository, say) matters only if the installation then fails.
    if [ ${#update[@]} -gt 0 ]; then
        quietly "${sudo[@]}" "${update[@]}" || say "the package lists could not all be refreshed; going on"
    fi
    quietly "${sudo[@]}" "${install[@]}" || die "the installation failed; by hand it is" "  $by_hand"
}

check_vulkan() {
    case $(uname -s) in
    Darwin) say "macOS has Metal: no driver to install"; return ;;
    MINGW* | MSYS* | CYGWIN*) say "Windows has Direct3D 12: no driver to install"; return ;;
    esac

    build_probe
    if ! probe; then
        say "no usable Vulkan driver: $(cat "$tmp/found")"
        if probe -u VK_ICD_FILENAMES -u VK_DRIVER_FILES; then
            die "VK_ICD_FILENAMES or VK_DRIVER_FILES hides this machine's drivers: unset it"
        fi
        install_driver
        probe || die "still no usable Vulkan driver: $(cat "$tmp/found")"
    fi
    say "Vulkan on $(cat "$tmp/found")"
}

# --- Judges of shaders ----------------------------------------------------------------------------

# Nothing fails without them: tests that use spirv-val, OpenGL or a display then say that they skip.
offer_judges() {
    local -a missing=() sudo=()
    have spirv-val || missing+=(spirv-tools)
    ldconfig -p 2>/dev/null | grep -q 'libEGL\.so\.1' || missing+=(libegl1 libgl1-mesa-dri)
    have Xvfb || missing+=(xvfb)
    have xdotool || missing+=(xdotool)
    have xwd || missing+=(x11-apps)
    ldconfig -p 2>/dev/null | grep -q 'libxkbcommon-x11\.so\.0' || missing+=(libxkbcommon-x11-0 libxcursor1 libxi6 libx11-xcb1)
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(uname -s)" = Linux ] && have apt-get || { say "without spirv-val, OpenGL or a display some tests skip"; return 0; }
    if [ "$(id -u)" -ne 0 ]; then
        have sudo && sudo -n true 2>/dev/null || { say "some tests skip without: ${missing[*]}"; return 0; }
        sudo=(sudo -n)
    fi
    say "installing for tests: ${missing[*]}"
    quietly "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" ||
        say "that failed; the tests that use them will skip"
}

# --------------------------------------------------------------------------------------------------

case "${1-}" in
"" | --test) ;;
*) die "unknown argument '$1': the only one is --test" ;;
esac
check_rust
if [ "${1-}" = --test ]; then
    check_component fmt rustfmt
    check_component clippy clippy
fi
check_vulkan
if [ "${1-}" = --test ]; then
    offer_judges
fi
