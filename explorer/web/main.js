// The page: one state, in the words of a file; the engine's answers to it; and one selection through
// all panels.

import { $ } from "./dom.js";
import { Engine } from "./engine.js";
import { file, fragment, of_fragment, words } from "./words.js";
import { Seen } from "./select.js";
import { hue_of } from "./grid.js";
import { Panels } from "./panels.js";
import { Controls, with_recipe } from "./controls.js";
import { bytes_of, Compiled } from "./compiled.js";

// The worked example of the book, with rows as they lie: 4-way. A step of -1 is the worst one.
const START = {
    chips: ["gfx942"],
    tile: {
        element: "f16", shape: { m: 128, k: 64 }, recipe: "row-pad", padding: 0,
        write: [{ op: "ds_write_b128", by: "row-major" }], read: [{ op: "ds_read_b128", by: "mfma-rows 16", times: 4 }],
    },
    view: { access: 1, chip: 0, step: -1, label: "offset", cell: "access", lines: "first", heat: "chip", code: "rust", pin: "" },
};

// The fragment of an address that shows a compiled kernel.
const KERNEL = "kernel";

// What stands where nothing is looked at.
const HINT = matchMedia("(hover: none)").matches
    ? "Tap a cell: what it is stands here."
    : "Point at a cell: what it is stands here. A click pins it, arrow keys move, [ and ] go through the phases.";

const copy = (value) => structuredClone(value);

class App {
    constructor(engine) {
        this.engine = engine;
        this.list = engine.json("list", "");
        this.state = copy(START);
        this.panels = new Panels(this);
        this.controls = new Controls($("controls"), this);
        this.compiled = new Compiled(this);
        this.subject = "tile";
        this.of_address();
        this.listen();
        this.written = this.shown_file();
        this.update();
    }

    // The words of the state.

    file() {
        return file(this.state);
    }

    tile() {
        return this.state.tile;
    }

    accesses() {
        const { write = [], read = [] } = this.state.tile;
        return [...write.map((one, at) => ({ key: "write", one, at })), ...read.map((one, at) => ({ key: "read", one, at }))];
    }

    set_tile(words) {
        this.put_tile({ ...this.state.tile, ...words });
    }

    put_tile(tile) {
        this.state.tile = tile;
        Object.assign(this.state.view, { step: -1, chip: Math.min(this.state.view.chip, this.state.chips.length - 1) });
        this.update();
    }

    set_view(words) {
        Object.assign(this.state.view, words);
        this.update();
    }

    // Another chip has other instructions: each access takes one of its kind and size.
    set_chip(name) {
        const [old, next] = [this.state.chips[0], name].map((wanted) => this.list.chips.find((chip) => chip.name === wanted));
        this.state.chips = [name];
        for (const { key, one } of this.accesses()) {
            if (next.rows.some((row) => row.op === one.op)) continue;
            const bytes = old?.rows.find((row) => row.op === one.op)?.bytes ?? 16;
            const same = next.rows.filter((row) => row.access === key);
            one.op = (same.find((row) => row.bytes === bytes) ?? same.at(-1)).op;
        }
        this.put_tile(copy(this.state.tile));
    }

    set_access(at, words) {
        const { key, at: place } = this.accesses()[at];
        const list = this.state.tile[key].with(place, { ...this.state.tile[key][place], ...words });
        this.set_tile({ [key]: list });
    }

    add_access(key) {
        const chip = this.list.chips.find((one) => one.name === this.state.chips[0]) ?? this.list.chips[0];
        const rows = chip.rows.filter((row) => row.access === key), row = rows.find((one) => one.bytes === 16) ?? rows[0];
        const list = [...(this.state.tile[key] ?? []), { op: row.op, by: key === "read" ? "mfma-rows 16" : "row-major" }];
        this.state.view.access = key === "write" ? list.length - 1 : (this.state.tile.write ?? []).length + list.length - 1;
        this.set_tile({ [key]: list });
    }

    remove_access(at) {
        const { key, at: place } = this.accesses()[at], tile = copy(this.state.tile);
        tile[key].splice(place, 1);
        if (!tile[key].length) delete tile[key];
        this.state.view.access = 0;
        this.put_tile(tile);
    }

    // A remedy, in the words of the file.
    take_layout(text) {
        const { element, shape, may_overlap, write, read } = this.state.tile;
        this.put_tile(Object.fromEntries(Object.entries({ element, shape, may_overlap, ...words(text), write, read }).filter(([, one]) => one !== undefined)));
    }

