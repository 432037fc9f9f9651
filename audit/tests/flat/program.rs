//! Random programs: what each line is written as, and what it does to a wave.
//!
//! ```text
//!   v_lshl_add_u64 v[2:3], v[4:5], 0, s[36:37]      each lane that is on adds the scalars to its own
//! ```

use super::super::touched::Touch;
use super::wave::{From, LDS, SCRATCH, SMALL, Wave};
use core::fmt::Write;
use std::collections::BTreeMap;
use support::fuzz::Dice;

/// Pairs of vector and scalar registers that hold addresses, differences, and numbers of 64 bits; numbers of 32 bits.
const PLACES: [u32; 5] = [2, 4, 6, 8, 10];
const APART: [u32; 2] = [16, 18];
const WIDE: [u32; 2] = [12, 14];

/// The arguments: a buffer, two numbers, a pointer in a structure, a buffer, a hidden number, a hidden pointer.
const ARGUMENTS: [(u32, u32, &str); 7] = [
    (0, 8, "global_buffer"),
    (8, 4, "by_value"),
    (12, 4, "by_value"),
    (16, 8, "by_value"),
    (24, 8, "global_buffer"),
    (32, 4, "hidden_block_count_x"),
    (40, 8, "hidden_hostcall_buffer"),
];

/// What an instruction does to a wave; to which label it goes, if it goes to one.
pub(super) type Does = Box<dyn Fn(&mut Wave) -> Option<usize>>;

pub(super) struct Maker {
    dice: Dice,
    pub(super) lanes: usize,
    pub(super) code: Vec<(String, Does)>,
    pub(super) labels: BTreeMap<usize, usize>,
    label: usize,
    mask: u32,
    counter: u32,
}

impl Maker {
    pub(super) fn go(
        &mut self,
        text: impl Into<String>,
        does: impl Fn(&mut Wave) -> Option<usize> + 'static,
    ) {
        self.code.push((text.into(), Box::new(does)));
    }

    pub(super) fn push(&mut self, text: impl Into<String>, does: impl Fn(&mut Wave) + 'static) {
        self.go(text, move |wave| {
            does(wave);
            None
        });
    }

    pub(super) fn each(&mut self, text: String, does: impl Fn(&mut Wave, usize) + 'static) {
        self.push(text, move |wave| (0..wave.lanes).for_each(|lane| does(wave, lane)));
    }

    pub(super) fn place(&mut self, label: usize) {
        self.labels.insert(label, self.code.len());
    }

    pub(super) fn fresh(&mut self) -> usize {
        self.label += 1;
        self.label
    }

    pub(super) fn mask_text(&self, mask: u32) -> String {
        match (mask, self.lanes) {
            (0, 64) => "vcc".into(),
            (0, _) => "vcc_lo".into(),
            (n, 64) => format!("s[{}:{}]", 78 + 2 * n, 79 + 2 * n),
            (n, _) => format!("s{}", 78 + 2 * n),
        }
    }

    pub(super) fn address(&mut self) -> From {
        let n = self.dice.of(&PLACES);
        if self.dice.one_in(3) { From::S(n) } else { From::V(n) }
    }

    /// What may be added: a number, or rarely a difference.
    pub(super) fn addend(&mut self) -> From {
        let n = if self.dice.one_in(3) { self.dice.of(&APART) } else { self.dice.of(&WIDE) };
        From::V(n)
    }

    pub(super) fn compare(&mut self, mask: u32) {
        let (a, by) = (self.dice.of(&SMALL), self.dice.below(1 << 12));
        let of_lane = self.dice.one_in(3);
        let (a, by) = if of_lane { (0, by % 64) } else { (a, by) };
        let text = format!("v_cmp_gt_u32_e64 {}, {by}, v{a}", self.mask_text(mask));
        self.push(text, move |wave| {
            let is = |lane: &usize| wave.is_on(*lane) && by > wave.v[a as usize][*lane];
            let set = (0..wave.lanes).filter(is).fold(0, |all, lane| all | 1 << lane);
            wave.masks.insert(mask, set);
        });
    }

