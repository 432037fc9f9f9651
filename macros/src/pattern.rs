//! `pattern!`: patterns by a formula, each a type with its table.
//!
//! ```text
//!   Half(lane) => [lane, 0] if lane < 32;
//!
//!   struct Half;
//!   impl Half { const TABLE: [Row; 1] = ..; }                  lane 0 -> (0, 0)   lane 1 -> (1, 0)   ..
//!   impl Pattern for Half { const LANES: Lanes<'static> = ..; }
//! ```

use crate::reader::{Fault, Head, Parameter, Read, Reader, is_sign, is_word, parameters};
use crate::template::{moved_to, number, words, words_of, write};
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

const FORM: &str = "write `Name(lane) => [index, index];`, with `, step in 4` behind the lane, `if condition` or `, along 0` \
                    behind the coordinate";

struct Pattern {
    head: Head,
    name: Ident,
    parameters: Vec<Parameter>,
    lane: Ident,
    /// The name of an instruction's number, and how many there are.
    step: Option<(Ident, TokenStream)>,
    coordinate: Vec<Vec<TokenTree>>,
    /// The condition of an active lane.
    active: Vec<TokenTree>,
    /// The dimension of the pack.
    along: Vec<TokenTree>,
}

/// One pattern.
pub(crate) fn expand(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    Ok(Pattern::read(reader)?.write(tiledesc))
}

impl Pattern {
    fn read(reader: &mut Reader) -> Read<Self> {
        let head = Head::read(reader, "pattern")?;
        let name = reader.ident(&format!("pattern!: expected a name: {FORM}"))?;
        let parameters = parameters(reader, |parameter| {
            let is_number =
                matches!(&parameter.bound[..], [bound] if is_word(Some(bound), "Number"));
            (!parameter.is_constant && !is_number).then(|| {
                format!(
                    "pattern `{name}`: a parameter is a constant, `const S: u32`, or a number, `K: Number`"
                )
            })
        })?;
        let Some(lane) = reader.take_group(Delimiter::Parenthesis) else {
            return reader.fault(format!("pattern `{name}`: expected `(lane)`: {FORM}"));
        };
        let (lane, step) = indices(&name, &lane)?;
        if !reader.take_signs("=>") {
            return reader.fault(format!("pattern `{name}`: expected `=>`: {FORM}"));
        }
        let Some(index) = reader.take_group(Delimiter::Bracket) else {
            return reader.fault(format!(
                "pattern `{name}`: expected a coordinate, `[index, index]`: {FORM}"
            ));
        };
        let coordinate = Reader::new(index.stream()).list();
        if coordinate.is_empty() || coordinate.iter().any(Vec::is_empty) {
            return Err(Fault::at(
                index.span(),
                format!("pattern `{name}`: expected an index for each dimension: {FORM}"),
            ));
        }
        let ends = |rest: &[TokenTree]| is_sign(rest.first(), ',') || is_sign(rest.first(), ';');
        let (mut active, mut along) = (Vec::new(), Vec::new());
        if reader.take_word("if").is_some() {
            active = reader.expression(ends);
            if active.is_empty() {
                return reader.fault(format!("pattern `{name}`: expected a condition after `if`"));
            }
        }
        if reader.take_sign(',') {
            if reader.take_word("along").is_none() {
                return reader.fault(format!(
                    "pattern `{name}`: expected `along` and a dimension after `,`: {FORM}"
                ));
            }
            along = reader.expression(ends);
            if along.is_empty() {
                return reader
                    .fault(format!("pattern `{name}`: expected a dimension after `along`"));
            }
        }
        if !reader.take_sign(';') {
            return reader.fault(format!("pattern `{name}`: expected `;`: {FORM}"));
        }
        Ok(Self { head, name, parameters, lane, step, coordinate, active, along })
    }

    /// Its lines, for its page.
    fn about(&self) -> String {
        let coordinate = self.coordinate.iter().map(|index| words(index)).collect::<Vec<_>>();
        let step = match &self.step {
            Some((step, steps)) => format!(", {step} in {}", words_of(steps)),
            None => String::new(),
        };
        let behind = |word: &str, tokens: &[TokenTree]| match tokens {
            [] => String::new(),
            tokens => format!("{word}{}", words(tokens)),
        };
        format!(
            "`({}{step}) => [{}]{}{}`",
            self.lane,
            coordinate.join(", "),
            behind(" if ", &self.active),
            behind(", along ", &self.along),
        )
    }

