// Kernels whose bank conflicts are counted on paper. known.ptx is made of them, by clang 19.1.7:
//
//   clang-19 -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -fms-extensions -O3 -S \
//       -gline-tables-only -include cuda.h -o known.ptx known.cu
//
// known.ptx.gz is what the audit reads of it: without comments and debug information, as triton/compile.py leaves them out.

// A column of 32 rows of 128 bytes: all 32 lanes in one bank.
extern "C" __global__ void __launch_bounds__(1024) transpose(float *out, const float *in, int n) {
    __shared__ float tile[32][32];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    tile[warp][lane] = in[(y + warp) * n + x + lane];
    __syncthreads();
    out[(x + warp) * n + y + lane] = tile[lane][warp];
}

// The same with a pad of one word.
extern "C" __global__ void __launch_bounds__(1024) padded(float *out, const float *in, int n) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    tile[warp][lane] = in[(y + warp) * n + x + lane];
    __syncthreads();
    out[(x + warp) * n + y + lane] = tile[lane][warp];
}

extern __shared__ float sums[];

// Strides of 2, 4, .. words under a condition that ever fewer lanes meet.
extern "C" __global__ void __launch_bounds__(256) strided(float *out, const float *in) {
    sums[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        const int at = 2 * d * threadIdx.x;
        if (at < 256)
            sums[at] += sums[at + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sums[0];
}

// A place that data decides.
extern "C" __global__ void __launch_bounds__(256) counted(int *out, const int *in, int n) {
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256)
        counts[in[i] & 255]++;
    __syncthreads();
    out[threadIdx.x] = counts[threadIdx.x];
}
