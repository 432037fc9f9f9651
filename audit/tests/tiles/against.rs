//! Kernels that are written from a layout's own addresses are what is stated, and with one instruction changed they
//! are not.

use super::{address, kernel_of, operands};
use support::fuzz::Dice;
use tiledesc::access::Placed;
use tiledesc::chip::gfx942;
use tiledesc::prelude::*;
use tiledesc_audit::{Comparison, Options, Stated, audit};

layout! {
    type Plain = recipe::RowMajor<F16, M<64>, K<64>>;
    type Xor = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>;
    type Padded = recipe::RowPad<F16, M<64>, K<64>, Padding<8>>;
}

/// Accesses of 64x64 halves, 8 or 16 instructions each.
fn accesses() -> Vec<Placed<'static, 'static>> {
    let all = [
        Plain::placed::<RowMajor>(&gfx942::ds_write_b128),
        Xor::placed::<RowMajor>(&gfx942::ds_write_b128),
        Plain::placed::<MfmaRows<16>>(&gfx942::ds_read_b128),
        Xor::placed::<MfmaRows<16>>(&gfx942::ds_read_b128),
        Xor::placed::<MfmaRows<32>>(&gfx942::ds_read_b128),
        Xor::placed::<MfmaRows<16>>(&gfx942::ds_read_b64),
        Padded::placed::<MfmaRows<32>>(&gfx942::ds_read_b64),
    ];
    all.map(Result::unwrap).to_vec()
}

/// An instruction of a kernel: the bytes of its lanes, from where the tile begins.
#[derive(Clone)]
struct Written {
    name: &'static str,
    begin: u32,
    lanes: [u32; 64],
}

impl Written {
    /// Where a step of a tile that begins at a byte puts the lanes.
    fn of(placed: &Placed<'_, '_>, step: u64, begin: u32) -> Self {
        let touched = placed.touched(step).unwrap();
        let lanes = core::array::from_fn(|lane| touched.addresses().get(lane).unwrap());
        Self { name: placed.instruction().name(), begin, lanes }
    }

    /// By the xor of columns, or, where lanes add up, by their sum.
    fn code(&self) -> String {
        let first = self.lanes[0];
        let columns: Vec<u32> = (0..6).map(|bit| self.lanes[1 << bit] ^ first).collect();
        let by = |fold: fn(u32, u32) -> u32, first: u32, columns: &[u32]| {
            let lane = |lane: usize| {
                (0..6)
                    .filter(|bit| lane >> bit & 1 == 1)
                    .fold(first, |at, bit| fold(at, columns[bit]))
            };
            (0..64).all(|one| lane(one) == self.lanes[one])
        };
        let mut code = address(first, &columns);
        if !by(|a, b| a ^ b, first, &columns) {
            let columns: Vec<u32> = (0..6).map(|bit| self.lanes[1 << bit] - first).collect();
            assert!(by(|a, b| a + b, first, &columns), "{:?}", self.lanes);
            code = address(first, &columns).replace("v_xor_b32", "v_add_u32");
        }
        code += &format!("v_add_u32_e32 v1, {}, v1\n", self.begin);
        let data = operands(self.name);
        code + &format!("{} {data}\n", self.name)
    }
}

fn held(written: &[Written], stated: &[Placed<'_, '_>]) -> Comparison {
    let code: String = written.iter().map(Written::code).collect();
    let stated =
        stated.iter().enumerate().map(|(i, one)| Stated::new(format!("{i}"), one).unwrap());
    kernel_of(64, &code).against(&stated.collect::<Vec<_>>())
}

