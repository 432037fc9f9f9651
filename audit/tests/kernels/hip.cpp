// kernels/hip/gemm.hip on the CPU. The MFMA is written from AMD's CDNA3 ISA guide, 7.1.4: in lane l of 64
// A has row l % 32 and B column l % 32, k is 4 * (l / 32) + i; C has column l % 32, and in register r row
// 8 * (r / 4) + 4 * (l / 32) + r % 4.
#include "block.h"

#define __builtin_amdgcn_workitem_id_x() threadIdx.x
#define __builtin_amdgcn_workgroup_id_x() blockIdx.x
#define __builtin_amdgcn_workgroup_id_y() blockIdx.y
#define __builtin_amdgcn_s_barrier() whole.arrive_and_wait()
#define __builtin_amdgcn_fence(order, scope)
#define __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, x, y, z) mfma(a, b, c)

template <class Half4, class Sum> static Sum mfma(Half4 a, Half4 b, Sum c) {
    static Half4 rows[LANES], columns[LANES];
    const unsigned me = threadIdx.x, first = me / 64 * 64, lane = me % 64;
    rows[me] = a;
    columns[me] = b;
    own_wave<64>().barrier.arrive_and_wait();
    for (unsigned r = 0; r < 16; r++)
        for (unsigned k = 0; k < 8; k++) {
            const unsigned row = 8 * (r / 4) + 4 * (lane / 32) + r % 4;
            const Half4 x = rows[first + k / 4 * 32 + row], y = columns[first + k / 4 * 32 + lane % 32];
            c[r] += (float)x[k % 4] * (float)y[k % 4];
        }
    own_wave<64>().barrier.arrive_and_wait();
    return c;
}

#include "gemm.hip"

int main() {
    return compare<_Float16>(gemm, 128, 128, 64) || compare<_Float16>(gemm, 140, 130, 72) ||
           compare<_Float16>(gemm, 1, 1, 12);
}
