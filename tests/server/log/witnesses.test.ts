import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logCosignatures } from "#db/schema/log.ts";
import { openSite } from "#server/app/site.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { conflictText, CONFLICT_TYPE, cosign, cosignatureVerifier, cosignedAt } from "#shared/log/cosignature.ts";
import { parseAddCheckpoint } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, parseKey, parseNote, signatureLine, type Signer } from "#shared/log/note.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { program } from "../../support/program.ts";
import { falseWitness, WitnessServer } from "../../support/witness-servers.ts";
import { START, world, type World } from "../../support/world.ts";
import { signerOf } from "../../log/world.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { spawnBound } from "../../support/spawn-bound.ts";

const CLOCK = { now: () => START + 5_000 };
const ROUND = "20260302-0001";

let folder: string;
let w: World;
let closing: (() => Promise<void> | void)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-witnesses-"));
  closing = [];
});
afterEach(async () => {
  disarm();
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true });
});

async function siteWith(...named: string[]): Promise<void> {
  w = await world({ env: { WITNESSES: named.join(", ") } });
  closing.push(() => w.close());
  await w.game();
}

async function witness(name?: string): Promise<WitnessServer> {
  const server = await WitnessServer.start(folder, CLOCK, name);
  closing.push(() => server.leave());
  return server;
}

/** A witness that answers as the test says, with a key of its own. */
async function liar(answer: (body: string, response: ServerResponse) => void | Promise<void>) {
  const signer = signerOf("liar.example/w", COSIGNATURE_KEY, "liar");
  const server = await falseWitness(answer);
  closing.push(() => server.stop());
  return { ...server, signer, named: `${server.url} ${keyText(signer.key)}` };
}

/** A signature by this key under the head that was posted. */
const lineBy = (signer: Signer, body: string) =>
  signatureLine(cosign(parseAddCheckpoint(body)!.head.text, CLOCK.now() / 1_000, signer));

/** Signs and tells a head, and waits until witnesses have answered or are late. */
async function head(): Promise<void> {
  await w.deps.publicLog.advance();
  await w.site.publicLog.settle();
  await w.site.relay.wake();
}
const passHead = async () => {
  w.pass(60_000);
  await head();
};
const shown = async () => parseNote((await w.site.app.inject({ url: "/log/checkpoint" })).payload)!;
const sizeShown = async () => parseCheckpoint((await shown()).text)!.size;
const signers = async () => (await shown()).signatures.slice(1).map(({ name }) => name);
const failures = () =>
  w.logged.flatMap((line) => {
    const { failure } = JSON.parse(line) as { failure?: string };
    return failure === undefined ? [] : [failure];
  });

