//! A line that says how far a program is, once it takes longer than a second.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Counts cases, and shows the count from the first second on.
#[derive(Debug)]
pub struct Progress {
    what: &'static str,
    all: usize,
    done: usize,
    began: Instant,
    shown: Option<Instant>,
}

impl Progress {
    /// The total number of cases.
    #[must_use]
    pub fn new(what: &'static str, all: usize) -> Self {
        Self { what, all, done: 0, began: Instant::now(), shown: None }
    }

    /// One more is done.
    pub fn step(&mut self) {
        self.done += 1;
        let late = self.began.elapsed() > Duration::from_secs(1);
        let due = self.shown.is_none_or(|shown| shown.elapsed() > Duration::from_secs(1));
        if late && due {
            let end = if std::io::stderr().is_terminal() { '\r' } else { '\n' };
            let seconds = self.began.elapsed().as_secs();
            eprint!("{}: {} of {}, {seconds} s{end}", self.what, self.done, self.all);
            let _ = std::io::stderr().flush();
            self.shown = Some(Instant::now());
        }
    }
}
