//! Statements: which accesses of a layout must be free of conflicts, on which chips.
//!
//! ```text
//!   assert_conflict_free! { ABlock on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16> }
//!
//!   const _: () = {
//!       match [[StatedAccess::new::<RowMajor>("gfx942", "RowMajor", Access::Write, &gfx942::ds_write_b128),
//!               StatedAccess::new::<MfmaRows<16>>("gfx942", "MfmaRows<16>", Access::Read, &gfx942::ds_read_b128)]] {
//!           accesses => {
//!               judged::refuse_access::<ABlock, _, _>("ABlock", &accesses, 0)     an error points at `write`
//!               judged::refuse_access::<ABlock, _, _>("ABlock", &accesses, 1)     at `read`
//!           }
//!       }
//!   };
//! ```
//!
//! The outer list has the chips, the inner ones the accesses. `judged` (`src/storage/judged.rs`) knows whether it is about a
//! layout or about buffers of one, and has `src/statement/refusal.rs` refuse the access on each chip.

use crate::accesses::{Accesses, FORM};
use crate::layouts::layout_type;
use crate::reader::{Fault, Read, Reader, is_signs, is_word};
use crate::template::{literal, number, words, write};
use proc_macro::{Span, TokenStream, TokenTree};

/// One statement: a constant, or a constant expression of a function.
pub(crate) fn expand(
    tiledesc: &TokenStream,
    reader: &mut Reader,
    is_item: bool,
) -> Read<TokenStream> {
    Ok(Statement::read(reader)?.write(tiledesc, is_item))
}

/// One statement, and a type for each access that has a name.
pub(crate) fn declare(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let statement = Statement::read_by(reader, Accesses::read_named)?;
    let Statement { layout, accesses } = &statement;
    if accesses.accesses.iter().all(|access| access.named.is_none()) {
        return Err(Fault::new(
            layout,
            "no access has a name: write `type StoreA = write ds_write_b128 by Fetch`, or `assert_conflict_free!`",
        ));
    }
    let types = accesses.types(tiledesc, layout);
    Ok(types.into_iter().chain(statement.write(tiledesc, true)).collect())
}

struct Statement {
    layout: Vec<TokenTree>,
    accesses: Accesses,
}

impl Statement {
    /// `Layout on chip, ..: access instruction by Pattern, ..;`
    fn read(reader: &mut Reader) -> Read<Self> {
        Self::read_by(reader, Accesses::read)
    }

    fn read_by(
        reader: &mut Reader,
        accesses: impl Fn(&mut Reader) -> Read<Accesses>,
    ) -> Read<Self> {
        let layout = layout(reader, "on gfx942: read ds_read_b128 by RowMajor")?;
        let accesses = accesses(reader)?;
        if let Some(access) = accesses.accesses.iter().find(|access| !access.times.is_empty()) {
            return Err(Fault::new(
                &access.times,
                "a statement has no weights: `times` stands in `synthesize!`, which counts cycles",
            ));
        }
        if !reader.is_at_end() && !reader.take_sign(';') {
            return reader
                .fault(format!("expected `,` and a further access, or `;`: write {FORM}"));
        }
        Ok(Self { layout, accesses })
    }

    /// One constant: the lines chip by chip, then the check of the fill, then one of each access.
    fn write(&self, tiledesc: &TokenStream, is_item: bool) -> TokenStream {
        let Self { layout, accesses } = self;
        let name = literal(&words(layout));
        let layout = layout_type(tiledesc, layout);
        let mut judged = TokenStream::new();
        if let Some(fill) = &accesses.fill {
            judged.extend(write(
                "#tiledesc::statement::refusal::refuse_fill::<
                    <#Layout as #tiledesc::storage::judged::Judged>::Tile, _, _
                >(#name, &accesses);",
                fill.transfer.span(),
                &[
                    ("tiledesc", tiledesc.clone()),
                    ("Layout", layout.clone()),
                    ("name", name.clone()),
                ],
            ));
        }
        for (i, access) in accesses.accesses.iter().enumerate() {
            judged.extend(write(
                "#tiledesc::storage::judged::refuse_access::<#Layout, _, _>(#name, &accesses, #i);",
                access.kind.span(),
                &[
                    ("tiledesc", tiledesc.clone()),
                    ("Layout", layout.clone()),
                    ("name", name.clone()),
                    ("i", number(i)),
                ],
            ));
            judged.extend(accesses.check_of_name(tiledesc, access));
        }
        // A whole tile of 16 instructions is 1024 coordinates and over the lint's limit. Our chips are imported by their
        // names; any other name is of a module of the user's. In a match the rows that the lines refer to live on.
        let before = if is_item { "const _: () =" } else { "const" };
        let behind = if is_item { ";" } else { "" };
        write(
            &format!(
                "#[allow(long_running_const_eval)] {before} {{
                    #[allow(unused_imports)]
                    use #tiledesc::chip::names::modules::*;
                    #demand
                    match [#lines] {{ accesses => {{ #judged }} }}
                }} {behind}"
            ),
            Span::mixed_site(),
            &[
                ("tiledesc", tiledesc.clone()),
                ("demand", accesses.demand(tiledesc)),
                ("lines", accesses.lines(tiledesc)),
                ("judged", judged),
            ],
        )
    }
}

/// The tokens before `on`, which is taken too.
pub(crate) fn layout(reader: &mut Reader, example: &str) -> Read<Vec<TokenTree>> {
    let layout = reader.until(|rest| is_word(rest.first(), "on") || is_signs(rest, ":"));
    if layout.is_empty() {
        return reader.fault(format!("no layout stands before `on`: write `Layout {example}`"));
    }
    if reader.take_word("on").is_none() {
        let name = words(&layout);
        return Err(Fault::new(&layout, format!("no chip is named: write `{name} {example}`")));
    }
    Ok(layout)
}
