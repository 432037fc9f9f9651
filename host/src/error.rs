//! The error of this crate: a kind to branch on, and the sentence.
//!
//! Each sentence is written where it is raised; here is only what they have in common.

use core::fmt;
use std::sync::Arc;

/// Why something cannot be read, written, converted, searched or drawn.
///
/// Its `Display` and its `Debug` are the sentence, so a test or a `main` that returns it ends with that. What the core
/// crate refuses becomes one by `?`, in the same words, and is its [`source`](core::error::Error::source).
///
/// ```
/// use tiledesc_host::{Error, ErrorKind, emit::{self, Emit}, exchange::cute, plot::Draw};
///
/// fn page(text: &str) -> Result<String, Error> {
///     let tile = cute::parse(text)?.in_bytes_of(16)?;
///     let code = tile.emit(emit::HIP, "offset", ["m", "k"])?;
///     Ok(code + &tile.figure().tile(32)?.text())
/// }
///
/// let refused = page("(8,4):(4,?)").unwrap_err();
/// assert_eq!(refused.to_string(), "at byte 9: expected a number");
/// assert_eq!(refused.kind(), ErrorKind::Syntax { at: 9, expected: "a number" });
/// ```
///
/// Other libraries' words:
///
/// ```
/// use tiledesc_host::exchange::cute::{self, Fastest, Strided, Swizzle};
/// use tiledesc_host::exchange::{gmma::Atom, intervals, linear::NamedLinear, pattern, tma::Mode, triton::Registers};
/// use tiledesc::{Linear, Plan};
///
/// let rows = Plan::packed(&[8, 64])?;
/// let map = Linear::new(&[1, 2], 0)?;
/// let swizzled = "register=[[0,1]],lane=[[1,1]],warp=[]";
/// let printed = [
///     (cute::parse("(8,4):(4,?)").unwrap_err(), "at byte 9: expected a number"),
///     (cute::parse("(8,4):(-4,1)").unwrap_err(), "at byte 7: negative offsets and strides are not supported"),
///     (cute::parse("(8,0):(4,1)").unwrap_err(), "mode 1 has length 0"),
///     (Swizzle::new(3, 28, 3).unwrap_err(), "Sw<3,28,3> takes 34 bits, but an offset has 32"),
///     (
///         cute::parse("12:1")?.linear(Fastest::First).unwrap_err(),
///         "length 12 of mode 0 is not a power of two, so there are no columns",
///     ),
///     (
///         Strided::new(&[2, 4], &[4, 4])?.number_at(4).unwrap_err(),
///         "two modes have stride 4: an offset may belong to several coordinates",
///     ),
///     (
///         Atom::named("Layout_K_SW128_Atom", 12).unwrap_err(),
///         "an atom has elements of 4, 8, 16, 32 or 64 bits, not 12",
///     ),
///     (
///         Atom::named("Layout_K_SW128_Atom", 16)?.accepts_plan(&rows).unwrap_err(),
///         "Layout_K_SW128_Atom: element (1, 0) is read at 72 and lies at 64",
///     ),
///     (
///         Mode::B128.address(512, 0).unwrap_err(),
///         "SWIZZLE_128B: a tile at byte 512 would be stored with the pattern shifted: its base must be a multiple of 1024",
///     ),
///     (
///         intervals::TdmPadding::new(192, 16).unwrap_err(),
///         "an interval of 192 bytes: the tensor data mover pads after 8 to 1024 bytes, a power of two",
///     ),
///     (
///         NamedLinear::new(map, &[("lane", 3)], &[("k", 2)]).unwrap_err(),
///         "the names of the inputs cover 3 bits, but the map has 2",
///     ),
///     (pattern::parse("row-major<16>").unwrap_err(), "RowMajor takes no number"),
///     (
///         Registers::parse(swizzled)?.encoding().unwrap_err(),
///         "lane bit 0 moves dimensions 0 and 1: a swizzle in registers, which factors do not say",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// Code, figures and conversions:
///
/// ```
/// use tiledesc_host::emit::{self, Emit, Expression};
/// use tiledesc_host::{conversion::Held, plot::Draw};
/// use tiledesc::{Linear, List, Plan};
///
/// let two = Expression::coordinate(2, 4);
/// let (rows, large) = (Plan::packed(&[8, 64])?, Plan::packed(&[65536, 65536])?);
/// let map = Linear::new(&[1, 2, 4, 8], 0)?;
/// let printed = [
///     (emit::HIP.function("m", &["m"], &two).unwrap_err(), "the name `m` is given twice"),
///     (
///         emit::C.function("f", &["m", "k"], &two).unwrap_err(),
///         "the coordinate of dimension 2 has no name: 2 are given",
///     ),
///     (
///         rows.emit(emit::C.bytes(), "f", ["m", "k"]).unwrap_err(),
///         "the width of an element is not known: write `.bytes_of(16)` for 16 bits",
///     ),
///     (emit::inverse(&large).unwrap_err(), "its space is 2^32 elements"),
///     (
///         rows.figure().tile(32).unwrap_err(),
///         "a figure of banks needs the width of an element: name it with `.with_element(F16)`",
///     ),
///     (
///         Held::new(List::pair(4, 4), map, 2, 4).unwrap_err(),
///         "the map has 4 bits, but register and lane have 6",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[derive(Clone)]
pub struct Error {
    kind: ErrorKind,
    sentence: String,
    source: Option<Arc<dyn core::error::Error + Send + Sync>>,
}

