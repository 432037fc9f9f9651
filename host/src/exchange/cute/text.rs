//! CuTe's text, read: `Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),64):((64,512),_1)`.
//!
//! One pass, a `fn`, no allocation. `_8`, known to the C++ compiler, and `8`, known
//! at run time, are the same number here, and are printed as they were read.

use super::algebra::{OPERATIONS, Operation, Tiler, Tree};
use super::composed::Composed;
use super::strided::{Strided, Tuple};
use super::swizzle::Swizzle;
use crate::{Error, ErrorKind};

/// The deepest nesting that is read: as deep as 12 modes can sensibly nest.
const DEEPEST: u32 = 12;

impl Composed {
    /// Reads CuTe's text, a layout alone or after a swizzle. `S<3,3,3>`, as the Python
    /// DSL prints it, is read like `Sw<3,3,3>`.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Composed;
    ///
    /// let text = "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_2),_64):((_64,512),_1)";
    /// let tile = Composed::parse(text).unwrap();
    /// assert_eq!(tile.layout().shape(), &[8, 2, 64]);
    /// assert_eq!(tile.to_string(), text);
    ///
    /// let axes = Composed::parse("(2,4):(1@0,1@1)").unwrap_err();
    /// assert_eq!(axes.to_string(), "at byte 8: strides along an axis, as 1@0, are not supported");
    /// ```
    ///
    /// A tensor as the Python DSL prints it has the swizzle of its pointer, which counts bytes:
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Composed;
    ///
    /// let tensor = "tensor<ptr<bf16, smem, align<1024>, S<3,4,3>> o ((8,16),(64,1)):((64,512),(1,0))>";
    /// let tile = Composed::parse(tensor).unwrap();
    /// assert_eq!(
    ///     tile.to_string(),
    ///     "Sw<3,4,3> o smem_ptr[16b](unset) o ((8,16),(64,1)):((64,512),(1,0))",
    /// );
    /// ```
    ///
    /// CuTe's algebra is read as it is written:
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Composed;
    ///
    /// let text = |text: &str| Composed::parse(text).map(|tile| tile.to_string());
    /// assert_eq!(
    ///     text("tile_to_shape(Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1), (128, 64))")?,
    ///     "Sw<3,4,3> o smem_ptr[16b](unset) o ((8,16),(64,1)):((64,512),(1,0))",
    /// );
    /// assert_eq!(text("zipped_divide((128,64):(64,1), (32,8))")?, "((32,8),(4,8)):((64,1),(2048,8))");
    /// assert_eq!(
    ///     text("composition((6,2):(8,2), 3:4)").unwrap_err().to_string(),
    ///     "(6,2):(8,2) after 3:4: a step of 4 and the length 6 at stride 8 do not divide each other",
    /// );
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// Those are `composition`, of a swizzle, too, `complement`, `coalesce`, `logical_divide`, `zipped_divide`, `tiled_divide`,
    /// `flat_divide`, the same four products, `blocked_product`, `raked_product` and `tile_to_shape`.
    ///
    /// # Errors
    ///
    /// Another text, with the byte; negative strides, strides along an axis (`1@0`, `E<0>`) and offsets half known
    /// (`M_..`), which have no form here; numbers that no swizzle or layout has.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let composed = reader.composed()?;
        reader.blanks();
        if reader.at < text.len() { reader.expected("the end") } else { Ok(composed) }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Operations and tilers that are open.
    depth: u32,
}

