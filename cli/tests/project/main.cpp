#include <cstdio>
#include "tiles.h"

static_assert(A_BYTES == 16384, "the tile of this kernel");

int main() { std::printf("%u\n", A_offset(3, 17)); }
