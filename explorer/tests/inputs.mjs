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
    'cute = "Sw<3,3,3> o 0 o (128,64):(64,1)"',
    'cute = "(128,64):(1,128)"',
    'triton = { vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0] }',
    'ck = { kpack = 8, mldslayer = 1 }',
    'stages = "packed [128, 8, 8]; xor[128, 8] (0, 1) -> (0, 1), pass[8] (2) -> (2); pass[128] (0) -> (0), merge[8, 8] (1, 2) -> (1);"',
];

export function inputs(list, count) {
    const random = numbers(20);
    const below = (n) => random.next().value % n;
    const one = (items) => items[below(items.length)];
    const layout = () => {
        const kind = below(4);
        if (kind === 0) return `strides = [${one(STRIDES).join(", ")}]`;
        if (kind === 1) return one(TEXTS);
        const xor = ['recipe = "gemm-xor"\nkpack = 8', 'recipe = "gemm-xor-64"\nkpack = 8', 'recipe = "row-major"'];
        const pad = `recipe = "row-pad"\npadding = ${below(40)}`;
        const bits = `recipe = "gemm-xor-bits"\nkpack = 8\nmldslayer = 1\nmasks = [${[1, 2, 4].map(() => below(8)).join(", ")}]`;
        return one([...xor, pad, bits, `recipe = "gemm-xor-layer"\nkpack = 8\nmldslayer = ${one([1, 2, 4])}`]);
    };
    const by = () => {
        const pattern = one(list.patterns);
        return pattern.parameter ? `${pattern.name} ${one([8, 16, 32, 64])}` : pattern.name;
    };
    const files = [];
    for (let i = 0; i < count; i++) {
        const chip = list.chips[i % list.chips.length];
        const lines = { read: [], write: [] };
        for (let n = 1 + below(2); n > 0; n--) {
            const row = one(chip.rows);
            lines[row.access].push(`{ op = "${row.op}", by = "${by()}", times = ${1 + below(4)} }`);
        }
        const accesses = Object.entries(lines).filter(([, each]) => each.length).map(([key, each]) => `${key} = [${each.join(", ")}]`);
        const version = i % 50 === 49 ? 2 : 1;
        files.push([
            `version = ${version}`, `chips = ["${chip.name}"]`, "[tile.A]", `element = "${one(["f16", "f16", "bf16", "f32", "f8"])}"`,
            "shape = { m = 128, k = 64 }", layout(), ...accesses, "",
        ].join("\n"));
    }
    return files;
}
