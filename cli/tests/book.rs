//! The book's pages: their files, and their commands with what they print.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The blocks of a language in a page.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let open = format!("```{language}\n");
    let begins = page.match_indices(&open).map(|(at, _)| &page[at + open.len()..]);
    begins.map(|rest| &rest[..rest.find("\n```").unwrap() + 1]).collect()
}

/// Words of a command line; those in quotes are one.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// Runs what a page says in a folder with its files, of which the first line is the name: how many
/// commands it has.
fn run(path: &Path, folder: &Path) -> usize {
    let page = fs::read_to_string(path).unwrap();
    fs::create_dir_all(folder).unwrap();
    for (language, comment) in [("toml", "# "), ("asm", "; ")] {
        for file in blocks(&page, language) {
            if let Some(name) = file.lines().next().and_then(|line| line.strip_prefix(comment)) {
                fs::write(folder.join(name), file).unwrap();
            }
        }
    }
    // The kernel of `compiled_kernel`.
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../audit/tests/data");
    let kernel = fs::File::open(data.join("attention-gfx942.amdgcn.gz")).unwrap();
    let mut text = fs::File::create(folder.join("attention.amdgcn")).unwrap();
    std::io::copy(&mut flate2::read::GzDecoder::new(kernel), &mut text).unwrap();
    let commands = blocks(&page, "console");
    for block in &commands {
        let (command, printed) = block.split_once('\n').unwrap();
        let words = words(command);
        assert_eq!(words[..2], ["$", "tiledesc"], "{}", path.display());
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiledesc"));
        let output = tool.args(&words[2..]).current_dir(folder).output().unwrap();
        let all = [output.stdout, output.stderr].concat();
        assert_eq!(String::from_utf8(all).unwrap(), printed, "{}: {command}", path.display());
    }
    commands.len()
}

#[test]
fn the_commands_print_what_the_pages_say() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src");
    let mut pages = 0;
    for entry in fs::read_dir(book).unwrap() {
        let path = entry.unwrap().path();
        let has_commands = path.extension().is_some_and(|extension| extension == "md")
            && fs::read_to_string(&path).unwrap().contains("```console\n$ tiledesc ");
        if has_commands {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
            assert!(run(&path, &folder.join(path.file_stem().unwrap())) > 0, "{}", path.display());
            pages += 1;
        }
    }
    assert!(pages >= 5, "{pages} pages");
}

/// What `direct_loads` says of a header stands in the header of its file.
#[test]
fn the_header_has_the_direct_loads_of_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/direct_loads.md");
    let page = fs::read_to_string(page).unwrap();
    let file = blocks(&page, "toml")[0];
    let output =
        tiledesc_cli::run(["tiledesc", "emit", "-", "--lang", "hip"], &mut file.as_bytes());
    assert_eq!(output.err, "");
    for (constant, value) in [("WAVES", 4), ("LANES", 64), ("LOADS", 4), ("BYTES", 16)] {
        let line = format!("constexpr unsigned K_fill_{constant} = {value}u;\n");
        assert!(output.out.contains(&line), "{line}");
    }
    let functions = page.split("| `K_fill_").skip(2);
    let signature = |row: &str| row.split([')', '`']).next().unwrap().replace(", ", ", unsigned ");
    for row in functions {
        let wanted = format!(" K_fill_{})", signature(row)).replace('(', "(unsigned ");
        // Of lanes with addresses of their own, and of idle ones: this tile has neither.
        let is_elsewhere = ["lds", "valid"].iter().any(|name| row.starts_with(name));
        assert_eq!(output.out.contains(&wanted), !is_elsewhere, "{wanted}");
    }
}
