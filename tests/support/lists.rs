//! Random distributions as lists of factors, and what their lanes hold, by counting digits.

use crate::fuzz::Dice;
use tiledesc::distribution::{DistributionError, Encoding};

/// A factor: its group, 0 for repetitions, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    pub group: usize,
    pub length: u32,
}

/// A distribution as a list of factors in their order, and what wave, lane and thread list.
#[derive(Clone, Debug)]
pub struct Lists {
    pub rank: usize,
    pub factors: Vec<Factor>,
    pub owners: [Vec<usize>; 3],
}

impl Lists {
    /// One to three dimensions of up to three factors, up to two repetitions.
    pub fn random(dice: &mut Dice) -> Self {
        let rank = 1 + dice.below(3) as usize;
        let mut made = Self { rank, factors: Vec::new(), owners: [const { Vec::new() }; 3] };
        for group in 0..=rank {
            let count = if group == 0 { dice.below(3) } else { 1 + dice.below(3) };
            for _ in 0..count {
                let length = dice.of(&[1, 2, 2, 3, 4, 4, 5, 6, 8]);
                let owner = dice.below(if group == 0 { 2 } else { 3 }) as usize;
                let at = made.factors.len();
                made.factors.push(Factor { group, length });
                let place = dice.below(made.owners[owner].len() as u32 + 1) as usize;
                made.owners[owner].insert(place, at);
            }
        }
        made
    }

    pub fn product(&self) -> u32 {
        self.factors.iter().map(|factor| factor.length).product()
    }

    /// A factor in two, neighbours in their owner, or not.
    fn split(&mut self, dice: &mut Dice, backwards: bool) {
        let at = dice.below(self.factors.len() as u32) as usize;
        let Factor { group, length } = self.factors[at];
        let high = dice.of(&[2, 3, 4]);
        if !length.is_multiple_of(high) {
            return;
        }
        self.factors[at].length = high;
        self.factors.insert(at + 1, Factor { group, length: length / high });
        for listed in self.owners.iter_mut().flatten() {
            *listed += usize::from(*listed > at);
        }
        for owner in &mut self.owners {
            if let Some(place) = owner.iter().position(|listed| *listed == at) {
                owner.insert(if backwards { place } else { place + 1 }, at + 1);
            }
        }
    }

    fn swap(&mut self, dice: &mut Dice, owner: usize) {
        let count = self.owners[owner].len() as u32;
        if count > 1 {
            let (one, other) = (dice.below(count) as usize, dice.below(count) as usize);
            self.owners[owner].swap(one, other);
        }
    }

    /// Two factors of one length change their owners: the tile and all numbers stay.
    fn trade(&mut self, dice: &mut Dice) {
        let (one, other) = (dice.below(3) as usize, dice.below(3) as usize);
        let (Some(first), Some(second)) =
            (self.owners[one].len().checked_sub(1), self.owners[other].len().checked_sub(1))
        else {
            return;
        };
        let (first, second) =
            (dice.below(first as u32 + 1) as usize, dice.below(second as u32 + 1) as usize);
        let (a, b) = (self.owners[one][first], self.owners[other][second]);
        let repeats = |at: usize, to: usize| self.factors[at].group == 0 && to == 2;
        if self.factors[a].length == self.factors[b].length
            && !repeats(a, other)
            && !repeats(b, one)
        {
            self.owners[one][first] = b;
            self.owners[other][second] = a;
        }
    }

    /// The same tile and the same numbers, perhaps in other lanes.
    pub fn changed(&self, dice: &mut Dice) -> Self {
        let mut made = self.clone();
        for _ in 0..dice.below(8) {
            match dice.below(12) {
                0..=2 => made.split(dice, false),
                3 => made.split(dice, true),
                4..=8 => made.swap(dice, 2),
                9 | 10 => {
                    let owner = dice.below(2) as usize;
                    made.swap(dice, owner);
                }
                _ => made.trade(dice),
            }
        }
        made
    }

    /// By CK's six parameters.
    pub fn encoding(&self) -> Result<Encoding, DistributionError> {
        let lengths = |group| {
            let of = self.factors.iter().filter(|factor| factor.group == group);
            of.map(|factor| factor.length).collect::<Vec<u32>>()
        };
        let major = |at: &usize| self.factors[*at].group as u32;
        let minor = |at: &usize| {
            let group = self.factors[*at].group;
            self.factors[..*at].iter().filter(|factor| factor.group == group).count() as u32
        };
        let majors =
            self.owners.each_ref().map(|owner| owner.iter().map(major).collect::<Vec<_>>());
        let minors =
            self.owners.each_ref().map(|owner| owner.iter().map(minor).collect::<Vec<_>>());
        let hs: Vec<Vec<u32>> = (1..=self.rank).map(lengths).collect();
        let hs: Vec<&[u32]> = hs.iter().map(Vec::as_slice).collect();
        let ps = (&[&majors[0][..], &majors[1]][..], &[&minors[0][..], &minors[1]][..]);
        Encoding::ck(&lengths(0), &hs, ps, (&majors[2], &minors[2]))
    }

