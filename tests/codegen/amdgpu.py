#!/usr/bin/env python3
"""LLVM IR to AMD GPU assembly, by the LLVM that the Rust toolchain carries.

rustc's own libLLVM has the AMDGPU back end and exports LLVM's C interface, so a
machine without a GPU, ROCm or clang still tells what a lane executes. It is of the
version that wrote the IR, so nothing in the IR is unknown to it.

    amdgpu.py LIBLLVM FILE.ll CHIP FILE.s

Exits with 0; with 3 and a reason if this LLVM has no such back end; with 1 and LLVM's
message if it refuses the file.
"""

import ctypes
import sys

TRIPLE = b"amdgcn-amd-amdhsa"
NO_BACK_END = 3
# LLVM-C's enumerations: optimise fully, default relocations and code model, text.
AGGRESSIVE, DEFAULT_RELOCATION, DEFAULT_CODE_MODEL, ASSEMBLY = 3, 0, 0, 0
RETURN_STATUS = 2

POINTER, TEXT, NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
TO_POINTER, TO_TEXT = ctypes.POINTER(POINTER), ctypes.POINTER(TEXT)
INTERFACE = {
    "ContextCreate": (POINTER, []),
    "CreateMemoryBufferWithContentsOfFile": (NUMBER, [TEXT, TO_POINTER, TO_TEXT]),
    "ParseIRInContext": (NUMBER, [POINTER, POINTER, TO_POINTER, TO_TEXT]),
    "GetTargetFromTriple": (NUMBER, [TEXT, TO_POINTER, TO_TEXT]),
    "CreateTargetMachine": (POINTER, [POINTER, TEXT, TEXT, TEXT, NUMBER, NUMBER, NUMBER]),
    "CreateTargetDataLayout": (POINTER, [POINTER]),
    "SetModuleDataLayout": (None, [POINTER, POINTER]),
    "SetTarget": (None, [POINTER, TEXT]),
    "VerifyModule": (NUMBER, [POINTER, NUMBER, TO_TEXT]),
    "CreatePassBuilderOptions": (POINTER, []),
    "RunPasses": (POINTER, [POINTER, TEXT, POINTER, POINTER]),
    "GetErrorMessage": (TEXT, [POINTER]),
    "TargetMachineEmitToFile": (NUMBER, [POINTER, POINTER, TEXT, NUMBER, TO_TEXT]),
}


class Llvm:
    """The functions above; one that reports failure and a message ends the program."""

    def __init__(self, path):
        try:
            self.library = ctypes.CDLL(path)
            for part in ["TargetInfo", "Target", "TargetMC", "AsmPrinter"]:
                getattr(self.library, "LLVMInitializeAMDGPU" + part)()
            for name, (result, arguments) in INTERFACE.items():
                function = getattr(self.library, "LLVM" + name)
                function.restype, function.argtypes = result, arguments
        except (OSError, AttributeError) as error:
            print(error)
            sys.exit(NO_BACK_END)
        self.message = TEXT()

    def __getattr__(self, name):
        return getattr(self.library, "LLVM" + name)

    def made(self, name, *arguments):
        """Calls what returns its result by pointer."""
        result = POINTER()
        self.done(name, *arguments, ctypes.byref(result))
        return result

    def done(self, name, *arguments):
        """Calls what returns 0, or leaves a message."""
        if getattr(self, name)(*arguments, ctypes.byref(self.message)):
            sys.exit(f"{name}: {self.message.value.decode()}")


def main():
    libllvm, source, chip, target = sys.argv[1:]
    llvm = Llvm(libllvm)
    back_end = llvm.made("GetTargetFromTriple", TRIPLE)
    machine = llvm.CreateTargetMachine(
        back_end, TRIPLE, chip.encode(), b"", AGGRESSIVE, DEFAULT_RELOCATION, DEFAULT_CODE_MODEL
    )
    text = llvm.made("CreateMemoryBufferWithContentsOfFile", source.encode())
    module = llvm.made("ParseIRInContext", llvm.ContextCreate(), text)
    llvm.SetTarget(module, TRIPLE)
    llvm.SetModuleDataLayout(module, llvm.CreateTargetDataLayout(machine))
    llvm.done("VerifyModule", module, RETURN_STATUS)
    error = llvm.RunPasses(module, b"default<O3>", machine, llvm.CreatePassBuilderOptions())
    if error:
        sys.exit(f"RunPasses: {llvm.GetErrorMessage(error).decode()}")
    llvm.done("TargetMachineEmitToFile", machine, module, target.encode(), ASSEMBLY)


if __name__ == "__main__":
    main()
