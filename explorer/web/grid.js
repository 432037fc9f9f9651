// A grid of cells: a table up to 4,096 cells, above that a canvas with one real cell over it, which
// goes where the focus is. Both answer to pointer, tap and keys alike.
//
// A cell is `{ text, fill, hatch, frame, pin, say, act }`: `fill` a bank's colour or a name, `pin`
// what it selects, `say` what it says if it selects nothing, `act` what a click does instead.

export const MOST_IN_TABLE = 4096;

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// Sizes of a canvas's cells, and of the whole: a browser draws no more.
const WIDE = 30, HIGH = 17, LEAST = 3, MOST_PIXELS = 8192;

export class Grid {
    // `app` is told what is looked at: `look(cell)`, `leave()`, `choose(cell)`.
    constructor(host, app) {
        this.host = host;
        this.app = app;
        this.at = [0, 0];
        this.marked = [];
        host.addEventListener("pointerover", (event) => this.look(this.under(event)));
        // Within a canvas nothing is entered.
        host.addEventListener("pointermove", (event) => event.target === this.canvas && this.look(this.under(event)));
        host.addEventListener("pointerleave", () => app.leave());
        host.addEventListener("focusin", (event) => event.target.closest("[data-cell]") && this.look(this.under(event)));
        host.addEventListener("focusout", () => app.leave());
        host.addEventListener("click", (event) => this.choose(this.under(event)));
        host.addEventListener("keydown", (event) => this.key(event));
    }

    // Shows rows and columns of cells: `{ label, corner, rows, columns, head, top, cell }`.
    show(model) {
        this.model = model;
        this.cells = [];
        for (let r = 0; r < model.rows; r++) {
            for (let c = 0; c < model.columns; c++) this.cells.push(model.cell(r, c));
        }
        this.at = [Math.min(this.at[0], model.rows - 1), Math.min(this.at[1], model.columns - 1)].map((n) => Math.max(n, 0));
        this.index = new Map();
        this.cells.forEach((cell, i) => {
            for (const dword of cell?.dwords ?? []) {
                if (!this.index.has(dword)) this.index.set(dword, []);
                this.index.get(dword).push(i);
            }
        });
        const had = this.host.contains(document.activeElement);
        this.marked = [];
        this.canvas = null;
        if (this.cells.length > MOST_IN_TABLE) this.draw_canvas();
        else this.draw_table();
        if (had) this.focus();
    }

    draw_table() {
        const { model } = this;
        const top = Array.from({ length: model.columns }, (_, c) => `<th scope="col">${escape(model.top(c))}</th>`);
        const rows = [`<tr><th>${escape(model.corner)}</th>${top.join("")}</tr>`];
        for (let r = 0; r < model.rows; r++) {
            const cells = [];
            for (let c = 0; c < model.columns; c++) cells.push(this.td(r, c));
            rows.push(`<tr><th scope="row">${escape(model.head(r))}</th>${cells.join("")}</tr>`);
        }
        this.host.innerHTML = `<table role="grid" aria-label="${escape(model.label)}">${rows.join("")}</table>`;
        this.elements = [...this.host.querySelectorAll("[data-cell]")];
    }

    td(r, c) {
        const i = r * this.model.columns + c, cell = this.cells[i];
        const tab = r === this.at[0] && c === this.at[1] ? 0 : -1;
        const name = cell ? ` aria-label="${escape(`${this.model.head(r)}, ${this.model.top(c, true)}: ${cell.text || "empty"}`)}"` : "";
        return `<td role="gridcell" tabindex="${tab}" data-cell="${i}" class="${this.classes(cell)}"${name}>${escape(cell?.text ?? "")}</td>`;
    }

    classes(cell) {
        if (!cell) return "blank";
        const fill = cell.fill === undefined ? "" : Number.isInteger(cell.fill) ? `f${cell.fill}` : cell.fill;
        return [fill, cell.hatch && "hatch", cell.frame && "frame", cell.act && "act"].filter(Boolean).join(" ");
    }

    draw_canvas() {
        const { model } = this;
        const size = (count, most) => Math.max(LEAST, Math.min(most, Math.floor(MOST_PIXELS / count)));
        [this.wide, this.high] = [size(model.columns, WIDE), size(model.rows, HIGH)];
        this.host.innerHTML = `<div class="canvas" role="grid" aria-label="${escape(model.label)}" aria-rowcount="${model.rows}" aria-colcount="${model.columns}">
            <canvas aria-hidden="true"></canvas><div role="row"><div role="gridcell" tabindex="0" data-cell="0" class="cursor"></div></div></div>`;
        this.canvas = this.host.querySelector("canvas");
        this.elements = [];
        this.paint(new Set());
        this.place();
    }

