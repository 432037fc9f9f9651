//! The README: its file, its commands with what they print, and its `CMakeLists.txt`.

use std::fs;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

/// The blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}\n");
    let begins = README.match_indices(&open).map(|(at, _)| &README[at + open.len()..]);
    begins.map(|rest| &rest[..rest.find("```").unwrap()]).collect()
}

/// The words of a command, quoted ones whole.
fn words(command: &'static str) -> Vec<&'static str> {
    let parts = command.split('\'').enumerate();
    let words = |(at, part): (usize, &'static str)| -> Vec<_> {
        if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }
    };
    parts.flat_map(words).collect()
}

#[test]
fn the_commands_print_what_it_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(&folder).unwrap();
    let [file, raw] = blocks("toml")[..] else { panic!("two files") };
    fs::write(folder.join("kernel.toml"), file).unwrap();
    fs::write(folder.join("raw.toml"), raw).unwrap();
    let fixed = file.replace("strides = [64, 1]", "recipe = \"gemm-xor\"\nkpack = 8");
    fs::write(folder.join("fixed.toml"), fixed).unwrap();
    let commands = blocks("console");
    assert_eq!(commands.len(), 6);
    for block in commands {
        let (command, printed) = block.split_once('\n').unwrap();
        let words = words(command);
        assert_eq!(words[..2], ["$", "tiledesc"]);
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiledesc"));
        let output = tool.args(&words[2..]).current_dir(&folder).output().unwrap();
        let found = String::from_utf8(output.stdout).unwrap();
        // Of a long answer the README has the beginning.
        match printed.strip_suffix("...\n") {
            Some(begin) => {
                assert!(found.starts_with(begin) && found != begin, "{command}\n{found}");
            }
            None => assert_eq!(found, printed, "{command}"),
        }
    }
}

/// The figure is the begin of one.
#[test]
fn the_figure_is_what_show_prints() {
    let figure = blocks("text").into_iter().find(|block| block.contains("phase 0")).unwrap();
    let file = blocks("toml")[0];
    let words = ["tiledesc", "show", "-"];
    let shown = tiledesc_cli::run(words, &mut file.as_bytes()).out;
    assert!(shown.contains(figure), "{shown}");
}

#[test]
fn its_cmake_project_is_the_tested_one() {
    assert_eq!(blocks("cmake"), [include_str!("project/CMakeLists.txt")]);
}

/// Every subcommand and every key stands in it.
#[test]
fn it_names_every_subcommand() {
    let help = tiledesc_cli::run(["tiledesc", "--help"], &mut &b""[..]).out;
    let commands = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 8);
    for name in names.iter().filter(|name| **name != "help") {
        assert!(README.contains(&format!("`{name}")), "{name}");
    }
}
