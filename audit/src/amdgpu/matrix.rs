//! Which instructions of AMD are matrix instructions.

use super::function::Instruction;
use super::text::Words;
use crate::matrix::Matrix;
use tiledesc::chip::Chip;

/// The families; sparse ones have no rows yet.
const FAMILIES: [&str; 4] = ["v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_"];

/// The matrix instructions of a kernel.
pub(crate) fn all(code: &[Instruction], chip: &Chip) -> Vec<Matrix> {
    let words = code
        .iter()
        .enumerate()
        .flat_map(|(at, one)| one.words.iter().map(move |words| (at, words)));
    words.filter_map(|(at, words)| parse(at, words, chip)).collect()
}

fn parse(at: usize, words: &Words, chip: &Chip) -> Option<Matrix> {
    let name = words.name.as_str();
    // A call may execute any.
    if name.starts_with("s_swappc") || name.starts_with("s_call") {
        return Some(Matrix::unknown(at, false));
    }
    let is_one = FAMILIES.iter().any(|family| name.starts_with(family));
    is_one.then(|| {
        let matrix = Matrix::of_amd(at, &named(words), chip);
        // That scales cost nothing is not said by any source.
        Matrix { is_inferred: matrix.is_inferred || name.contains("_scale"), ..matrix }
    })
}

/// The name as a row has it, with the types of both factors where modifiers say them.
///
/// `v_mfma_scale_f32_16x16x128_f8f6f4 .. cbsz:4 blgp:4` is `v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4`.
fn named(words: &Words) -> String {
    let name = words.name.replace("_scale_", "_");
    if !name.ends_with("_f8f6f4") {
        return name;
    }
    let kind = |word| words.modifier(word).map_or(Some(0), |text| text.parse::<u32>().ok());
    // 2 and 3 are of 6 bits, 4 of 4 bits: both factors of these run at twice the rate of 8 bits.
    let is_narrow = ["cbsz", "blgp"].map(kind).iter().all(|kind| matches!(kind, Some(2..=4)));
    if is_narrow { format!("{name} cbsz:4 blgp:4") } else { name }
}
