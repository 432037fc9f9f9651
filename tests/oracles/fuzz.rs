//! Random compositions, accesses and bases against models that use nothing of the library's
//! evaluation: `tests/support/model.rs` has the transforms' formulas, `count.rs` counts banks by
//! sets of bytes. The other fuzzers and the one command that runs all of them are in
//! `tests/support/fuzz.rs`.

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};
use support::bits::sum;
use support::count::counted;
use support::fuzz::{Dice, cases};
use support::model::{Place, coordinates, place};
use tiledesc::Error;
use tiledesc::access::Addresses;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::prelude::*;
use tiledesc::{
    List, Op, Vector,
    access::{AccessError, Placed},
    chip::{self, Instruction},
    recipe,
};
use tiledesc_host::exchange::triton::Bases;
use tiledesc_proptest::unchecked_composition;

/// All that a plan says of itself, from its places in memory alone.
struct Model {
    lengths: Vec<u32>,
    coordinates: Vec<Vec<u32>>,
    places: Vec<Place>,
}

impl Model {
    /// `None` if an index goes where no rule says.
    fn of(plan: &Plan) -> Option<Self> {
        let lengths = plan.lengths().as_slice().to_vec();
        let coordinates = coordinates(&lengths);
        let places: Vec<Place> = coordinates.iter().map(|index| place(plan, index)).collect();
        (!places.contains(&Place::Nowhere)).then_some(Self { lengths, coordinates, places })
    }

    fn at(&self, index: &[u32]) -> Place {
        let number = index.iter().zip(&self.lengths).fold(0, |n, (i, length)| n * length + i);
        self.places[number as usize]
    }

    fn offsets(&self) -> impl Iterator<Item = u32> {
        self.places.iter().filter_map(|place| match place {
            Place::Memory(offset) => Some(*offset),
            _ => None,
        })
    }

    /// How many coordinates each offset has.
    fn shared(&self) -> BTreeMap<u32, u32> {
        self.offsets().fold(BTreeMap::new(), |mut all, offset| {
            *all.entry(offset).or_default() += 1;
            all
        })
    }

    /// Blocks of a length along a dimension that are evenly spaced everywhere, wholly in memory
    /// or wholly in padding; the step, where a block has one.
    fn even(&self, dimension: usize, block: u32) -> Option<i64> {
        let behind: u32 = self.lengths[dimension + 1..].iter().product();
        let mut step = None;
        for (number, index) in self.coordinates.iter().enumerate() {
            if index[dimension] % block == 0 {
                continue;
            }
            match (self.places[number - behind as usize], self.places[number]) {
                (Place::Memory(a), Place::Memory(b)) => {
                    let distance = i64::from(b.wrapping_sub(a).cast_signed());
                    if *step.get_or_insert(distance) != distance {
                        return None;
                    }
                }
                (Place::Padding, Place::Padding) => {}
                _ => return None,
            }
        }
        Some(step.unwrap_or(0))
    }

    fn vector(&self, dimension: usize) -> Vector {
        let blocks = (2..=self.lengths[dimension]).rev();
        let found =
            blocks.into_iter().find_map(|length| Some((length, self.even(dimension, length)?)));
        found.map_or(Vector { length: 1, stride: 0 }, |(length, stride)| Vector { length, stride })
    }

    fn alignment(&self, dimension: usize, block: u32) -> u32 {
        let first = self.coordinates.iter().zip(&self.places);
        let first = first.filter(|(index, _)| index[dimension].is_multiple_of(block));
        let bits = first.fold(1 << 31, |bits, (_, place)| match place {
            Place::Memory(offset) => bits | offset,
            _ => bits,
        });
        1 << bits.trailing_zeros()
    }

    /// The columns and the constant, if offsets are an xor of them.
    fn columns(&self) -> Option<(Vec<u32>, u32)> {
        let all: Vec<u32> = self.offsets().collect();
        if all.len() != self.places.len() || !all.len().is_power_of_two() {
            return None;
        }
        let columns: Vec<u32> = (0..all.len().ilog2()).map(|b| all[1 << b] ^ all[0]).collect();
        let are_sums = (0..).zip(&all).all(|(x, offset)| all[0] ^ sum(&columns, x) == *offset);
        are_sums.then_some((columns, all[0]))
    }
}

