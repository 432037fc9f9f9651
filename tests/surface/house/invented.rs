//! The check itself, on a house of five rows: `element`, `chip`, `access`, `bank` and `plot`. What stands in
//! `access.rs` is tried; it may use the first two.

use support::house::{House, Order};

const ROOT: &str = "
    mod element; mod chip; mod access; mod bank; mod plot;
    pub use bank::Verdict;
    pub use bank::Verdict as Judged;
    pub use chip::Chip;
    pub use element::*;
    pub mod prelude { pub use crate::bank::Verdict as V; pub use super::Chip; }
    pub fn run() {}
";

const ELEMENT: &str = "
    pub struct Bits;
    elements! { F16 = 16; F32 = 32 }
    #[macro_export]
    macro_rules! width { () => { $crate::Bits } }
";

const BANK: &str = "
    mod verdict;
    pub use verdict::{Verdict, self as verdicts};
    pub use crate::chip::Chip;
    pub use verdict::*;
    #[doc(hidden)] #[macro_export]
    macro_rules! __judge { () => { $crate::bank::Verdict } }
";

fn order(rows: &[&str]) -> Order {
    let names = |all: &[&str]| all.iter().map(|one| one.to_string()).collect();
    Order {
        name: "own".to_string(),
        rows: names(rows),
        crates: names(&["own", "below", "above"]),
        may_name: names(&["below"]),
    }
}

fn house(files: &[(&str, &str)]) -> House {
    House::new(files.iter().map(|(file, text)| (file.to_string(), text.to_string())))
}

/// What is wrong if `access.rs` is this.
fn faults(access: &str) -> Vec<String> {
    let files = [
        ("lib.rs", ROOT),
        ("element.rs", ELEMENT),
        ("chip.rs", "pub struct Chip; pub const WAVE: u32 = 64;"),
        ("access.rs", access),
        ("access/window.rs", "use crate::chip::WAVE;"),
        ("bank.rs", BANK),
        (
            "bank/verdict.rs",
            "use crate::{access::Window, Chip}; pub enum Verdict { Free } pub fn free() {}",
        ),
        ("plot.rs", "use crate::{bank::{Verdict, verdicts::free}, element::Bits};"),
    ];
    order(&["element", "chip", "access", "bank", "plot"]).faults(&house(&files))
}

#[test]
fn uses_of_rows_before_are_well() {
    for well in [
        "",
        "use crate::{chip::{Chip, WAVE}, element::Bits as Width};",
        "use crate::{Chip, Bits, F16}; use super::chip; fn f() -> u32 { chip::WAVE + super::chip::WAVE }",
        "mod window; pub use window::Window; fn f() { window::f(); self::window::f() }",
        // What is called as an upper room and is none.
        "struct Verdict; fn f(bank: u32, plot: Plot) { bank; plot.bank; Verdict; plot::<u32>() }",
        "mod bank { pub struct Verdict; } fn f() { bank::Verdict; self::bank::Verdict; }",
        "fn f<'crate_>(x: &'crate_ str) -> impl Iterator + use<'crate_> { x }",
        // Comments, strings and characters.
        "// crate::bank\n/* super::bank /* crate::bank */ */ /// [`crate::bank`]\nfn f() {}",
        r##"const A: &str = "use crate::bank; \" crate::bank"; const B: &str = r#"crate::bank""#;"##,
        r#"const A: [char; 3] = ['"', '\'', '{']; const B: &[u8] = b"crate::bank"; fn f() {}"#,
        // What is seen from where is no use.
        "pub(crate) fn f() {} pub(in crate::access) struct S(pub(super) u32);",
        "extern crate alloc; fn f() -> ::core::option::Option<alloc::vec::Vec<u32>> { None }",
        // Tests, too, may use what comes before.
        "fn f() {}\n#[cfg(test)]\nmod tests { use super::*; use super::f; use crate::chip::Chip; }",
        // Macros: their own variables, and those of rows before.
        "macro_rules! m { ($bank:ident, $x:path) => { $bank::Verdict; $x; $crate::chip::Chip } }",
        "fn f() { crate::width!(); }",
        "use below::bank::Verdict; use core::plot;",
    ] {
        assert_eq!(faults(well), [""; 0], "{well}");
    }
}

/// Where `crate::bank::Verdict` leads: the room re-exports what its file defines.
const VERDICT: &str = "bank.rs and bank/verdict.rs";

