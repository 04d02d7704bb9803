//! Every path, link, kernel and command that the documentation names exists, and the map stays a map.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

/// Most words of ARCHITECTURE.md.
const MOST_WORDS: usize = 1500;
/// Folders of the repository: text in backticks that begins with one of them is a path.
const FOLDERS: [&str; 10] =
    ["src", "shaders", "docs", "tests", "scenes", "examples", "benches", "fuzz", "scripts", "tools"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Name and text of README.md, ARCHITECTURE.md and the pages of docs/.
fn pages() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join("docs")).unwrap();
    let docs = entries.map(|entry| format!("docs/{}", entry.unwrap().file_name().to_str().unwrap()));
    let mut names: Vec<String> = docs.filter(|name| name.ends_with(".md")).collect();
    names.extend(["README.md".to_owned(), "ARCHITECTURE.md".to_owned()]);
    names.sort();
    let text = |name: &String| fs::read_to_string(root().join(name)).unwrap();
    names.iter().map(|name| (name.clone(), text(name))).collect()
}

/// Subcommands of the program, each with its flags, and targets of the Makefile.
struct Commands {
    flags: BTreeMap<String, BTreeSet<String>>,
    targets: BTreeSet<String>,
}

impl Commands {
    fn read() -> Self {
        let help = |arguments: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_tenter")).args(arguments).arg("--help").output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let flags_of = |command: &str| {
            let text = help(&[command]);
            let options = text.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
            let flag = |line: &str| line.split([' ', ',']).find(|word| word.starts_with("--")).map(str::to_owned);
            options.filter_map(flag).collect()
        };
        let text = help(&[]);
        let list = text.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
        let commands = list.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
        let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
        let target = |line: &str| line.split_once(':').map(|(name, _)| name.to_owned());
        Self {
            flags: commands.map(|name| (name.to_owned(), flags_of(name))).collect(),
            targets: makefile.lines().filter(|line| line.starts_with(char::is_alphabetic)).filter_map(target).collect(),
        }
    }

    /// What is wrong with a command line.
    fn wrong(&self, line: &str) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !matches!(*word, "#" | ">" | "|")).collect();
        let after = |flag: &str| words.iter().position(|word| *word == flag).and_then(|ix| words.get(ix + 1));
        match words.as_slice() {
            ["tenter", arguments @ ..] => self.wrong_arguments(arguments),
            ["make", target, ..] if !self.targets.contains(*target) => Some(format!("no target {target}")),
            ["cargo", "run" | "test" | "build", ..] => {
                let own = words.iter().position(|word| *word == "--").map_or(&[][..], |ix| &words[ix + 1..]);
                if let Some(name) = after("--example").filter(|name| !exists(&format!("examples/{name}.rs"))) {
                    return Some(format!("no example {name}"));
                }
                let is_test =
                    |name: &str| exists(&format!("tests/{name}.rs")) || exists(&format!("tests/{name}/main.rs"));
                if let Some(name) = after("--test").filter(|name| !is_test(name)) {
                    return Some(format!("no test {name}"));
                }
                if words[1] == "run" && after("--example").is_none() { self.wrong_arguments(own) } else { None }
            }
            // A flag by itself belongs to some subcommand.
            [flag, ..] if flag.starts_with("--") && !self.flags.values().any(|flags| flags.contains(*flag)) => {
                Some(format!("no subcommand has {flag}"))
            }
            _ => None,
        }
    }

    fn wrong_arguments(&self, arguments: &[&str]) -> Option<String> {
        let (name, rest) = arguments.split_first()?;
        let Some(flags) = self.flags.get(*name) else { return Some(format!("no subcommand {name}")) };
        let flag = rest.iter().find(|word| word.starts_with("--") && !flags.contains(**word))?;
        Some(format!("{name} has no {flag}"))
    }
}

fn exists(path: &str) -> bool {
    root().join(path).exists()
}

