//! A disassembly as functions: instructions with their addresses, labels and lines, and what headers say.
//!
//! | `nvdisasm` | `cuobjdump -sass` | what it tells |
//! |---|---|---|
//! | `.target sm_90a` | `code for sm_90a` | the chip |
//! | `.section .text.gemm,"ax"` | `Function : gemm` | a function |
//! | `.other gemm,@"STO_CUDA_ENTRY .."` | | it is a kernel |
//! | `EIATTR_REQNTID`, `EIATTR_MAX_THREADS` | | threads of a block |
//! | `.L_x_2:`, `` BRA `(.L_x_2) `` | `BRA 0x90` | where branches go |
//! | `(*"BRANCH_TARGETS .L_x_5,.L_x_6"*)` | | where `BRX` goes |
//! | `//## File "gemm.cu", line 41` | | the line in the source |
//!
//! ```text
//!   /*0070*/  @!P0  BRA  `(.L_x_0) ;      /* 0x000003e000000947 */
//!   address   guard name operands         what is encoded is not read
//! ```

use crate::place::Loc;
use crate::resources::Resources;
use crate::text::separated;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct Line<'t> {
    pub(super) address: u64,
    pub(super) guard: Option<&'t str>,
    /// Its name, with modifiers: `LDS.128`.
    pub(super) name: &'t str,
    pub(super) operands: Vec<&'t str>,
    /// The labels that a jump by a register may go to, if it is one and they are listed.
    pub(super) targets: Vec<&'t str>,
    /// The text behind the guard.
    pub(super) text: &'t str,
    /// The line of the text, from 1.
    pub(super) line: usize,
    /// File and line of the source.
    pub(super) loc: Option<Arc<Loc>>,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub(super) struct Section<'t> {
    pub(super) name: &'t str,
    pub(super) code: Vec<Line<'t>>,
    /// The instructions before which labels stand.
    pub(super) labels: HashMap<&'t str, usize>,
}

impl Section<'_> {
    /// The instruction that an operand names: by its label, or by its address.
    pub(super) fn place(&self, word: &str) -> Option<usize> {
        let label =
            word.trim_start_matches('`').strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        let at = label.and_then(|label| self.labels.get(label)).copied();
        at.or_else(|| {
            let address = u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()?;
            self.code.binary_search_by_key(&address, |one| one.address).ok()
        })
    }

    /// The instruction that a call in it goes to, if it is in it: an absolute address as a number is that of no instruction here.
    pub(super) fn called(&self, line: &Line<'_>) -> Option<usize> {
        let word = line.operands.last()?;
        let is_near = !line.name.contains(".ABS") || word.starts_with('`');
        self.place(word).filter(|_| is_near)
    }

    /// Returns whether a call in it may return.
    pub(super) fn returns(&self) -> bool {
        let is_far = |line: &Line<'_>| line.name.starts_with("CALL") && self.called(line).is_none();
        self.code.iter().any(|line| line.name.starts_with("RET") || is_far(line))
    }

    /// The instructions to which ways lead that do not come from the one before.
    pub(super) fn entries(&self) -> BTreeSet<usize> {
        let of = |line: &Line<'_>| {
            let base = line.name.split('.').next().unwrap_or("");
            let jumps = ["BRA", "BRX", "BRXU", "JMP", "CALL", "WARPSYNC"].contains(&base);
            let last = line.operands.last().filter(|_| jumps).and_then(|word| self.place(word));
            let listed = line.targets.iter().filter_map(|label| self.labels.get(label).copied());
            last.into_iter().chain(listed).collect::<Vec<_>>()
        };
        self.code.iter().flat_map(of).collect()
    }
}

/// The threads of a block, from the text's headers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Threads {
    pub(super) required: Option<[u32; 3]>,
    pub(super) most: Option<u32>,
    pub(super) resources: Resources,
}

/// A disassembly.
#[derive(Clone, Debug, Default)]
pub(super) struct Program<'t> {
    pub(super) chip: Option<&'t str>,
    pub(super) sections: Vec<Section<'t>>,
    pub(super) threads: HashMap<&'t str, Threads>,
    pub(super) files: BTreeMap<u32, String>,
    /// The functions that the headers call kernels.
    entries: Vec<&'t str>,
    /// The number of each section.
    numbers: HashMap<&'t str, usize>,
}

/// The words of a line with an instruction: its address, and what is behind.
pub(super) fn addressed(line: &str) -> Option<(u64, &str)> {
    let (address, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let rest = rest.trim_start().trim_start_matches('{').trim_start();
    let is_code = rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '@');
    if address.len() < 4 || !is_code {
        return None;
    }
    Some((u64::from_str_radix(address, 16).ok()?, rest))
}