/// Offsets, proofs, inverses, vectors, digits and columns of one plan.
fn check_plan(plan: &Plan, model: &Model) -> Result<(), String> {
    let claim = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
    let digits = plan.digits();
    for (index, place) in model.coordinates.iter().zip(&model.places) {
        let found = plan.offset(index);
        let same = match place {
            Place::Memory(offset) => found == Ok(*offset),
            _ => matches!(found, Err(Error::InPadding { .. })),
        };
        claim(same, &format!("offset of {index:?}: {found:?}, {place:?}"))?;
        if let Some(digits) = &digits {
            let by_digits = digits.offset(&List::new(index)).map(Place::Memory);
            claim(by_digits == Some(*place), &format!("digits at {index:?}: {by_digits:?}"))?;
        }
    }
    let shared = model.shared();
    let injective = shared.values().all(|count| *count == 1);
    // What structure does not decide, and is too large to be tried, may be left open.
    let large = plan.elements() * plan.nodes().len() as u64 > Plan::MOST_PROVED;
    let decided = |answer: Result<(), Error>, holds: bool| match answer {
        Err(Error::Undecided { .. }) => large,
        answer => answer.is_ok() == holds,
    };
    claim(decided(plan.prove_injective(), injective), "injective")?;
    let (space, origin) = (plan.element_space(), plan.origin());
    let inside = |offset: &u32| u64::from(offset.wrapping_sub(origin)) < space;
    claim(decided(plan.prove_in_bounds(), shared.keys().all(inside)), "in bounds")?;
    let onto = shared.keys().filter(|offset| inside(offset)).count() as u64 == space;
    let bijective = injective && onto && shared.keys().all(inside);
    claim(decided(plan.prove_bijective(), bijective), "bijective")?;
    for offset in (0..origin + 70.min(space as u32) + 2).chain(shared.keys().copied().take(40)) {
        let same = match plan.coordinate_of(offset) {
            Ok(index) => model.at(index.as_slice()) == Place::Memory(offset),
            Err(Error::NoCoordinate { .. }) => !shared.contains_key(&offset),
            // No inverse is promised where two share an offset, or where it leaves the space.
            Err(_) => !injective || !shared.keys().all(inside),
        };
        claim(same, &format!("inverse of {offset}: {:?}", plan.coordinate_of(offset)))?;
    }
    for dimension in 0..model.lengths.len() {
        let (found, expected) = (plan.vector(dimension), model.vector(dimension));
        claim(found == Ok(expected), &format!("vector {dimension}: {found:?}, {expected:?}"))?;
        let aligned = plan.alignment(dimension);
        let expected = model.alignment(dimension, expected.length);
        claim(aligned == Ok(expected), &format!("alignment {dimension}: {aligned:?}, {expected}"))?;
    }
    if let Ok(map) = plan.linear() {
        let found = (map.columns().to_vec(), map.constant());
        claim(model.columns() == Some(found), "columns")?;
    }
    Ok(())
}

#[test]
fn compositions_are_their_formulas() {
    let (count, mut runner) = (cases("compositions"), TestRunner::deterministic());
    let composition = unchecked_composition(5);
    let [mut padded, mut linear, mut bijective, mut nowhere] = [0u32; 4];
    for case in 0..count {
        let plan = composition.new_tree(&mut runner).unwrap().current();
        let Some(model) = Model::of(&plan) else {
            nowhere += 1;
            continue;
        };
        if let Err(fault) = check_plan(&plan, &model) {
            panic!("{case}: {fault}: {plan:?}");
        }
        padded += u32::from(model.places.contains(&Place::Padding));
        linear += u32::from(plan.linear().is_ok());
        bijective += u32::from(plan.prove_bijective().is_ok());
    }
    println!(
        "{count} compositions: {padded} padded, {linear} linear, {bijective} bijective, {nowhere} \
         beyond a table"
    );
    assert!([padded, linear, bijective].iter().all(|found| *found > count / 50));
    assert!(nowhere < count / 10);
}

