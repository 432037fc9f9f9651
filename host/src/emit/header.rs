//! A whole file for a kernel: offsets and the way back, constants, who holds what, addresses with
//! their immediates, windows with masks, verdicts as comments.
//!
//! ```text
//!   layout("A", ["m", "k"], ..)          A_LENGTH_M  A_LENGTH_K  A_SPACE  A_BYTES
//!                                        A_offset(m, k)  A_byte(m, k)  A_m_at(offset)  A_k_at(offset)
//!   distribution("A_load", ..)           A_load_WAVES  A_load_LANES  A_load_ELEMENTS
//!                                        A_load_m(wave, lane, element)  A_load_k(wave, lane, element)
//!   addressed("A_read", ..)              A_read_ROW_LANES  A_read_ROW_ELEMENTS
//!                                        A_read_row_m(wave, lane, access)  A_read_row_k(wave, lane, access)
//!   accesses("A_read", ..)               A_read_COUNT  A_read_BYTES  A_read_REGISTERS  A_read_ALIGNMENT
//!                                        A_read_address(wave, lane, access)
//!                                        A_read_immediate(access)  A_read_element(access)
//!   window("A_view", ..)                 A_view_COUNT  A_view_VECTOR  A_view_element(access)
//!                                        A_view_offset(origin_m, origin_k, wave, lane, element)
//!                                        A_view_valid(origin_m, origin_k, wave, lane, element)
//!   rows("A_rows", ..)                   A_rows_COUNT  A_rows_VECTOR  A_rows_element(access)
//!                                        A_rows_offset(origin_m, origin_k, pitch_m, wave, lane, element)
//!                                        A_rows_valid(origin_m, origin_k, length_m, length_k, wave, lane,
//!                                        element)  A_rows_whole(the same)
//!   direct("A_fill", ..)                 A_fill_WAVES  A_fill_LANES  A_fill_LOADS  A_fill_BYTES
//!                                        A_fill_base(wave, load)  A_fill_m(wave, lane, load)  A_fill_k(..)
//!                                        A_fill_offset(origin_m, origin_k, pitch_m, wave, lane, load)
//!                                        A_fill_whole(origin_m, origin_k, length_m, length_k, wave, lane, load)
//!   arena("LDS", ..)                     LDS_BYTES  LDS_a  LDS_b
//! ```
//!
//! A loop over `access` is to be unrolled: then every `access` is a number, the choices of
//! `address`, `immediate` and `element` are made by the compiler, and what is left are the address
//! registers that [`Addressing`](tiledesc::access::Addressing) counts and constants in the
//! instructions.

mod addressed;
mod direct;
mod held;
mod window;

use super::expression::Expression;
use super::form::Form;
use super::inverse::inverse;
use super::language::{Function, Returns, twice};
use crate::Error;
use std::collections::BTreeSet;
use tiledesc::access::Placed;
use tiledesc::layout::{Mapping, bytes_of, sized};
use tiledesc::storage::Arena;
use tiledesc::{Extent, Index, Plan};

/// A file about some tiles, in one language; its parts are added one after another.
///
/// ```
/// use tiledesc_host::emit::{self, Header};
/// use tiledesc::{chip::gfx942, pattern::Lanes, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let reads = ABlock::placed::<MfmaRows<16>>(&gfx942::ds_read_b128)?;
///
/// let mut header = Header::new(emit::HIP);
/// header.layout("A", &["m", "k"], &ABlock::default())?;
/// header.verdict("read", &reads)?.accesses("A_read", &reads)?;
/// let file = header.file("tiles", &["Made for the book."]);
/// assert!(file.starts_with("// Made for the book.\n#ifndef TILEDESC_TILES_HPP_"));
/// assert!(file.contains("constexpr unsigned A_BYTES = 16384u;\n"));
/// assert!(file.contains("// read gfx942 ds_read_b128: free of conflicts\n"));
/// assert!(file.contains("constexpr unsigned A_read_COUNT = 16u;\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Every part refuses what [`Emit::emit`](crate::emit::Emit::emit) refuses, and a name that another
/// part has. What has an error adds nothing that a compiler would accept: give the header up.
#[derive(Clone, Debug)]
pub struct Header {
    form: Form,
    text: String,
    names: BTreeSet<String>,
    namespace: Option<String>,
}

impl Header {
    /// An empty header in a language. Units and stages of the form are those of the layouts' offsets.
    #[must_use]
    pub const fn new(form: Form) -> Self {
        Self { form, text: String::new(), names: BTreeSet::new(), namespace: None }
    }

    /// Returns whether the language has programs, or only formulas.
    #[must_use]
    pub const fn is_program(&self) -> bool {
        self.form.program().is_some()
    }

