//! GMMA's atoms: composed of our transforms, and recovered from them.
//!
//! `host/tests/exchange/oracle_cute.rs` compares the atoms with CuTe's numbers; here they are built a
//! second time, as a plan, from what a swizzle mode says about lines and chunks.

use super::told;
use tiledesc::prelude::*;
use tiledesc::recipe::{K, M};
use tiledesc::{Error, Op};
use tiledesc::{List, Plan};
use tiledesc_host::ErrorKind;
use tiledesc_host::exchange::cute::{Composed, Fastest};
use tiledesc_host::exchange::gmma::Atom;
use tiledesc_host::exchange::tma::Mode;

fn atoms() -> impl Iterator<Item = (Atom, u32)> {
    let modes = [Mode::B128, Mode::B128Atom32, Mode::B64, Mode::B32, Mode::None];
    let all = modes.into_iter().flat_map(|mode| [4, 8, 16, 32, 64].map(|bits| (mode, bits)));
    let both = all.flat_map(|(mode, bits)| {
        [Atom::k_major(mode, bits), Atom::mn_major(mode, bits)].map(|atom| (atom, bits))
    });
    both.filter_map(|(atom, bits)| Some((atom.ok()?, bits)))
}

/// A tile of `counts` atoms: chunks xor-ed with the higher bits of the line.
fn composed(atom: &Atom, bits: u32, counts: [u32; 2], order: Fastest) -> Plan {
    let (chunk_bytes, chunks, lines) = match atom.mode() {
        Mode::B128 => (16, 8, 8),
        Mode::B128Atom32 => (32, 4, 4),
        Mode::B64 => (16, 4, 8),
        Mode::B32 => (16, 2, 8),
        _ => (16, 1, 8),
    };
    let (chunk, keys) = (chunk_bytes * 8 / bits, chunks);
    let (line, rest) = (chunk * chunks, lines / keys);
    let size = line * lines;
    let steps = match order {
        Fastest::First => [size, size * counts[0]],
        Fastest::Last => [size * counts[1], size],
    };
    let base = Plan::naive(
        &[counts[0], counts[1], keys, rest, chunks, chunk],
        &[steps[0], steps[1], rest * line, line, chunk, 1],
    );
    let pass = |length| Op::PassThrough { length };
    let each: [&[u32]; 5] = [&[0], &[1], &[2, 4], &[3], &[5]];
    let xor = Op::Xor { length0: keys, length1: chunks };
    let ops = [pass(counts[0]), pass(counts[1]), xor, pass(rest), pass(chunk)];
    let swizzled = base.unwrap().transform(&ops, &each, &each).unwrap();
    let merge = |lengths: &[u32]| Op::Merge { lengths: List::new(lengths) };
    let (mn, k): (&[u32], &[u32]) = match atom.is_k_major() {
        true => (&[0, 2, 3], &[1, 4, 5]),
        false => (&[0, 4, 5], &[1, 2, 3]),
    };
    let lengths = |ids: &[u32]| {
        let all = [counts[0], counts[1], keys, rest, chunks, chunk];
        ids.iter().map(|id| all[*id as usize]).collect::<Vec<_>>()
    };
    let ops = [merge(&lengths(mn)), merge(&lengths(k))];
    swizzled.transform(&ops, &[mn, k], &[&[0], &[1]]).unwrap()
}

#[test]
fn tiles_are_composed_and_found() {
    let mut tiles = 0;
    for (atom, bits) in atoms() {
        for counts in [[1, 1], [2, 1], [1, 4], [4, 2]] {
            for order in [Fastest::First, Fastest::Last] {
                let plan = composed(&atom, bits, counts, order);
                let [mn, k] = atom.lengths();
                let tile = atom.tile_to([mn * counts[0], k * counts[1]], order).unwrap();
                assert_eq!(plan.linear().ok(), tile.linear(Fastest::Last).ok(), "{tile}");
                // As CuTe prints it: a mode of one atom has no stride.
                let steps = [tile.layout().stride().at(1), tile.layout().stride().at(3)];
                assert_eq!(steps.map(|step| step == 0), counts.map(|count| count == 1), "{tile}");
                let found = Atom::of_plan(&plan, bits).unwrap();
                let (found, found_order) = found.unwrap_or_else(|| panic!("{tile}"));
                // With one atom along a dimension both orders are one.
                let one = counts[0] == 1 || counts[1] == 1;
                assert_eq!(found.name(), atom.name(), "{tile}");
                assert!(found_order == if one { Fastest::First } else { order }, "{tile}");
                tiles += 1;
            }
        }
    }
    assert_eq!(tiles, 9 * 5 * 4 * 2);
}

