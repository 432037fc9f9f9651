//! A check that fails by a panic, as a result: one failing table must not hide the others, and
//! a panic that is asked for is read instead of printed. The tests of one binary run side by
//! side, so what is kept belongs to the thread that panics.

use core::cell::{Cell, RefCell};
use core::fmt::{self, Display};
use core::panic::AssertUnwindSafe;
use std::panic::{PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static WITHIN: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<Panic> = RefCell::default();
}

/// A panic, as it would have been printed: `tests/oracles/oracle_ck.rs:12: ..`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panic {
    pub file: String,
    pub line: u32,
    pub sentence: String,
}

impl Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.sentence)
    }
}

/// What a check finds, or where and why it failed.
pub fn attempt<T>(check: impl FnOnce() -> T) -> Result<T, String> {
    caught(check).map_err(|panic| panic.to_string())
}

/// What a call returns, or its panic.
pub fn caught<T>(call: impl FnOnce() -> T) -> Result<T, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| if WITHIN.get() { remember(info) } else { usual(info) }));
    });
    let outer = WITHIN.replace(true);
    let found = catch_unwind(AssertUnwindSafe(call));
    WITHIN.set(outer);
    found.map_err(|_| SAID.take())
}

fn remember(info: &PanicHookInfo<'_>) {
    let (file, line) = info.location().map_or(("", 0), |at| (at.file(), at.line()));
    let sentence = info.payload_as_str().unwrap_or("a panic").to_owned();
    SAID.set(Panic { file: file.to_owned(), line, sentence });
}
