#define CHECK(call) check(call, #call)
static void check(cudaError_t error, const char *call) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
        exit(1);
    }
}

static void *allocate(size_t bytes) {
    void *memory;
    CHECK(cudaMalloc(&memory, bytes));
    return memory;
}
static void copy(void *to, const void *from, size_t bytes) { CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDefault)); }
static void finish() { CHECK(cudaDeviceSynchronize()); }

// Prints what the record must say of the device; the architecture, to be compared.
static void describe(char *architecture, size_t bytes) {
    cudaDeviceProp device;
    int driver = 0, clock = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
    snprintf(architecture, bytes, "sm_%d%d", device.major, device.minor);
    printf("# device: %s\n# driver: %d\n# clock: %d MHz\n", device.name, driver, clock / 1000);
    printf("# compiler: nvcc %d.%d\n", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__);
}

