//! The kinds of parameters (`Length`, `Lengths`, `Check`, `Table`) as types and as plain data, for [`transform!`].
//!
//! | `kind!(..)` | of a parameter `P` or a field |
//! |---|---|
//! | `known Length P` | its value by the type alone, a `Result` |
//! | `value Length P, field` | its value by the value, a `Result` |
//! | `blank Length P`, `form Length P` | what stands for it before its number is known; how it then comes about |
//! | `flag Check P` | a flag; of all else nothing |
//! | `typed Length P, field` | a typed transform's local: an `Extent`, several, a `bool` |
//! | `view Length field`, `rule_view Length field` | that local in other code, and in an index rule |
//! | `wide Length field`, `const_wide Length field` | a length as `u64`, typed and plain |
//! | `plain Length`, `constant Length field` | the twin's field, and its local in an index rule |

/// The traits of each parameter's kind.
pub(crate) mod bounds {
    pub(crate) use crate::number::Length;
    pub(crate) use crate::sequence::Lengths;
    pub(crate) use crate::transform::Check;
}

macro_rules! kind {
    (known Check $P:ident) => {
        Ok::<bool, $crate::number::NumberError>(<$P as $crate::transform::Check>::SKIP)
    };
    (known $Kind:ident $P:ident) => {
        <$P as $crate::transform::bounds::$Kind>::KNOWN
    };
    (blank Check $P:ident) => {
        <$P as $crate::transform::Check>::SKIP
    };
    (blank Length $P:ident) => {
        0
    };
    (blank Lengths $P:ident) => {
        $crate::number::list::List::EMPTY
    };
    (form Check $P:ident) => {
        $crate::transform::Field::Fixed
    };
    (form Length $P:ident) => {
        $crate::transform::Field::Length(<$P as $crate::number::Length>::FORMULA)
    };
    (form Lengths $P:ident) => {
        $crate::transform::Field::Lengths(<$P as $crate::sequence::Lengths>::FORMULAS)
    };
    (value Check $P:ident, $field:expr) => {
        Ok::<bool, $crate::number::NumberError>(<$P as $crate::transform::Check>::SKIP)
    };
    (value Length $P:ident, $field:expr) => {
        $crate::transform::length_value(&$field)
    };
    (value Lengths $P:ident, $field:expr) => {
        $crate::transform::lengths_value(&$field)
    };
    (flag Check $P:ident) => {
        <$P as $crate::transform::Check>::SKIP
    };
    (flag $Kind:ident $P:ident) => {
        ()
    };
    (typed Check $P:ident, $field:expr) => {
        <$P as $crate::transform::Check>::SKIP
    };
    (typed Length $P:ident, $field:expr) => {
        $crate::number::Length::extent(&$field)
    };
    (typed Lengths $P:ident, $field:expr) => {
        $crate::sequence::Lengths::extents(&$field)
    };
    (view Lengths $field:ident) => {
        $field.as_ref()
    };
    (view $Kind:ident $field:ident) => {
        $field
    };
    (wide Length $field:ident) => {
        u64::from($field.value())
    };
    (wide $Kind:ident $field:ident) => {
        $crate::transform::kind!(view $Kind $field)
    };
    (const_wide Length $field:expr) => {
        $field as u64
    };
    (const_wide $Kind:ident $field:expr) => {
        $field
    };
    (plain Check) => {
        bool
    };
    (plain Length) => {
        u32
    };
    (plain Lengths) => {
        $crate::number::list::List
    };
    (plain Table) => {
        $crate::transform::Table
    };
    (constant Length $field:expr) => {
        $crate::number::extent::Extent { value: $field, magic: None }
    };
    (constant Lengths $field:expr) => {
        $crate::number::extent::Constants(&$field)
    };
    (constant $Kind:ident $field:expr) => {
        $field
    };
    (rule_view Lengths $field:ident) => {
        $crate::number::extent::Extents($field.as_ref())
    };
    (rule_view $Kind:ident $field:ident) => {
        $field
    };
}
pub(crate) use kind;
