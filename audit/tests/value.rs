//! The rules of `value`, each by itself and in straight-line programs: what is said holds for every u.
//!
//! A register is abstract, `u + f(lane)` or unknown, and concrete: numbers of 8 lanes. Operations are done on both, the
//! concrete ones written out here; after each there must be one u for all lanes that 2^k divides. A plain run
//! has 20,000 programs; a million (`--deep 50`) take 40 s in release.

use super::claimed::is_true;
use support::fuzz::Dice;
use tiledesc_audit::value::{Lanes, Reason, Value, Why};

const WAVE: usize = 8;
type Numbers = [u32; WAVE];

/// A register as it is claimed, and as it is.
#[derive(Clone, Debug)]
struct Both {
    claim: Value,
    is: Numbers,
}

impl Both {
    fn check(&self, what: &str) -> bool {
        let is = Vec::from_iter(self.is.iter().copied().enumerate());
        assert!(is_true(&self.claim, &is), "{what}: {self:?}");
        if let Value::OneOf(forms) = &self.claim {
            let is_form = |form: &Value| matches!(form, Value::Sum { .. });
            assert!(forms.len() > 1 && forms.iter().all(is_form), "{what}: {self:?}");
        }
        !matches!(self.claim, Value::Unknown(_))
    }
}

fn number(dice: &mut Dice) -> u32 {
    let (bits, any) = (dice.below(33), dice.below(1 << 31) << 1 | dice.below(2));
    match dice.below(6) {
        0 => dice.below(4),
        1 => 1_u32.checked_shl(bits).unwrap_or(0),
        2 => (1_u64 << bits).wrapping_sub(1) as u32,
        3 => !((1_u64 << bits).wrapping_sub(1) as u32),
        4 => any >> bits.min(31),
        _ => any,
    }
}

/// A register at the begin of a program.
fn fresh(dice: &mut Dice) -> Both {
    let (kind, n, shift) = (dice.below(10), number(dice), dice.below(12));
    match kind {
        0 | 1 => Both { claim: Value::constant(n), is: [n; WAVE] },
        2..=4 => {
            let is: Numbers = core::array::from_fn(|lane| (lane as u32) << shift);
            Both { claim: Value::lanes(WAVE, |lane| is[lane]), is }
        }
        5 => {
            let u = n << shift;
            Both { claim: Value::shared(shift), is: [u; WAVE] }
        }
        6 => {
            let is: Numbers = core::array::from_fn(|_| number(dice));
            let f = Lanes::from_fn(WAVE, |lane| is[lane] & 0x3ff);
            let is = is.map(|one| one & 0x3ff | n << 10);
            Both {
                claim: Value::Part { bits: 10, f, reason: Reason { at: 0, why: Why::Start } },
                is,
            }
        }
        7 => {
            // A digit of data, in a row of an array that lies somewhere.
            let k = dice.of(&[32, 32, shift]);
            let open = (number(dice) >> dice.below(32)) << shift;
            let f = Lanes::from_fn(WAVE, |lane| n.wrapping_add((lane as u32) << dice.below(2)));
            let u = if k == 32 { 0 } else { number(dice) << k };
            let lane = |lane| u.wrapping_add(f.get(lane)).wrapping_add(number(dice) & open);
            let is: Numbers = core::array::from_fn(lane);
            let reason = Reason { at: 0, why: Why::Loaded };
            Both { claim: Value::Among { k, open, f, reason }, is }
        }
        _ => {
            let is: Numbers = core::array::from_fn(|_| number(dice));
            Both { claim: Value::Unknown(Reason { at: 0, why: Why::Loaded }), is }
        }
    }
}

