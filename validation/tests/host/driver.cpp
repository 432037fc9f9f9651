// NVIDIA's driver interface over the device on the CPU, as far as `run_ptx.py` calls it.
#include "device.hpp"
#include <cstdint>

extern "C" {
int cuInit(unsigned) { return 0; }
int cuDeviceGet(int *device, int) { *device = 0; return 0; }
int cuDeviceGetName(char *name, int length, int) { snprintf(name, length, "CPU"); return 0; }
int cuDeviceGetAttribute(int *value, int which, int) {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    *value = which == 75 ? device.major : which == 76 ? device.minor : 1000000;
    return which == 75 || which == 76 || which == 13 ? 0 : 1;
}
int cuDriverGetVersion(int *version) { *version = 7; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int) { *context = nullptr; return 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuModuleLoadData(void **module, const char *text) { *module = (void *)text; return strstr(text, ".version") ? 0 : 1; }
int cuModuleGetFunction(void **function, void *, const char *name) { *function = strdup(name); return 0; }
int cuMemAlloc_v2(uint64_t *memory, size_t bytes) { *memory = (uint64_t)malloc(bytes); return 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) { memcpy((void *)to, from, bytes); return 0; }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) { memcpy(to, (const void *)from, bytes); return 0; }
int cuCtxSynchronize() { return 0; }
int cuLaunchKernel(void *name, unsigned, unsigned, unsigned, unsigned lanes, unsigned, unsigned, unsigned, void *, void **pointers, void **) {
    simulate((const char *)name, lanes, *(const unsigned **)pointers[0], *(long long **)pointers[1]);
    return lanes == 32 ? 0 : 1;
}
}
