//! Recipes by name, with parameters by name: for tools that read both from a file.
//!
//! ```text
//!   recipe = "gemm-xor"      GemmXor       M, K, KPack
//!   kpack = 8                KPack         8
//! ```
//!
//! A name is compared without case, `-` and `_`, so that `gemm-xor`, `gemm_xor` and `GemmXor` are one.

use super::of::every_recipe;
use super::*;
use crate::element::Element;
use tiledesc_transforms::{Error, Plan};

/// A recipe for tools: by name, with run-time numbers.
///
/// ```
/// use tiledesc::{F16, recipe};
///
/// let family = recipe::family::<F16>("gemm-xor").unwrap();
/// assert_eq!((family.name(), family.parameters()), ("GemmXor", &["M", "K", "KPack"][..]));
/// assert_eq!(family.plan(&[128, 64, 8], &[])?.offset(&[3, 17]), Ok(201));
/// assert_eq!(
///     family.plan(&[128, 64, 24], &[]).unwrap_err().to_string(),
///     "K = 64 is not a multiple of KPack = 24",
/// );
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Family {
    name: &'static str,
    parameters: &'static [&'static str],
    page: &'static [&'static str],
    list: Option<&'static str>,
    plan: fn(&[u32], &[u32]) -> Result<Plan, Error>,
}

impl Family {
    /// The name: `GemmXor`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The names of its numbers, in their order: `M`, `K`, `KPack`.
    #[must_use]
    pub const fn parameters(&self) -> &'static [&'static str] {
        self.parameters
    }

    /// The name of the list that comes after the numbers, if one does: `Masks`, `Columns`.
    #[must_use]
    pub const fn list(&self) -> Option<&'static str> {
        self.list
    }

    /// The family's page in this documentation, line by line, in Markdown.
    #[must_use]
    pub const fn page(&self) -> &'static [&'static str] {
        self.page
    }

    /// CK Tile's file, or the words of its page in place of one.
    ///
    /// ```
    /// use tiledesc::{F16, recipe};
    ///
    /// let source = recipe::family::<F16>("GemmTdm").unwrap().source().unwrap();
    /// assert_eq!(source, "`gemm/pipeline/gemm_pipeline_ag_bg_cr_comp_tdm_default_policy.hpp`.");
    /// ```
    #[must_use]
    pub fn source(&self) -> Option<&'static str> {
        let line = self.page.iter().position(|line| line.starts_with(SOURCE))?;
        match self.page[line][SOURCE.len()..].trim() {
            // A long path stands in a line of its own.
            "" => self.page.get(line + 1).map(|next| next.trim()),
            here => Some(here),
        }
    }

    /// The layout of these numbers and, if it takes one, a list.
    ///
    /// # Errors
    ///
    /// The errors of the type, in the same sentences; another number of numbers; a list where none belongs.
    pub fn plan(&self, numbers: &[u32], list: &[u32]) -> Result<Plan, Error> {
        if self.list.is_none() && !list.is_empty() {
            return Err(Error::Rank { wanted: 0, given: list.len() as u32 });
        }
        (self.plan)(numbers, list)
    }
}

/// The beginning of the line with the source.
const SOURCE: &str = " * CK Tile:";

fn counted<const N: usize>(numbers: &[u32]) -> Result<[u32; N], Error> {
    let wrong = Error::Rank { wanted: N as u32, given: numbers.len() as u32 };
    numbers.try_into().map_err(|_| wrong)
}

/// A `Family` for each recipe, from `every_recipe!`. `@one` picks the recipe: those with a list are named, with the
/// names of their numbers and of the list (`@listed`); all others take their parameters' names.
macro_rules! rows {
    ($($Name:ident<$($P:ident),*>)*) => {
        /// The recipes for elements of a type.
        struct Rows<E>(core::marker::PhantomData<E>);

        impl<E: Element> Rows<E> {
            const ALL: &'static [Family] = &[$(rows!(@one $Name [$($P)*])),*];
        }
    };
    (@one GemmXorBits [$($P:ident)*]) => {
        rows!(@listed GemmXorBits [$($P)*] ["M", "K", "KPack", "MLdsLayer"] "Masks")
    };
    (@one DenseXor [$($P:ident)*]) => {
        rows!(@listed DenseXor [$($P)*] ["M", "K", "KPack", "LinePacks"] "Masks")
    };
    (@one LinearPacks [$($P:ident)*]) => {
        rows!(@listed LinearPacks [$($P)*] ["M", "K", "KPack"] "Columns")
    };
    (@listed $Name:ident [$($P:ident)*] $numbers:tt $list:literal) => {
        Family {
            name: stringify!($Name),
            parameters: &$numbers,
            page: of::$Name::<$(rows!(@nothing $P)),*>::PAGE,
            list: Some($list),
            plan: |numbers, list| $Name::<E>(counted(numbers)?, list),
        }
    };
    (@one $Name:ident [$($P:ident)*]) => {
        Family {
            name: stringify!($Name),
            parameters: &[$(stringify!($P)),*],
            page: of::$Name::<$(rows!(@nothing $P)),*>::PAGE,
            list: None,
            plan: |numbers, _| $Name::<E>(counted(numbers)?),
        }
    };
    // A parameter of a recipe whose page alone is wanted.
    (@nothing $P:ident) => { () };
}
every_recipe!(rows);

/// All recipes, for elements of a type.
///
/// ```
/// use tiledesc::{F16, recipe};
///
/// let names = recipe::families::<F16>().iter().map(|family| family.name());
/// assert_eq!(names.filter(|name| name.starts_with("GemmXor")).count(), 4);
/// ```
#[must_use]
pub fn families<E: Element>() -> &'static [Family] {
    Rows::<E>::ALL
}

/// The recipe of this name, compared without case, `-` and `_`.
///
/// ```
/// use tiledesc::{F16, recipe::family};
///
/// assert_eq!(family::<F16>("gemm-xor").unwrap().parameters(), ["M", "K", "KPack"]);
/// assert!(family::<F16>("gemm").is_none());
/// ```
#[must_use]
pub fn family<E: Element>(name: &str) -> Option<&'static Family> {
    families::<E>().iter().find(|family| is_called(family.name, name))
}

/// Returns whether a name of the code is meant: `GemmXor` by `gemm-xor`.
pub(crate) fn is_called(code: &str, name: &str) -> bool {
    plain(code).eq(plain(name))
}

fn plain(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase())
}
