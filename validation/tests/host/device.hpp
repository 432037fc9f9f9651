// A device on the CPU, for the host's half of the programs: an access takes 25 cycles and 2 a wavefront, which are
// counted here a third time. The test that reads this makes HIP's interface of CUDA's by the prefix.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyDefault };
enum cudaAttribute { cudaDevAttrClockRate, cudaDeviceAttributeClockRate };
struct cudaDeviceProp {
    int major, minor;
    char name[64], gcnArchName[64];
};
typedef cudaDeviceProp cudaDeviceProp_t;

static const char *cudaGetErrorString(cudaError_t) { return "none"; }
static cudaError_t cudaMalloc(void **to, size_t bytes) { *to = malloc(bytes); return cudaSuccess; }
static cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) { memcpy(to, from, bytes); return cudaSuccess; }
static cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static cudaError_t cudaDriverGetVersion(int *version) { *version = 7; return cudaSuccess; }
static cudaError_t cudaDeviceGetAttribute(int *value, cudaAttribute, int) { *value = 1000000; return cudaSuccess; }
static cudaError_t cudaGetDeviceProperties(cudaDeviceProp *device, int) {
    const char *name = getenv("DEVICE");
    snprintf(device->name, sizeof(device->name), "CPU");
    snprintf(device->gcnArchName, sizeof(device->gcnArchName), "%s:sramecc+", name);
    sscanf(name, "sm_%1d%d", &device->major, &device->minor);
    return cudaSuccess;
}

static bool agree(const unsigned *at, unsigned lanes, unsigned apart) {
    for (unsigned lane = 0; lane < lanes; lane++)
        if (at[lane] != ~0u && at[lane ^ apart] != ~0u && at[lane] != at[lane ^ apart])
            return false;
    return true;
}

// Lanes 4 to a group; groups 0 and 5, 1 and 4, 2 and 7, 3 and 6 are served together.
static unsigned crossed(unsigned lane) {
    static const unsigned phase[8] = {0, 1, 2, 3, 1, 0, 3, 2};
    return lane / 32 * 4 + phase[lane / 4 % 8];
}

static void simulate(const std::string &name, unsigned lanes, const unsigned *at, long long *cycles) {
    // Of nine launches of a pattern one is counted.
    static std::string last;
    static long long known;
    const std::string now = name + std::string((const char *)at, 4 * lanes);
    if (now == last) {
        *cycles = known;
        return;
    }
    last = now;
    const auto is = [&](const char *part) { return name.find(part) != std::string::npos; };
    const bool matrix = is("matrix"), nvidia = lanes == 32;
    const unsigned bytes = matrix || is("b128") ? 16 : is("b64") ? 8 : 4;
    const unsigned addressed = matrix ? 8 * (name.back() - '0') : lanes;
    unsigned together = matrix ? 8 : 128 / bytes;
    if (nvidia && !matrix && bytes > 4 && (agree(at, lanes, 1) || agree(at, lanes, 2)))
        together *= 2;
    long long wavefronts = 0;
    for (unsigned phase = 0; phase < addressed / together; phase++) {
        std::set<unsigned> dwords;
        for (unsigned lane = 0; lane < addressed; lane++)
            if (at[lane] != ~0u && phase == (is("ds_read_b128") ? crossed(lane) : lane / together))
                for (unsigned byte = at[lane]; byte < at[lane] + bytes; byte += 4)
                    dwords.insert(byte / 4);
        unsigned banks[32] = {}, degree = 1;
        for (const unsigned dword : dwords)
            degree = ++banks[dword % 32] > degree ? banks[dword % 32] : degree;
        wavefronts += degree;
    }
    *cycles = known = 4096 * (25 + 2 * wavefronts);
}
