//! CuTe's form, compared with a second implementation: trees of modes, written and
//! evaluated here only from what `tests/golden/cute/README.md` says.
//!
//! Random layouts are derived from a counter, so a failure names its case and can be repeated.

use super::told;
use support::fuzz::{Dice, cases};
use tiledesc::{Error, Linear, List, Op, Plan};
use tiledesc_host::ErrorKind;
use tiledesc_host::exchange::cute::{Composed, Fastest, Strided, Swizzle};
use tiledesc_host::exchange::linear;

/// Two columns that no swizzle takes apart.
const NO_SWIZZLE: &str = "no Sw<B,M,S> o offset o shape:stride: columns # and # share a bit, and no single swizzle \
                          separates all such columns";
const NO_SUM: &str = "no Sw<B,M,S> o offset o shape:stride: steps of # and # elements make one of #, and no single swizzle \
                      makes all such steps add up";
const NEGATIVE: &str = "no Sw<B,M,S> o offset o shape:stride: stride # is negative, and no single swizzle makes all such \
                        strides positive";
const CUT: &str = "length # of dimension # is not a multiple of #, where its stride changes";
const CARRIES: &str = "# and # share a bit: their sum carries, and columns only flip";
const NO_COLUMNS: &str = "length # of mode # is not a power of two, so there are no columns";

/// A mode: a length with its stride, or modes in brackets.
enum Mode {
    One(u32, u32),
    Nested(Vec<Self>),
}

impl Mode {
    fn random(dice: &mut Dice, parts: u32, depth: u32, twos: bool) -> Self {
        if depth > 0 && (parts == 1 || dice.one_in(6)) {
            let length = if twos { 1 << dice.below(4) } else { 1 + dice.below(6) };
            let stride = [0, 1 << dice.below(9), dice.below(50)][dice.below(3) as usize];
            return Self::One(length, if dice.one_in(8) { stride } else { stride.max(1) });
        }
        let inner = 1 + dice.below(parts);
        let share = parts.div_ceil(inner);
        Self::Nested((0..inner).map(|_| Self::random(dice, share, depth + 1, twos)).collect())
    }

    fn flat(&self) -> Vec<(u32, u32)> {
        match self {
            Self::One(length, stride) => vec![(*length, *stride)],
            Self::Nested(modes) => modes.iter().flat_map(Self::flat).collect(),
        }
    }

