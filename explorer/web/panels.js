// The panels: each turns one answer of the engine into rows and columns of cells, or into a list.

import { $, element } from "./dom.js";
import { Grid } from "./grid.js";

// Elements that one cell of the tile holds: as many as an access has, where they are neighbours.
function run_of(seen, asked) {
    const { tile, shown } = seen, columns = tile.lengths.at(-1) ?? 1;
    const count = shown ? Math.floor((shown.bytes * 8) / tile.bits) : 1;
    if (asked === "element" || count < 2 || columns % count) return 1;
    const apart = (offset, id) => id % count && offset !== tile.offsets[id - 1] + 1;
    return tile.offsets.some(apart) ? 1 : count;
}

const LINES = 32;

// In the panel, and in the foot of the page, which stays in sight.
export function ruling(words, name) {
    for (const id of ["ruling", "kernel-ruling", "ruling-now"]) Object.assign($(id), { textContent: words, className: `ruling ${name}` });
}

export class Panels {
    constructor(app) {
        this.app = app;
        const grid = (id) => new Grid($(id), app);
        this.tile = grid("tile");
        this.memory = grid("memory");
        this.phases = grid("phases");
        this.lanes = grid("lanes");
        this.heat = grid("heat");
        this.bits = grid("bits");
    }

    // The grids that a selection is marked in.
    linked() {
        return [this.tile, this.memory, this.phases, this.lanes];
    }

    show(answer, seen, state) {
        this.verdict(answer);
        this.show_tile(seen, state.view);
        this.show_memory(seen, state.view);
        for (const id of ["phases-panel", "lanes-panel", "bits-panel", "heat-panel"]) $(id).hidden = !seen.shown;
        if (!seen.shown) return;
        this.show_phases(seen);
        this.show_lanes(seen);
        this.show_bits(seen);
    }

    // The compiler's sentence, its figures, and all accesses of the tile.
    verdict(answer) {
        const { accesses, shown, tile, notes, remedy } = answer;
        const one = accesses[shown?.access ?? 0];
        $("faults").replaceChildren();
        $("line").textContent = shown ? shown.line : "No access: add a read or a write to get a verdict.";
        const words = !one ? "no access" : one.ruling === "races" ? "✕ data race" : one.degree > 1 ? `✕ ${one.degree}-way` : "✓ free";
        ruling(words, !one ? "" : one.free && one.ruling === "passes" ? "free" : "not");
        $("remedy").textContent = remedy ?? "";
        $("verdict-note").textContent = notes[shown?.access ?? 0] ?? "";
        const facts = [["size", `${tile.lengths.join(" x ")} of ${tile.element}, ${tile.bytes} bytes`]];
        if (one) {
            const { evidence } = one, disputed = evidence.disputed ? `, disputed: the other source says ${evidence.rival_degree}-way` : "";
            facts.push(["cycles", `${one.base_cycles} and ${one.conflict_cycles} of conflicts = ${one.active_cycles}, in ${one.instructions} instruction${one.instructions > 1 ? "s" : ""}`]);
            facts.push(["evidence", `${evidence.level}${disputed}: ${evidence.source}`]);
            for (const [name, value] of shown.counters) facts.push([name, value]);
        }
        $("facts").replaceChildren(...facts.flatMap(([name, value]) => [element("dt", { textContent: name }), element("dd", { textContent: value })]));
        const rows = accesses.map((access, i) => {
            const label = `${access.access} ${access.op} by ${access.by} on ${access.chip}: ${access.worst_degree > 1 ? `${access.worst_degree}-way` : access.free ? "free" : access.ruling}`;
            const button = element("button", { type: "button", textContent: label, onclick: () => this.app.set_view({ access: Math.floor(i / tile.chips.length), chip: i % tile.chips.length, step: -1 }) });
            button.setAttribute("aria-pressed", String(i === shown.access));
            return element("li", {}, button);
        });
        $("accesses").replaceChildren(...(rows.length > 1 ? rows : []));
        $("file").textContent = this.app.file();
    }

    refuse(faults) {
        ruling("✕ refused", "not");
        $("line").textContent = "";
        $("remedy").textContent = "";
        $("verdict-note").textContent = "";
        $("facts").replaceChildren();
        $("accesses").replaceChildren();
        $("faults").replaceChildren(...faults.map((fault) => element("li", { textContent: `line ${fault.line}: ${fault.message}` })));
        $("file").textContent = this.app.file();
    }