#[test]
fn random_kernels() {
    let cases = support::fuzz::times(12);
    let (all, mut seen) = (accesses(), [0; 4]);
    for case in 0..cases {
        let dice = &mut Dice(case);
        // Different tiles, one behind the other, each by one or two copies of its instructions.
        let mut tiles = Vec::new();
        let mut written: Vec<Written> = Vec::new();
        for tile in 0..1 + dice.below(2) {
            let (placed, begin, copies) =
                (dice.of(&all), tile * 16384 + 256 * dice.below(8), 1 + dice.below(2));
            for step in (0..copies).flat_map(|_| 0..placed.instructions()) {
                written.insert(
                    dice.below(written.len() as u32 + 1) as usize,
                    Written::of(&placed, step, begin),
                );
            }
            tiles.push((placed, begin, copies as usize));
        }
        let stated: Vec<_> = tiles.iter().map(|(placed, ..)| *placed).collect();
        let found = held(&written, &stated);
        assert!(
            found.is_kept() && found.beyond.is_empty() && found.unknown.is_empty(),
            "{case}: {found:?}"
        );
        let all: usize = found.kept.iter().map(|one| one.found).sum();
        assert_eq!(all, written.len(), "{case}");
        if let [(placed, begin, copies)] = tiles[..] {
            let one = &found.kept[0];
            assert_eq!(
                (one.stated as u64, one.found),
                (placed.instructions(), copies * one.stated)
            );
            // A tile whose rows repeat may begin nowhere else: all of its instructions are used up.
            assert_eq!(one.begins, [begin], "{case}");
        }
        // One instruction otherwise: then something is missing, if there was one copy of it.
        if tiles.iter().any(|(.., copies)| *copies > 1) {
            continue;
        }
        let at = dice.below(written.len() as u32) as usize;
        let kind = dice.below(4);
        let mut changed = written.clone();
        match kind {
            0 => drop(changed.remove(at)),
            1 => changed[at].begin += 4096 * 10,
            2 => changed[at].lanes[1..].iter_mut().step_by(2).for_each(|byte| *byte ^= 1 << 15),
            _ => {
                changed[at].name =
                    if changed[at].name == "ds_read_b64" { "ds_read2_b32" } else { "ds_read_b64" }
            }
        }
        let found = held(&changed, &stated);
        assert!(!found.is_kept(), "{case}, {kind}: {found:?}");
        let missing: Vec<_> = found.kept.iter().filter_map(|one| one.missing.as_ref()).collect();
        assert_eq!(missing.len(), 1, "{case}, {kind}: {found:?}");
        let short =
            found.kept.iter().map(|one| one.stated - one.found.min(one.stated)).sum::<usize>();
        assert!(short >= 1, "{case}, {kind}");
        assert_eq!(found.beyond.is_empty(), kind == 0, "{case}, {kind}: {found:?}");
        seen[kind as usize] += 1;
    }
    println!("{cases} kernels; of those with a change, by its kind: {seen:?}");
    assert!(seen.iter().filter(|n| **n > 0).count() > 1, "{seen:?}");
}

/// What is said, word by word.
#[test]
fn sentences() {
    let xor = Xor::placed::<RowMajor>(&gfx942::ds_write_b128).unwrap();
    let read = Xor::placed::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    let plain = Plain::placed::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    let steps = |placed: &Placed<'_, '_>, begin: u32| {
        (0..placed.instructions()).map(|step| Written::of(placed, step, begin)).collect::<Vec<_>>()
    };
    let said = |written: &[Written], placed: &Placed<'_, '_>| {
        let found = held(written, &[*placed]);
        let beyond: Vec<_> = found.beyond.iter().map(ToString::to_string).collect();
        (found.kept[0].to_string(), beyond.len())
    };
    let two = [steps(&xor, 0), steps(&xor, 8192), steps(&xor, 0)].concat();
    assert_eq!(
        said(&two, &xor),
        (
            "0  ds_write_b128  24 of 8: 3 times a whole tile, from bytes 0 and 8192 on".to_string(),
            0
        )
    );
    let (text, _) = said(&steps(&plain, 0), &read);
    assert_eq!(
        text,
        "0  ds_read_b128  0 of 8: instruction 0 has lanes 0 and 1 at bytes 0 and 144 of the tile, and in the code they are 128 bytes apart"
    );
    assert_eq!(
        said(&steps(&xor, 0), &read).0,
        "0  ds_read_b128  0 of 8: the code does not have this instruction"
    );
    let (text, beyond) = said(&steps(&plain, 0)[..6], &plain);
    assert_eq!(
        text,
        "0  ds_read_b128  6 of 8: instruction 6 has lanes 0 and 1 at bytes 4160 and 4288 of the tile, and the code has fewer such instructions"
    );
    assert_eq!(beyond, 0);
    let mut moved = steps(&plain, 0);
    moved[7].begin += 1024;
    let (text, beyond) = said(&moved, &plain);
    assert_eq!(
        text,
        "0  ds_read_b128  7 of 8: instruction 7 has lanes 0 and 1 at bytes 6208 and 6336 of the tile; the code has such lanes, but not where one tile has them"
    );
    assert_eq!(beyond, 1);
}

/// Where the begin is not known, as in PTX, differences are counted.
#[test]
fn known_up_to_a_number() {
    let text = "
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 n)
.reqntid 32
{
    .reg .b32 %r<9>;
    .shared .align 16 .b8 smem[1024];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, smem;
    add.s32 %r4, %r3, %r2;
    st.shared.u32 [%r4], %r1;
    st.shared.u32 [%r4+128], %r1;
    ld.shared.u32 %r5, [%r4+256];
    ret;
}
";
    layout! { type Words = recipe::RowMajor<F32, M<1>, K<32>>; }
    let kernel = &audit(text, &Options::default()).unwrap()[0];
    let row = &tiledesc::chip::sm_90::st_shared_b32;
    let write = Stated::new("W", &Words::placed::<RowMajor>(row).unwrap()).unwrap();
    let found = kernel.against(core::slice::from_ref(&write));
    assert_eq!(found.kept[0].to_string(), "W  st.shared.b32  2 of 1: 2 times a whole tile");
    let beyond: Vec<_> = found.beyond.iter().map(ToString::to_string).collect();
    assert_eq!(beyond, ["ld.shared.u32 x1 of line 16, lanes 0 and 1 4 bytes apart"]);
}
