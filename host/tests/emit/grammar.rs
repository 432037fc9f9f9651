//! The judges of parentheses: parsers that take what a language's grammar has and nothing
//! else, and compute.
//!
//! naga takes `a & b + c`, which WGSL's grammar does not have and browsers refuse; gcc warns
//! of `a ^ b + c`. Here both are refused.
//!
//! | | operands |
//! |---|---|
//! | WGSL | `+ -` take `* / %`, which take units; `<< >>` take two units; `&` and `^` chains of units |
//! | C, GLSL | by precedence; `+ -` bare under `<< >> & ^` and `&` bare under `^` are refused |
//! | formulas | chains of `+ -` or of `xor`, of products; `div` and `mod` take units |
//!
//! A unit is a name, a number or a parenthesis. Sources: the syntax rules of the W3C's WGSL
//! (8.19, `shift_expression` and `bitwise_expression`); ISO C99 6.5; gcc's -Wparentheses.

use std::collections::HashMap;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    Name(String),
    Number(u32),
    Binary(Box<Self>, String, Box<Self>),
}

impl Tree {
    /// The value, in wrapping 32-bit arithmetic.
    fn value(&self, names: &Known<'_>) -> u32 {
        match self {
            Self::Name(name) => value_of(names, name),
            Self::Number(value) => *value,
            Self::Binary(a, operator, b) => {
                let (a, b) = (a.value(names), b.value(names));
                match operator.as_str() {
                    "+" => a.wrapping_add(b),
                    "-" => a.wrapping_sub(b),
                    "*" => a.wrapping_mul(b),
                    "/" | "div" => a / b,
                    "%" | "mod" => a % b,
                    "<<" => a << b,
                    ">>" => a >> b,
                    "&" => a & b,
                    "^" | "xor" => a ^ b,
                    _ => unreachable!("{operator}"),
                }
            }
        }
    }
}

/// Names with their values, a dozen: to look through them takes less than to hash one.
type Known<'a> = Vec<(&'a str, u32)>;

fn value_of(names: &Known<'_>, name: &str) -> u32 {
    let found = names.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("{name} is not defined")).1
}

/// What an expression is over parameters and locals.
fn computed(locals: &[(String, Tree)], returned: &Tree, names: &[&str], index: &[u32]) -> u32 {
    let mut known: Known<'_> = names.iter().copied().zip(index.iter().copied()).collect();
    for (name, tree) in locals {
        let value = tree.value(&known);
        known.push((name, value));
    }
    returned.value(&known)
}

/// A function: locals in their order, and what it returns.
pub(crate) struct Parsed {
    pub(crate) locals: Vec<(String, Tree)>,
    pub(crate) returned: Tree,
}

impl Parsed {
    pub(crate) fn value(&self, names: &[&str], index: &[u32]) -> u32 {
        computed(&self.locals, &self.returned, names, index)
    }
}

/// A function of C that may choose what it returns.
pub(crate) struct Choice {
    locals: Vec<(String, Tree)>,
    cases: HashMap<u32, Tree>,
    default: Tree,
}

impl Choice {
    /// The function of a name in a header.
    pub(crate) fn in_header(header: &str, name: &str) -> Self {
        let body = header.split_once(&format!(" {name}(")).unwrap().1;
        let body = body.split_once("{\n").unwrap().1.split_once("\n}\n").unwrap().0;
        let parsed = |text: &str| Grammar::C.expression(text).unwrap();
        let (mut locals, mut cases, mut default) = (Vec::new(), HashMap::new(), None);
        let mut open = Vec::new();
        for line in body.lines().map(str::trim) {
            if let Some(number) = line.strip_prefix("case ") {
                open.push(number.strip_suffix(':').unwrap().parse().unwrap());
            } else if let Some(value) = line.strip_prefix("return ") {
                let value = parsed(value.strip_suffix(';').unwrap());
                match open.is_empty() {
                    true => default = Some(value),
                    false => cases.extend(open.drain(..).map(|number| (number, value.clone()))),
                }
            } else if let Some((name, value)) = line.split_once(" = ") {
                let name = name.strip_prefix("const unsigned ").unwrap().to_owned();
                locals.push((name, parsed(value.strip_suffix(';').unwrap())));
            } else {
                let known = ["switch (access) {", "default:", "}"];
                assert!(known.contains(&line) || line.starts_with("(void)"), "{line}");
            }
        }
        Self { locals, cases, default: default.unwrap() }
    }

