//! Patterns by name: `mfma-rows 16` in a file is `MfmaRows<16>` in code.
//!
//! ```text
//!   mfma-rows 16         MfmaRows<16>           mfma_rows(16)         all its instructions over the tile
//!   first mfma-rows 16   First<MfmaRows<16>>    first MfmaRows<16>    the first of them
//! ```

use core::fmt;
use tiledesc::pattern::{Lanes, NAMED, Named};

/// The ready-made pattern that a text names, as a file has it or as code has it.
///
/// ```
/// use tiledesc::pattern::{Lanes, MfmaRows};
/// use tiledesc_host::exchange::pattern;
///
/// assert_eq!(pattern::parse("mfma-rows 16"), Ok(MfmaRows::<16>.into()));
/// assert_eq!(pattern::parse("First<MfmaRows<16>>"), Ok(Lanes::from(MfmaRows::<16>).first()));
/// assert_eq!(pattern::parse("first row-major"), Ok(Lanes::row_major().first()));
/// assert_eq!(
///     pattern::parse("mfma-rows").unwrap_err().to_string(),
///     "MfmaRows needs a number R from 1 to 4294967295, as in `MfmaRows 16`",
/// );
/// ```
///
/// # Errors
///
/// [`PatternError`]: no such name, no number where one belongs, or one where none does.
pub fn parse(text: &str) -> Result<Lanes<'static>, PatternError> {
    // `First<MfmaRows<16>>` and `mfma-rows(16)` are words too.
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | ',');
    let mut words = text.split(is_blank).filter(|word| !word.is_empty());
    let mut word = words.next().ok_or(PatternError::Unknown)?;
    let is_first = word.eq_ignore_ascii_case("first");
    if is_first {
        word = words.next().ok_or(PatternError::Unknown)?;
    }
    let named = NAMED.iter().find(|named| is_called(named, word)).ok_or(PatternError::Unknown)?;
    let lanes = numbered(named, words.next())?;
    match words.next() {
        Some(_) => Err(PatternError::More { name: named.name() }),
        None => Ok(if is_first { lanes.first() } else { lanes }),
    }
}

/// Returns whether a text names a pattern: without case, `-` and `_`.
fn is_called(named: &Named, text: &str) -> bool {
    text.replace(['-', '_'], "").eq_ignore_ascii_case(named.name())
}

fn numbered(named: &Named, number: Option<&str>) -> Result<Lanes<'static>, PatternError> {
    let name = named.name();
    let Some(parameter) = named.parameter() else {
        let lanes = named.lanes(1).filter(|_| number.is_none());
        return lanes.ok_or(PatternError::TakesNoNumber { name });
    };
    let number = number.and_then(|digits| digits.parse().ok());
    number.and_then(|n| named.lanes(n)).ok_or(PatternError::Number { name, parameter })
}

/// Why a text names no ready-made pattern.
///
/// Reported by [`parse`], where the words of a file or of the command line are read.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the name | `Unknown` | [`parse`] |
/// | its number | `Number`, `TakesNoNumber` | [`parse`] |
/// | what follows | `More` | [`parse`] |
///
/// It wraps nothing, and nothing wraps it. A pattern that does not suit a tile is an
/// [`AccessError`](tiledesc::access::AccessError).
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_host::exchange::pattern::PatternError;
///
/// let printed = [
///     (PatternError::TakesNoNumber { name: "RowMajor" }, "RowMajor takes no number"),
///     (
///         PatternError::More { name: "MfmaRows" },
///         "MfmaRows is followed by more than its number",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// A name that no pattern has.
    Unknown,
    /// The number is missing, or none.
    Number {
        /// The pattern.
        name: &'static str,
        /// The name of its number.
        parameter: &'static str,
    },
    /// A number where none belongs.
    TakesNoNumber {
        /// The pattern.
        name: &'static str,
    },
    /// Words after the pattern.
    More {
        /// The pattern.
        name: &'static str,
    },
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => {
                f.write_str("no ready-made pattern has this name; there are ")?;
                for (i, named) in NAMED.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    f.write_str(named.name())?;
                }
                Ok(())
            }
            Self::Number { name, parameter } => write!(
                f,
                "{name} needs a number {parameter} from 1 to {}, as in `{name} 16`",
                u32::MAX
            ),
            Self::TakesNoNumber { name } => write!(f, "{name} takes no number"),
            Self::More { name } => write!(f, "{name} is followed by more than its number"),
        }
    }
}

impl core::error::Error for PatternError {}
