// The engine is a WASI program: it reads words and a file, writes JSON, and ends. Of WASI it needs
// its arguments, standard input and standard output; each question gets a fresh instance, so that
// nothing is left from one to the next.

const OK = 0, BAD_FILE = 8, NOT_SUPPORTED = 52;

class Exit extends Error {}

export class Engine {
    // Of a compiled WebAssembly.Module.
    constructor(module) {
        this.module = module;
    }

    // Asks, and gives `{ status, out, err }` as the command line would.
    ask(question, text) {
        const words = ["tiledesc-explorer", ...question.split(" ").filter((word) => word)];
        const run = new Run(words, text);
        const instance = new WebAssembly.Instance(this.module, run.imports(this.module));
        run.memory = instance.exports.memory;
        try {
            instance.exports._start();
        } catch (error) {
            if (!(error instanceof Exit)) throw new Error(run.text(2) || String(error));
        }
        return { status: run.status, out: run.text(1), err: run.text(2) };
    }

    // Asks for JSON.
    json(question, text) {
        const { out, err } = this.ask(question, text);
        if (!out) throw new Error(err.trim());
        return JSON.parse(out);
    }
}

class Run {
    constructor(words, text) {
        const encoder = new TextEncoder();
        this.words = words.map((word) => encoder.encode(word + "\0"));
        this.input = encoder.encode(text);
        this.read = 0;
        this.written = { 1: [], 2: [] };
        this.status = 0;
    }

    // What a stream has been given.
    text(stream) {
        const decoder = new TextDecoder();
        const parts = this.written[stream].map((bytes) => decoder.decode(bytes, { stream: true }));
        return parts.join("") + decoder.decode();
    }

    imports(module) {
        const given = {
            args_sizes_get: (count, size) => {
                this.put(count, this.words.length);
                return this.put(size, this.words.reduce((sum, word) => sum + word.length, 0));
            },
            args_get: (places, at) => {
                for (const [i, word] of this.words.entries()) {
                    this.put(places + 4 * i, at);
                    this.bytes().set(word, at);
                    at += word.length;
                }
                return OK;
            },
            environ_sizes_get: (count, size) => {
                this.put(count, 0);
                return this.put(size, 0);
            },
            environ_get: () => OK,
            fd_read: (stream, lists, count, done) => {
                if (stream !== 0) return BAD_FILE;
                return this.each(lists, count, done, (bytes) => {
                    const next = this.input.subarray(this.read, this.read + bytes.length);
                    bytes.set(next);
                    this.read += next.length;
                    return next.length;
                });
            },
            fd_write: (stream, lists, count, done) => {
                if (!this.written[stream]) return BAD_FILE;
                return this.each(lists, count, done, (bytes) => {
                    this.written[stream].push(bytes.slice());
                    return bytes.length;
                });
            },
            // Seeds of hash tables, which nobody attacks here.
            random_get: (at, count) => {
                this.bytes().fill(7, at, at + count);
                return OK;
            },
            proc_exit: (status) => {
                this.status = status;
                throw new Exit();
            },
        };
        const imports = {};
        for (const { module: from, name } of WebAssembly.Module.imports(module)) {
            (imports[from] ??= {})[name] = given[name] ?? (() => NOT_SUPPORTED);
        }
        return imports;
    }

    bytes() {
        return new Uint8Array(this.memory.buffer);
    }

    put(at, number) {
        new DataView(this.memory.buffer).setUint32(at, number, true);
        return OK;
    }

    // Hands each buffer of a list over, and says how many bytes were taken.
    each(lists, count, done, take) {
        const view = new DataView(this.memory.buffer);
        let sum = 0;
        for (let i = 0; i < count; i++) {
            const at = view.getUint32(lists + 8 * i, true);
            const length = view.getUint32(lists + 8 * i + 4, true);
            sum += take(this.bytes().subarray(at, at + length));
        }
        return this.put(done, sum);
    }
}