impl Reader<'_> {
    fn expected<T>(&self, expected: &'static str) -> Result<T, Error> {
        Err(Error::syntax(self.at, expected))
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn blanks(&mut self) {
        while self.peek() == b' ' {
            self.at += 1;
        }
    }

    /// Takes a word, after blanks, if it is there.
    fn take(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn need(&mut self, word: &'static str, expected: &'static str) -> Result<(), Error> {
        if self.take(word) { Ok(()) } else { self.expected(expected) }
    }

    /// CuTe's text where we have no words for it.
    fn not_read<T>(&self, what: &'static str) -> Result<T, Error> {
        Err(Error::no_form(format!("at byte {}: {what} are not supported", self.at)))
    }

    /// A layout, a layout behind a swizzle, a tensor, or an operation on one.
    fn composed(&mut self) -> Result<Composed, Error> {
        if let Some(operation) = self.operation()? {
            return self.operated(operation);
        }
        match (self.take("tensor<ptr<"), self.swizzle()?) {
            (true, _) => self.tensor(),
            (_, Some(swizzle)) => self.behind(swizzle),
            (_, None) => Composed::new(Swizzle::NONE, 0, self.layout()?),
        }
    }

    /// `logical_divide(`, if there is one: also `cute.logical_divide(` and `cute::logical_divide(`.
    fn operation(&mut self) -> Result<Option<(&'static str, Operation)>, Error> {
        let _ = self.take("cute.") || self.take("cute::");
        self.blanks();
        let rest = &self.text[self.at..];
        let Some((name, _)) = rest.split_once('(') else { return Ok(None) };
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(is_name) {
            return Ok(None);
        }
        self.at += name.len() + 1;
        let found = OPERATIONS.iter().find(|(known, _)| *known == name);
        let all = || OPERATIONS.map(|(name, _)| name).join(", ");
        let unknown = || {
            Error::new(
                ErrorKind::Unknown,
                format!("`{name}` is not among the operations that are read: {}", all()),
            )
        };
        found.copied().map(Some).ok_or_else(unknown)
    }

    /// What is between the brackets of an operation, and its result.
    fn operated(&mut self, (name, of): (&str, Operation)) -> Result<Composed, Error> {
        self.deeper()?;
        let begin = self.at;
        if name == "composition"
            && let Some(swizzle) = self.swizzle()?
        {
            if self.take(",") {
                let inner = self.composed()?;
                self.close(")")?;
                return match *inner.swizzle() == Swizzle::NONE {
                    true => Composed::new(swizzle, inner.offset(), *inner.layout()),
                    false => {
                        Err(Error::no_form("a swizzle of a swizzled layout has no form".to_owned()))
                    }
                };
            }
            self.at = begin;
        }
        let first = self.composed()?;
        let second = if self.take(",") { Some(self.tiler()?) } else { None };
        self.close(")")?;
        let is_of_strides = name == "complement" || name.ends_with("_inverse");
        if is_of_strides && *first.swizzle() != Swizzle::NONE {
            return Err(Error::no_form(format!("the {name} of a swizzled layout has no form")));
        }
        first.over(Strided::of_tree(&of(&first.layout().tree(), second.as_ref())?)?)
    }

    fn deeper(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEEPEST { self.expected("at most 12 nested brackets") } else { Ok(()) }
    }

    fn close(&mut self, bracket: &'static str) -> Result<(), Error> {
        self.depth -= 1;
        self.need(bracket, if bracket == ")" { "`,` or `)`" } else { "`,` or `>`" })
    }

    /// `(32,8)`, `8`, `(4,2):(1,8)`, or a tuple of such: `<4:1,8:2>`.
    fn tiler(&mut self) -> Result<Tiler, Error> {
        if let Some(operation) = self.operation()? {
            let layout = self.operated(operation)?;
            return match *layout.swizzle() == Swizzle::NONE {
                true => Ok(Tiler::Layout(layout.layout().tree())),
                false => Err(Error::no_form("a swizzled layout divides nothing".to_owned())),
            };
        }
        let tiler = match ["(", "<"].into_iter().find(|bracket| self.take(bracket)) {
            Some(bracket) => {
                self.deeper()?;
                let mut each = vec![self.tiler()?];
                while self.take(",") {
                    each.push(self.tiler()?);
                }
                self.close(if bracket == "(" { ")" } else { ">" })?;
                Tiler::Each(each)
            }
            None => Tiler::Length(self.number()?.0.into()),
        };
        if !self.take(":") {
            return Ok(tiler);
        }
        let stride = self.tiler()?;
        let tree = joined(&tiler, &stride).ok_or_else(|| {
            Error::mismatch(
                "the shape and the stride have other numbers of numbers, or their brackets differ"
                    .to_owned(),
            )
        })?;
        // Of the size of any other layout.
        Strided::of_tree(&tree)?;
        Ok(Tiler::Layout(tree))
    }

    /// A number, and whether it is written as known to the compiler.
    fn number(&mut self) -> Result<(u32, bool), Error> {
        let fixed = self.take("_");
        match self.peek() {
            b'-' => return self.not_read("negative offsets and strides"),
            b'E' => return self.not_read("strides along an axis, as E<0>,"),
            b'M' => return self.not_read("offsets of which some bits are known, as M_..,"),
            _ => {}
        }
        let value = self.digits()?;
        if self.peek() == b'@' {
            return self.not_read("strides along an axis, as 1@0,");
        }
        Ok((value, fixed))
    }

    fn digits(&mut self) -> Result<u32, Error> {
        self.blanks();
        let (mut value, begin) = (0u32, self.at);
        while self.peek().is_ascii_digit() {
            let digit = u32::from(self.peek() - b'0');
            match value.checked_mul(10).and_then(|tens| tens.checked_add(digit)) {
                Some(longer) => value = longer,
                None => return self.expected("a number of at most 32 bits"),
            }
            self.at += 1;
        }
        if self.at == begin { self.expected("a number") } else { Ok(value) }
    }

    /// `Sw<3,4,3>`, if there is one.
    fn swizzle(&mut self) -> Result<Option<Swizzle>, Error> {
        if !self.take("Sw<") && !self.take("S<") {
            return Ok(None);
        }
        let bits = self.digits()?;
        self.need(",", "`,`")?;
        let base = self.digits()?;
        self.need(",", "`,`")?;
        let negative = self.take("-");
        let shift = self.digits()?;
        if shift > i32::MAX as u32 {
            return self.expected("a shift of at most 31 bits");
        }
        self.need(">", "`>`")?;
        let shift = shift as i32;
        let swizzle = Swizzle::new(bits, base, if negative { -shift } else { shift });
        Ok(Some(swizzle?))
    }

    /// Reads the rest of a tensor of the Python DSL, from its element on: `bf16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)>`.
    fn tensor(&mut self) -> Result<Composed, Error> {
        self.skip(|byte| byte.is_ascii_alphabetic());
        let bits = self.digits()?;
        self.skip(|byte| byte.is_ascii_alphanumeric());
        let mut of_pointer = None;
        while !self.take(">") {
            self.need(",", "`,` or `>`")?;
            self.blanks();
            match self.swizzle()? {
                Some(swizzle) => of_pointer = Some(swizzle),
                // A memory, `smem`, or an alignment, `align<1024>`.
                None => {
                    self.skip(|byte| byte.is_ascii_alphanumeric());
                    if self.take("<") {
                        self.digits()?;
                        self.need(">", "`>`")?;
                    }
                }
            }
        }
        self.need("o", "`o`")?;
        let layout = self.layout()?;
        self.need(">", "`>`")?;
        match of_pointer {
            Some(swizzle) => Composed::in_bytes(swizzle, bits, layout),
            None => Composed::new(Swizzle::NONE, 0, layout),
        }
    }

    fn skip(&mut self, is_part: impl Fn(u8) -> bool) {
        while is_part(self.peek()) {
            self.at += 1;
        }
    }

    /// Reads the rest after a swizzle: an offset or a pointer, and the layout.
    fn behind(&mut self, swizzle: Swizzle) -> Result<Composed, Error> {
        // A tensor is printed without the first `o`.
        let is_tensor = self.text.as_bytes()[self.at..].starts_with(b"_smem_ptr[");
        if is_tensor {
            self.at += 1;
        } else {
            self.need("o", "`o`")?;
        }
        if self.take("smem_ptr[") {
            let bits = self.digits()?;
            self.need("b](", "`b](`")?;
            self.pointer(swizzle)?;
            self.need("o", "`o`")?;
            return Composed::in_bytes(swizzle, bits, self.layout()?);
        }
        let (offset, fixed) = self.number()?;
        self.need("o", "`o`")?;
        Composed::as_written(swizzle, offset, fixed, self.layout()?)
    }

    /// `unset)`, or the address of a tensor, `0x7f0000000400)`: where the swizzle begins anew.
    fn pointer(&mut self, swizzle: Swizzle) -> Result<(), Error> {
        if self.take("unset)") {
            return Ok(());
        }
        self.need("0x", "`unset)` or an address, as in 0x7f0000000400")?;
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let Ok(address) = u64::from_str_radix(&rest[..digits], 16) else {
            return self.expected("an address of at most 64 bits");
        };
        self.at += digits;
        self.need(")", "`)`")?;
        let again =
            1_u64 << (swizzle.base() + swizzle.bits() + swizzle.shift().unsigned_abs()).min(63);
        match address % again {
            0 => Ok(()),
            _ => Err(Error::no_form(format!(
                "the address {address:#x} is not a multiple of the {again} bytes after which the swizzle begins again"
            ))),
        }
    }

    fn layout(&mut self) -> Result<Strided, Error> {
        let shape = self.tuple()?;
        self.need(":", "`:`")?;
        Strided::from_tuples(shape, self.tuple()?)
    }

    /// A number, or numbers in brackets.
    fn tuple(&mut self) -> Result<Tuple, Error> {
        let (mut tuple, mut depth) = (Tuple::EMPTY, 0u32);
        loop {
            while self.take("(") {
                depth += 1;
                tuple = tuple.open();
                if depth > DEEPEST {
                    return self.expected("at most 12 nested brackets");
                }
            }
            let (item, fixed) = self.number()?;
            tuple = tuple.push(item, fixed)?;
            while depth > 0 && self.take(")") {
                depth -= 1;
                tuple = tuple.close();
            }
            if depth == 0 {
                return Ok(tuple);
            }
            self.need(",", "`,` or `)`")?;
        }
    }
}

/// A shape and a stride as one.
fn joined(shape: &Tiler, stride: &Tiler) -> Option<Tree> {
    match (shape, stride) {
        (Tiler::Length(length), Tiler::Length(stride)) => Some(Tree::One(*length, *stride)),
        (Tiler::Each(lengths), Tiler::Each(strides)) if lengths.len() == strides.len() => {
            let modes = lengths.iter().zip(strides).map(|(length, stride)| joined(length, stride));
            modes.collect::<Option<_>>().map(Tree::Modes)
        }
        _ => None,
    }
}