    paint(marked) {
        const { canvas, model, wide, high } = this;
        canvas.width = wide * model.columns;
        canvas.height = high * model.rows;
        const context = canvas.getContext("2d");
        const style = getComputedStyle(document.documentElement);
        const of = (name) => style.getPropertyValue(name).trim();
        const [saturation, light, darker, words, mark, hatch] = ["--fill-s", "--fill-l", "--fill-l2", "--words", "--mark", "--hatch"].map(of);
        context.font = "10px ui-monospace, monospace";
        context.textAlign = "center";
        context.textBaseline = "middle";
        this.cells.forEach((cell, i) => {
            if (!cell) return;
            const [x, y] = [i % model.columns * wide, Math.floor(i / model.columns) * high];
            const hue = Number.isInteger(cell.fill) ? hue_of(cell.fill) : 0;
            context.fillStyle = Number.isInteger(cell.fill) ? `hsl(${hue} ${saturation} ${cell.fill & 16 ? darker : light})` : of("--box");
            context.fillRect(x, y, wide - 1, high - 1);
            if (cell.hatch) {
                context.strokeStyle = hatch;
                context.beginPath();
                for (let d = 0; d < wide; d += 6) {
                    context.moveTo(x + d, y + high - 1);
                    context.lineTo(x + Math.min(d + high, wide - 1), y + Math.max(high - 1 - (wide - 1 - d), 0));
                }
                context.stroke();
            }
            if (wide >= WIDE && high >= HIGH) {
                context.fillStyle = words;
                context.fillText(cell.text, x + wide / 2, y + high / 2, wide - 2);
            }
            if (cell.frame || marked.has(i)) {
                context.strokeStyle = marked.has(i) ? mark : words;
                context.lineWidth = 2;
                context.strokeRect(x + 1, y + 1, wide - 3, high - 3);
                context.lineWidth = 1;
            }
        });
    }

    // The number of the cell that an event is of.
    under(event) {
        if (this.canvas && event.target === this.canvas) {
            const box = this.canvas.getBoundingClientRect();
            const c = Math.floor((event.clientX - box.left) / box.width * this.model.columns);
            const r = Math.floor((event.clientY - box.top) / box.height * this.model.rows);
            return r * this.model.columns + c;
        }
        const found = event.target.closest?.("[data-cell]");
        return found ? Number(found.dataset.cell) : -1;
    }

    look(i) {
        const cell = this.cells?.[i];
        if (cell) this.app.look(cell);
    }

    choose(i) {
        const cell = this.cells?.[i];
        if (!cell) return;
        this.at = [Math.floor(i / this.model.columns), i % this.model.columns];
        this.place();
        this.app.choose(cell);
    }

    key(event) {
        if (!event.target.closest("[data-cell]") || event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            this.choose(this.at[0] * this.model.columns + this.at[1]);
            return;
        }
        const { rows, columns } = this.model;
        let [r, c] = this.at;
        const step = STEPS[event.key];
        if (step) [r, c] = [r + step[0], c + step[1]];
        else if (event.key === "Home") c = 0;
        else if (event.key === "End") c = columns - 1;
        else if (event.key === "PageUp") r -= 8;
        else if (event.key === "PageDown") r += 8;
        else return;
        event.preventDefault();
        this.at = [Math.max(0, Math.min(r, rows - 1)), Math.max(0, Math.min(c, columns - 1))];
        this.place();
        this.focus();
    }

    // Moves the one cell that Tab leads to.
    place() {
        const [r, c] = this.at, i = r * this.model.columns + c;
        if (this.canvas) {
            const cursor = this.host.querySelector(".cursor"), cell = this.cells[i];
            cursor.dataset.cell = i;
            cursor.setAttribute("aria-rowindex", r + 1);
            cursor.setAttribute("aria-colindex", c + 1);
            cursor.setAttribute("aria-label", `${this.model.head(r)}, ${this.model.top(c, true)}: ${cell?.text || "empty"}`);
            Object.assign(cursor.style, { left: `${c * this.wide}px`, top: `${r * this.high}px`, width: `${this.wide}px`, height: `${this.high}px` });
            return;
        }
        for (const old of this.host.querySelectorAll('[tabindex="0"]')) old.tabIndex = -1;
        if (this.elements[i]) this.elements[i].tabIndex = 0;
    }

    focus() {
        const [r, c] = this.at;
        const cell = this.canvas ? this.host.querySelector(".cursor") : this.elements[r * this.model.columns + c];
        if (this.canvas && document.activeElement === cell) this.look(r * this.model.columns + c);
        cell?.focus({ preventScroll: false });
        cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    // Marks the cells that hold one of these dwords.
    mark(dwords) {
        if (!this.index) return;
        const found = new Set();
        for (const dword of dwords) for (const i of this.index.get(dword) ?? []) found.add(i);
        if (this.canvas) {
            if (found.size || this.marked.length) this.paint(found);
        } else {
            for (const i of this.marked) if (!found.has(i)) this.elements[i]?.classList.remove("marked");
            for (const i of found) this.elements[i]?.classList.add("marked");
        }
        this.marked = [...found];
    }
}

// Neighbouring banks are easy to tell apart: each next is 7/16 of the circle away.
export function hue_of(bank) {
    return (bank * 157.5) % 360;
}