    label(seen, view, offset, count) {
        const byte = seen.byte(offset);
        if (view.label === "byte") return String(byte);
        if (view.label === "bank") return String(Math.floor(byte / 4) % seen.tile.banks);
        if (view.label !== "lane") return String(offset);
        const lanes = new Set();
        for (let i = 0; i < count; i++) seen.lanes_of(seen.byte(offset + i)).forEach((lane) => lanes.add(lane));
        return [...lanes].slice(0, 2).join(" ") + (lanes.size > 2 ? ".." : "");
    }

    show_tile(seen, view) {
        const { tile, shown } = seen, columns = tile.lengths.at(-1) ?? 1, run = run_of(seen, view.cell);
        const rows = Math.ceil(tile.offsets.length / columns);
        const outer = tile.lengths.slice(0, -1), pair = new Set(shown?.pair ?? []);
        this.tile.show({
            label: `The tile: ${tile.dimensions.join(" by ")}; each cell ${run > 1 ? `${run} elements` : "an element"}, coloured by bank`,
            corner: outer.length ? tile.dimensions.slice(0, -1).join(", ") : "",
            rows, columns: columns / run,
            head: (r) => (outer.length ? seen.index(r * columns).slice(0, -1).join(",") : ""),
            top: (c) => `${tile.dimensions.at(-1) ?? "element"} ${c * run}`,
            cell: (r, c) => {
                const id = r * columns + c * run, offset = tile.offsets[id];
                if (offset === null || offset === undefined) return { text: "", hatch: true, say: `(${seen.index(id).join(", ")}): outside the tile` };
                const byte = seen.byte(offset), size = Math.max(1, Math.ceil((run * tile.bits) / 8));
                const lanes = seen.lanes_of(byte);
                const waits = lanes.some((lane) => seen.waits(seen.lane.get(lane)));
                const dwords = [];
                for (let dword = byte >> 2; dword <= (byte + size - 1) >> 2; dword++) dwords.push(dword);
                return {
                    text: this.label(seen, view, offset, run), fill: tile.bank[id], hatch: waits, dwords,
                    frame: lanes.some((lane) => pair.has(lane)), pin: `byte ${byte} ${size}`,
                };
            },
        });
        const left = tile.elements - tile.offsets.length;
        $("tile-note").textContent = `${left > 0 ? `The first ${rows} rows. ` : ""}Hatched: a lane that touches it waits. Framed: the two lanes of the verdict.`;
    }

    show_memory(seen, view) {
        const { tile } = seen, banks = tile.banks, dwords = Math.ceil(tile.bytes / 4);
        const all = Math.ceil(dwords / banks), rows = view.lines === "all" ? all : Math.min(all, LINES);
        const each = Math.max(1, Math.floor(32 / tile.bits)), pair = new Set(seen.shown?.pair ?? []);
        this.memory.show({
            label: "Memory: a row is a line of all banks, a column a bank",
            corner: "byte", rows, columns: banks,
            head: (r) => String(r * banks * 4), top: (c, whole) => (whole ? `bank ${c}` : c),
            cell: (r, c) => {
                const dword = r * banks + c, byte = dword * 4;
                if (dword >= dwords) return null;
                const first = Math.floor((byte * 8) / tile.bits);
                let offset = null;
                for (let i = 0; i < each + (tile.bits % 8 ? 1 : 0) && offset === null; i++) if (seen.element_at.has(first + i)) offset = first + i;
                // An element of 8 bytes has begun in the dword before.
                const hole = offset === null && !(tile.bits > 32 && seen.element_at.has(first));
                const pin = `byte ${byte} 4`;
                if (hole) return { text: "", hatch: true, fill: "hole", pin, dwords: [dword] };
                const lanes = [...new Set([0, 1, 2, 3].flatMap((i) => seen.lanes_of(byte + i)))];
                return {
                    text: offset === null ? "" : this.label(seen, view, offset, each), fill: c, dwords: [dword], pin,
                    frame: lanes.some((lane) => pair.has(lane)),
                };
            },
        });
        $("memory-note").textContent = `${all > rows ? `The first ${rows} of ${all} lines. ` : ""}Hatched: padding, where no element lies.`;
        $("lines").hidden = all <= LINES;
    }

    show_phases(seen) {
        const { phases, shown } = seen, banks = phases[0]?.banks.length ?? shown.banks;
        this.phases.show({
            label: "Phases by bank: how many dwords a bank serves in a phase",
            corner: "phase", rows: phases.length, columns: banks,
            head: (r) => `${r}: ${phases[r].degree > 1 ? `${phases[r].degree}-way` : phases[r].degree ? "free" : "idle"}`,
            top: (c, whole) => (whole ? `bank ${c}` : c % 4 ? "" : c),
            cell: (r, c) => {
                const count = phases[r].banks[c].length, pin = `phase ${r} bank ${c}`;
                const dwords = count ? seen.of_bank(r, c).dwords : [];
                return { text: count || "·", fill: count ? c : undefined, hatch: count > 1, pin, dwords };
            },
        });
    }

