"""Times the patterns of a PTX file of `validation ptx CHIP` through NVIDIA's driver, and prints the record.

    python3 run_ptx.py sm_90.ptx > records/sm_90-DATE.csv

Needs the driver and Python, and nothing else. LIBCUDA names another driver library than libcuda.so.1.
"""

import ctypes
import datetime
import os
import sys

CLOCK_RATE, MAJOR, MINOR = 13, 75, 76


def check(status, call):
    if status != 0:
        sys.exit(f"{call}: CUDA driver error {status}")


class Driver:
    """The calls of the driver, each checked."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ.get("LIBCUDA", "libcuda.so.1"))

    def __getattr__(self, name):
        call = getattr(self.library, name)
        return lambda *arguments: check(call(*arguments), name)

    def number(self, call, *arguments):
        value = ctypes.c_int()
        getattr(self, call)(ctypes.byref(value), *arguments)
        return value.value

    def allocate(self, size):
        memory = ctypes.c_uint64()
        self.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(size))
        return memory


def headers(driver, device, chip):
    name = ctypes.create_string_buffer(128)
    driver.cuDeviceGetName(name, 128, device)
    major, minor = (driver.number("cuDeviceGetAttribute", which, device) for which in (MAJOR, MINOR))
    if f"sm_{major}{minor}" != chip:
        sys.exit(f"this program is for {chip}, and the device is sm_{major}{minor}")
    version = driver.number("cuDriverGetVersion")
    clock = driver.number("cuDeviceGetAttribute", CLOCK_RATE, device) // 1000
    today = datetime.datetime.now(datetime.timezone.utc).date()
    print(f"# date: {today}\n# chip: {chip}\n# device: {name.value.decode()}\n# driver: {version}")
    print(f"# clock: {clock} MHz\n# compiler: the driver's, from PTX")


def measure(driver, function, addresses, memory):
    """The median of nine launches."""
    table, cycles, sink = memory
    lanes = len(addresses)
    values = (ctypes.c_uint32 * lanes)(*addresses)
    driver.cuMemcpyHtoD_v2(table, values, ctypes.c_size_t(4 * lanes))
    pointers = (ctypes.c_void_p * 3)(*(ctypes.addressof(pointer) for pointer in memory))
    taken = []
    for _ in range(9):
        driver.cuLaunchKernel(function, 1, 1, 1, lanes, 1, 1, 0, None, pointers, None)
        driver.cuCtxSynchronize()
        took = ctypes.c_int64()
        driver.cuMemcpyDtoH_v2(ctypes.byref(took), cycles, ctypes.c_size_t(8))
        taken.append(took.value)
    return sorted(taken)[4]


def main(path):
    with open(path, encoding="ascii") as file:
        text = file.read()
    told = dict(line[4:].split() for line in text.splitlines() if line.startswith("//# "))
    driver, device, context, module = Driver(), ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
    driver.cuInit(0)
    driver.cuDeviceGet(ctypes.byref(device), 0)
    headers(driver, device, told["chip"])
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
    driver.cuCtxSetCurrent(context)
    driver.cuModuleLoadData(ctypes.byref(module), text.encode())
    memory = [driver.allocate(size) for size in (4 * 32, 8, 4 * 32)]
    print("pattern,instruction,cycles_per_access,addresses")
    for line in text.splitlines():
        if line.startswith("//@ "):
            name, instruction, fingerprint, kernel, *addresses = line[4:].split(",")
            function = ctypes.c_void_p()
            driver.cuModuleGetFunction(ctypes.byref(function), module, kernel.encode())
            took = measure(driver, function, [int(address) for address in addresses], memory)
            print(f"{name},{instruction},{took / int(told['accesses']):.3f},{fingerprint}")


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