describe("a site with witnesses", () => {
  it("posts each head at once, keeps the signatures and shows them everywhere", async () => {
    const [one, two] = [await witness("one.json"), await witness("two.json")];
    await siteWith(one.named, two.named);
    const { key } = w.site.publicLog.key;
    for (const server of [one, two]) await server.meets(key);
    await head();
    const note = await shown();
    for (const { key: own } of [one, two]) expect(cosignedAt(note, cosignatureVerifier(own))).toBe(CLOCK.now() / 1_000);
    const { data } = await w.call("/fair/head", {}, { method: "GET" });
    expect(data).toEqual({
      head: (await w.site.app.inject({ url: "/log/checkpoint" })).payload,
      cosigned: data.head,
      key: keyText(key),
      changes: [],
      witnesses: { keys: [keyText(one.key), keyText(two.key)], needed: 2 },
    });
    expect(w.site.publicLog.newest()).toBe(data.head);
    await passHead();
    expect([one.sizeOf(key.name), two.sizeOf(key.name)]).toEqual([await sizeShown(), await sizeShown()]);
    expect(await w.deps.db.read.select().from(logCosignatures)).toHaveLength(4);
    expect(failures()).toEqual([]);
  });

  it("tells the watchers of a game the signatures under the head of a closing, before the draw", async () => {
    const one = await witness();
    await siteWith(one.named);
    await one.meets(w.site.publicLog.key.key);
    await w.live(1_000);
    await w.site.publicLog.settle();
    const clients = new SocketClients(await w.listen());
    closing.push(() => clients.close());
    const watcher = await clients.open();
    await watcher.watch("k3-1m");
    await w.live(57_000);
    const { head: told } = await watcher.next("fair:head", ({ expect }) => expect === ROUND);
    const { head: cosigned } = await watcher.next("fair:cosigned");
    expect(parseNote(cosigned)!.text).toBe(parseNote(told)!.text);
    expect(cosignedAt(parseNote(cosigned)!, cosignatureVerifier(one.key))).not.toBeNull();
    await w.live(2_000);
    await watcher.next("lottery:result");
    const events = watcher.received.map(({ event }) => event);
    expect(events.indexOf("fair:cosigned")).toBeLessThan(events.indexOf("lottery:result"));
  });

  it("is signed by a witness that runs as a program of its own", async () => {
    const free = await witness("port.json");
    const port = new URL(free.url).port;
    const file = join(folder, "own.json");
    // The program makes the same key again from its file.
    const own = await WitnessServer.start(folder, CLOCK, "own.json");
    await own.leave();
    await siteWith(`http://127.0.0.1:${port} ${keyText(own.key)}`);
    await head();
    await free.leave();
    const words = [await w.listen(), "--port", port, "--state", file];
    const child: ChildProcess = spawnBound(process.execPath, [...program("server/witness.ts"), ...words], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface({ input: child.stdout! })) if (line.includes('"signed ')) break;
    await passHead();
    expect(await signers()).toEqual([own.key.name]);
    child.kill("SIGTERM");
    await once(child, "exit");
  });
});

