//! The words of labels and titles: coordinates, ranges, numbers of things.

use crate::Error;
use core::fmt::Write;
use tiledesc::List;
use tiledesc::chip::Instruction;

/// The most cells of a figure: 65,536 are 4 MB.
pub(super) const MOST_CELLS: u64 = 65_536;

pub(super) fn check_cells(cells: u64) -> Result<(), Error> {
    if cells <= MOST_CELLS {
        return Ok(());
    }
    Err(Error::too_large(format!(
        "{cells} cells are more than the {MOST_CELLS} that are drawn: take fewer rows, `.rows(0..64)`"
    )))
}

/// A coordinate, or lengths, without the last dimension.
pub(super) fn leading(list: &List) -> List {
    let numbers = list.as_slice();
    List::new(&numbers[..numbers.len().saturating_sub(1)])
}

/// `3,17`
pub(super) fn plain(index: &List) -> String {
    joined(index, ",")
}

/// `(3, 17)`
pub(super) fn coordinate(index: &List) -> String {
    format!("({})", joined(index, ", "))
}

fn joined(index: &List, between: &str) -> String {
    index.as_slice().iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}

/// `0-3 20-23`: ascending numbers, neighbours joined.
pub(super) fn ranges(numbers: &[usize], between: &str) -> String {
    let (mut text, mut i) = (String::new(), 0);
    while i < numbers.len() {
        let first = i;
        while i + 1 < numbers.len() && numbers[i + 1] == numbers[i] + 1 {
            i += 1;
        }
        if first > 0 {
            text.push_str(between);
        }
        let _ = match i - first {
            0 => write!(text, "{}", numbers[first]),
            _ => write!(text, "{}-{}", numbers[first], numbers[i]),
        };
        i += 1;
    }
    text
}

/// `bank 4`, `banks 4-7`
pub(super) fn counted(name: &str, first: usize, count: usize) -> String {
    if count == 1 {
        format!("{name} {first}")
    } else {
        format!("{name}s {first}-{}", first + count - 1)
    }
}

/// `ds_read_b128 on gfx942`
pub(super) fn named(instruction: &Instruction) -> String {
    match instruction.chip() {
        "" => instruction.name().into(),
        chip => format!("{} on {chip}", instruction.name()),
    }
}

/// `1 cycle`, `32 cycles`
pub(super) fn number(count: u64, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}
