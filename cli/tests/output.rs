//! Where output goes: the table of `README.md`, row by row in a shell. Nothing hangs, grows, or is lost in silence.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

const TOOL: &str = env!("CARGO_BIN_EXE_tiledesc");
const README: &str = include_str!("../README.md");

/// A file with the given number of tiles. The header of 40 overflows a pipe, which holds 64 KiB.
fn tiles(many: usize) -> String {
    let tile = |i| {
        format!(
            "[tile.A{i}]\nelement = \"f16\"\nshape = {{ m = 128, k = 64 }}\nrecipe = \"gemm-xor\"\nkpack = 8\n\
             chips = [\"gfx942\"]\nread = [{{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }}]\n"
        )
    };
    (0..many).fold("version = 1\n".to_string(), |text, i| text + &tile(i))
}

/// A folder with a file of one tile and one of 40.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("tiles.toml"), tiles(1)).unwrap();
    fs::write(path.join("many.toml"), tiles(40)).unwrap();
    path
}

/// Runs a line in bash, `emit` being the command; what grows or hangs is ended. Its status and what it said.
fn shell(path: &Path, line: &str) -> (i32, String) {
    let emit = format!("emit() {{ timeout 20 {TOOL} emit ${{FILE-tiles.toml}} --lang c \"$@\"; }}");
    let line = format!("ulimit -v 2000000; {emit}; {line}");
    let output = Command::new("bash").args(["-c", &line]).current_dir(path).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), said + &String::from_utf8(output.stdout).unwrap())
}

/// Each row with a line of the shell, its status, and what is said.
const ROWS: &[(&str, &str, i32, &str)] = &[
    (
        "| a file, or a new one |",
        "emit -o new/a.h && grep -c Made new/a.h",
        0,
        "new/a.h: written\n1\n",
    ),
    (
        "| `-`, `/dev/stdout` |",
        "emit -o - > a; emit > b; emit -o /dev/stdout | cmp - a && cmp a b",
        0,
        "",
    ),
    ("| `-`, `/dev/stdout` |", "{ echo kept; emit -o /dev/stdout; } > a; head -1 a", 0, "kept\n"),
    ("| a fifo, a device, `>(..)` |", "mkfifo f; emit -o f & grep -c Made f; wait $!", 0, "1\n"),
    ("| a fifo, a device, `>(..)` |", "emit -o >(grep -c Made); wait $!", 0, "1\n"),
    ("| a fifo, a device, `>(..)` |", "emit -o /dev/null", 0, "/dev/null: written\n"),
    (
        "| a full disk |",
        "emit > /dev/full",
        2,
        "tiledesc: standard output: No space left on device (os error 28)\n",
    ),
    (
        "| a full disk |",
        "emit -o /dev/full",
        2,
        "tiledesc: /dev/full: No space left on device (os error 28)\n",
    ),
    ("| a full disk |", "emit -o a.h --depfile /dev/full", 2, "tiledesc: /dev/full: No space left"),
    (
        "| a folder that may not be written |",
        "emit -o /sys/a.h",
        2,
        "tiledesc: /sys/a.h: Permission denied",
    ),
    ("| a folder that is a file |", "touch x; emit -o x/a.h", 2, "tiledesc: x/a.h: "),
    (
        "| the file that is read |",
        "emit -o ./tiles.toml",
        2,
        "tiledesc: ./tiles.toml: it is the input",
    ),
    (
        "| a reader that has gone |",
        "FILE=many.toml; emit | head -c 1 > /dev/null; exit ${PIPESTATUS[0]}",
        141,
        "",
    ),
    ("| a reader that has gone |", "exec 9> >(true); wait $!; emit -o /dev/fd/9", 141, ""),
];

#[test]
fn each_row_of_the_table_is_so() {
    if Command::new("bash").arg("--version").output().is_err() {
        return support::skipped!("bash is not installed");
    }
    for (i, (row, line, status, said)) in ROWS.iter().enumerate() {
        let row =
            README.lines().find(|line| line.starts_with(row)).unwrap_or_else(|| panic!("{row}"));
        assert!(row.contains(&format!(" {status}: ")), "{row}");
        let path = folder(&format!("output{i}"));
        let (found, all) = shell(&path, line);
        assert_eq!(found, *status, "{line}\n{all}");
        // A fifo's writer and reader end in any order.
        let is_said = all.starts_with(said) || all.ends_with(said);
        assert!(is_said && all.is_empty() == said.is_empty(), "{line}\n{all}");
        assert_eq!(fs::read_to_string(path.join("tiles.toml")).unwrap(), tiles(1));
    }
    let rows = README.split("| output goes to").nth(1).unwrap().split("\n\n").next().unwrap();
    let untested =
        rows.lines().skip(2).find(|line| !ROWS.iter().any(|(row, ..)| line.starts_with(row)));
    assert_eq!(untested, None);
}

/// Who reads a header that is made again has the old one whole; a link stays a link, a mode a mode.
#[test]
fn a_header_is_replaced_in_one_step() {
    let path = folder("replaced");
    let header = path.join("a.h");
    fs::write(&header, "old").unwrap();
    fs::set_permissions(&header, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("a.h", path.join("link.h")).unwrap();
    let reader = fs::File::open(&header).unwrap();
    let mut emit = Command::new(TOOL);
    let output = emit
        .args(["emit", "tiles.toml", "--lang", "c", "-o", "link.h"])
        .current_dir(&path)
        .output();
    assert!(output.unwrap().status.success());
    assert_eq!(std::io::read_to_string(reader).unwrap(), "old");
    assert!(fs::read_to_string(&header).unwrap().starts_with("// Made"));
    assert!(fs::symlink_metadata(path.join("link.h")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&header).unwrap().mode() & 0o777, 0o640);
    // Nothing is left beside it.
    let mut names: Vec<_> =
        fs::read_dir(&path).unwrap().map(|one| one.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.h", "link.h", "many.toml", "tiles.toml"]);
}

/// An input without an end is refused.
#[test]
fn nothing_is_read_for_ever() {
    for (line, most) in [("check /dev/zero", 16), ("check - < /dev/zero", 16)] {
        let (status, said) = shell(&folder("endless"), &format!("timeout 60 {TOOL} {line}"));
        assert_eq!(status, 2, "{said}");
        assert!(said.contains(&format!("longer than {most} MiB, the most that is read")), "{said}");
    }
}