impl<'t> Program<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut reader = Reader::default();
        for (i, line) in text.lines().enumerate() {
            reader.line(i + 1, line);
        }
        reader.program
    }

    /// A function by its name.
    pub(super) fn section(&self, name: &str) -> Option<&Section<'t>> {
        self.numbers.get(name).map(|number| &self.sections[*number])
    }

    /// The kernels; all functions of a text that does not say which are.
    pub(super) fn kernels(&self) -> impl Iterator<Item = &Section<'t>> {
        let is_one = |name: &str| self.entries.is_empty() || self.entries.contains(&name);
        self.sections.iter().filter(move |one| is_one(one.name))
    }
}

/// The meaning of a number in a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Attribute {
    #[default]
    Other,
    Required,
    Most,
}

#[derive(Default)]
struct Reader<'t> {
    program: Program<'t>,
    is_open: bool,
    /// The kernel that a header describes.
    about: &'t str,
    /// The kernel whose shared memory a section is.
    shared: &'t str,
    attribute: Attribute,
    words: Vec<u32>,
    loc: Option<Arc<Loc>>,
    /// The lines of the source that were read since the last instruction, the innermost first.
    frames: Vec<(u32, u32)>,
    numbers: HashMap<&'t str, u32>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, number: usize, line: &'t str) {
        let bare = line.trim();
        if let Some((address, rest)) = addressed(bare) {
            self.close_place();
            return self.instruction(number, address, rest);
        }
        if let Some(place) = bare.strip_prefix("//## File ") {
            return self.place(place);
        }
        // What `nvdisasm` lists of data has an address, too.
        let bare = match bare.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
            Some((_, data)) => data.trim(),
            None => bare,
        };
        let mut words = bare.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        match (words.next(), words.next()) {
            (Some(".target"), Some(chip)) => self.chip(chip),
            (Some("code"), Some("for")) => words.next().into_iter().for_each(|one| self.chip(one)),
            (Some(".headerflags"), _) => self.flags(bare),
            (Some(".section"), Some(name)) => self.section(name),
            (Some(".sectioninfo"), Some(word)) => self.registers(word),
            (Some(".zero"), Some(word)) if !self.shared.is_empty() => {
                let threads = self.program.threads.entry(self.shared).or_default();
                threads.resources.lds = word.parse().ok();
            }
            (Some("Function"), Some(":")) => {
                let name = bare.split_once(':').map_or("", |(_, name)| name.trim());
                self.open(name);
            }
            (Some(".other"), Some(name)) if bare.contains("STO_CUDA_ENTRY") => {
                self.program.entries.push(name);
            }
            (Some("//-----"), Some("nvinfo")) => self.attribute(bare),
            (Some(".word"), Some(word)) => self.word(word),
            (Some(label), None) => {
                if let (Some(label), Some(open)) = (label.strip_suffix(':'), self.section_now()) {
                    open.labels.insert(label, open.code.len());
                }
            }
            _ => {}
        }
    }

    fn chip(&mut self, name: &'t str) {
        if name.starts_with("sm_") {
            self.program.chip.get_or_insert(name);
        }
    }

    /// `EF_CUDA_SM90`, of texts that name the chip in no other way.
    fn flags(&mut self, line: &'t str) {
        let numbers =
            line.split(['"', ' ', '(']).filter_map(|word| word.strip_prefix("EF_CUDA_SM"));
        let names = numbers.filter_map(|number| SM.iter().find(|name| name[3..] == *number));
        if let Some(name) = names.into_iter().next() {
            self.program.chip.get_or_insert(name);
        }
    }

    fn section(&mut self, name: &'t str) {
        self.is_open = false;
        self.about = name.strip_prefix(".nv.info.").unwrap_or("");
        self.shared = name.strip_prefix(".nv.shared.").unwrap_or("");
        self.attribute = Attribute::Other;
        if let Some(name) = name.strip_prefix(".text.") {
            self.open(name);
        }
    }

    fn open(&mut self, name: &'t str) {
        self.program.numbers.insert(name, self.program.sections.len());
        self.program.sections.push(Section { name, ..Section::default() });
        (self.is_open, self.loc) = (true, None);
        self.frames.clear();
    }

    /// `@"SHI_REGISTERS=40"`
    fn registers(&mut self, word: &'t str) {
        let number = word.split_once("SHI_REGISTERS=").map(|(_, rest)| rest.trim_end_matches('"'));
        if let (Some(section), Some(number)) = (self.program.sections.last(), number) {
            let threads = self.program.threads.entry(section.name).or_default();
            threads.resources.registers = number.parse().ok();
        }
    }

    fn section_now(&mut self) -> Option<&mut Section<'t>> {
        self.program.sections.last_mut().filter(|_| self.is_open)
    }

    fn attribute(&mut self, line: &str) {
        self.words.clear();
        self.attribute = match line.rsplit([' ', ':']).next() {
            Some("EIATTR_REQNTID") => Attribute::Required,
            Some("EIATTR_MAX_THREADS") => Attribute::Most,
            _ => Attribute::Other,
        };
    }

    fn word(&mut self, word: &str) {
        let number = word.strip_prefix("0x").and_then(|word| u32::from_str_radix(word, 16).ok());
        let (false, Some(number)) = (self.attribute == Attribute::Other, number) else { return };
        self.words.push(number);
        let [x, y, z] = self.words[..] else { return };
        let threads = self.program.threads.entry(self.about).or_default();
        match self.attribute {
            Attribute::Required => threads.required = Some([x, y, z]),
            _ => threads.most = x.checked_mul(y).and_then(|lanes| lanes.checked_mul(z)),
        }
        self.attribute = Attribute::Other;
    }

    /// `"/src/gemm.cu", line 41 inlined at "/src/gemm.cu", line 90`: where that was inlined says the next line.
    fn place(&mut self, text: &'t str) {
        for (i, place) in text.split(" inlined at ").take(2).enumerate() {
            let Some(place) = self.frame(place) else { continue };
            if i == 1 || self.frames.last() != Some(&place) {
                self.frames.push(place);
            }
        }
    }

    /// The place of the lines before an instruction.
    fn close_place(&mut self) {
        let frames = std::mem::take(&mut self.frames);
        let of = |caller, (file, line): &(u32, u32)| Some(Arc::new(Loc::new(*file, *line, caller)));
        if !frames.is_empty() {
            self.loc = frames.iter().rev().fold(None, of);
        }
    }

    /// `"/src/gemm.cu", line 41`
    fn frame(&mut self, text: &'t str) -> Option<(u32, u32)> {
        let (path, rest) = text.strip_prefix('"')?.split_once('"')?;
        let digits = rest.split_once("line ")?.1;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let line = digits[..end].parse().ok().filter(|line| *line > 0)?;
        let next = self.numbers.len() as u32;
        let file = *self.numbers.entry(path).or_insert(next);
        self.program.files.entry(file).or_insert_with(|| path.to_string());
        Some((file, line))
    }

    fn instruction(&mut self, line: usize, address: u64, rest: &'t str) {
        // A few instructions without a header are a function, too.
        if self.program.sections.is_empty() {
            self.open("");
        }
        let loc = self.loc.clone();
        let Some(open) = self.section_now() else { return };
        open.code.push(instruction(line, loc, address, rest));
    }
}

