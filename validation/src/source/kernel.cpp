extern "C" __global__ void NAME(const unsigned *addresses, long long *cycles, unsigned *sink) {
    SHARED unsigned memory[DWORDS];
    const unsigned lane = LANE;
    for (unsigned i = lane; i < DWORDS; i += LANES)
        memory[i] = 0;
    SYNCHRONIZE;
    unsigned at = addresses[lane], own = ADDRESS(memory) + 4 * lane, zero = 0;
    if (at == IDLE)
        return;
    at += ADDRESS(memory);
    long long took = 0;
    // The first round fills the instruction cache.
    for (int round = 0; round < 2; round++) {
        const long long begin = CLOCK;
#pragma unroll 1
        for (int i = 0; i < ACCESSES / UNROLLED; i++) {
#pragma unroll
            for (int j = 0; j < UNROLLED; j++) {
                BODY
            }
        }
        took = CLOCK - begin;
    }
    sink[lane] = at ^ own ^ zero;
    if (lane == 0)
        *cycles = took;
}

