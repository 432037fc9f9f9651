// The controls: each shows one word of the state, and writes it. They are made anew where other ones
// are needed, for another recipe or another access; otherwise only their values move, so that a slider
// in the hand stays there.

import { element } from "./dom.js";
import { NOTATIONS, value, written } from "./words.js";

const LENGTHS = [1, 2, 4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256, 320, 384, 512, 1024];
const POWERS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const count = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

// The values that a slider has, and the first one.
const VALUES = {
    padding: [count(0, 64), 8], buffer: [count(0, 7), 0], buffers: [count(1, 8), 2], masks: [count(0, 63), 1], columns: [count(0, 2047), 1],
    mldslayer: [POWERS.slice(0, 4), 1], kiter: [count(1, 8), 1], repm: [count(1, 8), 1], repn: [count(1, 8), 1],
    vectorsize: [POWERS.slice(0, 6), 4], warps: [POWERS.slice(0, 5), 4], mperxdl: [[16, 32], 32],
    blocksize: [[64, 128, 256, 512], 256], single: [[1024, 2048, 4096, 8192, 16384], 8192],
};
const values_of = (name) => VALUES[name] ?? [POWERS, 8];

const STARTS = {
    cute: "Sw<3,3,3> o 0 o (128,64):(64,1)",
    triton: { vec: 8, perPhase: 1, maxPhase: 8, order: [1, 0] },
    ck: { kpack: 8, mldslayer: 1 },
    stages: "packed [128, 64];",
};
const NAMES = { recipe: "recipe", strides: "strides", cute: "CuTe text", triton: "Triton", ck: "CK", stages: "descriptor! stages" };

export const notation_of = (tile) => NOTATIONS.find((key) => tile[key] !== undefined) ?? "recipe";

// The layout of a tile in another notation, with the lengths that are known.
export function with_notation(tile, notation, list) {
    const kept = Object.fromEntries(["element", "shape", "may_overlap", "write", "read"].filter((key) => key in tile).map((key) => [key, tile[key]]));
    kept.shape ??= { m: 128, k: 64 };
    if (notation === "recipe") return with_recipe(kept, "gemm-xor", list);
    const lengths = Object.values(kept.shape);
    const packed = lengths.map((_, i) => lengths.slice(i + 1).reduce((all, one) => all * one, 1));
    const shown = notation === "cute" ? `(${lengths.join(",")}):(${packed.join(",")})` : notation === "stages" ? `packed [${lengths.join(", ")}];` : undefined;
    const is_first = lengths.join() === "128,64";
    kept[notation] = notation === "strides" ? packed : is_first || !shown ? STARTS[notation] : shown;
    // What a swizzle counts, where its text does not say.
    if (notation === "cute") kept.unit = "elements";
    return kept;
}

// The same in a recipe: its dimensions keep their lengths, its other numbers begin somewhere.
export function with_recipe(tile, name, list) {
    const recipe = list.recipes.find((one) => one.name === name);
    const kept = Object.fromEntries(["element", "may_overlap", "write", "read"].filter((key) => key in tile).map((key) => [key, tile[key]]));
    const old = tile.shape ?? {}, rows = old.m ?? old.mn ?? old.n ?? 128;
    const start = { m: rows, mn: rows, n: old.n ?? rows, k: old.k ?? 64 };
    if (recipe.dimensions.length) kept.shape = Object.fromEntries(recipe.dimensions.map((key) => [key, start[key]]));
    kept.recipe = name;
    for (const key of recipe.parameters.filter((key) => !recipe.dimensions.includes(key))) kept[key] = tile[key] ?? values_of(key)[1];
    if (recipe.list) kept[recipe.list] = tile[recipe.list] ?? [1, 2, 4];
    return kept;
}

export class Controls {
    constructor(host, app) {
        this.host = host;
        this.app = app;
        this.made = "";
    }

    show(state) {
        const { tile, view } = state, { list } = this.app;
        const recipe = list.recipes.find((one) => one.name === tile.recipe);
        const accesses = this.app.accesses();
        const needed = JSON.stringify([Object.keys(tile), Object.keys(tile.shape ?? {}), tile.recipe, tile[recipe?.list]?.length, state.chips, accesses.map(({ key }) => key), view.access, tile.strides?.length]);
        if (needed !== this.made) {
            this.made = needed;
            this.updates = [];
            const focused = document.activeElement?.dataset?.name;
            this.host.replaceChildren(this.tile_part(tile), this.layout_part(tile, recipe), this.access_part(state, accesses));
            if (focused) this.host.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
        }
        for (const update of this.updates) update();
    }

    part(title, ...children) {
        return element("fieldset", {}, element("legend", { textContent: title }), ...children.flat());
    }

    label(text, ...inputs) {
        return element("label", { className: inputs.length > 1 ? "row two" : "row" }, element("span", { textContent: text }), ...inputs);
    }

