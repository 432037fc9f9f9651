//! `convert`: one notation alone, or all as lines of a file.

use crate::answer::convert::{ALL, OF_KERNELS, form};
use crate::report::status::Status;
use crate::request::args::Convert;
use crate::request::fault::Source;
use crate::request::notation::Notation;
use crate::request::tile::{Tile, called};
use crate::write::output::Output;
use std::fmt::Write;

pub(crate) fn run(convert: &Convert, source: &Source, tiles: &[Tile]) -> Output {
    match convert.to {
        Some(to) => one(to, source, tiles),
        None => Output::done(tiles.iter().map(all).collect()),
    }
}

/// One notation of each tile, and nothing but the form.
fn one(to: Notation, source: &Source, tiles: &[Tile]) -> Output {
    let (mut out, mut err) = (String::new(), String::new());
    for tile in tiles {
        match form(to, tile) {
            Ok(form) => {
                let _ = writeln!(out, "{}", form.trim_end());
            }
            Err(why) => {
                let (at, name) = (source.line(tile.place), called(&tile.name));
                let is_composed = to != Notation::Stages && form(Notation::Stages, tile).is_ok();
                let other = if is_composed { "; `--to stages` writes it" } else { "" };
                let _ = writeln!(err, "{at}: {name} has no such form: {why}{other}");
            }
        }
    }
    let status = if err.is_empty() { Status::Free } else { Status::Invalid };
    Output { status, out, err }
}

/// All notations as lines of a file; what has no form is a comment.
fn all(tile: &Tile) -> String {
    let mut text = format!("# {}\n", tile.name);
    for (notation, key) in ALL {
        let _ = match form(notation, tile) {
            Ok(form) => {
                writeln!(text, "{key} = {}{}", as_value(notation, &form), beside(notation, &form))
            }
            Err(why) => writeln!(text, "# {key}: no such form: {why}"),
        };
    }
    for (notation, whose) in OF_KERNELS {
        if let Ok(form) = form(notation, tile) {
            let _ = writeln!(text, "# {whose}: {form}");
        }
    }
    text
}

/// The line that a form needs beside it: a swizzle is printed as one of elements, which its text alone does not show.
fn beside(notation: Notation, form: &str) -> &'static str {
    match notation {
        Notation::Cute if form.starts_with("Sw<") => "\nunit = \"elements\"",
        _ => "",
    }
}

