//! Operators between operands, for languages with C's operators: shifts and masks for powers of two, and a
//! local for what is computed more than once.
//!
//! ```text
//!   m % 8 * 8 of 128 rows                     (m & 7) << 3
//!   k / 8 * 8                                 k & 56
//!   two cyclic shifts in a row                 t0 = i / 70, written once and read twice
//! ```
//!
//! What needs parentheses is the language's own rule: C has 16 levels of precedence and puts shifts below `+`, WGSL has
//! few and does not mix operators at all.

use super::expression::{Expression, Node, all_ones};
use std::collections::BTreeMap;

/// An operator of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operator {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    And,
    Xor,
}

impl Operator {
    const fn text(self) -> &'static str {
        match self {
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::And => "&",
            Self::Xor => "^",
        }
    }

    const fn is_arithmetic(self) -> bool {
        matches!(self, Self::Mul | Self::Div | Self::Rem | Self::Add | Self::Sub)
    }

    /// The operator's cost, in shifts: GPUs have no integer divider.
    const fn cost(self) -> usize {
        match self {
            Self::Div | Self::Rem => WORTH_A_NAME,
            _ => 1,
        }
    }
}

/// The cost from which on something that is needed twice is a local: three shifts, sums
/// or masks, or one division.
const WORTH_A_NAME: usize = 3;

/// A machine operation; its operands are places in [`Code::operations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Operation {
    Coordinate(usize),
    Number(u32),
    Binary(usize, Operator, usize),
}

/// The rules by which a language writes expressions.
pub(super) struct Rules {
    /// A number.
    pub(super) number: fn(u32) -> String,
    /// Returns whether `inner` needs parentheses as an operand of `outer`; the flag is set for the right operand.
    pub(super) wraps: fn(Operator, Operator, bool) -> bool,
}

/// The statements of a function.
pub(super) struct Body {
    /// Names and values of locals.
    pub(super) locals: Vec<(String, String)>,
    /// The values that are returned: of several one, as the language chooses.
    pub(super) values: Vec<Written>,
    /// Coordinates on which no value depends.
    pub(super) unused: Vec<usize>,
}

/// A value as text.
pub(super) struct Written {
    pub(super) text: String,
    /// Whether the text is a unit, a sum or a product, which a comparison takes without parentheses.
    is_sum: bool,
}

impl Written {
    /// The comparison with a bound: `m + 8 < 150`, `(k >> 3) < 5`.
    fn below(&self, bound: &Self) -> String {
        let [text, bound] = [self, bound].map(|one| match one.is_sum {
            true => one.text.clone(),
            false => format!("({})", one.text),
        });
        format!("{text} < {bound}")
    }

    /// The sum of products of two values each, and of one more, in a type of more bits.
    pub(super) fn wide_sum(values: &[Self], wide: &str) -> String {
        let pairs = values.chunks_exact(2);
        let rest = pairs.remainder().iter().map(Self::atom);
        let product = |pair: &[Self]| format!("({wide}){} * {}", pair[0].atom(), pair[1].atom());
        let addends: Vec<_> = pairs.map(product).chain(rest).collect();
        match values.len() {
            1 => format!("({wide}){}", addends[0]),
            _ => addends.join(" + "),
        }
    }

