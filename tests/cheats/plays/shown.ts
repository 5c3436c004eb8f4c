import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { stateApp } from "#server/domains/log/served-app.ts";
import { servedHash, servedText } from "#shared/log/served-files.ts";
import type { Play, Plays } from "../play.ts";
import { openCopy } from "../trial/serve-copy.ts";
import { GAME, LAST, OPEN } from "./ids.ts";
import { edited, followed } from "./leaves.ts";

/* What members see beside games and money: counters, times, and what their phones remember. */

export const members: Plays = {
  "edit-hearts-and-comments": {
    data: "update listings set comment_count = comment_count + 1, hearts_sum = hearts_sum + 5 where id = 1",
    now: {
      audit: /^listing 1: its counters of comments, hearts and their mean are 3,14,450, the comments give 2,9,450$/m,
    },
  },
};

/** A site in front of another one's log and answers, which serves these itself. */
export async function inFront<T>(
  address: string,
  own: Record<string, string>,
  work: (front: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    const path = request.url!;
    const text = own[path === "/" ? "index.html" : path.slice(1)];
    if (text === undefined && /^\/(log|api)\//.test(path))
      return void fetch(address + path, { headers: { "x-data-encoding": "json" } }).then(async (answer) =>
        response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer())),
      );
    return void response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const hashed = (text: string) => createHash("sha256").update(text).digest("hex");
/** The true app, with its texts, and the page that checks offline. */
const APP = { "index.html": "<p>the app</p>", "check.html": "<p>checks</p>", "assets/ms.js": '"Anda boleh menang"' };

/** The house states the true app and serves another one to everybody. A witness looks. */
const serves =
  (changed: Partial<typeof APP>): NonNullable<Play["live"]> =>
  async ({ site }) => {
    const list = servedText(Object.entries(APP).map(([path, text]) => ({ path, hash: hashed(text) })));
    const app = { version: "1.0.0", files: servedHash(list), page: hashed(APP["check.html"]) };
    const place = await site.copies.tampered(async () => undefined);
    const copy = await openCopy(place, site.w.now());
    try {
      await copy.deps.db.transact((tx) => stateApp(tx, app, site.w.now()));
      for (let i = 0; i < 3; i++) await copy.publicLog.advance();
      const address = await copy.app.listen({ host: "127.0.0.1", port: 0 });
      const files = { ...APP, ...changed, "log/app": list };
      const look = (front: string) => site.watchers.appAt(front);
      return { witness: await inFront(address, files, look) };
    } finally {
      await copy.close();
      await site.copies.drop();
    }
  };

export const screens: Plays = {
  "serve-everybody-another-app": {
    live: serves({ "index.html": "<p>always genuine</p>" }),
    now: { witness: /^APP: index\.html is served otherwise than the log says\.$/m },
  },
  "serve-an-app-that-no-leaf-names": {
    live: async ({ site }) => {
      const place = await site.copies.tampered(async () => undefined);
      const copy = await openCopy(place, site.w.now());
      try {
        const address = await copy.app.listen({ host: "127.0.0.1", port: 0 });
        const ask = async (front: string) => ({
          witness: await site.watchers.appAt(front),
          verifier: await site.watchers.strangerOfApp(front),
        });
        return await inFront(address, APP, ask);
      } finally {
        await copy.close();
        await site.copies.drop();
      }
    },
    now: {
      witness: /^APP: An app is served, and the log names none\.$/m,
      verifier: /^An app is served, and the log names none\.$/,
    },
  },
  "spoil-the-offline-page": {
    live: serves({ "check.html": "<p>passes everything</p>" }),
    now: { witness: /^APP: check\.html is served otherwise than the log says\.$/m },
  },
  "promise-more-in-one-language": {
    live: serves({ "assets/ms.js": '"Anda pasti menang"' }),
    now: { witness: /^APP: assets\/ms\.js is served otherwise than the log says\.$/m },
  },
  "hide-the-missing-beacon": {
    live: async (stage) => {
      await stage.phone.hear(stage.life.open);
      const placed = { ...stage.life.placed, order: stage.life.placed.order, beacon: "drand" as const };
      await stage.phone.watcher.answer("take", { placed, receipt: stage.life.receipt });
    },
    now: { app: /^found: receipt$/m },
  },
  "announce-and-not-tell": {
    data: (forger) =>
      forger.relog({
        change: followed("open", { round: OPEN.name }, ({ opens: at }) => {
          const reason = { en_us: "Repairs" };
          return { kind: "pause", game: GAME, from: "20260304-0009", reason, at };
        }),
        asSaid: true,
      }),
    now: {
      audit: /^the log's pause of k3-1m from 20260304-0009 has no row$/m,
      verifier: /k3-1m: from 20260304-0009 on a `pause` is announced/,
    },
  },
  "wipe-a-phones-memory": {
    live: async (stage) => {
      const phone = await stage.another({ since: 5 });
      const { lost } = await phone.counted();
      return { app: lost ? "what this phone kept is gone" : "" };
    },
    now: { app: /^what this phone kept is gone$/ },
  },
};

export const clocks: Plays = {
  "shift-the-timetable-for-one-member": {
    data: (forger) =>
      forger.relog({
        change: edited("open", { round: LAST.name }, { closes: 1_772_582_557_000 }),
        asSaid: true,
      }),
    now: { witness: /^FORK: /, verifier: /20260304-0003: opened with other times than those of its place/ },
  },
  "say-the-draw-was-on-time": {
    data: "update rounds set drawn_at = draws_at where id = 10",
    now: { audit: /^the log's draw of round k3-1m 20260302-0014: drawn is \d+, the rows give \d+$/m },
  },
};
