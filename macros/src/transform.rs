//! `transform!`, of the library alone: a transform from its parameters and its index rule.
//!
//! ```text
//!   Offset::new { length: L is Length, offset: O is Length }
//!   upper [length]
//!   rule |up, low| { low[0] = up[0].add(&up[0].constant(offset)); }
//!   always valid, injective
//!   nonzero [length]
//!
//!   struct Offset<L, O> { length: L, offset: O }       its constructor, and `Transform` for kernels
//!   struct Plain { length: u32, offset: u32 }          its twin of numbers, whose `const` methods answer for `Op`
//! ```
//!
//! The rule is written once and pasted five times: generic over the index for kernels; `const` over words, over bits and over
//! the lanes of a wave for the compiler; and generic over the index of plain data, for what prints a plan.
//!
//! | part | is |
//! |---|---|
//! | `Name::constructor { field: P is Kind }` | its parameters: `Length`, `Lengths` for a sequence, `Check` for a flag |
//! | `Plain { field is Kind }` | the parameters of a twin alone, one of which may be a `Table` |
//! | `upper [a + b]`, `upper each lengths`, `upper product lengths` | the upper lengths: expressions of `u64`, or those of a sequence, or their product |
//! | <code>rule &#124;up, low&#124; {..}</code> | the index rule, which sees a length as an `Extent` and a sequence as a slice of them |
//! | <code>valid interval unless flag &#124;up&#124; {..}</code> | which upper indices have a place below; `prefix` if 0 always has |
//! | `always valid, injective` | the questions to which the answer is always yes |
//! | `nonzero [a, b]`, `nonzero each lengths` | the parameters that must not be 0, if `check` asks nothing else |
//! | `by as_pad: demands, run` | the questions answered by the twin that the method `as_pad` makes |
//! | `pads like "Dyn(6), Dyn(2)" to 8` | a pad's `new` and `skip_check`; their examples pad a dimension of 6 to 8 |

use crate::reader::{Fault, Read, Reader};
use crate::template::{words, write};
use proc_macro::{Delimiter, Ident, TokenStream, TokenTree};

/// The code for a parameter of one kind: `#P` is its type, `#f` its field and its local.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    bound: &'static str,
    /// Its field in the twin.
    plain: &'static str,
    /// Its value by its type, a `Result`; its placeholder while that is unknown; the formula for it.
    known: &'static str,
    blank: &'static str,
    form: &'static str,
    /// Its value at run time.
    value: &'static str,
    /// The typed transform's local; in an index rule; as `u64`s in a length.
    typed: &'static str,
    seen: &'static str,
    wide: &'static str,
    /// The twin's local in an index rule; in a length.
    constant: &'static str,
    const_wide: &'static str,
}

const LENGTH: Kind = Kind {
    name: "Length",
    bound: "crate::number::Length",
    plain: "u32",
    known: "<#P as crate::number::Length>::KNOWN",
    blank: "0",
    form: "crate::transform::Field::Length(<#P as crate::number::Length>::FORMULA)",
    value: "crate::transform::length_value(&self.#f)?",
    typed: "crate::number::Length::extent(&self.#f)",
    seen: "#f",
    wide: "u64::from(#f.value())",
    constant: "crate::number::extent::Extent { value: self.#f, magic: None }",
    const_wide: "self.#f as u64",
};

const LENGTHS: Kind = Kind {
    name: "Lengths",
    bound: "crate::sequence::Lengths",
    plain: "crate::number::list::List",
    known: "<#P as crate::sequence::Lengths>::KNOWN",
    blank: "crate::number::list::List::EMPTY",
    form: "crate::transform::Field::Lengths(<#P as crate::sequence::Lengths>::FORMULAS)",
    value: "crate::transform::lengths_value(&self.#f)?",
    typed: "crate::sequence::Lengths::extents(&self.#f)",
    seen: "crate::number::extent::Extents(#f.as_ref())",
    wide: "#f.as_ref()",
    constant: "crate::number::extent::Constants(&self.#f)",
    const_wide: "self.#f",
};