    /// Brackets in each other.
    fn depth(&self) -> u32 {
        match self {
            Self::One(..) => 0,
            Self::Nested(modes) => 1 + modes.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    /// The lengths or the strides, as CuTe prints them.
    fn text(&self, part: fn(&(u32, u32)) -> u32, fixed: &mut impl FnMut() -> bool) -> String {
        match self {
            Self::One(length, stride) => {
                let sign = if fixed() { "_" } else { "" };
                format!("{sign}{}", part(&(*length, *stride)))
            }
            Self::Nested(modes) => {
                let parts: Vec<_> = modes.iter().map(|mode| mode.text(part, fixed)).collect();
                format!("({})", parts.join(","))
            }
        }
    }
}

/// `Swizzle(B,M,S)` as the README has it.
#[derive(Clone, Copy)]
struct Xor(u32, u32, i32);

impl Xor {
    fn random(dice: &mut Dice) -> Self {
        let (b, m) = (dice.below(4), dice.below(6));
        let shift = (b + dice.below(4)).cast_signed();
        Self(b, m, if dice.one_in(3) { -shift } else { shift })
    }

    /// All that may be drawn, each once.
    fn all() -> impl Iterator<Item = Self> {
        let fields = (0..4u32).flat_map(|b| (0..6).map(move |m| (b, m)));
        fields.flat_map(|(b, m)| {
            let least = b.cast_signed();
            let either = (least..least + 4).flat_map(|s| [s, -s]);
            either.filter(|s| *s != 0).chain((b == 0).then_some(0)).map(move |s| Self(b, m, s))
        })
    }

    fn apply(self, x: u64) -> u64 {
        let Self(b, m, s) = self;
        let flipping = x & (((1 << b) - 1) << (m.cast_signed() + s.max(0)));
        x ^ if s >= 0 { flipping >> s } else { flipping << -s }
    }
}

/// What a layout is, in this file's words.
struct Case {
    xor: Xor,
    offset: u32,
    modes: Mode,
    text: String,
}

impl Case {
    fn random(seed: u64) -> Self {
        let dice = &mut Dice(seed << 20);
        let (twos, parts) = (!dice.one_in(3), 1 + dice.below(6));
        let modes = loop {
            let modes = Mode::random(dice, parts, 0, twos);
            let flat = modes.flat();
            if flat.len() <= 12 && flat.iter().map(|mode| mode.0).product::<u32>() <= 2048 {
                break modes;
            }
        };
        let (mut xor, mut offset) = (Xor::random(dice), 0);
        let mut fixed = Dice(seed ^ 1);
        let mut fixed = || fixed.one_in(3);
        let shape = modes.text(|mode| mode.0, &mut fixed);
        let layout = format!("{shape}:{}", modes.text(|mode| mode.1, &mut fixed));
        let named = |Xor(b, m, s)| format!("Sw<{b},{m},{s}>");
        let text = match dice.below(3) {
            0 => {
                xor = Xor(0, 0, 0);
                layout
            }
            1 => {
                let bits = dice.below(12);
                offset = dice.below(1 << bits);
                // Three zeros and no offset are printed as nothing.
                xor.1 = xor.1.max(1);
                let sign = if dice.one_in(4) { "_" } else { "" };
                format!("{} o {sign}{offset} o {layout}", named(xor))
            }
            _ => {
                let width = dice.below(4);
                let bytes = Xor(xor.0, xor.1 + width, xor.2);
                let bits = 8 << width;
                xor = if xor.0 == 0 { bytes } else { xor };
                format!("{} o smem_ptr[{bits}b](unset) o {layout}", named(bytes))
            }
        };
        Self { xor, offset, modes, text }
    }

    /// Every value, the first mode fastest, or the last; in a mode always the first.
    fn values(&self, fastest: Fastest) -> Vec<u64> {
        let outer = match &self.modes {
            Mode::Nested(modes) => modes.iter().map(Mode::flat).collect(),
            one @ Mode::One(..) => vec![one.flat()],
        };
        let modes: Vec<(u32, u32)> = match fastest {
            Fastest::First => outer.into_iter().flatten().collect(),
            Fastest::Last => outer.into_iter().rev().flatten().collect(),
        };
        let size: u32 = modes.iter().map(|mode| mode.0).product();
        let value = |number: u32| {
            let (mut rest, mut sum) = (number, u64::from(self.offset));
            for (length, stride) in &modes {
                sum += u64::from(rest % length) * u64::from(*stride);
                rest /= length;
            }
            self.xor.apply(sum)
        };
        (0..size).map(value).collect()
    }
}

/// The columns that a table has, if it has any.
fn columns(values: &[u64]) -> Option<Vec<u64>> {
    if !values.len().is_power_of_two() {
        return None;
    }
    let columns: Vec<u64> = (0..values.len().ilog2()).map(|b| values[1 << b] ^ values[0]).collect();
    for (x, value) in values.iter().enumerate() {
        // What the number without its lowest bit is already, and the column of that bit.
        let lowest = columns.get(x.trailing_zeros() as usize);
        if lowest.is_some_and(|column| values[x & (x - 1)] ^ column != *value) {
            return None;
        }
    }
    Some(columns)
}

#[test]
fn read_evaluated_and_found() {
    let (mut linear, mut with_carries, mut undecided) = (0u32, 0u32, 0);
    let count = cases("cute texts");
    for seed in 0..u64::from(count) {
        let case = Case::random(seed);
        let read = Composed::parse(&case.text);
        if case.modes.depth() > 12 {
            let limit = "at most 12 nested brackets";
            let kind = read.unwrap_err().kind();
            assert!(matches!(kind, ErrorKind::Syntax { expected, .. } if expected == limit));
            continue;
        }
        let layout = read.unwrap_or_else(|e| panic!("{seed}: {}: {e}", case.text));
        assert_eq!(layout.to_string(), case.text, "{seed}");
        let values = case.values(Fastest::First);
        for (number, value) in (0..).zip(&values) {
            assert_eq!(layout.at(number).map(u64::from), Some(*value), "{seed}: {number}");
        }
        assert_eq!(layout.at(values.len() as u64), None, "{seed}");
        as_a_plan(seed, &layout, &values);
        undecided += usize::from(!back(seed, &layout, &values));
        if case.modes.flat().iter().any(|mode| !mode.0.is_power_of_two()) {
            let (said, numbers) = told(&layout.linear(Fastest::First).unwrap_err());
            assert_eq!(said, NO_COLUMNS, "{seed}");
            assert_ne!(numbers[0].count_ones(), 1, "{seed}: {numbers:?}");
            continue;
        }
        for fastest in [Fastest::First, Fastest::Last] {
            let table = case.values(fastest);
            match (layout.linear(fastest), columns(&table)) {
                (Ok(map), Some(columns)) => {
                    let ours: Vec<u64> = map.columns().iter().map(|c| u64::from(*c)).collect();
                    let constant = u64::from(map.constant());
                    assert_eq!((ours, constant), (columns, table[0]), "{seed}");
                    found(seed, &map, &layout);
                    let reach: u32 = case.modes.flat().iter().map(|mode| mode.0 / 2 * mode.1).sum();
                    with_carries += u32::from(case.offset & reach != 0);
                    linear += 1;
                }
                (Err(refused), None) => {
                    let (said, numbers) = told(&refused);
                    assert_eq!(said, CARRIES, "{seed}");
                    assert!(numbers[0] & numbers[1] > 0, "{seed}: {refused}");
                }
                (ours, table) => panic!("{seed}: {}: {ours:?}, {table:?}", case.text),
            }
        }
    }
    println!("{linear} linear, {with_carries} of them may carry, {undecided} not inverted");
    assert!(linear > count / 2 && with_carries > count / 60 && undecided < count as usize / 2);
}

/// The plan of a form has its offset at every coordinate, its first mode fastest, and bits
/// where it has.
fn as_a_plan(seed: u64, layout: &Composed, values: &[u64]) {
    let plan = layout.plan().unwrap_or_else(|error| panic!("{seed}: {layout}: {error}"));
    let lengths = plan.lengths();
    for (number, value) in (0..).zip(values) {
        let (mut index, mut rest): (Vec<u32>, u32) = (Vec::new(), number);
        for length in lengths.as_slice() {
            index.push(rest % length);
            rest /= length;
        }
        assert_eq!(plan.offset(&index).map(u64::from), Ok(*value), "{seed}: {layout} {index:?}");
    }
    // Columns that take more transforms than a plan holds are its only loss.
    let columns = layout.linear(Fastest::Last).ok();
    match columns.map(|map| linear::plan(&map, lengths.as_slice())) {
        Some(Err(Error::TooLarge { .. })) if plan.linear().is_err() => {}
        _ => assert_eq!(plan.linear().ok(), columns, "{seed}: {layout}"),
    }
    let last = values.iter().max().unwrap();
    let end = u64::from(plan.origin()) + plan.element_space();
    assert!(*last < end, "{seed}: {layout}: {last} of {end}");
}

/// The number of an offset is the first that a search finds; `false` if it is refused.
fn back(seed: u64, layout: &Composed, values: &[u64]) -> bool {
    for offset in 0..512 {
        match layout.number_at(offset) {
            Ok(number) => {
                let first = values.iter().position(|value| *value == u64::from(offset));
                assert_eq!(number, first.map(|n| n as u64), "{seed}: {layout} at {offset}");
            }
            Err(refused) if refused.kind() == ErrorKind::NoForm => return false,
            Err(refused) => panic!("{seed}: {refused}"),
        }
    }
    true
}

/// What has a form is given one, with as few bits at most, and it is the same map.
fn found(seed: u64, map: &Linear, layout: &Composed) {
    for fastest in [Fastest::First, Fastest::Last] {
        let form = match Composed::of_linear(map, layout.layout().shape().as_slice(), fastest) {
            Ok(form) => form,
            // In the other order dimensions may be so many modes.
            Err(refused) if told(&refused).0 == "# modes; there must be # to #, flattened" => {
                continue;
            }
            Err(refused) => panic!("{seed}: {layout}: {refused}"),
        };
        assert_eq!(form.linear(fastest), Ok(*map), "{seed}: {form}");
        assert!(form.swizzle().bits() <= layout.swizzle().bits(), "{seed}: {form}");
        let again = Composed::parse(&form.to_string());
        assert_eq!(again, Ok(form), "{seed}: {form}");
    }
}

/// All 4096 maps of 3 bits to 3 with a constant: a form is found exactly if, for one of
/// all swizzles, an offset and three strides give its 8 values.
#[test]
fn a_constant_may_carry() {
    let pairs = (0..5).flat_map(|b| (0..10).map(move |m| (b, m)));
    let all: Vec<Xor> = pairs.flat_map(|(b, m)| (-9..10).map(move |s| Xor(b, m, s))).collect();
    let fits = |Xor(b, m, s): &Xor| s.unsigned_abs() >= *b && b + m + s.unsigned_abs() <= 9;
    let swizzles: Vec<Xor> = all.into_iter().filter(fits).collect();
    let (mut forms, mut none) = (0, 0);
    for n in 0..4096u32 {
        let [a, b, c, constant] = [n & 7, n >> 3 & 7, n >> 6 & 7, n >> 9];
        let map = Linear::new(&[a, b, c], constant).unwrap();
        let value = |x: u32| u64::from(map.apply(x));
        let sums = |xor: &Xor| {
            let below = |x| xor.apply(value(x)) as i64;
            let strides = [1, 2, 4].map(|bit| below(bit) - below(0));
            let sum = |x: u32| {
                let bits = (0..3).filter(|b| x >> b & 1 == 1);
                below(0) + bits.map(|b| strides[b as usize]).sum::<i64>()
            };
            strides.iter().all(|stride| *stride >= 0) && (0..8).all(|x| below(x) == sum(x))
        };
        let form = Composed::of_linear(&map, &[4, 2], Fastest::First);
        assert_eq!(form.is_ok(), swizzles.iter().any(sums), "{map:?}: {form:?}");
        match form {
            Ok(form) => {
                assert_eq!(form.linear(Fastest::First), Ok(map), "{form}");
                forms += 1;
            }
            Err(refused) => {
                let (said, numbers) = told(&refused);
                assert_eq!(said, NO_SWIZZLE);
                assert!(numbers[0] & numbers[1] > 0, "{refused}");
                none += 1;
            }
        }
    }
    println!("{forms} maps have a form, {none} have none");
    assert!(forms > 400 && none > 3000);
    // 1 + 3x + 2y, though 3 and 2 share a bit.
    let carrying = Composed::parse("Sw<0,0,0> o 1 o (2,2):(3,2)").unwrap();
    let map = carrying.linear(Fastest::First).unwrap();
    assert_eq!((map.columns(), map.constant()), (&[5, 2][..], 1));
    assert_eq!(Composed::of_linear(&map, &[2, 2], Fastest::First), Ok(carrying));
}

/// Units twice as large or small: the same bytes move, or it is refused because parts of
/// a unit would.
#[test]
fn recast_moves_the_same_bytes() {
    let (mut same, mut refused) = (0, 0);
    for Xor(b, m, s) in Xor::all() {
        let swizzle = Swizzle::new(b, m, s).unwrap();
        let half = swizzle.recast(8, 4).unwrap();
        let whole = |double: &Swizzle, single: &Swizzle| {
            (0..1 << 13).all(|x| (0..2).all(|d| single.apply(2 * x + d) == 2 * double.apply(x) + d))
        };
        assert!(whole(&swizzle, &half), "{swizzle}");
        assert_eq!(half.recast(4, 8), Ok(swizzle));
        match swizzle.recast(8, 16) {
            Ok(double) => {
                assert!(whole(&double, &swizzle), "{swizzle}: {double}");
                same += 1;
            }
            Err(other) if other.to_string().ends_with(": the base must be at least 1") => {
                assert!(
                    (0..1 << 13).any(|x| swizzle.apply(2 * x) + 1 != swizzle.apply(2 * x + 1)
                        || swizzle.apply(2 * x) % 2 == 1),
                    "{swizzle}"
                );
                refused += 1;
            }
            Err(other) => panic!("{swizzle}: {other}"),
        }
    }
    println!("{same} recast, {refused} refused");
    assert_eq!((same, refused), (162, 24));
}

/// A damaged text is refused, or it is another one and prints as such; no text panics.
#[test]
fn damaged_texts() {
    let (mut still, mut refused) = (0, 0);
    for seed in 0..u64::from(cases("damaged texts")) {
        let dice = &mut Dice(!seed);
        let mut text = Case::random(seed).text.into_bytes();
        for _ in 0..=dice.below(2) {
            let at = dice.below(text.len() as u32) as usize;
            let byte = b"()<>,:_ob@-0123456789 ES"[dice.below(24) as usize];
            match dice.below(3) {
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                _ => drop(text.remove(at)),
            }
        }
        let text = String::from_utf8(text).unwrap();
        match Composed::parse(&text) {
            Ok(read) => {
                assert_eq!(Composed::parse(&read.to_string()), Ok(read), "{text}");
                still += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    println!("{still} are other texts, {refused} are refused");
}

/// The longest text that is read is printed whole.
#[test]
fn the_deepest_text() {
    let numbers = |number: &str| {
        let part = format!("{}{number}{}", "(".repeat(11), ")".repeat(11));
        format!("({})", [&part[..]; 12].join(","))
    };
    let text = format!("Sw<0,4,3> o _0 o {}:{}", numbers("_1"), numbers("_4294967295"));
    let read = Composed::parse(&text).unwrap();
    assert_eq!(read.to_string(), text);
}

/// All 32 bits, and one offset more.
#[test]
fn as_much_as_32_bits_count() {
    let whole = Composed::parse("Sw<3,4,3> o 0 o (65536,65536):(65536,1)").unwrap();
    assert_eq!(whole.at(u64::from(u32::MAX)), Some(u32::MAX ^ 0x70));
    assert_eq!(whole.at(1 << 32), None);
    assert_eq!(whole.number_at(u32::MAX ^ 0x70), Ok(Some(u64::from(u32::MAX))));
    let map = whole.linear(Fastest::First).unwrap();
    assert_eq!(map.inverse().unwrap().apply(map.apply(123_456_789)), 123_456_789);
    assert_eq!(Composed::of_linear(&map, &[65536, 65536], Fastest::First), Ok(whole));
    let last = Composed::parse("Sw<0,4,3> o 4294967295 o (1,1):(7,4294967295)").unwrap();
    assert_eq!((last.at(0), last.number_at(u32::MAX)), (Some(u32::MAX), Ok(Some(0))));
    let over = Composed::parse("Sw<0,4,3> o 4294967295 o 2:1").unwrap_err();
    assert_eq!(over.to_string(), "4294967297 elements do not fit into 32 bits");
    let product = Composed::parse("(4294967295,4294967295,4294967295):(0,0,0)");
    assert_eq!(product.unwrap_err().kind(), ErrorKind::TooLarge);
}

/// Two modes of one stride, and a stride within another.
#[test]
fn no_number_at_an_offset() {
    let at = |shape: &[u32], stride: &[u32]| Strided::new(shape, stride).unwrap().number_at(4);
    assert_eq!(
        at(&[2, 4], &[4, 4]).unwrap_err().to_string(),
        "two modes have stride 4: an offset may belong to several coordinates",
    );
    assert_eq!(
        at(&[3, 2], &[2, 3]).unwrap_err().to_string(),
        "stride 3 lies within the 5 offsets that smaller strides span: no division tells them apart",
    );
}

/// Padded bases, lengths that are not powers of two, a swizzle or none above them: a form is
/// found exactly if some swizzle leaves strides at every element, and it is the layout.
#[test]
fn padded_plans_have_a_form_or_none() {
    let (all, mut dice) = (swizzles_within(10, 3), Dice(5));
    let count = cases("forms of padded plans");
    let found = (0..count).filter(|case| has_the_form(*case, &padded(&mut dice), &all)).count();
    println!("{found} of {count} padded plans have a form");
    assert!(found > count as usize / 4 && found < count as usize / 8 * 7);
}

fn swizzles_within(width: u32, most: u32) -> Vec<Swizzle> {
    let shifts = -width.cast_signed()..=width.cast_signed();
    (0..=most)
        .flat_map(|b| (0..width).map(move |m| (b, m)))
        .flat_map(|(b, m)| shifts.clone().map(move |s| (b, m, s)))
        .filter(|&(b, m, s)| b + m + s.unsigned_abs() <= width)
        .filter_map(|(b, m, s)| Swizzle::new(b, m, s).ok())
        .collect()
}

/// Whether a plan is given a form; wrong ones, and "none" where there is one, panic.
fn has_the_form(case: u32, plan: &Plan, swizzles: &[Swizzle]) -> bool {
    let at = |index: &List| plan.offset(index.as_slice()).unwrap();
    let ours: Vec<u32> = (0..plan.elements()).map(|number| at(&plan.nth(number))).collect();
    let refused = match Composed::of_plan(plan) {
        Ok(form) => {
            let rows = plan.lengths().at(0);
            let offset = |number| offset_in(&form, &plan.nth(number), rows);
            let flat: Vec<u32> = (0..plan.elements()).map(offset).collect();
            assert_eq!(flat, ours, "{case}: {form}");
            return true;
        }
        Err(refused) => refused,
    };
    let one = swizzles.iter().find(|swizzle| has_strides(plan, |index| swizzle.apply(at(index))));
    assert_eq!(one, None, "{case}: {refused}: {ours:?}");
    let is_step = |step: i64| ours.iter().any(|at| i64::from(*at) == i64::from(ours[0]) + step);
    let (said, numbers) = told(&refused);
    let is_true = match (said.as_str(), &numbers[..]) {
        (NO_SWIZZLE, [one, other]) => one & other > 0,
        (NO_SUM, &[one, other, both]) => {
            both != one + other && is_step(one) && is_step(other) && is_step(both)
        }
        (NEGATIVE, &[stride]) => stride < 0 && is_step(stride),
        (CUT, [length, _, at]) => length % at != 0,
        _ => false,
    };
    assert!(is_true, "{case}: {refused}: {ours:?}");
    false
}

/// Of lines of 4 every 10, the first 12 elements are modes, and the first 6 are none.
#[test]
fn a_part_of_a_line() {
    let part = |end| {
        let lines = Plan::naive(&[4, 4], &[10, 1]).unwrap();
        let merged = Op::Merge { lengths: List::new(&[4, 4]) };
        let all = lines.transform(&[merged], &[&[0, 1]], &[&[0]]).unwrap();
        let slice = Op::Slice { low_length: 16, begin: 0, end };
        Composed::of_plan(&all.transform(&[slice], &[&[0]], &[&[0]]).unwrap())
    };
    assert_eq!(part(12).unwrap().to_string(), "((4,3)):((1,10))");
    assert_eq!(
        part(6).unwrap_err().to_string(),
        "length 6 of dimension 0 is not a multiple of 4, where its stride changes",
    );
}

/// The same of bits xor-ed at random, some of them fixed, where a dimension may end
/// anywhere; and the sentence is true.
#[test]
fn plans_of_bits_have_a_form_or_none() {
    let (all, mut dice) = (swizzles_within(7, 3), Dice(6));
    let count = cases("forms of plans of bits");
    let found = (0..count).filter(|case| has_the_form(*case, &bits(&mut dice), &all)).count();
    println!("{found} of {count} plans of bits have a form");
    assert!(found > count as usize / 4 && found < count as usize / 4 * 3);
}

/// Lengths at which the bits of an index do not tell its modes.
#[test]
fn lengths_that_are_no_powers_of_two() {
    // Bits that become 3, 6 and 8, of which 3 and 6 together flip to 5.
    let third = bits_below(&[(2, 1), (1, 0)], 4, &[1, 2, 3], 6);
    assert_eq!(Composed::of_plan(&third).unwrap().to_string(), "((3,2)):((3,5))");
    // The same beside a dimension of one element.
    let beside = xored(Plan::naive(&[2; 5], &[1, 2, 4, 8, 16]), &[(2, 1), (1, 0)]);
    let beside = ended(&kept_bits(&beside, &[&[1, 2, 3], &[4]]), &[6, 1]);
    assert_eq!(Composed::of_plan(&beside).unwrap().to_string(), "((3,2),1):((3,5),0)");
    // 1, 2, 12: every two add up as they are, and still only a swizzle makes them modes.
    let lifted = bits_below(&[(2, 3)], 4, &[0, 1, 2], 6);
    assert_eq!(Composed::of_plan(&lifted).unwrap().to_string(), "Sw<1,2,-1> o 0 o (6):(1)");
    let flipped = bits_below(&[(0, 4)], 5, &[0, 1], 3); // 0 17 2
    assert_eq!(Composed::of_plan(&flipped).unwrap().to_string(), "Sw<1,0,-4> o 0 o (3):(1)");
    let sentence = |plan: &Plan| Composed::of_plan(plan).unwrap_err().to_string();
    // 0 3 6 5 8, and 5 rows are not a whole number of 3.
    assert_eq!(
        sentence(&bits_below(&[(2, 1), (1, 0)], 4, &[1, 2, 3], 5)),
        "length 5 of dimension 0 is not a multiple of 3, where its stride changes",
    );
    let rows = Plan::naive_with_offset(&[8, 2], &[9, 1], 3).unwrap();
    let xor = Op::Xor { length0: 8, length1: 2 };
    let rows = rows.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap();
    assert_eq!(
        sentence(&rows),
        "no Sw<B,M,S> o offset o shape:stride: steps of 1 and 10 elements make one of 9, \
         and no single swizzle makes all such steps add up",
    );
    // Backwards along both, 16 bits apart: one swizzle may turn either, and none turns both.
    let back = Plan::naive(&[4, 2, 4, 2], &[1, 9, 1 << 16, 9 << 16]).unwrap();
    let (xor, pass) = (Op::Xor { length0: 4, length1: 2 }, Op::PassThrough { length: 4 });
    let back = back.transform(&[xor; 2], &[&[0, 1], &[2, 3]], &[&[0, 1], &[2, 3]]).unwrap();
    let last = Op::Freeze { index: 1 };
    let each: [&[u32]; 4] = [&[0], &[1], &[2], &[3]];
    let back = back.transform(&[pass, last, pass, last], &each, &[&[0], &[], &[1], &[]]).unwrap();
    assert_eq!(
        sentence(&back),
        "no Sw<B,M,S> o offset o shape:stride: stride -524288 is negative, and no single swizzle \
         makes all such strides positive",
    );
}

/// One dimension of `count` bits, of which `xors` flip others (from, into), nearest to
/// memory first. The index has the bits `kept`, the others are 0, and ends at a length.
fn bits_below(xors: &[(u32, u32)], count: u32, kept: &[u32], length: u32) -> Plan {
    let strides: Vec<u32> = (0..count).map(|b| 1 << b).collect();
    let plan = kept_bits(&xored(Plan::naive(&vec![2; count as usize], &strides), xors), &[kept]);
    ended(&plan, &[length])
}

/// Dimensions of 2, of which some flip others.
fn xored(base: Result<Plan, Error>, xors: &[(u32, u32)]) -> Plan {
    let all = base.unwrap();
    xors.iter().fold(all, |plan, (from, into)| {
        let others = (0..plan.rank() as u32).filter(|b| b != from && b != into);
        let ids: Vec<Vec<u32>> =
            [vec![*from, *into]].into_iter().chain(others.map(|b| vec![b])).collect();
        let ids: Vec<&[u32]> = ids.iter().map(Vec::as_slice).collect();
        let mut ops = vec![Op::PassThrough { length: 2 }; ids.len()];
        ops[0] = Op::Xor { length0: 2, length1: 2 };
        plan.transform(&ops, &ids, &ids).unwrap()
    })
}

/// Dimensions of 2 as bits of indices, each its lowest first; those in none are 0.
fn kept_bits(plan: &Plan, indices: &[&[u32]]) -> Plan {
    let (mut ops, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for (dimension, bits) in (0..).zip(indices) {
        ops.push(Op::Merge { lengths: List::new(&vec![2; bits.len()]) });
        lower.push(bits.iter().rev().copied().collect::<Vec<u32>>());
        upper.push(vec![dimension]);
    }
    for bit in (0..plan.rank() as u32).filter(|bit| !indices.concat().contains(bit)) {
        ops.push(Op::Freeze { index: 0 });
        lower.push(vec![bit]);
        upper.push(vec![]);
    }
    let lower: Vec<&[u32]> = lower.iter().map(Vec::as_slice).collect();
    let upper: Vec<&[u32]> = upper.iter().map(Vec::as_slice).collect();
    plan.transform(&ops, &lower, &upper).unwrap()
}

/// The first indices of each dimension.
fn ended(plan: &Plan, lengths: &[u32]) -> Plan {
    let all = plan.lengths();
    let slice = |(d, end): (usize, &u32)| Op::Slice { low_length: all.at(d), begin: 0, end: *end };
    let ops: Vec<Op> = lengths.iter().enumerate().map(slice).collect();
    let ids: [&[u32]; 2] = [&[0], &[1]];
    plan.transform(&ops, &ids[..ops.len()], &ids[..ops.len()]).unwrap()
}

/// Bits at strides with and without gaps, xor-ed at random; some are 0, the others are one
/// index or two, which may end anywhere.
fn bits(dice: &mut Dice) -> Plan {
    let count = 3 + dice.below(3);
    let gaps = dice.one_in(3);
    let mut strides = vec![1];
    while strides.len() < count as usize {
        let last = strides[strides.len() - 1];
        strides.push(2 * last + if gaps { dice.below(2) } else { 0 });
    }
    let offset = [0, 0, 0, 4, 3][dice.below(5) as usize];
    let base = Plan::naive_with_offset(&vec![2; count as usize], &strides, offset);
    let xors: Vec<(u32, u32)> = (0..dice.below(4))
        .map(|_| (dice.below(count), 1 + dice.below(count - 1)))
        .map(|(from, further)| (from, (from + further) % count))
        .collect();
    let mut of_index = [Vec::new(), Vec::new()];
    for bit in (0..count).filter(|_| !dice.one_in(6)).collect::<Vec<_>>() {
        of_index[usize::from(dice.one_in(3))].push(bit);
    }
    let indices: Vec<&[u32]> =
        of_index.iter().map(Vec::as_slice).filter(|bits| !bits.is_empty()).collect();
    let plan = xored(base, &xors);
    if indices.is_empty() {
        return kept_bits(&plan, &[&[0]]);
    }
    let ends: Vec<u32> = indices
        .iter()
        .map(|bits| 1 << bits.len())
        .map(|whole| if dice.one_in(2) { whole } else { whole / 2 + 1 + dice.below(whole / 2) })
        .collect();
    ended(&kept_bits(&plan, &indices), &ends)
}

/// Rows of chunks with gaps behind both, and the chunk perhaps xor-ed with the row.
fn padded(dice: &mut Dice) -> Plan {
    let rows = [1, 2, 3, 4, 6, 8, 8, 8][dice.below(8) as usize];
    let (chunks, pack) = (2 << dice.below(2), 1 << dice.below(2));
    let chunk = pack + dice.below(2);
    let row = chunk * chunks + dice.below(5);
    let base = Plan::naive_with_offset(
        &[rows, chunks, pack],
        &[row, chunk, 1],
        [0, 0, 8, 3][dice.below(4) as usize],
    );
    let xor = rows.is_power_of_two() && !dice.one_in(3);
    let pass = |length| Op::PassThrough { length };
    let base = match xor {
        true => base.unwrap().transform(
            &[Op::Xor { length0: rows, length1: chunks }, pass(pack)],
            &[&[0, 1], &[2]],
            &[&[0, 1], &[2]],
        ),
        false => base,
    };
    let merged = Op::Merge { lengths: List::new(&[chunks, pack]) };
    base.unwrap().transform(&[pass(rows), merged], &[&[0], &[1, 2]], &[&[0], &[1]]).unwrap()
}

/// Whether each dimension of a map is modes with strides, by trying: that offsets of
/// single indices add up, and that those of one dimension are such modes.
fn has_strides(plan: &Plan, at: impl Fn(&List) -> u32) -> bool {
    let origin = plan.nth(0);
    let base = i64::from(at(&origin));
    let lengths = plan.lengths();
    let alone: Vec<Vec<i64>> = (0..lengths.len())
        .map(|d| (0..lengths.at(d)).map(|i| i64::from(at(&origin.with(d, i))) - base).collect())
        .collect();
    let adds_up = (0..plan.elements()).map(|number| plan.nth(number)).all(|index| {
        let sum: i64 = (0..lengths.len()).map(|d| alone[d][index.at(d) as usize]).sum();
        i64::from(at(&index)) == base + sum
    });
    adds_up && alone.iter().all(|offsets| is_modes(offsets))
}

/// Whether offsets are those of modes, the first fastest, with strides of 0 or more:
/// a run, and the rest in multiples of it.
fn is_modes(offsets: &[i64]) -> bool {
    let n = offsets.len();
    if n <= 1 {
        return true;
    }
    (2..=n).filter(|length| n.is_multiple_of(*length)).any(|length| {
        let stride = offsets[1];
        let is_run = (0..n)
            .all(|i| offsets[i] == offsets[i / length * length] + (i % length) as i64 * stride);
        let rest: Vec<i64> = offsets.iter().step_by(length).copied().collect();
        stride >= 0 && is_run && is_modes(&rest)
    })
}

/// The offset that a form gives a coordinate of two dimensions, the first fastest.
fn offset_in(form: &Composed, index: &List, rows: u32) -> u32 {
    form.at(u64::from(index.at(0) + rows * index.at(1))).unwrap()
}

/// Where a swizzle takes columns apart, it is not the swizzle that is missing: 10 lengths are 14
/// modes of a stride each.
#[test]
fn more_modes_than_a_form_has() {
    let map = Linear::new(&[0, 0, 0, 256, 1, 2, 4, 10, 128], 0).unwrap();
    let shape = [1, 8, 1, 1, 2, 8, 1, 2, 2, 1];
    let form = Composed::of_linear(&map, &shape, Fastest::First).unwrap();
    assert_eq!(form.to_string(), "Sw<1,1,2> o 0 o (1,8,1,1,2,8,1,2,2,1):(0,0,0,0,256,1,0,8,128,0)");
    let refused = Composed::of_linear(&map, &shape, Fastest::Last).unwrap_err();
    assert_eq!(refused.to_string(), "13 modes; there must be 1 to 12, flattened");
}

/// Brackets in other places are another layout, also where they hold nothing.
#[test]
fn empty_modes_are_refused() {
    let refused = |shape: &[&[u32]], stride: &[&[u32]]| {
        Strided::nested(shape, stride).unwrap_err().to_string()
    };
    assert_eq!(refused(&[&[], &[2]], &[&[2], &[]]), "mode 0 has no numbers");
    assert_eq!(refused(&[&[2], &[]], &[&[2], &[]]), "mode 1 has no numbers");
    assert_eq!(
        refused(&[&[2], &[2]], &[&[2, 2], &[]]),
        "the shape has 2 numbers and the stride 2, or their brackets differ"
    );
}

/// A linear map in a shape that has not its bits.
#[test]
fn shapes_of_other_bits() {
    let map = Linear::new(&[1, 2, 4], 0).unwrap();
    let refused =
        |shape: &[u32]| Composed::of_linear(&map, shape, Fastest::Last).unwrap_err().to_string();
    assert_eq!(
        refused(&[3, 2]),
        "length 3 of mode 0 is not a power of two, so there are no columns"
    );
    assert_eq!(refused(&[4, 4]), "a shape of 4 bits for a map of 3");
    assert!(Composed::of_linear(&map, &[4, 2], Fastest::Last).is_ok());
}

/// A layout without nested modes is its strides and nothing on top of them.
#[test]
fn flat_modes_take_no_transform() {
    let plan = |text: &str| Composed::parse(text).unwrap().plan().unwrap();
    let flat = plan("(8,4):(1,8)");
    assert_eq!(flat, Plan::naive(&[8, 4], &[1, 8]).unwrap());
    let nested = plan("((2,4),4):((4,1),8)");
    assert!(nested.nodes().len() > flat.nodes().len());
}