fn apply(dice: &mut Dice, a: &Both, b: &Both, c: &Both) -> (Both, String) {
    let each = |op: &dyn Fn(u32, u32, u32) -> u32| -> Numbers {
        core::array::from_fn(|lane| op(a.is[lane], b.is[lane], c.is[lane]))
    };
    let (x, y, z) = (&a.claim, &b.claim, &c.claim);
    let kind = dice.below(16);
    let (claim, is) = match kind {
        0 => (x.add(y, 1), each(&|a, b, _| a.wrapping_add(b))),
        1 => (x.sub(y, 1), each(&|a, b, _| a.wrapping_sub(b))),
        2 => (x.mul(y, 1), each(&|a, b, _| a.wrapping_mul(b))),
        3 | 4 => (x.shl(y, 1), each(&|a, b, _| a.wrapping_shl(b))),
        5 => (x.shr(y, false, 1), each(&|a, b, _| a.wrapping_shr(b))),
        6 => (x.shr(y, true, 1), each(&|a, b, _| (a as i32).wrapping_shr(b) as u32)),
        7 => (x.not(1), each(&|a, _, _| !a)),
        8 => (x.and(y, 1), each(&|a, b, _| a & b)),
        9 => (x.or(y, 1), each(&|a, b, _| a | b)),
        10 => (x.xor(y, 1), each(&|a, b, _| a ^ b)),
        11 => {
            // Any function of the bits of three.
            let table = dice.below(256);
            let bit = move |a: u32, b: u32, c: u32, i: u32| {
                table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1
            };
            let op =
                move |a: u32, b: u32, c: u32| (0..32).map(|i| bit(a, b, c, i) << i).sum::<u32>();
            (Value::bits([x, y, z], 1, move |[a, b, c]| op(a, b, c)), each(&op))
        }
        12 => {
            // One of two paths was taken.
            let first = dice.one_in(2);
            (x.join(y, 1), if first { a.is } else { b.is })
        }
        13 => {
            // Some lanes of a known set have the new value.
            let (set, some) = (u64::from(dice.below(1 << WAVE)), u64::from(dice.below(1 << WAVE)));
            let is = core::array::from_fn(|lane| {
                if set & some & 1 << lane != 0 { b.is[lane] } else { a.is[lane] }
            });
            (x.either(y, set, 1), is)
        }
        14 => {
            let set = u64::from(dice.below(1 << WAVE));
            let is =
                core::array::from_fn(
                    |lane| if set & 1 << lane != 0 { b.is[lane] } else { a.is[lane] },
                );
            (x.within(y, set, WAVE, 1), is)
        }
        _ => (Value::apply([x, y], 1, |[a, b]| a.max(b)), each(&|a, b, _| a.max(b))),
    };
    (Both { claim, is }, format!("{kind} of {a:?}, {b:?}, {c:?}"))
}

#[test]
fn what_is_said_holds_for_every_u() {
    let numbers = support::fuzz::numbers(20_000);
    let cases = numbers.end - numbers.start;
    let (mut known, mut forms, mut among) = ([0_u64; 2], 0, 0);
    for seed in numbers {
        let mut dice = Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let mut registers: Vec<_> = (0..6).map(|_| fresh(&mut dice)).collect();
        for _ in 0..10 {
            let [a, b, c, to] = core::array::from_fn(|_| dice.below(6) as usize);
            let (done, what) = apply(&mut dice, &registers[a], &registers[b], &registers[c]);
            known[usize::from(!done.check(&what))] += 1;
            forms += u64::from(matches!(done.claim, Value::OneOf(_)));
            among += u64::from(matches!(done.claim, Value::Among { .. }));
            registers[to] = done;
        }
    }
    let [yes, no] = known;
    println!(
        "{cases} programs: {yes} values known, {no} not, {forms} of several, {among} of open bits"
    );
    assert!(among > cases / 4, "{among} of open bits: a check of little");
    assert!(forms > cases / 20, "{forms} of several forms: a check of little");
    assert!(known[0] > known[1] / 2, "{known:?}: a check of little");
}

/// The picture of the module.
#[test]
fn a_row_of_dwords() {
    let (lane, argument) = (Value::lanes(64, |lane| lane as u32), Value::shared(0));
    let row = argument.mul(&Value::constant(256), 0);
    let dwords = row.or(&lane.shl(&Value::constant(2), 0), 0);
    assert_eq!(dwords, Value::Sum { k: 8, f: Lanes::from_fn(64, |lane| 4 * lane as u32) });
    // The buffer that is read next, 8192 bytes on: u takes it up.
    assert_eq!(dwords.join(&dwords.add(&Value::constant(8192), 0), 0), dwords);
}