    fn write(&self, tiledesc: &TokenStream) -> TokenStream {
        let rank = self.coordinate.len();
        // Of two indices, as most patterns have, by the function of the fewest steps.
        let made = if rank == 2 { "pair(#indices)" } else { "new(&[#indices])" };
        let step = if self.step.is_some() { "let #step = row as u32;" } else { "" };
        let active = if self.active.is_empty() { "true" } else { "#active" };
        let along = if self.along.is_empty() { "Self::RANK - 1" } else { "#along" };
        let steps = if self.step.is_some() { "#steps" } else { "1" };
        let code = format!(
            "impl<#bounded> #Name<#names> {{
                /// The coordinate of each lane, instruction by instruction.
                const TABLE: [#tiledesc::pattern::Row; {steps}] = {{
                    let mut table = [
                        [::core::option::Option::None; #tiledesc::distribution::MOST_LANES]; {steps}
                    ];
                    let mut row = 0;
                    while row < {steps} {{
                        let mut at = 0;
                        while at < #tiledesc::distribution::MOST_LANES {{
                            let #lane = at as u32;
                            {step}
                            if {active} {{
                                table[row][at] = ::core::option::Option::Some(#tiledesc::List::{made});
                            }}
                            at += 1;
                        }}
                        row += 1;
                    }}
                    table
                }};
                /// The number of indices.
                const RANK: usize = #rank;
            }}
            impl<#bounded> #tiledesc::pattern::Pattern for #Name<#names> {{
                const LANES: #tiledesc::pattern::Lanes<'static> =
                    #tiledesc::pattern::Lanes::table(&Self::TABLE, {along});
            }}"
        );
        let place = self.name.span();
        let mut item = self.head.documented(&self.about(), place);
        let derive = "#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]";
        item.extend(write(derive, place, &[]));
        item.extend(moved_to(&self.head.visibility, place));
        // A number must be held by the type; a constant need not.
        let body = if self.parameters.iter().all(|parameter| parameter.is_constant) {
            "struct #Name<#bounded>;"
        } else {
            "struct #Name<#bounded>(::core::marker::PhantomData<(#held)>);"
        };
        let holes = self.holes(tiledesc, rank);
        item.extend(write(body, place, &holes));
        item.extend(write(&code, Span::mixed_site(), &holes));
        item
    }

    fn holes(&self, tiledesc: &TokenStream, rank: usize) -> Vec<(&'static str, TokenStream)> {
        let comma = write(",", Span::mixed_site(), &[]);
        let indices =
            self.coordinate.iter().flat_map(|index| index.iter().cloned().chain(comma.clone()));
        let mut holes = vec![
            ("tiledesc", tiledesc.clone()),
            ("Name", TokenTree::from(self.name.clone()).into()),
            ("bounded", Parameter::of_numbers(&self.parameters, tiledesc)),
            ("names", Parameter::names(&self.parameters)),
            ("held", Parameter::types(&self.parameters)),
            ("lane", TokenTree::from(self.lane.clone()).into()),
            ("indices", indices.collect()),
            ("active", self.active.iter().cloned().collect()),
            ("along", self.along.iter().cloned().collect()),
            ("rank", number(rank)),
        ];
        if let Some((step, steps)) = &self.step {
            holes.push(("step", TokenTree::from(step.clone()).into()));
            holes.push(("steps", steps.clone()));
        }
        holes
    }
}

/// `(lane)`, or `(lane, step in 4)`.
fn indices(name: &Ident, group: &Group) -> Read<(Ident, Option<(Ident, TokenStream)>)> {
    let mut reader = Reader::within(group);
    let lane = reader.ident(&format!("pattern `{name}`: expected a name of the lane: {FORM}"))?;
    if reader.is_at_end() {
        return Ok((lane, None));
    }
    if !reader.take_sign(',') {
        return reader
            .fault(format!("pattern `{name}`: expected `, step in 4` after the lane: {FORM}"));
    }
    let step =
        reader.ident(&format!("pattern `{name}`: expected `step in 4` after `,`: {FORM}"))?;
    if reader.take_word("in").is_none() || reader.is_at_end() {
        return reader.fault(format!(
            "pattern `{name}`: expected `in` and the number of instructions after `{step}`: {FORM}"
        ));
    }
    Ok((lane, Some((step, reader.rest().iter().cloned().collect()))))
}
