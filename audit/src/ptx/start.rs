//! What is known when a warp begins.

use super::function::Function;
use super::local::Local;
use super::needed::Needed;
use super::text::WARP;
use crate::kernel::Block;
use crate::value::wide::{self, Wide};
use crate::value::{Reason, Value, Why};
use std::collections::BTreeMap;

/// What is known when a warp begins, and where its registers are kept.
#[derive(Debug)]
pub(crate) struct Start<'t> {
    pub(crate) function: &'t Function,
    /// The number of the warp in its block.
    pub(crate) number: usize,
    /// x, y and z of a block, if they are known.
    pub(crate) block: Option<[u32; 3]>,
    /// Whether the shape is stated; else y and z are whatever the launch says.
    pub(crate) stated: bool,
    /// Whether a warp lies in one row of a block whose shape is not stated.
    pub(crate) in_rows: bool,
    /// Whether x of the block is any multiple of the warp.
    pub(crate) whole_rows: bool,
    pub(crate) symbols: &'t BTreeMap<Box<str>, u32>,
    /// Zeros at the end of the address at which the window of shared memory begins.
    pub(crate) alignment: u32,
    pub(crate) local: &'t Local,
    pub(crate) needed: &'t Needed<'t>,
}

impl Start<'_> {
    /// A special register (PTX ISA, chapter 10, "Special Registers").
    pub(crate) fn special(&self, name: &str, at: usize) -> Wide {
        let unknown = |why| wide::unknown(at, why);
        let lanes = |number: &dyn Fn(usize) -> u32| wide::narrow(Value::lanes(WARP, number));
        let (name, part) = name.split_once('.').unwrap_or((name, ""));
        let i = ["x", "y", "z"].iter().position(|one| *one == part);
        match (name, i) {
            ("%tid", Some(i)) => match self.block {
                Some(block) if i == 0 || self.stated => {
                    let first = self.number * WARP;
                    lanes(&|lane| Block::item(block, (first + lane) as u32)[i])
                }
                _ if !self.in_rows => wide::narrow(Value::Unknown(Reason { at, why: Why::Start })),
                _ if i == 0 => wide::narrow(Value::in_row(WARP)),
                _ => wide::narrow(Value::shared(0)),
            },
            ("%ntid", Some(i)) => match self.block {
                Some(block) if self.stated => wide::constant(block[i].into()),
                _ if self.whole_rows && i == 0 => wide::narrow(Value::shared(WARP.ilog2())),
                _ => wide::narrow(Value::shared(0)),
            },
            ("%laneid", None) => lanes(&|lane| lane as u32),
            ("%lanemask_eq", None) => lanes(&|lane| 1 << lane),
            ("%lanemask_lt", None) => lanes(&|lane| (1 << lane) - 1),
            ("%lanemask_le", None) => lanes(&|lane| (2_u64.pow(lane as u32 + 1) - 1) as u32),
            ("%lanemask_gt", None) => lanes(&|lane| !((2_u64.pow(lane as u32 + 1) - 1) as u32)),
            ("%lanemask_ge", None) => lanes(&|lane| !((1 << lane) - 1)),
            // The same for all lanes of a warp.
            (
                "%ctaid"
                | "%nctaid"
                | "%clusterid"
                | "%nclusterid"
                | "%cluster_ctaid"
                | "%cluster_nctaid"
                | "%cluster_ctarank"
                | "%cluster_nctarank"
                | "%gridid"
                | "%warpid"
                | "%nwarpid"
                | "%smid"
                | "%nsmid"
                | "%is_explicit_cluster"
                | "%dynamic_smem_size"
                | "%total_smem_size"
                | "%aggr_smem_size",
                _,
            ) => [Value::shared(0), Value::shared(0)],
            _ => unknown(Why::Computed),
        }
    }
}
