// A block of lanes on the CPU: a thread each, barriers of the block and of each wave; and a product to
// compare with. ON_CPU tells a kernel that its builtins are macros.
#define ON_CPU
#include <barrier>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#define __host__
#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(lanes)

struct Index {
    unsigned x, y;
};
static thread_local Index threadIdx;
static Index blockIdx;

constexpr unsigned LANES = 256;
static std::barrier<> whole(LANES);
// One for each wave of WAVE lanes.
template <unsigned WAVE> struct Wave {
    std::barrier<> barrier{WAVE};
};
template <unsigned WAVE> static Wave<WAVE> &own_wave() {
    static Wave<WAVE> waves[LANES / WAVE];
    return waves[threadIdx.x / WAVE];
}

// Runs the kernel on all blocks and compares with a product in double, exact for whole numbers: of the
// whole vectors of 8 in a row. What stands behind the last row must not be read.
template <class Half, class Kernel>
static int compare(Kernel kernel, unsigned m, unsigned n, unsigned k) {
    std::vector<_Float16> a(m * k + 8, (_Float16)100), b(n * k + 8, (_Float16)100);
    for (unsigned i = 0; i < m * k; i++)
        a[i] = (_Float16)(int)(i * 7 % 13) - (_Float16)6;
    for (unsigned i = 0; i < n * k; i++)
        b[i] = (_Float16)(int)(i * 5 % 11) - (_Float16)5;
    std::vector<float> c(m * n, -1e9f);
    for (blockIdx.y = 0; blockIdx.y * 128 < m; blockIdx.y++)
        for (blockIdx.x = 0; blockIdx.x * 128 < n; blockIdx.x++) {
            std::vector<std::thread> lanes;
            for (unsigned lane = 0; lane < LANES; lane++)
                lanes.emplace_back([&, lane] {
                    threadIdx = {lane, 0};
                    kernel((const Half *)a.data(), (const Half *)b.data(), c.data(), m, n, k);
                });
            for (std::thread &lane : lanes)
                lane.join();
        }
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < n; j++) {
            double sum = 0;
            for (unsigned deep = 0; deep < k / 8 * 8; deep++)
                sum += (double)a[i * k + deep] * (double)b[j * k + deep];
            if (c[i * n + j] != sum) {
                std::printf("%u x %u x %u: (%u, %u) is %f and not %f\n", m, n, k, i, j, c[i * n + j], sum);
                return 1;
            }
        }
    std::printf("%u x %u x %u: equal\n", m, n, k);
    return 0;
}
