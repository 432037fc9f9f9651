// The engine as WebAssembly against the native command line: the same file, the same JSON.
//
//   node tests/engine.mjs ENGINE.wasm TILEDESC [COUNT]

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Engine } from "../web/engine.js";
import { inputs } from "./inputs.mjs";

const [wasm, tiledesc, count = "240"] = process.argv.slice(2);
const engine = new Engine(new WebAssembly.Module(readFileSync(wasm)));
const list = engine.json("list", "");
const seen = { 0: 0, 1: 0, 2: 0 };
let micros = 0;
for (const text of inputs(list, Number(count))) {
    const native = spawnSync(tiledesc, ["check", "--format", "json", "-"], { input: text, encoding: "utf8" });
    const before = performance.now();
    const here = engine.ask("check", text);
    micros += (performance.now() - before) * 1000;
    if (here.out !== native.stdout || here.err !== native.stderr || here.status !== native.status) {
        console.error(`${text}\nnative ${native.status}: ${native.stdout}${native.stderr}\nhere ${here.status}: ${here.out}${here.err}`);
        process.exit(1);
    }
    seen[here.status]++;
}
if (Object.values(seen).some((n) => n === 0)) {
    console.error("free, conflicts and faults must all occur:", seen);
    process.exit(1);
}
console.log(`${count} files, the same JSON: ${seen[0]} free, ${seen[1]} with conflicts, ${seen[2]} refused; ${Math.round(micros / Number(count))} us each`);
