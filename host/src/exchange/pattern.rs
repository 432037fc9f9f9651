//! Patterns by name: `mfma-rows 16` in a file is `MfmaRows<16>` in code.
//!
//! ```text
//!   mfma-rows 16         MfmaRows<16>           mfma_rows(16)         all its instructions over the tile
//!   first mfma-rows 16   First<MfmaRows<16>>    first MfmaRows<16>    the first of them
//! ```

use crate::{Error, ErrorKind};
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
/// [`ErrorKind::Unknown`] of no such name, [`ErrorKind::Number`] without a number where one belongs; a number where
/// none does, words after it.
pub fn parse(text: &str) -> Result<Lanes<'static>, Error> {
    let (is_first, named, mut rest) = words(text).ok_or_else(unknown)?;
    let lanes = numbered(named, rest.next())?;
    match rest.next() {
        Some(_) => {
            Err(Error::mismatch(format!("{} is followed by more than its number", named.name())))
        }
        None => Ok(if is_first { lanes.first() } else { lanes }),
    }
}

/// The row of the pattern that a text names, whatever follows its name.
///
/// ```
/// use tiledesc_host::exchange::pattern;
///
/// assert_eq!(pattern::named("first mfma-rows").unwrap().name(), "MfmaRows");
/// assert!(pattern::named("mfma-columns").is_none());
/// ```
#[must_use]
pub fn named(text: &str) -> Option<&'static Named> {
    words(text).map(|(_, named, _)| named)
}

/// Returns whether a text asks for the first instruction alone, the pattern that it names, and the words that follow.
fn words(text: &str) -> Option<(bool, &'static Named, impl Iterator<Item = &str>)> {
    // `First<MfmaRows<16>>` and `mfma-rows(16)` are words too.
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | ',');
    let mut words = text.split(is_blank).filter(|word| !word.is_empty());
    let mut word = words.next()?;
    let is_first = word.eq_ignore_ascii_case("first");
    if is_first {
        word = words.next()?;
    }
    let named = NAMED.iter().find(|named| is_called(named, word))?;
    Some((is_first, named, words))
}

fn unknown() -> Error {
    let names: Vec<_> = NAMED.iter().map(Named::name).collect();
    let refused = format!("no ready-made pattern has this name; there are {}", names.join(", "));
    Error::new(ErrorKind::Unknown, refused)
}

/// Returns whether a text names a pattern: without case, `-` and `_`.
fn is_called(named: &Named, text: &str) -> bool {
    text.replace(['-', '_'], "").eq_ignore_ascii_case(named.name())
}

fn numbered(named: &Named, number: Option<&str>) -> Result<Lanes<'static>, Error> {
    let name = named.name();
    let Some(parameter) = named.parameter() else {
        let lanes = named.lanes(1).filter(|_| number.is_none());
        let refused = || Error::mismatch(format!("{name} takes no number"));
        return lanes.ok_or_else(refused);
    };
    let number = number.and_then(|digits| digits.parse().ok());
    number.and_then(|n| named.lanes(n)).ok_or_else(|| {
        let most = u32::MAX;
        Error::number(format!(
            "{name} needs a number {parameter} from 1 to {most}, as in `{name} 16`"
        ))
    })
}
