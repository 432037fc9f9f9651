//! The texts of a layout that the author of a kernel copies: its declaration, and an element of it.
//!
//! ```text
//!   row-pad of 8    __shared__ __align__(16) _Float16 A[128][72];     A[m][k]
//!   gemm-xor        __shared__ __align__(16) _Float16 A[8192];        A[(m << 6) + (k ^ (m & 7) << 3)]
//! ```

use crate::answer::question::Question;
use crate::request::tile::Tile;
use tiledesc::Plan;
use tiledesc::recipe::{Scheme, Spec};
use tiledesc_host::emit::{C, Expression};

/// A layout in C++ as CUDA and HIP have it.
#[derive(Clone, Debug)]
pub(crate) struct Copied {
    /// Bytes that the widest access needs it aligned to.
    align: u32,
    /// The array: `_Float16 A[128][72]`.
    pub(crate) array: String,
    /// An element of it: `A[m][k]`.
    pub(crate) index: String,
}

impl Copied {
    /// A layout of a tile in C++; `None` where its offset has no formula of one statement.
    pub(crate) fn new(question: &Question<'_>, layout: Spec) -> Option<Self> {
        let plan = question.plan(layout).ok()?;
        let tile = question.tile;
        let names: Vec<_> = tile.layout.dimensions.iter().map(String::as_str).collect();
        let widest = question.uses.iter().map(|one| one.instruction.alignment()).max()?;
        let name = &tile.name;
        let subscripts =
            |each: &[String]| each.iter().map(|one| format!("[{one}]")).collect::<String>();
        let (extents, index) = match arrays(question, layout) {
            Some(each) => {
                let (extents, at): (Vec<_>, Vec<_>) = each
                    .iter()
                    .map(|(long, at)| (long.to_string(), names[*at].to_string()))
                    .unzip();
                (subscripts(&extents), format!("{name}{}", subscripts(&at)))
            }
            None => {
                let offset = offset(&plan, &names)?;
                (format!("[{}]", plan.element_space()), format!("{name}[{offset}]"))
            }
        };
        let align = widest.max(tile.element.bits.div_ceil(8));
        Some(Self { align, array: format!("{} {name}{extents}", type_of(tile)), index })
    }

    /// `__shared__ __align__(16) _Float16 A[128][72];`
    pub(crate) fn declaration(&self) -> String {
        format!("__shared__ __align__({}) {};", self.align, self.array)
    }
}

/// The type of an element in C++, of which HIP and CUDA have some each by its own name; `T` of one that has no name
/// there, or two.
///
/// Sources: HIP's headers `hip_bf16.h` and `hip_vector_types.h`, CUDA's `cuda_fp16.h`, `cuda_bf16.h` and
/// `vector_types.h`; `_Float16` is clang's.
fn type_of(tile: &Tile) -> &'static str {
    let is_of = |begins| tile.chips.iter().all(|chip| chip.name().starts_with(begins));
    let (is_amd, is_nvidia) = (is_of("gfx"), is_of("sm_"));
    match tile.element.code {
        "I8" if tile.is_bytes() => "unsigned char",
        "F64" => "double",
        "F32" => "float",
        "F16" if is_amd => "_Float16",
        "F16" if is_nvidia => "__half",
        "BF16" if is_amd => "__hip_bfloat16",
        "BF16" if is_nvidia => "__nv_bfloat16",
        "I64" => "long long",
        "I32" => "int",
        "I16" => "short",
        "I8" => "signed char",
        "Complex128" => "double2",
        "Complex64" => "float2",
        _ => "T",
    }
}

/// The extents of an array of arrays, padded or not, each with the dimension that counts it; `None` of another layout.
fn arrays(question: &Question<'_>, layout: Spec) -> Option<Vec<(u32, usize)>> {
    let is_of_rows = matches!(layout.scheme(), Scheme::InOrder | Scheme::PaddedRows);
    if !is_of_rows || layout.lines() > 1 {
        return None;
    }
    let lengths = question.tile.layout.plan.lengths();
    let mut each: Vec<_> = lengths.as_slice().iter().copied().zip(0..).collect();
    match (layout.is_transposed(), &mut each[..]) {
        (true, [rows, columns]) => core::mem::swap(rows, columns),
        // Columns of rows that several dimensions count are no array of theirs.
        (true, _) => return None,
        _ => {}
    }
    each.last_mut()?.0 += layout.pad();
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
