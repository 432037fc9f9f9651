// Made by audit/tests/kernels: cargo xtask bless audit kernels::
#ifndef TILEDESC_GEMM_CUH_5ECC5B51
#define TILEDESC_GEMM_CUH_5ECC5B51

constexpr unsigned LDS_BYTES = 32768u;
constexpr unsigned LDS_a = 0u;
constexpr unsigned LDS_b = 16384u;

constexpr unsigned Block_LENGTH_ROW = 128u;
constexpr unsigned Block_LENGTH_K = 64u;
constexpr unsigned Block_SPACE = 8192u;
constexpr unsigned Block_BYTES = 16384u;

// In elements.
__host__ __device__ constexpr unsigned Block_offset(unsigned row, unsigned k) {
    return (row << 6) + (k ^ (row & 7) << 3);
}
// The byte in which an element begins.
__host__ __device__ constexpr unsigned Block_byte(unsigned row, unsigned k) {
    return ((row << 6) + (k ^ (row & 7) << 3)) << 1;
}
// row of the element at an offset, in elements.
__host__ __device__ constexpr unsigned Block_row_at(unsigned offset) {
    return offset >> 6;
}
// k of the element at an offset, in elements.
__host__ __device__ constexpr unsigned Block_k_at(unsigned offset) {
    return (offset & 63) ^ (offset >> 6 & 7) << 3;
}

constexpr unsigned store_WAVES = 8u;
constexpr unsigned store_LANES = 32u;
constexpr unsigned store_ELEMENTS = 32u;
// row of an element of a lane.
__host__ __device__ constexpr unsigned store_row(unsigned wave, unsigned lane, unsigned element) {
    return (element >> 3 << 5) + (wave << 2) + (lane >> 3);
}
// k of an element of a lane.
__host__ __device__ constexpr unsigned store_k(unsigned wave, unsigned lane, unsigned element) {
    (void)wave;
    return ((lane & 7) << 3) + (element & 7);
}
// store sm_90 st.shared.b128: free of conflicts (phases inferred: as the load, of which the source speaks)
// store: 4 accesses: 1 address register, 3 immediate, 0 by one xor, 0 more computed.
constexpr unsigned store_COUNT = 4u;
constexpr unsigned store_BYTES = 16u;
constexpr unsigned store_REGISTERS = 1u;
constexpr unsigned store_ALIGNMENT = 16u;
// The address register of an access.
__host__ __device__ constexpr unsigned store_address(unsigned wave, unsigned lane, unsigned access) {
    (void)access;
    return ((((wave << 2) + (lane >> 3)) << 6) + ((((wave & 1) << 2) + (lane >> 3)) << 3 ^ (lane & 7) << 3)) << 1;
}
// The constant in its instruction, in bytes.
__host__ __device__ constexpr unsigned store_immediate(unsigned access) {
    return access << 12;
}
// The first element that it moves, in the lane's registers.
__host__ __device__ constexpr unsigned store_element(unsigned access) {
    return access << 3;
}

constexpr unsigned rows_COUNT = 4u;
constexpr unsigned rows_VECTOR = 8u;
// The first element of a vector, in the lane's registers.
__host__ __device__ constexpr unsigned rows_element(unsigned access) {
    return access << 3;
}
// rows: lengths are at most 2147483648, and an origin from there on is left of the tensor.
// The offset in the tensor, in elements, of what is in it: of 32 bits, where `rows_fits`.
__host__ __device__ constexpr unsigned rows_offset(unsigned origin_row, unsigned origin_k, unsigned pitch_row, unsigned wave, unsigned lane, unsigned element) {
    return (origin_row + (element >> 3 << 5) + (wave << 2) + (lane >> 3)) * pitch_row + origin_k + ((lane & 7) << 3) + (element & 7);
}
// Whether 32 bits hold every offset of a tensor.
__host__ __device__ constexpr bool rows_fits(unsigned length_row, unsigned length_k, unsigned pitch_row) {
    return length_row <= 2147483648u && length_k <= 2147483648u && (length_row == 0 || length_k == 0 || ((unsigned long long)(length_row - 1) * pitch_row + (length_k - 1) <= 4294967295u));
}
// Whether an element is in the tensor.
__host__ __device__ constexpr bool rows_valid(unsigned origin_row, unsigned origin_k, unsigned length_row, unsigned length_k, unsigned wave, unsigned lane, unsigned element) {
    return origin_row + (element >> 3 << 5) + (wave << 2) + (lane >> 3) < length_row && origin_k + ((lane & 7) << 3) + (element & 7) < length_k;
}
// Whether all 8 elements are in the tensor, from the first on.
__host__ __device__ constexpr bool rows_whole(unsigned origin_row, unsigned origin_k, unsigned length_row, unsigned length_k, unsigned wave, unsigned lane, unsigned element) {
    const unsigned t0 = origin_k + ((lane & 7) << 3) + (element & 7);
    return origin_row + (element >> 3 << 5) + (wave << 2) + (lane >> 3) < length_row && t0 < length_k && t0 + 7 < length_k;
}

