//! The address formulas of `tests/golden/published`: integer arithmetic in which `/`
//! truncates and `^` is xor, so that no crate for formulas reads them.

use crate::published::{Case, Figure, Read};
use tiledesc::access::Addresses;
use tiledesc::chip::Phases;

/// Integer arithmetic on the lane, or lanes one by one:
/// `i=lane%16; j=lane/16; (i*32 + (j ^ i))*8`, or
/// `lane 0 -> 0, lane 1 -> 256, other lanes inactive`.
#[derive(Default)]
pub struct Formula<'a> {
    pub text: Option<&'a str>,
    /// A name with its value, besides the lane's.
    pub given: Option<(&'a str, u64)>,
}

impl<'a> Formula<'a> {
    pub fn of(case: Case<'a>) -> Self {
        Self { text: case.0["address_formula"].as_str(), given: None }
    }

    /// Without a remark such as `, lanes 0 to N-1 active`.
    pub fn arithmetic(&self) -> &'a str {
        let text = self.text.unwrap_or("");
        if text.contains("->") { text } else { text.split(',').next().unwrap_or(text) }
    }

    pub fn uses(&self, name: &str) -> bool {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        self.arithmetic().split(|c| !inside(c)).any(|word| word == name)
    }

    /// The address of a lane; `None` if it is inactive.
    pub fn at(&self, lane: u64) -> Read<Option<u32>> {
        let text = self.arithmetic();
        let given = self.given.map(|(name, value)| (name, value as i64));
        let mut names: Vec<(&str, i64)> = given.into_iter().collect();
        names.extend([("lane", lane as i64), ("work_item", lane as i64)]);
        if text.contains("->") {
            return one_by_one(text, lane, &names);
        }
        let mut parts = text.split(';').rev();
        let last = parts.next().unwrap_or(text);
        for assignment in parts.rev() {
            let (name, value) = assignment.split_once('=').ok_or("a part assigns nothing")?;
            let value = evaluate(value, &names)?;
            names.push((name.trim(), value));
        }
        address(evaluate(last, &names)?).map(Some)
    }

    /// Where it differs from the addresses that a case lists. One that this file cannot
    /// read is listed as not read, since the lanes are there.
    pub fn compare(&self, listed: &Addresses) -> Option<Figure> {
        let text = self.text?;
        let mut active = (0..Phases::LANES).filter(|lane| listed.get(*lane).is_some());
        let lane = active.find(|lane| self.at(*lane as u64) != Ok(listed.get(*lane)))?;
        let (listed, computed) = (listed.get(lane), self.at(lane as u64));
        let told = format!("lane {lane} at {computed:?}, listed at {listed:?}");
        Some(match computed {
            Ok(_) => Figure::new("address_formula", text, told, false),
            Err(error) => {
                Figure::unread("address_formula", text, format!("formula not read: {error}"))
            }
        })
    }
}

pub fn address(value: i64) -> Read<u32> {
    u32::try_from(value).map_err(|_| format!("{value} is not an address"))
}

/// `lane 0 -> 0, lanes 4-7 -> 16*lane, other lanes inactive`.
pub fn one_by_one(text: &str, lane: u64, names: &[(&str, i64)]) -> Read<Option<u32>> {
    let mut found = None;
    for entry in text.split(',').filter(|entry| !entry.trim().ends_with("lanes inactive")) {
        let (lanes, value) = entry.split_once("->").ok_or_else(|| format!("no lane: {entry}"))?;
        let lanes = lanes.trim().trim_start_matches("lane").trim_start_matches('s');
        let (first, last) = lanes.split_once('-').unwrap_or((lanes, lanes));
        let lanes = evaluate(first, names)?..=evaluate(last, names)?;
        let at = address(evaluate(value, names)?)?;
        found = if lanes.contains(&(lane as i64)) { Some(at) } else { found };
    }
    Ok(found)
}

/// Operators, those that bind least first.
pub const OPERATORS: &[&[&str]] =
    &[&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "//", "/", "%"]];

pub fn evaluate(text: &str, names: &[(&str, i64)]) -> Read<i64> {
    let mut reader = Reader { rest: text, names };
    let value = reader.expression(OPERATORS)?;
    let rest = reader.rest.trim();
    if rest.is_empty() { Ok(value) } else { Err(format!("{text}: not understood: {rest}")) }
}

pub struct Reader<'a> {
    pub rest: &'a str,
    pub names: &'a [(&'a str, i64)],
}

impl Reader<'_> {
    pub fn expression(&mut self, levels: &[&[&str]]) -> Read<i64> {
        let [operators, tighter @ ..] = levels else { return self.atom() };
        let mut value = self.expression(tighter)?;
        while let Some(operator) = operators.iter().find(|operator| self.eat(operator)) {
            let right = self.expression(tighter)?;
            let result = apply(operator, value, right);
            value = result.ok_or_else(|| format!("{value} {operator} {right}"))?;
        }
        Ok(value)
    }

    pub fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub fn atom(&mut self) -> Read<i64> {
        if self.eat("(") {
            let value = self.expression(OPERATORS)?;
            return if self.eat(")") { Ok(value) } else { Err(format!("no ): {}", self.rest)) };
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        let named = self.names.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        named.or_else(|| word.parse().ok()).ok_or_else(|| format!("no value: {word}{rest}"))
    }
}

pub fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" | "//" => left.checked_div(right),
        "%" => left.checked_rem(right),
        "<<" => left.checked_shl(u32::try_from(right).ok()?),
        ">>" => left.checked_shr(u32::try_from(right).ok()?),
        "&" => Some(left & right),
        "^" => Some(left ^ right),
        _ => Some(left | right),
    }
}
