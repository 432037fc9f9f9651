// A compiled kernel in place of a tile: its text comes from a file, the clipboard or the example, and never leaves the
// page. The engine lists its accesses as `tiledesc audit` does; one of them is shown lane by lane and phase by phase.

import { $, element } from "./dom.js";
import { ruling } from "./panels.js";
import { Served } from "./select.js";

// A browser holds no much longer text, and nobody reads one.
const MOST_BYTES = 64 << 20;

// A longer text is not put into the field, where each key would cost as much as the text is long.
const MOST_IN_FIELD = 1 << 19;

// Loops whose bounds are listed, the dearest first.
const MOST_BOUNDS = 3;

// Lines of the text around the one that is shown.
const AROUND = 4;

// Of bytes that are known up to one number u, which all lanes share.
class Issued extends Served {
    touched(lane) {
        return this.shown.is_known ? super.touched(lane) : `byte u + ${lane.byte}`;
    }
}

const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

export class Compiled {
    constructor(app) {
        this.app = app;
        Object.assign(this, { text: "", name: "", cannot: "", kernel: 0, line: 0, pin: "" });
        $("chip-of-text").append(...app.list.chips.map((chip) => element("option", { textContent: chip.name })));
        this.listen();
    }

    listen() {
        $("paste").oninput = () => {
            clearTimeout(this.typed);
            this.typed = setTimeout(() => this.open($("paste").value, "this text", false), 250);
        };
        $("open").onchange = () => this.take($("open").files[0]);
        $("example").onclick = () => this.example();
        $("kernel").onchange = () => this.choose({ kernel: $("kernel").selectedIndex, line: 0 });
        $("chip-of-text").onchange = () => this.choose({ line: 0 });
        $("block").onchange = () => this.choose({ line: 0 });
        $("source").onsubmit = (event) => event.preventDefault();
        $("look").onclick = () => this.look_for_better();
        addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
        addEventListener("drop", (event) => {
            if (!event.dataTransfer?.files.length) return;
            event.preventDefault();
            this.take(event.dataTransfer.files[0]);
        });
    }

    async take(file) {
        if (!file) return;
        this.app.done = false;
        if (file.size > MOST_BYTES) return this.fail(`${file.name} has ${plural(file.size, "byte")}: this page reads at most ${plural(MOST_BYTES, "byte")}, and \`tiledesc audit\` more.`);
        try {
            this.open(await file.text(), file.name);
        } catch (error) {
            this.fail(`${file.name} cannot be read: ${error.message}`);
        }
    }

    async example() {
        this.app.done = false;
        this.open(await unpacked($("sample").textContent), "Attention by Triton 3.9.0 for gfx942");
    }

    // A text; what was chosen of the one before is not of this one.
    open(text, name, fills = true) {
        Object.assign(this, { text, name, kernel: 0, line: 0, pin: "", rows: null, cannot: "" });
        if (fills) $("paste").value = text.length > MOST_IN_FIELD ? "" : text;
        this.app.set_subject("kernel");
    }

    fail(why) {
        Object.assign(this, { text: "", name: "", cannot: why });
        this.app.set_subject("kernel");
    }

    choose(words) {
        Object.assign(this, words, { pin: "" });
        this.app.update();
    }

    question(word) {
        const block = $("block").value.replaceAll(/\s/g, ""), chip = $("chip-of-text").value;
        const words = [word, `kernel=${this.kernel}`];
        if (this.line) words.push(`line=${this.line}`);
        if (chip) words.push(`chip=${chip}`);
        if (block) words.push(`block=${block}`);
        return words.join(" ");
    }

    answer(word) {
        try {
            return this.app.engine.json(this.question(word), this.text);
        } catch (error) {
            return { kernels: [], fault: error.message };
        }
    }

    ask() {
        this.app.seen = null;
        document.body.classList.remove("refused", "never");
        const { cannot } = this, answer = this.text.trim() ? this.answer("audit") : { kernels: [], fault: cannot };
        document.body.classList.toggle("unread", answer.fault !== undefined);
        $("kernel-fault").textContent = answer.fault ?? "";
        $("text-name").textContent = this.text ? `${this.name}: ${plural(this.text.trimEnd().split("\n").length, "line")}.` : "";
        $("kernel").replaceChildren(...answer.kernels.map((name) => element("option", { textContent: name })));
        $("kernel").selectedIndex = Math.min(this.kernel, answer.kernels.length - 1);
        $("kernel-row").hidden = answer.kernels.length < 2;
        for (const [id, said] of [["head", answer.report?.kernel], ["sum", answer.report?.sum]]) $(id).textContent = said ? `${said}.` : "";
        if (answer.fault !== undefined) ruling(answer.fault ? "✕ refused" : "no text", answer.fault ? "not" : "");
        else this.show(answer);
        this.app.mark();
    }

