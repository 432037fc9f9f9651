// The page in headless Chromium: it says what the native command line says, keeps its state in its
// address, answers to pointer, finger and keys alike, and asks nobody anything.
//
//   node tests/browser.mjs PAGE.html TILEDESC CHROMIUM [COUNT [FOLDER]]
//   node tests/browser.mjs native:TILEDESC-EXPLORER TILEDESC CHROMIUM [COUNT [FOLDER]]     without a WebAssembly engine
//
// Screenshots at two widths, light and dark, go to FOLDER.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { compiled_tests } from "./compiled.mjs";
import { inputs } from "./inputs.mjs";
import { serve } from "./native.mjs";

const [path, tiledesc, executablePath, count = "240", folder] = process.argv.slice(2);
const is_native = path.startsWith("native:");
const address = is_native ? await serve(path.slice("native:".length)) : pathToFileURL(resolve(path)).href;
const DESKTOP = { width: 1280, height: 900 }, PHONE = { width: 390, height: 844 };

// Its profile is a new folder, which goes with it.
const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const mouse = await browser.newContext(), fingers = await browser.newContext({ hasTouch: true, viewport: PHONE });
const wrong = [], asked = new Set();

// What only the native engine's requests bring.
function is_of_native(text) {
    return is_native && (text.startsWith(`${address}ask?`) || text.includes("Synchronous XMLHttpRequest"));
}

async function open(fragment = "", { viewport = DESKTOP, colorScheme = "light", context = mouse } = {}) {
    const page = await context.newPage();
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && !is_of_native(message.text()) && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(error.stack));
    page.on("request", (request) => is_of_native(request.url()) || asked.add(request.url().split("#")[0]));
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(address + fragment);
    await settled(page);
    return page;
}

// Waits until everything is of the state that the controls show.
async function settled(page) {
    await page.waitForFunction(() => globalThis.tiledesc?.app.done, undefined, { timeout: 30000 });
}

const text = (page, selector) => page.locator(selector).textContent();

function native(file, ...words) {
    const told = spawnSync(tiledesc, [...words, "-"], { input: file, encoding: "utf8" });
    if (told.error) throw told.error;
    return told;
}

// What the page says must be what the command line says of the file that the page shows.
async function agrees(page) {
    await settled(page);
    const file = await text(page, "#file"), told = native(file, "check", "--format", "json");
    const report = JSON.parse(told.stdout), said = await text(page, "#line");
    if (report.status === 2) {
        const faults = await page.locator("#faults li").allTextContents();
        assert.deepEqual(faults, report.faults.map((fault) => `line ${fault.line}: ${fault.message}`), file);
        return { file, report };
    }
    const access = report.tiles[0].accesses[await page.evaluate(() => tiledesc.app.state.view.access)];
    if (access) {
        assert.ok(said.endsWith(access.sentence) || said.includes(`  ${access.sentence}`), `${file}\n${said}\n${access.sentence}`);
        assert.equal(await text(page, "#verdict-note"), access.unwritten ? `note: ${access.unwritten.sentence}` : "", file);
        const facts = await text(page, "#facts");
        for (const [name, value] of Object.entries(access.counters).filter(([name]) => name.startsWith("sq_"))) {
            assert.ok(facts.includes(`${name.toUpperCase()}${value}`), `${facts}: ${name} ${value}`);
        }
    }
    return { file, report, access };
}