/// Two paths bring a row and a column, and a stride that is one of two numbers.
#[test]
fn one_of_two() {
    let lane = Value::lanes(64, |lane| lane as u32);
    let of = |stride: u32| lane.mul(&Value::constant(stride), 0);
    let both = of(4).join(&of(132), 0);
    let Value::OneOf(forms) = &both else { panic!("{both:?}") };
    assert_eq!(**forms, [of(4), of(132)]);
    let stride = Value::constant(4).join(&Value::constant(132), 0);
    assert!(stride.is_shared());
    assert_eq!(lane.mul(&stride, 0), both);
    // A loop's counter is a multiple of its step, however many rounds.
    let step = Value::shared(7).add(&Value::constant(4), 0);
    assert_eq!(stride.join(&Value::constant(260), 0), step);
    assert_eq!(both.join(&of(4), 0), both);
    // Of more than four only the low bits are kept.
    let many = (0..6).map(|i| of(1 << i)).reduce(|a, b| a.join(&b, 0)).unwrap();
    assert!(matches!(many, Value::Unknown(_) | Value::Part { .. }), "{many:?}");
}

/// Where paths meet, a reason stays: a block is not gone through again because another reason came.
#[test]
fn the_reason_that_was_first() {
    let of = |at| [Value::Unknown(Reason { at, why: Why::Loaded }), low_byte(at)];
    for one in of(9) {
        for other in of(3) {
            let both = one.join(&other, 0);
            assert_eq!(both.join(&other, 0), both);
            assert!(format!("{both:?}").contains("at: 9"), "{both:?}");
        }
    }
}

/// A byte that each lane has of its own below bits that an instruction left unknown.
fn low_byte(at: usize) -> Value {
    let reason = Reason { at, why: Why::Loaded };
    Value::Part { bits: 8, f: Lanes::from_fn(WAVE, |lane| lane as u32), reason }
}

/// What is taken from data, and what is computed with it.
#[test]
fn bits_that_depend_on_data() {
    let reason = Reason { at: 0, why: Why::Loaded };
    let (data, lane) = (Value::Unknown(reason), Value::lanes(64, |lane| lane as u32));
    let c = Value::constant;
    let among = |k, open, f: &Value| match f {
        Value::Sum { f, .. } => Value::Among { k, open, f: f.clone(), reason },
        other => panic!("{other:?}"),
    };
    let digit = data.and(&c(15), 1);
    assert_eq!(digit, among(32, 15, &c(0)));
    assert_eq!(data.shr(&c(28), false, 1), digit);
    assert_eq!(digit.shl(&c(2), 1), among(32, 60, &c(0)));
    assert_eq!(digit.mul(&c(36), 1), among(32, 0x3fc, &c(0)));
    // A row of counters that the digit picks, the lane's own column, in an array at a multiple of 16.
    let row = Value::shared(4).add(&digit.shl(&c(9), 1), 1).add(&lane.shl(&c(2), 1), 1);
    assert_eq!(row, among(4, 15 << 9, &lane.shl(&c(2), 1)));
    assert_eq!(c(63).sub(&digit, 1), among(32, 15, &c(48)));
    assert_eq!(digit.add(&digit, 1), among(32, 31, &c(0)));
    // The buffer that is read next.
    assert_eq!(row.join(&row.add(&c(4096), 1), 1), row);
    // A mask below the bits takes them out, and one that reaches them does not.
    let low = Value::shared(4).add(&lane.shl(&c(2), 1), 1);
    assert_eq!(row.and(&c(0x1ff), 1), low.and(&c(0x1ff), 1));
    assert_eq!(c(0x1ff).and(&row, 1), low.and(&c(0x1ff), 1));
    assert_ne!(row.and(&c(0x3ff), 1), low.and(&c(0x3ff), 1));
}