    select(name, label, options, get, set) {
        const input = element("select", { onchange: () => set(input.value) });
        input.dataset.name = name;
        this.updates.push(() => {
            const now = String(get() ?? ""), known = options.map((option) => (Array.isArray(option) ? option : [option, option]));
            // What the file says and no list has is shown as it is.
            const all = known.some(([key]) => key === now) ? known : [...known, [now, now]];
            if (input.dataset.all !== JSON.stringify(all)) {
                input.dataset.all = JSON.stringify(all);
                input.replaceChildren(...all.map(([key, text]) => element("option", { value: key, textContent: text })));
            }
            input.value = now;
        });
        return this.label(label, input);
    }

    // A slider over values, and the number beside it, which takes others too.
    slider(name, label, values, get, set) {
        const slider = element("input", { type: "range", min: 0, max: values.length - 1, step: 1 });
        const number = element("input", { type: "number", min: 0 });
        slider.dataset.name = name;
        number.dataset.name = `${name} number`;
        slider.setAttribute("aria-label", label);
        number.setAttribute("aria-label", `${label}, number`);
        slider.addEventListener("input", () => set(values[Number(slider.value)]));
        number.addEventListener("input", () => number.value !== "" && set(Number(number.value)));
        this.updates.push(() => {
            const now = Number(get());
            const near = values.reduce((best, one, i) => (Math.abs(one - now) < Math.abs(values[best] - now) ? i : best), 0);
            slider.value = near;
            slider.setAttribute("aria-valuetext", String(now));
            if (document.activeElement !== number) number.value = now;
        });
        const row = element("div", { className: "row two" }, element("span", { textContent: label }), slider, number);
        return row;
    }

    text(name, label, get, set) {
        const input = element("input", { type: "text", spellcheck: false, autocomplete: "off" });
        input.dataset.name = name;
        input.addEventListener("input", () => set(input.value, input));
        this.updates.push(() => {
            if (document.activeElement !== input) input.value = get();
        });
        return this.label(label, input);
    }

    // Text that is a value of TOML; until it is one, the state stays as it was.
    toml(name, label, get, set) {
        return this.text(name, label, () => written(get() ?? ""), (text, input) => {
            try {
                set(value(text));
                input.setCustomValidity("");
            } catch (error) {
                input.setCustomValidity(error.message);
            }
            input.reportValidity();
        });
    }

    tile_part(tile) {
        const { app } = this, { list } = app;
        const shape = Object.keys(tile.shape ?? {}).map((key) =>
            this.slider(`shape ${key}`, key, LENGTHS, () => app.tile().shape?.[key], (n) => app.set_tile({ shape: { ...app.tile().shape, [key]: n } })));
        return this.part("Tile",
            this.select("chip", "chip", list.chips.map((chip) => chip.name), () => app.state.chips[0], (name) => app.set_chip(name)),
            this.select("element", "element", list.elements.map((one) => [one.name, `${one.name}, ${one.bits} bits`]), () => app.tile().element, (element) => app.set_tile({ element })),
            shape);
    }

    layout_part(tile, recipe) {
        const { app } = this, { list } = app, notation = notation_of(tile);
        const parts = [this.select("notation", "given as", NOTATIONS.map((key) => [key, NAMES[key]]), () => notation_of(app.tile()), (key) => app.put_tile(with_notation(app.tile(), key, list)))];
        if (notation === "recipe") parts.push(...this.recipe_part(tile, recipe));
        if (notation === "strides") {
            parts.push(this.toml("strides", "strides", () => app.tile().strides, (strides) => app.set_tile({ strides })));
            const lengths = Object.values(tile.shape ?? {});
            if (lengths.length === 2 && Array.isArray(tile.strides) && tile.strides[1] === 1) {
                const columns = () => Object.values(app.tile().shape)[1];
                parts.push(this.slider("pad", "pad", count(0, 64), () => app.tile().strides[0] - columns(), (n) => app.set_tile({ strides: [columns() + n, 1] })));
            }
        }
        if (notation === "cute" || notation === "stages") parts.push(this.text(notation, NAMES[notation], () => app.tile()[notation], (text) => app.set_tile({ [notation]: text })));
        if (notation === "cute" && !tile.cute.includes("smem_ptr")) {
            parts.push(this.select("unit", "the swizzle counts", [["elements", "elements"], ["bytes", "bytes"]], () => app.tile().unit, (unit) => app.set_tile({ unit })));
        }
        if (notation === "triton" || notation === "ck") parts.push(this.toml(notation, NAMES[notation], () => app.tile()[notation], (one) => app.set_tile({ [notation]: one })));
        return this.part("Layout", parts);
    }

