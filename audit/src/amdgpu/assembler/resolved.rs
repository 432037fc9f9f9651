//! An instruction with numbers in place of symbols and sums.
//!
//! ```text
//!   DS_READ_B64 v[v_a+2:v_a+3], v[v_sld] offset:2*128        with v_a = 4 and v_sld = 12:
//!   ds_read_b64 v[6:7], v[12] offset:256
//! ```

use super::Assembled;
use super::expression::value;
use super::line::{first_word, has_difference, numbered, words};
use crate::amdgpu::text::{is_of_name, is_register_or_mask};
use crate::text::{number, separated};

impl Assembled<'_> {
    /// A branch to `1b` or `1f`, with the label that it means.
    pub(super) fn to_number(&self, code: &str) -> Option<String> {
        // Most lines are told by their last letter.
        if !code.trim_end().ends_with(['b', 'f']) {
            return None;
        }
        let (name, rest) = first_word(code);
        if !["s_branch", "s_cbranch", "s_call"].iter().any(|one| name.starts_with(one)) {
            return None;
        }
        let before = rest.rfind([',', ' ', '\t']).map_or(0, |at| at + 1);
        let (others, target) = rest.split_at(before);
        let digits = target.strip_suffix(['b', 'f'])?;
        let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
        let count = self.numbered.get(digits).copied().unwrap_or(0);
        let label = numbered(digits, count + usize::from(target.ends_with('f')));
        is_number.then(|| format!("{name} {others}{label}"))
    }

    /// Returns whether a line has neither symbols nor sums, as is true of whatever compilers write.
    pub(super) fn is_plain(&self, code: &str) -> bool {
        let (name, rest) = first_word(code);
        let mut names = rest.split(|c| !is_of_name(c));
        let has_symbols =
            !self.symbols.is_empty() && names.any(|one| self.symbols.contains_key(one));
        let has_sums =
            rest.contains(['+', '*', '/', '%', '&', '^', '~', '(', '<', '>', '|', '!', '=']);
        let is_lower = !name.contains(|c: char| c.is_ascii_uppercase());
        let is_sum = has_symbols || has_sums || has_difference(rest);
        // A disassembly's labels are `<L0>:`.
        name.starts_with('.') || code.trim_end().ends_with(':') || !is_sum && is_lower
    }

    /// An instruction with numbers in place of symbols and sums.
    pub(super) fn resolved(&self, code: &str) -> String {
        let mut all = String::with_capacity(code.len());
        for (at, half) in code.split(" :: ").enumerate() {
            if at > 0 {
                all.push_str(" :: ");
            }
            let (name, rest) = first_word(half);
            all.push_str(&name.to_ascii_lowercase());
            for (at, part) in separated(rest).enumerate() {
                all.push_str(if at == 0 { " " } else { ", " });
                let words = words(&self.in_brackets(part));
                let words: Vec<_> = words.iter().map(|word| self.word(word)).collect();
                all.push_str(&words.join(" "));
            }
        }
        all
    }

    /// A part of an instruction with numbers for the sums in the brackets of its registers.
    fn in_brackets(&self, part: &str) -> String {
        let (mut all, mut rest) = (String::new(), part);
        while let Some((before, inner)) = rest.split_once('[') {
            let Some((inner, after)) = inner.split_once(']') else { break };
            let is_register = before.ends_with(|c: char| "vsacp".contains(c));
            let bounds: Option<Vec<_>> =
                inner.split(':').map(|one| value(one, &self.symbols)).collect();
            all.push_str(before);
            match bounds {
                Some(bounds) if is_register => {
                    let bounds: Vec<_> = bounds.iter().map(i64::to_string).collect();
                    all.push_str(&format!("[{}]", bounds.join(":")));
                }
                _ => all.push_str(&format!("[{inner}]")),
            }
            rest = after;
        }
        all + rest
    }

    /// An operand or a modifier with a number in place of a symbol or a sum.
    fn word(&self, word: &str) -> String {
        let resolved = |text: &str| {
            let is_plain = number(text).is_some() || is_register_or_mask(text);
            value(text, &self.symbols).filter(|_| !is_plain).map(|value| value.to_string())
        };
        match word.split_once(':') {
            Some((name, text)) if !name.contains('[') => match resolved(text) {
                Some(text) => format!("{name}:{text}"),
                None => word.to_string(),
            },
            _ => resolved(word).unwrap_or_else(|| word.to_string()),
        }
    }
}
