//! Random statements through the compiler: exactly those fail that a walk by hand refuses, in its words.
//!
//! ```text
//!   mod s7 {
//!       layout! { type T = recipe::RowPad<F16, M<64>, K<96>, Padding<8>>; }
//!       assert_conflict_free! { T on sm_90: read ld_shared_b32 by RowMajor }
//!   }                                       ^^^^ 2-way in instruction 1, phase 0: lanes 0 and 24, ..
//! ```
//!
//! Half of the statements are free of conflicts. The others have a conflict or a race, torn or misaligned vectors, or
//! are too large, for the chip or for their tile, as `support::walked` finds: it uses nothing of the library's
//! judgement. All are modules of one program, which the compiler checks once. A plain run has 30.

use super::scratch::Scratch;
use std::collections::BTreeMap;
use support::fuzz::Dice;
use support::walked::{Said, Tile, any_row, sentence};

/// A statement as a program has it, and what it must be refused with.
struct Statement {
    layout: String,
    access: String,
    refused: Option<String>,
}

/// What is wrong with a statement, by words that no other sentence has.
const KINDS: [(&str, &[&str]); 4] = [
    ("conflict", &[", bank ", "data race", "disputed"]),
    ("torn", &["are not contiguous"]),
    ("misaligned", &["is not aligned"]),
    ("too large", &["a block has", "outside the", "cannot be divided evenly"]),
];

impl Statement {
    fn random(dice: &mut Dice) -> Option<Self> {
        let tile = Tile::random(dice, 16).filter(|tile| !tile.overlaps())?;
        let (said, (row, offsets)) = (Said::random(dice), any_row(dice));
        let wave = row.service().phases.wave();
        if let Said::Rows(rows) = said
            && !(if wave == 64 { [4, 16, 32] } else { [8, 16, 32] }).contains(&rows)
        {
            return None;
        }
        let first = dice.one_in(6);
        let refused = sentence(&tile, said, first, &row);
        let verb = if row.access() == tiledesc::chip::Access::Write { "write" } else { "read" };
        let pattern = format!("{}{}", if first { "first " } else { "" }, said.spelled());
        let instruction = row.name().replace("::", "_").replace('.', "_");
        let head = format!("T: {} on {} by {pattern}: ", row.name(), row.chip());
        Some(Self {
            layout: tile.name,
            access: format!("{}: {verb} {instruction}{offsets} by {pattern}", row.chip()),
            refused: refused.map(|sentence| head + &sentence),
        })
    }

    /// Which of the kinds of faults; after them come the free ones, and what does not suit the tile at all.
    fn kind(&self) -> usize {
        let Some(sentence) = &self.refused else { return KINDS.len() };
        let has = |words: &[&str]| words.iter().any(|words| sentence.contains(words));
        KINDS.iter().position(|(_, words)| has(words)).unwrap_or(KINDS.len() + 1)
    }

    /// Its module, of four lines; the statement is the third.
    fn module(&self, number: usize) -> String {
        let Self { layout, access, .. } = self;
        format!(
            "mod s{number} {{ use tiledesc::prelude::*;\nlayout! {{ type T = {layout}; }}\n\
             assert_conflict_free! {{ T on {access} }}\n}}\n"
        )
    }
}

/// As many statements, half of them free, and of each kind of fault about as many.
fn statements(count: usize) -> Vec<Statement> {
    let (mut dice, mut all) = (Dice(3), Vec::new());
    let of_kind = count.div_ceil(2 * KINDS.len());
    let mut left = [of_kind, of_kind, of_kind, of_kind, count - KINDS.len() * of_kind, 0];
    while all.len() < count {
        let Some(statement) = Statement::random(&mut dice) else { continue };
        let left = &mut left[statement.kind()];
        if *left > 0 {
            *left -= 1;
            all.push(statement);
        }
    }
    all
}

/// The sentence of each module that the compiler refuses, up to what is free instead.
fn said(program: &str) -> BTreeMap<usize, Vec<String>> {
    let package = Scratch::new("statements", &[("statements", "main.rs".into())], "");
    package.write("main.rs", program);
    let mut said: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (_, message) in package.messages(&[]) {
        let span = &message["spans"][0];
        if message["level"] != "error" {
            continue;
        }
        assert_eq!(message["code"]["code"], "E0080", "{}", message["rendered"]);
        let line = span["line_start"].as_u64().unwrap() as usize - 1;
        assert_eq!((&span["file_name"], line % 4), (&"main.rs".into(), 2), "{message}");
        let text = message["message"].as_str().unwrap();
        let text = text.strip_prefix("evaluation panicked: ").unwrap_or(text).to_owned();
        said.entry(line / 4).or_default().push(text);
    }
    said
}

#[test]
fn exactly_the_wrong_ones_fail() {
    let count = support::fuzz::times(30) as usize;
    let statements = statements(count);
    let modules = statements.iter().enumerate();
    let modules: String = modules.map(|(number, statement)| statement.module(number)).collect();
    let said = said(&(modules + "fn main() {}\n"));
    let mut faults = Vec::new();
    for (number, statement) in statements.iter().enumerate() {
        let found = said.get(&number).map_or(&[][..], Vec::as_slice);
        let is_so = match (&statement.refused, found) {
            (None, []) => true,
            // A further line says what is free instead.
            (Some(sentence), [found]) => found
                .strip_prefix(&sentence[..])
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('\n')),
            _ => false,
        };
        if !is_so {
            let wanted = statement.refused.as_deref().unwrap_or("no error");
            faults
                .push(format!("{}\nby hand: {wanted}\nfound: {found:?}", statement.module(number)));
        }
    }
    let kinds: Vec<_> = KINDS.iter().map(|(kind, _)| *kind).chain(["free"]).collect();
    let of = |kind| statements.iter().filter(|statement| statement.kind() == kind).count();
    let told: Vec<_> =
        kinds.iter().enumerate().map(|(i, kind)| format!("{} {kind}", of(i))).collect();
    println!("{count} statements: {}", told.join(", "));
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}