    /// What it returns; the number that chooses is the last.
    pub(crate) fn value(&self, names: &[&str], index: &[u32]) -> u32 {
        let chosen = self.cases.get(index.last().unwrap()).unwrap_or(&self.default);
        computed(&self.locals, chosen, names, index)
    }
}

/// A function of C that tells whether comparisons hold.
pub(crate) struct Holds {
    locals: Vec<(String, Tree)>,
    comparisons: Vec<[Tree; 2]>,
}

impl Holds {
    /// The function of a name in a header.
    pub(crate) fn in_header(header: &str, name: &str) -> Self {
        let body = header.split_once(&format!(" {name}(")).unwrap().1;
        let body = body.split_once("{\n").unwrap().1.split_once("\n}\n").unwrap().0;
        let parsed = |text: &str| Grammar::C.expression(text).unwrap();
        let (mut locals, mut comparisons) = (Vec::new(), Vec::new());
        for line in body.lines().map(|line| line.trim().strip_suffix(';').unwrap()) {
            if let Some(condition) = line.strip_prefix("return ") {
                for comparison in condition.split(" && ") {
                    let (value, bound) = comparison.split_once(" < ").unwrap();
                    comparisons.push([parsed(value), parsed(bound)]);
                }
            } else if let Some((name, value)) = line.split_once(" = ") {
                let name = name.strip_prefix("const unsigned ").unwrap().to_owned();
                locals.push((name, parsed(value)));
            } else {
                assert!(line.starts_with("(void)"), "{line}");
            }
        }
        Self { locals, comparisons }
    }

    pub(crate) fn holds(&self, names: &[&str], index: &[u32]) -> bool {
        let value = |tree: &Tree| computed(&self.locals, tree, names, index);
        self.comparisons.iter().all(|[one, bound]| value(one) < value(bound))
    }
}

/// The grammars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    C,
    /// C's, with a `u` on every number.
    Glsl,
    Wgsl,
    Plain,
    Latex,
}

impl Grammar {
    /// The expressions of a text, with the names of locals; the last is the offset.
    pub(crate) fn expressions(self, text: &str) -> Vec<(String, String)> {
        if matches!(self, Self::Plain | Self::Latex) {
            // `f(m, k) = offset, t0 = .., t1 = ..`.
            let (offset, locals) = match text.split_once(" = ").unwrap().1.split_once(", ") {
                None => return vec![(String::new(), text.split_once(" = ").unwrap().1.to_owned())],
                Some(parts) => parts,
            };
            let named = locals.split(", ").map(|local| local.split_once(" = ").unwrap());
            let named = named.map(|(name, value)| (self.name(name), value.to_owned()));
            return named.chain([(String::new(), offset.to_owned())]).collect();
        }
        let body = text.split_once("{\n").unwrap().1.strip_suffix("}\n").unwrap();
        let statements = body.lines().map(|line| line.trim().strip_suffix(';').unwrap());
        let named = statements.filter_map(|statement| match statement.split_once(" = ") {
            Some((name, value)) => {
                Some((name.rsplit(' ').next().unwrap().to_owned(), value.to_owned()))
            }
            None if statement.starts_with("(void)") => None,
            None => Some((String::new(), statement.strip_prefix("return ").unwrap().to_owned())),
        });
        named.collect()
    }

    fn name(self, text: &str) -> String {
        if self == Self::Latex { unescaped(text).trim().to_owned() } else { text.to_owned() }
    }

    /// Parses a whole emitted text.
    pub(crate) fn parsed(self, text: &str) -> Result<Parsed, String> {
        let mut locals = Vec::new();
        for (name, value) in self.expressions(text) {
            locals.push((name, self.expression(&value)?));
        }
        let (_, returned) = locals.pop().ok_or("nothing is returned")?;
        Ok(Parsed { locals, returned })
    }