    /// A name or a number, or in parentheses.
    fn atom(&self) -> String {
        let is_atom = self.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_atom { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The comparisons of values with the bounds that follow each; `yes` where nothing is to be compared.
    pub(super) fn all_below(values: &[Self], yes: &str) -> String {
        let all: Vec<_> = values.chunks_exact(2).map(|pair| pair[0].below(&pair[1])).collect();
        if all.is_empty() { yes.to_string() } else { all.join(" && ") }
    }
}

/// The body of the function `function` of `names`, over values that share locals.
pub(super) fn body(rules: &Rules, function: &str, names: &[&str], values: &[&Expression]) -> Body {
    let mut code = Code::default();
    let roots: Vec<usize> = values.iter().map(|value| code.expression(value)).collect();
    let taken = |name: &String| name == function || names.contains(&name.as_str());
    let mut fresh = (0..).map(|i: usize| format!("t{i}")).filter(|name| !taken(name));
    let locals: BTreeMap<usize, String> =
        code.shared(&roots).into_iter().filter_map(|place| Some((place, fresh.next()?))).collect();
    let writer = Writer { rules, names, code: &code, locals: &locals };
    let used = |i| code.operations.contains(&Operation::Coordinate(i));
    Body {
        locals: locals.iter().map(|(at, name)| (name.clone(), writer.value(*at))).collect(),
        values: roots.iter().map(|root| writer.written(*root)).collect(),
        unused: (0..names.len()).filter(|i| !used(*i)).collect(),
    }
}

/// All operations, each once, operands before what needs them.
#[derive(Default)]
struct Code {
    operations: Vec<Operation>,
    places: BTreeMap<Operation, usize>,
    /// The nodes that are translated already, by address.
    done: BTreeMap<*const Node, usize>,
}

impl Code {
    fn place(&mut self, operation: Operation) -> usize {
        let next = self.operations.len();
        let place = *self.places.entry(operation).or_insert(next);
        if place == next {
            self.operations.push(operation);
        }
        place
    }

    fn binary(&mut self, a: &Expression, operator: Operator, b: &Expression) -> usize {
        let (a, b) = (self.expression(a), self.expression(b));
        self.place(Operation::Binary(a, operator, b))
    }

    fn with(&mut self, x: &Expression, operator: Operator, number: u32) -> usize {
        let (x, number) = (self.expression(x), self.place(Operation::Number(number)));
        self.place(Operation::Binary(x, operator, number))
    }

    fn expression(&mut self, expression: &Expression) -> usize {
        let address = expression.address();
        if let Some(place) = self.done.get(&address) {
            return *place;
        }
        let place = self.node(&expression.node);
        self.done.insert(address, place);
        place
    }

    fn node(&mut self, node: &Node) -> usize {
        match node {
            Node::Coordinate(dimension) => self.place(Operation::Coordinate(*dimension)),
            Node::Number(value) => self.place(Operation::Number(*value)),
            Node::Add(a, b) => self.binary(a, Operator::Add, b),
            Node::Sub(a, b) => self.binary(a, Operator::Sub, b),
            Node::Xor(a, b) => self.binary(a, Operator::Xor, b),
            Node::Mul(x, n) => match masked(x, *n) {
                Some((x, mask)) => self.with(x, Operator::And, mask),
                None if n.is_power_of_two() => self.with(x, Operator::Shl, n.trailing_zeros()),
                None => self.with(x, Operator::Mul, *n),
            },
            Node::Product(a, b) => self.binary(a, Operator::Mul, b),
            Node::Div(x, n) if n.is_power_of_two() => {
                self.with(x, Operator::Shr, n.trailing_zeros())
            }
            Node::Div(x, n) => self.with(x, Operator::Div, *n),
            Node::Rem(x, n) if n.is_power_of_two() => self.with(x, Operator::And, n - 1),
            Node::Rem(x, n) => self.with(x, Operator::Rem, *n),
            // Refused before.
            Node::Lookup(_) => self.place(Operation::Number(0)),
        }
    }

    /// The places of operations that are needed more than once and cost enough.
    fn shared(&self, roots: &[usize]) -> Vec<usize> {
        let mut uses = vec![0; self.operations.len()];
        for root in roots {
            uses[*root] += 1;
        }
        for operation in &self.operations {
            if let Operation::Binary(a, _, b) = operation {
                uses[*a] += 1;
                uses[*b] += 1;
            }
        }
        let mut costs: Vec<usize> = Vec::new();
        let mut shared = Vec::new();
        for (place, operation) in self.operations.iter().enumerate() {
            let cost = match operation {
                Operation::Binary(a, operator, b) => costs[*a] + costs[*b] + operator.cost(),
                _ => 0,
            };
            let named = uses[place] > 1 && cost >= WORTH_A_NAME;
            if named {
                shared.push(place);
            }
            // A local costs nothing where it is read.
            costs.push(if named { 0 } else { cost });
        }
        shared
    }
}

/// Bits that are cut out and put back where they were: `x / n % m * n` is a mask.
fn masked(cut: &Expression, n: u32) -> Option<(&Expression, u32)> {
    if !n.is_power_of_two() {
        return None;
    }
    let (low, most) = match &*cut.node {
        Node::Rem(low, m) if m.is_power_of_two() => (low, m - 1),
        _ => (cut, all_ones(cut.most)),
    };
    match &*low.node {
        Node::Div(x, by) if *by == n => Some((x, most << n.trailing_zeros())),
        _ => None,
    }
}

struct Writer<'a> {
    rules: &'a Rules,
    names: &'a [&'a str],
    code: &'a Code,
    locals: &'a BTreeMap<usize, String>,
}

impl Writer<'_> {
    fn text(&self, place: usize) -> String {
        self.locals.get(&place).cloned().unwrap_or_else(|| self.value(place))
    }

    fn written(&self, place: usize) -> Written {
        let is_sum = match self.code.operations[place] {
            Operation::Binary(_, operator, _) => {
                self.locals.contains_key(&place) || operator.is_arithmetic()
            }
            _ => true,
        };
        Written { text: self.text(place), is_sum }
    }

    /// The text of a place, also if it has a name.
    fn value(&self, place: usize) -> String {
        match self.code.operations[place] {
            Operation::Coordinate(dimension) => self.names[dimension].to_string(),
            Operation::Number(value) => (self.rules.number)(value),
            Operation::Binary(a, operator, b) => {
                let (a, b) = (self.operand(a, operator, false), self.operand(b, operator, true));
                format!("{a} {} {b}", operator.text())
            }
        }
    }

    fn operand(&self, place: usize, outer: Operator, right: bool) -> String {
        let text = self.text(place);
        let wraps = match self.code.operations[place] {
            Operation::Binary(_, inner, _) if !self.locals.contains_key(&place) => {
                (self.rules.wraps)(outer, inner, right)
            }
            _ => false,
        };
        if wraps { format!("({text})") } else { text }
    }
}
