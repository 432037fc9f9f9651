//! How many cases a test tries, and from which numbers: `cargo xtask test --deep 100 --seed 3` asks for a hundred times as
//! many as a plain `cargo test`, and for others than run 0.
//!
//! ```text
//! cargo xtask test --deep 1000 --test oracles definition::
//! cargo xtask test --deep 1000 -p tiledesc-host-tests --test search every_answer
//! ```

/// Every fuzzer with what it tries in a plain `cargo test`: about a second of a debug build.
const TARGETS: &[(&str, u64)] = &[
    // A plan each: its offsets by a model of the transforms, its proofs, parts and inverse.
    ("compositions", 250),
    // One law of a plan each, of fourteen in `laws.rs`, and its digits.
    ("laws", 14 * 256),
    ("digits", 8 * 256),
    // A row or a placement each, counted by sets of bytes.
    ("accesses", 1000),
    ("full waves", 1000),
    ("own rows", 2000),
    // Lanes each, and a placement each, counted dword by dword.
    ("lanes by the rule", 2000),
    ("ways by the rule", 2000),
    // A layout and an access one step away from a kind each, every lane of every instruction.
    ("verdicts by definition", 1000),
    ("outlined verdicts", 3000),
    ("addresses by definition", 500),
    ("answers by definition", 100),
    ("verdicts of linear maps", 400),
    ("verdicts of tiles", 400),
    ("every instruction", 1000),
    // A tile of rows each, every lane of every instruction.
    ("tiles of rows", 200),
    ("addressing", 800),
    ("checked addresses", 1000),
    // All lanes of a distribution.
    ("covered tiles", 1000),
    // A distribution each: its parts, turned over, around another, and exchanged.
    ("parts of covered tiles", 500),
    // A pattern on a tile each, element by element beside its distribution.
    ("patterns by formula", 8000),
    ("distributions of patterns", 3000),
    // A program of holds and drops each, against every byte.
    ("places", 100),
    // A tile of matrix operands each, every element handed to its lane.
    ("fragments", 400),
    // Two distributions around the operands of a matrix instruction, multiplied lane by lane.
    ("products", 100),
    // A tile each, loaded lane by lane.
    ("direct loads", 400),
    // A distribution each, expanded as a kernel of CubeCL, every lane (`cd kernels && cargo test -p tiledesc-cubecl`).
    ("expanded kernels", 1000),
    // A tile of linear layout each: every lane of every load.
    ("routes of linear loads", 200),
    ("routes of loads of any lengths", 400),
    // A plan each, whose kernel loads the tile beside neighbours.
    ("kernels of direct loads", 750),
    // Two distributions each, all their lanes.
    ("exchanges", 1000),
    // Two distributions each, every byte through LDS; of tiles of 16 elements, every layout.
    ("conversions", 100),
    ("least conversions", 8),
    // An array of one dimension each: every pad and, where they are few, every xor of its index.
    ("index functions", 25),
    // A tile each that mostly conflicts: nothing that is named instead is beaten, and each is what is said of it.
    ("remedies", 24),
    // Up to five accesses each of a tile of any lengths, every lane counted.
    ("answers of the short list", 300),
    // An access each, done in parts: every lane; some of them searched for, some in place of a wide one.
    ("accesses in parts", 150),
    ("tables in another order", 60),
    ("searches of parts", 100),
    // Up to five accesses each, searched for on a person's machine, every lane counted: so many of each of seven
    // kinds; of some every candidate.
    ("searches", 12),
    ("tables of candidates", 10),
    ("refused searches", 60),
    ("free pads", 20),
    // A tile each: every layout of the families that are claimed.
    ("claimed families", 120),
    // A form of linear layouts each, every choice of it.
    ("descents", 200),
    // As many accesses that some other order of one would serve better.
    ("changed searches", 20),
    // Some accesses each on a layout that stays, every order of them counted.
    ("orders of accesses", 40),
    // A text, a map or a form each.
    ("cute texts", 4000),
    ("damaged texts", 20_000),
    ("forms of padded plans", 200),
    ("forms of plans of bits", 1000),
    ("triton bases", 8000),
    ("padded shared", 200),
    ("plans of linear maps", 24_000),
    ("recast layouts", 600),
    ("tv layouts", 200),
    ("emitted texts", 300),
    ("emitted plans", 250),
    // A distribution and a layout each, every lane and access.
    ("emitted accesses", 100),
];

/// How many cases a fuzzer of the list tries.
pub fn cases(target: &str) -> u32 {
    let of = |name: &str| TARGETS.iter().find(|(known, _)| *known == name).map(|(_, count)| *count);
    let plain = of(target).unwrap_or_else(|| panic!("no fuzzer is called {target}"));
    u32::try_from(times(plain)).expect("fewer than 2^32 cases")
}

/// How many cases a test tries that tries so many in a plain run.
pub fn times(plain: u64) -> u64 {
    plain.checked_mul(number("DEEP", 1)).expect("fewer than 2^64 cases")
}

/// Returns whether more is asked for than a plain run tries.
pub fn is_deep() -> bool {
    times(1) > 1
}

/// The numbers of this run's cases, so many for a plain one: runs of other seeds have others.
pub fn numbers(plain: u64) -> core::ops::Range<u64> {
    let (run, cases) = (number("SEED", 0), times(plain));
    run * cases..(run + 1) * cases
}

/// Where a fuzzer's numbers begin.
pub fn seed(own: u64) -> u64 {
    own ^ number("SEED", 0).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)
}

fn number(variable: &str, plain: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is a number")),
        Err(_) => plain,
    }
}

/// A stream of numbers, splitmix64: the same cases in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32 % n
    }

    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }
}