/// A flag is known by its type.
const CHECK: Kind = {
    let skip = "<#P as crate::transform::Check>::SKIP";
    Kind {
        name: "Check",
        bound: "crate::transform::Check",
        plain: "bool",
        known: "Ok::<bool, crate::number::NumberError>(<#P as crate::transform::Check>::SKIP)",
        blank: skip,
        form: "crate::transform::Field::Fixed",
        value: skip,
        typed: skip,
        seen: "#f",
        wide: "#f",
        constant: "self.#f",
        const_wide: "self.#f",
    }
};

/// A table, which only a twin has.
const TABLE: Kind = Kind { name: "Table", plain: "crate::transform::Table", ..CHECK };

/// The methods of a twin that hand a question on to another one, without their `const fn`.
const ANSWERS: [(&str, &str); 5] = [
    ("demands", "demands(self) -> crate::transform::Demands { self.#other().demands() }"),
    (
        "check",
        "check(self, names: &crate::number::list::List) -> Result<(), crate::error::Error> { self.#other().check(names) }",
    ),
    ("raise", "raise(self, low: &[u32], up: &mut [u32]) -> bool { self.#other().raise(low, up) }"),
    ("injective", "injective(self) -> bool { self.#other().injective() }"),
    (
        "run",
        "run(self, low: &[crate::transform::Run], up: &mut [crate::transform::Run]) { self.#other().run(low, up); }",
    ),
];

struct Field {
    name: Ident,
    /// The parameter of the typed transform; the name again for a twin alone.
    parameter: Ident,
    kind: Kind,
}

/// `[a, b]`, `each lengths` or `product lengths`: one token, and the word before it.
struct Lengths {
    of: &'static str,
    token: TokenTree,
}

/// `|up, low| {..}`: the names of the indices, and the code in its braces.
struct Rule {
    names: Vec<Ident>,
    code: TokenTree,
}

/// `interval unless flag |up| {..}`
struct Valid {
    shape: Ident,
    skip: Ident,
    rule: Rule,
}

struct Transform {
    attributes: TokenStream,
    name: Ident,
    /// The constructor; a twin alone has none.
    new: Option<Ident>,
    fields: Vec<Field>,
    upper: Lengths,
    rule: Rule,
    valid: Option<Valid>,
    always: Vec<Ident>,
    nonzero: Option<Lengths>,
    /// The method that makes another twin, and its answers.
    by: Option<(Ident, Vec<Ident>)>,
    /// The arguments of a pad's example, and the length that they make.
    pads: Option<[String; 2]>,
}

/// One transform.
pub(crate) fn expand(reader: &mut Reader) -> Read<TokenStream> {
    let transform = Transform::read(reader)?;
    let mut code = transform.twin()?;
    if transform.new.is_some() {
        code.extend(transform.typed());
    }
    if let Some([arguments, padded]) = &transform.pads {
        code.extend(transform.constructors(arguments, padded));
    }
    Ok(code)
}

impl Transform {
    fn read(reader: &mut Reader) -> Read<Self> {
        let mut attributes = TokenStream::new();
        while reader.is_sign('#') {
            attributes.extend([reader.take(), reader.take()].into_iter().flatten());
        }
        let name = reader.ident("expected the name of a transform, or `Plain`")?;
        let constructor = "expected the name of the constructor";
        let new = reader.take_signs("::").then(|| reader.ident(constructor)).transpose()?;
        let fields = fields(reader, new.is_some())?;
        word(reader, "upper")?;
        let upper = lengths(reader)?;
        word(reader, "rule")?;
        let rule = rule(reader, 2)?;
        let valid = behind(reader, "valid", valid)?;
        let always = behind(reader, "always", names)?.unwrap_or_default();
        let nonzero = behind(reader, "nonzero", lengths)?;
        let by = behind(reader, "by", by)?;
        let pads = behind(reader, "pads", pads)?;
        if !reader.is_at_end() {
            return reader
                .fault("expected `valid`, `always`, `nonzero`, `by` and `pads` in this order");
        }
        Ok(Self { attributes, name, new, fields, upper, rule, valid, always, nonzero, by, pads })
    }

