#if !defined(DEVICE_ONLY) && __has_include(<hip/hip_runtime.h>)
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <hip/hip_runtime.h>
#else
// Without ROCm, for a compiler that reads the kernels only.
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#undef DEVICE_ONLY
#define DEVICE_ONLY
#endif

typedef unsigned Dwords2 __attribute__((ext_vector_type(2)));
typedef unsigned Dwords4 __attribute__((ext_vector_type(4)));

#define SHARED __shared__ __attribute__((aligned(128)))
#define ADDRESS(pointer) ((unsigned)(unsigned long long)(__attribute__((address_space(3))) unsigned *)(pointer))
#define LANE __builtin_amdgcn_workitem_id_x()
#define SYNCHRONIZE __builtin_amdgcn_s_barrier()
#define CLOCK ((long long)__builtin_readcyclecounter())