    /// The text so far, without the head and the foot of a file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Puts the file into a namespace, in a language that [has](Form::has_namespaces) them: then one program can have
    /// two headers with tiles of one name. In any other language nothing is written, and the name belongs in front of
    /// those of the parts.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
    ///
    /// let mut header = Header::new(emit::CUDA);
    /// header.namespace("gemm")?.constant("BUFFERS", 3)?;
    /// assert!(header.file("tiles", &[]).contains("namespace gemm {\n\nconstexpr unsigned BUFFERS = 3u;\n\n} // namespace gemm\n"));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A name that the language refuses.
    pub fn namespace(&mut self, name: &str) -> Result<&mut Self, Error> {
        self.form.check_name(name)?;
        self.namespace = Some(name.to_string());
        Ok(self)
    }

    /// The file: `about` as comments, and in C and its descendants an include guard of `stem` and a number that follows
    /// from the text, so that files of one name hide each other only if their texts are equal.
    #[must_use]
    pub fn file(&self, stem: &str, about: &[&str]) -> String {
        let mark = self.form.comment();
        let mut text = format!("\n{}", self.text.trim_start_matches('\n'));
        if let (Some(name), true) = (&self.namespace, self.form.has_namespaces()) {
            text = format!("\nnamespace {name} {{\n{text}\n}} // namespace {name}\n");
        }
        let guard = guard(stem, self.form.extension(), &text);
        let mut file: String = about.iter().map(|line| format!("{mark} {line}\n")).collect();
        let guards = self.form.program().is_some_and(|program| program.guard);
        if guards {
            file += &format!("#ifndef {guard}\n#define {guard}\n");
        }
        file += &text;
        if guards {
            file += &format!("\n#endif // {guard}\n");
        }
        file
    }

    /// A line for the reader, as a comment of the language.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Expression, Header};
    /// use tiledesc::{Extent, Index};
    ///
    /// // Parts of your own, between those of layouts.
    /// let buffer = Expression::coordinate(0, 3);
    /// let next = buffer.add(&Expression::number(1)).rem(Extent::constant(3));
    /// let mut header = Header::new(emit::C);
    /// header.comment("Three buffers of B.").constant("BUFFERS", 3)?.blank();
    /// header.function("The buffer after a buffer.", "next", &["buffer"], &next)?;
    /// assert_eq!(
    ///     header.text(),
    ///     "// Three buffers of B.
    /// #define BUFFERS 3u
    ///
    /// // The buffer after a buffer.
    /// static inline unsigned next(unsigned buffer) {
    ///     return (buffer + 1) % 3;
    /// }
    /// ",
    /// );
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    pub fn comment(&mut self, line: &str) -> &mut Self {
        self.text += &format!("{} {line}", self.form.comment());
        self.text.push('\n');
        self
    }

