//! The window, under Xvfb with real mouse events: the cloth moves, follows the mouse, takes keys. Skips, and says so, where Xvfb, xdotool or xwd are missing.

#![cfg(target_os = "linux")]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A process that ends with its test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended already cannot be killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display with a viewer on it.
struct Desk {
    display: String,
    report: PathBuf,
    _viewer: Process,
    _xvfb: Process,
}

/// A picture of the display: width, height, and bytes red, green, blue.
struct Picture {
    width: usize,
    height: usize,
    bytes: Vec<[u8; 3]>,
}

const LONGEST: Duration = Duration::from_secs(240);

impl Desk {
    /// Starts a display and the viewer; `None` where a tool is missing.
    fn new(name: &str, arguments: &[&str]) -> Option<Self> {
        for tool in ["Xvfb", "xdotool", "xwd"] {
            if Command::new("sh")
                .args(["-c", &format!("command -v {tool}")])
                .stdout(Stdio::null())
                .status()
                .ok()?
                .code()
                != Some(0)
            {
                eprintln!("skipped: there is no {tool}");
                return None;
            }
        }
        let arguments_of_xvfb = ["-displayfd", "1", "-screen", "0", "900x600x24", "-nolisten", "tcp"];
        let mut xvfb =
            Command::new("Xvfb").args(arguments_of_xvfb).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut number = String::new();
        BufReader::new(xvfb.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let display = format!(":{}", number.trim());
        let report = std::env::temp_dir().join(format!("tenter-{name}-{}.jsonl", std::process::id()));
        let viewer = Command::new(env!("CARGO_BIN_EXE_tenter-viewer"))
            .args(arguments)
            .args(["--size", "900x600", "--report"])
            .arg(&report)
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            // SwiftShader, which other tests add, shows nothing on Xvfb.
            .env_remove("VK_ADD_DRIVER_FILES")
            .spawn()
            .unwrap();
        Some(Self { display, report, _viewer: Process(viewer), _xvfb: Process(xvfb) })
    }

    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(&self.report).unwrap_or_default();
        // The last line may be half written.
        text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::to_owned).collect()
    }

    /// Waits for a line that satisfies a condition, among those after the first so many.
    fn wait(&self, what: &str, after: usize, condition: impl Fn(&str) -> bool) -> String {
        let begin = Instant::now();
        loop {
            if let Some(line) = self.lines().into_iter().skip(after).find(|line| condition(line)) {
                return line;
            }
            assert!(begin.elapsed() < LONGEST, "{what} did not happen; last: {:?}", self.lines().last());
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn xdotool(&self, words: &[&str]) {
        let done = Command::new("xdotool").args(words).env("DISPLAY", &self.display).status().unwrap();
        assert!(done.success(), "{words:?}");
    }

    fn mouse_to(&self, [x, y]: [f64; 2]) {
        self.xdotool(&["mousemove", &format!("{x:.0}"), &format!("{y:.0}")]);
    }

    /// A picture of the display. `xwd` writes a header of big-endian words, colours, and rows of four bytes to a pixel.
    fn picture(&self) -> Picture {
        let output = Command::new("xwd").args(["-root", "-silent"]).env("DISPLAY", &self.display).output().unwrap();
        let word = |ix: usize| u32::from_be_bytes(output.stdout[4 * ix..4 * ix + 4].try_into().unwrap()) as usize;
        let (header, width, height, row, colours) = (word(0), word(4), word(5), word(12), word(19));
        let pixels = &output.stdout[header + 12 * colours..];
        let bytes = (0..height)
            .flat_map(|y| (0..width).map(move |x| y * row + 4 * x))
            .map(|at| [pixels[at + 2], pixels[at + 1], pixels[at]]);
        Picture { width, height, bytes: bytes.collect() }
    }
}

impl Picture {
    /// Pixels of red cloth.
    fn red(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let red = |[r, g, b]: [u8; 3]| r > 60 && i32::from(r) * 10 > i32::from(g) * 13 && r > b;
        (0..self.height)
            .flat_map(move |y| (0..self.width).map(move |x| [x, y]))
            .filter(move |[x, y]| red(self.bytes[y * self.width + x]))
    }
}

/// The number of a key in a line.
fn number(line: &str, key: &str) -> f64 {
    let rest = line.split_once(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no {key} in {line}")).1;
    let end = rest.find([',', '}', ']']).unwrap();
    rest[..end].trim_start_matches('[').parse().unwrap_or_else(|_| panic!("{key} in {line}"))
}

/// The numbers of a list in a line.
fn list(line: &str, key: &str) -> Vec<f64> {
    let rest = line.split_once(&format!("\"{key}\":[")).unwrap_or_else(|| panic!("no {key} in {line}")).1;
    rest[..rest.find(']').unwrap()].trim_matches('[').split(',').map(|it| it.parse().unwrap()).collect()
}

#[test]
#[ignore = "takes minutes on a software driver beside other work; cargo test -p tenter-viewer -- --ignored"]
fn the_cloth_follows_the_mouse() {
    let scene = ["hanging", "--set", "body.0.mesh.columns=20", "--set", "body.0.mesh.rows=20"];
    let Some(desk) = Desk::new("drag", &scene) else { return };
    let first = desk.wait("the first frame", 0, |_| true);
    assert_eq!(number(&first, "steps"), 0.0);
    let moving = desk.wait("the cloth moving", 0, |line| number(line, "steps") >= 30.0);
    assert!(moving.contains("\"error\":null"), "{moving}");
    // There is no window manager that would give the window the keys.
    desk.xdotool(&["search", "--sync", "--onlyvisible", "--name", "^tenter$", "windowfocus"]);
    // Something in the middle of the cloth's lower half.
    let picture = desk.picture();
    let red: Vec<[usize; 2]> = picture.red().collect();
    assert!(red.len() > 2000, "{} pixels of cloth", red.len());
    let lowest = red.iter().map(|at| at[1]).max().unwrap();
    let low: Vec<[usize; 2]> = red.into_iter().filter(|at| at[1] + 25 < lowest && at[1] + 45 > lowest).collect();
    let at = low[low.len() / 2].map(|side| side as f64);
    desk.mouse_to(at);
    desk.xdotool(&["mousedown", "1"]);
    let lines = desk.lines().len();
    desk.wait("the grip", lines, |line| !line.contains("\"grip\":null"));
    let mut to = at;
    for _ in 0..12 {
        to = [to[0] + 8.0, to[1] - 6.0];
        desk.mouse_to(to);
        thread::sleep(Duration::from_millis(60));
    }
    let near = |line: &str| {
        let pixel = list(line, "pixel");
        (pixel[0] - to[0]).hypot(pixel[1] - to[1]) < 25.0
    };
    let lines = desk.lines().len();
    let held = desk.wait("the cloth at the mouse", lines, |line| !line.contains("\"grip\":null") && near(line));
    assert!(list(&held, "place") != list(&held, "target"), "{held}");
    // The control: where it was taken is not near.
    let pixel = list(&held, "pixel");
    assert!((pixel[0] - at[0]).hypot(pixel[1] - at[1]) > 50.0, "{held}");
    // The picture shows cloth there.
    let cloth = desk.picture().red().filter(|it| (it[0] as f64 - to[0]).hypot(it[1] as f64 - to[1]) < 25.0).count();
    assert!(cloth > 100, "{cloth} pixels of cloth at the mouse");
    // Pinned, it stays when the mouse goes.
    desk.xdotool(&["key", "p"]);
    let lines = desk.lines().len();
    desk.wait("the pin", lines, |line| number(line, "pinned") == 1.0 && line.contains("\"grip\":null"));
    desk.xdotool(&["mouseup", "1"]);
    // Colours change pixels, and a pause is one.
    desk.xdotool(&["key", "c"]);
    let lines = desk.lines().len();
    desk.wait("the colours", lines, |line| line.contains("\"colour\":\"strain\""));
    thread::sleep(Duration::from_millis(700));
    let left = desk.picture().red().count();
    assert!(left < 1000, "{left} pixels are red although strain is shown");
    desk.xdotool(&["key", "space"]);
    let lines = desk.lines().len();
    let paused = desk.wait("the pause", lines, |line| line.contains("\"playing\":false"));
    thread::sleep(Duration::from_millis(400));
    let later = desk.lines().pop().unwrap();
    assert!(number(&later, "steps") - number(&paused, "steps") <= 2.0, "{later}");
    assert!(later.contains("\"error\":null"), "{later}");
}

#[test]
fn without_a_display_the_error_names_what_works() {
    let output = Command::new(env!("CARGO_BIN_EXE_tenter-viewer"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("tenter run"), "{text}");
}

#[test]
fn wrong_arguments_are_named() {
    for (arguments, named) in [
        (["--sizes", "3"], "--sizes"),
        (["--size", "3"], "WxH"),
        (["--set", "x"], "KEY=VALUE"),
        (["no-such-scene", "--cpu"], "no-such-scene"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_tenter-viewer")).args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(named), "{arguments:?}: {text}");
    }
}
