//! CK Tile's own tile distributions and space-filling curves: every table of a folder,
//! reproduced.
//!
//! ```text
//! GOLDEN_CK_TILE=<folder> cargo test --release --test oracles oracle_distributions:: -- --nocapture
//! ```
//!
//! | field | what must agree |
//! |---|---|
//! | `encoding` | is accepted |
//! | `x_lengths`, `y_lengths`, `top_lengths`, `thread_buffer_size`, `total` | the lengths |
//! | `y_to_d` | the element of each Y index |
//! | `x_index` | the coordinate of each P and Y index, by the encoding and by its plan |
//! | `flat` | the plan, node by node, with CK's hidden ids |
//! | `indices`, `forward_steps` | the accesses of a curve and the distances between them |
//!
//! All other kinds of tables are read by `oracle_ck`, which takes these two through the same
//! reader, so that no table of a folder is left out there.
//!
//! A reader that does not look at a field would pass whatever stands there, so each field of
//! some tables is corrupted in turn, and every fault must be noticed.

use serde_json::Value;
use support::distributions::{curve, distribution};
use support::faults::{Faults, corruptions};
use support::{committed, tables};
use tiledesc_host::exchange::ck;

#[test]
fn every_table_of_the_folder() {
    let (mut distributions, mut points, mut curves, mut accesses) = (0, 0, 0, 0);
    for table in tables("GOLDEN_CK_TILE", "ck_tile") {
        let found = match table.kind() {
            "tile_distribution" => distribution(&table.json, ck::graph).map(|found| {
                distributions += 1;
                points += found;
            }),
            "space_filling_curve" => curve(&table.json).map(|found| {
                curves += 1;
                accesses += found;
            }),
            _ => Ok(()),
        };
        found.unwrap_or_else(|error| panic!("{}: {error}", table.name));
    }
    println!("{distributions} distributions with their graphs, {points} points");
    println!("{curves} curves, {accesses} accesses");
    assert!(distributions > 0 && curves > 0, "the folder holds no distribution or no curve");
}

/// Each field of these is corrupted: of one and of two P, with repetitions that lanes own and
/// that nobody does, with factors of length 1, sampled and whole.
#[test]
fn every_field_is_read() {
    let mut faults = Faults::default();
    let whole = ["dist_mfma_f16_16x16x16_C", "dist_mfma_f16_32x32x8_A"].map(committed);
    let sampled = ["dist_block_A_128x64_2x2warps_32x32x16", "dist_v1_colmajor_dram"]
        .map(|name| first_points(committed(name), 24));
    for table in whole.into_iter().chain(sampled) {
        distribution(&table.json, ck::graph)
            .unwrap_or_else(|error| panic!("{}: {error}", table.name));
        for fault in corruptions(&table.json) {
            faults.judge(&table.name, &fault, distribution(&fault.json, ck::graph).is_err());
        }
    }
    for name in ["sfc_128x128_01_32x64", "sfc_4x4x4_021_1x2x4_nosnake", "sfc_8x6_10_2x3"] {
        let table = committed(name);
        for fault in corruptions(&table.json) {
            faults.judge(name, &fault, curve(&fault.json).is_err());
        }
    }
    faults.report(&[("name", &[], "the name of the table")]);
}

/// The same table with its first points only: thousands would take minutes to corrupt.
fn first_points(mut table: support::Table, count: usize) -> support::Table {
    let rank = table.json["ndim_x"].as_u64().unwrap() as usize;
    let cut = |list: &Value, count| list.as_array().unwrap()[..count].to_vec();
    let ids: Vec<Value> = match table.json.get("sample") {
        Some(sample) => cut(sample, count),
        None => (0..count).map(Value::from).collect(),
    };
    table.json["x_index"] = cut(&table.json["x_index"], count * rank).into();
    table.json["sample"] = ids.into();
    table
}
