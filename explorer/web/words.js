// The state of the page in the words of a `kernel.toml`: as a file, and as the fragment of an
// address. What the words mean is the engine's business; here they are only taken apart.

export const VERSION = 1;

// A value of TOML on one line: strings, numbers, words, lists and tables.
class Reader {
    constructor(text) {
        this.text = text;
        this.at = 0;
    }

    blanks() {
        while (/\s/.test(this.text[this.at] ?? "")) this.at++;
    }

    takes(mark) {
        this.blanks();
        const found = this.text.startsWith(mark, this.at);
        if (found) this.at += mark.length;
        return found;
    }

    wants(mark) {
        if (!this.takes(mark)) throw new Error(`${mark} is expected at ${this.text.slice(this.at, this.at + 12) || "the end"}`);
    }

    match(pattern) {
        this.blanks();
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text);
        if (!found) throw new Error(`a value is expected at ${this.text.slice(this.at, this.at + 12) || "the end"}`);
        this.at = pattern.lastIndex;
        return found[0];
    }

    value() {
        if (this.takes("[")) return this.list();
        if (this.takes("{")) return this.table();
        this.blanks();
        if (this.text[this.at] === '"') return JSON.parse(this.match(/"(?:[^"\\]|\\.)*"/y));
        const word = this.match(/[\w+.-]+/y);
        return word === "true" ? true : word === "false" ? false : Number(word.replaceAll("_", ""));
    }

    list() {
        const items = [];
        while (!this.takes("]")) {
            items.push(this.value());
            if (!this.takes(",")) {
                this.wants("]");
                break;
            }
        }
        return items;
    }

    table() {
        const table = {};
        while (!this.takes("}")) {
            const key = this.match(/[\w-]+/y);
            this.wants("=");
            table[key] = this.value();
            if (!this.takes(",")) {
                this.wants("}");
                break;
            }
        }
        return table;
    }
}

export function value(text) {
    const reader = new Reader(text);
    const found = reader.value();
    reader.blanks();
    if (reader.at !== text.length) throw new Error(`the end is expected at ${text.slice(reader.at, reader.at + 12)}`);
    return found;
}

// A value as TOML has it.
export function written(value) {
    if (typeof value === "string") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
    if (typeof value === "object") {
        const pairs = Object.entries(value).map(([key, one]) => `${key} = ${written(one)}`);
        return pairs.length ? `{ ${pairs.join(", ")} }` : "{}";
    }
    return String(value);
}

// The words that a remedy is given in: `recipe = "gemm-xor", kpack = 8`.
export function words(text) {
    return value(`{ ${text} }`);
}

export const NOTATIONS = ["recipe", "strides", "cute", "triton", "ck", "stages"];

// Keys of a tile in the order of the file; parameters of recipes stand after `recipe`.
const FIRST = ["element", "shape", ...NOTATIONS];
const LAST = ["masks", "columns", "may_overlap", "write", "read"];

function keys(tile) {
    const others = Object.keys(tile).filter((key) => !FIRST.includes(key) && !LAST.includes(key));
    return [...FIRST, ...others, ...LAST].filter((key) => tile[key] !== undefined);
}

// The file: what `tiledesc check` takes.
export function file(state) {
    const lines = [`version = ${VERSION}`, `chips = ${written(state.chips)}`, "[tile.A]"];
    for (const key of keys(state.tile)) lines.push(`${key} = ${written(state.tile[key])}`);
    return lines.join("\n") + "\n";
}

const plain = (text) => encodeURIComponent(text).replace(/%(?:2C|3A|3B|3D|5B|5D|7B|7D|28|29|2F)/g, decodeURIComponent);

// The fragment of the address: the same keys, and what is looked at.
export function fragment(state) {
    const pairs = [["version", VERSION], ["chips", state.chips]];
    for (const key of keys(state.tile)) pairs.push([key, state.tile[key]]);
    pairs.push(["view", state.view]);
    return pairs.map(([key, one]) => `${key}=${plain(written(one))}`).join("&");
}

// The state of a fragment; what it leaves out is as in `start`.
export function of_fragment(text, start) {
    const state = { chips: start.chips, tile: {}, view: { ...start.view } };
    let version;
    for (const pair of text.split("&").filter((pair) => pair)) {
        const [, key, raw] = /^([\w-]+)=(.*)$/s.exec(pair) ?? [];
        if (!key) throw new Error(`the address holds \`${pair}\`: write key=value`);
        const one = value(decodeURIComponent(raw));
        if (key === "version") version = one;
        else if (key === "chips") state.chips = one;
        else if (key === "view") Object.assign(state.view, one);
        else state.tile[key] = one;
    }
    if (version !== VERSION) throw new Error(`the address has version ${version}: this page reads version ${VERSION}`);
    return state;
}
