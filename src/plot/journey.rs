//! A coordinate on its way to memory, transform by transform.
//!
//! ```text
//!            3           17
//!            |     unmerge 8,8     each box is a transform of the plan,
//!            |      2     1        each number a hidden dimension
//!           xor 128,8     |
//!            ..
//!                 201
//! ```

use super::error::PlotError;
use super::palette::Ink;
use super::scene::{Block, Cell, Figure, Line};
use super::subject::Subject;
use super::wording::coordinate;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use tiledesc_transforms::{List, Node, Op, Plan};

/// Characters between top dimensions.
const APART: usize = 24;
/// Characters of a number, and between boxes.
const NUMBER: usize = 7;
const GAP: usize = 2;
/// Lines from the numbers of one level to those of the next: number, line, box, line.
const LEVEL: usize = 4;

/// Where each hidden dimension is: its level, and the character in its middle.
struct Ways<'a> {
    plan: &'a Plan,
    places: BTreeMap<u32, (usize, usize)>,
    block: Block,
}

/// The transform's name and its numbers: `unmerge 8,8`.
fn words(op: &Op) -> String {
    let fields = format!("{op:?}");
    let is_number = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let numbers: Vec<_> =
        fields.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_number).collect();
    match op {
        Op::PassThrough { .. } => "pass".into(),
        _ => format!("{} {}", op.name(), numbers.join(",")).trim_end().into(),
    }
}

impl Ways<'_> {
    /// The level at which each transform stands: below all that it takes.
    fn levels(&self) -> Vec<(usize, &Node)> {
        let mut level: BTreeMap<u32, usize> =
            self.plan.top().as_slice().iter().map(|id| (*id, 0)).collect();
        let mut nodes = Vec::new();
        for node in self.plan.nodes().iter().rev() {
            let of = |id: &u32| level.get(id).copied().unwrap_or(0);
            let at = node.upper.as_slice().iter().map(of).max().unwrap_or(0);
            node.lower.as_slice().iter().for_each(|id| {
                level.insert(*id, at + 1);
            });
            nodes.push((at, node));
        }
        nodes
    }

    fn cell(&mut self, x: usize, y: usize, width: usize, label: String, title: String, ink: Ink) {
        self.block.width = self.block.width.max(x + width);
        self.block.height = self.block.height.max(y + 1);
        let cell =
            Cell { x, y, width, height: 1, label, title, ink, hatched: false, outlined: false };
        self.block.cells.push(cell);
    }

    /// A number at the middle `x` of its level.
    fn number(&mut self, id: u32, level: usize, x: usize, value: u32) {
        self.places.insert(id, (level, x));
        let top = self.plan.top().as_slice().iter().position(|top| *top == id);
        let (title, ink) = match top {
            Some(dimension) => (format!("dimension {dimension} is {value}"), Ink::Step(1)),
            None if (id as usize) < self.plan.bottom_count() => {
                (format!("offset {value}"), Ink::Step(2))
            }
            None => (format!("hidden dimension {id} is {value}"), Ink::Step(0)),
        };
        self.cell(
            x.saturating_sub(NUMBER / 2),
            level * LEVEL,
            NUMBER,
            format!("{value}"),
            title,
            ink,
        );
    }

    /// The boxes of a level from left to right, with what they take and give.
    fn boxes(&mut self, level: usize, mut nodes: Vec<Node>, hidden: &[u32]) {
        let middle = |ways: &Self, node: &Node| {
            let places = node.upper.as_slice().iter().filter_map(|id| ways.places.get(id));
            let (sum, count) = places.fold((0, 0), |(sum, count), (_, x)| (sum + x, count + 1));
            sum.checked_div(count).unwrap_or(0)
        };
        nodes.sort_by_key(|node| (middle(self, node), node.lower.as_slice().first().copied()));
        let mut free = 0;
        for node in &nodes {
            let label = words(&node.op);
            let ends = node.upper.len().max(node.lower.len());
            let width = (label.chars().count() + 3).max(ends * (NUMBER + 1));
            let x = middle(self, node).saturating_sub(width / 2).max(free);
            free = x + width + GAP;
            let y = level * LEVEL + 2;
            let slot = |i: usize, of: usize| x + width * (2 * i + 1) / (2 * of);
            for (i, id) in node.upper.as_slice().iter().enumerate() {
                let Some(&(from, at)) = self.places.get(id) else { continue };
                let straight = (x + 1..x + width - 1).contains(&at);
                let to = if straight { at } else { slot(i, node.upper.len()) };
                self.block.lines.push(Line { from: (at, from * LEVEL), to: (to, y) });
            }
            let values = |ids: &List| {
                let values: Vec<_> =
                    ids.as_slice().iter().map(|id| hidden[*id as usize].to_string()).collect();
                values.join(", ")
            };
            let title = format!("{}: {} to {}", label, values(&node.upper), values(&node.lower));
            self.cell(x, y, width, label, title, Ink::Blank);
            for (i, id) in node.lower.as_slice().iter().enumerate() {
                let at = match node.upper.as_slice() {
                    // One to one stays under where it came from.
                    [one] if node.lower.len() == 1 => {
                        let under = self.places.get(one).map_or(slot(0, 1), |place| place.1);
                        if (x + 1..x + width - 1).contains(&under) { under } else { slot(0, 1) }
                    }
                    _ => slot(i, node.lower.len()),
                };
                self.block.lines.push(Line { from: (at, y), to: (at, (level + 1) * LEVEL) });
                self.number(*id, level + 1, at, hidden[*id as usize]);
            }
        }
    }
}

impl Subject {
    /// The graph of transforms with a coordinate flowing through it, from the top to the offset.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let figure = Tile::figure().journey(&[3, 17])?;
    /// assert!(figure.cells().any(|cell| cell.title() == "offset 201"));
    /// println!("{figure}");
    /// # Ok::<(), tiledesc::plot::PlotError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A layout that cannot be; a coordinate outside it.
    pub fn journey(&self, index: &[u32]) -> Result<Figure, PlotError> {
        let plan = self.plan()?;
        let offset = plan.offset(index)?;
        let hidden = plan.evaluate(index);
        let mut ways = Ways { plan, places: BTreeMap::new(), block: Block::default() };
        for (i, id) in plan.top().as_slice().iter().enumerate() {
            ways.number(*id, 0, APART / 2 + i * APART, hidden[*id as usize]);
        }
        let levels: Vec<(usize, Node)> =
            ways.levels().into_iter().map(|(level, node)| (level, *node)).collect();
        let last = levels.iter().map(|(level, _)| *level + 1).max().unwrap_or(0);
        let mut by_level = vec![Vec::new(); last];
        levels.into_iter().for_each(|(level, node)| by_level[level].push(node));
        for (level, nodes) in by_level.into_iter().enumerate() {
            ways.boxes(level, nodes, &hidden);
        }
        let at = coordinate(&List::from_slice(index).unwrap_or(List::EMPTY));
        let title = format!("{}: {at} is at {offset}", self.name);
        let summary = format!("{title}, through {} transforms.", plan.nodes().len());
        Ok(Figure::new(title, summary)
            .block(ways.block)
            .note("From the coordinate, above, to the offset in elements. A box is a transform."))
    }
}