/// What a caller may want to know of an [`Error`] besides its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text is not in its notation.
    Syntax {
        /// The byte, counted from 0; 0 where no part of the text is in the notation.
        at: usize,
        /// The text that would be read there.
        expected: &'static str,
    },
    /// Nothing has this name.
    Unknown,
    /// A name cannot be given: it is no identifier, is reserved, or is given twice.
    Name,
    /// A number, a length or a width is missing or cannot be.
    Number,
    /// Two things do not fit each other: two tiles or chips, names and a map, a pattern and the words after it.
    Mismatch,
    /// The notation, the language or the hardware has no form of it.
    NoForm,
    /// Whether there is a form is not decided within the work that is done for it.
    Undecided,
    /// It is larger than what can be counted, stored or drawn.
    TooLarge,
    /// No instruction of the chip does it.
    NoInstruction,
    /// A declaration is to be written anew.
    Declaration,
    /// [`tiledesc::Error`]: the layout is invalid.
    Layout,
    /// [`AccessError`](tiledesc::access::AccessError): the access does not fit the layout.
    Access,
    /// [`DistributionError`](tiledesc::distribution::DistributionError): the distribution is invalid.
    Distribution,
    /// [`DirectError`](tiledesc::direct::DirectError): the tile cannot be filled by direct loads.
    Direct,
    /// [`SynthesisError`](tiledesc::search::SynthesisError): there is nothing to be searched.
    Search,
    /// [`StorageError`](tiledesc::storage::StorageError): the memory of a block cannot hold it.
    Storage,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, sentence: impl Into<String>) -> Self {
        Self { kind, sentence: sentence.into(), source: None }
    }

    /// The error of what the notation, the language or the hardware cannot express.
    pub(crate) fn no_form(sentence: impl Into<String>) -> Self {
        Self::new(ErrorKind::NoForm, sentence)
    }

    /// The error of a number, a length or a width.
    pub(crate) fn number(sentence: impl Into<String>) -> Self {
        Self::new(ErrorKind::Number, sentence)
    }

    /// The error of two things that do not fit each other.
    pub(crate) fn mismatch(sentence: impl Into<String>) -> Self {
        Self::new(ErrorKind::Mismatch, sentence)
    }

    /// The error of what is larger than can be counted, stored or drawn.
    pub(crate) fn too_large(sentence: impl Into<String>) -> Self {
        Self::new(ErrorKind::TooLarge, sentence)
    }

    /// The error of a text in which something else is expected at a byte.
    pub(crate) fn syntax(at: usize, expected: &'static str) -> Self {
        Self::new(ErrorKind::Syntax { at, expected }, format!("at byte {at}: expected {expected}"))
    }

    /// The error of a text that is not in its notation at all.
    pub(crate) fn no_text(expected: &'static str) -> Self {
        Self::new(ErrorKind::Syntax { at: 0, expected }, format!("expected `{expected}`"))
    }

    /// Moves the place of the error so many bytes on: into the text of which its own is a part.
    pub(crate) fn further(self, bytes: usize) -> Self {
        match self.kind {
            ErrorKind::Syntax { at, expected } => Self::syntax(at + bytes, expected),
            _ => self,
        }
    }

    /// Turns the error into the reason for another one.
    pub(crate) fn of_kind(self, kind: ErrorKind, before: &str) -> Self {
        Self { kind, sentence: format!("{before}{}", self.sentence), source: self.source }
    }

    /// The kind, to branch on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// Errors of the core crate, and the kind of each.
macro_rules! from_core {
    ($($error:ty => $kind:ident,)*) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                let (kind, sentence) = (ErrorKind::$kind, error.to_string());
                Self { kind, sentence, source: Some(Arc::new(error)) }
            }
        }
    )*};
}

from_core! {
    tiledesc::Error => Layout,
    tiledesc::access::AccessError => Access,
    tiledesc::distribution::DistributionError => Distribution,
    tiledesc::direct::DirectError => Direct,
    tiledesc::search::SynthesisError => Search,
    tiledesc::storage::StorageError => Storage,
}

impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.sentence) == (other.kind, &other.sentence)
    }
}

impl Eq for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
