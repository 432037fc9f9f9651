//! The kinds of parameters (`Length`, `Lengths`, `Check`, `Table`) as types and as plain data, for [`transform!`].
//!
//! | macro | of a parameter `P` or a field |
//! |---|---|
//! | `known!` | its value by the type alone, a `Result` |
//! | `value!` | its value by the value, a `Result` |
//! | `blank!`, `form!` | what stands for it before its number is known; how it then comes about |
//! | `flag!` | a flag; of all else nothing |
//! | `typed!` | a typed transform's local: an `Extent`, several, a `bool` |
//! | `view!`, `rule_view!` | that local in other code, and in an index rule |
//! | `wide!`, `const_wide!` | a length as `u64`, typed and plain |
//! | `plain!`, `constant!` | the twin's field, and its local in an index rule |

/// The traits of each parameter's kind.
pub(crate) mod bounds {
    pub(crate) use crate::number::Length;
    pub(crate) use crate::sequence::Lengths;
    pub(crate) use crate::transform::Check;
}

macro_rules! known {
    (Check $P:ident) => {
        Ok::<bool, $crate::number::NumberError>(<$P as $crate::transform::Check>::SKIP)
    };
    ($Kind:ident $P:ident) => {
        <$P as $crate::transform::bounds::$Kind>::KNOWN
    };
}
/// A parameter before its number is known.
macro_rules! blank {
    (Check $P:ident) => {
        <$P as $crate::transform::Check>::SKIP
    };
    (Length $P:ident) => {
        0
    };
    (Lengths $P:ident) => {
        $crate::number::list::List::EMPTY
    };
}
/// The formula of a parameter.
macro_rules! form {
    (Check $P:ident) => {
        $crate::transform::Field::Fixed
    };
    (Length $P:ident) => {
        $crate::transform::Field::Length(<$P as $crate::number::Length>::FORMULA)
    };
    (Lengths $P:ident) => {
        $crate::transform::Field::Lengths(<$P as $crate::sequence::Lengths>::FORMULAS)
    };
}
macro_rules! value {
    (Check $P:ident, $field:expr) => {
        Ok::<bool, $crate::number::NumberError>(<$P as $crate::transform::Check>::SKIP)
    };
    (Length $P:ident, $field:expr) => {
        $crate::transform::length_value(&$field)
    };
    (Lengths $P:ident, $field:expr) => {
        $crate::transform::lengths_value(&$field)
    };
}
macro_rules! flag {
    (Check $P:ident) => {
        <$P as $crate::transform::Check>::SKIP
    };
    ($Kind:ident $P:ident) => {
        ()
    };
}
macro_rules! typed {
    (Check $P:ident, $field:expr) => {
        <$P as $crate::transform::Check>::SKIP
    };
    (Length $P:ident, $field:expr) => {
        $crate::number::Length::extent(&$field)
    };
    (Lengths $P:ident, $field:expr) => {
        $crate::sequence::Lengths::extents(&$field)
    };
}
macro_rules! view {
    (Lengths $field:ident) => {
        $field.as_ref()
    };
    ($Kind:ident $field:ident) => {
        $field
    };
}
macro_rules! wide {
    (Length $field:ident) => {
        u64::from($field.value())
    };
    ($Kind:ident $field:ident) => {
        $crate::transform::view!($Kind $field)
    };
}
macro_rules! const_wide {
    (Length $field:expr) => {
        $field as u64
    };
    ($Kind:ident $field:expr) => {
        $field
    };
}
macro_rules! plain {
    (Check) => {
        bool
    };
    (Length) => {
        u32
    };
    (Lengths) => {
        $crate::number::list::List
    };
    (Table) => {
        $crate::transform::Table
    };
}
macro_rules! constant {
    (Length $field:expr) => {
        $crate::number::extent::Extent { value: $field, magic: None }
    };
    (Lengths $field:expr) => {
        $crate::number::extent::Constants(&$field)
    };
    ($Kind:ident $field:expr) => {
        $field
    };
}
/// Lengths as an index rule sees them: how many there are, and each.
macro_rules! rule_view {
    (Lengths $field:ident) => {
        $crate::number::extent::Extents($field.as_ref())
    };
    ($Kind:ident $field:ident) => {
        $field
    };
}
pub(crate) use {
    blank, const_wide, constant, flag, form, known, plain, rule_view, typed, value, view, wide,
};
