//! Flat addresses: of what memory they are said to be is true. Random programs mix pointers of LDS, of scratch memory and of
//! global memory with numbers and with differences of pointers, and are run lane by lane.
//!
//! | claimed | must be |
//! |---|---|
//! | an access in LDS | the upper half of each lane's address that is on is that of `src_shared_base` |
//! | an access to global memory | it is neither that nor `src_private_base`'s, and lines and sectors are as in `touched.rs` |
//!
//! Numbers are small and pointers far from the ends of what they point to, since a pointer that leaves it is a wrong program;
//! the few addresses beside LDS or scratch memory are left out.
//! A plain run has 150 programs.

mod program;
mod wave;

use super::touched::Tally;
use program::{Maker, program};
use std::collections::BTreeMap;
use support::fuzz::{Dice, numbers};
use tiledesc_audit::{Options, Unjudged, audit};
use wave::{LDS, SCRATCH, SMALL, Wave};

/// What a program does to a wave whose arguments and registers the dice choose.
fn run(maker: &Maker, dice: Dice) -> Wave {
    let lanes = maker.lanes;
    let mut wave = Wave {
        lanes,
        v: [[0; 64]; 24],
        s: [0; 64],
        masks: BTreeMap::new(),
        exec: u64::MAX >> (64 - lanes),
        scc: false,
        scratch: [[0; 64]; 8],
        kept: [0; 4],
        words: [0; 12],
        dice,
        touches: Vec::new(),
    };
    wave.v[0] = core::array::from_fn(|lane| lane as u32);
    for n in SMALL {
        wave.s[n as usize] = wave.dice.below(1 << 12);
    }
    let mut put = |at: usize, number: u64| {
        (wave.words[at], wave.words[at + 1]) = (number as u32, (number >> 32) as u32);
    };
    let buffers = [0x7f11_1000_0000_u64, 0x7f22_2000_1000];
    put(0, buffers[0]);
    put(6, buffers[1]);
    for at in [4, 10] {
        let any = wave.any();
        (wave.words[at], wave.words[at + 1]) = (any as u32, (any >> 32) as u32);
    }
    for at in [2, 3, 8, 9] {
        wave.words[at] = wave.dice.below(1 << 12);
    }
    let (mut at, mut steps) = (0, 0);
    while at < maker.code.len() && steps < 1500 {
        steps += 1;
        at = match (maker.code[at].1)(&mut wave) {
            Some(label) => maker.labels[&label],
            None => at + 1,
        };
    }
    wave
}

/// Returns whether an address has left LDS or scratch memory for the 4 GiB beside it: halves of two pointers were put together,
/// and a number was added.
fn has_left(address: u64) -> bool {
    [LDS, SCRATCH].iter().any(|upper| ((address >> 32) as u32).abs_diff(*upper) == 1)
}

#[test]
fn what_is_said_of_a_flat_address_is_true() {
    let (mut touched, mut known, mut all) = (Tally::default(), [0, 0], 0);
    for seed in numbers(150) {
        let lanes = if seed % 3 == 0 { 32 } else { 64 };
        let maker = program(Dice(seed.wrapping_mul(0x9e37_79b9) ^ 59), lanes);
        let text = maker.text();
        let options = Options { block: Some([lanes as u32, 1, 1]), ..Options::default() };
        let kernels = audit(&text, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let lines = Vec::from_iter(kernels[0].instructions.iter().map(|(line, _)| *line));
        let lds = |line: usize| {
            let at = |one: &&tiledesc_audit::Site| one.line == line;
            let site = kernels[0].sites.iter().find(at);
            site.is_some_and(|site| site.access.as_ref().err() == Some(&Unjudged::FlatLds))
        };
        let of_chip = kernels[0].chip.lines().unwrap();
        for again in 0..3 {
            for (at, touch) in run(&maker, Dice(seed.wrapping_mul(31) + again)).touches {
                if touch.on == 0 {
                    continue;
                }
                let on = || (0..lanes).filter(|lane| touch.on >> lane & 1 == 1);
                if on().any(|lane| has_left(touch.at[lane])) {
                    continue;
                }
                all += 1;
                let line = lines[at];
                let is_in = |upper| on().all(|lane| (touch.at[lane] >> 32) as u32 == upper);
                let may_be = |upper| on().any(|lane| (touch.at[lane] >> 32) as u32 == upper);
                let said = format!("seed {seed}: line {line}: {:x?}\n{text}", touch.at);
                let global = kernels[0].globals.iter().find(|one| one.line == line);
                if lds(line) {
                    known[0] += 1;
                    assert!(is_in(LDS), "not in LDS: {said}");
                } else if let Some(site) = global {
                    known[1] += 1;
                    assert!(!may_be(LDS) && !may_be(SCRATCH), "not global: {said}");
                    assert!(touched.hold(site, 0, lanes, &touch, &of_chip), "not there: {said}");
                }
            }
        }
    }
    println!("flat accesses: {known:?} known in LDS and global, of {all}; {touched:?}");
    assert!(known.iter().all(|many| many * 6 > all), "{known:?} of {all}: a check of little");
    assert!((known[0] + known[1]) * 10 < all * 9, "{known:?} of {all}: unknown ones, too");
}
