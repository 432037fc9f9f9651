// The page's tests of compiled kernels: what it says must be what `tiledesc audit` says of the same text.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

// A program that the audit's own tests hold.
export function program(name) {
    const folder = name.endsWith(".sass") ? "sass" : "data";
    return gunzipSync(readFileSync(new URL(`../../audit/tests/${folder}/${name}.gz`, import.meta.url))).toString();
}

// A kernel of 32 threads whose stores are 32-way: thread t writes at byte 128 t. Its block is not stated.
const COLUMN = (name) => `.version 8.0
.target sm_90
.address_size 64
.visible .entry ${name}()
{
.reg .b32 %r<4>;
.shared .align 16 .b8 memory[4096];
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 7;
mov.u32 %r3, memory;
add.s32 %r2, %r3, %r2;
st.shared.b32 [%r2], %r1;
ret;
}
`;
const HEAD = /^(?:\.\w+ .*\n)+?(?=\.visible)/;

export function compiled_tests({ open, settled, text, tiledesc }) {
    const audit = (source, ...words) => {
        const told = spawnSync(tiledesc, ["audit", "-", "--format", "json", ...words], { input: source, encoding: "utf8" });
        if (told.error) throw told.error;
        return JSON.parse(told.stdout).files[0];
    };
    // The page's list of accesses, row by row.
    const rows = (page) => page.locator("#accesses-found tr").evaluateAll((all) => all.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)));
    const row = (one) => [one.place, one.opcode, `${one.lines.length}`, one.loops ? `${one.loops}` : "–", ...(one.degree === null ? ["–", "–"] : [`${one.cycles}`, `${one.cycles_without_conflicts}`]), one.found];
    const agrees = async (page, source, ...words) => {
        await settled(page);
        const { kernels: [kernel] } = audit(source, ...words);
        assert.equal(await text(page, "#head"), `${kernel.kernel}.`);
        assert.equal(await text(page, "#sum"), `${kernel.sum}.`);
        assert.deepEqual(await rows(page), kernel.instructions.map(row));
        // What bounds the dearest loops, and what no barrier orders.
        const notes = [...kernel.bounds.slice(0, 3), ...kernel.unordered].map((one) => `${one.sentence}.`);
        assert.deepEqual(await page.locator("#notes li").allTextContents(), notes);
        return kernel;
    };
    const paste = async (page, source) => {
        await page.locator("#paste").fill(source);
        await page.waitForFunction((length) => tiledesc.app.compiled.text.length === length, source.length);
        await settled(page);
    };
    const degrees = (page) => page.locator("#phases th[scope=row]").allTextContents();

    return {
        async "a compiled kernel is listed as by the command line, and each access is shown"() {
            const page = await open(), source = program("attention-gfx942.amdgcn");
            await page.locator("#subject-kernel").click();
            assert.equal(await text(page, "#ruling-now"), "no text");
            await page.locator("#example").click();
            await page.waitForFunction(() => tiledesc.app.compiled.text);
            const kernel = await agrees(page, source);
            assert.equal(await text(page, "#kernel-ruling"), "✕ 16-way");
            // The first of the highest degree comes first, and another by its button.
            const worst = kernel.instructions.findIndex((one) => one.degree === 16);
            assert.deepEqual(new Set((await degrees(page)).map((one) => one.split(": ")[1])), new Set(["16-way"]));
            const at = async () => page.locator("#listing mark").textContent();
            assert.match(await at(), new RegExp(`^ *${kernel.instructions[worst].lines[0]}  .*ds_read2_b64`));
            for (const [i, one] of kernel.instructions.entries()) {
                await page.locator("#accesses-found button").nth(i).click();
                await settled(page);
                assert.match(await at(), new RegExp(`^ *${one.lines[0]}  .*${one.opcode}`));
                assert.equal(await page.locator("#phases-panel").isVisible(), one.degree !== null, one.opcode);
                if (one.degree === null) continue;
                const shown = Math.max(...(await degrees(page)).map((words) => (words.endsWith("free") ? 1 : words.endsWith("idle") ? 0 : parseInt(words.split(": ")[1]))));
                assert.equal(shown, one.degree, `${one.opcode} of ${one.place}`);
            }
            // Two lanes that meet are framed, and name each other.
            await page.locator("#accesses-found button").nth(worst).click();
            await settled(page);
            await page.locator("#lanes .frame").first().hover();
            assert.match(await text(page, "#say"), /^lane 0 reads byte 0, banks .*; meets lanes 1-15$/);
            assert.equal(await page.locator("#lanes tr:has(.frame)").count(), 2);
            return `${kernel.instructions.length} lines`;
        },

        async "what would be better is what the command line says"() {
            const page = await open("#kernel");
            await page.locator("#example").click();
            await page.waitForFunction(() => tiledesc.app.compiled.text);
            await settled(page);
            await page.locator("#look").click();
            const { kernels: [kernel] } = audit(program("attention-gfx942.amdgcn"));
            assert.deepEqual(await page.locator("#better li").allTextContents(), kernel.better.map((one) => `${one.found}.`.replaceAll("`", "")));
            assert.equal(kernel.better.length, 2);
        },

        async "text comes by paste, file and drop, and a fault is a sentence"() {
            const page = await open("#kernel"), source = program("transpose-gfx950.amdgcn");
            await paste(page, source);
            await agrees(page, source);
            await page.locator("#open").setInputFiles({ name: "gemm.ptx", mimeType: "text/plain", buffer: Buffer.from(program("gemm-sm_80.ptx")) });
            await page.waitForFunction(() => tiledesc.app.compiled.name === "gemm.ptx");
            const kernel = await agrees(page, program("gemm-sm_80.ptx"));
            assert.match(await text(page, "#text-name"), /^gemm\.ptx: [\d,]+ lines\.$/);
            assert.equal(await text(page, "#kernel-ruling"), "✓ free");
            assert.equal(kernel.worst_degree, 1);
            await page.evaluate((source) => {
                const data = new DataTransfer();
                data.items.add(new File([source], "column.ptx"));
                document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
            }, COLUMN("column"));
            await page.waitForFunction(() => tiledesc.app.compiled.name === "column.ptx");
            await agrees(page, COLUMN("column"));
            await paste(page, program("gemm-sm_80.sass"));
            const listed = await agrees(page, program("gemm-sm_80.sass"));
            assert(listed.instructions.some((one) => one.opcode.startsWith("LDSM")), "no LDSM");
            for (const wrong of ["int main() { return 0; }", program("gemm-gfx90a.amdgcn").slice(0, 9000)]) {
                await paste(page, wrong);
                assert.equal(await text(page, "#kernel-fault"), audit(wrong).fault);
                assert.equal(await text(page, "#ruling-now"), "✕ refused");
                assert.equal(await page.locator("#lanes-panel, #listing-panel, #accesses-table").filter({ visible: true }).count(), 0);
            }
        },

        async "kernels, chip and block are chosen"() {
            const page = await open("#kernel");
            const two = COLUMN("first") + COLUMN("second").replace(HEAD, "").replace("%r1, 7", "%r1, 3");
            await paste(page, two);
            await agrees(page, two, "--kernel", "first");
            assert.equal(await text(page, "#kernel-ruling"), "? unknown");
            assert.equal(await page.locator("#phases-panel, #lanes-panel").filter({ visible: true }).count(), 0);
            const block = async (shape) => {
                await page.locator("#block").fill(shape);
                await page.locator("#block").press("Enter");
                await settled(page);
            };
            await block("32");
            await agrees(page, two, "--kernel", "first", "--block", "32");
            assert.equal(await text(page, "#kernel-ruling"), "✕ 32-way");
            // Where the word lies is not said before the kernel is loaded.
            await page.locator("#lanes .frame").first().hover();
            assert.match(await text(page, "#say"), /^lane 0 writes byte u \+ 0, /);
            assert.match(await text(page, "#shown-note"), /a number u that all lanes share/);
            await page.locator("#kernel").selectOption("second");
            await agrees(page, two, "--kernel", "second", "--block", "32");
            assert.equal(await text(page, "#kernel-ruling"), "✕ 2-way");
            await block("8, 4");
            await agrees(page, two, "--kernel", "second", "--block", "8,4");
            // Lanes of one x write one byte, and the same value.
            assert.equal(await text(page, "#kernel-ruling"), "✓ free");
            await page.locator("#chip-of-text").selectOption("sm_100");
            await agrees(page, two, "--kernel", "second", "--block", "8,4", "--chip", "sm_100");
            assert.match(await text(page, "#head"), /^second, sm_80, /);
            await block("0");
            assert.equal(await text(page, "#kernel-fault"), "a block has from 1 to 1024 lanes, but this one has 0");
        },

        async "the tile is as it was when its turn comes again, by button and by Back"() {
            const page = await open();
            await page.locator('[data-name="recipe"]').selectOption("gemm-xor");
            await settled(page);
            const file = await text(page, "#file"), line = await text(page, "#line");
            await page.locator("#subject-kernel").click();
            await settled(page);
            assert.equal(new URL(page.url()).hash, "#kernel");
            assert.equal(await page.locator("#tile, #file-panel, #controls").filter({ visible: true }).count(), 0);
            await page.goBack();
            await page.waitForFunction(() => !tiledesc.app.is_kernel());
            await settled(page);
            assert.deepEqual([await text(page, "#file"), await text(page, "#line")], [file, line]);
            await page.locator("#subject-kernel").click();
            await settled(page);
            await page.locator("#subject-tile").click();
            await settled(page);
            assert.equal(await text(page, "#file"), file);
            assert.equal(await page.locator("#tile, #lanes-panel, #phases-panel").filter({ visible: true }).count(), 3);
        },
    };
}
