#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#define SHARED __shared__ __align__(128)
#define ADDRESS(pointer) ((unsigned)__cvta_generic_to_shared(pointer))
#define LANE threadIdx.x
#define SYNCHRONIZE __syncthreads()
#define CLOCK clock64()
