//! The chip that a text is judged on: what the text is compiled for, and what the user states.
//!
//! | the text says | stated may be |
//! |---|---|
//! | nothing, as a disassembly | any chip |
//! | `gfx942`, `gfx942:sramecc+:xnack-` | the same |
//! | `gfx9-4-generic` | a chip of that family, and one must be stated |
//! | `gfx1102`, a chip without rows | one with rows whose name differs in the last letter, or its nearest relative |
//! | `.target sm_80` | the same or a later one, which compiles PTX when it is loaded |
//! | `.target sm_100f` | the same or a later one of the same major version |
//! | `.target sm_90a` | the same |
//! | SASS of `sm_80` | the same or a later one of the same major version |
//!
//! Anything else is a contradiction, and nothing is judged. The lanes of a wave that a stated chip names, as in
//! `gfx1100::wave64`, must be those that the program states.
//!
//! Sources: LLVM, "User Guide for AMDGPU Backend", "Generic Processors"; NVIDIA, "Parallel Thread Execution ISA",
//! ".target".

use crate::error::{Error, ErrorKind};
use crate::kernel::Options;
use tiledesc::chip::{self, Chip, ChipError};

/// Code for several processors, and how their names begin.
const FAMILIES: [(&str, &[&str]); 6] = [
    ("gfx9-generic", &["gfx906"]),
    ("gfx9-4-generic", &["gfx94", "gfx950"]),
    ("gfx10-3-generic", &["gfx103"]),
    ("gfx11-generic", &["gfx11"]),
    ("gfx12-generic", &["gfx120"]),
    ("gfx12-5-generic", &["gfx125"]),
];

/// The lines of a text that tell which assembly it is.
pub(crate) fn first_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take(100_000)
}

/// Returns whether one of these lines begins with one of some words.
pub(crate) fn begins(text: &str, words: &[&str]) -> bool {
    let is_one = |line: &str| words.iter().any(|word| line.trim_start().starts_with(word));
    first_lines(text).any(is_one)
}

/// The chip that a text is judged on, and the block that is stated.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) chip: &'static Chip,
    /// The chip that the text is compiled for, if it is another one.
    pub(crate) compiled_for: Option<String>,
    /// Whether the user states the lanes of a wave.
    pub(crate) names_wave: bool,
    /// x, y and z of a block, if the user states them.
    pub(crate) block: Option<[u32; 3]>,
}

impl Target {
    /// The chip that the user states, which must be able to run what the text is compiled for; or else the text's own.
    pub(crate) fn resolve(options: &Options, text: Option<&str>) -> Result<Self, Error> {
        Self::by(options, text, runs)
    }

    /// The chip of machine code of NVIDIA.
    pub(crate) fn of_code(options: &Options, text: Option<&str>) -> Result<Self, Error> {
        let major =
            |name: &str| plain(name).strip_prefix("sm_")?.parse::<u32>().ok().map(|all| all / 10);
        let runs_code = |text: &str, chip: &str| runs(text, chip) && major(text) == major(chip);
        Self::by(options, text, runs_code)
    }

    fn by(
        options: &Options,
        text: Option<&str>,
        runs: impl Fn(&str, &str) -> bool,
    ) -> Result<Self, Error> {
        let stated = options.chip.as_deref();
        let (name, text) = match (stated, text) {
            (Some(stated), text) => (stated, text),
            (None, Some(text)) => match family(text) {
                Some(chips) => return Err(one_of(text, &chips)),
                None => (text, Some(text)),
            },
            (None, None) => {
                let sentence = "the text does not name its chip: state it, as in --chip gfx942";
                return Err(Error::new(ErrorKind::NoChip, sentence));
            }
        };
        let name = plain(name);
        let chip = match chip::find(name) {
            Ok(chip) => chip,
            Err(error) => {
                let other = match error {
                    ChipError::NoChip { nearest } if name.starts_with("gfx") => nearest,
                    _ => later(name, &runs),
                };
                let other = other.filter(|_| stated.is_none());
                let state = |first| Err(state_another(name, first, &error));
                let no_rows = || Err(Error::new(ErrorKind::Chip, format!("{name}: {error}")));
                return other.map_or_else(no_rows, state);
            }
        };
        let other = text.filter(|text| plain(text) != chip.product());
        if let Some(text) = other.filter(|text| !runs(text, chip.product())) {
            return Err(Error::contradiction(text, chip.name()));
        }
        let names_wave = stated.is_some() && chip.name() != chip.product();
        let (compiled_for, block) = (other.map(str::to_string), options.block);
        Ok(Self { chip, compiled_for, names_wave, block })
    }
}

