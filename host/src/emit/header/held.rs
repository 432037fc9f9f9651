//! The elements that lanes hold, and the addresses with their immediates.

use super::super::expression::{Condition, Expression};
use super::super::form::check_names;
use super::super::language::{Function, Returns};
use super::Header;
use crate::Error;
use tiledesc::access::Placed;
use tiledesc::access::Route;
use tiledesc::chip::Instruction;
use tiledesc::distribution::Encoding;
use tiledesc::layout::bytes_of;
use tiledesc::{Extent, Index, List};

/// The parameters of a distribution's coordinates.
pub(super) const HOLDERS: [&str; 3] = ["wave", "lane", "element"];
/// The parameters of an address.
pub(super) const ACCESSORS: [&str; 3] = ["wave", "lane", "access"];

impl Header {
    /// Adds the coordinate of an element of a lane, a function for each dimension. Where some lanes hold nothing,
    /// `valid` returns whether the lane holds an element, as for [`accesses`](Self::accesses).
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type Fetch:
    ///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
    ///         wave (wave), lane (row, chunk), thread (again, half);
    /// }
    /// let mut header = Header::new(emit::C);
    /// header.distribution("load", &["m", "k"], &Fetch::ENCODING?)?;
    /// assert!(header.text().contains("#define load_ELEMENTS 32u\n"));
    /// assert!(header.text().contains("    return (element >> 3 << 5) + (wave << 3) + (lane >> 3);\n"));
    /// assert_eq!(Fetch::coordinate(1, 10, 19), [(19 >> 3 << 5) + (1 << 3) + (10 >> 3), 19]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Another number of names than dimensions.
    pub fn distribution(
        &mut self,
        name: &str,
        dimensions: &[&str],
        encoding: &Encoding,
    ) -> Result<&mut Self, Error> {
        check_names(dimensions.len(), encoding.rank())?;
        let counts = [
            ("WAVES", encoding.waves()),
            ("LANES", encoding.lanes()),
            ("ELEMENTS", encoding.elements()),
        ];
        for (word, count) in counts {
            self.constant(&format!("{name}_{word}"), u64::from(count))?;
        }
        let held = held(encoding);
        for (dimension, index) in dimensions.iter().zip(&held) {
            let about = format!("{dimension} of an element of a lane.");
            self.function(&about, &format!("{name}_{dimension}"), &HOLDERS, index)?;
        }
        self.mask(name, encoding)
    }

    /// Adds the function that returns whether a lane holds an element, where some hold nothing.
    fn mask(&mut self, name: &str, encoding: &Encoding) -> Result<&mut Self, Error> {
        let Some(mask) = mask_from(encoding, 0) else { return Ok(self) };
        let (function, returns) = (format!("{name}_valid"), Returns::Holds(&mask));
        // Once where a distribution and its accesses have one name.
        let same = Function { name: &function, coordinates: &HOLDERS, returns };
        if self.text.contains(self.form.write(&same)?.trim_end()) {
            return Ok(self);
        }
        let about = "Whether a lane holds an element of the tile; of an access, ask of its first.";
        self.write(about, &function, &HOLDERS, returns)
    }