    /// Writes code at the transform's name; besides the given holes it fills those of every transform, such as `#rule`.
    fn fill(&self, text: &str, holes: &[(&str, TokenStream)]) -> TokenStream {
        let own = [
            ("Name", one(&self.name)),
            ("generics", self.each(|_| "#P,".into())),
            ("fields", self.each(|_| "#f,".into())),
            ("up", one(&self.rule.names[0])),
            ("low", one(&self.rule.names[1])),
            ("rule", self.rule.code.clone().into()),
        ];
        write(text, self.name.span(), &[holes, &own].concat())
    }

    /// The code for each parameter, where `#f` is its field and `#P` its type.
    fn each(&self, code: impl Fn(&Kind) -> String) -> TokenStream {
        let each = |field: &Field| {
            let holes = [("f", one(&field.name)), ("P", one(&field.parameter))];
            write(&code(&field.kind), self.name.span(), &holes)
        };
        self.fields.iter().flat_map(each).collect()
    }

    /// A local for each parameter, of its name.
    fn locals(&self, value: impl Fn(&Kind) -> &'static str) -> TokenStream {
        self.each(|kind| format!("let #f = {};", value(kind)))
    }

    /// The struct of numbers, and the answers that follow from the notation.
    fn twin(&self) -> Read<TokenStream> {
        let mut methods = self.rules();
        methods.extend(self.plain_upper());
        methods.extend(self.plain_valid());
        methods.extend(self.plain_check());
        for question in &self.always {
            let arguments = if question.to_string() == "valid" { ", _: &[u32]" } else { "" };
            let text = format!("pub(crate) const fn #question(self{arguments}) -> bool {{ true }}");
            methods.extend(self.fill(&text, &[("question", one(question))]));
        }
        if let Some((other, questions)) = &self.by {
            for question in questions {
                let is = |(name, _): &&(&str, &str)| question.to_string() == *name;
                let Some((_, answer)) = ANSWERS.iter().find(is) else {
                    return Err(Fault::at(
                        question.span(),
                        "another twin answers no such question",
                    ));
                };
                let text = format!("pub(crate) const fn {answer}");
                methods.extend(self.fill(&text, &[("other", one(other))]));
            }
        }
        let members = self.each(|kind| format!("pub(crate) #f: {},", kind.plain));
        Ok(self.fill(
            "/// The numbers of the transform.
            #[derive(Clone, Copy)]
            pub(crate) struct Plain { #members }

            #[allow(unused_variables)]
            impl Plain { #methods }",
            &[("members", members), ("methods", methods)],
        ))
    }

    /// The index rule over words, which are numbers; over bits, which stand for any number; over many lanes; over any index.
    fn rules(&self) -> TokenStream {
        let rules = [
            ("const fn lower", "crate::transform::Each<crate::index::Word>"),
            ("const fn lower_bits", "crate::transform::Each<crate::index::Bits>"),
            ("const fn lower_many", "crate::transform::Each<crate::index::Many>"),
            ("fn lower_any<I: crate::index::Index>", "[I]"),
        ];
        let rule = |(function, indices)| {
            let text = format!(
                "pub(crate) {function}(self, #up: &{indices}, #low: &mut {indices}) {{ #locals #rule }}"
            );
            self.fill(&text, &[("locals", self.locals(|kind| kind.constant))])
        };
        rules.into_iter().flat_map(rule).collect()
    }

    fn plain_upper(&self) -> TokenStream {
        let lengths = match (self.upper.of, self.upper.items().len()) {
            ("each", _) => "Ok(self.#lengths)",
            ("product", _) => "crate::transform::narrow_one(self.#lengths.elements())",
            (_, 0) => "Ok(crate::number::list::List::EMPTY)",
            (_, 1) => "#locals crate::transform::narrow_one(#items)",
            _ => "#locals crate::transform::narrow_pair(#items)",
        };
        let text = format!(
            "pub(crate) const fn upper_lengths(self) -> Result<crate::number::list::List, crate::number::NumberError> {{
                {lengths}
            }}"
        );
        let locals = ("locals", self.locals(|kind| kind.const_wide));
        self.fill(&text, &[&[locals][..], &self.upper.holes()].concat())
    }

