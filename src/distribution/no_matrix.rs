//! A chip has no matrix instruction of some shape.

use tiledesc_transforms::{Text, range, say};

/// A shape for which a chip has no matrix instruction; see [`warp_gemm::A`](crate::warp_gemm::A).
///
/// ```
/// use tiledesc::chip::Gfx942;
/// use tiledesc::{prelude::*, warp_gemm};
///
/// let refused = warp_gemm::A::<Gfx942, F16, U16, U16, U4>::ENCODING.unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "gfx942 has no matrix instruction of 16 x 16 x 4 for F16; it has 32 x 32 x 8 and 16 x 16 x 16, \
///      and takes multiples along k",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMatrix {
    /// The chip.
    pub chip: &'static str,
    /// The element type, as it is named in code: of A and B, or of C where there is no k.
    pub element: &'static str,
    /// Rows of A and of C.
    pub m: u32,
    /// Columns of B and of C.
    pub n: u32,
    /// Columns of A and rows of B; none where only C was requested.
    pub k: Option<u32>,
    /// The m, n and k of the instructions that there are, up to eight; zeros after the last.
    pub known: [[u16; 3]; Self::MOST],
}

impl NoMatrix {
    /// The most shapes that it names.
    pub(crate) const MOST: usize = 8;

    /// The number of shapes.
    pub(crate) const fn count(&self) -> usize {
        let mut count = 0;
        while count < Self::MOST && self.known[count][0] > 0 {
            count += 1;
        }
        count
    }

    /// Appends the sentence.
    pub(super) const fn explain(self, text: Text) -> Text {
        let (Self { chip, element, m, n, k, known }, count) = (self, self.count());
        let text = say!(text: str(chip), " has no matrix instruction");
        let text = if count == 0 { text } else { shape(text.str(" of "), m, n, k) };
        let made = if k.is_some() { " for " } else { " that returns " };
        let mut text = say!(text: str(made), str(element));
        range!(i, 0..count, {
            let text_before = text.str(match i {
                0 => "; it has ",
                _ if i + 1 == count => " and ",
                _ => ", ",
            });
            let [m, n, of] = known[i];
            let k = if k.is_some() { Some(of as u32) } else { None };
            text = shape(text_before, m as u32, n as u32, k);
        });
        if k.is_none() || count == 0 { text } else { text.str(", and takes multiples along k") }
    }
}

/// "16 x 16 x 32", or "16 x 16".
const fn shape(text: Text, m: u32, n: u32, k: Option<u32>) -> Text {
    let text = say!(text: m, " x ", n);
    match k {
        Some(k) => say!(text: " x ", k),
        None => text,
    }
}