    /// The accesses of a lane, as [`Accesses::each`](tiledesc::access::Accesses::each) unrolls them: the byte
    /// address of each, the constant that its instruction adds, and the first element that the lane holds of it. Addresses
    /// count from the layout's first byte, which is a multiple of `ALIGNMENT`.
    ///
    /// `BYTES` are those that a lane holds of an access. By an instruction that [hands
    /// round](tiledesc::chip::Instruction::hands_round) what lanes address, the address is that of the row that the
    /// lane gives ([`addressed`](Self::addressed)); where no source documents who gets it, `element` is left out.
    ///
    /// If some lanes hold nothing, `valid` returns whether a lane holds the first element of an access: what is not
    /// valid must not be loaded or stored.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::{chip::gfx942::ds_write_b64, prelude::*};
    ///
    /// distribution! {
    ///     /// A halo of 22x40 by 256 threads: 220 vectors of 4.
    ///     type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part);
    /// }
    /// layout! { type Tile = recipe::RowMajor<F16, M<22>, K<40>>; }
    /// let mut header = Header::new(emit::C);
    /// header.accesses("store", &Tile::placed::<Halo>(&ds_write_b64)?)?;
    /// assert!(header.text().contains("    return (wave << 8) + (lane << 2) + element < 880;\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::{chip::gfx942::ds_read_b128, prelude::*};
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let reads = ABlock::placed::<MfmaRows<16>>(&ds_read_b128)?;
    /// let mut header = Header::new(emit::C);
    /// header.accesses("read", &reads)?;
    /// // 16 reads from 2 addresses: half of K is an xor away, 16 rows are 2048 bytes.
    /// assert!(header.text().contains("#define read_REGISTERS 2u\n"));
    /// assert!(header.text().contains("    case 1:\n    case 9:\n        return 2048;\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Lanes that hold no distribution of the tile, an instruction that takes two addresses, an invalid access; a language
    /// of formulas.
    pub fn accesses(&mut self, name: &str, placed: &Placed<'_, '_>) -> Result<&mut Self, Error> {
        let row = placed.instruction();
        let encoding = placed.addressed().ok_or_else(no_distribution)?;
        if row.parts() > 1 {
            return Err(Error::no_form(format!(
                "{} takes two addresses, and an access here has one",
                row.name()
            )));
        }
        let held = placed.distribution();
        let placed = placed.in_registers(&encoding)?;
        let addressing = placed.addressing()?;
        let routes = addressing.routes();
        let (count, pack) = (routes.len(), placed.pack());
        let first_of = |access| encoding.first_of_access(access as u32, placed.along(), pack);
        let makes = |access: &usize| !matches!(routes[*access], Route::Immediate { .. });
        let makers: Vec<_> = (0..count).filter(makes).collect();
        // The register that has the address of an access, and how many bytes the access is further.
        let placed_by = |access: usize| match routes[access] {
            Route::Immediate { register, offset } => (register, offset),
            _ => (makers.partition_point(|maker| *maker < access), 0),
        };

        self.comment(&format!("{name}: {addressing}."));
        if let Some(pair) = may_merge(row) {
            self.comment(&format!(
                "A compiler may merge two of them into one {pair}: fewer instructions, other immediates."
            ));
        }
        for (word, value) in [
            ("COUNT", count as u64),
            ("BYTES", u64::from(row.held_bytes())),
            ("REGISTERS", addressing.registers() as u64),
            ("ALIGNMENT", addressing.alignment()),
        ] {
            self.constant(&format!("{name}_{word}"), value)?;
        }
        let made = makers.iter().map(|maker| (routes[*maker], first_of(*maker)));
        let registers = registers(&placed, &encoding, made)?;
        let (by, immediates): (Vec<_>, Vec<_>) = (0..count).map(placed_by).unzip();
        let each: Vec<_> = by.iter().map(|register| registers[*register].clone()).collect();
        let returns = match &registers[..] {
            [one] => Returns::Value(one),
            _ => Returns::Choice { by: 2, of: &each },
        };
        let address = format!("{name}_address");
        self.write("The address register of an access.", &address, &ACCESSORS, returns)?;
        self.table(
            "The constant in its instruction, in bytes.",
            &format!("{name}_immediate"),
            &immediates,
        )?;
        let Some(held) = held else { return Ok(self.no_elements(name, row)) };
        // An access has `pack` elements at the address that a lane gives, and `moved` in the lane.
        let moved = 8 * row.held_bytes() / placed.bits();
        let first: Vec<_> = (0..count).map(|access| first_of(access) / pack * moved).collect();
        self.table(
            "The first element that it moves, in the lane's registers.",
            &format!("{name}_element"),
            &first,
        )?;
        self.mask(name, &held)
    }

    /// Adds a comment on why the elements of lanes are not written.
    fn no_elements(&mut self, name: &str, row: &Instruction) -> &mut Self {
        let row_name = row.name();
        let why = match row.has_known_fragments() {
            true => {
                format!("what lanes get from {row_name} by these addresses is not a distribution")
            }
            false => format!("no source says what each lane gets from {row_name}"),
        };
        self.comment(&format!("{name}: addresses alone, no elements: {why}."))
    }
}

