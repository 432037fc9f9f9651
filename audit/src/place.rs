//! The line of the source that an instruction was made of, and the calls that were inlined on the way to it.
//!
//! ```text
//!   PTX     .loc 2 314 12, function_name $L, inlined_at 1 63 12     standard.py:314, called in kernels.py:63
//!   AMDGPU  .loc 2 314 12   ; standard.py:314:12 @[ kernels.py:63:12 ]
//!   SASS    //## File "standard.py", line 314 inlined at "kernels.py", line 63
//! ```
//!
//! A call may be inlined where another one was: PTX says so by an earlier `.loc` of the caller's place.
//!
//! Sources: NVIDIA, "Parallel Thread Execution ISA", ".loc"; LLVM, `lib/IR/DebugLoc.cpp`, `DebugLoc::print`.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

/// A line of the source that an instruction was made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file's name, without folders.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The file with its folders, as the compiler was told.
    pub path: String,
    /// The call that was inlined there.
    pub caller: Option<Arc<Self>>,
}

/// Calls inside each other at most: no compiler inlines deeper, and a text may be wrong.
const DEPTH: usize = 64;

impl Place {
    /// A line of a file, which a call in `caller` has led to.
    pub(crate) fn new(path: &str, line: u32, caller: Option<Arc<Self>>) -> Self {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path).to_string();
        Self { file, line, path: path.to_string(), caller }
    }

    /// This place, then the call that led to it, and so on to the kernel's own line.
    ///
    /// ```
    /// use tiledesc_audit::{Options, audit};
    ///
    /// let text = "
    /// .version 8.0
    /// .target sm_90
    /// .file 1 \"/src/kernels.py\"
    /// .file 2 \"/lib/standard.py\"
    /// .visible .entry sum() {
    ///     .loc 1 63 12
    ///     .loc 2 314 12, function_name $L__info_string0, inlined_at 1 63 12
    ///     st.shared.b32 [16], 0;
    ///     ret;
    /// }";
    /// let kernels = audit(text, &Options::default())?;
    /// let place = kernels[0].sites[0].place.as_deref().unwrap();
    /// assert_eq!(place.frames().map(|one| one.line).collect::<Vec<_>>(), [314, 63]);
    /// assert_eq!(place.to_string(), "standard.py:314 in kernels.py:63");
    /// # Ok::<(), tiledesc_audit::Error>(())
    /// ```
    pub fn frames(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |one| one.caller.as_deref()).take(DEPTH)
    }
}

impl fmt::Display for Place {
    /// `kernels.py:63`, or of an inlined function `standard.py:314 in kernels.py:63`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        match self.frames().last() {
            Some(outer) if self.caller.is_some() => write!(f, " in {}:{}", outer.file, outer.line),
            _ => Ok(()),
        }
    }
}

/// A place as a text names it, by the number of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loc {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) caller: Option<Arc<Self>>,
}

impl Loc {
    /// Calls inside each other.
    pub(crate) fn depth(&self) -> usize {
        std::iter::successors(self.caller.as_ref(), |one| one.caller.as_ref()).take(DEPTH).count()
    }

    /// A place that a call has led to; without the call if there are too many inside each other.
    pub(crate) fn new(file: u32, line: u32, caller: Option<Arc<Self>>) -> Self {
        let caller = caller.filter(|one| one.depth() + 2 < DEPTH);
        Self { file, line, caller }
    }

    /// The place, by the names of all files.
    fn named(&self, files: &BTreeMap<u32, String>) -> Option<Place> {
        let caller = self.caller.as_ref().and_then(|one| one.named(files)).map(Arc::new);
        Some(Place::new(files.get(&self.file)?, self.line, caller))
    }
}

/// The places of a kernel's instructions.
pub(crate) fn named<'l>(
    locs: impl Iterator<Item = Option<&'l Arc<Loc>>>,
    files: &BTreeMap<u32, String>,
) -> Vec<Option<Arc<Place>>> {
    // Instructions of one line share what was read of it.
    let mut known: HashMap<*const Loc, Option<Arc<Place>>> = HashMap::new();
    let mut of = |loc: &'l Arc<Loc>| {
        let place = known.entry(Arc::as_ptr(loc));
        place.or_insert_with(|| loc.named(files).map(Arc::new)).clone()
    };
    locs.map(|loc| of(loc?)).collect()
}

/// The calls of a comment, `standard.py:314:12 @[ kernels.py:63:12 @[ .. ] ]`: those behind the first place.
pub(crate) fn callers(comment: &str) -> Option<Arc<Place>> {
    let frames: Vec<_> = comment.split(" @[ ").skip(1).take(DEPTH - 1).collect();
    let place = |caller: Option<Arc<Place>>, frame: &str| {
        let frame = frame.trim_end_matches([' ', ']']);
        let (rest, last) = frame.rsplit_once(':')?;
        let (path, line) = match rest.rsplit_once(':') {
            Some((path, line)) if line.parse::<u32>().is_ok() => (path, line),
            // Without a column.
            _ => (rest, last),
        };
        let line = line.parse().ok().filter(|line| *line > 0)?;
        Some(Arc::new(Place::new(path, line, caller)))
    };
    frames.iter().rev().try_fold(None, |caller, frame| place(caller, frame).map(Some)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_a_comment() {
        let said = |comment: &str| callers(comment).map(|one| one.to_string());
        assert_eq!(said("a.py:3:1"), None);
        assert_eq!(said("; s.py:314:12 @[ /src/k.py:63:12 ]").as_deref(), Some("k.py:63"));
        let two = "s.py:287:4 @[ s.py:314:12 @[ k.py:63 ] ]";
        assert_eq!(said(two).as_deref(), Some("s.py:314 in k.py:63"));
        assert_eq!(said("s.py:1 @[ nothing ]"), None);
        let deep = "a.py:1:1 @[ ".repeat(100_000);
        assert!(callers(&deep).is_none_or(|one| one.frames().count() < DEPTH));
    }
}
