//! Which accesses are one tile.

use super::{address, kernel_of};

/// Rows of 64 words, written along a row and read down a column: 32-way, and a mask frees the reads.
fn tile(begin: u32) -> String {
    let (along, down) = ([4, 8, 16, 32, 64, 128], [256, 512, 1024, 2048, 4096, 8192]);
    let rows = (0..64).map(|row| address(begin + row * 256, &along) + "ds_write_b32 v1, v3\n");
    let columns = (0..4).map(|column| address(begin + 4 * column, &down) + "ds_read_b32 v3, v1\n");
    rows.chain(columns).collect()
}

fn advised(code: &str) -> Vec<(usize, Option<[u32; 2]>, String)> {
    let found = kernel_of(64, code).better();
    assert_eq!(found.silence, None);
    found.regions.iter().map(|one| (one.sites.len(), one.bytes, one.to_string())).collect()
}

/// The same bytes for one tile after the other: what the second needs is not asked of the first.
#[test]
fn a_tile_after_another_is_another() {
    // Written and read along rows of 8 bytes: with the mask of the other it would be torn.
    let scratch = address(0, &[8, 16, 32, 64, 128, 256])
        + "ds_write_b64 v1, v[4:5]\nds_read_b64 v[4:5], v1\n";
    let found = advised(&(scratch.clone() + "s_barrier\n" + &tile(0)));
    assert_eq!(found.len(), 1, "{found:?}");
    let (sites, bytes, said) = &found[0];
    assert_eq!((*sites, *bytes), (68, Some([0, 16384])));
    assert_eq!(
        said,
        "bytes 0 to 16383, `byte ^ (byte >> 8 & 31) << 2`: 384 cycles become 136; ds_read_b32 x4 of line 2117 free in place of 32-way"
    );
    // Read once more behind the tile, it is the tile that is read.
    let again = address(0, &[8, 16, 32, 64, 128, 256]) + "ds_read_b64 v[4:5], v1\n";
    let found = advised(&(scratch + "s_barrier\n" + &tile(0) + &again));
    assert_eq!(found[0].0, 69, "{found:?}");
    assert!(!found[0].2.contains("<< 2`: "), "{found:?}");
}

/// A write that some lanes may not do leaves what was there.
#[test]
fn a_write_by_some_lanes_leaves_the_others() {
    let wide = address(0, &[8, 16, 32, 64, 128, 256]);
    let scratch = wide.clone() + "ds_write_b64 v1, v[4:5]\n";
    let narrow = address(0, &[4, 8, 16, 32, 64, 128]) + "ds_write_b32 v1, v3\n";
    let masked = format!(
        "global_load_dword v8, v[4:5], off\nv_cmp_gt_u32_e32 vcc, 32, v8\ns_and_saveexec_b64 s[2:3], vcc\n\
         {narrow}s_or_b64 exec, exec, s[2:3]\n"
    );
    let read = address(0, &[128, 256, 512, 1024, 2048, 4096]) + "ds_read_b32 v3, v1\n";
    // All 64 lanes write the words of the first 256 bytes, or some of them do.
    let sites = |middle: &str| advised(&(scratch.clone() + middle + &read))[0].0;
    assert_eq!((sites(&narrow), sites(&masked)), (3, 3));
    let whole =
        narrow.clone() + &(address(256, &[4, 8, 16, 32, 64, 128]) + "ds_write_b32 v1, v3\n");
    assert_eq!(sites(&whole), 3);
    let masked = masked.clone() + &masked.replace("v_mov_b32_e32 v1, 0", "v_mov_b32_e32 v1, 256");
    assert_eq!(sites(&masked), 4);
}

/// What one wave writes on its way and another reads on its own is one tile.
#[test]
fn waves_that_part_share_a_tile() {
    let write =
        (0..64).map(|row| address(row * 256, &[4, 8, 16, 32, 64, 128]) + "ds_write_b32 v1, v3\n");
    let read = address(0, &[256, 512, 1024, 2048, 4096, 8192]) + "ds_read_b32 v3, v1\n";
    let code = format!(
        "v_readfirstlane_b32 s4, v0\ns_cmp_lt_u32 s4, 64\ns_cbranch_scc0 .L1\n{}s_branch .L2\n.L1:\nv_and_b32_e32 v0, 63, v0\n{read}.L2:\n",
        write.collect::<String>()
    );
    let kernel = kernel_of(128, &code);
    let reached: Vec<_> = kernel.sites.iter().map(|site| site.reached.len()).collect();
    assert_eq!(reached, [1; 65]);
    let found = kernel.better();
    assert_eq!(found.regions[0].sites.len(), 65, "{found:?}");
}

/// Of an atomic nobody knows which tile it touches: what is proposed holds if it is another one.
#[test]
fn what_may_be_anywhere() {
    let alone = kernel_of(64, &tile(0)).better();
    let found = kernel_of(64, &(tile(0) + "ds_add_u32 v1, v3\n")).better();
    assert_eq!((found.regions.len(), &found.silence), (1, &None));
    let who = found.regions[0].unless.as_deref().and_then(|who| who.split(" of ").next());
    assert_eq!(who, Some("ds_add_u32"));
    let [alone, said] = [&alone.regions[0], &found.regions[0]].map(ToString::to_string);
    let ends = said.ends_with("touches none of them: its bytes are not known");
    assert!(said.starts_with(&alone) && ends, "{said}");
}