/// The instruction into which LLVM merges two of AMD's accesses of 4 or 8 bytes from one address register: of 16
/// reads of 8 bytes, clang 19 makes 8.
/// Source: LLVM, `SILoadStoreOptimizer.cpp`, `DS_READ` and `DS_WRITE`.
fn may_merge(row: &Instruction) -> Option<&'static str> {
    match row.name() {
        "ds_read_b32" => Some("ds_read2_b32 or ds_read2st64_b32"),
        "ds_read_b64" => Some("ds_read2_b64 or ds_read2st64_b64"),
        "ds_write_b32" => Some("ds_write2_b32 or ds_write2st64_b32"),
        "ds_write_b64" => Some("ds_write2_b64 or ds_write2st64_b64"),
        "ds_load_b32" => Some("ds_load_2addr_b32 or ds_load_2addr_stride64_b32"),
        "ds_load_b64" => Some("ds_load_2addr_b64 or ds_load_2addr_stride64_b64"),
        "ds_store_b32" => Some("ds_store_2addr_b32 or ds_store_2addr_stride64_b32"),
        "ds_store_b64" => Some("ds_store_2addr_b64 or ds_store_2addr_stride64_b64"),
        _ => None,
    }
}

/// The address registers, each of a route and an element: computed, or the first one xor-ed with a constant.
fn registers(
    placed: &Placed<'_, '_>,
    encoding: &Encoding,
    made: impl Iterator<Item = (Route, u32)>,
) -> Result<Vec<Expression>, Error> {
    let mut registers: Vec<Expression> = Vec::new();
    for (route, element) in made {
        registers.push(match (route, registers.first()) {
            (Route::Xor { constant }, Some(first)) => first.xor(&Expression::number(constant)),
            _ => byte_of(placed, encoding, element)?,
        });
    }
    Ok(registers)
}

/// The error of lanes whose elements are not those of a distribution.
pub(super) fn no_distribution() -> Error {
    Error::no_form(
        "the lanes hold no distribution of the tile: take a pattern that divides it, and not its `first` instruction alone, or \
         a distribution",
    )
}

/// The coordinate of an element of a lane, of wave, lane and element.
fn held(encoding: &Encoding) -> [Expression; List::CAPACITY] {
    held_from(encoding, 0)
}

/// The coordinate of a lane's element, of parameters that follow `first` others.
pub(super) fn held_from(encoding: &Encoding, first: usize) -> [Expression; List::CAPACITY] {
    encoding.index_of(&numbers(encoding, first))
}

/// The condition that a lane holds an element, of parameters that follow `first` others; `None` if all lanes hold all
/// of theirs.
pub(super) fn mask_from(encoding: &Encoding, first: usize) -> Option<Condition> {
    encoding.mask_of(&numbers(encoding, first))
}

/// Wave, lane and element, of parameters that follow `first` others.
fn numbers(encoding: &Encoding, first: usize) -> [Expression; 3] {
    let counts = [encoding.waves(), encoding.lanes(), encoding.elements()];
    core::array::from_fn(|i| Expression::coordinate(first + i, counts[i]))
}

/// The byte at which an element of a lane is, of wave and lane.
fn byte_of(
    placed: &Placed<'_, '_>,
    encoding: &Encoding,
    element: u32,
) -> Result<Expression, Error> {
    let element = Expression::number(element);
    let index = encoding.index_of(&[wave(encoding), lane(encoding, placed), element]);
    let zero = Expression::number(0);
    let offset = placed.plan().fused(&index[..encoding.rank()], &zero);
    Ok(bytes_of(&offset?, placed.bits()))
}

/// The wave of the lane that addresses.
pub(super) fn wave(encoding: &Encoding) -> Expression {
    Expression::coordinate(0, encoding.waves())
}

/// The lane among those that give an address. The others repeat them: before sm_80 `ldmatrix.x1` and `.x2` want valid
/// addresses of all lanes, later the addresses of the others are ignored (PTX ISA, `ldmatrix`).
pub(super) fn lane(encoding: &Encoding, placed: &Placed<'_, '_>) -> Expression {
    let (wave, lanes) = (placed.instruction().service().phases.wave() as u32, encoding.lanes());
    let lane = Expression::coordinate(1, wave.max(lanes));
    if lanes < wave { lane.rem(Extent::constant(lanes)) } else { lane }
}