    /// Parses one expression.
    pub(crate) fn expression(self, text: &str) -> Result<Tree, String> {
        let mut parser = Parser { tokens: tokens(self, text)?, at: 0, grammar: self };
        let tree = parser.whole()?;
        match parser.peek() {
            None => Ok(tree),
            Some(token) => Err(format!("`{token}` does not belong behind {tree:?}")),
        }
    }
}

/// Words, numbers and signs.
fn tokens(grammar: Grammar, text: &str) -> Result<Vec<String>, String> {
    let text = match grammar {
        Grammar::Latex => unescaped(text),
        _ => text.to_owned(),
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '<' | '>' => 2,
            _ if first.is_ascii_alphanumeric() || first == '_' => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let token = rest.get(..length).ok_or("the text ends")?;
        tokens.push(token.to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// LaTeX in the words of plain text; `[ ]` are the brackets that round down.
fn unescaped(text: &str) -> String {
    let mut text = text.replace("\\_", "_");
    while let Some(begin) = text.find("\\mathrm{") {
        let end = begin + text[begin..].find('}').unwrap();
        let name = text[begin + "\\mathrm{".len()..end].to_owned();
        text.replace_range(begin..=end, &name);
    }
    text.replace("\\oplus", "xor")
        .replace("\\bmod", "mod")
        .replace("\\lfloor", "[")
        .replace("\\rfloor", "]")
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
    grammar: Grammar,
}

type Result<T, E = String> = core::result::Result<T, E>;

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn next(&mut self) -> Result<String> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().ok_or_else(|| "the text ends".to_owned())
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        match self.next()? {
            found if found == token => Ok(()),
            found => Err(format!("`{found}` stands where `{token}` should")),
        }
    }

    fn whole(&mut self) -> Result<Tree> {
        match self.grammar {
            Grammar::C | Grammar::Glsl => self.by_precedence(0),
            Grammar::Wgsl => self.wgsl(),
            Grammar::Plain | Grammar::Latex => self.formula(),
        }
    }

    /// A name, a number, a parenthesis; in LaTeX also what rounds down.
    fn unit(&mut self) -> Result<Tree> {
        let token = self.next()?;
        match token.as_str() {
            "(" => {
                let tree = self.whole()?;
                self.expect(")")?;
                Ok(tree)
            }
            "[" if self.grammar == Grammar::Latex => {
                let dividend = self.product()?;
                self.expect("/")?;
                let divisor = self.unit()?;
                self.expect("]")?;
                Ok(binary(dividend, "div", divisor))
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => self.number(&token),
            _ if token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                Ok(Tree::Name(token))
            }
            _ => Err(format!("`{token}` is not an operand")),
        }
    }

    /// In WGSL and GLSL every number has its `u`, in C those that do not fit `int`.
    fn number(&self, token: &str) -> Result<Tree> {
        let (digits, suffix) = match token.strip_suffix('u') {
            Some(digits) => (digits, true),
            None => (token, false),
        };
        let value: u32 = digits.parse().map_err(|_| format!("`{token}` is not a number"))?;
        let right = match self.grammar {
            Grammar::C => suffix == (value > i32::MAX as u32),
            Grammar::Glsl | Grammar::Wgsl => suffix,
            Grammar::Plain | Grammar::Latex => !suffix,
        };
        if right { Ok(Tree::Number(value)) } else { Err(format!("`{token}`: wrong suffix")) }
    }

    /// `operand` and more of them behind these operators.
    fn chain(
        &mut self,
        first: Tree,
        operators: &[&str],
        operand: fn(&mut Self) -> Result<Tree>,
    ) -> Result<Tree> {
        let mut tree = first;
        while let Some(operator) = self.peek()
            && operators.contains(&operator)
        {
            let operator = self.next()?;
            tree = binary(tree, &operator, operand(self)?);
        }
        Ok(tree)
    }

    /// `expression` of WGSL, without what is never emitted.
    fn wgsl(&mut self) -> Result<Tree> {
        let unit = self.unit()?;
        match self.peek() {
            Some("&") => self.chain(unit, &["&"], Self::unit),
            Some("^") => self.chain(unit, &["^"], Self::unit),
            Some("<<" | ">>") => {
                let operator = self.next()?;
                Ok(binary(unit, &operator, self.unit()?))
            }
            _ => {
                let product = self.chain(unit, &["*", "/", "%"], Self::unit)?;
                self.chain(product, &["+", "-"], |parser| {
                    let unit = parser.unit()?;
                    parser.chain(unit, &["*", "/", "%"], Self::unit)
                })
            }
        }
    }

    /// C, from the level of `^` up; an operand that gcc warns of is refused.
    fn by_precedence(&mut self, level: usize) -> Result<Tree> {
        const LEVELS: [&[&str]; 5] = [&["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];
        let Some(operators) = LEVELS.get(level) else { return self.unit() };
        let operand = |parser: &mut Self| {
            let bare = parser.peek() != Some("(");
            let begin = parser.at;
            let tree = parser.by_precedence(level + 1)?;
            let whole = !bare && parser.closes(begin) == parser.at;
            Ok::<_, String>((tree, whole))
        };
        let (mut tree, mut whole) = operand(self)?;
        while let Some(operator) = self.peek()
            && operators.contains(&operator)
        {
            let operator = self.next()?;
            let (right, right_whole) = operand(self)?;
            for (operand, whole) in [(&tree, whole), (&right, right_whole)] {
                if !whole && warned_about(&operator, operand) {
                    return Err(format!("gcc warns of {operand:?} under {operator}"));
                }
            }
            (tree, whole) = (binary(tree, &operator, right), false);
        }
        Ok(tree)
    }

    /// Behind the parenthesis that closes the one at `begin`.
    fn closes(&self, begin: usize) -> usize {
        let mut depth = 0;
        for (i, token) in self.tokens.iter().enumerate().skip(begin) {
            match token.as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return i + 1;
            }
        }
        self.tokens.len()
    }

    /// A chain of sums or of xors, or a quotient or rest of two units.
    fn formula(&mut self) -> Result<Tree> {
        let begin = self.at;
        let first = self.product()?;
        match self.peek() {
            Some("+" | "-") => self.chain(first, &["+", "-"], Self::product),
            Some("xor") => self.chain(first, &["xor"], Self::product),
            Some("div" | "mod") => {
                self.at = begin;
                let unit = self.unit()?;
                let operator = self.next()?;
                if !["div", "mod"].contains(&operator.as_str()) {
                    return Err(format!("`{operator}` before div or mod"));
                }
                Ok(binary(unit, &operator, self.unit()?))
            }
            _ => Ok(first),
        }
    }

    /// `64 * m` in plain text, `64 m` in LaTeX.
    fn product(&mut self) -> Result<Tree> {
        let first = self.unit()?;
        let another = match self.grammar {
            Grammar::Plain => self.peek() == Some("*") && self.next().is_ok(),
            _ => self.peek().is_some_and(|token| {
                let letter = token.starts_with(|c: char| c.is_ascii_alphabetic());
                letter && !["xor", "mod"].contains(&token) || token == "(" || token == "["
            }),
        };
        match (&first, another) {
            (_, false) => Ok(first),
            (Tree::Number(_), true) => Ok(binary(first, "*", self.unit()?)),
            (_, true) => Err(format!("{first:?} is not a number before a product")),
        }
    }
}

fn binary(a: Tree, operator: &str, b: Tree) -> Tree {
    Tree::Binary(Box::new(a), operator.to_owned(), Box::new(b))
}

/// Without parentheses.
fn warned_about(outer: &str, operand: &Tree) -> bool {
    let Tree::Binary(_, inner, _) = operand else { return false };
    match outer {
        "<<" | ">>" | "&" => ["+", "-"].contains(&inner.as_str()),
        "^" => ["+", "-", "&"].contains(&inner.as_str()),
        _ => false,
    }
}

/// An expression without one pair of its parentheses, for each pair.
pub(crate) fn without_a_pair(text: &str) -> Vec<String> {
    let mut open = Vec::new();
    let mut without = Vec::new();
    for (i, c) in text.char_indices() {
        match c {
            '(' => open.push(i),
            ')' => {
                let begin: usize = open.pop().unwrap();
                without.push(format!(
                    "{}{}{}",
                    &text[..begin],
                    &text[begin + 1..i],
                    &text[i + 1..]
                ));
            }
            _ => {}
        }
    }
    without
}
