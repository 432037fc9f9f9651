//! A layout in each notation that has a form for it, or why one has none.

use crate::answer::stages;
use crate::request::notation::Notation;
use crate::request::spelling::by_names;
use crate::request::tile::Tile;
use std::error::Error;
use tiledesc::Plan;
use tiledesc_host::exchange::ck;
use tiledesc_host::exchange::cute::{Composed, Swizzle};
use tiledesc_host::exchange::iree;
use tiledesc_host::exchange::source;
use tiledesc_host::exchange::triton;

/// The notations by the keys of a file.
pub(crate) const ALL: [(Notation, &str); 5] = [
    (Notation::Cute, "cute"),
    (Notation::Triton, "triton"),
    (Notation::Iree, "iree"),
    (Notation::Ck, "ck"),
    (Notation::Stages, "stages"),
];

/// The notations of kernels, which `convert` names beside those of a file.
pub(crate) const OF_KERNELS: [(Notation, &str); 4] = [
    (Notation::CuteCpp, "CuTe, C++"),
    (Notation::CuteDsl, "CuTe, Python"),
    (Notation::Ttgir, "Triton's IR"),
    (Notation::Gluon, "Gluon"),
];

/// The form alone: of CuTe without quotes.
pub(crate) fn form(notation: Notation, tile: &Tile) -> Result<String, String> {
    write(notation, &tile.layout.plan, tile.element.bits)
        .map_err(|why| by_names(&why.to_string(), &tile.layout.dimensions))
}

fn write(notation: Notation, plan: &Plan, bits: u32) -> Result<String, Box<dyn Error>> {
    let cute = || Composed::of_plan(plan);
    Ok(match notation {
        Notation::Cute => cute()?.to_string(),
        Notation::CuteBytes => {
            let form = cute()?;
            let swizzle = form.swizzle().recast(bits, 8)?;
            match form.offset() {
                0 if *form.swizzle() == Swizzle::NONE => form.to_string(),
                0 => Composed::in_bytes(swizzle, bits, *form.layout())?.to_string(),
                offset => {
                    Err(format!("it has an offset of {offset}, which a pointer cannot print"))?
                }
            }
        }
        Notation::CuteCpp => source::cpp(&cute()?),
        Notation::CuteDsl => source::dsl(&cute()?),
        Notation::Ttgir => triton::attribute(plan)?,
        Notation::Gluon => triton::gluon(plan)?,
        Notation::Triton => triton::bases_or_padded(plan)?,
        Notation::Iree => iree::Swizzle::from_plan(plan)
            .ok_or("its rows are not chunks that the row's number xors or rotates")?
            .to_string(),
        Notation::Ck => {
            let found = ck::parameters(plan)?
                .ok_or("no KPack and MLdsLayer of the universal GEMM have these offsets")?;
            format!("{{ kpack = {}, mldslayer = {} }}", found.pack, found.layers)
        }
        Notation::Stages => stages::write(plan)?,
    })
}

/// A layout in the notation in which a kernel states its own.
pub(crate) fn words(notation: Notation, plan: &Plan, bits: u32) -> Option<String> {
    write(notation, plan, bits).ok()
}
