//! Why no formula leads back from an offset: a row of 72 elements is divided by, strides of 72 and 71 cannot be.

use core::fmt;
use tiledesc::Error;

/// Why no formula leads back from an offset.
///
/// Reported where an offset is to be led back to its coordinate: by [`inverse`](super::inverse()). A [`Header`](super::Header) writes the
/// sentence as a comment in place of the function.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the layout | `Shared`, `NoDigits`, `Overlap` | [`inverse`](super::inverse()) |
/// | its size | `NotLinear`, `Space` | [`inverse`](super::inverse()) |
///
/// It wraps [`Error`] (`Shared`), where the proof that offsets differ fails. [`EmitError`](super::EmitError) wraps it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_host::emit::NoInverse;
///
/// let printed = [
///     (NoInverse::Overlap, "its strides overlap, so dividing does not separate them"),
///     (NoInverse::Space, "its space is 2^32 elements"),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoInverse {
    /// Two coordinates at one offset, or a layout of which that cannot be excluded.
    Shared(Error),
    /// The offset is not a sum of strides times bits.
    NoDigits,
    /// Strides that overlap.
    Overlap,
    /// A layout of more than 32 bits, or with two coordinates of one offset.
    NotLinear,
    /// A space of 2^32 elements.
    Space,
}

impl fmt::Display for NoInverse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shared(error) => return write!(f, "{error}"),
            Self::NoDigits => {
                "its offset is not a sum of strides times bits: it divides by a non-power-of-two, pads or looks up"
            }
            Self::Overlap => "its strides overlap, so dividing does not separate them",
            Self::NotLinear => "more than 32 bits, or two coordinates of one offset",
            Self::Space => "its space is 2^32 elements",
        })
    }
}

impl core::error::Error for NoInverse {}
