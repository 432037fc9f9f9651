// What can be looked at, by words that an address can hold: `lane 5`, `phase 2`, `phase 2 bank 7`,
// `byte 640 16`. Each is a set of dwords, which every panel marks, and one sentence.

const list = (items) => items.join(", ");

// Runs of numbers: `0-3, 8`.
export function runs(numbers) {
    const all = [];
    for (const n of numbers) {
        const last = all.at(-1);
        if (last && last[1] + 1 === n) last[1] = n;
        else all.push([n, n]);
    }
    return list(all.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)));
}

// `lane 5`, `lanes 0, 4-7`.
const many = (word, numbers) => `${word}${numbers.length > 1 ? "s" : ""} ${runs(numbers)}`;

// One instruction: its lanes and phases, as the engine gives them.
export class Served {
    constructor(shown, verb) {
        this.shown = shown;
        this.verb = verb;
        this.lanes = shown?.lanes ?? [];
        this.phases = shown?.phases ?? [];
        this.lane = new Map(this.lanes.map((lane) => [lane.lane, lane]));
        // Banks that are crowded, by phase.
        this.crowded = new Set();
        for (const { phase, banks } of this.phases) {
            banks.forEach((dwords, bank) => dwords.length > 1 && this.crowded.add(`${phase} ${bank}`));
        }
    }

    // The phases that serve a lane: one for each address.
    phases_of(lane) {
        return this.phases.filter((phase) => phase.lanes.includes(lane.lane)).map((phase) => phase.phase);
    }

    waits(lane) {
        return this.phases_of(lane).some((phase) => lane.banks.some((bank) => this.crowded.has(`${phase} ${bank}`)));
    }

    // Dwords and sentence of a pin; nothing if it is not of this answer.
    resolve(pin) {
        const words = pin.split(" "), [, first, , second] = words.map(Number);
        if (words[0] === "lane") return this.of_lane(first);
        if (words[0] !== "phase") return null;
        return words.length === 2 ? this.of_phase(first) : this.of_bank(first, second);
    }

    // What a lane touches, in words.
    touched(lane) {
        return `byte ${lane.byte}`;
    }

    of_lane(number) {
        const lane = this.lane.get(number);
        if (!lane) return null;
        const phases = this.phases_of(lane), met = new Set();
        for (const phase of phases) {
            for (const bank of lane.banks) {
                const dwords = this.phases[phase].banks[bank];
                if (dwords.length > 1) dwords.flat().forEach((other) => other !== number && met.add(other));
            }
        }
        const waits = met.size ? `; meets ${many("lane", [...met].sort((a, b) => a - b))}` : "; waits for nobody";
        const say = `lane ${number} ${this.verb}s ${this.touched(lane)}, ${many("bank", [...new Set(lane.banks)])}, phase ${list(phases)}${waits}`;
        return { dwords: lane.dwords, say };
    }

    of_phase(number) {
        const phase = this.phases[number];
        if (!phase) return null;
        const dwords = phase.lanes.flatMap((lane) => this.lane.get(lane)?.dwords ?? []);
        const free = phase.degree > 1 ? `${phase.degree}-way, first in bank ${phase.bank}` : phase.degree === 1 ? "free" : "no lane is active";
        return { dwords, say: `phase ${number} serves ${many("lane", [...phase.lanes].sort((a, b) => a - b))}: ${free}` };
    }

    of_bank(number, bank) {
        const phase = this.phases[number], dwords = phase?.banks[bank];
        if (!dwords) return null;
        const lanes = dwords.flat();
        const of = lanes.flatMap((lane) => (this.lane.get(lane)?.dwords ?? []).filter((_, i) => this.lane.get(lane).banks[i] === bank));
        const each = dwords.map((lanes) => many("lane", lanes)).join(", then ");
        const say = dwords.length === 0 ? "nobody" : dwords.length === 1 ? `one dword for ${each}` : `${dwords.length} dwords, one after the other: ${each}`;
        return { dwords: of, say: `phase ${number}, bank ${bank}: ${say}` };
    }
}

// The same of a tile: each byte is an element's.
export class Seen extends Served {
    constructor(answer) {
        super(answer.shown, answer.accesses[answer.shown?.access ?? 0]?.access ?? "read");
        this.tile = answer.tile;
        this.lane_of_byte = new Map();
        for (const lane of this.lanes) {
            for (const start of lane.starts) {
                for (let byte = start; byte < start + this.shown.bytes; byte++) {
                    if (!this.lane_of_byte.has(byte)) this.lane_of_byte.set(byte, []);
                    this.lane_of_byte.get(byte).push(lane.lane);
                }
            }
        }
        this.element_at = new Map();
        this.tile.offsets.forEach((offset, id) => offset === null || this.element_at.set(offset, id));
    }

    // The coordinate of an element by its number.
    index(id) {
        const index = [];
        for (const length of [...this.tile.lengths].reverse()) {
            index.unshift(id % length);
            id = Math.floor(id / length);
        }
        return index;
    }

    byte(offset) {
        return Math.floor((offset * this.tile.bits) / 8);
    }

    // Lanes whose access touches a byte.
    lanes_of(byte) {
        return this.lane_of_byte.get(byte) ?? [];
    }

    resolve(pin) {
        const words = pin.split(" ");
        return words[0] === "byte" ? this.of_bytes(Number(words[1]), Number(words[2] ?? 1)) : super.resolve(pin);
    }

    touched(lane) {
        return `(${list(lane.at)}): byte ${lane.byte}`;
    }

    of_bytes(byte, count) {
        const dwords = [], elements = [], { bits, banks } = this.tile;
        for (let dword = byte >> 2; dword <= (byte + count - 1) >> 2; dword++) dwords.push(dword);
        for (let offset = Math.floor((byte * 8) / bits); offset * bits < (byte + count) * 8; offset++) {
            if (this.element_at.has(offset)) elements.push(offset);
        }
        const lanes = [...new Set(Array.from({ length: count }, (_, i) => this.lanes_of(byte + i)).flat())];
        const at = (offset) => `(${list(this.index(this.element_at.get(offset)))})`;
        const what = !elements.length ? "padding, no element" : elements.length === 1 ? at(elements[0]) : `${at(elements[0])} to ${at(elements.at(-1))}`;
        const offset = elements.length ? `, offset ${elements[0]}` : "";
        const by = lanes.length ? `; ${many("lane", lanes)}, phase ${list([...new Set(lanes.flatMap((lane) => this.phases_of(this.lane.get(lane))))])}` : "";
        return { dwords, say: `${what}${offset}, byte ${byte}, ${many("bank", [...new Set(dwords.map((dword) => dword % banks))])}${by}` };
    }
}
