//! A line of progress on a terminal, where something takes longer than a second.
//!
//! ```text
//!   / find: tile B, 2 of 5 (3s)
//! ```

use core::time::Duration;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// The time until a line is shown: most searches take a tenth of it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two pictures of the line.
const TICK: Duration = Duration::from_millis(100);

/// A line of progress on standard error, if that is a terminal; it is taken away at the end.
pub(crate) struct Progress {
    shown: Option<(Sender<String>, JoinHandle<()>)>,
}

impl Progress {
    pub(crate) fn start() -> Self {
        // A job of a CI service may have a terminal, and its log keeps every picture.
        let is_seen = io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        let shown = is_seen.then(|| {
            let (told, heard) = channel();
            (told, thread::spawn(move || show(&heard)))
        });
        Self { shown }
    }

    pub(crate) fn tell(&self, what: &str) {
        if let Some((told, _)) = &self.shown {
            // Where nothing listens nothing is shown.
            let _ = told.send(what.to_string());
        }
    }

    pub(crate) fn end(self) {
        if let Some((told, shown)) = self.shown {
            drop(told);
            let _ = shown.join();
        }
    }
}

/// Shows what is heard until there is no more to hear.
fn show(heard: &Receiver<String>) {
    let Ok(mut what) = heard.recv() else { return };
    let begin = Instant::now();
    let mut bar = None;
    loop {
        let wait = PATIENCE.saturating_sub(begin.elapsed()).max(TICK);
        match heard.recv_timeout(wait) {
            Ok(next) => what = next,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if begin.elapsed() >= PATIENCE {
            let bar: &ProgressBar = bar.get_or_insert_with(spinner);
            bar.set_message(what.clone());
            bar.tick();
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // A template that is refused leaves the message alone.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style.tick_chars("|/-\\ "));
    }
    bar
}
