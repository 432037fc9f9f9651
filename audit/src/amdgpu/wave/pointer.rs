//! What the registers that an instruction writes hold: numbers, or halves of pointers.
//!
//! Only copies, sums, choices and functions of numbers are told; all else may be anything.

use super::{Step, global};
use crate::amdgpu::mode::Mode;
use crate::amdgpu::pointer::{Kind, Space, argument};
use crate::amdgpu::state::place;
use crate::amdgpu::text::{File, Operand, Register, SCALARS, Words};

/// Functions of which no number is a pointer if no operand is.
const NUMBERS: [&str; 24] = [
    "add", "sub", "mul_", "mad_", "lshl", "lshr", "ashr", "and_", "or_", "or3_", "xor", "xnor",
    "not_", "andn", "orn", "bf", "min_", "max_", "sext_", "mbcnt_", "bcnt", "align", "perm_",
    "brev",
];

impl Step<'_, '_> {
    /// Notes what an instruction writes.
    pub(super) fn follow(&mut self, words: &Words) {
        let (family, name) = words.name.split_once('_').unwrap_or(("", ""));
        let name = name.strip_prefix("dual_").unwrap_or(name);
        let ends = ["_e32", "_e64"];
        let name = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let [Operand::Register(to), from @ ..] = &words.operands[..] else { return };
        let is_plain = self.state.mode == Mode::PLAIN && words.modifiers.is_empty();
        if !is_plain || to.half.is_some() || name.ends_with("_dpp") || name.ends_with("_sdwa") {
            return;
        }
        let kinds = match family {
            "s" if name.starts_with("load_") => self.of_load(name, *to, from),
            "v" | "s" => self.of_sum(name, *to, from).or_else(|| self.of_numbers(name, *to, from)),
            _ => None,
        };
        for (i, kind) in kinds.into_iter().flatten().enumerate().take(to.count) {
            self.note(*to, i, kind);
        }
    }

    /// Notes what one of several registers gets.
    pub(super) fn note(&mut self, register: Register, i: usize, kind: Kind) {
        let key = match place(register) {
            Some(place) => (false, place + i),
            None => (true, register.first + i),
        };
        self.kinds.insert(key, kind);
    }

    /// What an operand's register of this number holds, in the lanes that are on.
    pub(super) fn kind(&self, operand: &Operand, i: usize) -> Kind {
        match operand {
            Operand::Register(Register { half: Some(_), .. }) | Operand::Other => Kind::Other,
            Operand::Register(register) => match place(*register) {
                Some(place) => self.state.kind(place + i),
                None if register.first + i < SCALARS => self.state.scalar(register.first + i).kind,
                None => Kind::Other,
            },
            Operand::Name(name) => match (name.as_str(), i) {
                ("src_shared_base", 1) => Kind::Lds,
                (name, _) if name.starts_with("src_") && i > 0 => Kind::Other,
                _ => Kind::Number,
            },
            _ => Kind::Number,
        }
    }

    /// The memory that a flat load or store is of, if that is known.
    pub(super) fn space(&self, words: &Words) -> Option<Space> {
        let place = global::place(words, false, false)?;
        self.kind(place.parts[0]?, 1).space()
    }