    pub(super) fn scalar_test(&mut self) {
        let (a, by) = (self.dice.of(&SMALL), self.dice.below(1 << 12));
        self.push(format!("s_cmp_lt_u32 s{}, {by}", 30 + a), move |wave| {
            wave.scc = wave.s[a as usize] < by;
        });
    }

    pub(super) fn load(&mut self, n: u32, words: u32, first: u32) {
        let (width, last) = (if words == 2 { "x2" } else { "x4" }, 29 + n + words);
        let text = format!("s_load_dword{width} s[{}:{last}], s[2:3], {:#x}", 30 + n, 4 * first);
        self.push(text, move |wave| {
            for i in 0..words {
                wave.s[(n + i) as usize] = wave.words[((first + i) % 12) as usize];
            }
        });
    }

    pub(super) fn aperture(&mut self, n: u32, name: &str, upper: u32) {
        let lower = (1 << 28) + (self.dice.below(1 << 10) << 4);
        let to = From::S(n);
        self.push(format!("s_mov_b64 {}, src_{name}_base", to.pair()), move |wave| {
            (wave.s[n as usize], wave.s[n as usize + 1]) = (0, upper);
        });
        self.push(format!("s_mov_b32 {}, {lower:#x}", to.text()), move |wave| {
            wave.s[n as usize] = lower;
        });
    }

    /// Scalars: arguments, apertures, copies, sums, choices.
    pub(super) fn scalar(&mut self) {
        let to = From::S(self.dice.of(&PLACES));
        let n = match to {
            From::S(n) | From::V(n) => n,
        };
        let other = From::S(self.dice.of(&PLACES));
        match self.dice.below(9) {
            0..=2 => {
                let words = [1, 2, 4][self.dice.below(3) as usize].min(12 - n) & !1;
                let words = words.max(2);
                // Of buffers more often than of what lies between.
                let first = self.dice.of(&[0, 0, 6, 6, 4, 1, 2, 7]);
                self.load(n, words, first);
            }
            3 | 4 => {
                let (name, upper) =
                    self.dice.of(&[("shared", LDS), ("shared", LDS), ("private", SCRATCH)]);
                self.aperture(n, name, upper);
            }
            5 => self.push(format!("s_mov_b64 {}, {}", to.pair(), other.pair()), move |wave| {
                let number = wave.wide(other, 0);
                (wave.s[n as usize], wave.s[n as usize + 1]) =
                    (number as u32, (number >> 32) as u32);
            }),
            6 | 7 => {
                let by = self.dice.below(1 << 12) << 2;
                let minus = self.dice.one_in(3);
                let [low, high] = match minus {
                    true => ["s_sub_u32", "s_subb_u32"],
                    false => ["s_add_u32", "s_addc_u32"],
                };
                let text = format!("{low} {}, {}, {by:#x}", to.text(), other.text());
                self.push(text, move |wave| {
                    let a = other.of(wave, 0);
                    let (new, over) =
                        if minus { a.overflowing_sub(by) } else { a.overflowing_add(by) };
                    (wave.s[n as usize], wave.scc) = (new, over);
                });
                let (to, other) = (to.half(1), other.half(1));
                let text = format!("{high} {}, {}, 0", to.text(), other.text());
                self.push(text, move |wave| {
                    let (a, carry) = (other.of(wave, 0), u32::from(wave.scc));
                    wave.s[n as usize + 1] =
                        if minus { a.wrapping_sub(carry) } else { a.wrapping_add(carry) };
                });
            }
            _ => {
                self.scalar_test();
                let third = From::S(self.dice.of(&PLACES));
                for i in 0..2 {
                    let (to, a, b) = (to.half(i), other.half(i), third.half(i));
                    let text = format!("s_cselect_b32 {}, {}, {}", to.text(), a.text(), b.text());
                    self.push(text, move |wave| {
                        let new = if wave.scc { a.of(wave, 0) } else { b.of(wave, 0) };
                        wave.s[(n + i) as usize] = new;
                    });
                }
            }
        }
    }

