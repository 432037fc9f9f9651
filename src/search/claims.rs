//! What the accesses of a kernel ask of a tile's layout, as the [descent](super::descent) takes it.
//!
//! A pattern over the row-major tile says which dwords one phase touches. A layout that permutes
//! whole packs moves them to other banks and leaves the pattern what it is, so the tile is laid
//! out once, and not for each candidate.

use super::descent::Claim;
use super::remedy::{Shape, Use};
use crate::access::columns::{Alike, Columns};
use crate::access::placed::Placed;
use crate::bank::span::Span;
use crate::chip::instruction::Service;
use tiledesc_transforms::Plan;

/// Different accesses that are searched for together.
pub(crate) const MOST_CLAIMS: usize = 32;

/// The claims of all accesses, on dwords of the row-major tile.
#[derive(Clone, Copy)]
pub(crate) struct Claims {
    list: [Claim; MOST_CLAIMS],
    len: usize,
    line: u32,
    cycles: u64,
}

impl Claims {
    /// Of a tile; `None` if an access does not say by columns what it touches: padding, lanes
    /// that are inactive, phases that are no cosets, 12 bytes, two addresses.
    pub(crate) const fn of(tile: Shape, uses: &[Use<'_>]) -> Option<Self> {
        let Ok(plan) = Plan::naive(&[tile.rows, tile.columns], &[tile.columns, 1]) else {
            return None;
        };
        let nothing = Claim::new(Span::NONE, 0, 0);
        let mut claims = Self { list: [nothing; MOST_CLAIMS], len: 0, line: 0, cycles: 0 };
        let mut i = 0;
        while i < uses.len() {
            let row = uses[i].instruction;
            let placed = Placed::new(&plan, tile.bits, uses[i].lanes, row);
            let Ok(placed) = placed else { return None };
            let Some(Alike::Columns(columns)) = placed.alike() else { return None };
            if row.parts() > 1 || !row.bytes().is_power_of_two() {
                return None;
            }
            let times = placed.instructions() * uses[i].times as u64;
            let agree = columns.column(0) == 0 || columns.column(1) == 0;
            let served = row.served(row.merged().is_some() && agree);
            if !claims.add(columns, served, row.bytes(), times) {
                return None;
            }
            // Of two sources that disagree both count, unless the row says which.
            if let Some(rival) = row.rival()
                && !row.is_settled()
                && !claims.add(columns, rival, row.bytes(), times)
            {
                return None;
            }
            i += 1;
        }
        if claims.len == 0 { None } else { Some(claims) }
    }

    /// Adds an access; false if it has no claim, or there are too many.
    const fn add(&mut self, columns: &Columns, service: &Service, bytes: u32, times: u64) -> bool {
        let Some(cosets) = service.phases.cosets() else { return false };
        if self.len == MOST_CLAIMS || !service.banks.is_power_of_two() {
            return false;
        }
        let touched = Span::touched(columns, cosets.masks(), bytes);
        let line = service.banks.trailing_zeros();
        let cycles = times * service.phases.count() as u64;
        self.list[self.len] = Claim::new(touched, line, cycles);
        self.len += 1;
        self.line = if line > self.line { line } else { self.line };
        self.cycles += cycles;
        true
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn at(&self, i: usize) -> Claim {
        self.list[i]
    }

    /// The first bit, in dwords, above the banks of all.
    pub(crate) const fn line(&self) -> u32 {
        self.line
    }

    /// The cycles of all without conflicts.
    pub(crate) const fn cycles(&self) -> u64 {
        self.cycles
    }
}
