// C = A B^T for gfx942: A is m by k and B is n by k, of halves, C is m by n, of floats, all row-major.
//
// Any m and n, and k a multiple of 8: the last tiles are masked. Of another k the last vector of a row
// is not whole, and is left out, not read beyond the row. A block of 256 lanes makes 128 x 128
// of C; a wave 64 x 64, by v_mfma_f32_32x32x8_f16. Tiles of 128 x 64 go through LDS, whose layout, who
// holds what, and every address with its immediate stand in gemm.hpp.
//
//   hipcc --offload-arch=gfx942 -O3 -c gemm.hip
//   gemm<<<dim3((n + 127) / 128, (m + 127) / 128), 256>>>(a, b, c, m, n, k);

#if __has_include(<hip/hip_runtime.h>)
#include <hip/hip_runtime.h>
#elif !defined(ON_CPU)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(lanes) __attribute__((launch_bounds(lanes)))
#endif

#include "gemm.hpp"

typedef _Float16 Half4 __attribute__((ext_vector_type(4)));
typedef _Float16 Half8 __attribute__((ext_vector_type(8)));
typedef float Float16 __attribute__((ext_vector_type(16)));

static_assert(store_WAVES == 4 && store_LANES == 64, "the block of this kernel");
static_assert(rows_VECTOR == 8 && sum_VECTOR == 1, "8 halves are fetched, sums stored one by one");
static_assert(rows_COUNT == store_COUNT && rows_element(1) == store_element(1), "what is fetched is stored");
static_assert(read_a_ALIGNMENT >= read_b_ALIGNMENT && read_a_ALIGNMENT >= store_ALIGNMENT, "where LDS begins");
static_assert(read_a_element(1) == 8 && read_b_element(1) == 8, "vectors follow each other");

extern "C" __global__ void __launch_bounds__(256)
gemm(const _Float16 *a, const _Float16 *b, float *c, unsigned m, unsigned n, unsigned k) {
    __shared__ __attribute__((aligned(read_a_ALIGNMENT))) unsigned char lds[LDS_BYTES];
    const unsigned wave = __builtin_amdgcn_workitem_id_x() / 64;
    const unsigned lane = __builtin_amdgcn_workitem_id_x() % 64;
    const unsigned top = __builtin_amdgcn_workgroup_id_y() * Block_LENGTH_ROW;
    const unsigned left = __builtin_amdgcn_workgroup_id_x() * Block_LENGTH_ROW;
    // From the first row of the block 32 bits count the elements, whatever the size of the matrix.
    a += top * (unsigned long long)k;
    b += left * (unsigned long long)k;
    c += top * (unsigned long long)n;
    Float16 sum[2][2] = {};

    for (unsigned begin = 0; begin < k; begin += Block_LENGTH_K) {
        Half8 next_a[rows_COUNT] = {}, next_b[rows_COUNT] = {};
#pragma unroll
        for (unsigned i = 0; i < rows_COUNT; i++) {
            const unsigned first = rows_element(i);
            const unsigned at = rows_offset(0, begin, k, wave, lane, first);
            if (rows_whole(top, begin, m, k, wave, lane, first))
                next_a[i] = *(const Half8 *)(a + at);
            if (rows_whole(left, begin, n, k, wave, lane, first))
                next_b[i] = *(const Half8 *)(b + at);
        }
        __builtin_amdgcn_s_barrier();
#pragma unroll
        for (unsigned i = 0; i < store_COUNT; i++) {
            unsigned char *at = lds + store_address(wave, lane, i);
            *(Half8 *)(at + LDS_a + store_immediate(i)) = next_a[i];
            *(Half8 *)(at + LDS_b + store_immediate(i)) = next_b[i];
        }
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");

        Half8 part_a[read_a_COUNT], part_b[read_b_COUNT];
#pragma unroll
        for (unsigned i = 0; i < read_a_COUNT; i++)
            part_a[i] = *(const Half8 *)(lds + read_a_address(wave, lane, i) + LDS_a + read_a_immediate(i));
#pragma unroll
        for (unsigned i = 0; i < read_b_COUNT; i++)
            part_b[i] = *(const Half8 *)(lds + read_b_address(wave, lane, i) + LDS_b + read_b_immediate(i));
#pragma unroll
        for (unsigned deep = 0; deep < read_a_COUNT / 2; deep++)
#pragma unroll
            for (unsigned i = 0; i < 4; i++) {
                const Half8 x = part_a[deep * 2 + i / 2], y = part_b[deep * 2 + i % 2];
                Float16 &into = sum[i / 2][i % 2];
                into = __builtin_amdgcn_mfma_f32_32x32x8f16(x.lo, y.lo, into, 0, 0, 0);
                into = __builtin_amdgcn_mfma_f32_32x32x8f16(x.hi, y.hi, into, 0, 0, 0);
            }
    }
#pragma unroll
    for (unsigned e = 0; e < sum_COUNT; e++) {
        if (sum_valid(top, left, m, n, wave, lane, e))
            c[sum_offset(0, left, n, wave, lane, e)] = sum[e / 32][e / 16 % 2][e % 16];
    }
}
