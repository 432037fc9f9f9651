//! Why nothing is drawn: a wrong picture would be worse than none.
//!
//! [`PlotError`] has the table of its families. Most errors of a figure are those of what it shows, unchanged.

use core::fmt;
use tiledesc::Error;
use tiledesc::access::AccessError;
use tiledesc::distribution::DistributionError;

/// An error of a figure that cannot be drawn.
///
/// Reported where a figure is drawn: by the functions of [`plot`](mod@crate::plot) and the methods of
/// [`Figure`](super::Figure)s' subjects.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | what is to be drawn is not known | `NoElement` | figures of banks and bytes of a map without an element |
/// | the size of the figure | `TooLarge`, `NoLine` | figures of tiles and lines |
/// | which load | `NoLoad` | [`direct_load`](super::direct_load) |
///
/// It wraps [`Error`] (`Layout`), [`AccessError`] (`Access`) and [`DistributionError`] (`Distribution`), and has
/// `From` of each, so that `?` does. Nothing wraps it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_host::plot::PlotError;
///
/// let printed = [
///     (
///         PlotError::NoElement,
///         "a figure of banks needs the width of an element: name it with `.of(F16)`",
///     ),
///     (PlotError::NoLine, "a line of 0 bytes holds nothing"),
///     (
///         PlotError::NoLoad { wave: 4, load: 0, waves: 4, loads: 2 },
///         "wave 4 has no load 0: there are 4 waves of 2 loads",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlotError {
    /// A layout that cannot be, or that has no such picture: a matrix over bits is of linear maps.
    Layout(Error),
    /// The access does not fit the layout.
    Access(AccessError),
    /// The distribution is invalid.
    Distribution(DistributionError),
    /// Bytes of a map that does not know the width of its elements.
    NoElement,
    /// A map that knows the width of its elements, drawn with another.
    OtherWidth {
        /// Bits of an element, by the map.
        map: u32,
        /// Bits of an element, by the figure.
        figure: u32,
    },
    /// Too many cells to look at.
    TooLarge {
        /// The cells.
        cells: u64,
        /// The most that are drawn.
        most: u64,
    },
    /// A direct load without such a wave or load.
    NoLoad {
        /// The wanted wave.
        wave: u32,
        /// The wanted load.
        load: u32,
        /// The waves there are.
        waves: u32,
        /// The loads of each.
        loads: u32,
    },
    /// Lines of no bytes.
    NoLine,
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(error) => write!(f, "{error}"),
            Self::Access(error) => write!(f, "{error}"),
            Self::Distribution(error) => write!(f, "{error}"),
            Self::NoElement => f.write_str(
                "a figure of banks needs the width of an element: name it with `.of(F16)`",
            ),
            Self::OtherWidth { map, figure } => {
                write!(f, "the layout is of elements of {map} bits, but the figure of {figure}")
            }
            Self::TooLarge { cells, most } => write!(
                f,
                "{cells} cells are more than the {most} that are drawn: take fewer rows, `.rows(0..64)`"
            ),
            Self::NoLoad { wave, load, waves, loads } => {
                write!(
                    f,
                    "wave {wave} has no load {load}: there are {waves} waves of {loads} loads"
                )
            }
            Self::NoLine => f.write_str("a line of 0 bytes holds nothing"),
        }
    }
}

impl core::error::Error for PlotError {}

impl From<AccessError> for PlotError {
    fn from(error: AccessError) -> Self {
        Self::Access(error)
    }
}

impl From<Error> for PlotError {
    fn from(error: Error) -> Self {
        Self::Layout(error)
    }
}

impl From<DistributionError> for PlotError {
    fn from(error: DistributionError) -> Self {
        Self::Distribution(error)
    }
}