    /// Vector registers: copies, sums, differences, choices, and what goes through memory.
    pub(super) fn vector(&mut self) {
        let to = self.dice.of(&PLACES);
        let (a, b) = (self.address(), self.addend());
        let name = From::V(to);
        match self.dice.below(13) {
            0 | 1 => (0..2).for_each(|i| {
                let (to, a) = (name.half(i), a.half(i));
                self.each(
                    format!("v_mov_b32_e32 {}, {}", to.text(), a.text()),
                    move |wave, lane| {
                        let new = a.of(wave, lane);
                        let From::V(to) = to else { return };
                        wave.put(to, lane, new);
                    },
                );
            }),
            2 | 3 => {
                let text = format!("v_lshl_add_u64 {}, {}, 0, {}", name.pair(), a.pair(), b.pair());
                self.each(text, move |wave, lane| {
                    let new = wave.wide(a, lane).wrapping_add(wave.wide(b, lane));
                    wave.put_wide(to, lane, new);
                });
            }
            4 => {
                let text = format!("v_lshl_add_u64 {}, {}, 2, {}", name.pair(), b.pair(), a.pair());
                self.each(text, move |wave, lane| {
                    let new = (wave.wide(b, lane) << 2).wrapping_add(wave.wide(a, lane));
                    wave.put_wide(to, lane, new);
                });
            }
            5 => {
                let vcc = self.mask_text(0);
                let halves = [("v_add_co_u32_e64", ""), ("v_addc_co_u32_e64", vcc.as_str())];
                for (i, (op, carry)) in halves.into_iter().enumerate() {
                    let i = i as u32;
                    let (x, y) = (a.half(i), b.half(i));
                    let rest = if carry.is_empty() { String::new() } else { format!(", {carry}") };
                    let text = format!("{op} v{}, {vcc}, {}, {}{rest}", to + i, x.text(), y.text());
                    self.push(text, move |wave| {
                        let (old, mut new) = (wave.masks.get(&0).copied().unwrap_or(0), 0);
                        for lane in (0..wave.lanes).filter(|lane| wave.exec >> lane & 1 == 1) {
                            let carry = if i == 0 { 0 } else { old >> lane & 1 };
                            let sum =
                                u64::from(x.of(wave, lane)) + u64::from(y.of(wave, lane)) + carry;
                            new |= (sum >> 32) << lane;
                            wave.v[(to + i) as usize][lane] = sum as u32;
                        }
                        wave.masks.insert(0, new);
                    });
                }
            }
            6 => {
                let (to, c) = (self.dice.of(&APART), self.address());
                let text = format!("v_sub_u64 v[{to}:{}], {}, {}", to + 1, a.pair(), c.pair());
                self.each(text, move |wave, lane| {
                    let new = wave.wide(a, lane).wrapping_sub(wave.wide(c, lane));
                    wave.put_wide(to, lane, new);
                });
            }
            7 => {
                self.compare(0);
                let c = self.address();
                for i in 0..2 {
                    let (a, c, to) = (a.half(i), c.half(i), to + i);
                    let mask = self.mask_text(0);
                    let text =
                        format!("v_cndmask_b32_e64 v{to}, {}, {}, {mask}", a.text(), c.text());
                    self.each(text, move |wave, lane| {
                        let picks = wave.masks[&0] >> lane & 1 == 1;
                        let new = if picks { c.of(wave, lane) } else { a.of(wave, lane) };
                        wave.put(to, lane, new);
                    });
                }
            }
            8 => {
                let (slot, from) = (2 * self.dice.below(4), self.dice.of(&PLACES));
                self.spill(slot, from);
            }
            9 => {
                let slot = 2 * self.dice.below(4);
                let text = format!(
                    "scratch_load_dwordx2 v[{to}:{}], off, off offset:{}",
                    to + 1,
                    4 * slot
                );
                self.each(text, move |wave, lane| {
                    let new = [0, 1].map(|i| wave.scratch[(slot + i) as usize][lane]);
                    wave.put(to, lane, new[0]);
                    wave.put(to + 1, lane, new[1]);
                });
            }
            10 => {
                let to = if self.dice.one_in(2) { to } else { self.dice.of(&APART) };
                let name = self.dice.of(&[
                    "global_load_dwordx2 # off",
                    "ds_read_b64 v1",
                    "flat_load_dwordx2 #",
                ]);
                let [op, rest] = [0, 1].map(|i| name.split(' ').nth(i).unwrap_or(""));
                if op.starts_with("flat") {
                    return self.flat(false, Some(to));
                }
                let rest = rest.replace('#', "v[4:5],");
                let off = if op.starts_with("global") { " off" } else { "" };
                self.push(format!("{op} v[{to}:{}], {rest}{off}", to + 1), move |wave| {
                    for lane in 0..wave.lanes {
                        let any = wave.any();
                        wave.put_wide(to, lane, any);
                    }
                });
            }
            11 => {
                let (kept, from, to) =
                    (self.dice.below(4), self.dice.of(&PLACES), self.dice.of(&PLACES));
                let i = self.dice.below(2);
                let (from, to) = (From::S(from + i), From::S(to + i));
                let From::S(n) = to else { return };
                let text = format!("v_writelane_b32 v23, {}, {kept}", from.text());
                self.push(text, move |wave| wave.kept[kept as usize] = from.of(wave, 0));
                if self.dice.one_in(2) {
                    self.block(1, 1);
                }
                let text = format!("v_readlane_b32 {}, v23, {kept}", to.text());
                self.push(text, move |wave| wave.s[n as usize] = wave.kept[kept as usize]);
            }
            _ => {
                let to = From::S(to);
                for i in 0..2 {
                    let (to, a) = (to.half(i), From::V(self.dice.of(&PLACES) + i));
                    let From::S(n) = to else { return };
                    let text = format!("v_readfirstlane_b32 {}, {}", to.text(), a.text());
                    self.push(text, move |wave| {
                        let first = if wave.exec == 0 { 0 } else { wave.exec.trailing_zeros() };
                        wave.s[n as usize] = a.of(wave, first as usize);
                    });
                }
            }
        }
    }