    /// An empty line.
    pub fn blank(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// A constant. In a language of formulas it is left out, and so is one that 32 bits do not hold.
    ///
    /// # Errors
    ///
    /// A name that the language refuses, or that another part has.
    pub fn constant(&mut self, name: &str, value: u64) -> Result<&mut Self, Error> {
        let (Some(program), Ok(value)) = (self.form.program(), u32::try_from(value)) else {
            return Ok(self);
        };
        self.form.check_name(name)?;
        self.take(name)?;
        self.text += &(program.constant)(name, value);
        Ok(self)
    }

    /// A function of your own, as [`Form::function`], with a line about it.
    ///
    /// # Errors
    ///
    /// As [`Form::function`]; a name that another part has.
    pub fn function(
        &mut self,
        about: &str,
        name: &str,
        coordinates: &[&str],
        value: &Expression,
    ) -> Result<&mut Self, Error> {
        self.write(about, name, coordinates, Returns::Value(value))
    }

    fn write(
        &mut self,
        about: &str,
        name: &str,
        coordinates: &[&str],
        returns: Returns<'_>,
    ) -> Result<&mut Self, Error> {
        let text = self.form.write(&Function { name, coordinates, returns })?;
        self.take(name)?;
        self.comment(about);
        self.text += text.trim_end();
        Ok(self.blank())
    }

    fn take(&mut self, name: &str) -> Result<(), Error> {
        match self.names.insert(name.to_string()) {
            true => Ok(()),
            false => Err(twice(name)),
        }
    }

    /// A layout: its lengths and space, the offset and, if it knows its element, the byte of a
    /// coordinate, and the coordinate of an offset, where there is a formula.
    ///
    /// # Errors
    ///
    /// As [`Emit::emit`](super::Emit::emit).
    pub fn layout(
        &mut self,
        name: &str,
        dimensions: &[&str],
        map: &(impl Mapping + ?Sized),
    ) -> Result<&mut Self, Error> {
        let plan = map.to_plan()?;
        self.plan(name, dimensions, &plan, map.element_bits())
    }

    /// Adds the functions of a plan, whose elements have `bits` bits, if that is known; without, bytes are left out.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::Plan;
    ///
    /// // 64 halves every 72, as a program reads them at run time.
    /// let rows = Plan::naive(&[128, 64], &[72, 1])?;
    /// let mut header = Header::new(emit::C);
    /// header.plan("B", &["n", "k"], &rows, Some(16))?;
    /// assert!(header.text().contains("#define B_BYTES 18416u\n"));
    /// assert!(header.text().contains("    return (n * 72 + k) << 1;\n"));
    /// // The way back, from an offset to n.
    /// assert!(header.text().contains("    return offset / 72;\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`layout`](Self::layout).
    pub fn plan(
        &mut self,
        name: &str,
        dimensions: &[&str],
        plan: &Plan,
        bits: Option<u32>,
    ) -> Result<&mut Self, Error> {
        if let Some(bits) = bits {
            sized(Ok(*plan), bits)?;
        }
        if self.is_program() {
            for (dimension, length) in dimensions.iter().zip(plan.lengths().as_slice()) {
                let word = dimension.to_uppercase();
                self.constant(&format!("{name}_LENGTH_{word}"), u64::from(*length))?;
            }
            let space = plan.element_space();
            self.constant(&format!("{name}_SPACE"), space)?;
            if let Some(bits) = bits {
                let bytes = (space * u64::from(bits)).div_ceil(8);
                self.constant(&format!("{name}_BYTES"), bytes)?;
            }
            self.blank();
        }
        let offset = self.form.offset_of(plan, dimensions.len())?;
        self.function("In elements.", &format!("{name}_offset"), dimensions, &offset)?;
        if let Some(bits) = bits {
            let byte = bytes_of(&offset, bits);
            let about = "The byte in which an element begins.";
            self.function(about, &format!("{name}_byte"), dimensions, &byte)?;
        }
        self.back(name, dimensions, plan)
    }

    fn back(&mut self, name: &str, dimensions: &[&str], plan: &Plan) -> Result<&mut Self, Error> {
        match inverse(plan) {
            Ok(each) => {
                for (dimension, index) in dimensions.iter().zip(&each) {
                    let about = format!("{dimension} of the element at an offset, in elements.");
                    let function = format!("{name}_{dimension}_at");
                    self.function(&about, &function, &["offset"], index)?;
                }
                Ok(self)
            }
            Err(why) => Ok(self.no_way_back(&why)),
        }
    }

    fn no_way_back(&mut self, why: &Error) -> &mut Self {
        self.comment(&format!("No formula leads back from an offset: {why}."))
    }

    /// The verdict on accesses, as a comment after what they are called.
    ///
    /// # Errors
    ///
    /// If a lane cannot touch what it should.
    pub fn verdict(&mut self, name: &str, placed: &Placed<'_, '_>) -> Result<&mut Self, Error> {
        let verdict = placed.verdict()?;
        let (row, found) = (placed.instruction(), verdict.found());
        let line = format!("{name} {} {}: {}", row.chip(), row.name(), found.as_str());
        Ok(self.comment(&line))
    }

    /// A number for each access.
    fn table(&mut self, about: &str, name: &str, values: &[u32]) -> Result<&mut Self, Error> {
        let step = values.get(1).copied().unwrap_or(0);
        let even = |(i, value): (usize, &u32)| *value == step.wrapping_mul(i as u32);
        if values.iter().enumerate().all(even) {
            let access = Expression::coordinate(0, values.len() as u32);
            let value = access.mul(Extent::constant(step));
            return self.write(about, name, &["access"], Returns::Value(&value));
        }
        let values: Vec<_> = values.iter().map(|value| Expression::number(*value)).collect();
        self.write(about, name, &["access"], Returns::Choice { by: 0, of: &values })
    }

    /// The memory of a block: its bytes, and where each that has a place begins.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::storage::{Arena, Size};
    ///
    /// const LDS: Arena = Arena::on(&tiledesc::chip::gfx942).holds_bytes("a", 16384).holds_bytes("b", 8192);
    /// let mut header = Header::new(emit::C);
    /// header.arena("LDS", &LDS)?;
    /// assert_eq!(header.text(), "#define LDS_BYTES 24576u\n#define LDS_a 0u\n#define LDS_b 16384u\n");
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A name that the language refuses, or that another part has.
    pub fn arena(&mut self, name: &str, arena: &Arena) -> Result<&mut Self, Error> {
        self.constant(&format!("{name}_BYTES"), u64::from(arena.bytes()))?;
        for (held, begin) in arena.places() {
            self.constant(&format!("{name}_{held}"), u64::from(begin))?;
        }
        Ok(self)
    }
}

/// The name of an include guard: of two files that are both called `tiles.hpp` the second would be empty.
fn guard(stem: &str, extension: &str, text: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("TILEDESC_{stem}_{extension}_{:08x}", hash(text)).chars().map(letter).collect()
}

/// The hash of Fowler, Noll and Vo, variant 1a, of 32 bits.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