/// Where each lane is sent, instruction by instruction.
type Sent = Vec<Vec<Option<Vec<u32>>>>;

/// Lanes along rows, columns or anywhere, a few of them inactive, now and then one outside.
fn sent(dice: &mut Dice, lengths: &[u32], along: usize, pack: u32) -> Sent {
    let coordinates: u32 = lengths.iter().product();
    let (stride, first) = (1 + dice.below(9), dice.below(coordinates));
    let (kind, idle, anywhere) = (dice.below(4), dice.below(5), dice.one_in(12));
    let lane = |dice: &mut Dice, step: u32, lane: u32| {
        if idle == 0 && dice.one_in(4) {
            return None;
        }
        let number = match kind {
            0 => lane * pack + step,
            1 => lane * stride * pack + first,
            2 => lane / 2 * pack,
            _ => dice.below(coordinates),
        };
        let mut rest = number % coordinates;
        let mut index: Vec<u32> = lengths
            .iter()
            .rev()
            .map(|length| {
                let digit = rest % length;
                rest /= length;
                digit
            })
            .collect();
        index.reverse();
        if !anywhere {
            index[along] -= index[along] % pack;
        }
        if anywhere && dice.one_in(60) {
            index[dice.below(lengths.len() as u32) as usize] += dice.below(40);
        }
        Some(index)
    };
    (0..1 + dice.below(3)).map(|step| (0..64).map(|l| lane(dice, step, l)).collect()).collect()
}

/// The bytes that a lane begins at, or `None` if it must be refused.
fn address(plan: &Plan, bits: u32, row: &Instruction, along: usize, index: &[u32]) -> Option<u32> {
    let pack = row.bytes() * 8 / bits;
    let element = |i: u32| {
        let mut at = index.to_vec();
        at[along] += i;
        let inside = at.iter().zip(plan.lengths().as_slice()).all(|(i, length)| i < length);
        match inside.then(|| place(plan, &at)) {
            Some(Place::Memory(offset)) => Some(u64::from(offset)),
            _ => None,
        }
    };
    let first = element(0)?;
    let together = (1..pack).all(|i| element(i) == Some(first + u64::from(i)));
    let bit = first * u64::from(bits);
    let space = (plan.element_space() + u64::from(plan.origin())) * u64::from(bits);
    let last = (0..row.parts()).map(|part| row.part(part)).max()?;
    let end = bit / 8 + u64::from(last + row.bytes());
    let address = u32::try_from(bit / 8).ok()?;
    let aligned = address.is_multiple_of(row.alignment());
    let fits = end <= space.div_ceil(8);
    (together && bit.is_multiple_of(8) && fits && aligned).then_some(address)
}

/// What a wave's instructions cost, in all; `None` if one of them must be refused.
fn cost(plan: &Plan, bits: u32, row: &Instruction, along: usize, sent: &Sent) -> Option<[u64; 4]> {
    let bytes = (plan.element_space() + u64::from(plan.origin())) * u64::from(bits);
    let memory = row.memory().is_none_or(|memory| bytes.div_ceil(8) <= u64::from(memory));
    if !(row.bytes() * 8).is_multiple_of(bits) || !memory {
        return None;
    }
    let addressed = row.service().phases.addressed();
    let mut all = [sent.len() as u64, 0, 0, 0];
    let mut race = false;
    for lanes in sent {
        let mut addresses = Addresses::NONE;
        for (lane, index) in lanes.iter().enumerate().take(addressed) {
            let Some(index) = index else {
                if row.needs_whole_wave() {
                    return None;
                }
                continue;
            };
            addresses = addresses.with(lane, address(plan, bits, row, along, index)?);
        }
        if addresses == Addresses::NONE {
            return None;
        }
        let one = counted(&addresses, row);
        all[1] += u64::from(one.base_cycles);
        all[2] += u64::from(one.conflict_cycles);
        all[3] = all[3].max(u64::from(one.degree));
        race |= one.race;
    }
    // Of a race the instruction is shown that has it.
    if race {
        all[3] = 0;
    }
    Some(all)
}

