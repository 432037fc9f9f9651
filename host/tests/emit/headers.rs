//! Whole headers, called as a kernel calls them: at every wave, lane, access and element.
//!
//! What they must return comes from the library's run time: [`Accesses::each`],
//! [`Distribution::coordinate`], [`Window::each`], `Plan::offset`.

use super::compilers::{GLSL_SHIM, MSL_SHIM, run};
use super::{glsl_is_valid, vulkan};
use core::fmt::Write as _;
use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::sync::LazyLock;
use support::fragments::{from, moved};
use tiledesc::chip::{Transfer, gfx942, gfx950, sm_90};
use tiledesc::direct::{DirectLoad, Request, Source};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::storage::Arena;
use tiledesc::{Plan, Tile, access::Placed, chip::Instruction};
use tiledesc_host::Error;
use tiledesc_host::emit::{self, Form, Header};

/// A function, the indices at which it is called, and what it must return; `None` where that is
/// meaningless.
struct Call {
    function: String,
    lengths: Vec<u32>,
    steps: Vec<u32>,
    expected: Vec<Option<u32>>,
}

/// A header in every language, and calls of all its functions.
struct Sample {
    texts: Vec<(&'static str, String)>,
    calls: Vec<Call>,
    constants: Vec<(String, u32)>,
}

const PROGRAMS: [Form; 6] = [emit::C, emit::HIP, emit::CUDA, emit::WGSL, emit::GLSL, emit::MSL];

impl Sample {
    /// With what `write` adds to a header.
    fn of(name: &str, write: impl Fn(&mut Header) -> Result<(), Error>) -> Self {
        let text = |form: Form| {
            let mut header = Header::new(form);
            write(&mut header).unwrap();
            (form.language(), header.file(name, &[name]))
        };
        Self { texts: PROGRAMS.map(text).into(), calls: Vec::new(), constants: Vec::new() }
    }

    fn text(&self, form: Form) -> &str {
        &self.texts.iter().find(|(language, _)| *language == form.language()).unwrap().1
    }

    fn constant(&mut self, name: String, value: usize) {
        self.constants.push((name, value.try_into().unwrap()));
    }