    show(answer) {
        const { report: { instructions, worst_degree, bounds, unordered }, shown } = answer, any = (outcome) => instructions.some((one) => one.outcome === outcome);
        const words = !instructions.length ? ["no access", ""] : any("race") ? ["✕ data race", "not"] : worst_degree > 1 ? [`✕ ${worst_degree}-way`, "not"]
            : any("may_race") ? ["? data race", "not"] : any("unknown") ? ["? unknown", "not"] : ["✓ free", "free"];
        ruling(...words);
        $("accesses-found").replaceChildren(...instructions.map((one, i) => this.row(one, i + 1, shown)));
        $("accesses-table").hidden = !instructions.length;
        const notes = [...bounds.slice(0, MOST_BOUNDS), ...unordered].map((one) => one.sentence);
        $("notes").replaceChildren(...notes.map((text) => element("li", { textContent: `${text}.` })));
        $("look-panel").hidden = !(worst_degree > 1);
        if (!this.rows) $("better").replaceChildren();
        this.show_shown(shown, instructions);
    }

    row(one, number, shown) {
        const button = element("button", { type: "button", textContent: `show ${number}`, onclick: () => this.choose({ line: number }) });
        button.setAttribute("aria-pressed", String(number === shown?.line));
        const cell = (text, className = "") => element("td", { textContent: text, className });
        const loops = one.loops ? `${one.loops}` : "–", judged = one.degree !== null;
        return element("tr", { className: number === shown?.line ? "own" : "" }, element("td", { className: "n" }, button), cell(one.place), element("td", {}, element("code", { textContent: one.opcode })),
            cell(one.lines.length, "n wider"), cell(loops, "n wider"), cell(judged ? one.cycles : "–", "n wider"), cell(judged ? one.cycles_without_conflicts : "–", "n wider"), cell(one.found, one.outcome === "free" || one.outcome === "listed" ? "" : "bad"));
    }

    // One access: its lines of the text, its phases and its lanes.
    show_shown(shown, instructions) {
        const one = shown && instructions[shown.line - 1], is_drawn = Boolean(shown?.lanes);
        for (const id of ["phases-panel", "lanes-panel"]) $(id).hidden = !is_drawn;
        $("listing-panel").hidden = !one;
        if (!one) return;
        this.show_listing(one);
        const wave = is_drawn ? `Wave ${shown.wave}. ` : "", of = one.lines.length > 1 ? `The first of ${one.lines.length}: line ${one.lines[0]} of the text. ` : `Line ${one.lines[0]} of the text. `;
        const unknown = is_drawn && !shown.is_known ? " The bytes are known up to a number u that all lanes share. It may turn the banks round, and the same lanes meet." : "";
        $("shown-note").textContent = `${of}${wave}${one.found}.${unknown}`;
        if (!is_drawn) return;
        this.app.seen = new Issued({ ...shown, step: 0, steps: 1 }, shown.access);
        this.app.panels.show_phases(this.app.seen);
        this.app.panels.show_lanes(this.app.seen);
    }

    show_listing(one) {
        const lines = this.text.split("\n"), at = one.lines[0] - 1, first = Math.max(0, at - AROUND);
        const width = String(at + AROUND + 1).length;
        const some = lines.slice(first, at + AROUND + 1).map((line, i) => {
            const words = `${String(first + i + 1).padStart(width)}  ${line.replaceAll("\t", "    ").trimEnd()}\n`;
            return first + i === at ? element("mark", { textContent: words }) : words;
        });
        $("listing").replaceChildren(...some);
    }

    // Takes seconds of a long kernel, so it is asked for.
    look_for_better() {
        const { regions = [], silence, fault } = this.answer("better");
        const said = [...regions.map((one) => one.found), silence, fault].filter((one) => one);
        this.rows = said.length ? said : ["Nothing was found that costs less"];
        $("better").replaceChildren(...this.rows.map((text) => element("li", {}, ...marked(`${text}.`))));
    }
}

// A sentence, what stands between backticks as code.
function marked(text) {
    return text.split("`").map((part, i) => (i % 2 ? element("code", { textContent: part }) : part));
}

// Text that was packed and written as base64.
export async function unpacked(base64) {
    const stream = new Blob([bytes_of(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
}

export function bytes_of(base64) {
    return Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
}
