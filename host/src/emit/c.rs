//! C, HIP and CUDA C++: shifts bind weaker than `+`, and `&` and `^` weaker still.
//!
//! ```text
//!   m << 6 + k    is m << (6 + k): (m << 6) + k needs its parentheses
//!   k ^ m << 3    is k ^ (m << 3): no parentheses
//!   k ^ m & 7     is k ^ (m & 7), but gcc -Wall warns: they are written
//! ```

use super::form::Form;
use super::infix::{Operator, Rules, Written, body};
use super::language::{
    Function, Language, Program, Returns, Writing, capital_behind, cases, listed,
};

/// C, since C99, and C++: a `static inline` function of `unsigned`, which must have 32 bits.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::emit::C;
/// use tiledesc_host::emit::Emit;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let code = ABlock::default().emit(C, "a_offset", ["m", "k"])?;
/// assert!(code.contains("static inline unsigned a_offset(unsigned m, unsigned k)"), "{code}");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
pub const C: Form = Form::new(&ROW);

pub(super) const ROW: Language = Language {
    title: "C",
    extension: "h",
    reserved: &[WORDS, MACROS],
    library: &[LIBRARY],
    is_of_compiler: |name| name.contains("__") || capital_behind(name, "_"),
    is_of_library: |name| name.starts_with('_'),
    comment: "//",
    writes: Writing::Program(PROGRAM),
};

pub(super) const PROGRAM: Program = Program {
    function: |function| DIALECT.function(function),
    guard: true,
    namespaces: false,
    wide: true,
    constant: |name, value| format!("#define {name} {value}u\n"),
};

pub(super) const DIALECT: Dialect = Dialect {
    kind: "static inline",
    word: "unsigned",
    wide: Some("unsigned long long"),
    truth: "int",
    yes: "1",
    none: "void",
    says_unused: true,
    rules: &Rules { number, wraps },
};

/// The keywords of C and C++, and what its compilers predefine.
pub(super) const WORDS: &str = include_str!("words/c.txt");
/// The macros of the headers of C11 and C23, as glibc and gcc have them: `INT_MAX`, `M_PI`, `EIO`.
pub(super) const MACROS: &str = include_str!("words/c_macros.txt");
/// The functions and types of the library.
pub(super) const LIBRARY: &str = include_str!("words/c_library.txt");

/// The differences between languages with C's operators and statements.
pub(super) struct Dialect {
    /// The words before a function.
    pub(super) kind: &'static str,
    /// An unsigned number of 32 bits. `uint32_t` needs a header that the run-time compilers do not
    /// have.
    pub(super) word: &'static str,
    /// An unsigned number of 64 bits, if the language has one.
    pub(super) wide: Option<&'static str>,
    /// The type of a condition, and one that always holds.
    pub(super) truth: &'static str,
    pub(super) yes: &'static str,
    /// The parameters of a function without.
    pub(super) none: &'static str,
    /// Whether compilers warn about a parameter that is not read.
    pub(super) says_unused: bool,
    pub(super) rules: &'static Rules,
}

impl Dialect {
    pub(super) fn function(&self, function: &Function<'_>) -> String {
        let Function { name, coordinates, returns } = function;
        let Self { kind, word, truth, yes, rules, .. } = self;
        let parameters = match coordinates {
            [] => self.none.to_string(),
            _ => listed(coordinates, |name| format!("{word} {name}")),
        };
        let body = body(rules, name, coordinates, &function.expressions());
        let wide = self.wide.unwrap_or(word);
        let result = match returns {
            Returns::Holds(_) | Returns::Fits => truth,
            Returns::Wide { .. } => wide,
            Returns::Value(_) | Returns::Choice { .. } => word,
        };
        let head = format!("{kind} {result} {name}({parameters}) {{");
        let mut text = format!("{}\n", head.trim_start());
        for unused in function.unused(&body.unused).iter().filter(|_| self.says_unused) {
            text += &format!("    (void){unused};\n");
        }
        for (local, value) in &body.locals {
            text += &format!("    const {word} {local} = {value};\n");
        }
        text += &match returns {
            Returns::Value(_) => format!("    return {};\n", body.values[0].text),
            Returns::Holds(_) => {
                format!("    return {};\n", Written::all_below(&body.values, yes))
            }
            Returns::Choice { by, .. } => self.choice(coordinates[*by], &body.values),
            Returns::Wide { .. } => {
                format!("    return {};\n", Written::wide_sum(&body.values, wide))
            }
            Returns::Fits => format!("    return {};\n", fits(coordinates, wide)),
        };
        text + "}\n"
    }