/// Any number of atoms, also 3 and 5, where nothing is linear: found in the form, and in
/// the plan element by element.
#[test]
fn tiles_of_other_lengths() {
    let mut tiles = 0;
    for (atom, bits) in atoms() {
        for counts in [[3, 1], [1, 5], [2, 3]] {
            for order in [Fastest::First, Fastest::Last] {
                let [mn, k] = atom.lengths();
                let tile = atom.tile_to([mn * counts[0], k * counts[1]], order).unwrap();
                let one = counts[0] == 1 || counts[1] == 1;
                let order = if one { Fastest::First } else { order };
                assert_eq!(Atom::of_form(&tile, bits), Some((atom, order)), "{tile}");
                let plan = composed(&atom, bits, counts, order);
                assert_eq!(atom.accepts_plan(&plan), Ok(order), "{tile}");
                tiles += 1;
            }
        }
    }
    assert_eq!(tiles, 9 * 5 * 3 * 2);
    let stages = "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64,3):(64,1,512)";
    assert_eq!(Atom::of_form(&Composed::parse(stages).unwrap(), 16), None);
    let rows = "Sw<3,4,3> o smem_ptr[16b](unset) o (24,64):(64,1)";
    assert!(Atom::of_form(&Composed::parse(rows).unwrap(), 16).is_some());
    assert_eq!(Atom::of_form(&Composed::parse(rows).unwrap(), 32), None);
    let repeated = "Sw<3,4,3> o smem_ptr[16b](unset) o ((8,3),64):((64,0),1)";
    assert_eq!(Atom::of_form(&Composed::parse(repeated).unwrap(), 16), None);
}

/// The element that is named is the first that lies elsewhere, in the order that goes
/// further.
#[test]
fn the_first_element_elsewhere() {
    let (mut refusals, mut tiles) = (0, 0);
    let all: Vec<_> = atoms().filter(|(_, bits)| *bits == 16).collect();
    for (made, _) in &all {
        for counts in [[4, 2], [3, 2]] {
            let plan = composed(made, 16, counts, Fastest::Last);
            let lengths = plan.lengths();
            for (atom, _) in &all {
                let [mn, k] = atom.lengths();
                let tile = |order| atom.tile_to([lengths.at(0), lengths.at(1)], order).ok();
                let Some(first) = tile(Fastest::First) else { continue };
                let at = |tile: &Composed, id: u64| {
                    let [i, j] = [plan.nth(id).at(0), plan.nth(id).at(1)];
                    tile.offset_of(&[i % mn, i / mn, j % k, j / k]).unwrap()
                };
                let lies = |id: u64| plan.offset(plan.nth(id).as_slice()).unwrap();
                let elsewhere = [first, tile(Fastest::Last).unwrap()].map(|tile| {
                    let id = (0..plan.elements()).find(|id| at(&tile, *id) != lies(*id));
                    (id.unwrap_or(u64::MAX), id.map(|id| at(&tile, id)))
                });
                let (id, read) = *elsewhere.iter().max_by_key(|(id, _)| *id).unwrap();
                match (atom.accepts_plan(&plan), read) {
                    (Ok(_), None) => tiles += 1,
                    (Err(refused), Some(_)) => {
                        let (said, numbers) = told(&refused);
                        let wanted = "element (#, #) is read at # and lies at #";
                        assert_eq!(said, format!("{}: {wanted}", atom.name()));
                        let numbers: Vec<u32> = numbers.iter().map(|n| *n as u32).collect();
                        assert_eq!(numbers[..2], *plan.nth(id).as_slice());
                        assert!(elsewhere.contains(&(id, Some(numbers[2]))));
                        assert_eq!(numbers[3], lies(id));
                        refusals += 1;
                    }
                    (ours, read) => panic!("{}: {ours:?}, {read:?}", atom.name()),
                }
            }
        }
    }
    println!("{tiles} tiles, {refusals} refused");
    assert!(tiles == 18 && refusals > 60, "{tiles}, {refusals}");
    // Atoms of 8x8: the second along k is in place for one order, the second row of atoms
    // for none. 16 or 24 elements along k: by columns, and element by element.
    let plain = Atom::named("Layout_K_INTER_Atom", 16).unwrap();
    for along in [2, 3] {
        let base = Plan::naive(&[2, 8, along, 8], &[256, 8, 64, 1]).unwrap();
        let merge = |tiles| Op::Merge { lengths: List::pair(tiles, 8) };
        let plan = base.transform(&[merge(2), merge(along)], &[&[0, 1], &[2, 3]], &[&[0], &[1]]);
        assert_eq!(
            plain.accepts_plan(&plan.unwrap()).unwrap_err().to_string(),
            format!(
                "Layout_K_INTER_Atom: element (8, 0) is read at {} and lies at 256",
                64 * along
            ),
        );
    }
    let based = Plan::naive_with_offset(&[8, 8], &[8, 1], 64).unwrap();
    assert_eq!(
        Atom::named("Layout_K_INTER_Atom", 16)
            .unwrap()
            .accepts_plan(&based)
            .unwrap_err()
            .to_string(),
        "Layout_K_INTER_Atom: element (0, 0) is read at 0 and lies at 64",
    );
}

