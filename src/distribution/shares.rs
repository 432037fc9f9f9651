//! An instruction's handing round of elements, as digits: those of the lane that gets an element, and of its place there, that
//! make up the lane that gives the address, and those that make up the element at that address.
//!
//! ```text
//!   ldmatrix, halves    gets: lane = row 8 . quarter 4, element = matrix . pair 2
//!                       gives: lane = matrix . row,     element = quarter . pair
//! ```
//!
//! Which instruction has which is the chip's, [`fragments`](crate::chip).

use tiledesc_transforms::range;

/// A digit of the number of a lane or of an element: of length `length`, counting `below`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) of_lane: bool,
    pub(crate) below: u32,
    pub(crate) length: u32,
}

pub(crate) const fn lane(below: u32, length: u32) -> Share {
    Share { of_lane: true, below, length }
}

pub(crate) const fn element(below: u32, length: u32) -> Share {
    Share { of_lane: false, below, length }
}

/// The digits of the lane that gets an element: those that are the address, and those that are the elements at it; fastest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    pub(crate) address: [Share; 4],
    pub(crate) elements: [Share; 3],
}

/// A digit that is always 0.
pub(crate) const NONE: Share = lane(1, 1);

impl Share {
    /// Returns whether it is the digit that counts `below` in the number of a lane, or of an element.
    const fn is_at(&self, of_lane: bool, below: u32) -> bool {
        self.length > 1 && self.of_lane == of_lane && self.below == below
    }
}

impl Shares {
    pub(super) const COUNT: usize = 7;

    /// A share: those of the elements, then those of the address.
    pub(super) const fn at(&self, i: usize) -> &Share {
        match i.checked_sub(self.elements.len()) {
            Some(of_address) => &self.address[of_address],
            None => &self.elements[i],
        }
    }

    /// The way back: which digits of who gives an address are the lane that gets an element, and which the element there.
    pub(crate) const fn reversed(&self) -> Self {
        Self { address: self.digits(true), elements: self.digits(false) }
    }

    /// The digits of a lane, or of an element in it, as digits of who gives the address; fastest first.
    const fn digits<const MOST: usize>(&self, of_lane: bool) -> [Share; MOST] {
        let (mut digits, mut count, mut below) = ([NONE; MOST], 0, 1);
        while count < MOST
            && let Some(digit) = self.digit(of_lane, below)
        {
            digits[count] = digit;
            below *= digit.length;
            count += 1;
        }
        digits
    }

    const fn digit(&self, of_lane: bool, below: u32) -> Option<Share> {
        match place(&self.address, of_lane, below) {
            Some((at, length)) => Some(lane(at, length)),
            None => match place(&self.elements, of_lane, below) {
                Some((at, length)) => Some(element(at, length)),
                None => None,
            },
        }
    }
}

/// The place and the length of a digit among these, the fastest first.
const fn place(shares: &[Share], of_lane: bool, below: u32) -> Option<(u32, u32)> {
    let mut at = 1;
    range!(i, 0..shares.len(), {
        let Share { length, .. } = shares[i];
        if shares[i].is_at(of_lane, below) {
            return Some((at, length));
        }
        at *= length;
    });
    None
}
