import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "#server/programs/chromium.ts";
import { activateMembers, createDatabase, tokenOf } from "./database.ts";
import { interleave } from "./measure.ts";
import type { DemoVideo } from "./parts/videos.ts";
import { plainPage, playPlainly, tapTile } from "./parts/first-frame.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart } from "./part.ts";
import { inMs, ratioLine, type Row } from "./report.ts";

const PAIRS = 9;
const WARM_UPS = 2;
/** How many videos the list shows without scrolling. */
const SHOWN = 8;
/** A tap may start playback. A page that was only opened may not. */
const FLAGS = [...CHROMIUM_FLAGS, "--autoplay-policy=no-user-gesture-required"];

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A member taps on a demo video, against the same video as one plain file in a page of its own. */
export const firstFrameRow: Row = async (log) => {
  using database = await createDatabase(1, activateMembers);
  await using server = startPart<ServerPart>("server");
  const url = await server.call("open", { folder: database.folder, games: [], how: "running" });
  const videos = (await server.call("publishDemoFilms")).slice(0, SHOWN);
  await using plain = await servePlain(database.folder, videos);
  await using browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS });
  const device = await newDevice(browser);
  const bare = await browser.newContext(PHONE);
  let [taps, plays] = [0, 0];
  const tap = () => inNewPage(device, (page) => tapTile(page, `${url}/Video`, videos[taps++ % videos.length]!.id));
  const play = () => {
    const path = `/play/${videos[plays % videos.length]!.id}?${plays++}`;
    return inNewPage(bare, (page) => playPlainly(page, plain.address, path));
  };
  const found = await interleave(PAIRS, tap, play, WARM_UPS);
  log(`${inMs(found.ours)} against ${inMs(found.baseline)}`);
  const goal = { better: "less", target: 1.2 } as const;
  return [ratioLine("tap on a video to its first frame ÷ the same video as a plain file", found, inMs, goal)];
};

/** A phone with a logged-in member. Its cache outlives its pages. */
async function newDevice(browser: Browser): Promise<BrowserContext> {
  const device = await browser.newContext(PHONE);
  await device.addInitScript((token) => {
    localStorage.setItem("viodeLang", "en_us");
    localStorage.setItem("token", token);
  }, tokenOf(1));
  return device;
}

async function inNewPage(device: BrowserContext, measure: (page: Page) => Promise<number>): Promise<number> {
  const page = await device.newPage();
  const found = await measure(page);
  await page.close();
  return found;
}

/** Serves each film as one file, with byte ranges, a page that plays it, and an empty page. */
async function servePlain(folder: string, videos: readonly DemoVideo[]) {
  const files = new Map(
    videos.map(({ id, files }) => [id, Buffer.concat(files.map((file) => readFileSync(join(folder, file))))]),
  );
  const server = createServer(({ url, headers }, response) => {
    const video = files.get(/^\/(vid_\d+)/.exec(url!)?.[1] ?? "");
    if (!video) {
      const page = url!.startsWith("/play/")
        ? plainPage(url!.replace("/play", ""))
        : "<!doctype html><title>bare</title>";
      return response.setHeader("content-type", "text/html").end(page);
    }
    const start = Number(/^bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
    const range = { "content-range": `bytes ${start}-${video.length - 1}/${video.length}`, "accept-ranges": "bytes" };
    response.writeHead(206, { "content-type": "video/mp4", "content-length": video.length - start, ...range });
    return response.end(video.subarray(start));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