    /// How many numbers an owner has.
    pub fn numbers(&self, owner: usize) -> u32 {
        self.owners[owner].iter().map(|at| self.factors[*at].length).product()
    }

    /// The lengths of the tile.
    pub fn tile(&self) -> Vec<u32> {
        let of = |group| self.factors.iter().filter(move |factor| factor.group == group);
        (1..=self.rank).map(|group| of(group).map(|factor| factor.length).product()).collect()
    }

    /// What each lane of each wave holds, element by element, by counting digits.
    pub fn held(&self) -> Vec<Vec<Vec<u32>>> {
        let lanes = (0..self.numbers(0)).flat_map(|w| (0..self.numbers(1)).map(move |l| [w, l]));
        let elements = |[wave, lane]: [u32; 2]| {
            (0..self.numbers(2)).map(move |element| self.coordinate([wave, lane, element]))
        };
        lanes.map(|lane| elements(lane).collect()).collect()
    }

    pub fn coordinate(&self, numbers: [u32; 3]) -> Vec<u32> {
        let mut digits = vec![0; self.factors.len()];
        for (list, mut number) in self.owners.iter().zip(numbers) {
            for at in list.iter().rev() {
                digits[*at] = number % self.factors[*at].length;
                number /= self.factors[*at].length;
            }
        }
        let mut index = vec![0; self.rank + 1];
        for (factor, digit) in self.factors.iter().zip(digits) {
            index[factor.group] = index[factor.group] * factor.length + digit;
        }
        index.split_off(1)
    }
}

/// A distribution over a tile that its factors cover and need not divide: of each dimension of the lists
/// the lengths of what it becomes.
#[derive(Clone, Debug)]
pub struct Covered {
    pub lists: Lists,
    pub parts: Vec<Vec<u32>>,
}

impl Covered {
    /// Each dimension as it is, shorter, or as two or three that are counted as one.
    pub fn random(dice: &mut Dice, lists: Lists) -> Self {
        let part = |length: u32, dice: &mut Dice| match dice.below(4) {
            0 => vec![],
            1 => vec![1 + dice.below(length)],
            2 => {
                let last = 1 + dice.below(length);
                vec![1 + dice.below(length / last), last]
            }
            _ => {
                let last = 1 + dice.below(length);
                let second = 1 + dice.below(length / last);
                vec![1 + dice.below(length / last / second), second, last]
            }
        };
        let parts = lists.tile().into_iter().map(|length| part(length, dice)).collect();
        Self { lists, parts }
    }

    pub fn encoding(&self) -> Result<Encoding, DistributionError> {
        let parts: Vec<&[u32]> = self.parts.iter().map(Vec::as_slice).collect();
        self.lists.encoding()?.covering(&parts)
    }

    /// The coordinates of what each dimension becomes, row by row.
    fn places(&self) -> Vec<Vec<Vec<u32>>> {
        let all = |lengths: &[u32]| {
            lengths.iter().fold(vec![vec![]], |before: Vec<Vec<u32>>, length| {
                let longer = |index: &Vec<u32>| {
                    let index = index.clone();
                    (0..*length).map(move |i| [&index[..], &[i]].concat()).collect::<Vec<_>>()
                };
                before.iter().flat_map(longer).collect()
            })
        };
        let lengths = self.lists.tile().into_iter().zip(&self.parts);
        lengths
            .map(|(length, part)| {
                all(if part.is_empty() { core::slice::from_ref(&length) } else { part })
            })
            .collect()
    }

    /// The lengths of the tile.
    pub fn tile(&self) -> Vec<u32> {
        let lengths = self.lists.tile().into_iter().zip(&self.parts);
        lengths
            .flat_map(|(length, part)| if part.is_empty() { vec![length] } else { part.clone() })
            .collect()
    }

    /// What each lane of each wave holds, element by element; `None` where it holds nothing.
    pub fn held(&self) -> Vec<Vec<Option<Vec<u32>>>> {
        let places = self.places();
        let of = |counted: &Vec<u32>| {
            let parts = counted.iter().zip(&places);
            let parts: Option<Vec<_>> =
                parts.map(|(n, all)| all.get(*n as usize).cloned()).collect();
            parts.map(|parts| parts.concat())
        };
        self.lists.held().iter().map(|lane| lane.iter().map(of).collect()).collect()
    }
}
