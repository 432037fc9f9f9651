//! The mask that is proposed, by a count that shares nothing with it: bytes stay apart, vectors whole, cycles are those
//! that are said, and no mask of one field has fewer.

use super::{address, kernel_of, operands};
use flate2::read::GzDecoder;
use std::collections::BTreeSet;
use std::io::Read;
use support::count::counted;
use support::fuzz::Dice;
use tiledesc::access::Addresses;
use tiledesc::chip::{Instruction, gfx942};
use tiledesc_audit::{Advice, Kernel, Move, Options, audit};

fn program(name: &str) -> Kernel {
    let path = support::root().join(format!("audit/tests/data/{name}.amdgcn.gz"));
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    audit(&text, &Options::default()).unwrap().remove(0)
}

/// K of attention, whose 32 reads are 16-way; V and Q are other tiles, and Q's bytes are K's at another time.
#[test]
fn attention() {
    let found = program("attention-gfx942").better();
    let said: Vec<_> = found.regions.iter().map(ToString::to_string).collect();
    assert_eq!(
        said[1],
        "bytes 0 to 16383, `byte ^ (byte >> 8 & 7) << 4`: 4160 cycles become 576; \
         ds_read2_b64 x32 of kernels.py:30 2-way in place of 16-way, as two ds_read_b64 each; \
         then loop at kernels.py:27: LDS 1792 cycles a trip, MFMA 2048: MFMA-bound by 1.14 (inferred); \
         `byte ^ (byte >> 8 & 15) << 3` would free them, but tears the vectors of ds_write_b128"
    );
    assert_eq!((said.len(), found.regions[1].free), (2, 320));
    let program = program("transpose-gfx950").better();
    assert_eq!(program.regions.len(), 1);
    assert!(
        program.regions[0]
            .to_string()
            .starts_with("bytes 0 to 8191, `byte ^ (byte >> 7 & 1) << 5`: 128 cycles become 64; ")
    );
}

/// One instruction: its row, and the bytes of its lanes.
type Done = (&'static Instruction, Vec<u32>);

/// Cycles where bytes are moved; `None` if a vector does not stay whole.
fn cycles(done: &[Done], to: &dyn Fn(u32) -> u32) -> Option<u64> {
    let one = |(row, lanes): &Done| {
        let whole = lanes.iter().all(|byte| {
            let first = to(*byte);
            first.is_multiple_of(row.alignment())
                && (0..row.bytes()).all(|i| to(byte + i) == first + i)
        });
        let addresses = Addresses::from_fn(|lane| Some(to(lanes[lane as usize])));
        let found = counted(&addresses, row);
        whole.then_some(u64::from(found.base_cycles + found.conflict_cycles))
    };
    done.iter().map(one).sum()
}

/// A tile of 4 KB, written along its bytes and read with the lanes' bits at random places; what is done, and the code.
fn random(dice: &mut Dice) -> (Vec<Done>, String) {
    let (mut done, mut code): (Vec<Done>, String) = (Vec::new(), String::new());
    let writes = [(&gfx942::ds_write_b128, 4), (&gfx942::ds_write_b64, 3)];
    let reads = [(&gfx942::ds_read_b128, 4), (&gfx942::ds_read_b64, 3)];
    let mut put = |row: &'static Instruction, begin: u32, columns: &[u32]| {
        let lane = |lane: u32| {
            (0..6)
                .filter(|bit| lane >> bit & 1 == 1)
                .fold(begin, |at, bit| at ^ columns[bit as usize])
        };
        done.push((row, (0..64).map(lane).collect()));
        let data = operands(row.name());
        code += &(address(begin, columns) + &format!("{} {data}\n", row.name()));
    };
    let (row, log2) = dice.of(&writes);
    for begin in (0..4096).step_by(64 << log2) {
        put(row, begin, &core::array::from_fn::<_, 6, _>(|bit| 1 << (log2 + bit)));
    }
    for _ in 0..1 + dice.below(2) {
        let (row, log2) = dice.of(&reads);
        let mut bits: Vec<_> = (log2..12).map(|bit| 1 << bit).collect();
        let columns: [u32; 6] =
            core::array::from_fn(|_| bits.remove(dice.below(bits.len() as u32) as usize));
        // By the bits that are left all of the tile is read.
        for step in 0..1_u32 << bits.len() {
            let begin =
                (0..bits.len()).filter(|bit| step >> bit & 1 == 1).map(|bit| bits[bit]).sum();
            put(row, begin, &columns);
        }
    }
    (done, code)
}

