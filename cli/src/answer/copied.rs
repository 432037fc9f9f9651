//! The texts of a layout that the author of a kernel copies: its declaration, and an element of it.
//!
//! ```text
//!   row-pad of 8    __shared__ __align__(16) T A[128][72];     A[m][k]
//!   gemm-xor        __shared__ __align__(16) T A[8192];        A[(m << 6) + (k ^ (m & 7) << 3)]
//! ```

use crate::answer::remedy::Question;
use tiledesc::Plan;
use tiledesc::recipe::{Scheme, Spec};
use tiledesc_host::emit::{C, Expression};

/// The declaration of a layout and an element of it, in C++ as CUDA and HIP have it, of elements `T`; `None` where it
/// has no formula.
pub(crate) fn copied(question: &Question<'_>, layout: Spec) -> Option<(String, String)> {
    let plan = layout.plan(question.shape).ok()?;
    let tile = question.tile;
    let names: Vec<_> = tile.layout.dimensions.iter().map(String::as_str).collect();
    let widest = question.uses.iter().map(|one| one.instruction.alignment()).max()?;
    let (name, align) = (&tile.name, widest.max(tile.element.bits.div_ceil(8)));
    let (extents, index) = match rows(question, layout) {
        Some([many, long, outer, inner]) => {
            let [outer, inner] = [outer, inner].map(|at| names[at as usize]);
            (format!("[{many}][{long}]"), format!("{name}[{outer}][{inner}]"))
        }
        None => {
            (format!("[{}]", plan.element_space()), format!("{name}[{}]", offset(&plan, &names)?))
        }
    };
    Some((format!("__shared__ __align__({align}) T {name}{extents};"), index))
}

/// The shape of a layout of rows, padded or not: the number of rows, their length, and the dimensions that count rows
/// and what is in one.
fn rows(question: &Question<'_>, layout: Spec) -> Option<[u32; 4]> {
    let pad = match layout.scheme() {
        Scheme::InOrder => 0,
        Scheme::PaddedRows => layout.numbers().find(|(name, _)| *name == "Padding")?.1,
        _ => return None,
    };
    let [rows, columns] = [question.shape.rows, question.shape.columns];
    Some(if layout.is_transposed() {
        [columns, rows + pad, 1, 0]
    } else {
        [rows, columns + pad, 0, 1]
    })
}

/// The formula of an offset, as the library writes it in C; `None` where it needs several statements.
fn offset(plan: &Plan, names: &[&str]) -> Option<String> {
    let lengths = plan.lengths();
    let each = lengths.as_slice().iter().enumerate();
    let index: Vec<_> = each.map(|(at, length)| Expression::coordinate(at, *length)).collect();
    let offset = plan.fused(&index, &Expression::number(0)).ok()?;
    let function = C.function("offset", names, &offset).ok()?;
    let (_, body) = function.split_once("return ")?;
    let is_one = !function.contains(" = ");
    is_one.then(|| body.split_once(';').map(|(formula, _)| formula.to_string())).flatten()
}
