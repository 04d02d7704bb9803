//! The program `tenter`: see `tenter --help`, or `src/cli/`.

#![deny(unsafe_code)]

fn main() -> std::process::ExitCode {
    silence_device_select();
    #[cfg(unix)]
    keep_signals();
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

/// A file that outgrows the limit of the process is an error of that write, like a full disk: SIGXFSZ is ignored. Where SIGHUP was ignored before, as under
/// `nohup`, it is blocked: the handler that ends a run like Ctrl-C does not get it.
#[cfg(unix)]
fn keep_signals() {
    #[expect(unsafe_code, reason = "the standard library has no signals")]
    // SAFETY: no other thread is there yet; `former` and `set` are written before they are read.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        let mut former = std::mem::zeroed::<libc::sigaction>();
        if libc::sigaction(libc::SIGHUP, std::ptr::null(), &mut former) == 0 && former.sa_sigaction == libc::SIG_IGN {
            let mut set = std::mem::zeroed::<libc::sigset_t>();
            libc::sigemptyset(&mut set);
            libc::sigaddset(&mut set, libc::SIGHUP);
            libc::sigprocmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
        }
    }
}
