// Twenty-four kernels in ten styles, which cuxray and the audit both judge: see README.md.
#define KERNEL(lanes) extern "C" __global__ void __launch_bounds__(lanes)
typedef unsigned char byte;

// Tiles that are turned: a column of 128 bytes a row, with a pad, with an xor.
KERNEL(1024) turned(float *out, const float *in) {
    __shared__ float s[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[y * 32 + x];
    __syncthreads();
    out[y * 32 + x] = s[x][y];
}
KERNEL(1024) padded(float *out, const float *in, int n) {
    __shared__ float s[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[y * 1024 + x];
    __syncthreads();
    out[x * 1024 + y] = s[x][y];
}
KERNEL(1024) swizzled(float *out, const float *in) {
    __shared__ float s[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x ^ y] = in[y * 32 + x + 1];
    __syncthreads();
    out[y * 32 + x] = s[x][x ^ y];
}
// Reductions: of ever fewer lanes ever farther apart, and of the first lanes.
KERNEL(64) apart(float *out, const float *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
#pragma unroll
    for (int d = 1; d < 64; d *= 2) {
        if (2 * d * t < 64) s[2 * d * t] += s[2 * d * t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
KERNEL(64) first(float *out, const float *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[2 * t];
    __syncthreads();
#pragma unroll
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
// Lanes that are off: four of a column, and half a warp.
KERNEL(32) four(float *out, const float *in) {
    __shared__ float s[32][32];
    int t = threadIdx.x;
    s[0][t] = in[t];
    __syncthreads();
    if (t < 4) out[8 * t] = s[t][0];
}
KERNEL(32) half(float *out, const float *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
    __syncthreads();
    if (t >= 16) out[t] = s[4 * (t - 16)];
}
// Vectors: rows of 16 bytes, every second one, pairs, and structures of 12 bytes.
KERNEL(64) rows(float4 *out, const float4 *in) {
    __shared__ float4 s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[63 - t];
}
KERNEL(32) second(float4 *out, const float4 *in) {
    __shared__ float4 s[64];
    int t = threadIdx.x;
    s[t] = in[2 * t];
    s[t + 32] = in[2 * t + 1];
    __syncthreads();
    out[t] = s[2 * t];
}
KERNEL(32) pairs(float2 *out, const float2 *in) {
    __shared__ float2 s[128];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) s[t + 32 * i] = in[t + 32 * i];
    __syncthreads();
    out[t] = s[4 * t];
}
struct Three { float x, y, z; };
KERNEL(64) structures(Three *out, const Three *in) {
    __shared__ Three s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[63 - t];
}
// Data decides: a table, and counters.
KERNEL(64) table(float *out, const float *in, const int *at) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[at[t] & 63];
}
// Words 63 and 191 are in one bank: which lane reads which is data.
KERNEL(64) picked(float *out, const float *in) {
    __shared__ float s[256];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) s[64 * i + t] = in[64 * i + t];
    __syncthreads();
    int at = 191;
    float v = in[t], w = 2, x = s[127];
    if (x < v) { at = 63; w = x; v = x * x; }
    out[t] = s[at] * v + w;
}
KERNEL(64) counted(unsigned *out, const byte *in) {
    __shared__ unsigned s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    atomicAdd(&s[in[t] & 63], 1u);
    __syncthreads();
    out[t] = s[t];
}
// Stencils: a halo that the first lanes fetch, and a block of 16 by 4.
KERNEL(64) halo(float *out, const float *in) {
    __shared__ float s[66];
    int t = threadIdx.x;
    s[t + 1] = in[t + 1];
    if (t < 2) s[65 * t] = in[65 * t];
    __syncthreads();
    out[t] = s[t] + s[t + 1] + s[t + 2];
}
KERNEL(64) window(float *out, const float *in) {
    __shared__ float s[5][17];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[64 * y + x];
    __syncthreads();
    out[16 * y + x] = s[y][x] + s[y + 1][x + 1];
}
// Rows of 40 lanes: the second warp is in two of them, 256 bytes apart.
KERNEL(80) ragged(float *out, const float *in) {
    __shared__ float s[128];
    int x = threadIdx.x, y = threadIdx.y;
    s[64 * y + x] = in[40 * y + x];
    __syncthreads();
    out[40 * y + x] = s[64 * y + x];
}
// A product of tiles: a row that all lanes of a row read, and a column.
KERNEL(256) product(float *c, const float *a, const float *b) {
    __shared__ float s[16][16], r[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = a[16 * y + x];
    r[y][x] = b[16 * y + x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 2; i++) sum += s[y][i] * r[i][x];
    c[16 * y + x] = sum;
}
// Bytes, and doubles by a stride.
KERNEL(64) bytes(byte *out, const byte *in) {
    __shared__ byte s[256];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) s[4 * t + i] = in[64 * i + t];
    __syncthreads();
    out[t] = s[3 * t];
}
KERNEL(32) doubles(double *out, const double *in) {
    __shared__ double s[32 * 17];
    int t = threadIdx.x;
    for (int i = 0; i < 17; i++) s[17 * t + i] = in[32 * i + t];
    __syncthreads();
    out[t] = s[16 * t];
}
// A pitch of the run time, in shared and in global memory.
KERNEL(32) pitch(float *out, const float *in, int n) {
    extern __shared__ float d[];
    int t = threadIdx.x;
    d[t] = in[t * n];
    __syncthreads();
    out[t] = d[t * n];
}
// Instructions of matrices: rows of 64 bytes, and the same with an xor; copies past the registers.
__device__ inline unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
KERNEL(32) matrices(uint4 *out, const uint4 *in) {
    __shared__ uint4 s[128];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) s[32 * i + t] = in[32 * i + t];
    __syncthreads();
    uint4 v;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(place(&s[4 * (t & 15) + t / 16])));
    out[t] = v;
}
KERNEL(32) xored(uint4 *out, const uint4 *in) {
    __shared__ uint4 s[128];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) s[32 * i + (t ^ (t >> 3 & 3))] = in[32 * i + t];
    __syncthreads();
    uint4 v;
    int r = t & 15;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(place(&s[4 * r + (t / 16 ^ (r >> 1 & 3))])));
    out[t] = v;
}
KERNEL(32) copied(float *out, const float4 *in) {
    __shared__ float4 s[32];
    int t = threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(place(&s[t])), "l"(in + 4 * t));
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[t] = ((float *)s)[4 * (t & 15)];
}
