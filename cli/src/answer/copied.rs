//! The texts of a layout that the author of a kernel copies: its declaration, and an element of it.
//!
//! ```text
//!   row-pad of 8    __shared__ __align__(16) T A[128][72];     A[m][k]
//!   gemm-xor        __shared__ __align__(16) T A[8192];        A[(m << 6) + (k ^ (m & 7) << 3)]
//! ```

use crate::answer::question::Question;
use tiledesc::Plan;
use tiledesc::recipe::{Scheme, Spec};
use tiledesc_host::emit::{C, Expression};

/// The declaration of a layout and an element of it, in C++ as CUDA and HIP have it, of elements `T`; `None` where it
/// has no formula.
pub(crate) fn copied(question: &Question<'_>, layout: Spec) -> Option<(String, String)> {
    let plan = question.plan(layout).ok()?;
    let tile = question.tile;
    let names: Vec<_> = tile.layout.dimensions.iter().map(String::as_str).collect();
    let widest = question.uses.iter().map(|one| one.instruction.alignment()).max()?;
    let (name, align) = (&tile.name, widest.max(tile.element.bits.div_ceil(8)));
    let subscripts =
        |each: &[String]| each.iter().map(|one| format!("[{one}]")).collect::<String>();
    let (extents, index) = match arrays(question, layout) {
        Some(each) => {
            let (extents, at): (Vec<_>, Vec<_>) =
                each.iter().map(|(long, at)| (long.to_string(), names[*at].to_string())).unzip();
            (subscripts(&extents), format!("{name}{}", subscripts(&at)))
        }
        None => {
            (format!("[{}]", plan.element_space()), format!("{name}[{}]", offset(&plan, &names)?))
        }
    };
    Some((format!("__shared__ __align__({align}) T {name}{extents};"), index))
}

/// The extents of an array of arrays, padded or not, each with the dimension that counts it; `None` of another layout.
fn arrays(question: &Question<'_>, layout: Spec) -> Option<Vec<(u32, usize)>> {
    let pad = match layout.scheme() {
        Scheme::InOrder => 0,
        Scheme::PaddedRows => layout.numbers().find(|(name, _)| *name == "Padding")?.1,
        _ => return None,
    };
    let lengths = question.tile.layout.plan.lengths();
    let mut each: Vec<_> = lengths.as_slice().iter().copied().zip(0..).collect();
    match (layout.is_transposed(), &mut each[..]) {
        (true, [rows, columns]) => core::mem::swap(rows, columns),
        // Columns of rows that several dimensions count are no array of theirs.
        (true, _) => return None,
        _ => {}
    }
    each.last_mut()?.0 += pad;
    Some(each)
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
