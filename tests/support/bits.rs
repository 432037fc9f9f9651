//! Vectors of bits, as few lines as they take: spans, and maps that are known in part.

/// Independent vectors, each with what it is made into.
#[derive(Clone, Default)]
pub struct Span(Vec<(u32, u32)>);

impl Span {
    pub fn of(vectors: &[u32]) -> Self {
        let mut span = Self::default();
        for vector in vectors {
            span.insert(*vector, 0);
        }
        span
    }

    /// What the vectors do not reach of another, and what is made of the rest.
    pub fn reduce(&self, vector: u32) -> (u32, u32) {
        self.0.iter().fold((vector, 0), |(rest, made), (its, into)| {
            if rest & highest(*its) != 0 { (rest ^ its, made ^ into) } else { (rest, made) }
        })
    }

    pub fn holds(&self, vector: u32) -> bool {
        self.reduce(vector).0 == 0
    }

    /// Returns whether the vector was not among the sums of those before.
    pub fn insert(&mut self, vector: u32, into: u32) -> bool {
        let (rest, made) = self.reduce(vector);
        if rest == 0 {
            return false;
        }
        let into = into ^ made;
        for (its, old) in &mut self.0 {
            if *its & highest(rest) != 0 {
                (*its, *old) = (*its ^ rest, *old ^ into);
            }
        }
        self.0.push((rest, into));
        true
    }

    /// Those of the vectors that complete the span, in their order.
    pub fn complement(&self, vectors: &[u32]) -> Vec<u32> {
        let mut all = self.clone();
        vectors.iter().copied().filter(|vector| all.insert(*vector, 0)).collect()
    }
}

fn highest(vector: u32) -> u32 {
    1 << vector.ilog2()
}

/// All sums of some vectors, 0 first.
pub fn sums(vectors: &[u32]) -> Vec<u32> {
    (0..1u32 << vectors.len()).map(|number| sum(vectors, number)).collect()
}

/// The xor of the vectors at the bits of a number; bits beyond them are not read.
pub fn sum(vectors: &[u32], number: u32) -> u32 {
    let (mut all, mut rest) = (0, number);
    while let Some(vector) = vectors.get(rest.trailing_zeros() as usize) {
        all ^= vector;
        rest &= rest - 1;
    }
    all
}

/// Vectors that span what both others span.
pub fn meet(one: &[u32], other: &[u32]) -> Vec<u32> {
    let other = Span::of(other);
    let both: Vec<u32> = sums(one).into_iter().filter(|vector| other.holds(*vector)).collect();
    Span::default().complement(&both)
}

/// An invertible map of which some images are known, and some are to be within a span.
#[derive(Clone, Default)]
pub struct Partial {
    images: Span,
    reached: Span,
}

impl Partial {
    /// Returns whether this may be the image of a vector: a vector that is known has no other, and no two
    /// have one.
    pub fn fix(&mut self, vector: u32, image: u32) -> bool {
        let (rest, known) = self.images.reduce(vector);
        if rest == 0 {
            return known == image;
        }
        self.images.insert(vector, image) && self.reached.insert(known ^ image, 0)
    }

    /// The map with each vector's image among the sums of what stands beside it.
    pub fn within(&self, wanted: &[(u32, Vec<u32>)]) -> Option<Self> {
        let Some(((vector, allowed), rest)) = wanted.split_first() else {
            return Some(self.clone());
        };
        if self.images.holds(*vector) {
            let image = self.images.reduce(*vector).1;
            return if Span::of(allowed).holds(image) { self.within(rest) } else { None };
        }
        sums(allowed).into_iter().skip(1).find_map(|image| {
            let mut more = self.clone();
            if more.fix(*vector, image) { more.within(rest) } else { None }
        })
    }

    /// The images of `1 << 0`, `1 << 1` and so on: what is not known is any of these.
    pub fn completed(&self, bits: u32, any: &[u32]) -> Vec<u32> {
        let mut map = self.clone();
        for bit in 0..bits {
            if !map.images.holds(1 << bit) {
                let fixed = any.iter().any(|image| map.also(1 << bit, *image));
                assert!(fixed, "no image is left for bit {bit}");
            }
        }
        (0..bits).map(|bit| map.images.reduce(1 << bit).1).collect()
    }

    /// [`fix`](Self::fix), or nothing is changed.
    fn also(&mut self, vector: u32, image: u32) -> bool {
        let mut more = self.clone();
        let fixed = more.fix(vector, image);
        if fixed {
            *self = more;
        }
        fixed
    }
}
