//! The program `tenter`: see `tenter --help`, or `src/cli/`.

#![deny(unsafe_code)]

fn main() -> std::process::ExitCode {
    silence_device_select();
    tenter::internals::cli::main()
}

/// Switches off Mesa's device-select layer, which prints an error of its own where there is no display. tenter chooses adapters itself.
/// Whoever has said anything to that layer is left alone.
fn silence_device_select() {
    const SWITCH: &str = "NODEVICE_SELECT";
    let asked_for = [SWITCH, "MESA_VK_DEVICE_SELECT", "DRI_PRIME"];
    if asked_for.iter().any(|name| std::env::var_os(name).is_some()) {
        return;
    }
    #[expect(unsafe_code, reason = "the Vulkan loader reads the environment and nothing else")]
    // SAFETY: the first thing that the process does; no other thread is there to read the environment.
    unsafe {
        std::env::set_var(SWITCH, "1");
    }
}