    pub(super) fn spill(&mut self, slot: u32, from: u32) {
        let (last, at) = (from + 1, 4 * slot);
        let text = format!("scratch_store_dwordx2 off, v[{from}:{last}], off offset:{at}");
        self.each(text, move |wave, lane| {
            let halves = if wave.is_on(lane) { 2 } else { 0 };
            for i in 0..halves {
                wave.scratch[(slot + i) as usize][lane] = wave.v[(from + i) as usize][lane];
            }
        });
    }

    /// Numbers: small ones, also of 64 bits, and cut off from pointers.
    pub(super) fn number(&mut self) {
        let (to, a, b) = (self.dice.of(&SMALL), self.dice.of(&SMALL), self.dice.of(&PLACES));
        let wide = self.dice.of(&WIDE);
        match self.dice.below(5) {
            0 => {
                let bits = self.dice.below(6);
                self.each(format!("v_lshlrev_b32_e32 v{to}, {bits}, v0"), move |wave, lane| {
                    let new = wave.v[0][lane] << bits;
                    wave.put(to, lane, new);
                });
            }
            1 => self.each(format!("v_and_b32_e32 v{to}, 0xfff, v{b}"), move |wave, lane| {
                let new = wave.v[b as usize][lane] & 0xfff;
                wave.put(to, lane, new);
            }),
            2 => {
                let first = self.dice.of(&[2, 3, 8]);
                let text = format!("s_load_dword s{}, s[2:3], {:#x}", 30 + to, 4 * first);
                self.push(text, move |wave| wave.s[to as usize] = wave.words[first as usize]);
            }
            _ => {
                let from = if self.dice.one_in(4) { From::S(to) } else { From::V(a) };
                let minus = self.dice.one_in(3);
                let text = match minus {
                    true => format!("v_sub_u32_e32 v{wide}, 0, {}", from.text()),
                    false => format!("v_mov_b32_e32 v{wide}, {}", from.text()),
                };
                self.each(text, move |wave, lane| {
                    let new = from.of(wave, lane);
                    wave.put(wide, lane, if minus { new.wrapping_neg() } else { new });
                });
                let text = format!("v_ashrrev_i32_e32 v{}, 31, v{wide}", wide + 1);
                self.each(text, move |wave, lane| {
                    let new = (wave.v[wide as usize][lane] as i32 >> 31) as u32;
                    wave.put(wide + 1, lane, new);
                });
            }
        }
    }