#[test]
fn uses_of_rows_after_are_refused() {
    for (wrong, said, to) in [
        ("use crate::bank;", "crate::bank", "bank.rs"),
        ("use crate::bank::Verdict;", "crate::bank::Verdict", VERDICT),
        ("use crate::bank::verdict::Verdict;", "crate::bank::verdict::Verdict", "bank/verdict.rs"),
        ("use crate::{chip::Chip, bank::{Verdict as V}};", "crate::bank::Verdict", VERDICT),
        ("use crate::bank::{self};", "crate::bank", "bank.rs"),
        ("use super::bank::free;", "super::bank::free", VERDICT),
        ("use own::bank::free;", "own::bank::free", VERDICT),
        // By way of the root, by whatever name, or of a later room that only hands on.
        ("use crate::Verdict;", "crate::Verdict", VERDICT),
        ("use super::Judged;", "super::Judged", VERDICT),
        ("use crate::prelude::V;", "crate::prelude::V", VERDICT),
        ("use crate::bank::Chip;", "crate::bank::Chip", "bank.rs"),
        // In code, after an arrow, in an attribute, in a visibility's place.
        ("fn f() -> crate::bank::Verdict { loop {} }", "crate::bank::Verdict", VERDICT),
        ("fn f() { if x { return super::bank::free() } }", "super::bank::free", VERDICT),
        ("struct S<T: crate::bank::Judge>(T);", "crate::bank::Judge", "bank.rs"),
        ("struct S(pub (crate::bank::Verdict));", "crate::bank::Verdict", VERDICT),
        ("fn f() { for i in 0..crate::bank::BANKS {} }", "crate::bank::BANKS", "bank.rs"),
        (
            "const A: &str = \"https://\"; const B: u32 = crate::bank::BANKS;",
            "crate::bank::BANKS",
            "bank.rs",
        ),
        // In a macro's body, to what it is given, and a macro itself.
        ("macro_rules! m { () => { $crate::bank::Verdict } }", "crate::bank::Verdict", VERDICT),
        ("macro_rules! m { () => { mod $m { use crate::Verdict; } } }", "crate::Verdict", VERDICT),
        ("macro_rules! m { ($x:ident) => { $crate::bank::$x } }", "crate::bank::$x", "bank.rs"),
        ("fn f() { assert!(crate::bank::free()) }", "crate::bank::free", VERDICT),
        ("fn f() { crate::__judge!() }", "crate::__judge", "bank.rs"),
        ("use crate::__judge;", "crate::__judge", "bank.rs"),
        // In tests, and after them.
        ("#[cfg(test)]\nmod tests { use super::super::bank; }", "super::super::bank", "bank.rs"),
        ("#[cfg(test)]\nmod tests {}\nuse crate::bank;", "crate::bank", "bank.rs"),
        ("#[cfg(test)]\nuse crate::bank;", "crate::bank", "bank.rs"),
        (
            "mod a { mod b { fn f() { super::super::super::bank::free() } } }",
            "super::super::super::bank::free",
            VERDICT,
        ),
    ] {
        let line = wrong.lines().count();
        let wanted =
            format!("access.rs:{line}: `{said}` leads to {to}, and `bank` comes after `access`");
        assert_eq!(faults(wrong), [wanted], "{wrong}");
    }
}

/// One line that imports, and another that uses the import.
#[test]
fn imports_of_a_whole_module_are_followed() {
    let bank = |line, said, to| {
        format!("access.rs:{line}: `{said}` leads to {to}, and `bank` comes after `access`")
    };
    let root = |said| format!("access.rs:1: `{said}` leads to lib.rs, which stands above all rows");
    for (wrong, wanted) in [
        (
            "use crate::bank as b;\nfn f() { b::free() }",
            [bank(1, "crate::bank", "bank.rs"), bank(2, "b::free", VERDICT)],
        ),
        (
            "use crate as all;\nfn f() { all::bank::free() }",
            [root("crate"), bank(2, "all::bank::free", VERDICT)],
        ),
        ("use crate::*;\nfn f(v: Verdict) {}", [root("crate"), bank(2, "Verdict", VERDICT)]),
        ("use super::*;\nfn f() { bank::free() }", [root("super"), bank(2, "bank::free", VERDICT)]),
        (
            "use crate::bank::*;\nfn f() { free() }",
            [bank(1, "crate::bank", "bank.rs"), bank(2, "free", VERDICT)],
        ),
        ("use crate::prelude::*;\nfn f(v: V) {}", [root("crate::prelude"), bank(2, "V", VERDICT)]),
        (
            "fn g() {} use crate::prelude as p;\nfn f() { use p::V as Local; }",
            [root("crate::prelude"), bank(2, "p::V", VERDICT)],
        ),
    ] {
        assert_eq!(faults(wrong), wanted, "{wrong}");
    }
}

