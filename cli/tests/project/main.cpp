#include <cstdio>
#include "tiles.h"

static_assert(A_BYTES == 16384, "the tile of this kernel");

// Every lane reads what it holds: 16 accesses, of two address registers and immediates.
int main() {
    for (unsigned lane = 0; lane < A_read_LANES; lane++)
        for (unsigned i = 0; i < A_read_COUNT; i++) {
            const unsigned element = A_read_element(i);
            const unsigned m = A_read_m(0, lane, element), k = A_read_k(0, lane, element);
            if (A_read_address(0, lane, i) + A_read_immediate(i) != A_byte(m, k)) return 1;
        }
    std::printf("%u\n", A_offset(3, 17));
}
