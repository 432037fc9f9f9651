//! A text of AMDGPU assembly as kernels: instructions with their lines and targets, and the facts of directives.
//!
//! | text | what it tells |
//! |---|---|
//! | `.amdgcn_target`, `amdhsa.target` | the chip |
//! | `.amdhsa_wavefront_size32`, `.wavefront_size` | lanes of a wave |
//! | `.max_flat_workgroup_size`, `.reqd_workgroup_size` | lanes of a block |
//! | `.vgpr_count`, `.group_segment_fixed_size`, .., `; Occupancy: 4` | registers, LDS, waves |
//! | `.amdhsa_system_vgpr_workitem_id` | whether y and z are wanted |
//! | `.amdhsa_user_sgpr_dispatch_ptr`, `.amdhsa_user_sgpr_kernarg_segment_ptr` | which scalars point to the packet that launches the kernel, and to its arguments |
//! | `.args` | what each argument is |
//! | `.file`, `.loc` | source lines |
//! | `.amdgpu_lds` | how a symbol of LDS is aligned |
//! | `.amdhsa_kernel` | which functions are kernels |
//! | `0000000000001900 <gemm>:`, `// 000000001904:`, `<gemm+0x34>` | functions, labels and targets as `llvm-objdump -d` prints them |

use super::assembler::{Assembled, split_comment};
use super::function::{Function, Instruction};
use super::metadata::{Metadata, Stated};
use super::open::Open;
use super::text::{File, Register, Words};
use crate::place::{self, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The facts of a text beside its instructions, some of them after the instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    pub(crate) chip: Option<String>,
    /// The names of its functions.
    pub(crate) functions: Vec<String>,
    pub(crate) stated: BTreeMap<String, Stated>,
    /// Names that `.amdhsa_kernel` has.
    pub(crate) kernels: BTreeSet<String>,
    /// The zeros at the end of each LDS symbol's address.
    pub(crate) symbols: BTreeMap<String, u32>,
    /// The line at which an assembler would give up, and why.
    pub(crate) fault: Option<(usize, String)>,
}

#[derive(Default)]
struct Reader {
    text: Text,
    open: Option<Open>,
    /// A function that was read.
    done: Option<Function>,
    /// Instructions that are kept of each.
    most: usize,
    functions: BTreeSet<String>,
    files: BTreeMap<u32, String>,
    place: Option<Arc<Place>>,
    /// The kernel whose directives are being read.
    directives: Option<String>,
    metadata: Option<Metadata>,
    /// The last function.
    last: Option<String>,
}

impl Text {
    /// Reads a text without its instructions.
    pub(crate) fn read(text: &str, symbols: &[(String, i64)]) -> Self {
        let mut functions = Functions::new(text, symbols, 0);
        let names = functions.by_ref().map(|one| one.name).collect();
        let fault = functions.lines.fault.take();
        Self { functions: names, fault, ..functions.reader.text }
    }

    /// The names of the kernels, in the order of the text.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(String::as_str).filter(|name| self.is_kernel(name))
    }

    /// Returns whether a function is a kernel: those are that `.amdhsa_kernel` names, or all functions where it names none.
    pub(crate) fn is_kernel(&self, name: &str) -> bool {
        self.kernels.is_empty() || self.kernels.contains(name)
    }
}

/// The functions of a text, one at a time: a text of 50 MB would be gigabytes of instructions.
pub(crate) struct Functions<'t> {
    lines: Assembled<'t>,
    reader: Reader,
    is_over: bool,
}

impl<'t> Functions<'t> {
    /// The functions with at most as many instructions each.
    pub(crate) fn new(text: &'t str, symbols: &[(String, i64)], most: usize) -> Self {
        let functions = stated_kernels(text).collect();
        let reader = Reader { most, functions, ..Reader::default() };
        Self { lines: Assembled::new(text, symbols), reader, is_over: false }
    }
}

impl Iterator for Functions<'_> {
    type Item = Function;

    fn next(&mut self) -> Option<Function> {
        while self.reader.done.is_none() && !self.is_over {
            match self.lines.next() {
                Some((number, line)) => self.reader.line(&line, number),
                None => {
                    self.is_over = true;
                    self.reader.close();
                    self.reader.end_of_metadata();
                }
            }
        }
        self.reader.done.take()
    }
}

/// The kernels that a text states, behind their code too: by hand `.type` is often left out.
fn stated_kernels(text: &str) -> impl Iterator<Item = String> {
    let names = text.lines().filter_map(|line| line.trim_start().strip_prefix(".amdhsa_kernel"));
    names.filter_map(|rest| rest.split_whitespace().next()).map(str::to_string)
}

/// `gemm` of `.type gemm, @function`, and of the other ways to write it.
fn function_of_type(rest: &str) -> Option<&str> {
    let (name, kind) = rest.split_once([',', ' ', '\t'])?;
    let kind = kind.trim_start_matches([',', ' ', '\t']).trim_end();
    ["@function", "%function", "#function", "\"function\"", "STT_FUNC"]
        .contains(&kind)
        .then_some(name)
}

