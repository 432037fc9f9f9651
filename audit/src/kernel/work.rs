//! The work done for one text, which ends somewhere: 25 million steps, some 5 s.
//!
//! ```text
//!   a kernel of 3,000 instructions, 8 waves, 4 rounds of its loops        96,000 steps
//!   one whose loops do not settle in 25,000,000                           refused by itself
//!   a text of 400 kernels that take more together                         those before are judged, and the last says so
//! ```

use crate::error::{Error, ErrorKind};
use crate::value::Value;
use std::collections::BTreeMap;

/// The work done for one text: instructions that are gone through, in all waves and as often as loops need.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// Steps of all kernels, and of this one.
    spent: usize,
    here: usize,
    /// Kernels that were judged, and all.
    judged: usize,
    all: usize,
    /// Steps of attempts to know more, of all kernels.
    tried: usize,
    /// What instructions write in the first wave, where somebody asks for it.
    pub(crate) seen: Option<BTreeMap<usize, Value>>,
}

/// The most values that the states of all blocks hold together.
pub(crate) const PLACES: usize = 20_000_000;
/// Values that are brought together in the time of an instruction.
pub(crate) const PLACES_A_STEP: usize = 8;

impl Work {
    /// Steps of a text at most; a step is a fifth of a microsecond.
    const MOST: usize = 25_000_000;

    /// Begins a kernel.
    const fn begin(&mut self, judged: usize, all: usize) {
        (self.judged, self.all, self.here) = (judged, all, 0);
    }

    /// Judges the kernels that are wanted one by one, as far as the work allows.
    pub(crate) fn each<F, K>(
        mut self,
        functions: impl Iterator<Item = F>,
        wanted: &[bool],
        mut judge: impl FnMut(F, &mut Self) -> Result<K, Error>,
    ) -> Vec<Result<K, Error>> {
        let mut kernels = Vec::new();
        let all = wanted.iter().filter(|one| **one).count();
        for (function, _) in functions.zip(wanted).filter(|(_, is_wanted)| **is_wanted) {
            self.begin(kernels.len(), all);
            kernels.push(judge(function, &mut self));
            if kernels.last().is_some_and(|last| {
                last.as_ref().is_err_and(|error| error.kind() == ErrorKind::Work)
            }) {
                break;
            }
        }
        kernels
    }

    /// The work that an attempt to know more may do: what it spends is not the kernel's, so that none is refused for it.
    pub(crate) fn extra(&self) -> Self {
        let spent = Self::MOST - Self::MOST / 8 + self.tried.min(Self::MOST) / 8;
        Self { spent, here: 0, ..Self::default() }
    }

    /// The work of somebody who asks what instructions write.
    pub(crate) fn seeing() -> Self {
        Self { seen: Some(BTreeMap::new()), ..Self::default() }
    }

    /// Notes what an instruction writes, if somebody asks.
    pub(crate) fn see(&mut self, at: usize, value: impl FnOnce() -> Option<Value>) {
        if let Some(seen) = &mut self.seen
            && !seen.contains_key(&at)
            && let Some(value) = value()
        {
            seen.insert(at, value);
        }
    }

    /// Counts the work of an attempt.
    pub(crate) fn take(&mut self, extra: &Self) {
        self.tried = self.tried.saturating_add(extra.here);
    }

    /// Goes some steps.
    pub(crate) fn spend(&mut self, kernel: &str, steps: usize) -> Result<(), Error> {
        self.here += steps;
        self.spent += steps;
        let Self { judged, all, .. } = *self;
        match () {
            () if self.here > Self::MOST => {
                Err(Error::too_large(kernel, "the addresses in its loops did not settle"))
            }
            () if self.spent > Self::MOST => {
                let sentence = format!(
                    "the {all} kernels of this text take more work than one run does: it ended \
                     after {judged}; --kernel NAME judges one, such as {kernel}"
                );
                Err(Error::new(ErrorKind::Work, sentence))
            }
            () => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was judged before the work of a text ended is kept, and the last entry says where it ended.
    #[test]
    fn what_was_judged_is_kept() {
        let judge = |steps: usize, work: &mut Work| work.spend("f", steps * (Work::MOST / 4));
        let all = Work::default().each([1, 1, 5, 1, 1, 1].into_iter(), &[true; 6], judge);
        let said: Vec<_> =
            all.iter().map(|one| one.as_ref().err().map(ToString::to_string)).collect();
        let endless = Some("f: the addresses in its loops did not settle".to_string());
        let work = "the 6 kernels of this text take more work than one run does: it ended after 3; --kernel NAME judges \
                    one, such as f";
        assert_eq!(said, [None, None, endless, Some(work.to_string())]);
    }

    /// One kernel that takes all the work has no end, and several have too much of it.
    #[test]
    fn work_ends() {
        let mut work = Work::default();
        work.begin(0, 3);
        assert_eq!(work.spend("f", Work::MOST / 2), Ok(()));
        work.begin(1, 3);
        assert_eq!(work.spend("g", Work::MOST / 2), Ok(()));
        work.begin(2, 3);
        assert_eq!(
            work.spend("h", 2).unwrap_err().to_string(),
            "the 3 kernels of this text take more work than one run does: it ended after 2; \
             --kernel NAME judges one, such as h"
        );
        let endless = Work::default().spend("f", Work::MOST + 1).unwrap_err();
        assert_eq!(endless.to_string(), "f: the addresses in its loops did not settle");
    }
}