    /// An access, which may write over scratch memory.
    pub(super) fn flat(&mut self, stores: bool, to: Option<u32>) {
        let (at, line) = (self.dice.of(&PLACES), self.code.len());
        let offset = self.dice.of(&[0, 16]);
        let rest = if offset == 0 { String::new() } else { format!(" offset:{offset}") };
        let pair = From::V(at).pair();
        let text = match (stores, to) {
            (true, _) => format!("flat_store_dword {pair}, v20{rest}"),
            (false, Some(to)) => format!("flat_load_dwordx2 v[{to}:{}], {pair}{rest}", to + 1),
            (false, None) => format!("flat_load_dword v1, {pair}{rest}"),
        };
        self.push(text, move |wave| {
            let of = |lane| wave.wide(From::V(at), lane).wrapping_add(offset);
            let all = Vec::from_iter((0..wave.lanes).map(of));
            wave.touches.push((line, Touch { on: wave.exec, at: all.clone() }));
            for (lane, address) in all.into_iter().enumerate() {
                if stores && wave.is_on(lane) && (address >> 32) as u32 == SCRATCH {
                    let slot = wave.dice.below(8) as usize;
                    wave.scratch[slot][lane] = wave.dice.below(1 << 20);
                }
                if let Some(to) = to {
                    let any = wave.any();
                    wave.put_wide(to, lane, any);
                }
            }
        });
    }

    /// Some lanes, or all or none of them, or again.
    pub(super) fn nested(&mut self, depth: u32) {
        match self.dice.below(4) {
            0 | 1 => {
                self.mask += 1;
                let mask = self.mask;
                self.compare(0);
                let (saved, vcc) = (self.mask_text(mask), self.mask_text(0));
                let (bits, exec) = match self.lanes {
                    64 => ("b64", "exec"),
                    _ => ("b32", "exec_lo"),
                };
                self.push(format!("s_and_saveexec_{bits} {saved}, {vcc}"), move |wave| {
                    wave.masks.insert(mask, wave.exec);
                    wave.exec &= wave.masks[&0];
                    wave.scc = wave.exec != 0;
                });
                self.block(depth - 1, 4);
                if self.dice.one_in(2) {
                    self.push(format!("s_xor_{bits} {exec}, {exec}, {saved}"), move |wave| {
                        wave.exec ^= wave.masks[&mask];
                        wave.scc = wave.exec != 0;
                    });
                    self.block(depth - 1, 4);
                }
                self.push(format!("s_or_{bits} {exec}, {exec}, {saved}"), move |wave| {
                    wave.exec |= wave.masks[&mask];
                    wave.scc = wave.exec != 0;
                });
            }
            2 => {
                self.scalar_test();
                let [end, other] = [self.fresh(), self.fresh()];
                self.go(format!("s_cbranch_scc1 .L{other}"), move |wave| wave.scc.then_some(other));
                self.block(depth - 1, 4);
                self.go(format!("s_branch .L{end}"), move |_| Some(end));
                self.place(other);
                self.block(depth - 1, 4);
                self.place(end);
            }
            _ => {
                self.counter += 1;
                let (n, top) = (40 + self.counter, self.fresh());
                let many = self.dice.of(&SMALL);
                let name = From::S(n).text();
                self.push(format!("s_and_b32 {name}, {}, 3", From::S(many).text()), move |wave| {
                    wave.s[n as usize] = wave.s[many as usize] & 3;
                    wave.scc = wave.s[n as usize] != 0;
                });
                self.place(top);
                self.block(depth - 1, 5);
                self.push(format!("s_add_i32 {name}, {name}, -1"), move |wave| {
                    wave.s[n as usize] = wave.s[n as usize].wrapping_sub(1);
                });
                self.push(format!("s_cmp_gt_i32 {name}, 0"), move |wave| {
                    wave.scc = wave.s[n as usize] as i32 > 0;
                });
                self.go(format!("s_cbranch_scc1 .L{top}"), move |wave| wave.scc.then_some(top));
            }
        }
    }