/// A form as a value of TOML.
fn as_value(notation: Notation, form: &str) -> String {
    match notation {
        Notation::Cute => format!("\"{form}\""),
        Notation::Stages => format!("\"\"\"\n{form}\"\"\""),
        // The text of the IR, of a layout with pads.
        Notation::Triton if form.starts_with('#') => format!("\"{form}\""),
        // What kernels write is read as a file's notation is.
        Notation::CuteBytes
        | Notation::CuteCpp
        | Notation::CuteDsl
        | Notation::Ttgir
        | Notation::Gluon
        | Notation::Iree => format!("\"{form}\""),
        Notation::Triton | Notation::Ck => form.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::recipe::families;
    use crate::request::{stages, tile::read};
    use tiledesc::Plan;

    /// A file of one tile that is written in a notation.
    fn tile(element: &str, lengths: &[u32], layout: &str) -> Tile {
        let each = lengths.iter().enumerate().map(|(i, length)| format!("d{i} = {length}"));
        let shape = each.collect::<Vec<_>>().join(", ");
        let text = format!(
            "version = 1\n[tile.T]\nelement = \"{element}\"\nshape = {{ {shape} }}\nmay_overlap = true\n{layout}\n"
        );
        let source = Source::of_text("t", text);
        let tiles = read(&source, &[]);
        tiles
            .unwrap_or_else(|faults| panic!("{}\n{}", source.text, source.explain_all(&faults)))
            .remove(0)
    }

    /// A printed swizzle is read as the same layout.
    #[test]
    fn a_swizzle_has_its_unit() {
        let xor = tile("F16", &[128, 64], "recipe = \"gemm-xor\"\nkpack = 8");
        let text = all(&xor);
        let lines: Vec<_> =
            text.lines().skip_while(|line| !line.starts_with("cute")).take(2).collect();
        let back = tile("F16", &[128, 64], &lines.join("\n"));
        assert!(back.layout.in_bytes.is_none(), "{text}");
        assert!(same(xor.plan(), back.plan()));
    }

    fn same(one: &Plan, other: &Plan) -> bool {
        one.lengths() == other.lengths()
            && (0..one.elements()).all(|id| {
                let index = one.nth(id);
                one.offset(index.as_slice()) == other.offset(index.as_slice())
            })
    }

    /// Every recipe, of numbers that it takes.
    fn recipes() -> impl Iterator<Item = Plan> {
        families(16).iter().map(|family| {
            let number = |name: &&str| match *name {
                "M" | "N" | "MN" => 128,
                "K" => 64,
                "VectorSize" => 4,
                "Buffer" | "RepM" | "RepN" | "KIter" | "MLdsLayer" => 1,
                "Buffers" => 2,
                "Warps" => 4,
                "MPerXdl" => 32,
                "BlockSize" => 256,
                "Single" => 8192,
                _ => 8,
            };
            let numbers: Vec<_> = family.parameters().iter().map(number).collect();
            let items: &[u32] = match family.list() {
                Some("Columns") => &[1, 2, 4, 9],
                Some(_) => &[1, 2, 4, 1],
                None => &[],
            };
            family
                .plan(&numbers, items)
                .unwrap_or_else(|error| panic!("{}: {error}", family.name()))
        })
    }

    /// Every recipe, and layouts that no recipe is, in every notation that has a form for them, and
    /// back: the same offset at each coordinate.
    #[test]
    fn every_form_is_the_same_layout() {
        let others = [
            Plan::naive(&[12, 20], &[24, 1]).unwrap(),
            Plan::naive_with_offset(&[8, 8], &[8, 1], 5).unwrap(),
            stages::parse("packed [16, 12]; left_pad[16, 2] (0) -> (1), pass[12] (1) -> (0);").unwrap(),
            stages::parse("packed [16, 16]; freeze[3] (0) -> (), slice[16, 2, 9] (1) -> (0); pass[7] (0) -> (1), insert[4] () -> (0);").unwrap(),
            stages::parse("packed [12, 12]; cyclic_shift[12, 12] (0, 1) -> (1, 0);").unwrap(),
        ];
        let mut forms = 0;
        for plan in recipes().chain(others) {
            let lengths = plan.lengths();
            let strides = "strides = [".to_string() + &"1, ".repeat(lengths.len()) + "]";
            let mut of_plan = tile("f16", lengths.as_slice(), &strides);
            of_plan.layout.plan = plan;
            let of_kernels = [
                (Notation::CuteBytes, "cute"),
                (Notation::CuteCpp, "cute"),
                (Notation::CuteDsl, "unit = \"elements\"\ncute"),
                (Notation::Ttgir, "triton"),
                (Notation::Gluon, "triton"),
            ];
            for (notation, key) in ALL.into_iter().chain(of_kernels) {
                let Ok(form) = form(notation, &of_plan) else { continue };
                let back = tile(
                    "f16",
                    lengths.as_slice(),
                    &format!("{key} = {}", as_value(notation, &form)),
                );
                let valid =
                    (0..plan.elements()).all(|id| plan.offset(plan.nth(id).as_slice()).is_ok());
                assert!(!valid || same(&plan, &back.layout.plan), "{key} = {form}");
                forms += 1;
            }
        }
        // 29 recipes and 5 others as stages, most as CuTe's, a third as Triton's and CK's; those of kernels too.
        assert!(forms > 140, "{forms}");
    }
}
