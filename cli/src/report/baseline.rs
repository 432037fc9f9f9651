//! What has become of accesses since an earlier report.
//!
//! ```text
//!   before   now              it is
//!   -        4-way            new      fails
//!   2-way    4-way            worse    fails
//!   4-way    4-way            known    passes
//!   4-way    2-way, or free   better   passes
//!   4-way    -                gone
//! ```

use schemars::JsonSchema;
use serde::Serialize;

/// What has become of an access since an earlier report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Since {
    /// It does not pass, and was as bad.
    Known,
    /// It was worse.
    Better,
    /// It does not pass, and was not as bad.
    Worse,
    /// It does not pass, and was not there.
    New,
}

impl Since {
    /// Returns whether it fails the run.
    #[must_use]
    pub fn fails(self) -> bool {
        matches!(self, Self::Worse | Self::New)
    }
}

/// What a run is compared with, and how many became what.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Baseline {
    /// The file of the earlier report.
    pub file: String,
    /// Number of those that are new.
    pub new: usize,
    /// Number of those that got worse.
    pub worse: usize,
    /// Number of those that got better.
    pub better: usize,
    /// Number of those that do not pass and were as bad.
    pub known: usize,
    /// Those that did not pass and are no longer there: `A read gfx942 ds_read_b128 mfma-rows 16: 4-way before`
    pub gone: Vec<String>,
}

impl Baseline {
    /// Returns what is gone, a line each, and the summary.
    #[must_use]
    pub fn text(&self) -> String {
        let gone = self.gone.iter().map(|one| format!("gone: {one}\n"));
        gone.collect::<String>() + &self.summary() + "\n"
    }

    /// Returns `since old.json: 1 new, 2 worse, 0 better, 3 known, 1 gone`.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self { file, new, worse, better, known, gone } = self;
        let gone = gone.len();
        format!(
            "since {file}: {new} new, {worse} worse, {better} better, {known} known, {gone} gone"
        )
    }
}

/// Returns ` (worse: 2-way before)`, or nothing where there is nothing to say.
pub(crate) fn words(since: Option<Since>, before: Option<&str>) -> String {
    let Some(since) = since else { return String::new() };
    let word = match since {
        Since::Known => "known",
        Since::Better => "better",
        Since::Worse => "worse",
        Since::New => "new",
    };
    let before = before.map_or_else(String::new, |before| format!(": {before} before"));
    format!(" ({word}{before})")
}