/// A tile as kernels have them, or anything.
fn layout(dice: &mut Dice, runner: &mut TestRunner) -> Option<Plan> {
    let (m, k) = (8 << dice.below(4), 8 << dice.below(4));
    let pad = dice.below(20);
    match dice.below(6) {
        0 => Plan::naive(&[m, k], &[k + pad, 1]).ok(),
        1 => Plan::naive(&[m, k], &[1, m + pad]).ok(),
        2 => recipe::gemm_xor(m, k, 1 << dice.below(4), 1 << dice.below(3)).ok(),
        3 => Plan::naive_with_offset(&[m / 2, 2, k], &[2 * k + pad, k, 1], 8 * pad).ok(),
        4 => {
            let shift = Op::CyclicShift { length0: m, length1: k / 4 };
            let plan = Plan::packed(&[m, k / 4, 4]).ok()?;
            let ids: &[&[u32]] = &[&[0, 1], &[2]];
            let plan = plan.transform(&[shift, Op::PassThrough { length: 4 }], ids, ids).ok()?;
            let merge = Op::Merge { lengths: List::new(&[k / 4, 4]) };
            let rows = Op::PassThrough { length: m };
            plan.transform(&[rows, merge], &[&[0], &[1, 2]], &[&[0], &[1]]).ok()
        }
        _ => Some(unchecked_composition(3).new_tree(runner).ok()?.current()),
    }
}

#[test]
fn accesses_cost_what_sets_of_bytes_count() {
    let (count, mut dice, mut runner) = (cases("accesses"), Dice(3), TestRunner::deterministic());
    let rows: Vec<Instruction> =
        chip::CHIPS.iter().flat_map(|chip| chip.rows().iter().copied()).collect();
    let [mut verdicts, mut refusals] = [0u32; 2];
    for case in 0..count {
        let Some(plan) = layout(&mut dice, &mut runner) else { continue };
        let row = dice.of(&rows);
        let offsets = [dice.below(6) as u8, dice.below(6) as u8];
        let row = if row.parts() == 2 { row.offsets(offsets[0], offsets[1]) } else { row };
        let bits = dice.of(&[4, 6, 8, 16, 16, 32, 64]);
        let lengths = plan.lengths().as_slice().to_vec();
        let along = match dice.below(8) {
            0 => dice.below(lengths.len() as u32) as usize,
            _ => lengths.len() - 1,
        };
        let sent = sent(&mut dice, &lengths, along, (row.bytes() * 8 / bits).max(1));
        // An index that leaves a table has no place that a rule gives.
        let beyond = |index: &Vec<u32>| place(&plan, index) == Place::Nowhere;
        let whole = |index: &&Vec<u32>| index.iter().zip(&lengths).all(|(i, length)| i < length);
        if sent.iter().flatten().flatten().filter(whole).any(beyond) {
            continue;
        }
        let table: Vec<Row> = sent
            .iter()
            .map(|lanes| core::array::from_fn(|lane| lanes[lane].as_deref().map(List::new)))
            .collect();
        let expected = cost(&plan, bits, &row, along, &sent);
        let found: Result<_, AccessError> =
            Placed::new(&plan, bits, Lanes::table(&table, along), &row)
                .and_then(|placed| placed.verdict());
        let shown = found.as_ref().ok().map(|verdict| {
            let race = verdict.conflicts().race.is_some();
            let degree = if race { 0 } else { verdict.degree() };
            let (base, conflict) = (verdict.base_cycles(), verdict.conflict_cycles());
            [verdict.instructions(), base, conflict, degree.into()]
        });
        assert_eq!(
            shown,
            expected,
            "{case}: {:?}, {} of {}, {bits} bits, along {along}: {sent:?}: {plan:?}",
            found.as_ref().err(),
            row.name(),
            row.chip()
        );
        verdicts += u32::from(found.is_ok());
        refusals += u32::from(found.is_err());
    }
    println!("{count} accesses: {verdicts} verdicts, {refusals} refused");
    assert!([verdicts, refusals].iter().all(|found| *found > count / 20));
}

