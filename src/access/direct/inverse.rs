//! From an LDS offset to the element that lies there.

use super::refusal::DirectError;
use tiledesc_transforms::{Error, Linear, List, Plan, attempt};

/// A layout, asked backwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inverse<'a> {
    pub(super) plan: &'a Plan,
    /// The map and its inverse, if it is linear over bits.
    pub(super) linear: Option<(Linear, Linear)>,
    /// The first and the last offset of the space, plus one, in elements.
    pub(super) from: u64,
    pub(super) to: u64,
}

impl<'a> Inverse<'a> {
    /// Of a layout no two coordinates of which share an offset.
    pub(super) const fn of(plan: &'a Plan) -> Result<Self, DirectError> {
        let linear = match plan.linear() {
            Ok(map) => match map.inverse() {
                Some(inverse) => Some((map, inverse)),
                None => None,
            },
            Err(_) => None,
        };
        if linear.is_none() {
            attempt!(plan.prove_injective() => DirectError::Layout);
        }
        let from = plan.origin() as u64;
        Ok(Self { plan, linear, from, to: from + plan.element_space() })
    }

    /// The coordinate at an offset; `None` in a hole or outside.
    pub(super) const fn at(&self, offset: u64) -> Result<Option<List>, DirectError> {
        if offset < self.from || offset >= self.to {
            return Ok(None);
        }
        if let Some((map, inverse)) = &self.linear {
            let id = inverse.apply(offset as u32);
            let is_there = map.apply(id) == offset as u32;
            return Ok(if is_there { Some(self.plan.nth(id as u64)) } else { None });
        }
        match self.plan.coordinate_of(offset as u32) {
            Ok(coordinate) => Ok(Some(coordinate)),
            Err(Error::NoCoordinate { .. }) => Ok(None),
            Err(error) => Err(DirectError::Layout(error)),
        }
    }

    /// The first offset from `offset` on at which an element lies.
    pub(super) const fn next(&self, mut offset: u64) -> Result<Option<u64>, DirectError> {
        if offset < self.from {
            offset = self.from;
        }
        while offset < self.to {
            if attempt!(self.at(offset)).is_some() {
                return Ok(Some(offset));
            }
            offset += 1;
        }
        Ok(None)
    }
}
