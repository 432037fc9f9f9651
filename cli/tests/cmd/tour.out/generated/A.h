// Made by tiledesc 0.1.0 from kernel.toml: edit that file, not this one.
#ifndef TILEDESC_A_H
#define TILEDESC_A_H

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

#endif // TILEDESC_A_H
