//! Whether what is claimed of an access to global memory is true of the addresses that its lanes had.
//!
//! | claimed | must be |
//! |---|---|
//! | the fewest and the most lines and sectors | those of the lanes' addresses, moved by every base that the claim leaves open |
//! | the least for its bytes | that of the distinct bytes |
//! | the most, where the lanes that are on depend on data | no fewer than the lanes' that are on |
//!
//! Lines and sectors are counted here by the units of each lane's bytes.

use tiledesc::chip::{Lines, Touched};
use tiledesc_audit::value::Value;
use tiledesc_audit::{Coalescing, Global, Moved, Reached};

/// An access to global memory that was executed, by the lanes that are on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) on: u64,
    pub(crate) at: Vec<u64>,
}

/// How claims came out: lines and sectors of all lanes, at most these, not known; lanes of which no claim is made.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) exact: usize,
    pub(crate) masked: usize,
    pub(crate) unknown: usize,
    pub(crate) beyond: usize,
}

impl Tally {
    /// Fails if there were too few of some kind to tell anything.
    pub(crate) fn check(&self) {
        println!("global memory: {self:?}");
        let all = [self.exact, self.masked, self.unknown, self.beyond];
        assert!(all.iter().all(|n| *n > 20), "{self:?}: a check of little");
    }

    /// Holds the claims of a wave against what it did; returns whether one of them is true.
    pub(crate) fn hold(
        &mut self,
        site: &Global,
        number: usize,
        lanes: usize,
        touch: &Touch,
        lines: &Lines,
    ) -> bool {
        if !touch.is_claimed(site.access) {
            self.beyond += 1;
            return true;
        }
        let claims = site.reached.iter().filter(|one| one.wave == number);
        let held = claims.filter_map(|one| touch.held(site.access, one, lanes, lines));
        // The firmest of those that are true.
        let Some(kind) = held.max() else { return false };
        *match kind {
            Kind::Exact => &mut self.exact,
            Kind::Masked => &mut self.masked,
            Kind::Unknown => &mut self.unknown,
        } += 1;
        true
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Unknown,
    Masked,
    Exact,
}

impl Touch {
    /// The addresses of lanes that are on.
    fn addresses(&self) -> Vec<u64> {
        let on = self.at.iter().enumerate().filter(|(lane, _)| self.on >> lane & 1 == 1);
        on.map(|(_, at)| *at).collect()
    }

    /// Returns whether the lanes are aligned, less than 2 GiB apart, and not in the last bytes that an address can name, which is taken
    /// for granted.
    fn is_claimed(&self, moved: Moved) -> bool {
        let all = self.addresses();
        let Some((least, most)) = all.iter().min().zip(all.iter().max()) else { return false };
        let is_aligned = |at: &u64| at.is_multiple_of(moved.alignment.into());
        most - least < 1 << 31 && most.checked_add(1 << 12).is_some() && all.iter().all(is_aligned)
    }

    /// How firm a claim is that is true; `None` if it is not.
    fn held(&self, moved: Moved, claim: &Reached, lanes: usize, lines: &Lines) -> Option<Kind> {
        let k = match &claim.address {
            Value::Nothing => return None,
            Value::Sum { k, f } => {
                let on = (0..lanes).filter(|lane| self.on >> lane & 1 == 1);
                let mut u = on.map(|lane| (self.at[lane] as u32).wrapping_sub(f.get(lane)));
                let first = u.next()?;
                let is_divided = *k == 32 && first == 0 || *k < 32 && first % (1 << k) == 0;
                if !is_divided || u.any(|one| one != first) {
                    return None;
                }
                *k
            }
            _ => return Some(Kind::Unknown),
        };
        let claimed = Coalescing::new(moved, claim, lanes, lines).ok()?;
        let all = self.addresses();
        if claimed.masked {
            let (own, worst) = (touched(&all, moved.bytes, 0, lines), claimed.worst);
            let is_within = own.lines <= worst.lines && own.sectors <= worst.sectors;
            return is_within.then_some(Kind::Masked);
        }
        let step = u64::from(moved.alignment).max(1 << k);
        let bases = (0..u64::from(lines.bytes())).step_by(step as usize);
        let of_bases = Vec::from_iter(bases.map(|base| touched(&all, moved.bytes, base, lines)));
        let over = |of: fn(&Touched) -> u32| {
            let each = of_bases.iter().map(of);
            (each.clone().min().unwrap(), each.max().unwrap())
        };
        let (best, worst) = (claimed.best, claimed.worst);
        let unique = units(&all, moved.bytes, 0, 1);
        let is_true = claim.on == Some(self.on)
            && over(|one| one.lines) == (best.lines, worst.lines)
            && over(|one| one.sectors) == (best.sectors, worst.sectors)
            && claimed.least.lines == unique.div_ceil(lines.bytes())
            && claimed.least.sectors == unique.div_ceil(lines.sector());
        is_true.then_some(Kind::Exact)
    }
}

fn touched(addresses: &[u64], bytes: u32, base: u64, lines: &Lines) -> Touched {
    let of = |unit| units(addresses, bytes, base, unit);
    Touched { lines: of(lines.bytes()), sectors: of(lines.sector()) }
}

/// Counts the distinct units of `unit` bytes that accesses of `bytes` bytes touch.
fn units(addresses: &[u64], bytes: u32, base: u64, unit: u32) -> u32 {
    let mut all = Vec::new();
    for at in addresses {
        let (first, last) = (at + base, at + base + u64::from(bytes) - 1);
        all.extend(first / u64::from(unit)..=last / u64::from(unit));
    }
    all.sort_unstable();
    all.dedup();
    all.len() as u32
}