/// `gfx942` of `gfx942:sramecc+:xnack-`, and `sm_90` of `sm_90a`; `gfx1100::wave64` is a name.
fn plain(name: &str) -> &str {
    if name.starts_with("sm_") {
        return name.trim_end_matches(['a', 'f']);
    }
    match name.split_once(':') {
        Some((chip, rest)) if !rest.starts_with(':') => chip,
        _ => name,
    }
}

/// The first chip with rows that runs code compiled for another one.
fn later(text: &str, runs: impl Fn(&str, &str) -> bool) -> Option<&'static str> {
    chip::CHIPS.iter().map(Chip::product).find(|chip| runs(text, chip))
}

/// The chips of a family that have rows.
fn family(text: &str) -> Option<Vec<&'static str>> {
    let (_, begins) = FAMILIES.iter().find(|(name, _)| *name == text)?;
    let is_in = |chip: &&str| begins.iter().any(|begin| chip.starts_with(begin));
    let mut chips: Vec<_> = chip::CHIPS.iter().map(Chip::product).filter(is_in).collect();
    chips.dedup();
    Some(chips)
}

/// The error of a text for several chips, of which these have rows.
fn one_of(text: &str, chips: &[&str]) -> Error {
    let (all, first) = (chips.join(" or "), chips.first().unwrap_or(&""));
    let (many, one) =
        if chips.len() > 1 { ("several chips", "one, ") } else { ("more than one chip", "") };
    let sentence = format!(
        "the text is compiled for {text}, which is {many}: state {one}{all}, as in --chip {first}"
    );
    Error::new(ErrorKind::Chip, sentence)
}

/// The error for a chip without rows, if another chip's rows serve.
fn state_another(name: &str, first: &str, error: &ChipError) -> Error {
    let sentence = if name.starts_with("sm_") {
        format!(
            "there are no rows for this chip, but {first} and later ones run what is compiled for it: state one, as in \
             --chip {first}"
        )
    } else {
        format!("{error}: state it, as in --chip {first}, and its rows are taken")
    };
    Error::new(ErrorKind::Chip, format!("{name}: {sentence}"))
}

