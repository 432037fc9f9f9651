//! The names of kernels: as the text has them, and as their sources do.
//!
//! ```text
//!   _Z4gemmIfLi128EEvPKfPf       gemm<float, 128>        C++, without parameters
//!   _RNvCsaBcD_7kernels4gemm     kernels::gemm           Rust
//!   attention                    attention               Triton, `extern "C"`
//! ```

use cpp_demangle::{DemangleOptions, Symbol};
use std::fmt;

/// Characters of a demangled name at most: a short mangled name may stand for one that fills the memory.
const MOST: usize = 4096;

/// The name that the source has, without parameters; a name that is not mangled as it is.
///
/// ```
/// use tiledesc_audit::demangled;
///
/// assert_eq!(demangled("_Z4gemmIfLi128EEvPKfPf"), "gemm<float, 128>");
/// assert_eq!(demangled("_ZN7kernels4gemm17h0123456789abcdefE"), "kernels::gemm");
/// assert_eq!(demangled("attention"), "attention");
/// ```
#[must_use]
pub fn demangled(name: &str) -> String {
    let mut out = Bounded(String::new());
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        let is_whole = fmt::Write::write_fmt(&mut out, format_args!("{rust:#}")).is_ok();
        return if is_whole { out.0 } else { name.to_string() };
    }
    // Without the prefix a demangler takes `f` for the type `float`.
    if !name.starts_with("_Z") {
        return name.to_string();
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    match Symbol::new(name).map(|symbol| symbol.structured_demangle(&mut out, &options)) {
        Ok(Ok(())) => out.0,
        _ => name.to_string(),
    }
}

/// A text that ends with an error before it is too long.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        if self.0.len() + words.len() > MOST {
            return Err(fmt::Error);
        }
        self.0.push_str(words);
        Ok(())
    }
}

/// Which names are wanted: those that are called so in the text or in the source; if none is, those that a pattern with `*`
/// and `?` describes, and without any those that contain the word.
pub(crate) fn wanted(names: &[&str], word: &str) -> Vec<bool> {
    let sources: Vec<String> = names.iter().map(|name| demangled(name)).collect();
    let of = |is: &dyn Fn(&str) -> bool| -> Vec<bool> {
        names.iter().zip(&sources).map(|(name, source)| is(name) || is(source)).collect()
    };
    let same = of(&|name| name == word);
    match () {
        () if same.contains(&true) => same,
        () if word.contains(['*', '?']) => of(&|name| fits(name.as_bytes(), word.as_bytes())),
        () => of(&|name| name.contains(word)),
    }
}

/// Returns whether a pattern describes all of a text: `*` any characters, `?` one.
fn fits(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut of, mut star) = (0, 0, None);
    while at < text.len() {
        match pattern.get(of) {
            Some(b'*') => {
                star = Some((at, of));
                of += 1;
            }
            Some(one) if *one == b'?' || *one == text[at] => {
                at += 1;
                of += 1;
            }
            _ => {
                // The last star takes one character more.
                let Some((from, back)) = star else { return false };
                star = Some((from + 1, back));
                (at, of) = (from + 1, back + 1);
            }
        }
    }
    pattern[of..].iter().all(|one| *one == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(demangled("_ZN2ns9transposeIfLi32EEEvPKT_PS1_i"), "ns::transpose<float, 32>");
        assert_eq!(["_Z", "f", "Pf"].map(demangled), ["_Z", "f", "Pf"]);
        // Each step doubles the name: `S_` is all of what was read before.
        let growing = format!("_Z1fI1aE{}", "S0_IS0_S0_E".repeat(40));
        assert!(demangled(&growing).len() <= MOST.max(growing.len()));
    }

    #[test]
    fn choices() {
        let names = ["_Z4gemmIfEvPT_", "_Z4gemmIdEvPT_", "gemm_tail", "copy"];
        let of =
            |word: &str| wanted(&names, word).iter().map(|one| u8::from(*one)).collect::<Vec<_>>();
        assert_eq!(of("gemm"), [1, 1, 1, 0]);
        assert_eq!(of("gemm<float>"), [1, 0, 0, 0]);
        assert_eq!(of("gemm<*>"), [1, 1, 0, 0]);
        assert_eq!(of("????"), [0, 0, 0, 1]);
        assert_eq!(of("copy"), [0, 0, 0, 1]);
        assert_eq!(of("_Z4gemmIdEvPT_"), [0, 1, 0, 0]);
        assert_eq!(of("*tail*"), [0, 0, 1, 0]);
        assert_eq!(of("softmax"), [0; 4]);
    }

    /// The matcher by its definition, on all short texts and patterns.
    #[test]
    fn patterns() {
        fn slow(text: &[u8], pattern: &[u8]) -> bool {
            match pattern.split_first() {
                None => text.is_empty(),
                Some((b'*', rest)) => (0..=text.len()).any(|skip| slow(&text[skip..], rest)),
                Some((one, rest)) => text.split_first().is_some_and(|(first, more)| {
                    (*one == b'?' || one == first) && slow(more, rest)
                }),
            }
        }
        let words = |of: &[u8], most: usize| {
            let mut all = vec![Vec::new()];
            for from in 0.. {
                let Some(one) = all.get(from).filter(|one: &&Vec<u8>| one.len() < most).cloned()
                else {
                    break;
                };
                all.extend(of.iter().map(|letter| [&one[..], &[*letter]].concat()));
            }
            all
        };
        let (texts, patterns) = (words(b"ab", 5), words(b"ab*?", 4));
        for text in &texts {
            for pattern in &patterns {
                assert_eq!(fits(text, pattern), slow(text, pattern), "{text:?} {pattern:?}");
            }
        }
    }
}