// read_a sm_90 ld.shared.b128: free of conflicts
// read_a: 16 accesses: 2 address registers, 14 immediate, 1 by one xor, 0 more computed; the layout begins at a multiple of 32 bytes.
constexpr unsigned read_a_COUNT = 16u;
constexpr unsigned read_a_BYTES = 16u;
constexpr unsigned read_a_REGISTERS = 2u;
constexpr unsigned read_a_ALIGNMENT = 32u;
// The address register of an access.
__host__ __device__ constexpr unsigned read_a_address(unsigned wave, unsigned lane, unsigned access) {
    const unsigned t0 = ((((wave >> 2 << 6) + (lane >> 2)) << 6) + (lane >> 2 << 3 ^ (lane & 3) << 4)) << 1;
    switch (access) {
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
        return t0 ^ 16;
    default:
        return t0;
    }
}
// The constant in its instruction, in bytes.
__host__ __device__ constexpr unsigned read_a_immediate(unsigned access) {
    switch (access) {
    case 1:
    case 9:
        return 1024;
    case 2:
    case 10:
        return 2048;
    case 3:
    case 11:
        return 3072;
    case 4:
    case 12:
        return 4096;
    case 5:
    case 13:
        return 5120;
    case 6:
    case 14:
        return 6144;
    case 7:
    case 15:
        return 7168;
    default:
        return 0;
    }
}
// The first element that it moves, in the lane's registers.
__host__ __device__ constexpr unsigned read_a_element(unsigned access) {
    return access << 3;
}

// read_b sm_90 ld.shared.b128: free of conflicts
// read_b: 8 accesses: 2 address registers, 6 immediate, 1 by one xor, 0 more computed; the layout begins at a multiple of 32 bytes.
constexpr unsigned read_b_COUNT = 8u;
constexpr unsigned read_b_BYTES = 16u;
constexpr unsigned read_b_REGISTERS = 2u;
constexpr unsigned read_b_ALIGNMENT = 32u;
// The address register of an access.
__host__ __device__ constexpr unsigned read_b_address(unsigned wave, unsigned lane, unsigned access) {
    const unsigned t0 = (((((wave & 3) << 5) + (lane >> 2)) << 6) + (lane >> 2 << 3 ^ (lane & 3) << 4)) << 1;
    switch (access) {
    case 4:
    case 5:
    case 6:
    case 7:
        return t0 ^ 16;
    default:
        return t0;
    }
}
// The constant in its instruction, in bytes.
__host__ __device__ constexpr unsigned read_b_immediate(unsigned access) {
    switch (access) {
    case 1:
    case 5:
        return 1024;
    case 2:
    case 6:
        return 2048;
    case 3:
    case 7:
        return 3072;
    default:
        return 0;
    }
}
// The first element that it moves, in the lane's registers.
__host__ __device__ constexpr unsigned read_b_element(unsigned access) {
    return access << 3;
}

constexpr unsigned sum_COUNT = 64u;
constexpr unsigned sum_VECTOR = 1u;
// The first element of a vector, in the lane's registers.
__host__ __device__ constexpr unsigned sum_element(unsigned access) {
    return access;
}
// sum: lengths are at most 2147483648, and an origin from there on is left of the tensor.
// The offset in the tensor, in elements, of what is in it: of 32 bits, where `sum_fits`.
__host__ __device__ constexpr unsigned sum_offset(unsigned origin_m, unsigned origin_n, unsigned pitch_m, unsigned wave, unsigned lane, unsigned element) {
    return (origin_m + (wave >> 2 << 6) + (element & 48) + ((element >> 1 & 1) << 3) + (lane >> 2)) * pitch_m + origin_n + ((wave & 3) << 5) + ((element >> 2 & 3) << 3) + ((lane & 3) << 1) + (element & 1);
}
// Whether 32 bits hold every offset of a tensor.
__host__ __device__ constexpr bool sum_fits(unsigned length_m, unsigned length_n, unsigned pitch_m) {
    return length_m <= 2147483648u && length_n <= 2147483648u && (length_m == 0 || length_n == 0 || ((unsigned long long)(length_m - 1) * pitch_m + (length_n - 1) <= 4294967295u));
}
// Whether an element is in the tensor.
__host__ __device__ constexpr bool sum_valid(unsigned origin_m, unsigned origin_n, unsigned length_m, unsigned length_n, unsigned wave, unsigned lane, unsigned element) {
    return origin_m + (wave >> 2 << 6) + (element & 48) + ((element >> 1 & 1) << 3) + (lane >> 2) < length_m && origin_n + ((wave & 3) << 5) + ((element >> 2 & 3) << 3) + ((lane & 3) << 1) + (element & 1) < length_n;
}
// Whether it is in the tensor: a vector is one element.
__host__ __device__ constexpr bool sum_whole(unsigned origin_m, unsigned origin_n, unsigned length_m, unsigned length_n, unsigned wave, unsigned lane, unsigned element) {
    return origin_m + (wave >> 2 << 6) + (element & 48) + ((element >> 1 & 1) << 3) + (lane >> 2) < length_m && origin_n + ((wave & 3) << 5) + ((element >> 2 & 3) << 3) + ((lane & 3) << 1) + (element & 1) < length_n;
}

#endif // TILEDESC_GEMM_CUH_5ECC5B51