    fn call(
        &mut self,
        function: String,
        shape: &[(u32, u32)],
        expected: impl Fn(&[u32]) -> Option<u32>,
    ) {
        let lengths: Vec<_> = shape.iter().map(|(length, _)| *length).collect();
        let steps: Vec<_> = shape.iter().map(|(_, step)| *step).collect();
        let mut all = vec![Vec::new()];
        for (length, step) in shape {
            let longer = |index: &Vec<u32>| {
                let (index, indices) = (index.clone(), (0..*length).step_by(*step as usize));
                indices.map(move |i| [&index[..], &[i]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        let expected = all.iter().map(|index| expected(index)).collect();
        self.calls.push(Call { function, lengths, steps, expected });
    }
}

/// Compares words, in the order of the calls; returns how many.
fn compare(samples: &[Sample], words: &[u8]) -> usize {
    let mut words = words.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap()));
    let mut compared = 0;
    for call in samples.iter().flat_map(|sample| &sample.calls) {
        for (i, expected) in call.expected.iter().enumerate() {
            let found = words.next().expect("a word for each call");
            if let Some(expected) = expected {
                assert_eq!(found, *expected, "{} call {i}", call.function);
                compared += 1;
            }
        }
    }
    assert_eq!(words.next(), None);
    compared
}

/// A program in C or C++ that prints all words; each header stands in it twice, as a guard allows.
fn program(samples: &[Sample], form: Form, before: &str) -> String {
    let mut text = format!(
        "#include <stdio.h>\nstatic void put(unsigned x) {{ fwrite(&x, sizeof x, 1, stdout); }}\n\
         {before}"
    );
    for sample in samples {
        text += &sample.text(form).repeat(2);
    }
    text += "int main(void) {\n";
    for (name, value) in samples.iter().flat_map(|sample| &sample.constants) {
        writeln!(text, "    if ({name} != {value}u) return 1;").unwrap();
    }
    for Call { function, lengths, steps, .. } in samples.iter().flat_map(|sample| &sample.calls) {
        for (i, (length, step)) in lengths.iter().zip(steps).enumerate() {
            let head = format!("unsigned long long i{i} = 0; i{i} < {length}u; i{i} += {step}u");
            writeln!(text, "    for ({head})").unwrap();
        }
        let given: Vec<_> = (0..lengths.len()).map(|i| format!("(unsigned)i{i}")).collect();
        writeln!(text, "        put((unsigned){function}({}));", given.join(", ")).unwrap();
    }
    text + "    return 0;\n}\n"
}

/// Layout, distribution and accesses of `T` over `L`, vectors of `P`.
fn accesses<T, L, P>(name: &'static str, row: &Instruction) -> Sample
where
    T: Distribution,
    L: RankedTile<2>,
    P: Number,
{
    type Of<T, L, P> = Accesses<T, L, P>;
    let plan = L::default_plan();
    let encoding = T::ENCODING.unwrap();
    let bits = L::Element::BITS;
    let placed = Placed::new(&plan, bits, Lanes::distributed(&encoding), row).unwrap();
    let reads = format!("{name}_read");
    let mut sample = Sample::of(name, |header| {
        header.plan(name, &["m", "k"], &plan, Some(bits))?;
        header.verdict("read", &placed)?.distribution(&reads, &["m", "k"], &encoding)?;
        header.accesses(&reads, &placed)?;
        Ok(())
    });
    let [rows, columns] = [plan.lengths().at(0), plan.lengths().at(1)];
    let at = |index: &[u32]| plan.offset(index).ok();
    let tile = [(rows, 1), (columns, 1)];
    sample.call(format!("{name}_offset"), &tile, at);
    sample.call(format!("{name}_byte"), &tile, |index| Some(at(index)? * bits / 8));
    sample.constant(format!("{name}_BYTES"), (plan.element_space() * u64::from(bits) / 8) as usize);
    if emit::inverse(&plan).is_ok() {
        for (d, word) in ["m", "k"].into_iter().enumerate() {
            let space = plan.element_space() as u32;
            sample.call(format!("{name}_{word}_at"), &[(space, 1)], |index| {
                plan.coordinate_of(index[0]).ok().map(|coordinate| coordinate.at(d))
            });
        }
    }

    let (waves, lanes, elements) = (T::WAVES, T::LANES_PER_WAVE, T::ELEMENTS);
    sample.constant(format!("{reads}_WAVES"), waves as usize);
    sample.constant(format!("{reads}_LANES"), lanes as usize);
    sample.constant(format!("{reads}_ELEMENTS"), elements);
    let all = [(waves, 1), (lanes, 1), (elements as u32, 1)];
    for (d, word) in ["m", "k"].into_iter().enumerate() {
        sample.call(format!("{reads}_{word}"), &all, |index| {
            Some(T::coordinate::<2>(index[0], index[1], index[2] as usize)[d])
        });
    }

    let count = Of::<T, L, P>::COUNT;
    sample.constant(format!("{reads}_COUNT"), count);
    sample.constant(format!("{reads}_BYTES"), Of::<T, L, P>::BYTES as usize);
    sample.constant(format!("{reads}_REGISTERS"), Of::<T, L, P>::ADDRESSING.registers());
    let nth = |wave, lane, access: u32| {
        let mut each = Vec::new();
        Of::<T, L, P>::each(wave, lane, |address, immediate, _, first| {
            each.push((address, immediate, first as u32));
        });
        each[access as usize]
    };
    let shape = [(waves, 1), (lanes, 1), (count as u32, 1)];
    let address = |index: &[u32]| Some(nth(index[0], index[1], index[2]).0);
    sample.call(format!("{reads}_address"), &shape, address);
    let access = [(count as u32, 1)];
    sample.call(format!("{reads}_immediate"), &access, |index| Some(nth(0, 0, index[0]).1));
    sample.call(format!("{reads}_element"), &access, |index| Some(nth(0, 0, index[0]).2));
    sample
}

/// What lanes hold of a tile by an instruction that hands round what they address: who addresses it, by the page of the
/// instruction. All accesses are one address register and immediates.
fn handed<T: Distribution>(name: &'static str, plan: &Plan, row: &Instruction) -> Sample {
    let encoding = T::ENCODING.unwrap();
    let placed = Placed::new(plan, 16, Lanes::distributed(&encoding), row).unwrap();
    let mut sample = Sample::of(name, |header| {
        header.distribution(name, &["m", "k"], &encoding)?;
        header.addressed(name, &["m", "k"], &placed)?.accesses(name, &placed).map(|_| ())
    });
    let (pack, moved) = (row.bytes() / 2, moved(row, 16));
    let (waves, lanes, accesses) = (T::WAVES, T::LANES_PER_WAVE, T::ELEMENTS as u32 / moved);
    let rows = row.service().phases.addressed() as u32;
    for (word, value) in [
        ("LANES", lanes),
        ("ELEMENTS", accesses * moved),
        ("COUNT", accesses),
        ("BYTES", 2 * moved),
        ("REGISTERS", 1),
        ("ROW_LANES", rows),
        ("ROW_ELEMENTS", pack),
    ] {
        sample.constant(format!("{name}_{word}"), value as usize);
    }
    let given = |wave, lane, access| {
        let mut all = (0..lanes).flat_map(|l| (0..moved).map(move |e| (l, e)));
        let is_first =
            |&(l, e): &(u32, u32)| from(row.name(), 16, pack, l, e) == Some([lane % rows, 0]);
        let (holder, element) = all.find(is_first).unwrap();
        T::coordinate::<2>(wave, holder, (access * moved + element) as usize)
    };
    let byte = |wave, lane, access| 2 * plan.offset(&given(wave, lane, access)).unwrap();
    let (holders, each) = ([(waves, 1), (lanes, 1)], [(accesses, 1)]);
    let all = [&holders[..], &[(accesses * moved, 1)]].concat();
    let by_access = [&holders[..], &each].concat();
    for (d, word) in ["m", "k"].into_iter().enumerate() {
        let held = |i: &[u32]| Some(T::coordinate::<2>(i[0], i[1], i[2] as usize)[d]);
        sample.call(format!("{name}_{word}"), &all, held);
        let row = |i: &[u32]| Some(given(i[0], i[1], i[2])[d]);
        sample.call(format!("{name}_row_{word}"), &by_access, row);
    }
    sample.call(format!("{name}_address"), &by_access, |i| Some(byte(i[0], i[1], 0)));
    sample.call(format!("{name}_immediate"), &each, |i| Some(byte(0, 0, i[0]) - byte(0, 0, 0)));
    sample.call(format!("{name}_element"), &each, |i| Some(i[0] * moved));
    sample
}

/// The plan of a tile that is known to be one.
trait DefaultPlan {
    fn default_plan() -> Plan;
}
impl<T: Tile<Descriptor: Default>> DefaultPlan for T {
    fn default_plan() -> Plan {
        T::Descriptor::default().plan().unwrap()
    }
}

/// A window of `T` over a view, in vectors of `P`, laid at some origins, also left of the view.
fn window<V, T, P>(name: &'static str, view: V) -> Sample
where
    V: Descriptor + Ranked<2>,
    T: Distribution,
    P: Number,
{
    let window = Window::<_, T, P>::new(view).unwrap();
    let mut sample = Sample::of(name, |header| {
        header.window(name, ["m", "k"], &window)?;
        Ok(())
    });
    let count = Window::<V, T, P>::COUNT;
    sample.constant(format!("{name}_COUNT"), count);
    sample.constant(format!("{name}_VECTOR"), P::N as usize);
    let nth = |origin: [u32; 2], wave, lane| {
        let mut each = Vec::new();
        window
            .at(origin)
            .each(wave, lane, |offset, valid, first| each.push((offset, valid, first)));
        each
    };
    let first = |index: &[u32]| Some(nth([0, 0], 0, 0)[index[0] as usize].2 as u32);
    sample.call(format!("{name}_element"), &[(count as u32, 1)], first);
    // Further and further out of the view, and 64 left of it.
    let far = u32::MAX - 63;
    let lane = [(T::WAVES, 1), (T::LANES_PER_WAVE, 1), (T::ELEMENTS as u32, P::N)];
    for origins in [[(200, 64), (256, 64)], [(u32::MAX, far), (u32::MAX, far)]] {
        let shape: Vec<_> = origins.into_iter().chain(lane).collect();
        let held = |index: &[u32]| {
            let all = nth([index[0], index[1]], index[2], index[3]);
            all.into_iter().find(|(_, _, first)| *first == index[4] as usize)
        };
        sample.call(format!("{name}_valid"), &shape, |index| Some(u32::from(held(index)?.1)));
        sample.call(format!("{name}_offset"), &shape, |index| {
            held(index).filter(|(_, valid, _)| *valid).map(|(offset, ..)| offset)
        });
    }
    sample
}

/// A window of `T` over rows of some lengths and pitches, laid at some origins, also left of them.
fn rows<T: Distribution, const RANK: usize>(
    name: &'static str,
    dimensions: [&'static str; RANK],
    vector: u32,
) -> Sample {
    let encoding = T::ENCODING.unwrap();
    let mut sample = Sample::of(name, |header| {
        header.rows(name, &dimensions, &encoding, vector)?;
        Ok(())
    });
    let count = T::ELEMENTS as u32 / vector;
    sample.constant(format!("{name}_COUNT"), count as usize);
    sample.constant(format!("{name}_VECTOR"), vector as usize);
    // The vectors in the order of their first elements: each is a whole one along the last dimension.
    let held = |element: u32| T::coordinate::<RANK>(0, 0, element as usize)[RANK - 1];
    let firsts: Vec<_> =
        (0..T::ELEMENTS as u32).filter(|e| held(*e).is_multiple_of(vector)).collect();
    sample.call(format!("{name}_element"), &[(count, 1)], |i| Some(firsts[i[0] as usize]));

    let holders = [(T::WAVES, 1), (T::LANES_PER_WAVE, 7), (T::ELEMENTS as u32, vector)];
    let coordinate = |index: &[u32]| -> [u32; RANK] {
        let (origin, holder) = (&index[..RANK], &index[index.len() - 3..]);
        let held = T::coordinate::<RANK>(holder[0], holder[1], holder[2] as usize);
        core::array::from_fn(|d| origin[d].wrapping_add(held[d]))
    };
    for origin in [(64, 48), (u32::MAX, u32::MAX - 63)] {
        let origins = [origin; RANK];
        let shape: Vec<_> = [&origins[..], &[(130, 65); RANK], &holders].concat();
        sample.call(format!("{name}_valid"), &shape, |index| {
            let all = coordinate(index).iter().zip(&index[RANK..]).all(|(at, length)| at < length);
            Some(u32::from(all))
        });
        sample.call(format!("{name}_whole"), &shape, |index| {
            let is_valid = |element: u32| {
                let index =
                    [&index[..index.len() - 1], &[index[index.len() - 1] + element]].concat();
                coordinate(&index).iter().zip(&index[RANK..]).all(|(at, length)| at < length)
            };
            Some(u32::from((0..vector).all(is_valid)))
        });
        let pitches = &[(1 << 20, 600_011); RANK][1..];
        let shape: Vec<_> = [&origins[..], pitches, &holders].concat();
        sample.call(format!("{name}_offset"), &shape, |index| {
            let pitches = index[RANK..].iter().take(RANK - 1).chain(&[1]);
            let steps = coordinate(index).into_iter().zip(pitches);
            Some(steps.fold(0u32, |sum, (at, pitch)| sum.wrapping_add(at.wrapping_mul(*pitch))))
        });
    }
    sample
}

/// Direct loads of a plan, of a source of rows.
fn direct(name: &'static str, bits: u32, loads: &DirectLoad<'_>) -> Sample {
    let mut sample = Sample::of(name, |header| header.direct(name, &["m", "k"], loads).map(|_| ()));
    let (waves, lanes, count) = (loads.waves(), loads.transfer().wave(), loads.loads());
    sample.constant(format!("{name}_WAVES"), waves as usize);
    sample.constant(format!("{name}_LANES"), lanes as usize);
    sample.constant(format!("{name}_LOADS"), count as usize);
    let holders = [(waves, 1), (lanes, 1), (count, 1)];
    let at = |i: &[u32]| loads.unit(i[0], i[2], i[1]).map(|unit| unit.coordinate());
    for (d, word) in ["m", "k"].into_iter().enumerate() {
        sample.call(format!("{name}_{word}"), &holders, |i| Some(at(i)?.at(d)));
    }
    match loads.transfer().stride() {
        Some(_) => sample.call(format!("{name}_base"), &[(waves, 1), (count, 1)], |i| {
            Some(loads.base(i[0], i[1]))
        }),
        None => sample
            .call(format!("{name}_lds"), &holders, |i| at(i).map(|_| loads.lds(i[0], i[2], i[1]))),
    }
    if loads.idle() > 0 {
        sample.call(format!("{name}_valid"), &holders, |i| Some(u32::from(at(i).is_some())));
    }
    // A tensor of 20 rows of 33, the tile laid at (0, 0) and behind (11, 11).
    let (data, lengths) = (loads.transfer().data() * 8, [20, 33]);
    let within =
        [&[(12, 11); 2][..], &lengths.map(|length| (length + 1, length)), &holders].concat();
    sample.call(format!("{name}_whole"), &within, |i| {
        let vector = (data / bits).max(1);
        let is_whole = at(&i[4..])
            .is_some_and(|at| i[0] + at.at(0) < i[2] && i[1] + at.at(1) + vector - 1 < i[3]);
        Some(u32::from(is_whole))
    });
    let origin = [(12, 11); 2];
    let shape = [&origin[..], &[(5000, 4999)], &holders].concat();
    sample.call(format!("{name}_offset"), &shape, |i| {
        let at = at(&i[3..])?;
        Some((i[0] + at.at(0)) * i[2] + i[1] + at.at(1))
    });
    sample
}

distribution! {
    /// 256 lanes take 128 rows of 64, 8 each.
    type Fetch:
        m [again 4, wave 4, row 8],  k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// One wave reads rows of 16, all of the tile.
    type Rows16:
        m [again 8, row 16],  k [deep 2, part 4, half 8];
        lane (part, row), thread (deep, again, half);
    /// Rows apart by one: 8 neighbours in a lane.
    type Raked:
        m [wave 2, row 8, again 8],  k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// Three dimensions, the last held by fours.
    type Images:
        n [image 2],  h [row 4, again 2],  w [column 8, four 4];
        wave (image), lane (row, column), thread (again, four);
    type Small: m [row 16],  k [column 4, two 2];  lane (row, column), thread (two);
    /// Nothing is a power of two.
    type Odd:
        m [again 3, row 16],  k [three 3, part 4, half 4];
        lane (row, part), thread (three, again, half);
}

distribution! {
    /// Four operands A of an `mma.m16n8k16` along k.
    type Operand:
        m [half 2, row 8],  k [again 4, deep 2, quad 4, two 2];
        lane (row, quad), thread (again, deep, half, two);
    /// An accumulator of two waves.
    type Accumulator:
        m [wave 2, half 2, row 8],  k [again 2, quad 4, two 2];
        wave (wave), lane (row, quad), thread (again, half, two);
    /// Columns of a tile whose rows are contiguous: lane l of 16 gets column l.
    type Columns:
        m [again 2, part 4, four 4],  k [deep 4, column 16];
        lane (part, column), thread (again, deep, four);
}

layout! {
    type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type Cyclic = Layout<F16, Turned>;
    type OddRows = recipe::RowMajor<F32, M<48>, K<48>>;
    type Bytes = recipe::GemmXor<I8, M<128>, K<64>, KPack<8>>;
    type Nibbles = recipe::RowMajor<F4, M<128>, K<64>>;
}

descriptor! {
    /// A swizzle above a pad: what is compared is an xor.
    type Chosen:
        packed [14, 6];
        right_pad[14, 2] (0) -> (0),   right_pad[6, 2] (1) -> (1);
        xor[16, 8] (0, 1) -> (0, 1);
    /// Chunks of each row turned by its number: a register of its own for most accesses.
    type Turned:
        packed [128, 8, 8];
        cyclic_shift[128, 8] (0, 1) -> (0, 1), pass[8] (2) -> (2);
        pass[128] (0) -> (0), merge[8, 8] (1, 2) -> (1);
}

/// All of them, made once for all tests: 1.5 s of a debug build.
fn samples() -> &'static [Sample] {
    static ALL: LazyLock<Vec<Sample>> = LazyLock::new(make_samples);
    &ALL
}

fn make_samples() -> Vec<Sample> {
    use tiledesc::chip::gfx942::{ds_read_b32, ds_read_b64, ds_read_b128};
    vec![
        accesses::<Fetch, Xor, VectorSize<8>>("xor_fetch", &ds_read_b128),
        accesses::<Rows16, Xor, VectorSize<8>>("xor_rows", &ds_read_b128),
        accesses::<Raked, Xor, VectorSize<8>>("xor_raked", &ds_read_b128),
        accesses::<Raked, Padded, VectorSize<8>>("padded", &ds_read_b128),
        accesses::<Rows16, Cyclic, VectorSize<8>>("cyclic", &ds_read_b128),
        accesses::<Rows16, Bytes, VectorSize<8>>("bytes", &ds_read_b64),
        accesses::<Rows16, Nibbles, VectorSize<8>>("nibbles", &ds_read_b32),
        accesses::<Odd, OddRows, VectorSize<4>>("odd", &ds_read_b128),
        window::<_, Small, VectorSize<1>>("chosen", Chosen::default()),
        window::<_, Fetch, VectorSize<8>>("ragged", Naive::rows(150, 200).whole().unwrap()),
        window::<_, Odd, VectorSize<4>>(
            "odd_view",
            Naive::rows(70, 100).pitch(104).whole().unwrap(),
        ),
        rows::<Fetch, 2>("rows", ["m", "k"], 8),
        rows::<Odd, 2>("odd_rows", ["m", "k"], 2),
        rows::<Images, 3>("images", ["n", "h", "w"], 4),
        handed::<Operand>("matrices", &padded(16, 64), &sm_90::ldmatrix_x4),
        handed::<Accumulator>("stored", &padded(32, 16), &sm_90::stmatrix_x2),
        handed::<Columns>("columns", &padded(32, 64), &gfx950::ds_read_b64_tr_b16),
        direct("swizzled", 16, &load(&Xor::PLAN, 16, &gfx950::global_load_lds_b128)),
        direct("dwords", 16, &load(&Xor::PLAN, 16, &gfx942::global_load_lds_b32)),
        direct(
            "parts",
            64,
            &load(&Plan::packed(&[32, 16]).unwrap(), 64, &gfx942::global_load_lds_b32),
        ),
        direct(
            "own",
            16,
            &load(&Plan::naive(&[32, 64], &[72, 1]).unwrap(), 16, &sm_90::cp_async_b128),
        ),
        direct("own_parts", 64, &load(&Plan::packed(&[32, 16]).unwrap(), 64, &sm_90::cp_async_b32)),
        // Idle are the last 4 lanes of 128, 4 lanes of 8, the last 4 of 128 that have addresses of their own.
        direct(
            "short",
            16,
            &idle(&Plan::packed(&[31, 32]).unwrap(), &gfx950::global_load_lds_b128),
        ),
        direct(
            "apart",
            16,
            &idle(&Plan::naive(&[32, 32], &[64, 1]).unwrap(), &gfx950::global_load_lds_b128),
        ),
        // Of 5 chunks the third of wave 1 is idle.
        direct(
            "chunks_of_two_waves",
            16,
            &idle(&Plan::packed(&[80, 32]).unwrap(), &gfx950::global_load_lds_b128),
        ),
        direct(
            "own_short",
            16,
            &idle(&Plan::naive(&[31, 32], &[40, 1]).unwrap(), &sm_90::cp_async_b128),
        ),
    ]
}

/// Rows with a pad of 8 halves.
fn padded(rows: u32, columns: u32) -> Plan {
    Plan::naive(&[rows, columns], &[columns + 8, 1]).unwrap()
}

fn load<'a>(plan: &'a Plan, bits: u32, transfer: &'a Transfer) -> DirectLoad<'a> {
    Request::new(plan, bits, Source::rows(64), transfer).waves(2).plan().unwrap()
}

/// Of halves, by two waves, with idle lanes.
fn idle<'a>(plan: &'a Plan, transfer: &'a Transfer) -> DirectLoad<'a> {
    let loads = Request::new(plan, 16, Source::rows(64), transfer).waves(2).idle_lanes();
    let loads = loads.plan().unwrap();
    assert!(loads.idle() > 0);
    loads
}

/// Direct loads are in a header where each base is a sum of a wave's part and a load's, with a mask where lanes are idle.
#[test]
fn what_a_header_cannot_load() {
    use tiledesc::chip::gfx942::global_load_lds_b32;
    let (mut even, mut uneven, mut idle) = (0, 0, 0);
    let cases = (1..12)
        .flat_map(|rows| (0..4).flat_map(move |kind| [1, 2, 4].map(|waves| (rows, kind, waves))));
    for (rows, kind, waves) in cases {
        let (plan, columns) = match kind {
            // Pads behind every second chunk of 256 bytes.
            0 => (recipe::IntervalPad::<F16>([2 * rows, 128, 256, 32]), 128),
            _ => (Plan::naive(&[4 * rows, 32], &[32 + [0, 8, 64][kind - 1], 1]), 32),
        };
        let plan = plan.unwrap();
        let request =
            Request::new(&plan, 16, Source::rows(columns), &global_load_lds_b32).waves(waves);
        let Ok(loads) = request.idle_lanes().plan() else { continue };
        let mut header = Header::new(emit::C);
        let found = header.direct("fill", &["m", "k"], &loads).map(|_| ());
        let step = |wave, load| i64::from(loads.base(wave, load)) - i64::from(loads.base(0, 0));
        let [by_wave, by_load] = [(1, 0), (0, 1)].map(|(wave, load)| {
            if wave < loads.waves() && load < loads.loads() { step(wave, load) } else { 0 }
        });
        let is_sum = (0..loads.waves()).all(|wave| {
            (0..loads.loads()).all(|load| {
                step(wave, load) == i64::from(wave) * by_wave + i64::from(load) * by_load
            })
        });
        if is_sum {
            assert_eq!(found, Ok(()), "{rows} {kind} {waves}");
            assert_eq!(header.text().contains("fill_valid("), loads.idle() > 0);
            even += 1;
            idle += u32::from(loads.idle() > 0);
        } else {
            let refused = found.unwrap_err().to_string();
            assert!(refused.contains("not evenly spaced"), "{refused}: {rows} {kind} {waves}");
            uneven += 1;
        }
    }
    println!("{even} evenly spaced, {idle} of these with idle lanes, {uneven} not");
    assert!(even > 0 && uneven > 0 && idle > 0, "{even} {uneven} {idle}");
}

#[test]
fn compilers_compute_what_the_library_computes() {
    let attributes = "#define __host__\n#define __device__\n";
    let samples = samples();
    for (form, compiler, standard, before, file) in [
        (emit::C, "cc", "-std=c99", "", "headers.c"),
        (emit::C, "c++", "-std=c++17", "", "headers.cpp"),
        (emit::HIP, "c++", "-std=c++14", attributes, "headers_hip.cpp"),
        (emit::CUDA, "c++", "-std=c++14", attributes, "headers_cuda.cpp"),
        (emit::GLSL, "c++", "-std=c++14", GLSL_SHIM, "headers_glsl.cpp"),
        (emit::MSL, "c++", "-std=c++14", MSL_SHIM, "headers_msl.cpp"),
    ] {
        let source = program(samples, form, before);
        let Some(words) = run(compiler, standard, file, &source) else { continue };
        println!("{} {standard}: {} calls", form.language(), compare(samples, &words));
    }
}

#[test]
fn naga_accepts() {
    for sample in samples() {
        glsl_is_valid(sample.text(emit::GLSL));
        let text = sample.text(emit::WGSL);
        let module = wgsl::parse_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        validator.validate(&module).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    }
}

#[test]
fn vulkan_computes_what_the_library_computes() {
    let samples = samples();
    let calls: Vec<_> = samples.iter().flat_map(|sample| &sample.calls).collect();
    let labels: Vec<_> = (0..calls.len()).map(|call| format!("call{call}")).collect();
    let mut module = vulkan::OFFSETS.to_owned();
    for sample in samples {
        module += sample.text(emit::WGSL);
    }
    for (call, label) in calls.iter().zip(&labels) {
        module += &vulkan::entry(label, &call.function, &call.lengths, &call.steps);
    }
    let words = calls.iter().map(|call| call.expected.len());
    let entries: Vec<_> = labels.iter().map(String::as_str).zip(words).collect();
    match vulkan::run("headers", &module, &entries) {
        Ok(words) => println!("{} calls", compare(samples, &words)),
        Err(why) => support::skipped!("{why}"),
    }
}

/// What is promised of registers and immediates is what the functions have.
#[test]
fn choices_are_as_few_as_registers() {
    for sample in samples() {
        let Some((name, registers)) =
            sample.constants.iter().find(|(name, _)| name.ends_with("_REGISTERS"))
        else {
            continue;
        };
        let text = sample.text(emit::C);
        let address = name.replace("REGISTERS", "address(unsigned wave");
        let body = text.split_once(&address).unwrap().1.split_once("\n}\n").unwrap().0;
        assert_eq!(body.matches("return ").count() as u32, *registers, "{body}");
    }
}

#[test]
fn what_is_refused() {
    let plan = Xor::default_plan();
    let row = &tiledesc::chip::gfx942::ds_read_b128;
    let first = Placed::new(&plan, 16, Lanes::rows(16).first(), row).unwrap();
    let refused = |form: Form, write: &dyn Fn(&mut Header) -> Result<(), Error>| {
        write(&mut Header::new(form)).unwrap_err().to_string()
    };
    assert_eq!(
        refused(emit::C, &|header| header.accesses("read", &first).map(|_| ())),
        "the lanes hold no distribution of the tile: take a pattern that divides it, and not its `first` \
         instruction alone, or a distribution",
    );
    let twice = |header: &mut Header| {
        header.plan("a", &["m", "k"], &plan, None)?.plan("a", &["m", "k"], &plan, None).map(|_| ())
    };
    assert_eq!(refused(emit::WGSL, &twice), "the name `a_LENGTH_M` is given twice");
    assert_eq!(refused(emit::TEXT, &twice), "the name `a_offset` is given twice");
    let whole = Placed::new(&plan, 16, Lanes::rows(16), row).unwrap();
    // Of a formula for each register there is one only.
    assert_eq!(
        refused(emit::TEXT, &|header| header.accesses("read", &whole).map(|_| ())),
        "plain text has formulas only; tables and conditions are written in a language of programs",
    );
    let held = whole.distribution().unwrap();
    assert_eq!(
        refused(emit::C, &|header| header.distribution("read", &["m"], &held).map(|_| ())),
        "a layout of 2 dimensions needs as many names, and 1 are given",
    );
    let rows = |form, dimensions: &[&str], vector| {
        refused(form, &|header| {
            header.rows("a", dimensions, &Fetch::ENCODING.unwrap(), vector).map(|_| ())
        })
    };
    assert_eq!(
        rows(emit::C, &["m"], 8),
        "a layout of 2 dimensions needs as many names, and 1 are given",
    );
    assert_eq!(
        rows(emit::C, &["m", "k"], 16),
        "a lane moves 16 elements but holds only 8 contiguous ones along k",
    );
    assert_eq!(rows(emit::C, &["m", "k"], 0), "a vector has at least 1 element, and 0 are given",);
    assert_eq!(
        rows(emit::TEXT, &["m", "k"], 8),
        "plain text has formulas only; tables and conditions are written in a language of programs",
    );
    let pair = tiledesc::chip::gfx942::ds_read2_b64.offsets(0, 1);
    let pair = Placed::new(&plan, 16, Lanes::rows(16), &pair).unwrap();
    assert_eq!(
        refused(emit::C, &|header| header.accesses("read", &pair).map(|_| ())),
        "ds_read2_b64 takes two addresses, and an access here has one",
    );
    assert_eq!(
        refused(emit::C, &|header| header.plan("a", &["int", "k"], &plan, None).map(|_| ())),
        "`int` is a name that C keeps for itself",
    );
}

#[test]
fn memory_of_a_block() {
    const LDS: Arena =
        Arena::on(&tiledesc::chip::gfx942).holds_aligned::<Xor>("a", 128).holds::<Padded>("b");
    let mut header = Header::new(emit::MSL);
    header.arena("LDS", &LDS).unwrap();
    assert_eq!(
        header.text(),
        "constant constexpr uint LDS_BYTES = 34800u;\nconstant constexpr uint LDS_a = 0u;\n\
         constant constexpr uint LDS_b = 16384u;\n",
    );
}