#[test]
fn what_the_root_defines_is_above_all() {
    for (wrong, said) in
        [("use crate::run;", "crate::run"), ("fn f() { super::run() }", "super::run")]
    {
        let wanted = format!("access.rs:1: `{said}` leads to lib.rs, which stands above all rows");
        assert_eq!(faults(wrong), [wanted]);
    }
}

/// What a macro defines is seen by what the macro is given; else the root would hold it.
#[test]
fn names_that_macros_define() {
    let files = [
        ("lib.rs", "mod a; mod b; pub use b::*;"),
        ("a.rs", "use crate::Merge;"),
        ("b.rs", "ops! { Merge = merge {} }"),
    ];
    let wanted = ["a.rs:1: `crate::Merge` leads to b.rs, and `b` comes after `a`"];
    assert_eq!(order(&["a", "b"]).faults(&house(&files)), wanted);
}

#[test]
fn other_crates() {
    for wrong in ["use above::Tile;", "fn f() { ::above::tile() }", "fn f() { above::tile!() }"] {
        let faults = faults(wrong);
        assert_eq!(faults.len(), 1, "{wrong}");
        assert!(faults[0].ends_with("names above, which own may not"), "{faults:?}");
    }
    // A program, too, which stands above all rows.
    let files = [
        ("lib.rs", "pub struct Tile;"),
        ("main.rs", "use own::Tile; use below::Tile;\nuse above::Tile;"),
    ];
    let wanted = ["main.rs:2: `above::Tile` names above, which own may not"];
    assert_eq!(order(&[]).faults(&house(&files)), wanted);
}

#[test]
fn circles_in_a_row_are_refused() {
    let files = [
        ("lib.rs", "mod bank;"),
        ("bank.rs", "mod a; mod b; mod c; mod d; pub use c::C; fn f() { a::f(); }"),
        ("bank/a.rs", "use super::{b::B, f};"),
        ("bank/b.rs", "use super::C; fn g() { crate::bank::f() }"),
        ("bank/c.rs", "#[cfg(test)] mod tests { use crate::bank::a::A; }"),
        ("bank/d.rs", "use super::a::A;"),
    ];
    let wanted = ["a circle: bank/a.rs -> bank/b.rs -> bank/c.rs -> bank/a.rs"];
    assert_eq!(order(&["bank"]).faults(&house(&files)), wanted);
    // As files of rows of their own, one is late.
    let rows = ["bank.rs", "bank/c.rs", "bank/b.rs", "bank/a.rs", "bank/d.rs"];
    assert_eq!(
        order(&rows).faults(&house(&files)),
        [
            "bank.rs:1: `c::C` leads to bank/c.rs, and `bank/c.rs` comes after `bank.rs`",
            "bank.rs:1: `a::f` leads to bank/a.rs, and `bank/a.rs` comes after `bank.rs`",
            "bank/c.rs:1: `crate::bank::a::A` leads to bank/a.rs, and `bank/a.rs` comes after `bank/c.rs`",
        ]
    );
}

#[test]
fn each_file_has_a_row_and_each_row_a_file() {
    let files = [("lib.rs", ""), ("bank.rs", ""), ("bank/verdict.rs", ""), ("plot.rs", "")];
    assert_eq!(
        order(&["bank.rs", "chip", "bank.rs", "plot"]).faults(&house(&files)),
        [
            "bank/verdict.rs has no row",
            "`bank.rs` is a row without a file, or a second row of one",
            "`chip` is a row without a file, or a second row of one",
        ]
    );
    // A folder in a room with a row of its own, later than the room's.
    let files = [
        ("bank.rs", "mod verdict; mod crowd;"),
        ("bank/verdict.rs", ""),
        ("bank/crowd.rs", "use super::verdict;"),
    ];
    let wanted = [
        "bank/crowd.rs:1: `super::verdict` leads to bank/verdict.rs, and `bank/verdict` comes after `bank`",
    ];
    assert_eq!(order(&["bank", "bank/verdict"]).faults(&house(&files)), wanted);
}
