//! A sentence built at compile time: what a const panic can print.
//!
//! A panic inside a `const fn` prints exactly one `&str`, and `format!` does not exist there. [`Text`] is a fixed buffer with the
//! three things an error needs: words, decimal numbers and lists of them. At run time the same buffer is printed, so both ways
//! give the same sentence.

use core::fmt;

/// A text of at most 1024 bytes, built in a `const fn`.
///
/// Longer texts are cut and end in `...`; nothing panics.
///
/// ```
/// use tiledesc_transforms::Text;
///
/// const T: Text = Text::new().str("length ").number(12).str(" of ").list(&[4, 3]);
/// assert_eq!(T.as_str(), "length 12 of [4, 3]");
/// const STEP: Text = Text::new().coordinate(&[3, 17]).str(" moves by ").signed(-8);
/// assert_eq!(STEP.as_str(), "(3, 17) moves by -8");
/// ```
#[derive(Clone, Copy)]
pub struct Text {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Text {
    const CAPACITY: usize = 1024;
    /// The cut mark must fit after the last word.
    const ROOM: usize = Self::CAPACITY - 3;

    /// The empty text.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; Self::CAPACITY], len: 0 }
    }

    const fn push(mut self, byte: u8) -> Self {
        if self.len < Self::ROOM {
            self.bytes[self.len] = byte;
            self.len += 1;
        } else {
            while self.len < Self::CAPACITY {
                self.bytes[self.len] = b'.';
                self.len += 1;
            }
        }
        self
    }

    /// Appends words.
    #[must_use]
    pub const fn str(mut self, words: &str) -> Self {
        let bytes = words.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            self = self.push(bytes[i]);
            i += 1;
        }
        self
    }

    /// Appends a number in decimal.
    #[must_use]
    pub const fn number(mut self, value: u64) -> Self {
        let mut power = 1;
        while value / power >= 10 {
            power *= 10;
        }
        while power > 0 {
            self = self.push(b'0' + (value / power % 10) as u8);
            power /= 10;
        }
        self
    }

    /// Appends a possibly negative number in decimal.
    #[must_use]
    pub const fn signed(self, value: i64) -> Self {
        if value < 0 {
            self.push(b'-').number(value.unsigned_abs())
        } else {
            self.number(value as u64)
        }
    }

    /// Appends numbers with separators: `[4, 3]`.
    #[must_use]
    pub const fn list(self, items: &[u32]) -> Self {
        self.items(items, "[", "]")
    }

    /// Appends a coordinate: `(4, 3)`.
    #[must_use]
    pub const fn coordinate(self, items: &[u32]) -> Self {
        self.items(items, "(", ")")
    }

    const fn items(self, items: &[u32], open: &str, close: &str) -> Self {
        let mut text = self.str(open);
        let mut i = 0;
        while i < items.len() {
            if i > 0 {
                text = text.str(", ");
            }
            text = text.number(items[i] as u64);
            i += 1;
        }
        text.str(close)
    }

    /// Panics with the text: the line of the caller's caller is where the user reads it.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn refuse(&self) -> ! {
        let sentence = self.as_str();
        panic!("{}", sentence)
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (written, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(written) {
            Ok(text) => text,
            // Only a cut in the middle of a character leads here.
            Err(_) => "(text was cut)",
        }
    }
}

/// Appends a sentence to a text: words are literals, numbers any unsigned integers;
/// `str(..)`, `signed(..)`, `list(..)` and `coordinate(..)` are anything else.
///
/// ```
/// use tiledesc_transforms::{Text, say};
///
/// const fn sentence(length: u32, lengths: &[u32]) -> Text {
///     say!(Text::new(): "length ", length, " of ", list(lengths))
/// }
/// assert_eq!(sentence(12, &[4, 3]).as_str(), "length 12 of [4, 3]");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! say {
    ($name:ident: $($items:tt)*) => {
        $crate::say!(@ $name, $($items)*)
    };
    (Text::new(): $($items:tt)*) => {
        $crate::say!(@ $crate::Text::new(), $($items)*)
    };
    (@ $text:expr $(,)?) => { $text };
    (@ $text:expr, $words:literal $($rest:tt)*) => {
        $crate::say!(@ $text.str($words) $($rest)*)
    };
    (@ $text:expr, str($words:expr) $($rest:tt)*) => {
        $crate::say!(@ $text.str($words) $($rest)*)
    };
    (@ $text:expr, signed($number:expr) $($rest:tt)*) => {
        $crate::say!(@ $text.signed($number) $($rest)*)
    };
    (@ $text:expr, list($items:expr) $($rest:tt)*) => {
        $crate::say!(@ $text.list($items) $($rest)*)
    };
    (@ $text:expr, coordinate($items:expr) $($rest:tt)*) => {
        $crate::say!(@ $text.coordinate($items) $($rest)*)
    };
    (@ $text:expr, $number:expr $(, $($rest:tt)*)?) => {
        $crate::say!(@ $text.number($number as u64) $(, $($rest)*)?)
    };
}

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Returns whether two texts are the same: `==` for constants.
#[doc(hidden)]
#[must_use]
pub const fn is_same(a: &str, b: &str) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut a = a.as_bytes();
    let mut b = b.as_bytes();
    // Four at once: rounds of a loop are expensive in a constant.
    while let [a0, a1, a2, a3, more @ ..] = a
        && let [b0, b1, b2, b3, others @ ..] = b
    {
        if *a0 != *b0 || *a1 != *b1 || *a2 != *b2 || *a3 != *b3 {
            return false;
        }
        a = more;
        b = others;
    }
    while let [one, more @ ..] = a
        && let [other, others @ ..] = b
    {
        if *one != *other {
            return false;
        }
        a = more;
        b = others;
    }
    true
}