    // An access of the heat map, in place of the one that is shown.
    take_access(cell) {
        this.state.chips = [cell.chip];
        const tile = copy(this.state.tile), now = this.accesses()[this.state.view.access], others = this.list.chips.find((chip) => chip.name === cell.chip);
        if (now) {
            tile[now.key].splice(now.at, 1);
            if (!tile[now.key].length) delete tile[now.key];
        }
        (tile[cell.access] ??= []).push({ ...now?.one, op: cell.op, by: cell.by });
        for (const key of ["write", "read"]) {
            for (const one of tile[key] ?? []) {
                if (!others.rows.some((row) => row.op === one.op)) {
                    const same = others.rows.filter((row) => row.access === key);
                    one.op = (same.find((row) => row.bytes === 16) ?? same[0]).op;
                }
            }
        }
        this.state.view.access = (cell.access === "write" ? 0 : (tile.write ?? []).length) + tile[cell.access].length - 1;
        this.put_tile(tile);
    }

    // What is looked at: a tile, or a compiled kernel.

    is_kernel() {
        return this.subject === "kernel";
    }

    set_subject(name) {
        this.subject = name;
        this.update();
    }

    // The address. A compiled kernel's text has no room there, and stays in the page.

    of_address() {
        const text = location.hash.slice(1);
        $("address").textContent = "";
        this.subject = text === KERNEL ? "kernel" : "tile";
        if (!text || this.is_kernel()) return;
        try {
            this.state = of_fragment(text, START);
        } catch (error) {
            $("address").textContent = `Cannot read the address: ${error.message}. The page shows its first example.`;
            this.state = copy(START);
        }
    }

    // What is asked now, and what can wait until the hand rests.

