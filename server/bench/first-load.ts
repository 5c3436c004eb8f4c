import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "#server/programs/chromium.ts";
import { interleave, median, type Comparison } from "./measure.ts";
import { loadPage, type Load } from "./parts/page-load.ts";
import { figure, inMs, ratioLine, type Line, type Row } from "./report.ts";

const LOADS = 5;
const KIB = 1024;
/** A page with one line of text: what the network and the browser cost by themselves. */
const BARE = `<!doctype html><meta name="viewport" content="width=device-width"><title>bare</title><h1>Bare</h1>`;

/** The first visit to /Home, on a phone four times slower than this machine, on slow 4G. */
export const firstLoadRow: Row = async (log) => {
  await using browser = await launch();
  await using home = await serveHome();
  await using bare = await serveBare();
  const loads: Load[] = [];
  const open = async () => {
    const load = await loadPage(browser.it, `${home.address}/Home`, { lang: "en_us" });
    loads.push(load);
    return load.largestPaintMs;
  };
  const openBare = async () => (await loadPage(browser.it, bare.address, {})).largestPaintMs;
  const paints = await interleave(LOADS, open, openBare);
  log(`largest contentful paint after ${inMs(paints.ours)}, a bare page after ${inMs(paints.baseline)}`);
  return [...weightLines(loads.slice(1)), ...paintLines(paints), ...feelLines(loads.slice(1))];
};

const middleOf = (loads: Load[], value: (load: Load) => number) => median(loads.map(value));

function weightLines(loads: Load[]): Line[] {
  const kib = (value: (load: Load) => number) => middleOf(loads, value) / KIB;
  const all = figure(kib(({ scriptBytes }) => scriptBytes));
  return [
    {
      what: "first JavaScript of /Home, compressed",
      value: kib(({ firstScriptBytes }) => firstScriptBytes),
      unit: "KiB",
      detail: `${all} KiB with what comes after the first screen; the bare page has none`,
      goal: { better: "less", target: 115 },
    },
  ];
}

function paintLines(paints: Comparison): Line[] {
  return [
    {
      what: "largest contentful paint of /Home, 4× slower CPU, slow 4G",
      value: paints.ours / 1000,
      unit: "s",
      detail: `a bare page ${inMs(paints.baseline)}`,
      goal: { better: "less", target: 1.8 },
    },
    ratioLine("largest contentful paint of /Home ÷ bare page", paints, inMs),
  ];
}

function feelLines(loads: Load[]): Line[] {
  return [
    plain(
      "layout shift of /Home",
      middleOf(loads, ({ shift }) => shift),
      "a bare page has none",
      0.1,
    ),
    plain(
      "delay of the first tap on /Home, in ms",
      middleOf(loads, ({ tapDelayMs }) => tapDelayMs),
      "4× slower CPU",
      100,
    ),
  ];
}

const plain = (what: string, value: number, detail: string, target: number): Line => ({
  what,
  value,
  detail,
  goal: { better: "less", target },
});

async function launch() {
  const it: Browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  return { it, [Symbol.asyncDispose]: () => it.close() };
}

/** The built app on a fresh demo, as `npm start` serves it. */
async function serveHome() {
  const folder = mkdtempSync(join(tmpdir(), "trio-bench-"));
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    LOG_LEVEL: "silent",
    RATE_LIMIT: "off",
    DEMO: "1",
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, "../main.ts")], { env, stdio: "ignore" });
  const address = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error("the server ended");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const close = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
    rmSync(folder, { recursive: true });
  };
  return { address, [Symbol.asyncDispose]: close };
}

async function serveBare() {
  const server = createServer((_request, response) => response.setHeader("content-type", "text/html").end(BARE));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
