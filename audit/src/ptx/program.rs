//! A text of PTX as kernels: instructions with their lines and targets, and what directives say.
//!
//! | text | what it tells |
//! |---|---|
//! | `.target sm_90a` | the chip |
//! | `.visible .entry gemm(..)` | a kernel; its parameters are the same for all threads |
//! | `.func (..) sum(..)` | a function that a kernel may call |
//! | `.reqntid 128`, `.maxntid 256` | threads of a block |
//! | `.reg .b32 %r<714>;` | registers, in the scope `{ .. }` in which they stand |
//! | `.shared .align 16 .b8 smem[4096];` | how shared memory is aligned |
//! | `.file`, `.loc` | source lines |
//! | `$L: .branchtargets A, B;` | where `brx.idx` goes |

use super::function::{Function, Kind, Open, Scope, head_of};
use crate::place::Loc;
use crate::text::separated;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// What a text says beside its instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    pub(crate) chip: Option<String>,
    /// The names of its kernels.
    pub(crate) kernels: Vec<String>,
    pub(crate) files: BTreeMap<u32, String>,
    /// Of each symbol of shared memory, the zeros at the end of its address.
    pub(crate) symbols: BTreeMap<Box<str>, u32>,
    /// The bytes of each of them; `None` where that is not stated, as of `smem[]`.
    pub(crate) bytes: BTreeMap<Box<str>, Option<u32>>,
    /// Variables elsewhere.
    pub(crate) variables: BTreeSet<Box<str>>,
    /// Where each function that is no kernel begins; `None` where several share a name.
    pub(crate) functions: BTreeMap<Box<str>, Option<Begin>>,
}

/// A place in a text: its offset in bytes, and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Begin {
    bytes: usize,
    line: usize,
}

struct Reader<'t> {
    /// The bytes of the whole text.
    bytes: usize,
    rest: &'t str,
    line: usize,
    text: Text,
    open: Option<Open<'t>>,
    /// A kernel that was read.
    done: Option<Function>,
    /// Instructions that are kept of each.
    most: usize,
    /// Whether a function that is no kernel is kept, too.
    keeps_all: bool,
    loc: Option<Arc<Loc>>,
    /// What each place that a call may be in was inlined at, by file, line and column.
    callers: HashMap<[u32; 3], Arc<Loc>>,
    /// A label whose statement comes next.
    label: Option<&'t str>,
}

/// Scopes in each other at most.
const DEPTH: usize = 64;

impl Text {
    /// What a text says, without its instructions.
    pub(crate) fn read(text: &str) -> Self {
        let mut functions = Functions::new(text, 0);
        let kernels = functions.by_ref().map(|one| one.name).collect();
        Self { kernels, ..functions.reader.text }
    }

    /// A function that is no kernel, with at most as many instructions; `None` if the text has none of that name, or several.
    pub(super) fn function(&self, text: &str, name: &str, most: usize) -> Option<Function> {
        let Begin { bytes, line } = (*self.functions.get(name)?)?;
        let mut reader = Reader { line, keeps_all: true, ..Reader::new(text.get(bytes..)?, most) };
        while reader.done.is_none() && reader.statement() {}
        reader.done
    }
}

/// The kernels of a text, one at a time: a text of 50 MB would be gigabytes of instructions.
pub(crate) struct Functions<'t> {
    reader: Reader<'t>,
}

impl<'t> Functions<'t> {
    /// The kernels with at most as many instructions each.
    pub(crate) fn new(text: &'t str, most: usize) -> Self {
        Self { reader: Reader::new(text, most) }
    }
}

impl Iterator for Functions<'_> {
    type Item = Function;

    fn next(&mut self) -> Option<Function> {
        while self.reader.done.is_none() && self.reader.statement() {}
        let cut = || self.reader.open.take().filter(|one| one.is_kept).map(Open::close);
        self.reader.done.take().or_else(cut)
    }
}

/// The end of a function that is declared without a semicolon, as nvcc 3 did: the next declaration begins on a line of its own.
fn declared_alone(head: &str) -> Option<usize> {
    let begins = |line: &str| {
        [".visible", ".extern", ".func", ".entry", ".shared", ".global"]
            .iter()
            .any(|one| line.starts_with(one))
    };
    let line = head.match_indices('\n').find(|(at, _)| begins(head[at + 1..].trim_start()))?.0;
    head[..line].contains(".func").then_some(line)
}

