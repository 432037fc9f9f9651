// A kernel on the CPU: every lane reads what it holds by the emitted addresses.
#define __host__
#define __device__
#include "tiles.hpp"
#include <cstdio>

static_assert(A_BYTES == 16384, "the tile of this kernel");
static_assert(A_read_REGISTERS == 4, "the address registers of this kernel");

int main() {
    unsigned read = 0;
    for (unsigned lane = 0; lane < A_read_LANES; lane++)
        for (unsigned i = 0; i < A_read_COUNT; i++) {
            const unsigned byte = A_read_address(0, lane, i) + A_read_immediate(i);
            const unsigned element = A_read_element(i);
            if (byte != A_byte(A_read_m(0, lane, element), A_read_k(0, lane, element)))
                return 1;
            read += A_read_BYTES;
        }
    std::printf("%u bytes, each where it should be\n", read);
}