    pub(super) fn block(&mut self, depth: u32, many: u32) {
        for _ in 0..many {
            match self.dice.below(14) {
                0..=2 => self.scalar(),
                3..=6 => self.vector(),
                7 | 8 => self.number(),
                9 | 10 => self.flat(false, None),
                11 => self.flat(true, None),
                _ if depth > 0 && self.counter < 8 && self.mask < 11 => self.nested(depth),
                _ => {}
            }
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n.type f,@function\nf:\n",
            if self.lanes == 64 { "gfx942" } else { "gfx1100" }
        );
        for (at, (one, _)) in self.code.iter().enumerate() {
            for (label, _) in self.labels.iter().filter(|(_, place)| **place == at) {
                writeln!(text, ".L{label}:").unwrap();
            }
            writeln!(text, "{one}").unwrap();
        }
        text += "s_endpgm\n.amdhsa_kernel f\n.amdhsa_user_sgpr_dispatch_ptr 1\n\
            .amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\n\
            amdhsa.kernels:\n  - .agpr_count: 0\n    .args:\n";
        for (offset, size, kind) in ARGUMENTS {
            writeln!(text, "      - .offset: {offset}\n        .size: {size}").unwrap();
            writeln!(text, "        .value_kind: {kind}").unwrap();
            if kind == "global_buffer" {
                text += "        .address_space: global\n";
            }
        }
        text + "    .name: f\n.end_amdgpu_metadata\n"
    }
}

pub(super) fn program(dice: Dice, lanes: usize) -> Maker {
    let mut maker = Maker {
        dice,
        lanes,
        code: Vec::new(),
        labels: BTreeMap::new(),
        label: 0,
        mask: 0,
        counter: 0,
    };
    // Registers that an address is made of hold one.
    for n in PLACES {
        if maker.dice.one_in(3) {
            maker.aperture(n, "shared", LDS);
        } else {
            let first = maker.dice.of(&[0, 6]);
            maker.load(n, 2, first);
        }
    }
    for n in PLACES.iter().flat_map(|n| [*n, *n + 1]) {
        maker.each(format!("v_mov_b32_e32 v{n}, {}", From::S(n).text()), move |wave, lane| {
            let new = wave.s[n as usize];
            wave.put(n, lane, new);
        });
    }
    for slot in [0, 2, 4, 6] {
        maker.spill(slot, PLACES[0]);
    }
    for n in WIDE.iter().chain(&SMALL).chain(&APART).flat_map(|n| [*n, *n + 1]) {
        maker.each(format!("v_mov_b32_e32 v{n}, 0"), move |wave, lane| wave.put(n, lane, 0));
    }
    maker.block(3, 30);
    // A label at the end.
    maker.push("s_nop 0", |_| {});
    maker
}
