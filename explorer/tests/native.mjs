// The page with the native engine in place of the WebAssembly one, where no toolchain builds that: a server on this
// machine hands the page out, and asks the program what the page asks. All but the engine's own file is the page's.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

const here = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

// In place of `web/engine.js`: the same questions, by a request that waits for its answer.
const ENGINE = `class Engine {
    ask(question, text) {
        const request = new XMLHttpRequest();
        request.open("POST", "/ask?" + encodeURIComponent(question), false);
        request.send(text);
        return JSON.parse(request.responseText);
    }
    json(question, text) {
        const { out, err } = this.ask(question, text);
        if (!out) throw new Error(err.trim());
        return JSON.parse(out);
    }
}
`;

// The scripts in the order in which `examples/page.rs` joins them.
function page() {
    const names = [...here("examples/page.rs").matchAll(/include_str!\("\.\.\/(web\/\w+\.js)"\)/g)].map(([, name]) => name);
    const text = names.map((name) => (name === "web/engine.js" ? ENGINE : here(name))).join("\n");
    const script = text.replace(/^import .*$/gm, "").replace(/^export /gm, "");
    // A module of nothing: the page compiles one before it asks.
    const nothing = gzipSync(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).toString("base64");
    const [, sample] = /include_bytes!\("\.\.\/(\S+)"\)/.exec(here("examples/page.rs"));
    const packed = readFileSync(new URL(`../${sample}`, import.meta.url)).toString("base64");
    const parts = { engine: nothing, sample: packed, script, style: here("web/page.css") };
    const filled = here("web/page.html").replace(/<meta http-equiv="Content-Security-Policy".*\n/, "");
    return filled.replace(/\{\{(engine|sample|script|style)\}\}/g, (_, name) => parts[name]);
}

async function ask(program, question, text) {
    const child = spawn(program, question.split(" ").filter((word) => word));
    const streams = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (part) => (streams.out += part));
    child.stderr.setEncoding("utf8").on("data", (part) => (streams.err += part));
    child.stdin.on("error", () => {}).end(text);
    const [status] = await once(child, "close");
    return JSON.stringify({ status, ...streams });
}

// Serves the page, asked of a `tiledesc-explorer`: its address.
export async function serve(program) {
    const text = page();
    const server = createServer(async (request, response) => {
        if (request.method === "GET") {
            response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
            return;
        }
        let body = "";
        for await (const part of request.setEncoding("utf8")) body += part;
        const question = decodeURIComponent(request.url.split("?")[1] ?? "");
        response.end(await ask(program, question, body));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${server.address().port}/`;
}