    /// A `switch`; its default is the value of number 0.
    fn choice(&self, by: &str, values: &[Written]) -> String {
        let mut text = format!("    switch ({by}) {{\n");
        let cases = cases(values);
        for (value, numbers) in cases.iter().skip(1) {
            for number in numbers {
                text += &format!("    case {}:\n", (self.rules.number)(*number as u32));
            }
            text += &format!("        return {value};\n");
        }
        let first = cases.first().map_or("0", |(value, _)| value);
        text + &format!("    default:\n        return {first};\n    }}\n")
    }
}

/// Writes the test that the last offset is below 2^32, and that no index is as large as an origin left of the view: of
/// lengths, and of a pitch for each but the last.
fn fits(coordinates: &[&str], wide: &str) -> String {
    let (lengths, pitches) = coordinates.split_at(coordinates.len().div_ceil(2));
    let each = |one: &dyn Fn(&str) -> String, between: &str| {
        lengths.iter().map(|length| one(length)).collect::<Vec<_>>().join(between)
    };
    let below = each(&|length| format!("{length} <= 2147483648u"), " && ");
    let none = each(&|length| format!("{length} == 0"), " || ");
    let products: Vec<_> = lengths
        .iter()
        .zip(pitches)
        .map(|(length, pitch)| format!("({wide})({length} - 1) * {pitch}"))
        .collect();
    // A sum of products that each fit does not wrap around.
    let apart = match &products[..] {
        [] | [_] => Vec::new(),
        several => several.iter().map(|one| format!("{one} <= 4294967295u")).collect(),
    };
    let last = lengths.last().map(|length| format!("({length} - 1) <= 4294967295u"));
    let sum = products.iter().cloned().chain(last).collect::<Vec<_>>().join(" + ");
    let all = apart.into_iter().chain([sum]).collect::<Vec<_>>().join(" && ");
    format!("{below} && ({none} || ({all}))")
}

/// A number that does not fit `int` would be a `long` without its suffix.
fn number(value: u32) -> String {
    if value > i32::MAX as u32 { format!("{value}u") } else { value.to_string() }
}

/// The level of precedence: the larger binds tighter.
const fn level(operator: Operator) -> u32 {
    match operator {
        Operator::Mul | Operator::Div | Operator::Rem => 5,
        Operator::Add | Operator::Sub => 4,
        Operator::Shl | Operator::Shr => 3,
        Operator::And => 2,
        Operator::Xor => 1,
    }
}

pub(super) fn wraps(outer: Operator, inner: Operator, right: bool) -> bool {
    let by_precedence = match (outer, inner) {
        // In wrapping arithmetic the order of these does not matter.
        (Operator::Add, Operator::Add | Operator::Sub) | (Operator::Xor, Operator::Xor) => false,
        _ => level(inner) < level(outer) || level(inner) == level(outer) && right,
    };
    by_precedence || warned_about(outer, inner)
}

/// Returns whether `-Wparentheses` wants parentheses that the operators do not need.
fn warned_about(outer: Operator, inner: Operator) -> bool {
    let sum = matches!(inner, Operator::Add | Operator::Sub);
    match outer {
        Operator::Shl | Operator::Shr | Operator::And => sum,
        Operator::Xor => sum || inner == Operator::And,
        _ => false,
    }
}