    show_lanes(seen) {
        const { lanes, shown } = seen, banks = seen.phases[0]?.banks.length ?? shown.banks;
        const phase = new Map(lanes.map((lane) => [lane.lane, seen.phases_of(lane)]));
        this.lanes.show({
            label: "Lanes by bank: which banks a lane needs, and in which phase",
            corner: "lane", rows: lanes.length, columns: banks,
            head: (r) => `${lanes[r].lane}`, top: (c, whole) => (whole ? `bank ${c}` : c % 4 ? "" : c),
            cell: (r, c) => {
                const lane = lanes[r], pin = `lane ${lane.lane}`;
                const dwords = lane.dwords.filter((_, i) => lane.banks[i] === c);
                if (!dwords.length) return { text: "", pin };
                const phases = phase.get(lane.lane);
                const waits = phases.some((phase) => seen.crowded.has(`${phase} ${c}`));
                return { text: phases.join(" "), fill: c, hatch: waits, pin, dwords, frame: shown.pair?.includes(lane.lane) };
            },
        });
        const slider = $("step");
        slider.max = shown.steps - 1;
        slider.value = shown.step;
        $("step-words").textContent = `instruction ${shown.step} of 0 to ${shown.steps - 1}`;
        $("step-row").hidden = shown.steps < 2;
        $("lanes-why").textContent = shown.why ?? "";
    }

    show_bits(seen) {
        const { bits } = seen.shown;
        $("bits-why").textContent = bits.why ? `No matrix: ${bits.why}.` : "";
        $("bits").hidden = Boolean(bits.why);
        if (bits.why) return;
        const { columns, cells } = bits, { dimensions } = seen.tile;
        // `bit 2 of dimension 0 leaves 128 (line)`
        const taken = (title) => /^bit (\d+) of dimension (\d+) \w+ (\S+) \((\w+)\)$/.exec(title) ?? [];
        this.bits.show({
            label: "The layout as a matrix over bits",
            corner: "byte bit", rows: cells.length / columns, columns,
            head: (r) => taken(cells[r * columns].title).slice(3).join(" "),
            top: (c) => {
                const [, bit, dimension] = taken(cells[c].title);
                return `${dimensions[dimension]}.${bit}`;
            },
            cell: (r, c) => {
                const { label, title, key } = cells[r * columns + c];
                const fill = label === "1" ? { byte: "byte", bank: "bank", line: "line-bit" }[taken(title)[4]] : undefined;
                return { text: label === "." ? "·" : label, fill, frame: key, say: title + (key ? ": the key" : "") };
            },
        });
    }

    // Degrees of this layout in other accesses.
    show_heat(answer, kind, state) {
        const { cells } = answer, key = (cell) => (kind === "by" ? `${cell.access} ${cell.bytes}` : cell.by);
        const rows = kind === "by" ? answer.chips : [...new Set(cells.filter((cell) => cell.degree !== undefined).map((cell) => cell.op))];
        const columns = [...new Set(cells.map(key))];
        const table = new Map();
        for (const cell of cells) {
            const at = `${kind === "by" ? cell.chip : cell.op}|${key(cell)}`;
            // Of several rows of one size the first that takes the pattern.
            if (!table.has(at) || table.get(at).degree === undefined) table.set(at, cell);
        }
        const now = state.tile.read?.concat(state.tile.write ?? []) ?? state.tile.write ?? [];
        this.heat.show({
            label: kind === "by" ? "Degrees by chip and access" : "Degrees by instruction and pattern",
            corner: kind === "by" ? "chip" : "instruction", rows: rows.length, columns: columns.length,
            head: (r) => rows[r], top: (c) => columns[c],
            cell: (r, c) => {
                const cell = table.get(`${rows[r]}|${columns[c]}`);
                if (!cell) return null;
                const name = `${cell.chip} ${cell.op} by ${cell.by}`;
                if (cell.degree === undefined) return { text: "–", say: `${name}: ${cell.why}` };
                const words = cell.race ? "two lanes write one byte" : cell.degree > 1 ? `${cell.degree}-way` : "free";
                return {
                    text: cell.race ? "race" : cell.degree, fill: cell.race || cell.degree > 1 ? (cell.degree > 4 || cell.race ? "hot" : "warm") : "cool",
                    hatch: cell.degree > 1 || cell.race, say: `${name}: ${words}, ${cell.evidence}. A click takes it.`,
                    frame: state.chips.includes(cell.chip) && now.some((one) => one.op === cell.op && one.by === cell.by),
                    act: () => this.app.take_access(cell),
                };
            },
        });
    }

