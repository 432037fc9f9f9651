#ifndef DEVICE_ONLY
#define CHECK(call) check(call, #call)
static void check(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(1);
    }
}

static void *allocate(size_t bytes) {
    void *memory;
    CHECK(hipMalloc(&memory, bytes));
    return memory;
}
static void copy(void *to, const void *from, size_t bytes) { CHECK(hipMemcpy(to, from, bytes, hipMemcpyDefault)); }
static void finish() { CHECK(hipDeviceSynchronize()); }

// Prints what the record must say of the device; the architecture, to be compared.
static void describe(char *architecture, size_t bytes) {
    hipDeviceProp_t device;
    int driver = 0, clock = 0;
    CHECK(hipGetDeviceProperties(&device, 0));
    CHECK(hipDriverGetVersion(&driver));
    CHECK(hipDeviceGetAttribute(&clock, hipDeviceAttributeClockRate, 0));
    snprintf(architecture, bytes, "%s", device.gcnArchName);
    architecture[strcspn(architecture, ":")] = 0;
    printf("# device: %s\n# driver: %d\n# clock: %d MHz\n# compiler: %s\n", device.name, driver, clock / 1000, __VERSION__);
}

