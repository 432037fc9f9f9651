//! Direct loads: which tile a transfer writes straight to LDS, by how many waves, from where.
//!
//! ```text
//!   ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of multiples of 8
//!
//!   direct::Statement::new::<ABlock>("gfx950", "global_load_lds_b128", Source::rows_of_multiple(8)).by(4, Order::Blocked, false)
//! ```

use crate::accesses::waves;
use crate::layouts::layout_type;
use crate::reader::{Head, Parameter, Read, Reader, bare, is_sign, parameters};
use crate::statement::layout;
use crate::template::{literal, moved_to, words, write};
use proc_macro::{Ident, Span, TokenStream, TokenTree};

const EXAMPLE: &str = "on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192";
const FORM: &str = "write `Layout on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192`; also `4 waves interleaved`, \
                    `rows of multiples of 8`, `, with idle lanes`";

/// `Layout on chip: transfer by 4 waves interleaved, from rows of multiples of 8, with idle lanes`
pub(crate) struct Statement {
    layout: Vec<TokenTree>,
    chip: Ident,
    transfer: Ident,
    waves: TokenStream,
    is_interleaved: bool,
    /// The pitch is known, or a divisor of it.
    source: &'static str,
    pitch: TokenStream,
    allows_idle: bool,
}

impl Statement {
    fn read(reader: &mut Reader) -> Read<Self> {
        let layout = layout(reader, EXAMPLE)?;
        let chip = reader.ident(&format!("expected a chip after `on`: {FORM}"))?;
        if !reader.take_signs(":") {
            return reader.fault(format!("expected `:` and the transfer after the chip: {FORM}"));
        }
        let transfer = reader.ident(&format!("expected a transfer after `:`: {FORM}"))?;
        let waves = waves(reader, FORM)?;
        let is_interleaved = reader.take_word("interleaved").is_some();
        if reader.is_word("from") {
            return reader.fault(format!("expected `,` before `from`: {FORM}"));
        }
        if let (false, Some(TokenTree::Ident(other))) = (is_interleaved, reader.rest().first()) {
            return reader.fault(format!(
                "cannot parse `{other}`; chunks are dealt `interleaved`, or slice by slice if nothing is said"
            ));
        }
        if !(reader.take_sign(',') && reader.take_words(&["from", "rows", "of"])) {
            return reader
                .fault(format!("expected `, from rows of` and a pitch in elements: {FORM}"));
        }
        let source = match reader.take_words(&["multiples", "of"]) {
            true => "rows_of_multiple",
            false => "rows",
        };
        let pitch =
            reader.expression(|rest| is_sign(rest.first(), ',') || is_sign(rest.first(), ';'));
        if pitch.is_empty() {
            return reader.fault(format!("expected a pitch in elements: {FORM}"));
        }
        let allows_idle = reader.take_sign(',');
        if allows_idle && !reader.take_words(&["with", "idle", "lanes"]) {
            return reader.fault("expected `with idle lanes` after `,`");
        }
        if !reader.is_at_end() && !reader.take_sign(';') {
            return reader.fault(format!("expected `;`, or `, with idle lanes`: {FORM}"));
        }
        let pitch = bare(pitch).into_iter().collect();
        Ok(Self { layout, chip, transfer, waves, is_interleaved, source, pitch, allows_idle })
    }

    /// The statement as data.
    fn stated(&self, tiledesc: &TokenStream) -> TokenStream {
        let order = if self.is_interleaved { "Interleaved" } else { "Blocked" };
        let chip = write(
            "#tiledesc::__chip! { #chip [#tiledesc::__chip!(@name #chip)] }",
            self.chip.span(),
            &self.holes(tiledesc),
        );
        write(
            &format!(
                "#tiledesc::direct::Statement::new::<#Layout>(
                    #named, #transfer, #tiledesc::direct::Source::{}(#pitch),
                ).by(#waves, #tiledesc::direct::Order::{order}, {})",
                self.source, self.allows_idle,
            ),
            Span::mixed_site(),
            &[&self.holes(tiledesc)[..], &[("named", chip)]].concat(),
        )
    }

    /// Its refusal, at the word of the transfer.
    fn refusal(&self, of: &str) -> TokenStream {
        let name = literal(&words(&self.layout));
        let code = format!("let _ = {of}.or_refuse(#name);");
        write(&code, self.transfer.span(), &[("name", name)])
    }

