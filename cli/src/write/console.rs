//! The console of a run: whether the output may have colours, and who hears about what takes long.

use anstyle::AnsiColor;

/// The console of a run. By default a file, or another program: no colours, and no messages about progress.
///
/// ```
/// use tiledesc_cli::{Console, run_on};
///
/// let tile = ["--element", "f16", "--shape", "m=128,k=64", "--strides", "64,1", "--chip", "gfx942"];
/// let words = ["tiledesc", "check", "--write", "ds_write_b128 by row-major"];
/// let console = Console { colours: true, ..Console::default() };
/// let output = run_on(&console, words.iter().chain(&tile), &mut std::io::empty());
/// assert!(output.out.contains("\u{1b}[32mfree of conflicts"), "32 is green");
/// ```
#[derive(Clone, Copy, Default)]
pub struct Console<'a> {
    /// Whether words have colours, as terminals understand them.
    pub colours: bool,
    /// Receives the next task, if it may take long.
    pub told: Option<&'a dyn Fn(&str)>,
}

impl std::fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let told = self.told.is_some();
        f.debug_struct("Console").field("colours", &self.colours).field("told", &told).finish()
    }
}

impl Console<'_> {
    pub(crate) fn tell(&self, what: &str) {
        if let Some(told) = self.told {
            told(what);
        }
    }

    pub(crate) fn coloured(&self, words: &str, colour: AnsiColor) -> String {
        if !self.colours {
            return words.to_string();
        }
        let style = colour.on_default();
        format!("{style}{words}{style:#}")
    }
}