    // Layouts by what they cost, as a picture and as a list.
    show_found({ proof, change, rows }) {
        $("proof").textContent = change ? `${proof}; ${change}.` : `${proof}.`;
        const items = rows.map((row, i) => {
            const notes = `${row.own ? " (as it is)" : ""}${row.free ? "" : " (conflicts)"}`;
            const take = element("button", { type: "button", textContent: `use ${i + 1}`, onclick: () => this.app.take_layout(row.words) });
            take.setAttribute("aria-label", `use ${i + 1}: ${row.words}`);
            const cell = (text, className = "") => element("td", { textContent: text, className });
            return element("tr", { className: row.own ? "own" : "" }, element("td", { className: "n" }, row.words && !row.own ? take : String(i + 1)), cell(row.cycles, "n"), cell(row.bytes, "n"), cell(row.address ?? "–", "n"),
                element("td", {}, element("code", { textContent: row.words ?? "as it is" }), notes));
        });
        $("found").replaceChildren(...items);
        $("found-table").hidden = !rows.length;
        $("plot").replaceChildren(...(rows.length ? [scatter(rows, (row) => this.app.take_layout(row.words), this.app)] : []));
    }

    show_code(all, name) {
        const chosen = all.find((one) => one.name === name) ?? all[0];
        $("languages").replaceChildren(...all.map((one) => {
            const tab = element("button", { type: "button", textContent: one.name, onclick: () => this.app.set_view({ code: one.name }) });
            tab.setAttribute("aria-pressed", String(one === chosen));
            return tab;
        }));
        $("code").textContent = chosen.text ?? `No such form: ${chosen.why}`;
    }
}

// Bytes to the right, cycles up; free ones round, others square.
function scatter(rows, take, app) {
    const make = (name, attributes, ...children) => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
        made.append(...children);
        return made;
    };
    const [width, height, left, bottom] = [460, 220, 62, 34];
    const scale = (values, from, to) => {
        const [least, most] = [Math.min(...values), Math.max(...values)];
        return (value) => (most === least ? (from + to) / 2 : from + ((value - least) / (most - least)) * (to - from));
    };
    const x = scale(rows.map((row) => row.bytes), left + 12, width - 60);
    const y = scale(rows.map((row) => row.cycles), height - bottom - 14, 28);
    const spots = new Map();
    rows.forEach((row, i) => {
        const key = `${row.bytes} ${row.cycles}`;
        if (!spots.has(key)) spots.set(key, []);
        spots.get(key).push([row, i + 1]);
    });
    const text = (at, words, anchor = "middle") => make("text", { x: at[0], y: at[1], "text-anchor": anchor }, words);
    const parts = [
        make("path", { d: `M${left} 8V${height - bottom}H${width - 8}`, class: "axis" }),
        text([(left + width) / 2, height - 4], "bytes"), text([left - 6, 10], "cycles", "end"),
    ];
    for (const bytes of new Set([Math.min(...rows.map((row) => row.bytes)), Math.max(...rows.map((row) => row.bytes))])) parts.push(text([x(bytes), height - bottom + 16], bytes));
    for (const cycles of new Set([Math.min(...rows.map((row) => row.cycles)), Math.max(...rows.map((row) => row.cycles))])) parts.push(text([left - 6, y(cycles) + 4], cycles, "end"));
    for (const each of spots.values()) {
        const [row] = each[0], at = [x(row.bytes), y(row.cycles)];
        const numbers = each.map(([, number]) => number);
        const say = `${numbers.length > 1 ? `layouts ${numbers.join(", ")}` : `layout ${numbers[0]}`}: ${row.cycles} cycles, ${row.bytes} bytes, ${row.free ? "free" : "conflicts"}; ${row.words ?? "as it is"}`;
        const shape = row.free ? make("circle", { cx: at[0], cy: at[1], r: 6 }) : make("rect", { x: at[0] - 6, y: at[1] - 6, width: 12, height: 12 });
        const short = numbers.length > 3 ? `${numbers[0]}..${numbers.at(-1)}` : numbers.join(",");
        const spot = make("g", { class: `spot ${row.free ? "free" : "not"}${each.some(([row]) => row.own) ? " own" : ""}`, tabindex: 0, role: "button", "aria-label": say }, shape, text([at[0] + 10, at[1] + 4], short, "start"));
        for (const event of ["pointerenter", "focus"]) spot.addEventListener(event, () => app.look({ say }));
        for (const event of ["pointerleave", "blur"]) spot.addEventListener(event, () => app.leave());
        spot.addEventListener("click", () => row.words && take(row));
        spot.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), row.words && take(row)));
        parts.push(spot);
    }
    return make("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Layouts by bytes and cycles" }, ...parts);
}