/// The names of chips that headers abbreviate.
const SM: [&str; 12] = [
    "sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_103",
    "sm_110", "sm_120",
];

/// The statement up to its semicolon, without what is noted behind it: `(*"..."*)`, `&req={0}`, `?trans1`.
fn instruction<'t>(line: usize, loc: Option<Arc<Loc>>, address: u64, rest: &'t str) -> Line<'t> {
    let rest = rest.split(';').next().unwrap_or(rest);
    let noted = rest.find("(*").map_or("", |at| &rest[at..]);
    let targets = noted.split_once("BRANCH_TARGETS ").map_or("", |(_, names)| names);
    let targets = targets.split(['"', '*']).next().unwrap_or("");
    let targets = targets.split([',', ' ']).filter(|name| !name.is_empty()).collect();
    let ends = ["(*", "/*", " &", " ?"].iter().filter_map(|end| rest.find(end));
    let text = rest[..ends.min().unwrap_or(rest.len())].trim();
    let (guard, text) = match text.strip_prefix('@') {
        Some(rest) => {
            let (guard, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            (Some(guard), rest.trim_start())
        }
        None => (None, text),
    };
    let (name, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operands = separated(operands).collect();
    Line { address, guard, name, operands, targets, text, line, loc }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Skips what `nvdisasm` and `cuobjdump` print around an instruction.
    #[test]
    fn instructions() {
        let of = |text: &'static str| {
            let (address, rest) = addressed(text).unwrap();
            instruction(1, None, address, rest)
        };
        let one = of("        /*00b0*/  @!UP0 BRX R2 -0xc0  (*\"BRANCH_TARGETS .L_x_5,.L_x_6\"*);");
        assert_eq!((one.address, one.guard, one.name), (0xb0, Some("!UP0"), "BRX"));
        assert_eq!((one.operands, one.targets), (vec!["R2 -0xc0"], vec![".L_x_5", ".L_x_6"]));
        let one = of("/*0000*/ LDC R1, c[0x0][0x37c] &wr=0x0 ?trans1;   /* 0x0000df00ff017b82 */");
        assert_eq!((one.name, one.operands), ("LDC", vec!["R1", "c[0x0][0x37c]"]));
        for data in ["/*0000*/ .byte 0xff", "/* 0x000fe400078e00ff */", "/*zz*/ MOV R1, R2 ;"] {
            assert!(addressed(data).is_none(), "{data}");
        }
    }
}