    fn plain_valid(&self) -> TokenStream {
        let Some(valid) = &self.valid else { return TokenStream::new() };
        let text = "pub(crate) const fn valid(self, up: &[u32]) -> bool {
            #locals
            let #of = [crate::index::Word::new(up[0])];
            #skip || #valid
        }";
        let locals = ("locals", self.locals(|kind| kind.constant));
        self.fill(text, &[&[locals][..], &valid.holes()].concat())
    }

    fn plain_check(&self) -> TokenStream {
        let Some(nonzero) = &self.nonzero else { return TokenStream::new() };
        let items = nonzero.items();
        let list = match (nonzero.of, &items[..]) {
            ("", []) => "crate::number::list::List::EMPTY".into(),
            ("", [one]) => format!("crate::number::list::List::one(self.{one})"),
            ("", [one, other]) => {
                format!("crate::number::list::List::pair(self.{one}, self.{other})")
            }
            _ => "self.#lengths".into(),
        };
        let text = format!(
            "pub(crate) const fn check(self, _: &crate::number::list::List) -> Result<(), crate::error::Error> {{
                crate::transform::no_zero(Self::NAME, &{list})
            }}"
        );
        self.fill(&text, &nonzero.holes())
    }

    /// The struct of lengths, its constructor, and the trait of what kernels compute with.
    fn typed(&self) -> TokenStream {
        let known =
            "let #f = match #known { Ok(value) => value, Err(fault) => break 'made Err(fault) };";
        self.fill(
            "#attributes
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct #Name<#generics> { #members }

            impl<#bounded> #Name<#generics> {
                /// The transform of these parameters, in CK Tile's order.
                #[inline]
                #[must_use]
                pub const fn #new(#members) -> Self {
                    Self { #fields }
                }
            }

            impl<#bounded> crate::transform::Transform for #Name<#generics> {
                const SEAL: crate::seal::Seal = crate::seal::Seal;
                const OP: Result<crate::transform::Op, crate::number::NumberError> = 'made: {
                    #known
                    Ok(crate::transform::Op::#Name { #fields })
                };
                const FORM: crate::transform::OpForm = crate::transform::OpForm {
                    op: crate::transform::Op::#Name { #blank },
                    fields: &[#form],
                };
                const AFFINE: bool = Plain::AFFINE;
                const CHECKS: crate::transform::Checks = #checks;

                fn op(&self) -> Result<crate::transform::Op, crate::number::NumberError> {
                    #values
                    Ok(crate::transform::Op::#Name { #fields })
                }

                #[inline(always)]
                #[allow(unused_variables)]
                fn lengths(&self, mut set: impl FnMut(usize, u32)) {
                    #typed
                    #wide
                    #upper
                }

                #[inline(always)]
                #[allow(unused_variables)]
                fn lower<I: crate::index::Index>(
                    &self,
                    #up: &(impl core::ops::Index<usize, Output = I> + ?Sized),
                    #low: &mut (impl core::ops::IndexMut<usize, Output = I> + ?Sized),
                ) {
                    #typed
                    #seen
                    #rule
                }

                #[inline(always)]
                #[allow(unused_variables)]
                fn valid<I: crate::index::Index>(
                    &self,
                    up: &(impl core::ops::Index<usize, Output = I> + ?Sized),
                ) -> Option<I::Mask> {
                    #typed
                    #valid
                }
            }",
            &[
                ("attributes", self.attributes.clone()),
                ("bounded", self.each(|kind| format!("#P: {},", kind.bound))),
                ("members", self.each(|_| "#f: #P,".into())),
                ("new", self.new.iter().flat_map(one).collect()),
                ("known", self.each(|kind| known.replace("#known", kind.known))),
                ("blank", self.each(|kind| format!("#f: {},", kind.blank))),
                ("form", self.each(|kind| format!("{},", kind.form))),
                ("values", self.locals(|kind| kind.value)),
                ("typed", self.locals(|kind| kind.typed)),
                ("seen", self.locals(|kind| kind.seen)),
                ("wide", self.locals(|kind| kind.wide)),
                ("checks", self.checks()),
                ("upper", self.upper()),
                ("valid", self.valid()),
            ],
        )
    }

    /// The part of the checks that the type alone decides: none, or those of a shape, unless the flag skips them.
    fn checks(&self) -> TokenStream {
        let Some(valid) = &self.valid else {
            return self.fill("crate::transform::Checks::none(Plain::AFFINE)", &[]);
        };
        let flag = self.each(|kind| if kind.name == "Check" { "#P".into() } else { String::new() });
        let text = "crate::transform::Checks::#shape(!<#flag as crate::transform::Check>::SKIP)";
        self.fill(text, &[&[("flag", flag)][..], &valid.holes()].concat())
    }

    /// The upper lengths, each given to `set`.
    fn upper(&self) -> TokenStream {
        let text = match self.upper.of {
            "each" => {
                "for (dimension, length) in #lengths.iter().enumerate() { set(dimension, length.value()); }"
            }
            "product" => {
                "let product = #lengths.iter().map(|n| u64::from(n.value())).fold(1, u64::saturating_mul);
                set(0, product as u32);"
            }
            _ => {
                "let lengths: &[u64] = &#lengths;
                for (dimension, length) in lengths.iter().enumerate() { set(dimension, *length as u32); }"
            }
        };
        self.fill(text, &self.upper.holes())
    }

    /// Code that returns whether upper indices have a place below; `None` where none is refused.
    fn valid(&self) -> TokenStream {
        let Some(valid) = &self.valid else { return self.fill("None", &[]) };
        self.fill("let #of = up; if #skip { None } else { Some(#valid) }", &valid.holes())
    }

    /// A pad's constructors.
    fn constructors(&self, arguments: &str, padded: &str) -> TokenStream {
        let lengths = |code: &'static str| {
            self.each(|kind| if kind.name == "Check" { String::new() } else { code.into() })
        };
        let example = |call: &str, count: &str| {
            format!(
                "
                /// ```
                /// use tiledesc_transforms::*;
                ///
                /// let pad = {}::new({arguments}){call};
                /// let row = Packed::new([Dyn(6)])?.transform((pad,), lower![[0]], upper![[0]])?;
                /// let every = 0..row.lengths()[0];
                /// let valid = every.filter(|i| row.coordinate([*i]).is_valid());
                /// assert_eq!(valid.count(), {count});
                /// # Ok::<(), Error>(())
                /// ```
                #[inline]
                #[must_use]",
                self.name
            )
        };
        let text = format!(
            "impl<#bounded> #Name<#lengths crate::transform::Checked> {{
                /// Padding of these lengths; indices in it are invalid.
                ///{checked}
                pub const fn new(#members) -> Self {{
                    Self::with_check(#given crate::transform::Checked)
                }}

                /// Padding of these lengths, with indices in it reported as valid: for memory that goes on there, or a caller that
                /// asks by other means. Their offsets may leave the element space.
                ///{unchecked}
                pub const fn skip_check(self) -> #Name<#lengths crate::transform::Unchecked> {{
                    #Name::with_check(#own crate::transform::Unchecked)
                }}
            }}",
            checked = example("", "6"),
            unchecked = example(".skip_check()", padded),
        );
        self.fill(
            &text,
            &[
                ("bounded", lengths("#P: crate::number::Length,")),
                ("lengths", lengths("#P,")),
                ("members", lengths("#f: #P,")),
                ("given", lengths("#f,")),
                ("own", lengths("self.#f,")),
            ],
        )
    }
}

