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
//! | `v38 /*v294*/` | what LLVM prints of a register from v256 on (`high`) |
//!
//! Source: LLVM, `lib/MC/MCParser/AsmParser.cpp`, of which `llvm-mc -arch=amdgcn` prints the lines that it makes. Files that
//! `.include` names are not read: what they would define is not known. `.exitm` is refused.

mod expression;
mod high;
mod macros;

use super::text::{is_of_name, is_register_or_mask, is_symbol, number, separated};
use expression::{undefined, value};
use macros::{Macro, arguments, replaced};
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
        match self.is_plain(code) {
            true => Some(line),
            false => Some(Cow::Owned(self.resolved(code) + &line[code.len()..])),
        }
    }

    /// Reads a directive of conditions; returns whether it is one.
    fn condition(&mut self, number: usize, word: &str, rest: &str) -> bool {
        match word {
            ".else" | ".elseif" => {
                let Some(one) = self.conditions.last().copied() else {
                    self.refuse(number, format!("`{word}` without `.if`"));
                    return true;
                };
                let is_on = !one.is_done && (word == ".else" || self.holds(number, ".if", rest));
                let is_done = one.is_done || is_on;
                self.conditions.pop();
                self.conditions.push(Condition { is_on, is_done, ..one });
            }
            ".endif" => {
                if self.conditions.pop().is_none() {
                    self.refuse(number, "`.endif` without `.if`".to_string());
                }
            }
            ".if" | ".ifeq" | ".ifne" | ".ifgt" | ".ifge" | ".iflt" | ".ifle" | ".ifdef"
            | ".ifndef" | ".ifnotdef" | ".ifb" | ".ifnb" | ".ifc" | ".ifnc" | ".ifeqs"
            | ".ifnes" => {
                // Under a condition that does not hold, nothing is looked up.
                let is_asked = self.is_on();
                let is_on = is_asked && self.holds(number, word, rest);
                let is_done = is_on || !is_asked;
                self.conditions.push(Condition { line: number, is_on, is_done });
            }
            _ => return false,
        }
        true
    }

    fn holds(&mut self, number: usize, word: &str, rest: &str) -> bool {
        let pair = || rest.split_once(',').is_some_and(|(one, other)| one.trim() == other.trim());
        match word {
            ".ifdef" => return self.is_defined(number, word, rest),
            ".ifndef" | ".ifnotdef" => return !self.is_defined(number, word, rest),
            ".ifb" => return rest.is_empty(),
            ".ifnb" => return !rest.is_empty(),
            ".ifc" | ".ifeqs" => return pair(),
            ".ifnc" | ".ifnes" => return !pair(),
            _ => {}
        }
        let Some(value) = value(rest, &self.symbols) else {
            self.refuse_open(number, word, rest);
            return false;
        };
        match word {
            ".if" | ".ifne" => value != 0,
            ".ifeq" => value == 0,
            ".ifgt" => value > 0,
            ".ifge" => value >= 0,
            ".iflt" => value < 0,
            _ => value <= 0,
        }
    }

    /// Whether a text has a symbol or a label up to here. What an assembler defines by itself, by its chip, has to be stated.
    fn is_defined(&mut self, number: usize, word: &str, name: &str) -> bool {
        let is_defined = self.symbols.contains_key(name) || self.labels.contains(name);
        if !is_defined && [".amdgcn.", ".option."].iter().any(|own| name.starts_with(own)) {
            self.refuse_open(number, word, name);
        }
        is_defined
    }

    /// Carries out a directive that an assembler's second pass does not see; returns whether it is one.
    fn directive(&mut self, number: usize, word: &str, rest: &str) -> bool {
        match word {
            ".set" | ".equ" | ".equiv" => {
                let (name, text) = rest.split_once(',').unwrap_or((rest, ""));
                self.set(name, text);
            }
            ".macro" => {
                let body = self.block(number, &[".macro"], &[".endm", ".endmacro"]);
                if let Some((name, one)) = Macro::parse(rest, body) {
                    self.macros.insert(name, Rc::new(one));
                }
            }
            ".purgem" => drop(self.macros.remove(rest)),
            ".rept" | ".rep" => {
                let body = self.block(number, &REPEATING, &[".endr"]);
                match value(rest, &self.symbols).map(usize::try_from) {
                    Some(Ok(count)) if count.saturating_mul(body.len()) <= MOST_LINES => {
                        self.make(std::iter::repeat_n(body, count).flatten().collect());
                    }
                    Some(Err(_)) => self.refuse(number, format!("`{word} {rest}` is negative")),
                    Some(_) => {
                        self.refuse(number, format!("macros make more than {MOST_LINES} lines"));
                    }
                    None => self.refuse_open(number, word, rest),
                }
            }
            ".irp" | ".irpc" => self.repeat_for_each(number, word, rest),
            ".altmacro" => self.is_alternate = true,
            ".noaltmacro" => self.is_alternate = false,
            ".exitm" => self.refuse(number, "`.exitm` is not read".to_string()),
            ".error" | ".err" => {
                self.refuse(number, format!("the text itself refuses to be assembled: {rest}"));
            }
            ".amdgpu_metadata" => {
                self.in_metadata = true;
                return false;
            }
            _ => return false,
        }
        true
    }

    /// `.irp to, 20, 24` and `.irpc digit, 024`: the lines again for each value.
    fn repeat_for_each(&mut self, number: usize, word: &str, rest: &str) {
        let body = self.block(number, &REPEATING, &[".endr"]);
        let (name, values) = rest.split_once(',').unwrap_or((rest, ""));
        let name = name.trim();
        let values: Vec<String> = match word {
            ".irp" => arguments(values),
            _ => values.trim().chars().map(String::from).collect(),
        };
        let mut lines = VecDeque::new();
        for value in &values {
            let known = |one: &str| (one == name).then_some(value.as_str());
            lines.extend(body.iter().map(|(at, line)| (*at, replaced(line, known))));
        }
        self.make(lines);
    }

    fn set(&mut self, name: &str, text: &str) {
        let known = value(text, &self.symbols);
        self.symbols.insert(name.trim().to_string(), known);
    }

    /// The lines up to the end of a macro or a repetition, in which others may begin and end.
    fn block(
        &mut self,
        number: usize,
        begins: &[&str],
        ends: &[&str],
    ) -> VecDeque<(usize, String)> {
        let (mut lines, mut depth) = (VecDeque::new(), 0);
        while let Some((at, line)) = self.raw() {
            let (word, _) = first_word(split_comment(&line).0);
            if ends.contains(&word) {
                if depth == 0 {
                    return lines;
                }
                depth -= 1;
            }
            depth += usize::from(begins.contains(&word));
            lines.push_back((at, line.into_owned()));
        }
        self.refuse(number, format!("`{}` has no `{}`", begins[0], ends[0]));
        lines
    }

    fn call(&mut self, number: usize, one: &Macro, rest: &str) {
        let mut given = arguments(rest);
        if self.is_alternate {
            for argument in &mut given {
                if let Some(known) =
                    argument.strip_prefix('%').and_then(|one| value(one, &self.symbols))
                {
                    *argument = known.to_string();
                }
            }
        }
        match one.lines(&given, self.calls, self.is_alternate) {
            Ok(lines) => self.make(lines),
            Err(parameter) => {
                self.refuse(number, format!("the macro's parameter `{parameter}` has no argument"));
            }
        }
        self.calls += 1;
    }

    /// Returns whether a line has neither symbols nor sums, as is true of whatever compilers write.
    fn is_plain(&self, code: &str) -> bool {
        let (name, rest) = first_word(code);
        let mut names = rest.split(|c| !is_of_name(c));
        let has_symbols =
            !self.symbols.is_empty() && names.any(|one| self.symbols.contains_key(one));
        let has_sums =
            rest.contains(['+', '*', '/', '%', '&', '^', '~', '(', '<', '>', '|', '!', '=']);
        let is_lower = !name.contains(|c: char| c.is_ascii_uppercase());
        let is_sum = has_symbols || has_sums || has_difference(rest);
        // A disassembly's labels are `<L0>:`.
        name.starts_with('.') || code.trim_end().ends_with(':') || !is_sum && is_lower
    }

    /// An instruction with numbers in place of symbols and sums.
    fn resolved(&self, code: &str) -> String {
        let mut all = String::with_capacity(code.len());
        for (at, half) in code.split(" :: ").enumerate() {
            if at > 0 {
                all.push_str(" :: ");
            }
            let (name, rest) = first_word(half);
            all.push_str(&name.to_ascii_lowercase());
            for (at, part) in separated(rest).into_iter().enumerate() {
                all.push_str(if at == 0 { " " } else { ", " });
                let words = words(&self.in_brackets(part));
                let words: Vec<_> = words.iter().map(|word| self.word(word)).collect();
                all.push_str(&words.join(" "));
            }
        }
        all
    }

    /// A part of an instruction with numbers for the sums in the brackets of its registers.
    fn in_brackets(&self, part: &str) -> String {
        let (mut all, mut rest) = (String::new(), part);
        while let Some((before, inner)) = rest.split_once('[') {
            let Some((inner, after)) = inner.split_once(']') else { break };
            let is_register = before.ends_with(|c: char| "vsacp".contains(c));
            let bounds: Option<Vec<_>> =
                inner.split(':').map(|one| value(one, &self.symbols)).collect();
            all.push_str(before);
            match bounds {
                Some(bounds) if is_register => {
                    let bounds: Vec<_> = bounds.iter().map(i64::to_string).collect();
                    all.push_str(&format!("[{}]", bounds.join(":")));
                }
                _ => all.push_str(&format!("[{inner}]")),
            }
            rest = after;
        }
        all + rest
    }

    /// An operand or a modifier with a number in place of a symbol or a sum.
    fn word(&self, word: &str) -> String {
        let resolved = |text: &str| {
            let is_plain = number(text).is_some() || is_register_or_mask(text);
            value(text, &self.symbols).filter(|_| !is_plain).map(|value| value.to_string())
        };
        match word.split_once(':') {
            Some((name, text)) if !name.contains('[') => match resolved(text) {
                Some(text) => format!("{name}:{text}"),
                None => word.to_string(),
            },
            _ => resolved(word).unwrap_or_else(|| word.to_string()),
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

/// What begins the lines that an `.endr` ends.
const REPEATING: [&str; 4] = [".rept", ".rep", ".irp", ".irpc"];

/// A line up to its comment, and the comment.
pub(super) fn split_comment(line: &str) -> (&str, &str) {
    let end = line.find(';').into_iter().chain(line.find("//")).min();
    line.split_at(end.unwrap_or(line.len()))
}

fn first_word(code: &str) -> (&str, &str) {
    let code = code.trim();
    let (word, rest) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
    (word, rest.trim())
}

/// Where a `/*` is that neither quotation marks nor the rest of a line hide.
fn begin_of_comment(line: &str) -> Option<usize> {
    let mut in_quotes = false;
    for (at, c) in line.char_indices() {
        in_quotes ^= c == '"';
        let rest = &line[at..];
        if !in_quotes && rest.starts_with("/*") {
            return Some(at);
        }
        if !in_quotes && (c == ';' || rest.starts_with("//")) {
            return None;
        }
    }
    None
}

/// `loop_12:`, `loop_12: s_nop 0`, `1 :s_nop 0`: the label, and what follows.
fn label(code: &str) -> Option<(&str, &str)> {
    let (name, rest) = code.split_once(':')?;
    let name = name.trim();
    let is_number = !name.is_empty() && name.bytes().all(|c| c.is_ascii_digit());
    (is_number || is_symbol(name)).then_some((name, rest.trim()))
}

/// Returns whether a minus sign subtracts, as in `8 - 4`, `8-4` and `8 -4`: it follows a number or a name.
fn has_difference(text: &str) -> bool {
    text.match_indices('-').any(|(at, _)| {
        let before = text[..at].trim_end();
        before.ends_with(|c: char| c.is_ascii_alphanumeric() || "_.$)".contains(c))
    })
}

/// `a = 4`
fn assignment(code: &str) -> Option<(&str, &str)> {
    let (name, text) = code.split_once('=')?;
    (is_symbol(name.trim()) && !text.starts_with('=')).then_some((name.trim(), text))
}

/// The words of a part of an instruction; the words of a sum are one. `|v3|` is a word of its own.
fn words(part: &str) -> Vec<String> {
    let operator = |c: char| "+*/%&^<>=".contains(c);
    let begins = |word: &str| {
        word == "|"
            || word.starts_with("||")
            || word.starts_with(|c| operator(c) || "-):".contains(c))
    };
    let ends = |word: &str| {
        let is_open = word.matches('(').count() > word.matches(')').count();
        let is_cut = word.ends_with(|c| operator(c) || "-(:!~".contains(c));
        is_open || is_cut || word.ends_with(" |") || word.ends_with("||")
    };
    let mut all: Vec<String> = Vec::new();
    for word in part.split_whitespace() {
        match all.last_mut() {
            Some(last) if ends(last) || begins(word) => {
                last.push_str(if word == "|" { " |" } else { word });
            }
            _ => all.push(word.to_string()),
        }
    }
    all
}