    fn holes(&self, tiledesc: &TokenStream) -> [(&'static str, TokenStream); 6] {
        [
            ("tiledesc", tiledesc.clone()),
            ("Layout", layout_type(tiledesc, &self.layout)),
            ("chip", TokenTree::from(self.chip.clone()).into()),
            ("transfer", literal(&self.transfer.to_string())),
            ("waves", self.waves.clone()),
            ("pitch", self.pitch.clone()),
        ]
    }
}

/// A statement that is asserted, as an item or in a function.
pub(crate) fn assertion(
    tiledesc: &TokenStream,
    reader: &mut Reader,
    is_item: bool,
) -> Read<TokenStream> {
    let statement = Statement::read(reader)?;
    let (before, behind) = if is_item { ("const _: () =", ";") } else { ("const", "") };
    Ok(write(
        &format!(
            "#[allow(long_running_const_eval)] {before} {{ let stated = #stated; #refusal }} {behind}"
        ),
        Span::mixed_site(),
        &[("stated", statement.stated(tiledesc)), ("refusal", statement.refusal("stated"))],
    ))
}

/// A type with the addresses of a direct load; with parameters it is checked where it is used.
pub(crate) fn declaration(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let head = Head::read(reader, "direct_load")?;
    if reader.take_word("type").is_none() {
        return reader.fault(format!(
            "direct_load!: expected `type`: write `type Name = Layout {EXAMPLE};`"
        ));
    }
    let name = reader.ident("direct_load!: expected a name after `type`")?;
    let parameters = parameters(reader, |parameter| {
        let is_bounded = !parameter.is_constant && !parameter.bound.is_empty();
        (!is_bounded).then(|| {
            format!(
                "direct_load!: cannot parse the parameters of `{name}`: each has one bound, `type {name}<C: Target, M: Number> \
                 = ..`"
            )
        })
    })?;
    if !reader.take_sign('=') {
        return reader
            .fault(format!("direct_load!: expected `=`: write `type {name} = Layout {EXAMPLE};`"));
    }
    let all = reader.rest().to_vec();
    let statement = Statement::read(reader)?;
    let stated = words(&all[..all.len() - reader.rest().len()]);
    let of_chip = |sign: &str| format!("on {}:{sign}", statement.chip);
    let stated = stated.trim_end_matches(';').replacen(&of_chip(""), &of_chip(" "), 1);
    let about = format!("`{stated}`: the addresses of its lanes.");
    let holes = [
        ("tiledesc", tiledesc.clone()),
        ("Name", TokenTree::from(name.clone()).into()),
        ("bounded", Parameter::bounded(&parameters)),
        ("names", Parameter::names(&parameters)),
        ("stated", statement.stated(tiledesc)),
        ("refusal", statement.refusal("STATED")),
        ("Layout", layout_type(tiledesc, &statement.layout)),
    ];
    let item = match parameters.is_empty() {
        true => "struct #Name;",
        false => "struct #Name<#names>(::core::marker::PhantomData<(#names)>);",
    };
    let mut code = head.documented(&about, name.span());
    code.extend(write(
        "#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]",
        name.span(),
        &[],
    ));
    code.extend(moved_to(&head.visibility, name.span()));
    code.extend(write(item, name.span(), &holes));
    let plan = "::core::result::Result<
        #tiledesc::direct::DirectLoad<'static>, #tiledesc::direct::DirectError,
    >";
    code.extend(write(
        &match parameters.is_empty() {
            true => format!(
                "#[allow(long_running_const_eval)]
                const _: () = {{
                    const STATED: #tiledesc::direct::Statement<'static> = #stated;
                    impl #tiledesc::direct::DirectLoads for #Name {{
                        type Filled = #Layout;
                        const PLAN: {plan} = STATED.plan();
                    }}
                    #refusal
                }};"
            ),
            false => format!(
                "impl<#bounded> #tiledesc::direct::DirectLoads for #Name<#names> {{
                    #[allow(long_running_const_eval)]
                    const PLAN: {plan} = #stated.plan();
                    type Filled = #Layout;
                }}"
            ),
        },
        Span::mixed_site(),
        &holes,
    ));
    Ok(code)
}
