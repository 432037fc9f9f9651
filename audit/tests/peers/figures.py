"""python figures.py peers.cubin: each kernel's accesses as cuxray judges them, one a line; nvdisasm is on the path."""
import subprocess, sys
import cuxray
from cuxray.parse import sass

BLOCKS = {"turned": (32, 32, 1), "padded": (32, 32, 1), "swizzled": (32, 32, 1), "product": (16, 16, 1), "window": (16, 4, 1),
          "ragged": (40, 2, 1), "four": (32, 1, 1), "half": (32, 1, 1), "second": (32, 1, 1), "pairs": (32, 1, 1),
          "doubles": (32, 1, 1), "pitch": (32, 1, 1), "matrices": (32, 1, 1), "xored": (32, 1, 1), "copied": (32, 1, 1)}

print("# cuxray", cuxray.__version__)
text = subprocess.run(["nvdisasm", "-c", "-gi", sys.argv[1]], capture_output=True, text=True, check=True).stdout
for name, function in sorted(sass.parse_gi(text).functions.items()):
    block = BLOCKS.get(name, (64, 1, 1))
    found = cuxray.analyze_accesses(function, block)
    for one in sorted(found["accesses"] + found["unanalyzed"], key=lambda one: (int(str(one["addr"]), 0), one.get("space", ""))):
        if "sectors_worst" in one:
            said = "{sectors_best}-{sectors_worst}/{sectors_ideal}".format(**one)
        else:
            said = one.get("conflict_ways", "unknown")
        print(name, ",".join(map(str, block)), format(int(str(one["addr"]), 0), "04x"), one["opcode"], one.get("space", "-"), said)