impl Reader {
    fn line(&mut self, line: &str, number: usize) {
        if self.metadata.is_some() {
            return self.metadata_line(line);
        }
        let (code, comment) = split_comment(line);
        let code = code.trim();
        if code.is_empty() {
            if let Some(waves) =
                comment.strip_prefix("; Occupancy:").and_then(|one| one.trim().parse().ok())
                && let Some(name) = self.last.clone()
            {
                self.text.stated.entry(name).or_default().resources.occupancy = Some(waves);
            }
            if let (Some(open), Some(register)) = (&mut self.open, undefined(comment)) {
                let words = Words::undefined(register);
                open.push(Instruction {
                    words: vec![words],
                    line: number,
                    ..Instruction::default()
                });
            }
            return;
        }
        if let Some(name) = code.strip_suffix(':') {
            return self.label(name);
        }
        if code.starts_with('.') {
            return self.directive(code, comment, number);
        }
        if let Some(open) = &mut self.open {
            // What is no instruction may be the rest of one, which writes any register.
            open.instruction(code, comment, number, self.place.clone());
        }
    }

    /// `gemm:`, `.LBB0_2:`, `0000000000001900 <gemm>:`, `<L0>:`.
    fn label(&mut self, name: &str) {
        let (address, name) = match name.split_once('<') {
            Some((address, rest)) => (address.trim(), rest.trim_end_matches('>')),
            None => ("", name),
        };
        let address = u64::from_str_radix(address, 16).ok();
        if let (Some(address), Some(open)) = (address, &mut self.open)
            && open.reaches(name)
        {
            open.symbol(name, address);
        } else if address.is_some() || self.functions.contains(name) {
            self.close();
            self.last = Some(name.to_string());
            self.open = Some(Open::new(name, address, self.most));
            self.place = None;
        } else if name.starts_with(".Lfunc_end") {
            self.close();
        } else if let Some(open) = &mut self.open {
            open.label(name);
        }
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.done = Some(open.close());
        }
    }

    fn directive(&mut self, code: &str, comment: &str, number: usize) {
        let (name, rest) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
        let rest = rest.trim();
        match name {
            ".amdgcn_target" => self.text.chip = chip_of(rest),
            ".hsa_code_object_isa" => {
                self.text.chip = chip_of_version(rest).or(self.text.chip.take());
            }
            ".amdgpu_hsa_kernel" => {
                self.text.kernels.insert(rest.to_string());
                self.functions.insert(rest.to_string());
            }
            ".type" => {
                if let Some(name) = function_of_type(rest) {
                    self.functions.insert(name.to_string());
                }
            }
            ".amdhsa_kernel" => {
                self.text.kernels.insert(rest.to_string());
                self.directives = Some(rest.to_string());
            }
            ".end_amdhsa_kernel" => self.directives = None,
            ".amdhsa_wavefront_size32" => {
                let wave = if rest == "1" { 32 } else { 64 };
                self.state(|stated| stated.wave = Some(wave));
            }
            ".amdhsa_system_vgpr_workitem_id" => {
                let items = rest.parse().ok();
                self.state(|stated| stated.items = items);
            }
            ".amdhsa_user_sgpr_private_segment_buffer" => {
                self.state(|stated| stated.has_buffer = rest == "1");
            }
            ".amdhsa_user_sgpr_dispatch_ptr" => {
                self.state(|stated| stated.has_packet = rest == "1");
            }
            ".amdhsa_user_sgpr_queue_ptr" => {
                self.state(|stated| stated.has_queue = rest == "1");
            }
            ".amdhsa_user_sgpr_kernarg_segment_ptr" => {
                self.state(|stated| stated.has_arguments = rest == "1");
            }
            ".amdgpu_lds" => self.symbol(rest),
            ".amdgpu_metadata" => self.metadata = Some(Metadata::default()),
            _ if is_code(name) => {
                if let Some(open) = &mut self.open {
                    open.instruction(code, comment, number, self.place.clone());
                }
            }
            ".file" => self.file(rest),
            ".loc" => self.loc(rest, comment),
            _ => {}
        }
    }

    fn state(&mut self, state: impl FnOnce(&mut Stated)) {
        if let Some(name) = &self.directives {
            state(self.text.stated.entry(name.clone()).or_default());
        }
    }

    /// `.amdgpu_lds global_smem, 0, 16`.
    fn symbol(&mut self, rest: &str) {
        let mut words = rest.split(',').map(str::trim);
        if let (Some(name), Some(alignment)) =
            (words.next(), words.nth(1).and_then(|word| word.parse::<u32>().ok()))
            && alignment.is_power_of_two()
        {
            self.text.symbols.insert(name.to_string(), alignment.trailing_zeros());
        }
    }

    /// `.file 1 "/folder" "kernels.py"`.
    fn file(&mut self, rest: &str) {
        let Some((index, names)) = rest.split_once(char::is_whitespace) else { return };
        let name = names
            .split('"')
            .filter(|name| !name.trim().is_empty() && !name.trim().starts_with("md5"))
            .nth(1);
        let folder = names.split('"').nth(1);
        if let (Ok(index), Some(first)) = (index.parse(), folder) {
            let path = match name {
                Some(name) if name.starts_with('/') || matches!(first, "" | ".") => {
                    name.to_string()
                }
                Some(name) => format!("{}/{name}", first.trim_end_matches('/')),
                None => first.to_string(),
            };
            self.files.insert(index, path);
        }
    }

    /// `.loc 1 7 0 prologue_end`; the comment names the calls. Line 0 belongs to no source line.
    fn loc(&mut self, rest: &str, comment: &str) {
        let mut words = rest.split_whitespace().map(|word| word.parse::<u32>().ok());
        let (file, line) = (words.next().flatten(), words.next().flatten());
        self.place = match (file.and_then(|file| self.files.get(&file)), line) {
            (Some(path), Some(line)) if line > 0 => {
                Some(Arc::new(Place::new(path, line, place::callers(comment))))
            }
            _ => None,
        };
    }

    fn metadata_line(&mut self, line: &str) {
        if line.trim() == ".end_amdgpu_metadata" {
            return self.end_of_metadata();
        }
        if let Some(target) = line.strip_prefix("amdhsa.target:") {
            self.text.chip = self.text.chip.take().or_else(|| chip_of(target));
            return;
        }
        let before = self.metadata.as_mut().and_then(|metadata| metadata.line(line));
        self.tell(before);
    }

    fn end_of_metadata(&mut self) {
        let last = self.metadata.take().and_then(Metadata::last);
        self.tell(last);
    }

    /// Notes what metadata have told of a kernel.
    fn tell(&mut self, told: Option<(String, Stated)>) {
        if let Some((name, told)) = told {
            self.text.stated.entry(name).or_default().take(told);
        }
    }
}

