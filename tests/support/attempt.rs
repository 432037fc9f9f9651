//! A check that fails by a panic, as a result: one failing table must not hide the others.

use core::cell::{Cell, RefCell};
use core::panic::AssertUnwindSafe;
use std::panic::{PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static WITHIN: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What a check finds, or where and why it failed: `tests/oracles/oracle_ck.rs:12: ..`.
pub fn attempt<T>(check: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| if WITHIN.get() { remember(info) } else { usual(info) }));
    });
    let outer = WITHIN.replace(true);
    let found = catch_unwind(AssertUnwindSafe(check));
    WITHIN.set(outer);
    found.map_err(|_| SAID.take())
}

fn remember(info: &PanicHookInfo<'_>) {
    let place =
        info.location().map_or(String::new(), |at| format!("{}:{}: ", at.file(), at.line()));
    let sentence = info.payload_as_str().unwrap_or("a panic");
    SAID.set(format!("{place}{sentence}"));
}
