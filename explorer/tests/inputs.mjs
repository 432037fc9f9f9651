// Files to ask: recipes, notations, chips, instructions and patterns in all manner of mixtures, some
// of them wrong. The engine's own list says what there is, so that nothing is left out by hand.

// Numbers in a fixed order: the same files on each machine.
function* numbers(seed) {
    for (;;) {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        yield seed >>> 8;
    }
}

const STRIDES = [[64, 1], [65, 1], [72, 1], [80, 1], [1, 128], [68, 1]];

const TEXTS = [
    'cute = "Sw<3,3,3> o 0 o (128,64):(64,1)"\nunit = "elements"',
    'cute = "Sw<3,4,3> o 0 o (128,64):(64,1)"\nunit = "bytes"',
    'cute = "(128,64):(1,128)"',
    "triton = { vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0] }",
    "ck = { kpack = 8, mldslayer = 1 }",
    'stages = "packed [128, 8, 8]; xor[128, 8] (0, 1) -> (0, 1), pass[8] (2) -> (2); pass[128] (0) -> (0), merge[8, 8] (1, 2) -> (1);"',
];

// Patterns that more than one instruction takes; the others come too, once in eight.
const COMMON = ["row-major", "mfma-rows 16", "mfma-rows 32", "diagonal", "strided 16", "wmma-rows 16", "first mfma-rows 16"];

export function inputs(list, count) {
    const random = numbers(20);
    const below = (n) => random.next().value % n;
    const one = (items) => items[below(items.length)];
    const layout = () => {
        const kind = below(4);
        if (kind === 0) return `strides = [${one(STRIDES).join(", ")}]`;
        if (kind === 1) return one(TEXTS);
        const bits = `recipe = "gemm-xor-bits"\nkpack = 8\nmldslayer = 1\nmasks = [${[1, 2, 4].map(() => below(8)).join(", ")}]`;
        const packs = `recipe = "linear-packs"\nkpack = 8\ncolumns = [1, 2, 4, ${[8, 16, 32].map((place) => place + below(8)).join(", ")}]`;
        return one([
            'recipe = "gemm-xor"\nkpack = 8', 'recipe = "gemm-xor-64"\nkpack = 8', 'recipe = "row-major"', bits, packs,
            `recipe = "row-pad"\npadding = ${8 * below(6)}`, `recipe = "row-pad"\npadding = ${below(40)}`,
            `recipe = "gemm-xor-layer"\nkpack = 8\nmldslayer = ${one([1, 2, 4])}`,
        ]);
    };
    const by = () => {
        if (below(8)) return one(COMMON);
        const pattern = one(list.patterns);
        return pattern.parameter ? `${pattern.name} ${one([8, 16, 32, 64])}` : pattern.name;
    };
    const files = [];
    for (let i = 0; i < count; i++) {
        const chip = list.chips[i % list.chips.length], element = one(["f16", "f16", "bf16", "f32", "f8"]);
        const lines = { read: [], write: [] };
        const rows = below(8) ? chip.rows.filter((row) => /b(32|64|128)$/.test(row.op)) : chip.rows;
        for (let n = 1 + below(2); n > 0; n--) {
            const row = one(rows);
            lines[row.access].push(`{ op = "${row.op}", by = "${by()}", times = ${1 + below(4)} }`);
        }
        const accesses = Object.entries(lines).filter(([, each]) => each.length).map(([key, each]) => `${key} = [${each.join(", ")}]`);
        // Of fifty files one is of a version that is not read.
        const version = i % 50 === 49 ? 2 : 1;
        files.push([
            `version = ${version}`, `chips = ["${chip.name}"]`, "[tile.A]", `element = "${element}"`,
            "shape = { m = 128, k = 64 }", layout(), ...accesses, "",
        ].join("\n"));
    }
    return files;
}