/// The bytes of an array of such elements, `[32][33]`; of one without a length none.
fn length(dimensions: &str, element: u32) -> Option<u32> {
    let mut bytes = element;
    for one in dimensions.split('[').skip(1) {
        let length: u32 = one.split(']').next()?.trim().parse().ok()?;
        bytes = bytes.checked_mul(length)?;
    }
    Some(bytes)
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, most: usize) -> Self {
        let (open, done, loc, label) = (None, None, None, None);
        Self {
            bytes: text.len(),
            rest: text,
            line: 1,
            text: Text::default(),
            open,
            done,
            most,
            keeps_all: false,
            loc,
            label,
            callers: HashMap::new(),
        }
    }

    /// Takes as many bytes.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
        taken
    }

    /// Takes what is before one of some characters, and that one.
    fn take_to(&mut self, ends: &[char]) -> &'t str {
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let taken = self.take(end);
        self.take(self.rest.chars().next().map_or(0, char::len_utf8));
        taken
    }

    fn skip_blank(&mut self) {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.take(blank);
            if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let end = self.rest.find("*/").map_or(self.rest.len(), |end| end + 2);
                self.take(end);
            } else {
                return;
            }
        }
    }

    /// Reads a statement; whether there was one.
    fn statement(&mut self) -> bool {
        self.skip_blank();
        match self.rest.bytes().next() {
            None => return false,
            Some(b'{') => {
                self.take(1);
                if let Some(open) = &mut self.open {
                    open.scopes.push(Scope::default());
                    if open.scopes.len() > DEPTH {
                        // No program: what follows is not read.
                        self.rest = "";
                    }
                }
            }
            Some(b'}') => {
                self.take(1);
                self.close_scope();
            }
            Some(b';') => drop(self.take(1)),
            Some(b'.') => self.directive(),
            _ => self.label_or_instruction(),
        }
        true
    }

    fn close_scope(&mut self) {
        let Some(open) = &mut self.open else { return };
        open.close_scope();
        if open.scopes.is_empty()
            && let Some(mut open) = self.open.take()
            && open.is_kept
        {
            open.function.is_whole = true;
            self.done = Some(open.close());
        }
    }

    fn directive(&mut self) {
        let end = self.rest[1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = &self.rest[1..end.map_or(self.rest.len(), |end| end + 1)];
        match name {
            "version" | "target" | "address_size" | "file" | "loc" => {
                let line = self.take_to(&['\n']);
                let line = line.split("//").next().unwrap_or(line);
                self.line_directive(name, line[name.len() + 1..].trim());
            }
            "section" => self.section(),
            "visible" | "extern" | "weak" | "func" | "entry" | "common" => self.declaration(),
            "branchtargets" => {
                let names = self.take_to(&[';']);
                let names = names.strip_prefix(".branchtargets").unwrap_or("");
                if let (Some(label), Some(open)) = (self.label, &mut self.open)
                    && let Some(scope) = open.scopes.last_mut()
                {
                    scope.lists.insert(label, separated(names).collect());
                }
            }
            _ => {
                let words = self.take_to(&[';']);
                self.variable(words);
            }
        }
    }

    fn line_directive(&mut self, name: &str, rest: &str) {
        let mut words = rest.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        match name {
            "target" => {
                self.text.chip = words.next().map(str::to_string);
            }
            "loc" => self.loc(&words.collect::<Vec<_>>()),
            "file" => {
                let index = words.next().and_then(|word| word.parse().ok());
                let path = rest.split('"').nth(1);
                if let (Some(index), Some(path)) = (index, path) {
                    self.text.files.insert(index, path.to_string());
                }
            }
            _ => {}
        }
    }

    /// `.loc 2 314 12, function_name $L__info_string0, inlined_at 1 63 12`: the caller's place is that of an earlier
    /// `.loc`, which may have been inlined itself.
    fn loc(&mut self, words: &[&str]) {
        let place = |words: &[&str]| {
            let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok());
            let line = number(1).filter(|line| *line > 0)?;
            Some([number(0)?, line, number(2).unwrap_or(0)])
        };
        let call = words.iter().position(|word| *word == "inlined_at");
        let call = call.and_then(|at| place(&words[at + 1..]));
        let caller = call.map(|key| {
            let plain = || Arc::new(Loc::new(key[0], key[1], None));
            self.callers.get(&key).cloned().unwrap_or_else(plain)
        });
        self.loc = place(words).map(|key| {
            let loc = Arc::new(Loc::new(key[0], key[1], caller));
            self.callers.insert(key, loc.clone());
            loc
        });
    }

    /// `.section .debug_abbrev { .. }`
    fn section(&mut self) {
        self.take_to(&['{']);
        let mut depth = 1;
        while depth > 0 && !self.rest.is_empty() {
            let taken = self.rest.find(['{', '}']).unwrap_or(self.rest.len());
            self.take(taken);
            match self.rest.bytes().next() {
                Some(b'{') => depth += 1,
                Some(_) => depth -= 1,
                None => return,
            }
            self.take(1);
        }
    }

    /// `.visible .entry gemm(..) .reqntid 128 {`, `.extern .shared .align 16 .b8 smem[];`
    fn declaration(&mut self) {
        let begin = Begin { bytes: self.bytes - self.rest.len(), line: self.line };
        let end = self.rest.find([';', '{', '=']).unwrap_or(self.rest.len());
        let head = self.take(declared_alone(&self.rest[..end]).unwrap_or(end));
        if !head.contains(".entry") && !head.contains(".func") {
            self.take_to(&[';']);
            return self.variable(head);
        }
        if self.take(usize::from(!self.rest.is_empty())) == "{" {
            let is_kernel = head.contains(".entry");
            if !is_kernel {
                let [name, ..] = head_of(head);
                let known = self.text.functions.entry(name.into());
                known.and_modify(|one| *one = None).or_insert(Some(begin));
            }
            self.open = Some(match self.keeps_all && !is_kernel {
                true => Open::of_function(head, self.most),
                false => Open::new(head, self.most),
            });
            self.loc = None;
        }
    }

    /// `.reg .b32 %r<714>, a;`, `.shared .align 16 .b8 smem[4096]`
    fn variable(&mut self, words: &'t str) {
        let mut words = words.trim();
        let (mut kind, mut is_shared, mut is_register, mut alignment) =
            (Kind::Other, false, false, None);
        let (mut is_vector, mut is_local, mut is_parameter) = (false, false, false);
        let mut bytes = None;
        while let Some(rest) = words.strip_prefix('.') {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (word, rest) = rest.split_at(end);
            words = rest.trim_start();
            match word {
                "shared" => is_shared = true,
                "local" => is_local = true,
                "param" => is_parameter = true,
                "reg" => is_register = true,
                "v2" | "v4" => is_vector = true,
                "align" => {
                    let end = words.find(|c: char| !c.is_ascii_digit()).unwrap_or(words.len());
                    alignment =
                        words[..end].parse::<u32>().ok().filter(|one| one.is_power_of_two());
                    words = words[end..].trim_start();
                }
                "pred" => kind = Kind::Predicate,
                "b16" | "u16" | "s16" | "f16" | "bf16" => kind = Kind::Bits16,
                "b32" | "u32" | "s32" | "f32" | "f16x2" => kind = Kind::Bits32,
                "b64" | "u64" | "s64" | "f64" => kind = Kind::Bits64,
                "b8" | "u8" | "s8" => bytes = Some(1),
                _ => {}
            }
        }
        // Without `.align` a variable is aligned as its type.
        let natural = match kind {
            Kind::Bits16 => 1,
            Kind::Bits32 => 2,
            Kind::Bits64 => 3,
            _ => 0,
        };
        let bytes = bytes.or((kind != Kind::Other).then_some(1 << natural));
        let kind = if is_vector { Kind::Other } else { kind };
        for name in separated(words) {
            let zeros = alignment.map_or(natural, u32::trailing_zeros);
            if let Some(open) = self.open.as_mut().filter(|_| is_parameter) {
                open.parameter(name);
                continue;
            }
            if let Some(open) = self.open.as_mut().filter(|_| !is_register) {
                open.variable(name, bytes.filter(|_| is_local && !is_vector), zeros);
            }
            if is_register {
                self.register(name, kind);
            } else if is_shared {
                let end = name.find(['[', ' ', '=']).unwrap_or(name.len());
                let known = self.text.symbols.entry(name[..end].into()).or_insert(zeros);
                // Of two variables of a name the one that is aligned less.
                *known = zeros.min(*known);
                let bytes = bytes.filter(|_| !is_vector).and_then(|one| length(&name[end..], one));
                let known = self.text.bytes.entry(name[..end].into()).or_insert(bytes);
                *known = known.filter(|known| Some(*known) == bytes);
            } else {
                let end = name.find(['[', ' ', '=']).unwrap_or(name.len());
                self.text.variables.insert(name[..end].into());
            }
        }
    }

    fn register(&mut self, name: &'t str, kind: Kind) {
        let Some(scope) = self.open.as_mut().and_then(|open| open.scopes.last_mut()) else {
            return;
        };
        match name.split_once('<') {
            Some((family, count)) => {
                let count = count.trim_end_matches('>').parse().unwrap_or(0);
                scope.family(family, count, kind);
            }
            None => drop(scope.names.insert(name, kind)),
        }
    }

    fn label_or_instruction(&mut self) {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_$%".contains(c));
        let (word, after) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if !word.is_empty() && after.trim_start().starts_with(':') && !after.starts_with("::") {
            let bytes = word.len() + after.find(':').unwrap_or(0) + 1;
            self.take(bytes);
            self.label = Some(word);
            if let Some(open) = &mut self.open {
                let at = open.function.code.len();
                if let Some(scope) = open.scopes.last_mut() {
                    scope.labels.insert(word, at);
                }
            }
            return;
        }
        let line = self.line;
        let words = self.take_to(&[';']);
        let loc = self.loc.clone();
        if let Some(open) = &mut self.open
            && open.is_kept
        {
            open.instruction(words, line, loc);
        }
    }
}