/// Returns whether code for a chip runs on another, or a chip without rows borrows those of its nearest relative.
fn runs(text: &str, chip: &str) -> bool {
    if let Some(chips) = family(text) {
        return chips.contains(&chip);
    }
    let found = chip::find(plain(text));
    if let (true, Err(ChipError::NoChip { nearest })) = (text.starts_with("gfx"), found) {
        let series = |name: &str| name.get(..plain(text).len() - 1).map(str::to_string);
        return nearest == Some(chip) || series(chip) == series(text);
    }
    let number = |name: &str| plain(name).strip_prefix("sm_")?.parse::<u32>().ok();
    match (number(text), number(chip)) {
        (Some(old), Some(new)) if text.ends_with('f') => old <= new && old / 10 == new / 10,
        (Some(old), Some(new)) => old <= new && !text.ends_with('a'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chip that is missing would contradict a text for its family.
    #[test]
    fn chips_are_in_their_families() {
        let all: Vec<_> = FAMILIES.iter().flat_map(|(name, _)| family(name).unwrap()).collect();
        let own = chip::CHIPS.iter().map(Chip::product).filter(|chip| chip.starts_with("gfx"));
        let mut alone: Vec<_> = own.filter(|chip| !all.contains(chip)).collect();
        alone.dedup();
        let why = "LLVM has no generic processor of these; any other chip belongs in FAMILIES";
        assert_eq!(alone, ["gfx908", "gfx90a"], "{why}");
        let has = |name, chip| family(name).unwrap().contains(&chip);
        assert!(has("gfx11-generic", "gfx1151") && has("gfx12-generic", "gfx1201"));
        assert!(!has("gfx12-generic", "gfx1250") && !has("gfx9-generic", "gfx942"));
    }

    fn resolve(stated: Option<&str>, text: Option<&str>) -> Result<Target, Error> {
        Target::resolve(&Options { chip: stated.map(str::to_string), ..Options::default() }, text)
    }

    /// PTX for a chip without rows runs on later ones; machine code does not.
    #[test]
    fn a_later_chip_is_named() {
        let said = |target: Result<Target, Error>| target.unwrap_err().to_string();
        let ptx = said(resolve(None, Some("sm_52")));
        let wanted = "sm_52: there are no rows for this chip, but sm_70 and later ones run what is compiled for it: state one, as in --chip sm_70";
        assert_eq!(ptx, wanted);
        assert!(!said(Target::of_code(&Options::default(), Some("sm_52"))).contains("--chip"));
        let near = "gfx1102: there are no rows for this chip; its nearest relative with rows is gfx1101: state it, as in --chip gfx1101, and its rows are taken";
        assert_eq!(said(resolve(None, Some("gfx1102"))), near);
        for chip in ["gfx1100", "gfx1101"] {
            let taken = resolve(Some(chip), Some("gfx1102")).unwrap();
            assert_eq!((taken.chip.name(), taken.compiled_for.as_deref()), (chip, Some("gfx1102")));
        }
        assert!(resolve(Some("gfx1030"), Some("gfx1102")).is_err());
        assert!(resolve(Some("gfx942"), Some("gfx950")).is_err());
        assert!(!said(resolve(None, Some("gfx803"))).contains("--chip"));
        assert_eq!(resolve(Some("sm_80"), Some("sm_52")).unwrap().chip.name(), "sm_80");
    }

    /// The table of the module.
    #[test]
    fn what_may_be_stated() {
        let may = |text: &str, chip: &str| resolve(Some(chip), Some(text)).is_ok();
        for (text, chips) in [
            ("gfx942", &["gfx942", "gfx942:sramecc+:xnack-"][..]),
            ("gfx1100", &["gfx1100", "gfx1100::wave64"]),
            ("gfx9-4-generic", &["gfx942", "gfx950"]),
            ("sm_80", &["sm_80", "sm_86", "sm_90", "sm_90a", "sm_100"]),
            ("sm_100f", &["sm_100"]),
            ("sm_90a", &["sm_90", "sm_90a"]),
        ] {
            chips.iter().for_each(|chip| assert!(may(text, chip), "{text} on {chip}"));
        }
        for (text, chips) in [
            ("gfx942", &["gfx950", "gfx90a", "sm_90"][..]),
            ("gfx1100", &["gfx1101", "gfx1201::wave64"]),
            ("gfx9-4-generic", &["gfx90a", "gfx1100"]),
            ("sm_90", &["sm_80", "sm_89", "gfx942"]),
            ("sm_100f", &["sm_90", "sm_120"]),
            ("sm_90a", &["sm_80", "sm_100"]),
        ] {
            chips.iter().for_each(|chip| assert!(!may(text, chip), "{text} on {chip}"));
        }
        let of =
            |stated, text| resolve(stated, text).map(|one| (one.chip.name(), one.compiled_for));
        assert_eq!(of(Some("sm_90"), Some("sm_80")), Ok(("sm_90", Some("sm_80".to_string()))));
        assert_eq!(of(None, Some("sm_90a")), Ok(("sm_90", None)));
        assert_eq!(of(None, None).unwrap_err().kind(), ErrorKind::NoChip);
        let why = |stated, text| of(stated, text).unwrap_err().to_string();
        assert_eq!(
            why(Some("sm_90"), Some("gfx942")),
            "the text is compiled for gfx942, and the chip that is stated, sm_90, does not run it"
        );
        assert_eq!(
            why(None, Some("gfx9-4-generic")),
            "the text is compiled for gfx9-4-generic, which is several chips: state one, gfx942 or gfx950, as in --chip gfx942"
        );
    }
}