    /// Copies, choices and sums: what each register of the result holds.
    fn of_sum(&self, name: &str, to: Register, from: &[Operand]) -> Option<Vec<Kind>> {
        let each = |of: &dyn Fn(usize) -> Kind| Some((0..to.count).map(of).collect());
        let is_number = |one: &Operand| (0..2).all(|i| self.kind(one, i) == Kind::Number);
        let plus = |a: &Operand, b: &Operand, i| self.kind(a, i).plus(self.kind(b, i));
        match (name, from) {
            ("mov_b32" | "mov_b64" | "accvgpr_write_b32" | "accvgpr_read_b32", [a]) => {
                each(&|i| self.kind(a, i))
            }
            ("readfirstlane_b32", [a @ Operand::Register(register)]) => {
                let is_on = self.state.exec().lanes().is_some_and(|lanes| lanes != 0);
                let any = place(*register).filter(|_| !is_on);
                each(&|i| any.map_or(self.kind(a, i), |place| self.state.kind_any(place)))
            }
            ("cndmask_b32", [a, b, ..]) | ("cselect_b32" | "cselect_b64", [a, b]) => {
                each(&|i| self.kind(a, i).or(self.kind(b, i)))
            }
            ("add_u32" | "add_i32" | "addc_u32" | "add_nc_u32" | "or_b32", [a, b])
            | (
                "add_co_u32" | "addc_co_u32" | "add_co_ci_u32",
                [Operand::Register(_) | Operand::Null, a, b] | [_, a, b, _],
            )
            | ("add_nc_u64" | "add_u64", [a, b])
            | ("lshl_add_u64" | "lshl_add_u32", [a, Operand::Number(0), b]) => {
                each(&|i| plus(a, b, i))
            }
            ("add3_u32", [a, b, c]) => each(&|i| plus(a, b, i).plus(self.kind(c, i))),
            ("sub_u32" | "subb_u32" | "sub_nc_u32" | "sub_nc_u64" | "sub_u64", [a, b])
            | (
                "sub_co_u32" | "subb_co_u32" | "sub_co_ci_u32",
                [Operand::Register(_) | Operand::Null, a, b] | [_, a, b, _],
            ) => each(&|i| self.kind(a, i).minus(self.kind(b, i))),
            ("lshl_add_u64", [a, _, b]) if is_number(a) => each(&|i| self.kind(b, i)),
            ("lshl_add_u32", [a, _, b]) if self.kind(a, 0) == Kind::Number => {
                each(&|i| self.kind(b, i))
            }
            ("mad_u64_u32", [_, a, b, c]) | ("mad_nc_u64_u32", [a, b, c])
                if [a, b].iter().all(|one| self.kind(one, 0) == Kind::Number) =>
            {
                each(&|i| self.kind(c, i))
            }
            _ => None,
        }
    }

    /// A function of numbers alone.
    fn of_numbers(&self, name: &str, to: Register, from: &[Operand]) -> Option<Vec<Kind>> {
        let count = |operand: &Operand| match operand {
            Operand::Register(register) => register.count,
            _ => 1,
        };
        let is_number = |one: &Operand| (0..count(one)).all(|i| self.kind(one, i) == Kind::Number);
        let is_known = NUMBERS.iter().any(|begin| name.starts_with(begin));
        // `s_addk_i32` and its like read what they write.
        let is_own = !name.starts_with("addk") && !name.starts_with("mulk");
        (is_known && is_own && from.iter().all(is_number)).then(|| vec![Kind::Number; to.count])
    }

    /// `s_load_dwordx4 s[4:7], s[0:1], 0x8`: arguments by their metadata, and of other memory a number of 32 bits at most.
    fn of_load(&self, name: &str, to: Register, from: &[Operand]) -> Option<Vec<Kind>> {
        let [base @ Operand::Register(Register { file: File::S, first, count: 2, .. }), offset] =
            from
        else {
            return None;
        };
        let offset = match offset {
            Operand::Number(offset) => u32::try_from(*offset).ok(),
            Operand::Null => Some(0),
            _ => None,
        };
        let is_whole = name.starts_with("load_dword") || name.starts_with("load_b");
        let bases = [self.kind(base, 0), self.kind(base, 1)];
        match (bases, offset) {
            ([Kind::Arguments, Kind::UpperArguments], Some(offset))
                if is_whole && offset.is_multiple_of(4) =>
            {
                let word = |i: usize| offset.checked_add(4 * i as u32);
                let kind = |i| {
                    word(i).map_or(Kind::Other, |at| argument(&self.start.stated.arguments, at))
                };
                Some((0..to.count).map(kind).collect())
            }
            ([Kind::Arguments, _] | [_, Kind::UpperArguments], _) => None,
            _ if Some(*first) == self.state.packet || to.count == 1 => {
                Some(vec![Kind::Number; to.count])
            }
            _ => None,
        }
    }
}
