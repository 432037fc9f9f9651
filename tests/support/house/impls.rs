//! Where a type's methods are: in the room that defines the type, so that a reader of the type sees them all. A room above
//! adds methods only to a *front door*, whose line it is that users write: `Layout::verdict` is `bank`'s.

use super::{House, Order};
use std::collections::{BTreeMap, BTreeSet};

/// A type, and the rooms above its own that may add methods.
pub type Door = (&'static str, &'static [&'static str]);

impl Order {
    /// A sentence for each inherent `impl` in another room than its type's, and for each door that is not used.
    pub fn impls(&self, house: &House, doors: &[Door]) -> Vec<String> {
        let homes = self.homes(house);
        let mut used = BTreeSet::new();
        let mut faults = Vec::new();
        for (file, text) in &house.texts {
            let Some(row) = self.row(file).map(|at| self.rows[at].as_str()) else { continue };
            for (line, name) in inherent(text) {
                let Some(home) = homes.get(name).filter(|home| !home.contains(row)) else {
                    continue;
                };
                let door = doors.iter().find(|(door, rooms)| *door == name && rooms.contains(&row));
                if let Some((door, _)) = door {
                    used.insert((*door, row));
                } else {
                    let home = home.iter().copied().collect::<Vec<_>>().join(" and ");
                    faults.push(format!("{file}:{line}: methods of `{name}`, which is `{home}`'s"));
                }
            }
        }
        let stated = doors.iter().flat_map(|(door, rooms)| rooms.iter().map(|room| (*door, *room)));
        let stale = stated.filter(|one| !used.contains(one));
        faults.extend(stale.map(|(door, room)| format!("`{room}` has no methods of `{door}`")));
        faults
    }

    /// The rows that define each type.
    fn homes<'h>(&'h self, house: &'h House) -> BTreeMap<&'h str, BTreeSet<&'h str>> {
        let mut homes: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (file, text) in &house.texts {
            let Some(row) = self.row(file) else { continue };
            for name in text.lines().filter_map(defined) {
                homes.entry(name).or_default().insert(self.rows[row].as_str());
            }
        }
        homes
    }
}

/// The type that a line defines, in a file that rustfmt has written.
fn defined(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest.trim_start_matches(|sign| sign != ' ').trim_start(),
        None => line,
    };
    let kinds = ["struct ", "enum ", "union "];
    kinds.iter().find_map(|kind| line.strip_prefix(kind)).map(name)
}

/// The types that have an `impl` without a trait, with the line of each.
fn inherent(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    let lines = text.split_inclusive('\n').enumerate().map(move |(number, line)| {
        let begin = from;
        from += line.len();
        (number + 1, begin, line)
    });
    lines.filter(|(_, _, line)| line.starts_with("impl")).filter_map(|(number, begin, _)| {
        let head = text[begin..].split('{').next()?.strip_prefix("impl")?;
        let of = after_generics(head).trim_start();
        let is_of_a_trait = head.contains(" for ");
        (!is_of_a_trait && !name(of).is_empty()).then(|| (number, name(of)))
    })
}

/// What follows `<..>`, in which `>` of an arrow closes nothing.
fn after_generics(head: &str) -> &str {
    let mut depth = 0;
    let end = head.char_indices().find(|(at, sign)| {
        depth += match sign {
            '<' => 1,
            '>' if !head[..*at].ends_with(['-', '=']) => -1,
            _ => 0,
        };
        depth == 0
    });
    match end {
        Some((at, '>')) => &head[at + 1..],
        _ => head,
    }
}

fn name(text: &str) -> &str {
    let end = text.find(|sign: char| !sign.is_alphanumeric() && sign != '_');
    &text[..end.unwrap_or(text.len())]
}