/// A page without its code blocks, and the lines of its shell blocks.
fn split(text: &str) -> (String, Vec<&str>) {
    let (mut prose, mut shell, mut block) = (String::new(), Vec::new(), None);
    for line in text.lines() {
        match (line.strip_prefix("```"), block) {
            (Some(language), None) => block = Some(language),
            (Some(_), Some(_)) => block = None,
            (None, Some("sh")) => shell.push(line),
            (None, Some(_)) => {}
            (None, None) => prose.extend([line, "\n"]),
        }
    }
    (prose, shell)
}

/// What a heading is called in links.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// What is wrong with a link of a page.
fn wrong_link(page: &str, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (path, place) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { root().join(page) } else { root().join(page).with_file_name("").join(path) };
    if !target.exists() {
        return Some(format!("no file {path}"));
    }
    let headings = |text: &str| text.lines().filter(|line| line.starts_with('#')).any(|line| anchor(line) == place);
    let found = place.is_empty() || headings(&fs::read_to_string(target).unwrap());
    (!found).then(|| format!("no heading {link}"))
}

/// What is wrong with a path or a kernel in backticks. Words in capitals, such as NAME, stand for any.
fn wrong_path(span: &str) -> Option<String> {
    let (first, rest) = span.split_once('/')?;
    if FOLDERS.contains(&first) && !span.contains(' ') {
        let any = |part: &str| part.split('.').next().is_some_and(|stem| stem.chars().all(|c| c.is_ascii_uppercase()));
        let known: Vec<&str> = span.split('/').take_while(|part| part.is_empty() || !any(part)).collect();
        return (!exists(&known.join("/"))).then(|| format!("no path {span}"));
    }
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let is_kernel = is_word(first) && is_word(rest);
    (is_kernel && !exists(&format!("shaders/{span}.wgsl"))).then(|| format!("no kernel {span}"))
}

/// Everything that a page names and that does not exist.
fn problems(commands: &Commands, page: &str, text: &str) -> Vec<String> {
    let (prose, shell) = split(text);
    let spans = prose.split('`').skip(1).step_by(2);
    let links = prose.split("](").skip(1).chain(prose.split("src=\"").skip(1));
    let links = links.filter_map(|rest| rest.split([')', '"']).next());
    let mut found: Vec<String> = links.filter_map(|link| wrong_link(page, link)).collect();
    for span in spans {
        found.extend(wrong_path(span).or_else(|| commands.wrong(span)));
    }
    found.extend(shell.into_iter().filter_map(|line| commands.wrong(line)));
    found.into_iter().map(|problem| format!("{page}: {problem}")).collect()
}

#[test]
fn what_the_documentation_names_exists() {
    let commands = Commands::read();
    let found: Vec<String> = pages().iter().flat_map(|(name, text)| problems(&commands, name, text)).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The control: each line but the first names one thing that does not exist.
#[test]
fn wrong_names_are_found() {
    let text = "\
`src/lib.rs`, `src/scene/`, `solve/spmv`, `tenter run drape --json`, `make demo`, [map](ARCHITECTURE.md#glossary), `scenes/NAME.toml`
`src/no_such_file.rs`
`shaders/no_such_stage/NAME.wgsl`
`solve/no_such_kernel`
`no_such_stage/spmv`
[page](docs/no-such-page.md)
[heading](README.md#no-such-heading)
<img src=\"docs/no-such-picture.gif\">
`tenter no-such-command`
`tenter check mine.toml --no-such-flag`
`--no-such-flag FILE`
`cargo run --release -- run drape --no-such-flag`
`cargo test --test no_such_test`
`cargo run --example no_such_example`
```sh
make no-such-target   # comment
```
";
    let found = problems(&Commands::read(), "README.md", text);
    assert_eq!(found.len(), text.matches("no-such").count() + text.matches("no_such").count(), "{found:#?}");
}

#[test]
fn the_map_is_short() {
    let words = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap().split_whitespace().count();
    assert!(words <= MOST_WORDS, "ARCHITECTURE.md has {words} words, more than {MOST_WORDS}");
}
