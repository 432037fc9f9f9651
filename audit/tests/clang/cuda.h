// What CUDA's own headers would bring, as far as known.cu needs it.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct Thread {
    __declspec(property(get = get_x)) int x;
    static __device__ int get_x() { return __nvvm_read_ptx_sreg_tid_x(); }
};
struct Block {
    __declspec(property(get = get_x)) int x;
    __declspec(property(get = get_y)) int y;
    static __device__ int get_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
    static __device__ int get_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
};
extern const __device__ Thread threadIdx;
extern const __device__ Block blockIdx;