/// Bits of a tile in any order, some added to others, and now and then a fault.
fn images(dice: &mut Dice) -> (Vec<u32>, Vec<Vec<u32>>) {
    let rank = 1 + dice.below(3);
    let mut lengths: Vec<u32> = (0..rank).map(|_| 1 << dice.below(4)).collect();
    let mut images: Vec<Vec<u32>> = Vec::new();
    for (dimension, length) in lengths.iter().enumerate() {
        for bit in 0..length.ilog2() {
            let mut image = vec![0; lengths.len()];
            image[dimension] = 1 << bit;
            images.insert(dice.below(images.len() as u32 + 1) as usize, image);
        }
    }
    for _ in 0..dice.below(6) {
        if let [_, _, ..] = images[..] {
            let (a, b) = (dice.below(images.len() as u32), dice.below(images.len() as u32));
            let other = images[b as usize].clone();
            // A bit added to itself brings nothing, which is one of the faults.
            if a != b || dice.one_in(8) {
                images[a as usize].iter_mut().zip(other).for_each(|(x, y)| *x ^= y);
            }
        }
    }
    match dice.below(14) {
        0 => lengths[0] += dice.below(3),
        1 => drop(images.pop()),
        2 => images.push(vec![0; lengths.len()]),
        3 if !images.is_empty() => images[0][0] += dice.below(12),
        4 if !images.is_empty() => images[0].push(0),
        _ => {}
    }
    (lengths, images)
}

#[test]
fn triton_bases_are_their_xor() {
    let (count, mut dice) = (cases("triton bases"), Dice(4));
    let [mut layouts, mut refusals, mut holes] = [0u32; 3];
    for case in 0..count {
        let (lengths, images) = images(&mut dice);
        let lists: Vec<List> = images.iter().map(|image| List::new(image)).collect();
        let fits = |image: &Vec<u32>| {
            let inside = image.iter().zip(&lengths).all(|(index, length)| index < length);
            image.len() == lengths.len() && inside
        };
        let can_be =
            lengths.iter().all(|length| length.is_power_of_two()) && images.iter().all(fits);
        let bases = Bases::new(List::new(&lengths), &lists);
        assert_eq!(bases.is_ok(), can_be, "{case}: {lengths:?} {images:?}");
        let Ok(bases) = bases else {
            refusals += 1;
            continue;
        };
        assert_eq!(bases.to_string(), format!("{images:?}"), "{case}");
        // Each offset's coordinate: an xor of the images of its bits.
        let coordinate = |offset: u32| {
            let set = images.iter().enumerate().filter(|(b, _)| offset >> b & 1 == 1);
            set.fold(vec![0; lengths.len()], |sum, (_, image)| {
                sum.iter().zip(image).map(|(a, b)| a ^ b).collect()
            })
        };
        let all: Vec<Vec<u32>> = (0..1 << images.len()).map(coordinate).collect();
        let every: BTreeSet<&Vec<u32>> = all.iter().collect();
        let elements: u32 = lengths.iter().product();
        let whole = every.len() == all.len() && all.len() == elements as usize;
        assert_eq!(bases.linear().is_ok(), whole, "{case}: {lengths:?} {images:?}");
        if !whole {
            holes += 1;
            continue;
        }
        let (map, plan) = (bases.linear().unwrap(), bases.plan());
        let number = |index: &[u32]| index.iter().zip(&lengths).fold(0, |n, (i, l)| n * l + i);
        for (offset, index) in (0..).zip(&all) {
            assert_eq!(map.apply(number(index)), offset, "{case}: {images:?}");
            if let Ok(plan) = &plan {
                assert_eq!(plan.offset(index), Ok(offset), "{case}: {images:?}");
                assert_eq!(place(plan, index), Place::Memory(offset), "{case}: {images:?}");
            }
        }
        match plan {
            Ok(plan) => assert_eq!(Bases::from_plan(&plan), Ok(bases), "{case}: {images:?}"),
            Err(error) => assert!(matches!(error, Error::TooLarge { .. }), "{case}: {error}"),
        }
        layouts += 1;
    }
    println!("{count} bases: {layouts} layouts, {holes} with holes, {refusals} refused");
    assert!([layouts, holes, refusals].iter().all(|found| *found > count / 20));
}
