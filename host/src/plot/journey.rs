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

use super::palette::Ink;
use super::scene::{Block, Cell, Connector, Figure};
use super::subject::Subject;
use super::wording::coordinate;
use crate::Error;
use std::collections::BTreeMap;
use tiledesc::{List, Node, Op, Plan};

/// Characters between top dimensions.
const APART: usize = 24;
/// Characters of a number, and between boxes.
const NUMBER: usize = 7;
const GAP: usize = 2;

/// The place of each hidden dimension: the middle of its number.
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
    /// The level of each transform: below all that it takes.
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
        self.block.cells.push(Cell { x, y, width, ..Cell::new(label, title, ink) });
    }

    /// A number with its middle at a character.
    fn number(&mut self, id: u32, (x, y): (usize, usize), value: u32) {
        self.places.insert(id, (x, y));
        let top = self.plan.top().as_slice().iter().position(|top| *top == id);
        let (title, ink) = match top {
            Some(dimension) => (format!("dimension {dimension} is {value}"), Ink::Step(1)),
            None if (id as usize) < self.plan.bottom_count() => {
                (format!("offset {value}"), Ink::Step(2))
            }
            None => (format!("hidden dimension {id} is {value}"), Ink::Step(0)),
        };
        self.cell(x.saturating_sub(NUMBER / 2), y, NUMBER, format!("{value}"), title, ink);
    }

    /// The middle of what a transform takes.
    fn middle(&self, node: &Node) -> usize {
        let places = node.upper.as_slice().iter().filter_map(|id| self.places.get(id));
        let (sum, count) = places.fold((0, 0), |(sum, count), (x, _)| (sum + x, count + 1));
        sum.checked_div(count).unwrap_or(0)
    }

    /// The boxes of a level from left to right below line `y`, with what they take and give; the
    /// line of the next numbers.
    fn boxes(&mut self, y: usize, mut nodes: Vec<Node>, hidden: &[u32]) -> usize {
        nodes.sort_by_key(|node| (self.middle(node), node.lower.as_slice().first().copied()));
        let (mut free, mut placed, mut connectors) = (0, Vec::new(), Vec::new());
        for node in nodes {
            let label = words(&node.op);
            let ends = node.upper.len().max(node.lower.len());
            let width = (label.chars().count() + 3).max(ends * (NUMBER + 1));
            let x = self.middle(&node).saturating_sub(width / 2).max(free);
            free = x + width + GAP;
            connectors.extend(self.ends(&node, x, width));
            placed.push((node, label, x, width));
        }
        let tracks = tracks(&mut connectors, y + 1);
        let below = y + 1 + tracks;
        connectors.iter_mut().for_each(|connector| connector.to.1 = below);
        self.block.connectors.extend(connectors);
        for (node, label, x, width) in placed {
            self.placed_box(&node, label, (x, below), width, hidden);
        }
        below + 2
    }

    /// A box at its place, and the numbers below it.
    fn placed_box(
        &mut self,
        node: &Node,
        label: String,
        (x, y): (usize, usize),
        width: usize,
        hidden: &[u32],
    ) {
        let values = |ids: &List| {
            let values: Vec<_> =
                ids.as_slice().iter().map(|id| hidden[*id as usize].to_string()).collect();
            values.join(", ")
        };
        let title = format!("{label}: {} to {}", values(&node.upper), values(&node.lower));
        self.cell(x, y, width, label, title, Ink::Blank);
        for (i, id) in node.lower.as_slice().iter().enumerate() {
            let mut at = slot(x, width, i, node.lower.len());
            // One to one stays under where it came from.
            if let ([one], 1) = (node.upper.as_slice(), node.lower.len())
                && let Some((under, _)) = self.places.get(one)
                && (x + 1..x + width - 1).contains(under)
            {
                at = *under;
            }
            self.block.connectors.push(Connector { from: (at, y), to: (at, y + 2), turn: y + 1 });
            self.number(*id, (at, y + 2), hidden[*id as usize]);
        }
    }

    /// The lines into a box: straight down where that leads into it, else to places that are free.
    fn ends(&self, node: &Node, x: usize, width: usize) -> Vec<Connector> {
        let of = |id: &u32| self.places.get(id).copied();
        let mut from: Vec<_> = node.upper.as_slice().iter().filter_map(of).collect();
        from.sort_unstable();
        let inside = |at: usize| (x + 1..x + width - 1).contains(&at);
        let taken: Vec<_> = from.iter().map(|(at, _)| *at).filter(|at| inside(*at)).collect();
        let free = |at: &usize| taken.iter().all(|other| at.abs_diff(*other) > 1);
        let mut slots = (0..from.len()).map(|i| slot(x, width, i, from.len())).filter(free);
        let straight = from.iter().filter(|(at, _)| inside(*at)).map(|one| (*one, one.0));
        let mut ends: Vec<_> = straight.collect();
        // From the left the first free place, from the right the last.
        for one in from.iter().filter(|(at, _)| *at <= x) {
            ends.push((*one, slots.next().unwrap_or(x + width / 2)));
        }
        for one in from.iter().rev().filter(|(at, _)| *at > x && !inside(*at)) {
            ends.push((*one, slots.next_back().unwrap_or(x + width / 2)));
        }
        ends.into_iter().map(|(from, end)| Connector { from, to: (end, 0), turn: 0 }).collect()
    }
}