    update() {
        this.done = false;
        this.show_subject();
        this.controls.show(this.state);
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.ask());
    }

    show_subject() {
        document.body.classList.toggle("kernel", this.is_kernel());
        for (const name of ["tile", "kernel"]) $(`subject-${name}`).setAttribute("aria-pressed", String(name === this.subject));
    }

    ask() {
        clearTimeout(this.later);
        if (this.is_kernel()) {
            this.compiled.ask();
            this.address();
            this.done = true;
        } else {
            this.ask_tile();
        }
    }

    ask_tile() {
        const { view } = this.state, text = this.file();
        const shown = this.order(view);
        const started = performance.now();
        let answer;
        try {
            answer = this.engine.json(`tile ${shown}${view.step >= 0 ? ` ${view.step}` : ""}`, text);
        } catch (error) {
            answer = { faults: [{ line: 0, message: error.message }] };
        }
        this.asked = performance.now() - started;
        document.body.classList.toggle("refused", Boolean(answer.faults));
        document.body.classList.toggle("never", !this.shown);
        $("stale").hidden = !answer.faults || !this.shown;
        for (const key of ["label", "cell"]) $(`${key}-choice`).value = view[key];
        $("lines-choice").checked = view.lines === "all";
        $("heat-choice").value = view.heat;
        if (answer.faults) {
            this.seen = null;
            this.panels.refuse(answer.faults);
        } else {
            this.seen = new Seen(answer);
            this.shown = true;
            this.panels.show(answer, this.seen, this.state);
            this.mark();
        }
        this.later = setTimeout(() => this.rest(text), 120);
    }

    // The engine lists accesses in the order of the file, each on each chip.
    order({ access, chip }) {
        return access * this.state.chips.length + chip;
    }

    // The hand rests: the address is written (browsers refuse hundreds of new ones a minute), and the
    // rest is asked.
    rest(text) {
        this.address();
        if (this.seen) this.ask_more(text);
        this.done = true;
    }

    // What an entry of the browser's history is of.
    shown_file() {
        return this.is_kernel() ? KERNEL : this.file();
    }

    // Another tile is another entry of the browser's history, so that Back goes back to the last one; another view of it is not.
    address() {
        const text = this.shown_file(), put = text === this.written ? "replaceState" : "pushState";
        try {
            history[put](null, "", `#${this.is_kernel() ? KERNEL : fragment(this.state)}`);
            this.written = text;
        } catch {
            // Too many; the next one comes through.
        }
    }

    ask_more(text) {
        try {
            this.show_more(text);
        } catch (error) {
            this.panels.refuse([{ line: 0, message: error.message }]);
        }
    }

    show_more(text) {
        if (this.accesses().length) {
            this.panels.show_found(this.engine.json("find", text));
            const { view, chips } = this.state, by = this.accesses()[view.access]?.one.by ?? "row-major";
            this.panels.show_heat(this.engine.json(view.heat === "by" ? `heat by ${by}` : `heat chip ${chips[0]}`, text), view.heat, this.state);
        }
        $("found-panel").hidden = !this.accesses().length;
        this.panels.show_code(this.engine.json("code", text), this.state.view.code);
    }

    // The selection: what a pointer, a focus or a tap is on; a click pins it.

    found(cell) {
        return (cell.pin && this.seen?.resolve(cell.pin)) || (cell.say ? { dwords: [], say: cell.say } : null);
    }

    look(cell) {
        const found = this.found(cell);
        if (found) this.say(found);
    }

    leave() {
        this.mark();
    }

    choose(cell) {
        if (cell.act) return cell.act();
        if (!cell.pin) return this.look(cell);
        this.pin(this.pinned().pin === cell.pin ? "" : cell.pin);
    }

    // What holds the pin.
    pinned() {
        return this.is_kernel() ? this.compiled : this.state.view;
    }

    pin(pin) {
        this.pinned().pin = pin;
        this.address();
        this.mark();
    }

    // Shows what is pinned, or nothing.
    mark() {
        const { pin } = this.pinned(), found = pin ? this.found({ pin }) : null;
        this.say(found ?? { dwords: [], say: "" }, Boolean(found));
    }

    say({ dwords, say }, pinned = false) {
        for (const grid of this.panels.linked()) grid.mark(dwords);
        $("say").textContent = say || HINT;
        $("unpin").hidden = !pinned;
    }

    step_phase(by) {
        const count = this.seen?.phases.length ?? 0;
        if (!count) return;
        const [, now] = /^phase (\d+)/.exec(this.pinned().pin) ?? [];
        const next = now === undefined ? (by > 0 ? 0 : count - 1) : (Number(now) + by + count) % count;
        this.pin(`phase ${next}`);
    }

    listen() {
        // Back and Forward, too: the entry is there already.
        addEventListener("hashchange", () => {
            this.of_address();
            this.written = this.shown_file();
            this.update();
        });
        addEventListener("keydown", (event) => {
            if (event.target.matches("input[type=text], input[type=number], textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
            if (event.key === "[") this.step_phase(-1);
            else if (event.key === "]") this.step_phase(1);
            else if (event.key === "Escape") this.pin("");
        });
        $("unpin").onclick = () => this.pin("");
        $("step").oninput = () => this.set_view({ step: Number($("step").value) });
        for (const key of ["label", "cell", "heat"]) $(`${key}-choice`).onchange = () => this.set_view({ [key]: $(`${key}-choice`).value });
        $("lines-choice").onchange = () => this.set_view({ lines: $("lines-choice").checked ? "all" : "first" });
        for (const [button, of] of [["copy-file", "file"], ["copy-code", "code"]]) {
            $(button).onclick = () => navigator.clipboard?.writeText($(of).textContent).then(() => ($(button).textContent = "copied"));
        }
        for (const name of ["tile", "kernel"]) $(`subject-${name}`).onclick = () => this.set_subject(name);
        theme(() => this.update());
    }
}

// Dark or light by preference, until the button says otherwise.
function theme(changed) {
    const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
    const is_dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
    const name = () => ($("theme").textContent = is_dark() ? "light" : "dark");
    $("theme").onclick = () => {
        root.dataset.theme = is_dark() ? "light" : "dark";
        name();
        changed();
    };
    dark.addEventListener("change", () => {
        name();
        changed();
    });
    name();
}

// Colours of banks; those from 16 on are a shade apart from those below.
function colours() {
    const rules = Array.from({ length: 64 }, (_, bank) => `.grid td.f${bank},.legend .f${bank}{background-color:hsl(${hue_of(bank)} var(--fill-s) var(--fill-l${bank & 16 ? 2 : ""}))}`);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules.join(""));
    document.adoptedStyleSheets = [sheet];
}

async function start() {
    const stream = new Blob([bytes_of($("engine").textContent)]).stream().pipeThrough(new DecompressionStream("gzip"));
    const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    colours();
    const app = new App(new Engine(module));
    // For who asks from the console, and for tests.
    globalThis.tiledesc = { app, engine: app.engine, with_recipe, of_fragment: (text) => file(of_fragment(text, START)) };
    document.body.classList.add("ready");
}

start().catch((error) => {
    $("address").textContent = `The engine does not run here: ${error.message}`;
    throw error;
});
