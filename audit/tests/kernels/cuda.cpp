// kernels/cuda/gemm.cu on the CPU. The mma is written from the PTX ISA, "Matrix Fragments for
// mma.m16n8k16 with floating point type": in lane l of 32, with group l / 4 and quad l % 4, A has rows
// group and group + 8 and k 2 * quad + {0, 1} and 8 more; B has column group and the same k; C has rows
// group and group + 8, columns 2 * quad + {0, 1}.
#include "block.h"

struct uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
static uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __syncthreads() whole.arrive_and_wait()

static void multiply(float (&sum)[4], uint2 upper, uint2 lower, uint2 other) {
    // Of each lane: halves of row group, of row group + 8, of column group; k pairs 2 quad and 2 quad + 8.
    static _Float16 held[LANES][3][4];
    const unsigned me = threadIdx.x, first = me / 32 * 32, group = me % 32 / 4, quad = me % 4;
    std::memcpy(held[me][0], &upper, 8);
    std::memcpy(held[me][1], &lower, 8);
    std::memcpy(held[me][2], &other, 8);
    own_wave<32>().barrier.arrive_and_wait();
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 16; k++) {
            const unsigned at = k % 8 / 2, half = k / 8 * 2 + k % 2, column = 2 * quad + i % 2;
            sum[i] += (float)held[first + group * 4 + at][i / 2][half] *
                      (float)held[first + column * 4 + at][2][half];
        }
    own_wave<32>().barrier.arrive_and_wait();
}

#include "gemm.cu"

int main() {
    return compare<uint4>(gemm, 128, 128, 64) || compare<uint4>(gemm, 140, 130, 72) ||
           compare<uint4>(gemm, 1, 1, 12);
}
