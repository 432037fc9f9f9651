//! Builds the explorer: the engine as WebAssembly, and one HTML file that holds it and loads nothing.
//!
//! ```text
//!   cargo run -p tiledesc-explorer --example page                          target/explorer/explorer.html
//!   cargo run -p tiledesc-explorer --example page -- --book target/book    and a page of the book
//! ```
//!
//! | toolchain | what is needed |
//! |---|---|
//! | rustup's | `rustup target add wasm32-wasip1`, once |
//! | a distribution's, with library sources | `TILEDESC_WASM_RUSTC`, its rustc; `TILEDESC_WASM_LIBC`, the folder of wasi-libc's `crt1-command.o` and `libc.a`; `TILEDESC_WASM_LD`, `wasm-ld` |
//! | none | `TILEDESC_WASM`, an engine built elsewhere; otherwise the step is skipped, and says so |
//!
//! Nothing is downloaded but what the lock file names.

// A program, and no library without std.
#![allow(clippy::std_instead_of_core, clippy::alloc_instead_of_core)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

const TARGET: &str = "wasm32-wasip1";

/// The scripts, each after what it uses.
const SCRIPTS: [&str; 9] = [
    include_str!("../web/dom.js"),
    include_str!("../web/engine.js"),
    include_str!("../web/words.js"),
    include_str!("../web/grid.js"),
    include_str!("../web/select.js"),
    include_str!("../web/panels.js"),
    include_str!("../web/controls.js"),
    include_str!("../web/compiled.js"),
    include_str!("../web/main.js"),
];

/// The example of a compiled kernel, packed: attention by Triton 3.9.0 for gfx942, of the audit's own tests.
const SAMPLE: &[u8] = include_bytes!("../../audit/tests/data/attention-gfx942.amdgcn.gz");

/// Where a page of the book is static without the engine.
const BEGIN: &str = "<!-- explorer: begin -->";
const END: &str = "<!-- explorer: end -->";

/// The explorer's own file in the book.
const IN_BOOK: &str = "explorer_page.html";

fn main() -> ExitCode {
    match run() {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("explorer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let book = match arguments.next().as_deref() {
        None => None,
        Some("--book") => Some(PathBuf::from(arguments.next().ok_or("--book names a folder")?)),
        Some(other) => return Err(format!("{other}: there is --book FOLDER only").into()),
    };
    let folder = target_folder().join("explorer");
    let engine = match env::var_os("TILEDESC_WASM") {
        Some(built) => PathBuf::from(built),
        None => match toolchain()? {
            Some(command) => built(command)?,
            None => {
                return Ok(format!(
                    "skipped: the explorer, as no rustc here builds for {TARGET}: `rustup target add {TARGET}`"
                ));
            }
        },
    };
    let wasm = fs::read(&engine).map_err(|error| format!("{}: {error}", engine.display()))?;
    let page = page(&wasm)?;
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("engine.wasm"), &wasm)?;
    let path = folder.join("explorer.html");
    fs::write(&path, &page)?;
    let mut said = format!(
        "{}: {} KB, of which the engine is {} KB ({} KB unpacked)",
        path.display(),
        page.len() / 1000,
        packed(&wasm)?.len() / 1000,
        wasm.len() / 1000
    );
    if let Some(book) = book {
        fs::write(book.join(IN_BOOK), &page)?;
        let chapter = book.join("explorer.html");
        fs::write(&chapter, embedded(&fs::read_to_string(&chapter)?)?)?;
        said += &format!("\n{}: shows it", chapter.display());
    }
    Ok(said)
}

/// The folder of the workspace's builds.
fn target_folder() -> PathBuf {
    let member = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = member.parent().unwrap_or(member);
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// A cargo that builds the engine, if there is any.
fn toolchain() -> Result<Option<Command>, Box<dyn Error>> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--profile", "wasm", "-p", "tiledesc-explorer", "--target", TARGET]);
    let named = |name: &str| env::var(name).map_err(|_| format!("{name} is not set"));
    let Ok(rustc) = named("TILEDESC_WASM_RUSTC") else {
        return Ok(has_target()?.then_some(command));
    };
    let (libc, linker) = (named("TILEDESC_WASM_LIBC")?, named("TILEDESC_WASM_LD")?);
    let flags = format!(
        "-Clink-self-contained=no -L{libc} -Clink-arg={libc}/crt1-command.o -Clink-arg=-lc"
    );
    command.args(["-Z", "build-std=std,panic_abort"]);
    command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    command.env("CARGO_TARGET_WASM32_WASIP1_LINKER", linker);
    command.env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", flags);
    Ok(Some(command))
}

/// Whether rustc has the standard library of the target.
fn has_target() -> Result<bool, Box<dyn Error>> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told =
        Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let folder = PathBuf::from(String::from_utf8(told.stdout)?.trim());
    let Ok(files) = fs::read_dir(folder) else { return Ok(false) };
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    Ok(names.into_iter().any(|name| name.starts_with("libstd-")))
}

/// The engine, built in a folder of its own: another rustc would build everything else anew.
fn built(mut command: Command) -> Result<PathBuf, Box<dyn Error>> {
    let folder = target_folder().join("explorer").join("build");
    let status = command.arg("--target-dir").arg(&folder).status()?;
    if !status.success() {
        return Err(format!("the engine does not build: {status}").into());
    }
    Ok(folder.join(TARGET).join("wasm").join("tiledesc-explorer.wasm"))
}

fn packed(wasm: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(wasm)?;
    Ok(encoder.finish()?)
}

/// One file of markup, styles, scripts and engine. Its policy names the scripts and the styles by
/// their hashes, and forbids everything else.
fn page(wasm: &[u8]) -> Result<String, Box<dyn Error>> {
    let style = include_str!("../web/page.css");
    let script = bundled();
    let hash = |text: &str| format!("sha256-{}", STANDARD.encode(Sha256::digest(text)));
    let engine = STANDARD.encode(packed(wasm)?);
    Ok(include_str!("../web/page.html")
        .replace("{{script hash}}", &hash(&script))
        .replace("{{style hash}}", &hash(style))
        .replace("{{style}}", style)
        .replace("{{sample}}", &STANDARD.encode(SAMPLE))
        .replace("{{engine}}", &engine)
        .replace("{{script}}", &script))
}

/// The modules as one, without their imports and exports: their names are apart.
fn bundled() -> String {
    let lines = SCRIPTS.iter().flat_map(|script| script.lines());
    let kept = lines.filter(|line| !line.starts_with("import "));
    kept.map(|line| line.strip_prefix("export ").unwrap_or(line).to_string() + "\n").collect()
}

/// A page of the book with the explorer in place of its static figures.
fn embedded(page: &str) -> Result<String, Box<dyn Error>> {
    let Some((before, rest)) = page.split_once(BEGIN) else {
        return Err("the book's page has no place for the explorer".into());
    };
    let (_, after) = rest.split_once(END).ok_or("the place for the explorer has no end")?;
    Ok(format!(
        "{before}<p><a href=\"{IN_BOOK}\">Open the explorer in a page of its own</a></p>\n\
         <iframe class=\"explorer\" src=\"{IN_BOOK}\" title=\"The explorer\"></iframe>{after}"
    ))
}