describe("a witness that does not sign", () => {
  it("holds up no draw while it is slow, and is asked for the next head as soon as it was late", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await liar(async (_body, response) => {
      await held;
      response.end("late");
    });
    await siteWith(slow.named);
    for (let i = 0; i < 3; i++) await w.live(60_000);
    const { data } = await w.call("/fair/round", { key: "k3-1m", expect: ROUND }, { method: "GET" });
    expect(data.opencode).not.toBeNull();
    await w.site.publicLog.settle();
    release();
    expect(failures()).toEqual(["it does not answer: The operation was aborted due to timeout"]);
    // Whoever is late gets the newest head next, and not each head in between.
    expect(slow.asked.length).toBeLessThanOrEqual(3);
  });

  it("signs the newest head when it is back", async () => {
    const one = await witness();
    await siteWith(one.named);
    await one.meets(w.site.publicLog.key.key);
    await head();
    await one.leave();
    await passHead();
    await passHead();
    expect([await signers(), failures()]).toEqual([[], ["it does not answer: ECONNREFUSED"]]);
    await one.comeBack();
    await w.site.publicLog.witnesses.tick();
    expect(await signers()).toEqual([]);
    w.pass(60_000);
    await w.site.publicLog.witnesses.tick();
    expect(await signers()).toEqual([one.key.name]);
    expect(w.logged.some((line) => line.includes("a witness signs heads again"))).toBe(true);
  });

  it("gets the proof from the head that it signed, where that is another one than we know", async () => {
    const one = await witness();
    await siteWith(one.named);
    const { key } = w.site.publicLog.key;
    await one.meets(key);
    await head();
    const size = await sizeShown();
    await w.restart();
    // A site that has forgotten what was signed: another database of the same log, or one without these rows.
    const file = one.state.log(key.name)!;
    await passHead();
    expect(one.sizeOf(key.name)).toBeGreaterThan(size);
    await one.state.keep(key.name, file);
    await passHead();
    expect(one.sizeOf(key.name)).toBe(await sizeShown());
    expect(failures()).toEqual([]);
  });

  it.each<[string, (body: string, response: ServerResponse, signer: Signer) => void, string]>([
    ["refuses", (_body, response) => void response.writeHead(403).end("no\n"), "it answers with 403"],
    ["answers what is no signature", (_body, response) => void response.end("yes\n"), "it answers with 200"],
    [
      "answers too long",
      (_body, response) => void response.end("a".repeat(20_000)),
      "it does not answer: too long an answer",
    ],
    [
      "leads elsewhere",
      (_body, response) => void response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
      "it does not answer: unexpected redirect",
    ],
    [
      "signs another head",
      (body, response, signer) => {
        const other = body.replace(/^(old 0\n\n.*\n)\d+\n/, "$17\n");
        response.end(lineBy(signer, other));
      },
      "its signature is false",
    ],
    [
      "signs under another name",
      (body, response) => void response.end(lineBy(signerOf("other.example/w", COSIGNATURE_KEY, "liar"), body)),
      "it signs under another name than WITNESSES says",
    ],
    [
      "signs with another key",
      (body, response) => void response.end(lineBy(signerOf("liar.example/w", COSIGNATURE_KEY, "other"), body)),
      "it signs under another name than WITNESSES says",
    ],
    [
      "knows a larger head",
      (_body, response) => void response.writeHead(409, { "content-type": CONFLICT_TYPE }).end(conflictText(10_000)),
      "it has signed a head of 10000 leaves, and the log has ",
    ],
    [
      "always names another size",
      (body, response) =>
        void response
          .writeHead(409, { "content-type": CONFLICT_TYPE })
          .end(conflictText(1 + parseAddCheckpoint(body)!.older)),
      "it has signed another head of 2 leaves",
    ],
  ])("%s: the head stands without it, and the operator reads why", async (_name, answer, says) => {
    const signer = signerOf("liar.example/w", COSIGNATURE_KEY, "liar");
    const server = await liar((body, response) => answer(body, response, signer));
    await siteWith(server.named);
    await w.live(1_000);
    await head();
    await passHead();
    expect(failures()[0]).toContain(says);
    expect([await signers(), await w.deps.db.read.select().from(logCosignatures)]).toEqual([[], []]);
  });
});

describe("several servers", () => {
  it("ask for one head side by side, and it is signed once", async () => {
    const one = await witness();
    await siteWith(one.named);
    await one.meets(w.site.publicLog.key.key);
    const buffer = new SharedArrayBuffer(16);
    new Float64Array(buffer)[0] = w.now();
    const outside = { clock: { kind: "shared", buffer }, log: pino({ level: "silent" }) } as const;
    const other = await openSite({ ...w.config, headFile: `${w.config.headFile}-2` }, outside);
    closing.push(() => other.close());
    await head();
    await one.leave();
    await passHead();
    await one.comeBack();
    await Promise.all([w.site, other].map((site) => site.publicLog.witnesses.post()));
    expect(await signers()).toEqual([one.key.name]);
    expect(await w.deps.db.read.select().from(logCosignatures)).toHaveLength(2);
  });

  it("leave nothing undone when the one that posted is killed", async () => {
    const one = await witness();
    await siteWith(one.named);
    const { key } = w.site.publicLog.key;
    await one.meets(key);
    arm("log.cosign throw 1");
    await head();
    expect([await signers(), one.sizeOf(key.name)]).toEqual([[], await sizeShown()]);
    disarm();
    await w.crash();
    w.pass(10_000);
    await w.site.publicLog.witnesses.tick();
    expect(await signers()).toEqual([one.key.name]);
  });
});

it("a site without witnesses asks nobody and says so", async () => {
  w = await world();
  closing.push(() => w.close());
  await w.deps.publicLog.advance();
  const { data } = await w.call("/fair/head", {}, { method: "GET" });
  expect(data).toMatchObject({ cosigned: null, witnesses: { keys: [], needed: 0 } });
  expect(parseKey(data.key)).not.toBeNull();
});
