//! Space-filling curves keep their laws; CK's own are in `oracle_distributions`.

use proptest::prelude::*;
use std::collections::BTreeSet;
use tiledesc::access::Curve;

/// Accesses and scalars of three dimensions, and an order.
fn boxes() -> impl Strategy<Value = ([u32; 3], [u32; 3], [u32; 3])> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let lengths = || [1u32..=5, 1u32..=5, 1u32..=5];
    (lengths(), lengths(), prop::sample::select(orders.to_vec())).prop_map(
        |(accesses, scalars, order)| {
            (core::array::from_fn(|d| accesses[d] * scalars[d]), order, scalars)
        },
    )
}

/// Every access once, whatever the course.
fn covers(curve: &Curve, lengths: [u32; 3], scalars: [u32; 3]) {
    let starts: BTreeSet<Vec<u32>> =
        (0..curve.accesses()).map(|i| curve.index(i).unwrap().as_slice().to_vec()).collect();
    assert_eq!(starts.len() as u32, curve.accesses());
    let count: u32 = (0..3).map(|d| lengths[d] / scalars[d]).product();
    assert_eq!(curve.accesses(), count);
    for start in starts {
        assert!(
            (0..3).all(|d| start[d] < lengths[d] && start[d].is_multiple_of(scalars[d])),
            "{start:?}"
        );
    }
}

proptest! {
    #[test]
    fn every_access_once((lengths, order, scalars) in boxes()) {
        let curve = Curve::new(&lengths, &order, &scalars).unwrap();
        covers(&curve, lengths, scalars);
        covers(&curve.snake(), lengths, scalars);
        if let Ok(morton) = curve.morton() {
            covers(&morton, lengths, scalars);
        }
    }

    /// A snake moves by one access along one dimension at each step.
    #[test]
    fn a_snake_does_not_jump((lengths, order, scalars) in boxes()) {
        let curve = Curve::new(&lengths, &order, &scalars).unwrap().snake();
        for access in 1..curve.accesses() {
            let step = curve.step::<3>(access - 1).unwrap();
            let far: u32 = (0..3).map(|d| step[d].unsigned_abs() / scalars[d]).sum();
            prop_assert_eq!(far, 1, "{:?} at {}", step, access);
        }
    }

    /// Steps lead from the first access to each other one.
    #[test]
    fn steps_add_up((lengths, order, scalars) in boxes()) {
        let curve = Curve::new(&lengths, &order, &scalars).unwrap();
        let mut at = [0i32; 3];
        for access in 0..curve.accesses() {
            let index = curve.index(access).unwrap();
            let index: Vec<i32> = index.as_slice().iter().map(|i| i.cast_signed()).collect();
            prop_assert_eq!(&at[..], &index[..]);
            if let Ok(step) = curve.step::<3>(access) {
                at = core::array::from_fn(|d| at[d] + step[d]);
            }
        }
    }
}

/// Morton order, bit by bit: the lowest bit to the fastest dimension, and none to one that has
/// no more.
#[test]
fn morton_deals_bits() {
    let curve = Curve::new(&[8, 8], &[0, 1], &[1, 1]).unwrap().morton().unwrap();
    for access in 0..64 {
        let bits =
            |first: u32| (0..3).map(|bit| (access >> (2 * bit + first) & 1) << bit).sum::<u32>();
        assert_eq!(curve.index(access).unwrap(), [bits(1), bits(0)]);
    }
    let long = Curve::new(&[2, 8], &[0, 1], &[1, 1]).unwrap().morton().unwrap();
    let images = [1, 2, 4, 8].map(|access| long.index(access).unwrap());
    assert_eq!(
        images.each_ref().map(|image| image.as_slice().to_vec()),
        [[0, 1], [1, 0], [0, 2], [0, 4]]
    );
}

#[test]
fn refusals_say_why() {
    let said = |lengths: &[u32], order: &[u32], scalars: &[u32]| {
        Curve::new(lengths, order, scalars).unwrap_err().to_string()
    };
    assert_eq!(said(&[8, 6], &[0, 1], &[2, 4]), "length = 6 is not a multiple of scalars = 4");
    assert_eq!(said(&[8, 6], &[0, 0], &[2, 3]), "a reordering map is not a permutation");
    assert_eq!(said(&[8, 6], &[0], &[2, 3]), "2 indices are wanted but 1 is given");
    assert_eq!(said(&[8, 6], &[0, 1], &[2]), "2 indices are wanted but 1 is given");
    assert_eq!(
        said(&[8, 0], &[0, 1], &[2, 3]),
        "curve[8, 0] has a length of 0; every dimension has at least one index"
    );
    assert_eq!(said(&[8, 6], &[0, 1], &[0, 3]), "a number is divided by zero");
    assert_eq!(
        said(&[65536, 65536], &[0, 1], &[1, 1]),
        "the number 4294967296 does not fit into 32 bits"
    );
    let curve = Curve::new(&[8, 6], &[0, 1], &[2, 3]).unwrap();
    assert!(curve.morton().is_ok());
    let odd = Curve::new(&[12, 6], &[1, 0], &[2, 3]).unwrap().morton().unwrap_err();
    assert_eq!(odd.to_string(), "length 6 of dimension 0 is not a power of two (nearest: 4 and 8)");
    assert_eq!(curve.index(8).unwrap_err().to_string(), "position 8 of a sequence of length 8");
    assert!(curve.step::<2>(7).is_err());
    assert_eq!(curve.step::<3>(0).unwrap_err().to_string(), "2 indices are wanted but 3 are given");
}
