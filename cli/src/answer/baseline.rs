//! A report beside an earlier one: what is new, worse, better, known or gone. What is known passes.

use crate::report::access::{Access, Outcome, Ruling};
use crate::report::audit::{Audit, Line, LineOutcome};
use crate::report::baseline::{Baseline, Since};
use crate::report::check::Check;
use crate::request::baseline::{Badness, Earlier, Item, Kind};
use std::collections::{BTreeMap, HashMap};

/// Marks the accesses of a report by what has become of them since an earlier one. What is no worse passes, and the
/// status is that of the rest.
pub(crate) fn of_check(report: &mut Check, earlier: &Earlier) {
    let mut left = Left::new(earlier);
    let mut all = Vec::new();
    for tile in &mut report.tiles {
        all.extend(tile.accesses.iter_mut().map(|access| (tile.name.clone(), access)));
    }
    let items = all.iter().map(|(tile, access)| of_access(tile, access));
    let found = left.compare(&items.collect::<Vec<_>>());
    for ((_, access), found) in all.into_iter().zip(found) {
        let fails = access.ruling != Ruling::Passes;
        (access.since, access.before) = found.said(fails);
        if access.since.is_some_and(|since| !since.fails()) {
            access.ruling = Ruling::Passes;
        }
    }
    let since = report.accesses().filter_map(|access| access.since).collect::<Vec<_>>();
    report.baseline = Some(left.sum(earlier, &since));
    report.set_status();
}

/// As [`of_check`], of compiled kernels.
pub(crate) fn of_audit(report: &mut Audit, earlier: &Earlier) {
    let mut left = Left::new(earlier);
    let mut all = Vec::new();
    for kernel in report.files.iter_mut().flat_map(|file| file.kernels.iter_mut().flatten()) {
        let (name, chip) = (kernel.kernel.clone(), kernel.chip);
        let lines = kernel.instructions.iter_mut();
        all.extend(lines.map(|line| (Item::key_of_line(&name, chip, &line.opcode), line)));
    }
    let items = all.iter().map(|(key, line)| of_line(key.clone(), line));
    let found = left.compare(&items.collect::<Vec<_>>());
    let is_strict = report.strict;
    for ((_, line), found) in all.into_iter().zip(found) {
        // What is unknown passes unless it is asked for.
        let fails = line.ruling.is_conflict() || is_strict && line.ruling == Ruling::Weak;
        (line.since, line.before) = found.said(fails);
        if line.since.is_some_and(|since| !since.fails()) {
            line.ruling = Ruling::Passes;
        }
    }
    let lines = report.kernels().flat_map(|kernel| &kernel.instructions);
    let since = lines.filter_map(|line| line.since).collect::<Vec<_>>();
    report.baseline = Some(left.sum(earlier, &since));
    report.set_status();
}

fn of_access(tile: &str, access: &Access) -> Item {
    let words = [access.access, access.chip, &access.op, &access.by];
    let kind = match (access.outcome, access.ruling) {
        (Outcome::Race, _) => Kind::Race,
        (Outcome::Conflict, _) => Kind::Conflict,
        (Outcome::Free, Ruling::Weak | Ruling::Unwritten) => Kind::Weak,
        (Outcome::Free, _) => Kind::Free,
    };
    let (degree, lost, base) =
        (u64::from(access.degree), access.conflict_cycles, access.base_cycles);
    let badness = Badness { kind, degree, lost, base };
    Item { key: Item::key_of_access(tile, words, access.name.as_deref()), badness, many: 1 }
}

fn of_line(key: String, line: &Line) -> Item {
    let kind = match (line.outcome, line.ruling) {
        (LineOutcome::Race, _) => Kind::Race,
        (LineOutcome::Conflict, _) => Kind::Conflict,
        (LineOutcome::MayRace, _) => Kind::MayRace,
        (LineOutcome::Unknown, _) | (_, Ruling::Weak) => Kind::Weak,
        (LineOutcome::Free | LineOutcome::Listed, _) => Kind::Free,
    };
    let (degree, base) = (u64::from(line.degree.unwrap_or(0)), line.cycles_without_conflicts);
    let badness = Badness { kind, degree, lost: line.cycles.saturating_sub(base), base };
    Item { key, badness, many: line.lines.len() }
}

/// What became of one item: of instructions that are alike, of the one that fared worst.
#[derive(Clone, Copy)]
struct Found {
    now: Badness,
    /// What it was, if it was there.
    before: Option<Badness>,
}

impl Found {
    /// What is said of it, if something is: of what passes, only that it was worse.
    fn said(self, fails: bool) -> (Option<Since>, Option<String>) {
        let since = match self.before {
            Some(before) if before > self.now => Since::Better,
            _ if !fails => return (None, None),
            None => Since::New,
            Some(before) if before < self.now => Since::Worse,
            Some(_) => Since::Known,
        };
        let is_other = matches!(since, Since::Better | Since::Worse);
        (Some(since), self.before.filter(|_| is_other).map(Badness::text))
    }
}

/// What an earlier report has and is not yet found again, by its key, each as often as it was there.
struct Left(HashMap<String, Vec<Badness>>);

impl Left {
    fn new(earlier: &Earlier) -> Self {
        let mut left: HashMap<String, Vec<Badness>> = HashMap::new();
        for item in &earlier.each {
            let each = std::iter::repeat_n(item.badness, item.many);
            left.entry(item.key.clone()).or_default().extend(each);
        }
        left.values_mut().for_each(|each| each.sort_unstable());
        Self(left)
    }

    /// Each item beside what it was: first all that are as they were, then the worst beside the worst.
    fn compare(&mut self, items: &[Item]) -> Vec<Found> {
        let mut changed = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let known = (0..item.many).filter(|_| self.takes(item)).count();
            changed.push((at, item.many - known));
        }
        let same = |item: &Item| Found { now: item.badness, before: Some(item.badness) };
        let mut found: Vec<_> = items.iter().map(same).collect();
        changed.sort_by_key(|(at, _)| std::cmp::Reverse(items[*at].badness));
        for (at, many) in changed {
            let item = &items[at];
            for _ in 0..many {
                let before = self.0.get_mut(&item.key).and_then(Vec::pop);
                let one = Found { now: item.badness, before };
                // That one of several is new says more than that another is better.
                let rank = |one: &Found| one.said(true).0;
                if rank(&one) > rank(&found[at]) {
                    found[at] = one;
                }
            }
        }
        found
    }

    /// Takes one that is as the item is.
    fn takes(&mut self, item: &Item) -> bool {
        let Some(each) = self.0.get_mut(&item.key) else { return false };
        let at = each.iter().position(|one| *one == item.badness);
        at.map(|at| each.remove(at)).is_some()
    }

    /// What is left is gone.
    fn sum(self, earlier: &Earlier, since: &[Since]) -> Baseline {
        let count = |what| since.iter().filter(|one| **one == what).count();
        let mut gone: BTreeMap<String, usize> = BTreeMap::new();
        for (key, each) in self.0 {
            for one in each.into_iter().filter(|one| one.kind != Kind::Free) {
                *gone.entry(format!("{key}: {} before", one.text())).or_default() += 1;
            }
        }
        let gone = gone.into_iter().map(|(one, many)| match many {
            1 => one,
            many => format!("{one}, {many} times"),
        });
        Baseline {
            file: earlier.file.clone(),
            new: count(Since::New),
            worse: count(Since::Worse),
            better: count(Since::Better),
            known: count(Since::Known),
            gone: gone.collect(),
        }
    }
}
