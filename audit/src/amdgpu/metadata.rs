//! What a text states of a kernel, and the YAML of `.amdgpu_metadata`, which states most of it.
//!
//! ```text
//! amdhsa.kernels:
//!   - .args:
//!       - .address_space: global                  a list, and arguments 6 deep
//!         .offset:        0
//!         .size:          8
//!         .value_kind:    global_buffer
//!     .group_segment_fixed_size: 16384            a fact of the kernel, 4 deep
//!     .name:           gemm
//!     .reqd_workgroup_size: [ 256, 1, 1 ]         or a line for each of the three
//! ```
//!
//! Source: LLVM, "User Guide for AMDGPU Backend", "Code Object V3 Metadata".

use super::pointer::Argument;
use crate::resources::Resources;

/// What a text states of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stated {
    pub(crate) wave: Option<usize>,
    pub(crate) lanes: Option<u32>,
    pub(crate) required: Option<[u32; 3]>,
    /// 0 if x alone is wanted, 1 with y, 2 with z.
    pub(crate) items: Option<u32>,
    /// Whether the first scalars describe scratch memory, and whether the next ones point to the packet of the launch.
    pub(super) has_buffer: bool,
    pub(super) has_packet: bool,
    pub(super) has_queue: bool,
    pub(super) has_arguments: bool,
    /// The arguments, in the order of the text.
    pub(crate) arguments: Vec<Argument>,
    pub(crate) resources: Resources,
}

impl Stated {
    /// The first of the two scalars that point to the packet of the launch when the kernel begins.
    ///
    /// Source: LLVM, "User Guide for AMDGPU Backend", "Initial Kernel Execution State": a buffer of 4 scalars comes first.
    pub(crate) fn packet(&self) -> Option<usize> {
        self.has_packet.then_some(if self.has_buffer { 4 } else { 0 })
    }

    /// The first of the two scalars that point to the arguments when the kernel begins.
    ///
    /// Source: the same; the packet's pointer and the queue's come before.
    pub(crate) fn pointer(&self) -> Option<usize> {
        let before = [(self.has_buffer, 4), (self.has_packet, 2), (self.has_queue, 2)];
        let all = before.iter().filter(|(has, _)| *has).map(|(_, many)| many).sum();
        self.has_arguments.then_some(all)
    }

    /// Takes what metadata tell. Directives may have told the lanes of a wave before, and comments the occupancy.
    pub(super) fn take(&mut self, told: Self) {
        self.wave = self.wave.or(told.wave);
        self.lanes = told.lanes;
        self.required = told.required;
        self.arguments = told.arguments;
        self.resources = told.resources.or(self.resources);
    }
}

/// The kernel of the metadata that is being read: its name comes after some of its facts.
#[derive(Default)]
pub(super) struct Metadata {
    name: Option<String>,
    stated: Stated,
    /// The numbers of a list that was begun.
    list: Option<Vec<u32>>,
    /// Whether arguments are being listed.
    is_in_arguments: bool,
}

impl Metadata {
    /// Takes a line; returns the kernel before, with its name, if another begins.
    pub(super) fn line(&mut self, line: &str) -> Option<(String, Stated)> {
        if self.number(line.trim()) {
            return None;
        }
        self.list = None;
        if self.is_in_arguments && self.argument(line) {
            return None;
        }
        let fact = line.strip_prefix("  - ").or_else(|| line.strip_prefix("    "));
        let (key, value) = fact.and_then(|fact| fact.split_once(':'))?;
        let is_first = line.starts_with("  - ");
        let before = if is_first { std::mem::take(self).last() } else { None };
        self.fact(key.trim_end(), value.trim());
        before
    }

    /// The kernel that was read last, with its name.
    pub(super) fn last(self) -> Option<(String, Stated)> {
        Some((self.name?, self.stated))
    }

    /// Takes a number of a list, `- 256`; returns whether it is one.
    fn number(&mut self, word: &str) -> bool {
        let (Some(list), Some(Ok(item))) =
            (&mut self.list, word.strip_prefix("- ").map(str::parse))
        else {
            return false;
        };
        list.push(item);
        if let Ok(block) = <[u32; 3]>::try_from(&list[..]) {
            self.stated.required = Some(block);
        }
        true
    }

    /// Takes a line of the list of arguments, `      - .offset: 8` or `        .size: 8`; returns whether it is one.
    fn argument(&mut self, line: &str) -> bool {
        let (is_first, fact) = match line.strip_prefix("      - ") {
            Some(fact) => (true, fact),
            None => match line.strip_prefix("        ") {
                Some(fact) => (false, fact),
                None => return false,
            },
        };
        if is_first {
            self.stated.arguments.push(Argument::default());
        }
        let Some(last) = self.stated.arguments.last_mut() else { return true };
        let (key, value) = fact.split_once(':').unwrap_or((fact, ""));
        let value = value.trim();
        match key {
            ".offset" => last.offset = value.parse().ok(),
            ".size" => last.size = value.parse().ok(),
            ".value_kind" => last.kind = value.to_string(),
            ".address_space" => last.space = value.to_string(),
            _ => {}
        }
        true
    }

    fn fact(&mut self, key: &str, value: &str) {
        let (stated, number) = (&mut self.stated, || value.parse().ok());
        self.is_in_arguments = key == ".args";
        match key {
            ".name" => self.name = Some(value.trim_matches(['\'', '"']).to_string()),
            ".wavefront_size" => stated.wave = value.parse().ok(),
            ".max_flat_workgroup_size" => stated.lanes = number(),
            ".vgpr_count" => stated.resources.registers = number(),
            ".sgpr_count" => stated.resources.scalars = number(),
            ".vgpr_spill_count" | ".sgpr_spill_count" => {
                let spilled = &mut stated.resources.spilled;
                *spilled = number().map(|more: u32| more.saturating_add(spilled.unwrap_or(0)));
            }
            ".private_segment_fixed_size" => stated.resources.scratch = number(),
            ".group_segment_fixed_size" => stated.resources.lds = number(),
            ".reqd_workgroup_size" => {
                match value.strip_prefix('[').and_then(|all| all.strip_suffix(']')) {
                    Some(all) => {
                        let all = all.split(',').filter_map(|one| one.trim().parse().ok());
                        stated.required = Vec::from_iter(all).try_into().ok();
                    }
                    None => self.list = Some(Vec::new()),
                }
            }
            _ => {}
        }
    }
}
