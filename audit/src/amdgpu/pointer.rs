//! Which registers hold numbers, and which halves of pointers to LDS or to global memory.
//!
//! ```text
//!   s_load_dwordx2 s[4:5], s[0:1], 0x8          a kernel's argument that is a global buffer: s4 and s5 are of a global pointer
//!   s_mov_b64 s[6:7], src_shared_base           s7 is the upper half of every address in LDS, s6 is 0
//!   v_lshl_add_u64 v[2:3], v[4:5], 2, s[4:5]    a global pointer still, if v4 and v5 hold a number
//!   v_mov_b32_e32 v7, s7                        v[6:7] lies in LDS, whatever v6 is
//!   flat_load_dword v1, v[2:3]                  the upper half says of what memory
//! ```
//!
//! A flat address is in LDS if its upper half is that of `src_shared_base`, and in scratch memory if it is that of
//! `src_private_base`. A pointer to which numbers are added stays in what it points to, or the program is wrong. The difference of
//! two pointers is no number: added to a third, it may lead anywhere.
//!
//! Source: LLVM, "User Guide for AMDGPU Backend": "Address Spaces" (apertures of 2^32 bytes, aligned to as many), "Initial Kernel
//! Execution State", and `.value_kind` and `.address_space` of "Code Object V3 Metadata".

use crate::value::{Reason, Value, Why};

/// What 32 bits hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number that no pointer went into.
    Number,
    /// The upper half of an address in LDS.
    Lds,
    /// A half of a pointer to global memory.
    Global,
    /// The lower half of the pointer to the kernel's arguments.
    Arguments,
    /// Its upper half.
    UpperArguments,
    /// Anything else.
    Other,
}

/// The memory that an address is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Lds,
    Global,
}

/// All kinds but `Other`, by the numbers that name them.
const KINDS: [Kind; 5] =
    [Kind::Number, Kind::Lds, Kind::Global, Kind::Arguments, Kind::UpperArguments];

impl Kind {
    /// The kind of a value that no kind was told of: a known value is a number.
    pub(crate) fn of_value(value: &Value) -> Value {
        match value {
            Value::Nothing => Value::Nothing,
            known if known.known().is_some() => Self::Number.value(),
            _ => Self::Other.value(),
        }
    }

    /// As a number of each lane, so that masks and paths bring kinds together as they do values.
    pub(crate) fn value(self) -> Value {
        match KINDS.iter().position(|one| *one == self) {
            Some(number) => Value::constant(number as u32),
            None => Value::Unknown(Reason { at: 0, why: Why::Computed }),
        }
    }

    /// The kind that all lanes share.
    pub(crate) fn from_value(value: &Value) -> Self {
        let number = value.number().and_then(|number| usize::try_from(number).ok());
        number.and_then(|number| KINDS.get(number)).copied().unwrap_or(Self::Other)
    }

    /// The kind of a sum.
    pub(crate) fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Number, kind @ (Self::Number | Self::Lds | Self::Global))
            | (kind @ (Self::Lds | Self::Global), Self::Number) => kind,
            _ => Self::Other,
        }
    }

    /// The kind of a difference.
    pub(crate) fn minus(self, other: Self) -> Self {
        if other == Self::Number { self.plus(other) } else { Self::Other }
    }

    /// The kind of one of two values.
    pub(crate) fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Other }
    }

    /// The memory that an address with this upper half is in, if that is known.
    pub(crate) fn space(self) -> Option<Space> {
        match self {
            Self::Lds => Some(Space::Lds),
            Self::Global => Some(Space::Global),
            _ => None,
        }
    }
}

/// An argument of a kernel, as its metadata have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) offset: Option<u32>,
    pub(crate) size: Option<u32>,
    pub(crate) kind: String,
    pub(crate) space: String,
}

impl Argument {
    /// The kind of each of its words.
    fn holds(&self) -> Kind {
        let is_count = ["hidden_block_count_", "hidden_group_size_", "hidden_remainder_"]
            .iter()
            .any(|one| self.kind.starts_with(one));
        match (self.kind.as_str(), self.space.as_str(), self.size) {
            ("global_buffer", "global", Some(8))
                if self.offset.is_some_and(|offset| offset.is_multiple_of(4)) =>
            {
                Kind::Global
            }
            // A number of fewer bits is no address.
            ("by_value", _, Some(0..=4)) => Kind::Number,
            _ if is_count => Kind::Number,
            _ => Kind::Other,
        }
    }
}

/// The kind of the word at a byte of the arguments; `Other` between two of them.
pub(crate) fn argument(all: &[Argument], at: u32) -> Kind {
    let is_there = |one: &&Argument| match (one.offset, one.size) {
        (Some(offset), Some(size)) => {
            u64::from(offset) < u64::from(at) + 4
                && u64::from(at) < u64::from(offset) + u64::from(size)
        }
        _ => true,
    };
    let kinds = all.iter().filter(is_there).map(Argument::holds);
    kinds.reduce(Kind::or).unwrap_or(Kind::Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let of = |offset, size, kind: &str, space: &str| Argument {
            offset: Some(offset),
            size: Some(size),
            kind: kind.to_string(),
            space: space.to_string(),
        };
        let all = [
            of(0, 8, "global_buffer", "global"),
            of(8, 4, "by_value", ""),
            of(12, 2, "by_value", ""),
            of(14, 2, "hidden_group_size_x", ""),
            of(16, 8, "by_value", ""),
            of(24, 8, "global_buffer", "generic"),
        ];
        let kinds = Vec::from_iter((0..9).map(|word| argument(&all, 4 * word)));
        let [g, n, o] = [Kind::Global, Kind::Number, Kind::Other];
        assert_eq!(kinds, [g, g, n, n, o, o, o, o, o]);
        assert_eq!(argument(&[Argument::default()], 0), Kind::Other);
    }

    #[test]
    fn sums() {
        for kind in [Kind::Number, Kind::Lds, Kind::Global] {
            assert_eq!([kind.plus(Kind::Number), kind.minus(Kind::Number)], [kind; 2]);
            assert_eq!(Kind::from_value(&kind.value()), kind);
        }
        assert_eq!(Kind::Global.minus(Kind::Global), Kind::Other);
        assert_eq!(Kind::Number.minus(Kind::Lds), Kind::Other);
        assert_eq!(Kind::Arguments.plus(Kind::Number), Kind::Other);
        assert_eq!(Kind::from_value(&Value::Nothing), Kind::Other);
    }
}