    recipe_part(tile, recipe) {
        const { app } = this, { list } = app;
        const parts = [this.select("recipe", "recipe", list.recipes.map((one) => one.name), () => app.tile().recipe, (name) => app.put_tile(with_recipe(app.tile(), name, list)))];
        if (!recipe) return parts;
        parts.push(element("p", { className: "quiet", textContent: recipe.about }));
        for (const key of recipe.parameters.filter((key) => !recipe.dimensions.includes(key))) {
            parts.push(this.slider(key, key, values_of(key)[0], () => app.tile()[key], (n) => app.set_tile({ [key]: n })));
        }
        if (recipe.list) {
            const key = recipe.list, items = () => app.tile()[key], one = key.slice(0, -1);
            (Array.isArray(items()) ? items() : []).forEach((_, i) => {
                parts.push(this.slider(`${one} ${i}`, `${one} ${i}`, values_of(key)[0], () => items()[i], (n) => app.set_tile({ [key]: items().with(i, n) })));
            });
            parts.push(this.toml(key, key, items, (list) => app.set_tile({ [key]: list })));
        }
        return parts;
    }

    // A first distribution of the tile: 16 rows by as many lanes as a wave has left, again and again.
    distribution(op) {
        const { tile, chips } = this.app.state, { list } = this.app;
        const chip = list.chips.find((one) => one.name === chips[0]), bytes = chip?.rows.find((row) => row.op === op)?.bytes ?? 16;
        const bits = list.elements.find((one) => one.name === tile.element)?.bits ?? 16;
        const [rows, columns] = Object.entries(tile.shape ?? { m: 128, k: 64 });
        const part = (chip?.lanes ?? 64) / 16, pack = (bytes * 8) / bits, times = (all, one) => Math.max(1, Math.floor(all / one));
        const again = times(rows[1], 16), step = times(columns?.[1] ?? 64, part * pack);
        return `${rows[0]} [again ${again}, row 16], ${columns?.[0] ?? "k"} [step ${step}, part ${part}, pack ${pack}]; lane (part, row), thread (again, step, pack)`;
    }

    access_part(state, accesses) {
        const { app } = this, { list } = app;
        const at = Math.min(state.view.access, accesses.length - 1), now = () => app.accesses()[at];
        const choose = accesses.map(({ key, one }, i) => {
            const button = element("button", { type: "button", onclick: () => app.set_view({ access: i, step: -1 }) });
            button.setAttribute("aria-pressed", String(i === at));
            this.updates.push(() => (button.textContent = `${i + 1}: ${app.accesses()[i]?.key ?? key} ${(app.accesses()[i]?.one ?? one).by}`));
            return button;
        });
        const add = (key) => element("button", { type: "button", textContent: `add a ${key}`, onclick: () => app.add_access(key) });
        const parts = [element("div", { className: "buttons" }, ...choose, add("read"), add("write"))];
        if (at < 0) return this.part("Accesses", parts);
        const chip = list.chips.find((one) => one.name === state.chips[0]);
        const rows = (chip?.rows ?? []).filter((row) => row.access === now().key).map((row) => [row.op, `${row.op}, ${row.bytes} B`]);
        parts.push(this.select("op", "instruction", rows, () => now()?.one.op, (op) => app.set_access(at, { op })));
        const patterns = [...list.patterns.map((one) => one.name), ["", "a distribution"]];
        const split = () => {
            const by = now()?.one.by ?? "", found = /^((?:first )?)([a-z-]+)(?: (\d+))?$/.exec(by);
            const pattern = found && list.patterns.find((one) => one.name === found[2]);
            return pattern ? { name: pattern.name, first: Boolean(found[1]), size: found[3] ?? "16", sized: Boolean(pattern.parameter) } : { name: "" };
        };
        const join = ({ name, first, size, sized }) => `${first ? "first " : ""}${name}${sized ? ` ${size}` : ""}`;
        parts.push(this.select("by", "pattern", patterns, () => split().name, (name) => {
            const pattern = list.patterns.find((one) => one.name === name);
            const by = pattern ? join({ name, size: split().size ?? "16", sized: pattern.parameter }) : this.distribution(now().one.op);
            app.set_access(at, { by });
        }));
        const size = this.slider("size", "size", [4, 8, 16, 32, 64], () => split().size ?? 16, (n) => app.set_access(at, { by: join({ ...split(), size: n }) }));
        const words = this.text("words", "in words", () => now()?.one.by ?? "", (by) => app.set_access(at, { by }));
        this.updates.push(() => {
            size.hidden = !split().sized;
        });
        parts.push(size, words);
        parts.push(this.slider("times", "times", [1, 2, 4, 8, 16, 32, 64], () => now()?.one.times ?? 1, (times) => app.set_access(at, { times })));
        if (accesses.length > 1) parts.push(element("button", { type: "button", textContent: "remove this access", onclick: () => app.remove_access(at) }));
        return this.part("Accesses", parts);
    }
}
