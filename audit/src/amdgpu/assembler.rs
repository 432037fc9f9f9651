//! What an assembler does before it encodes: symbols, macros, repetitions and conditions become plain instructions.
//!
//! Kernels written by hand or by generators such as MIOpen's name registers by symbols, 60 a kernel and more, and write whole
//! loops as macros. Without this, `v[v_sld]` is no register that anybody could follow:
//!
//! ```text
//!   .set v_a, 4
//!   .set v_sld, 12
//!   .macro load n, i=0
//!     ds_read_b64 v[v_a+\i:v_a+\i+1], v[v_sld] offset:\i*128
//!     .if \n > 1
//!       load \n-1, \i+2
//!     .endif
//!   .endm
//!   load 2                   ds_read_b64 v[4:5], v[12] offset:0
//!                            ds_read_b64 v[6:7], v[12] offset:256
//! ```
//!
//! | directive | meaning |
//! |---|---|
//! | `.set a, 4`, `a = 4`, `.equ`, `.equiv` | a symbol, which may change on the way |
//! | `.macro`, `.endm`, `.purgem` | a macro; its lines keep their numbers |
//! | `.rept`, `.irp`, `.irpc`, `.endr` | lines again, as those of a macro |
//! | `.if` and its kin, `.elseif`, `.else`, `.endif` | lines under a condition |
//! | `/* .. */`, `label: instruction` | no text, and two lines |
//! | `1:`, and `1b`, `1f` of a branch | a label, as often as it is written; the last one before, the next one |
//! | `v38 /*v294*/` | what LLVM prints of a register from v256 on (`high`) |
//!
//! Source: LLVM, `lib/MC/MCParser/AsmParser.cpp`, of which `llvm-mc -arch=amdgcn` prints the lines that it makes. Files that
//! `.include` names are not read: what they would define is not known. `.exitm` is refused.

mod condition;
mod directive;
mod expression;
mod high;
mod line;
mod macros;
mod resolved;

pub(super) use line::split_comment;

use expression::{undefined, value};
use line::{assignment, begin_of_comment, first_word, label, numbered};
use macros::Macro;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::iter::Enumerate;
use std::rc::Rc;
use std::str::Lines;

/// The most lines that macros and repetitions may make. The largest of MIOpen's makes some 20,000.
const MOST_LINES: usize = 1 << 20;

/// The lines of a text as they are after an assembler's first pass, each with its number from 1.
pub(super) struct Assembled<'t> {
    source: Enumerate<Lines<'t>>,
    /// Lines that macros and repetitions made and that come before the rest of the text, the innermost last.
    made: Vec<VecDeque<(usize, String)>>,
    /// How many lines were made so far.
    count: usize,
    /// The symbols, and their values if they are known.
    symbols: BTreeMap<String, Option<i64>>,
    /// The labels so far, for `.ifdef`.
    labels: BTreeSet<String>,
    /// How often each number was a label so far: `1b` is the last one, `1f` the next.
    numbered: BTreeMap<String, usize>,
    macros: BTreeMap<String, Rc<Macro>>,
    /// Calls of macros, for `\@`.
    calls: usize,
    conditions: Vec<Condition>,
    /// The line of a `/*` that is open.
    in_comment: Option<usize>,
    in_metadata: bool,
    /// Whether arguments `%x` are expressions.
    is_alternate: bool,
    /// Whether the compiler has printed whole names of registers.
    has_whole_names: bool,
    /// The first line that cannot be assembled, and why.
    pub(super) fault: Option<(usize, String)>,
}

/// An `.if` that is open.
#[derive(Clone, Copy)]
struct Condition {
    /// The line of its `.if`.
    line: usize,
    /// Whether the lines here are assembled.
    is_on: bool,
    /// Whether a branch was taken, or none may be.
    is_done: bool,
}

impl<'t> Assembled<'t> {
    /// The lines of a text that may name these symbols.
    pub(super) fn new(text: &'t str, symbols: &[(String, i64)]) -> Self {
        let symbols = symbols.iter().map(|(name, value)| (name.clone(), Some(*value))).collect();
        Self {
            source: text.lines().enumerate(),
            made: Vec::new(),
            count: 0,
            symbols,
            labels: BTreeSet::new(),
            numbered: BTreeMap::new(),
            macros: BTreeMap::new(),
            calls: 0,
            conditions: Vec::new(),
            in_comment: None,
            in_metadata: false,
            is_alternate: false,
            has_whole_names: false,
            fault: None,
        }
    }

    /// The next line without comments between `/*` and `*/`.
    fn raw(&mut self) -> Option<(usize, Cow<'t, str>)> {
        while let Some(lines) = self.made.last_mut() {
            if let Some((number, line)) = lines.pop_front() {
                return Some((number, Cow::Owned(line)));
            }
            self.made.pop();
        }
        let (at, line) = self.source.next()?;
        if self.in_comment.is_none() && high::is_mode_in_words(line) {
            self.has_whole_names = true;
            return Some((at + 1, Cow::Borrowed("s_nop 0")));
        }
        let line = if self.in_comment.is_some() || line.contains("/*") {
            let whole = self.with_whole_names(at + 1, line);
            Cow::Owned(self.without_comments(at + 1, &whole))
        } else {
            Cow::Borrowed(line)
        };
        Some((at + 1, line))
    }