const tests = {
    async "every file has the verdict of the command line"() {
        const page = await open();
        const files = inputs(await page.evaluate(() => tiledesc.app.list), Number(count));
        const here = await page.evaluate((files) => files.map((file) => tiledesc.engine.ask("check", file)), files);
        files.forEach((file, i) => {
            const { stdout, stderr, status } = native(file, "check", "--format", "json");
            assert.deepEqual(here[i], { out: stdout, err: stderr, status }, file);
        });
        assert.deepEqual([...new Set(here.map((one) => one.status))].sort(), [0, 1, 2]);
        return `${count} files`;
    },

    async "a drag changes the verdict to what the command line says"() {
        const page = await open(), seen = new Map();
        const box = await page.locator('[data-name="padding"]').boundingBox();
        const middle = box.y + box.height / 2;
        await page.mouse.move(box.x + 8, middle);
        await page.mouse.down();
        for (let i = 0; i <= 16; i++) {
            await page.mouse.move(box.x + 8 + ((box.width - 16) * i) / 16, middle);
            const { access, report } = await agrees(page);
            const padding = /padding = (\d+)/.exec(await text(page, "#file"))[1];
            seen.set(padding, access?.degree ?? `refused ${report.faults.length}`);
        }
        await page.mouse.up();
        const degrees = new Set(seen.values());
        assert.ok(seen.size > 12, `the slider stood at ${[...seen.keys()]}`);
        assert.ok(degrees.has(1) && degrees.has(4), `degrees ${[...degrees]}`);
        return [...seen].map(([pad, degree]) => `${pad}: ${degree}`).join(", ");
    },

    async "every recipe, notation and chip is taken"() {
        const page = await open();
        const choose = async (name, value) => {
            await page.locator(`[data-name="${name}"]`).selectOption(value);
            return agrees(page);
        };
        const { recipes, chips } = await page.evaluate(() => tiledesc.app.list);
        let judged = 0;
        for (const { name } of recipes) {
            const { report } = await choose("recipe", name);
            // Some do not fit the accesses, and none has a wrong number.
            for (const { message } of report.faults) assert.ok(!/is not given|unknown key|has no dimension/.test(message), `${name}: ${message}`);
            judged += report.faults.length ? 0 : 1;
        }
        assert.ok(judged > recipes.length / 2, `${judged} of ${recipes.length} recipes take the first accesses`);
        for (const notation of ["strides", "cute", "triton", "ck", "stages", "recipe"]) {
            const { report } = await choose("notation", notation);
            assert.deepEqual(report.faults, [], notation);
        }
        const { file } = await choose("by", "");
        assert.match(file, /by = "m \[again 8, row 16\], k \[step 2, part 4, pack 8\]; lane/);
        assert.match(await text(page, "#line"), /-way|free/);
        assert.equal(await page.locator("#step").getAttribute("max"), "15");
        await choose("by", "mfma-rows");
        for (const { name } of chips) assert.equal((await choose("chip", name)).report.tiles[0]?.accesses[0].chip, name);
        return `${recipes.length} recipes, of which ${judged} take the first accesses; ${chips.length} chips`;
    },

    async "the address holds the whole state"() {
        const page = await open();
        await page.locator('[data-name="recipe"]').selectOption("gemm-xor-bits");
        await page.locator('[data-name="masks"]').fill("[1, 2, 5]");
        await page.locator("#label-choice").selectOption("lane");
        await page.locator('#lanes [data-cell="160"]').click();
        await agrees(page);
        const state = (page) => page.evaluate(() => tiledesc.app.state);
        const [fragment, said] = [new URL(page.url()).hash, await text(page, "#say")];
        assert.match(fragment, /^#version=1&/);
        const other = await open(fragment);
        assert.deepEqual(await state(other), await state(page));
        assert.equal(await text(other, "#file"), await text(page, "#file"));
        assert.equal(await text(other, "#say"), said);
        assert.match(said, /^lane 5 reads/);
        assert.equal(new URL(other.url()).hash, fragment);
        const both = await open(fragment.replace("chips=[%22gfx942%22]", "chips=[%22gfx942%22,%22gfx950%22]"));
        await both.locator("#accesses button").nth(3).click();
        await settled(both);
        assert.match(await text(both, "#line"), /^gfx950 ds_read_b128 mfma-rows 16 /);
        assert.match(await text(both, "#file"), /"gfx942", "gfx950"/);
        const newer = await open(fragment.replace("version=1", "version=2"));
        assert.match(await text(newer, "#address"), /version 2: this page reads version 1/);
        const broken = await open("#version=1&shape={m=");
        assert.match(await text(broken, "#address"), /Cannot read the address/);
    },

    async "Back goes to the tile before, Forward to the one after"() {
        const page = await open(), first = await text(page, "#file");
        await page.locator('[data-name="recipe"]').selectOption("gemm-xor");
        const { file: second } = await agrees(page);
        assert.notEqual(second, first);
        // Another view of a tile is no entry of its own.
        await page.locator("#label-choice").selectOption("lane");
        await settled(page);
        const shows = async (file) => {
            await page.waitForFunction((file) => document.querySelector("#file").textContent === file, file);
            assert.equal((await agrees(page)).file, file);
        };
        await page.goBack();
        await shows(first);
        await page.goForward();
        await shows(second);
        assert.equal(await page.locator("#label-choice").inputValue(), "lane");
    },

    async "all tabs show one layout, in every language"() {
        const page = await open(), languages = JSON.parse(spawnSync(tiledesc, ["list", "languages", "--json"], { encoding: "utf8" }).stdout);
        const tabs = await page.locator("#languages button").allTextContents();
        for (const one of languages) assert.ok(tabs.includes(one.language.replace("plain ", "")), `${tabs} without ${one.language}`);
        await page.locator("#languages button", { hasText: /^rust$/ }).click();
        await settled(page);
        assert.match(await text(page, "#code"), /It has conflicts[^]*(RowMajor|RowPad|packed)/);
    },

    async "tiles of other ranks, widths and instructions are drawn"() {
        let drawn = 0;
        for (const [chip, element, layout, access, op, by] of [
            ["gfx942", "f4", "shape={m=32,k=128}&strides=[128,1]", "read", "ds_read_b128", "mfma-rows 16"],
            ["gfx950", "f6", "shape={m=32,k=64}&strides=[64,1]", "read", "ds_read_b96_tr_b6", "row-major"],
            ["gfx942", "f64", "shape={m=32,k=16}&strides=[17,1]", "write", "ds_write_b64", "row-major"],
            ["gfx942", "f32", "shape={m=64,k=128}&strides=[128,1]", "read", "ds_read2_b32(0, 64)", "first mfma-rows 16"],
            ["sm_90", "f16", "shape={m=64,k=64}&strides=[72,1]", "read", "ldmatrix.x4", "ldmatrix-rows 16"],
            ["gfx942", "f16", "shape={a=4,b=16,c=64}&strides=[1024,64,1]", "read", "ds_read_b64", "row-major"],
            ["gfx942", "f16", "shape={k=64}&strides=[1]", "read", "ds_read_u16", "row-major"],
            ["gfx942", "f16", "shape={m=16,k=64}&strides=[0,1]&may_overlap=true", "read", "ds_read_b64", "mfma-rows 16"],
        ]) {
            const access_words = encodeURIComponent(`[{ op = "${op}", by = "${by}" }]`);
            const page = await open(`#version=1&chips=["${chip}"]&element="${element}"&${layout}&${access}=${access_words}&view={access=0}`);
            const { access: judged, file } = await agrees(page);
            // The fullest bank of the picture is as full as the verdict says.
            const most = await page.evaluate(() => Math.max(...[...document.querySelectorAll("#phases td")].map((cell) => Number(cell.textContent) || 0)));
            assert.equal(most, judged.degree, file);
            for (const grid of ["tile", "memory", "lanes"]) {
                await page.locator(`#${grid} [data-cell="0"]`).focus();
                assert.ok((await text(page, "#say")).length > 10, `${grid} of ${file}`);
            }
            await page.close();
            drawn++;
        }
        return `${drawn} tiles`;
    },

    async "a tile that is refused is said, and does not stay"() {
        const page = await open("#version=1&chips=[%22gfx942%22]&element=%22f16%22&shape={m=128,k=60}&recipe=%22gemm-xor%22&kpack=8");
        assert.equal(await text(page, "#ruling"), "✕ refused");
        assert.match(await text(page, "#faults"), /k = 60 is not a multiple of KPack = 8/);
        assert.equal(await page.locator("#tile").isVisible(), false);
        await page.locator('[data-name="shape k number"]').fill("64");
        await agrees(page);
        assert.equal(await page.locator("#tile").isVisible(), true);
        await page.locator('[data-name="shape k number"]').fill("0");
        const { report } = await agrees(page);
        assert.equal(report.status, 2);
        assert.equal(await page.locator("#stale").isVisible(), true);
    },

    async "hover, focus and tap say the same, and a click pins"() {
        const page = await open();
        for (const grid of ["tile", "memory", "phases", "lanes", "heat", "bits"]) {
            const cell = page.locator(`#${grid} [data-cell="2"]`);
            await cell.hover();
            const hovered = await text(page, "#say");
            await page.mouse.move(2, 2);
            await cell.focus();
            assert.equal(await text(page, "#say"), hovered, grid);
            assert.ok(hovered.length > 10 && !hovered.startsWith("Point"), `${grid}: ${hovered}`);
        }
        await page.locator('#tile [data-cell="9"]').click();
        await page.mouse.move(2, 2);
        await page.locator("#theme").focus();
        assert.match(await text(page, "#say"), /^\(1, 8\)/);
        const marked = await page.evaluate(() => ["tile", "memory", "lanes", "phases"].map((id) => document.querySelectorAll(`#${id} .marked`).length));
        assert.ok(marked.every((n) => n > 0), `marked ${marked}`);
        await page.keyboard.press("Escape");
        assert.equal(await page.locator(".marked").count(), 0);
        const cell = page.locator('#tile [data-cell="3"]');
        await cell.hover();
        const hovered = await text(page, "#say");
        const phone = await open("", { viewport: PHONE, context: fingers });
        await phone.locator('#tile [data-cell="3"]').tap();
        assert.equal(await text(phone, "#say"), hovered);
        assert.match(await phone.evaluate(() => tiledesc.app.state.view.pin), /^byte 48 /);
    },

    async "keys move through cells and phases"() {
        const page = await open();
        const cell = () => page.evaluate(() => document.activeElement.dataset.cell);
        await page.locator('#tile [tabindex="0"]').focus();
        assert.equal(await cell(), "0");
        for (const [key, at] of [["ArrowRight", "1"], ["ArrowDown", "9"], ["ArrowLeft", "8"], ["End", "15"], ["Home", "8"], ["ArrowUp", "0"], ["ArrowUp", "0"], ["PageDown", "64"]]) {
            await page.keyboard.press(key);
            assert.equal(await cell(), at, key);
        }
        await page.keyboard.press("Enter");
        assert.match(await page.evaluate(() => tiledesc.app.state.view.pin), /^byte 1024 /);
        const phases = [];
        for (const key of ["]", "]", "["]) {
            await page.keyboard.press(key);
            await page.evaluate(() => tiledesc.app.leave());
            phases.push((await text(page, "#say")).split(" ").slice(0, 2).join(" "));
        }
        assert.deepEqual(phases, ["phase 0", "phase 1", "phase 0"]);
        assert.equal(await page.locator('#tile [role="grid"], #tile[role="grid"]').count(), 1);
        assert.equal(await page.locator('#tile [tabindex="0"]').count(), 1);
        // Of 8192 cells a canvas, with one real cell.
        await page.locator("#cell-choice").selectOption("element");
        await settled(page);
        assert.equal(await page.locator("#tile canvas").count(), 1);
        await page.locator("#tile .cursor").focus();
        await page.keyboard.press("Home");
        await page.keyboard.press("ArrowRight");
        assert.match(await text(page, "#say"), /, 1\), offset/);
        for (const [x, y, say] of [[45, 25, /^\(1, 1\), offset 65, /], [75, 25, /^\(1, 2\), offset 66, /]]) {
            await page.locator("#tile canvas").hover({ position: { x, y } });
            assert.match(await text(page, "#say"), say);
        }
    },

    async "a click takes another layout, another access, another instruction"() {
        const page = await open();
        await page.locator("#found button").first().click();
        const { access } = await agrees(page);
        assert.equal(access.degree, 1);
        const before = await text(page, "#file");
        await page.locator("#heat td.act.hatch").first().click();
        const { file, access: other } = await agrees(page);
        assert.notEqual(file, before);
        assert.ok(other.degree > 1);
        await page.locator('[data-name="words"]').fill("row-major");
        const { report } = await agrees(page);
        assert.ok(Number(await page.locator("#step").getAttribute("max")) > 0, JSON.stringify(report.faults));
        await page.locator("#step").fill("3");
        await settled(page);
        assert.match(await text(page, "#step-words"), /^instruction 3 of/);
    },

    async "the heat map is the command line's"() {
        const page = await open();
        const file = await text(page, "#file");
        const cells = await page.evaluate((file) => ["heat chip gfx942", "heat chip sm_90", "heat by mfma-rows 16"].flatMap((ask) => tiledesc.engine.json(ask, file).cells), file);
        const judged = cells.filter((cell) => cell.degree !== undefined), some = judged.filter((_, i) => i % Math.ceil(judged.length / 60) === 0);
        for (const cell of some) {
            const lines = file.split("\n").filter((line) => !/^(read|write|chips)/.test(line));
            const asked = [lines[0], `chips = ["${cell.chip}"]`, ...lines.slice(1), `${cell.access} = [{ op = "${cell.op}", by = "${cell.by}" }]`].join("\n");
            const [access] = JSON.parse(native(asked, "check", "--format", "json").stdout).tiles[0].accesses;
            assert.equal(access.worst_degree, cell.degree, asked);
            assert.equal(access.ruling === "races", cell.race, asked);
        }
        return `${some.length} of ${judged.length} cells`;
    },

    ...compiled_tests({ open, settled, text, tiledesc }),

    async "words stand out by 4.5, and nothing is wider than the page"() {
        let least = 21;
        for (const viewport of [DESKTOP, PHONE]) {
            for (const colorScheme of ["light", "dark"]) {
                const page = await open("", { viewport, colorScheme });
                const { width, contrast, where, columns } = await page.evaluate(measure);
                assert.ok(width <= viewport.width, `${width} pixels at ${viewport.width}`);
                assert.ok(contrast >= 4.5, `${contrast} of ${where} in ${colorScheme}`);
                assert.equal(columns, viewport === PHONE ? 1 : 2);
                least = Math.min(least, contrast);
                if (folder) await page.screenshot({ path: join(folder, `${viewport.width}-${colorScheme}.png`), fullPage: true });
                await page.locator("#subject-kernel").click();
                await page.locator("#example").click();
                await page.waitForFunction(() => tiledesc.app.compiled.text);
                await settled(page);
                await page.locator("#look").click();
                const kernel = await page.evaluate(measure);
                assert.ok(kernel.width <= viewport.width, `${kernel.width} pixels at ${viewport.width}, of a compiled kernel`);
                assert.ok(kernel.contrast >= 4.5, `${kernel.contrast} of ${kernel.where} in ${colorScheme}`);
                least = Math.min(least, kernel.contrast);
                if (folder) await page.screenshot({ path: join(folder, `${viewport.width}-${colorScheme}-kernel.png`), fullPage: true });
                await page.locator("#theme").click();
                const other = await page.evaluate(measure);
                assert.ok(other.contrast >= 4.5, `${other.contrast} of ${other.where} after the button`);
                await page.close();
            }
        }
        return `at least ${least.toFixed(1)}`;
    },

    async "nothing is asked of anybody, and nothing is wrong"() {
        assert.deepEqual([...asked], [address]);
        assert.deepEqual(wrong, []);
    },
};

// In the page: the widest thing, the least contrast of any words, and the columns of panels.
function measure() {
    const parse = (colour) => {
        const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
        return [r, g, b, a];
    };
    const luminance = ([r, g, b]) => {
        const line = (c) => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * line(r) + 0.7152 * line(g) + 0.0722 * line(b);
    };
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour[3] === 1) return colour;
        }
        return [255, 255, 255, 1];
    };
    let [contrast, where] = [21, ""];
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!own || !element.checkVisibility() || element.closest("script, option")) continue;
        const style = getComputedStyle(element);
        const [a, b] = [luminance(parse(element.closest("svg") ? style.fill : style.color)), luminance(behind(element))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < contrast) [contrast, where] = [ratio, `${element.tagName} ${element.className} ${element.textContent.slice(0, 30)}`];
    }
    const columns = getComputedStyle(document.querySelector("main")).gridTemplateColumns.split(" ").length;
    return { width: document.documentElement.scrollWidth, contrast, where, columns };
}

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
    const started = performance.now();
    try {
        const said = await test();
        console.log(`ok ${name}${said ? `: ${said}` : ""} (${Math.round(performance.now() - started)} ms)`);
    } catch (error) {
        failed++;
        console.error(`not ok ${name}\n${error.stack}`);
    }
    for (const page of [...mouse.pages(), ...fingers.pages()]) await page.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