impl Lengths {
    /// The items of a list, as text.
    fn items(&self) -> Vec<String> {
        match &self.token {
            TokenTree::Group(list) => {
                Reader::within(list).list().iter().map(|item| words(item)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn holes(&self) -> [(&'static str, TokenStream); 2] {
        let items = match &self.token {
            TokenTree::Group(list) => list.stream(),
            _ => TokenStream::new(),
        };
        [("lengths", self.token.clone().into()), ("items", items)]
    }
}

impl Valid {
    fn holes(&self) -> [(&'static str, TokenStream); 4] {
        [
            ("shape", one(&self.shape)),
            ("skip", one(&self.skip)),
            ("of", one(&self.rule.names[0])),
            ("valid", self.rule.code.clone().into()),
        ]
    }
}

/// A name as tokens.
fn one(name: &Ident) -> TokenStream {
    TokenTree::from(name.clone()).into()
}

fn word(reader: &mut Reader, word: &str) -> Read<()> {
    let is = reader.take_word(word).is_some();
    if is { Ok(()) } else { reader.fault(format!("expected `{word}`")) }
}

/// An optional part, behind its word.
fn behind<T>(
    reader: &mut Reader,
    word: &str,
    part: impl Fn(&mut Reader) -> Read<T>,
) -> Read<Option<T>> {
    reader.take_word(word).map(|_| part(reader)).transpose()
}

/// `{ name: P is Kind }`, and of a twin alone `{ name is Kind }`.
fn fields(reader: &mut Reader, is_typed: bool) -> Read<Vec<Field>> {
    let Some(group) = reader.take_group(Delimiter::Brace) else {
        return reader.fault("expected the parameters, `{ length: L is Length }`");
    };
    let (mut reader, mut fields) = (Reader::within(&group), Vec::new());
    while !reader.is_at_end() {
        let name = reader.ident("expected the name of a parameter")?;
        let mut parameter = name.clone();
        if is_typed {
            reader.take_signs(":");
            parameter = reader.ident("expected the type of a parameter")?;
        }
        word(&mut reader, "is")?;
        let kind = reader.ident("expected the kind of a parameter")?;
        let is = |known: &Kind| kind.to_string() == known.name;
        let Some(kind) = [LENGTH, LENGTHS, CHECK, TABLE].into_iter().find(is) else {
            let text = "expected `Length`, `Lengths`, `Check` or `Table`";
            return Err(Fault::at(kind.span(), text));
        };
        fields.push(Field { name, parameter, kind });
        reader.take_sign(',');
    }
    Ok(fields)
}

fn lengths(reader: &mut Reader) -> Read<Lengths> {
    if let Some(list) = reader.take_group(Delimiter::Bracket) {
        let lengths = Lengths { of: "", token: list.into() };
        return match lengths.items().len() {
            0..=2 => Ok(lengths),
            _ => Err(Fault::new(&[lengths.token], "expected at most two lengths")),
        };
    }
    let of = if reader.take_word("product").is_some() { "product" } else { "each" };
    if of == "each" {
        word(reader, of)?;
    }
    Ok(Lengths { of, token: reader.ident("expected the name of a sequence")?.into() })
}

fn rule(reader: &mut Reader, indices: usize) -> Read<Rule> {
    reader.take_sign('|');
    let names = names(reader)?;
    if names.len() != indices {
        return reader.fault("expected `|up, low|` before a rule, and `|up|` before a condition");
    }
    reader.take_sign('|');
    match reader.take_group(Delimiter::Brace) {
        Some(code) => Ok(Rule { names, code: code.into() }),
        None => reader.fault("expected the code of a rule, in braces"),
    }
}

fn valid(reader: &mut Reader) -> Read<Valid> {
    let shape = reader.ident("expected `interval` or `prefix`")?;
    word(reader, "unless")?;
    let skip = reader.ident("expected the name of a flag")?;
    Ok(Valid { shape, skip, rule: rule(reader, 1)? })
}

fn by(reader: &mut Reader) -> Read<(Ident, Vec<Ident>)> {
    let other = reader.ident("expected the method that makes the other twin")?;
    reader.take_signs(":");
    Ok((other, names(reader)?))
}

fn pads(reader: &mut Reader) -> Read<[String; 2]> {
    word(reader, "like")?;
    let arguments = reader.take();
    word(reader, "to")?;
    let text = |token: Option<TokenTree>| token.map_or_else(String::new, |token| token.to_string());
    Ok([text(arguments).trim_matches('"').to_owned(), text(reader.take())])
}

/// Names between commas.
fn names(reader: &mut Reader) -> Read<Vec<Ident>> {
    let mut names = vec![reader.ident("expected a name")?];
    while reader.take_sign(',') {
        names.push(reader.ident("expected a name")?);
    }
    Ok(names)
}