#[test]
fn random_tiles() {
    let cases = support::fuzz::times(3);
    let mut seen = [0; 4];
    for case in 0..cases {
        let (done, code) = random(&mut Dice(case));
        let found = kernel_of(64, &code).better();
        let now = cycles(&done, &|byte| byte).unwrap();
        let floor: u64 = done.iter().map(|(row, _)| row.service().phases.count() as u64).sum();
        if now == floor {
            assert!(found.regions.is_empty(), "{case}: {found:?}");
            seen[0] += 1;
            continue;
        }
        // The least mask of one field, of all fields.
        let fields = (1..6).flat_map(|width| {
            (2..8).flat_map(move |to| (to + width..12).map(move |from| (width, to, from)))
        });
        let fields = fields.filter(|(width, to, from)| to + width <= 8 && from + width <= 13);
        let least = fields.filter_map(|(width, to, from)| {
            cycles(&done, &|byte| byte ^ (byte >> from & ((1 << width) - 1)) << to)
        });
        let least = least.min().unwrap().min(now);
        let [one] = &found.regions[..] else { panic!("{case}: {found:?}") };
        assert_eq!(one.now, now, "{case}: {one}");
        match &one.advice {
            Advice::Move { to, cycles: said, .. } => {
                assert_eq!(cycles(&done, &|byte| to.apply(byte)), Some(*said), "{case}: {one}");
                let images: BTreeSet<_> = (0..4096).map(|byte| to.apply(byte)).collect();
                assert_eq!(images.len(), 4096, "{case}: {one}");
                assert!(*said <= least && *said < now, "{case}: {one}, and {least} can be had");
                let is_one = matches!(to, Move::Mask(fields) if fields.len() == 1
                    && (fields[0].bits + 1).is_power_of_two());
                assert!(!is_one || *said == least, "{case}: {one}");
                seen[if is_one { 1 } else { 2 }] += 1;
            }
            _ => {
                assert!(least >= now, "{case}: {one}, and {least} can be had");
                seen[3] += 1;
            }
        }
    }
    println!(
        "{cases} tiles: {} free, {} by one field, {} by several or a pad, {} as they are",
        seen[0], seen[1], seen[2], seen[3]
    );
}

/// A column of words 128 bytes apart has a mask, but not where its block holds another tile's word.
#[test]
fn a_mask_leaves_the_bytes_of_other_tiles_alone() {
    let columns = [128, 256, 512, 1024, 2048, 4096];
    let begin = 8192;
    let column = address(begin, &columns) + "ds_write_b32 v1, v3\nds_read_b32 v3, v1\n";
    let moved = |code: &str| {
        let found = kernel_of(64, code).better();
        let [one] = &found.regions[..] else { panic!("{found:?}") };
        let bytes = one.bytes.unwrap();
        match &one.advice {
            Advice::Move { to, .. } => (to.clone(), bytes),
            other => panic!("{other:?}"),
        }
    };
    let (alone, _) = moved(&column);
    assert_eq!(alone.to_string(), "byte ^ (byte >> 7 & 31) << 2");
    // There the last lane's word goes.
    let last = begin + 63 * 128;
    let other = alone.apply(last);
    assert_eq!((last, other), (16256, 16256 + 124));
    let scratch = format!("v_mov_b32_e32 v1, {other}\nds_write_b32 v1, v3\nds_read_b32 v3, v1\n");
    let (to, [from, end]) = moved(&(scratch + &column));
    assert_eq!([from, end], [begin, last + 4]);
    if let Move::Mask(_) = to {
        // Of what the tile holds, and of what shares its blocks, no byte comes to lie in the other's word.
        assert!((from..end).all(|byte| !(other..other + 4).contains(&to.apply(byte))), "{to}");
    } else {
        assert!(matches!(to, Move::Pad { .. }));
    }
    assert_ne!(to, alone);
}
