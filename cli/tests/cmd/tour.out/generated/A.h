// Made by tiledesc 0.1.0 from kernel.toml: edit that file, not this one.
#ifndef TILEDESC_A_H_E8211EA7
#define TILEDESC_A_H_E8211EA7

// A: m 128, k 64 of fp16.
//   write gfx942 ds_write_b128 row-major  free of conflicts
//   write gfx950 ds_write_b128 row-major  free of conflicts
//   read gfx942 ds_read_b128 mfma-rows 16  free of conflicts
//   read gfx950 ds_read_b128 mfma-rows 16  free of conflicts
//   read gfx942 ds_read_b128 mfma-rows 32  free of conflicts
//   read gfx950 ds_read_b128 mfma-rows 32  2-way in phase 0: lanes 0 and 24, (0, 0) and (24, 0), bytes 0 and 3072, bank 0
#define A_LENGTH_M 128u
#define A_LENGTH_K 64u
#define A_SPACE 8192u
#define A_BYTES 16384u

// In elements.
static inline unsigned A_offset(unsigned m, unsigned k) {
    return (m << 6) + (k ^ (m & 7) << 3);
}
// The byte in which an element begins.
static inline unsigned A_byte(unsigned m, unsigned k) {
    return ((m << 6) + (k ^ (m & 7) << 3)) << 1;
}
// m of the element at an offset, in elements.
static inline unsigned A_m_at(unsigned offset) {
    return offset >> 6;
}
// k of the element at an offset, in elements.
static inline unsigned A_k_at(unsigned offset) {
    return (offset & 63) ^ (offset >> 6 & 7) << 3;
}

#define A_write_WAVES 1u
#define A_write_LANES 64u
#define A_write_ELEMENTS 128u
// m of an element of a lane.
static inline unsigned A_write_m(unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return (element & 120) + (lane >> 3);
}
// k of an element of a lane.
static inline unsigned A_write_k(unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return ((lane & 7) << 3) + (element & 7);
}
// A_write: 16 accesses: 1 address register, 15 immediate, 0 by one xor, 0 more computed.
#define A_write_COUNT 16u
#define A_write_BYTES 16u
#define A_write_REGISTERS 1u
#define A_write_ALIGNMENT 16u
// The address register of an access.
static inline unsigned A_write_address(unsigned wave, unsigned lane, unsigned access) {
    (void)wave;
    (void)access;
    return ((lane >> 3 << 6) + ((lane & 56) ^ (lane & 7) << 3)) << 1;
}
// The constant in its instruction, in bytes.
static inline unsigned A_write_immediate(unsigned access) {
    return access << 10;
}
// The first element that it moves, in the lane's registers.
static inline unsigned A_write_element(unsigned access) {
    return access << 3;
}

#define A_write_rows_COUNT 16u
#define A_write_rows_VECTOR 8u
// The first element of a vector, in the lane's registers.
static inline unsigned A_write_rows_element(unsigned access) {
    return access << 3;
}
// A_write_rows: lengths are at most 2147483648, and an origin from there on is left of the tensor.
// The offset in the tensor, in elements, of what is in it.
static inline unsigned long long A_write_rows_offset(unsigned origin_m, unsigned origin_k, unsigned pitch_m, unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return (unsigned long long)(origin_m + (element & 120) + (lane >> 3)) * pitch_m + (origin_k + ((lane & 7) << 3) + (element & 7));
}
// Whether an element is in the tensor.
static inline int A_write_rows_valid(unsigned origin_m, unsigned origin_k, unsigned length_m, unsigned length_k, unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return origin_m + (element & 120) + (lane >> 3) < length_m && origin_k + ((lane & 7) << 3) + (element & 7) < length_k;
}
// Whether all 8 elements are in the tensor, from the first on.
static inline int A_write_rows_whole(unsigned origin_m, unsigned origin_k, unsigned length_m, unsigned length_k, unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    const unsigned t0 = origin_k + ((lane & 7) << 3) + (element & 7);
    return origin_m + (element & 120) + (lane >> 3) < length_m && t0 < length_k && t0 + 7 < length_k;
}

#define A_read_WAVES 1u
#define A_read_LANES 64u
#define A_read_ELEMENTS 128u
// m of an element of a lane.
static inline unsigned A_read_m(unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return ((element >> 3 & 7) << 4) + (lane & 15);
}
// k of an element of a lane.
static inline unsigned A_read_k(unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return (element >> 6 << 5) + (lane >> 4 << 3) + (element & 7);
}
// A_read: 16 accesses: 2 address registers, 14 immediate, 1 by one xor, 0 more computed; the layout begins at a multiple of 128 bytes.
#define A_read_COUNT 16u
#define A_read_BYTES 16u
#define A_read_REGISTERS 2u
#define A_read_ALIGNMENT 128u
// The address register of an access.
static inline unsigned A_read_address(unsigned wave, unsigned lane, unsigned access) {
    (void)wave;
    const unsigned t0 = (((lane & 15) << 6) + ((lane & 7) << 3 ^ lane >> 4 << 3)) << 1;
    switch (access) {
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
        return t0 ^ 64;
    default:
        return t0;
    }
}
// The constant in its instruction, in bytes.
static inline unsigned A_read_immediate(unsigned access) {
    switch (access) {
    case 1:
    case 9:
        return 2048;
    case 2:
    case 10:
        return 4096;
    case 3:
    case 11:
        return 6144;
    case 4:
    case 12:
        return 8192;
    case 5:
    case 13:
        return 10240;
    case 6:
    case 14:
        return 12288;
    case 7:
    case 15:
        return 14336;
    default:
        return 0;
    }
}
// The first element that it moves, in the lane's registers.
static inline unsigned A_read_element(unsigned access) {
    return access << 3;
}

#define A_read2_WAVES 1u
#define A_read2_LANES 64u
#define A_read2_ELEMENTS 128u
// m of an element of a lane.
static inline unsigned A_read2_m(unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return ((element >> 3 & 3) << 5) + (lane & 31);
}
// k of an element of a lane.
static inline unsigned A_read2_k(unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return (element >> 5 << 4) + (lane >> 5 << 3) + (element & 7);
}
// A_read2: 16 accesses: 4 address registers, 12 immediate, 3 by one xor, 0 more computed; the layout begins at a multiple of 128 bytes.
#define A_read2_COUNT 16u
#define A_read2_BYTES 16u
#define A_read2_REGISTERS 4u
#define A_read2_ALIGNMENT 128u
// The address register of an access.
static inline unsigned A_read2_address(unsigned wave, unsigned lane, unsigned access) {
    (void)wave;
    const unsigned t0 = (((lane & 31) << 6) + ((lane & 7) << 3 ^ lane >> 5 << 3)) << 1;
    switch (access) {
    case 4:
    case 5:
    case 6:
    case 7:
        return t0 ^ 32;
    case 8:
    case 9:
    case 10:
    case 11:
        return t0 ^ 64;
    case 12:
    case 13:
    case 14:
    case 15:
        return t0 ^ 96;
    default:
        return t0;
    }
}
// The constant in its instruction, in bytes.
static inline unsigned A_read2_immediate(unsigned access) {
    switch (access) {
    case 1:
    case 5:
    case 9:
    case 13:
        return 4096;
    case 2:
    case 6:
    case 10:
    case 14:
        return 8192;
    case 3:
    case 7:
    case 11:
    case 15:
        return 12288;
    default:
        return 0;
    }
}
// The first element that it moves, in the lane's registers.
static inline unsigned A_read2_element(unsigned access) {
    return access << 3;
}

#endif // TILEDESC_A_H_E8211EA7
