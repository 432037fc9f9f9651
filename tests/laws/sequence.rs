//! Each operation on sequences, as a type and as a method of `List`, against slices.

use tiledesc::sequence::*;
use tiledesc::{List, Lit, Number, Sequence, seq};

type S = seq![8, 128, 3, 5];
const ITEMS: [u32; 4] = [8, 128, 3, 5];

fn is<T: Sequence>(expected: &[u32]) {
    assert_eq!(T::FAULT, None);
    assert_eq!(T::VALUES.as_slice(), expected);
}

fn lacks<T: Sequence>() {
    assert!(T::FAULT.is_some());
}

#[test]
fn pushed_and_popped_at_both_ends() {
    is::<PushFront<Lit<7>, S>>(&[&[7], &ITEMS[..]].concat());
    is::<PushBack<S, Lit<7>>>(&[&ITEMS[..], &[7]].concat());
    is::<PopFront<S>>(&ITEMS[1..]);
    is::<PopBack<S>>(&ITEMS[..3]);
    is::<PopFront<seq![9]>>(&[]);
    is::<PopBack<seq![9]>>(&[]);
    lacks::<PopFront<seq![]>>();
    lacks::<PopBack<seq![]>>();
    is::<Take<S, Lit<3>>>(&ITEMS[..3]);
    is::<Skip<S, Lit<3>>>(&ITEMS[3..]);
    is::<Take<S, Lit<0>>>(&[]);
    is::<Skip<S, Lit<4>>>(&[]);
    lacks::<Take<S, Lit<5>>>();
    lacks::<Skip<S, Lit<5>>>();
    is::<Concat<S, seq![1, 2]>>(&[&ITEMS[..], &[1, 2]].concat());
    lacks::<Concat<seq![1, 2, 3, 4, 5, 6, 7], seq![1, 2, 3, 4, 5, 6]>>();
}

#[test]
fn reversed_and_reordered() {
    is::<Reverse<S>>(&[5, 3, 128, 8]);
    type Map = seq![2, 0, 3, 1];
    is::<ReorderNewToOld<S, Map>>(&[3, 8, 5, 128]);
    is::<ReorderOldToNew<S, Map>>(&[128, 5, 8, 3]);
    is::<Inverse<Map>>(&[1, 3, 0, 2]);
    is::<ReorderNewToOld<ReorderOldToNew<S, Map>, Map>>(&ITEMS);
    lacks::<Inverse<seq![0, 0]>>();
    lacks::<ReorderNewToOld<S, seq![4]>>();
}

#[test]
fn scans_as_of_slices() {
    is::<InclusiveScan<S>>(&[8, 1024, 3072, 15360]);
    is::<ExclusiveScan<S>>(&[1, 8, 1024, 3072]);
    is::<ReverseInclusiveScan<S>>(&[15360, 1920, 15, 5]);
    is::<ReverseExclusiveScan<S>>(&[1920, 15, 5, 1]);
    is::<PrefixSum<S>>(&[8, 136, 139, 144]);
    lacks::<InclusiveScan<seq![65536, 65536]>>();
}

#[test]
fn entries_sums_and_products() {
    assert_eq!((Get::<S, Lit<1>>::N, Sum::<S>::N, Product::<S>::N), (128, 144, 15360));
    assert!(Get::<S, Lit<4>>::FAULT.is_some());
    assert!(Product::<seq![65536, 65536]>::FAULT.is_some());
    assert!(List::new(&[2, 0, 1]).is_permutation() && !List::new(&[2, 0, 2]).is_permutation());
}