/// The `i`-th of `of` places across a box.
const fn slot(x: usize, width: usize, i: usize, of: usize) -> usize {
    x + width * (2 * i + 1) / (2 * of)
}

/// Gives every line that is not straight a track of its own between two levels, from line `first` on,
/// such that none runs over another; how many lines the tracks take, at least 1.
fn tracks(connectors: &mut [Connector], first: usize) -> usize {
    let mut left: Vec<usize> =
        (0..connectors.len()).filter(|i| connectors[*i].from.0 != connectors[*i].to.0).collect();
    let mut track = 0;
    while !left.is_empty() {
        // A line that comes down where another ends turns above it.
        let waits = |i: &usize| {
            left.iter().any(|other| other != i && connectors[*other].from.0 == connectors[*i].to.0)
        };
        let mut ready: Vec<usize> = left.iter().copied().filter(|i| !waits(i)).collect();
        if ready.is_empty() {
            ready.push(left[0]);
        }
        let (mut end, mut placed) = (0, Vec::new());
        let low = |one: &Connector| one.from.0.min(one.to.0);
        ready.sort_by_key(|i| low(&connectors[*i]));
        for i in ready {
            if placed.is_empty() || low(&connectors[i]) > end + 1 {
                end = connectors[i].from.0.max(connectors[i].to.0);
                connectors[i].turn = first + track;
                placed.push(i);
            }
        }
        left.retain(|i| !placed.contains(i));
        track += 1;
    }
    track.max(1)
}

impl Subject {
    /// The graph of transforms with a coordinate flowing through it, from the top to the offset.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let figure = Tile::default().figure().journey(&[3, 17])?;
    /// assert!(figure.cells().any(|cell| cell.title() == "offset 201"));
    /// println!("{figure}");
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An invalid layout; a coordinate outside it.
    pub fn journey(&self, index: &[u32]) -> Result<Figure, Error> {
        let plan = self.plan()?;
        let offset = plan.offset(index)?;
        let hidden = plan.evaluate(index);
        let mut ways = Ways { plan, places: BTreeMap::new(), block: Block::default() };
        for (i, id) in plan.top().as_slice().iter().enumerate() {
            ways.number(*id, (APART / 2 + i * APART, 0), hidden[*id as usize]);
        }
        let levels: Vec<(usize, Node)> =
            ways.levels().into_iter().map(|(level, node)| (level, *node)).collect();
        let last = levels.iter().map(|(level, _)| *level + 1).max().unwrap_or(0);
        let mut by_level = vec![Vec::new(); last];
        levels.into_iter().for_each(|(level, node)| by_level[level].push(node));
        let mut y = 0;
        for nodes in by_level {
            y = ways.boxes(y, nodes, &hidden);
        }
        let at = coordinate(&List::from_slice(index).unwrap_or(List::EMPTY));
        let title = format!("{}: {at} is at {offset}", self.name);
        let summary = format!("{title}, through {} transforms.", plan.nodes().len());
        Ok(Figure::new(title, summary)
            .block(ways.block)
            .note("From the coordinate, above, to the offset in elements. A box is a transform."))
    }
}
