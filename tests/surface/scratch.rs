//! Packages that a test writes and builds as a user would. What is built of them lies in one folder, so that the library
//! is built once for all: 12 s of processor time.

use core::fmt::Write;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// A package of binaries that depends on the library.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Each binary has a name and the path of its source. `more` are further lines of the manifest.
    pub(crate) fn new(name: &str, bins: &[(&str, PathBuf)], more: &str) -> Self {
        let root = support::root();
        let folder = Self::all().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        // Panics abort, because a program without std can do nothing else.
        let mut manifest = format!(
            "[package]\nname = {name:?}\nedition = \"2024\"\nautobins = false\n[workspace]\n{more}\n\
             [dependencies]\ntiledesc = {{ path = {root:?} }}\n\
             [profile.dev]\npanic = \"abort\"\ndebug = 0\nincremental = false\ncodegen-units = 1\n"
        );
        for (name, path) in bins {
            writeln!(manifest, "[[bin]]\nname = {name:?}\npath = {path:?}").unwrap();
        }
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        Self { folder }
    }

    /// Where the packages are.
    fn all() -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch")
    }

    /// A file of its own, which a binary may name.
    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap()
    }

    pub(crate) fn cargo(&self, arguments: &[&str]) -> Output {
        // With `BLESS` a declaration that carries its layout is not judged.
        self.command(arguments).env_remove("BLESS").output().expect("cargo runs")
    }

    /// The same with `BLESS=1`.
    pub(crate) fn bless(&self, arguments: &[&str]) -> Output {
        self.command(arguments).env("BLESS", "1").output().expect("cargo runs")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
        command
            .args(arguments)
            .arg("--offline")
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", Self::all().join("target"));
        command
    }

    /// What the compiler says of a build that has a place, in its order: the binary and the message. A build even where
    /// a check would do, because the library is built for `no_std` anyway: to check it as well takes 8 s.
    pub(crate) fn messages(&self, arguments: &[&str]) -> Vec<(String, Value)> {
        let output = self.cargo(&[&["build", "--message-format=json"], arguments].concat());
        let stdout = String::from_utf8_lossy(&output.stdout);
        let lines = stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        // "aborting due to .." has no place.
        let placed = |line: &Value| {
            let spans = line["message"]["spans"].as_array();
            spans.is_some_and(|spans| !spans.is_empty())
        };
        let named = |line: Value| {
            let target = line["target"]["name"].as_str()?.to_owned();
            placed(&line).then(|| (target, line["message"].clone()))
        };
        let said: Vec<_> = lines.filter_map(named).collect();
        assert!(!said.is_empty(), "no messages:\n{}", String::from_utf8_lossy(&output.stderr));
        said
    }
}