    fn with_whole_names(&mut self, number: usize, line: &'t str) -> Cow<'t, str> {
        if !self.has_whole_names || self.in_comment.is_some() {
            return Cow::Borrowed(line);
        }
        match high::with_whole_names(line) {
            Ok(line) => Cow::Owned(line),
            Err(why) => {
                self.refuse(number, why);
                Cow::Borrowed(line)
            }
        }
    }

    fn without_comments(&mut self, number: usize, mut line: &str) -> String {
        let mut kept = String::new();
        loop {
            if self.in_comment.is_some() {
                let Some((_, rest)) = line.split_once("*/") else { return kept };
                (self.in_comment, line) = (None, rest);
                kept.push(' ');
            }
            let Some(begin) = begin_of_comment(line) else {
                kept.push_str(line);
                return kept;
            };
            kept.push_str(&line[..begin]);
            (self.in_comment, line) = (Some(number), &line[begin + 2..]);
        }
    }

    /// Puts lines before the rest of the text.
    fn make(&mut self, lines: VecDeque<(usize, String)>) {
        self.count += lines.len();
        if self.count > MOST_LINES {
            let number = lines.front().map_or(0, |(number, _)| *number);
            self.refuse(number, format!("macros make more than {MOST_LINES} lines"));
        } else {
            self.made.push(lines);
        }
    }

    fn refuse(&mut self, line: usize, why: String) {
        self.fault.get_or_insert((line, why));
    }

    /// Refuses what is open at the end of the text.
    fn refuse_open_ends(&mut self) {
        if let Some(one) = self.conditions.first().copied() {
            self.refuse(one.line, "`.if` has no `.endif`".to_string());
        }
        if let Some(line) = self.in_comment {
            self.refuse(line, "`/*` has no `*/`".to_string());
        }
    }

    /// Refuses an expression without a value.
    fn refuse_open(&mut self, line: usize, word: &str, text: &str) {
        let why = match undefined(text, &self.symbols) {
            Some(name) => format!(
                "depends on `{name}`, which the text does not define: state it, as in --defsym {name}=1"
            ),
            None => "is not an expression with a value".to_string(),
        };
        self.refuse(line, format!("`{word} {text}` {why}"));
    }

    fn is_on(&self) -> bool {
        self.conditions.last().is_none_or(|one| one.is_on)
    }

    /// A line as an assembler's second pass sees it, if anything is left of it.
    fn line(&mut self, number: usize, line: Cow<'t, str>) -> Option<Cow<'t, str>> {
        let (code, _) = split_comment(&line);
        let (word, rest) = first_word(code);
        if self.in_metadata {
            self.in_metadata = word != ".end_amdgpu_metadata";
            return Some(line);
        }
        let directive = word.starts_with('.').then(|| word.to_ascii_lowercase());
        if let Some(word) = &directive
            && self.condition(number, word, rest)
        {
            return None;
        }
        if !self.is_on() {
            return None;
        }
        // At its beginning, `#` makes a line a comment.
        if word.is_empty() || word.starts_with('#') {
            return word.is_empty().then_some(line);
        }
        if let Some((label, rest)) = label(code) {
            let is_alone = rest.is_empty();
            if !is_alone {
                self.made.push([(number, rest.to_string())].into());
            }
            self.labels.insert(label.to_string());
            if label.starts_with(|c: char| c.is_ascii_digit()) {
                let count = self.numbered.entry(label.to_string()).or_default();
                *count += 1;
                return Some(Cow::Owned(format!("{}:", numbered(label, *count))));
            }
            return Some(if is_alone { line } else { Cow::Owned(format!("{label}:")) });
        }
        if let Some((name, text)) = assignment(code) {
            self.set(name, text);
            return None;
        }
        if let Some(found) = self.macros.get(word).cloned() {
            self.call(number, &found, rest);
            return None;
        }
        if let Some(word) = &directive {
            if self.directive(number, word, rest) {
                return None;
            }
            if word.starts_with(".amdhsa_")
                && let Some(value) = value(rest, &self.symbols)
            {
                return Some(Cow::Owned(format!("{word} {value}")));
            }
        }
        if let Some(branch) = self.to_number(code) {
            return Some(Cow::Owned(branch));
        }
        match self.is_plain(code) {
            true => Some(line),
            false => Some(Cow::Owned(self.resolved(code) + &line[code.len()..])),
        }
    }
}

impl<'t> Iterator for Assembled<'t> {
    type Item = (usize, Cow<'t, str>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.fault.is_none() {
            let Some((number, line)) = self.raw() else {
                self.refuse_open_ends();
                return None;
            };
            if let Some(line) = self.line(number, line) {
                return Some((number, line));
            }
        }
        None
    }
}
