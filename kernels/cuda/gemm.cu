// C = A B^T for sm_80 and later: A is m by k and B is n by k, of halves, C is m by n, of floats, all
// row-major.
//
// Any m and n, and k a multiple of 8: the last tiles are masked. Of another k the last vector of a row
// is not whole, and is left out, not read beyond the row. A block of 256 lanes makes 128 x 128
// of C; a warp 64 x 32, by mma.m16n8k16. Tiles of 128 x 64 go through shared memory, whose layout, who
// holds what, and every address with its immediate stand in gemm.cuh.
//
//   nvcc -arch=sm_90 -O3 -c gemm.cu
//   gemm<<<dim3((n + 127) / 128, (m + 127) / 128), 256>>>(a, b, c, m, n, k);

#include "gemm.cuh"

static_assert(store_WAVES == 8 && store_LANES == 32, "the block of this kernel");
static_assert(rows_VECTOR == 8 && sum_VECTOR == 1, "8 halves are fetched, sums stored one by one");
static_assert(rows_COUNT == store_COUNT && rows_element(1) == store_element(1), "what is fetched is stored");
static_assert(read_a_ALIGNMENT >= read_b_ALIGNMENT && read_a_ALIGNMENT >= store_ALIGNMENT, "where lds begins");
static_assert(read_a_element(1) == 8 && read_b_element(1) == 8, "vectors follow each other");

#ifndef ON_CPU
// 16 x 8 of C, of 16 along k: of each lane 2 rows of A by 4, and one row of B by 4.
static __device__ void multiply(float (&sum)[4], uint2 upper, uint2 lower, uint2 other) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(upper.x), "r"(lower.x), "r"(upper.y), "r"(lower.y), "r"(other.x), "r"(other.y));
}
#endif

extern "C" __global__ void __launch_bounds__(256)
gemm(const uint4 *a, const uint4 *b, float *c, unsigned m, unsigned n, unsigned k) {
    __shared__ __align__(read_a_ALIGNMENT) unsigned char lds[LDS_BYTES];
    const unsigned wave = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned top = blockIdx.y * Block_LENGTH_ROW, left = blockIdx.x * Block_LENGTH_ROW;
    // From the first row of the block 32 bits count the elements, whatever the size of the matrix.
    a += top * (unsigned long long)k / rows_VECTOR;
    b += left * (unsigned long long)k / rows_VECTOR;
    c += top * (unsigned long long)n;
    float sum[4][4][4] = {};

    for (unsigned begin = 0; begin < k; begin += Block_LENGTH_K) {
        uint4 next_a[rows_COUNT] = {}, next_b[rows_COUNT] = {};
#pragma unroll
        for (unsigned i = 0; i < rows_COUNT; i++) {
            const unsigned first = rows_element(i);
            const unsigned at = rows_offset(0, begin, k, wave, lane, first);
            if (rows_whole(top, begin, m, k, wave, lane, first))
                next_a[i] = a[at / rows_VECTOR];
            if (rows_whole(left, begin, n, k, wave, lane, first))
                next_b[i] = b[at / rows_VECTOR];
        }
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < store_COUNT; i++) {
            unsigned char *at = lds + store_address(wave, lane, i);
            *(uint4 *)(at + LDS_a + store_immediate(i)) = next_a[i];
            *(uint4 *)(at + LDS_b + store_immediate(i)) = next_b[i];
        }
        __syncthreads();

#pragma unroll
        for (unsigned deep = 0; deep < 2; deep++) {
            // Of A two rows each 16, 8 apart.
            uint4 part_a[read_a_COUNT / 2], part_b[read_b_COUNT / 2];
#pragma unroll
            for (unsigned j = 0; j < read_a_COUNT / 2; j++) {
                const unsigned i = deep * (read_a_COUNT / 2) + j;
                part_a[j] = *(const uint4 *)(lds + read_a_address(wave, lane, i) + LDS_a + read_a_immediate(i));
            }
#pragma unroll
            for (unsigned j = 0; j < read_b_COUNT / 2; j++) {
                const unsigned i = deep * (read_b_COUNT / 2) + j;
                part_b[j] = *(const uint4 *)(lds + read_b_address(wave, lane, i) + LDS_b + read_b_immediate(i));
            }
#pragma unroll
            for (unsigned i = 0; i < 16; i++) {
                const uint4 upper = part_a[i / 4 * 2], lower = part_a[i / 4 * 2 + 1], other = part_b[i % 4];
                float(&into)[4] = sum[i / 4][i % 4];
                multiply(into, make_uint2(upper.x, upper.y), make_uint2(lower.x, lower.y),
                         make_uint2(other.x, other.y));
                multiply(into, make_uint2(upper.z, upper.w), make_uint2(lower.z, lower.w),
                         make_uint2(other.z, other.w));
            }
        }
    }
#pragma unroll
    for (unsigned e = 0; e < sum_COUNT; e++) {
        if (sum_valid(top, left, m, n, wave, lane, e))
            c[sum_offset(0, left, n, wave, lane, e)] = sum[e / 16][e / 4 % 4][e % 4];
    }
}