/// `"amdgcn-amd-amdhsa--gfx942:sramecc+"` is gfx942; `gfx9-4-generic` is a name, too.
fn chip_of(target: &str) -> Option<String> {
    let target = target.trim().trim_matches(['"', '\'']);
    // What comes before is four words, of which some are empty: `amdgcn-amd-amdhsa--`, `amdgcn-amd-amdhsa-unknown-`.
    let name = target.splitn(5, '-').last()?.split(':').next()?;
    name.starts_with("gfx").then(|| name.to_string())
}

/// `9,0,10,"AMD","AMDGPU"` is gfx90a: major and minor version, and the stepping in hexadecimal.
fn chip_of_version(words: &str) -> Option<String> {
    let mut words = words.split(',').map(|word| word.trim().parse::<u32>().ok());
    let (major, minor, stepping) = (words.next()??, words.next()??, words.next()??);
    Some(format!("gfx{major}{minor}{stepping:x}"))
}

/// Returns whether a word with a point at its beginning may be code: an encoded instruction, or a macro of another file. Code by
/// compilers has neither.
fn is_code(word: &str) -> bool {
    const NONE: [&str; 10] = [
        ".amd", ".cfi_", ".end_amd", ".hsa_", ".p2align", ".section", ".set", ".text", ".type",
        ".loc",
    ];
    match word {
        ".addrsig" | ".addrsig_sym" | ".align" | ".balign" | ".bss" | ".comm" | ".cuid"
        | ".data" | ".file" | ".global" | ".globl" | ".hidden" | ".ident" | ".include"
        | ".internal" | ".local" | ".no_dead_strip" | ".popsection" | ".previous" | ".print"
        | ".protected" | ".pushsection" | ".rodata" | ".size" | ".weak" | ".warning" | ".zero"
        | ".fill" | ".symver" | ".version" | ".endm" | ".endr" | ".macro" | ".org" => false,
        _ => !NONE.iter().any(|one| word.starts_with(one)),
    }
}

/// `; implicit-def: $vgpr2_vgpr3`: LLVM writes no instruction, since any content of these registers will do here.
/// Halves of registers and scalars are left as they are.
fn undefined(comment: &str) -> Option<Register> {
    let text = comment.strip_prefix(';')?.trim().strip_prefix("implicit-def: $")?;
    let mut numbers = Vec::new();
    let file = if text.starts_with("agpr") { File::A } else { File::V };
    let prefix = if file == File::A { "agpr" } else { "vgpr" };
    for one in text.split_whitespace().next()?.split('_') {
        numbers.push(one.strip_prefix(prefix)?.parse::<usize>().ok()?);
    }
    let (first, count) = (*numbers.first()?, numbers.len());
    let is_row = numbers.iter().enumerate().all(|(i, one)| *one == first + i);
    (is_row && first + count <= 512).then_some(Register { file, first, count, half: None })
}
