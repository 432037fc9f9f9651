//! The error of this crate: a kind to branch on, and the sentence.
//!
//! A sentence is written where it is raised; here are those that several assemblies share.

use std::fmt;

/// Why a text, or a kernel of it, cannot be judged at all.
///
/// Its `Display` and its `Debug` are the sentence, so a test or a `main` that returns it ends with that.
///
/// ```
/// use tiledesc_audit::{ErrorKind, Options, audit};
///
/// let text = ".version 8.0\n.target sm_90\n.visible .entry copy()\n{\nbra $L;\n}\n";
/// let refused = audit(text, &Options::default()).unwrap_err();
/// assert_eq!(refused.kind(), ErrorKind::Incomplete);
/// assert_eq!(refused.to_string(), "copy: the branch in line 5 goes to a label that is not in the text");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    sentence: String,
}

/// What a caller may want to know of an [`Error`] besides its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is neither AMDGPU assembly nor PTX nor SASS.
    Format,
    /// The text has no kernel, or none of the wanted name.
    NoKernel,
    /// The text does not name its chip, and none is stated.
    NoChip,
    /// The chip has no rows, does not run the code, or is one of several.
    Chip,
    /// The text does not say all that a kernel does: it is cut off, or jumps to a place that it does not list.
    Incomplete,
    /// The text, or a kernel of it, is larger than what is judged.
    TooLarge,
    /// The kernels of the text together are more work than is done for one text: those before this one are judged.
    Work,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, sentence: impl Into<String>) -> Self {
        Self { kind, sentence: sentence.into() }
    }

    /// The error of a text without a kernel.
    pub(crate) fn no_kernel() -> Self {
        Self::new(ErrorKind::NoKernel, "no kernel was found in the text")
    }

    /// The error of code for one chip, and another that is stated.
    pub(crate) fn contradiction(text: &str, chip: &str) -> Self {
        Self::new(
            ErrorKind::Chip,
            format!(
                "the text is compiled for {text}, and the chip that is stated, {chip}, does not run it"
            ),
        )
    }

    /// The error of a kernel whose text does not say all.
    pub(crate) fn incomplete(kernel: &str, why: &str) -> Self {
        Self::new(ErrorKind::Incomplete, format!("{kernel}: {why}"))
    }

    /// The error of a text that ends before its program does.
    pub(crate) fn cut(kernel: &str) -> Self {
        Self::incomplete(kernel, "the text ends before the program does")
    }

    /// The error of a branch to a label that is not there.
    pub(crate) fn target(kernel: &str, line: usize) -> Self {
        let why = format!("the branch in line {line} goes to a label that is not in the text");
        Self::incomplete(kernel, &why)
    }

    /// The error of a call of which the text does not say that it returns behind itself.
    pub(crate) fn call(kernel: &str, line: usize, why: &str) -> Self {
        let why = format!("where the call in line {line} returns is not in the text: {why}");
        Self::incomplete(kernel, &why)
    }

    /// The error of a jump by a register to places that the text does not list.
    pub(crate) fn indirect(kernel: &str, line: usize) -> Self {
        let why = format!(
            "where the jump in line {line} goes is not in the text; nvdisasm lists the targets of BRX"
        );
        Self::incomplete(kernel, &why)
    }

    /// The error of a kernel of more instructions, or blocks, than are judged.
    pub(crate) fn too_many(kernel: &str, count: usize, what: &str, most: usize) -> Self {
        Self::too_large(kernel, &format!("{count} {what} are too many: at most {most} are judged"))
    }

    /// The error of a kernel that is larger than what is followed.
    pub(crate) fn too_large(kernel: &str, why: &str) -> Self {
        Self::new(ErrorKind::TooLarge, format!("{kernel}: {why}"))
    }

    /// The kind, to branch on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// The nouns of [`Error::too_many`].
pub(crate) const INSTRUCTIONS: &str = "instructions";
pub(crate) const BLOCKS: &str = "blocks between branches";

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

impl std::error::Error for Error {}