#[test]
fn what_no_atom_tiles() {
    let rows = Plan::packed(&[128, 64]).unwrap();
    let padded = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    let solid = Plan::packed(&[2, 64, 64]).unwrap();
    let quarters = <recipe::GemmXor<F16, M<128>, K<64>, KPack<4>>>::PLAN;
    assert_eq!(Atom::of_plan(&rows, 16), Ok(None));
    assert_eq!(Atom::of_plan(&quarters, 16), Ok(None));
    assert!(matches!(Atom::of_plan(&padded, 16), Err(Error::NotLinear { .. })));
    assert!(matches!(Atom::of_plan(&solid, 16), Err(Error::Rank { wanted: 2, given: 3 })));
    // 8 halves in a row are an atom without a swizzle, one below the other.
    let narrow = Plan::packed(&[128, 8]).unwrap();
    let (atom, _) = Atom::of_plan(&narrow, 16).unwrap().unwrap();
    assert_eq!(atom.name(), "Layout_K_INTER_Atom");
    assert_eq!(Atom::of_plan(&narrow, 32), Ok(None));
    // A third mode is not a tile's, also of length 1.
    let form = |text: &str| Atom::of_form(&Composed::parse(text).unwrap(), 16);
    assert_eq!(form("(128,8):(8,1)").unwrap().0.name(), "Layout_K_INTER_Atom");
    assert_eq!(form("(128,8,1):(8,1,0)"), None);
    assert_eq!(form("1024:1"), None);
}

#[test]
fn refusals_say_why() {
    let atom = Atom::named("Layout_MN_SW128_32B_Atom", 32).unwrap();
    assert_eq!((atom.lengths(), atom.base_alignment()), ([32, 4], 1024));
    let unknown = Atom::named("Layout_K_SW128_32B_Atom", 32).unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::Unknown);
    assert!(unknown.to_string().starts_with("CuTe has no atom of this name; "), "{unknown}");
    for mode in [Mode::B128Atom32Flip8, Mode::B128Atom64] {
        let refused = Atom::mn_major(mode, 32).unwrap_err().to_string();
        let name = mode.name();
        assert_eq!(refused, format!("no matrix instruction takes {name} with M or N contiguous"));
    }
    assert!(Atom::named("Layout_K_SW32_Atom", 6).unwrap_err().to_string().ends_with("of 8 bits"));
    let solid = atom.accepts_plan(&Plan::packed(&[2, 64, 64]).unwrap());
    assert_eq!(solid.unwrap_err().to_string(), "2 indices are wanted but 3 are given");
    let odd = atom.accepts_plan(&Plan::packed(&[32, 6]).unwrap());
    assert_eq!(told(&odd.unwrap_err()).1, [32, 6, 32, 4]);
    let tile = |tile| atom.tile_to(tile, Fastest::First).map(|_| ()).unwrap_err();
    for [mn, k] in [[0, 4], [32, 0], [33, 4], [32, 6], [u32::MAX, 4]] {
        let (tile, sizes) = (tile([mn, k]).to_string(), format!("a tile of {mn} x {k} "));
        assert!(tile.contains(&sizes) && tile.ends_with("atoms of 32 x 4"), "{tile}");
    }
    assert_eq!(tile([1 << 31, 1 << 31]).kind(), ErrorKind::TooLarge);
    let plain = Atom::named("Layout_K_INTER_Atom", 8).unwrap();
    assert_eq!((plain.base_alignment(), plain.accepts_base(48)), (16, Ok(())));
    for (atom, base, alignment) in [(atom, 512, 1024), (plain, 8, 16)] {
        let (said, numbers) = told(&atom.accepts_base(base).unwrap_err());
        assert!(said.starts_with(&format!("{}: a tile at byte # ", atom.name())), "{said}");
        assert_eq!(numbers, [i64::from(base), alignment]);
    }
}
