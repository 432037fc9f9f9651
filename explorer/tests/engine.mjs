// The engine as WebAssembly against the native command line, and against itself built natively (a
// `usize` has 32 bits here and 64 there): the same file, the same JSON.
//
//   node tests/engine.mjs ENGINE.wasm TILEDESC TILEDESC-EXPLORER [COUNT]

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Engine } from "../web/engine.js";
import { program } from "./compiled.mjs";
import { inputs } from "./inputs.mjs";

const [wasm, tiledesc, explorer, count = "240"] = process.argv.slice(2);
const engine = new Engine(new WebAssembly.Module(readFileSync(wasm)));
const list = engine.json("list", "");
const seen = { 0: 0, 1: 0, 2: 0 };
let micros = 0, others = 0;

function same(question, text, program, words) {
    const native = spawnSync(program, words, { input: text, encoding: "utf8" });
    if (native.error) throw native.error;
    const before = performance.now();
    const here = engine.ask(question, text);
    const after = performance.now();
    if (here.out !== native.stdout || here.err !== native.stderr || here.status !== native.status) {
        console.error(`${question}\n${text}\nnative ${native.status}: ${native.stdout}${native.stderr}\nhere ${here.status}: ${here.out}${here.err}`);
        process.exit(1);
    }
    return { here, took: (after - before) * 1000 };
}

for (const [i, text] of inputs(list, Number(count)).entries()) {
    const { here, took } = same("check", text, tiledesc, ["check", "--format", "json", "-"]);
    seen[here.status]++;
    micros += took;
    if (i % 6) continue;
    for (const question of ["tile", "tile 0 1", "find", `heat chip ${list.chips[i % list.chips.length].name}`, "heat by row-major", "code"]) {
        same(question, text, explorer, question.split(" "));
        others++;
    }
}
for (const name of ["attention-gfx942.amdgcn", "transpose-gfx1100.amdgcn", "gemm-sm_90.ptx", "gemm-sm_120.sass"]) {
    const text = program(name);
    for (const question of ["audit", "audit kernel=0 line=2 block=256", "better", "audit line=x"]) {
        same(question, text, explorer, question.split(" "));
        same(question, text.slice(0, text.length / 2), explorer, question.split(" "));
        others += 2;
    }
}
if (Object.values(seen).some((n) => n === 0)) {
    console.error("free, conflicts and faults must all occur:", seen);
    process.exit(1);
}
console.log(`${count} files, the same JSON: ${seen[0]} free, ${seen[1]} with conflicts, ${seen[2]} refused; ${others} other answers; ${Math.round(micros / Number(count))} us each`);
