import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postCheckpoint } from "#server/domains/log/post-checkpoint.ts";
import { AppWatch } from "#server/witness/app-watch.ts";
import { serveWitness } from "#server/witness/serve.ts";
import { WitnessState } from "#server/witness/state.ts";
import { siteFiles } from "#server/verify/log-files.ts";
import { addCheckpointText, cosignatureVerifier, cosignedAt } from "#shared/log/cosignature.ts";
import { servedHash, servedText } from "#shared/log/served-files.ts";
import { originOf } from "#shared/log/checkpoint.ts";
import { keyText, parseKey, parseNote, type SignedNote } from "#shared/log/note.ts";
import { MemoryLog } from "../../support/log-site.ts";
import { program } from "../../support/program.ts";
import { entryOfLeaf, HOUSE, ORIGIN, START } from "../../log/honest-log.ts";
import { rotation } from "../../log/spoiled-log.ts";
import { bytes, signerOf } from "../../log/world.ts";
import { leaves, NOW, WitnessGround } from "./witness-ground.ts";
import { spawnBound } from "../../support/spawn-bound.ts";

const sha256Hex = (text: string) => createHash("sha256").update(text).digest("hex");
const LIMIT = { timeoutMs: 5_000 };

const ground = new WitnessGround();
const { poll, sizeOf, proven } = ground;

let server: Server;
let address: string;

async function start(): Promise<void> {
  await ground.open();
  server = await serveWitness(ground.witness, ground.state, { port: 0, host: "127.0.0.1" });
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

beforeEach(start);
afterEach(stop);

const note = (text: string): SignedNote => parseNote(text)!;
const post = (older: number, size: number, log = ground.site.log) =>
  postCheckpoint(address, older, log.proof(older, size), note(log.note(size)), LIMIT);
/** What is answered to any body. */
const answerTo = async (body: string) => {
  const response = await fetch(`${address}/add-checkpoint`, { method: "POST", body });
  return [response.status, response.headers.get("content-type"), await response.text()];
};

describe("a witness that polls", () => {
  it("signs the first head that it sees, and each that extends it, from the tiles", async () => {
    await poll();
    expect(sizeOf()).toBe(300);
    ground.site.log.add(...leaves(300, 70_000));
    await poll();
    expect(sizeOf()).toBe(70_000);
    const signed = note(await (await fetch(`${address}/checkpoint`)).text());
    const key = parseKey((await (await fetch(`${address}/key`)).text()).trim())!;
    expect(cosignedAt(signed, cosignatureVerifier(key))).toBe(NOW / 1_000);
    expect(ground.said).toEqual([`signed ${ORIGIN} with 300 leaves`, `signed ${ORIGIN} with 70000 leaves`]);
    ground.site.asked.length = 0;
    await poll();
    expect(ground.site.asked).toEqual(["checkpoint", "key"]);
  });

  it("never signs a fork, but writes both heads down and says so", async () => {
    await poll();
    const kept = ground.state.log(ORIGIN)!.note;
    ground.site.log = new MemoryLog(HOUSE).add(...leaves(0, 200), ...leaves(200, 400, "other"));
    await poll();
    expect(sizeOf()).toBe(300);
    expect(ground.said.at(-2)).toBe(
      `FORK: ${ORIGIN} signed two histories. One of them has 400 leaves. Both heads are in ${ground.evidence}.`,
    );
    expect(ground.written().findings).toMatchObject([
      { kind: "fork", evidence: { ours: kept, shown: ground.site.log.note() } },
    ]);
    // Whoever has nothing but the file sees that the house signed both.
    expect(proven()).toEqual([expect.stringContaining("The log's keys signed a head of 300 leaves and one of 400.")]);
  });

  it("knows a fork of one size too", async () => {
    await poll();
    ground.site.log = new MemoryLog(HOUSE).add(...leaves(0, 300, "other"));
    await poll();
    expect([proven(), sizeOf()]).toEqual([[expect.stringContaining("Two heads of 300 leaves")], 300]);
  });

  it("signs no smaller head, none whose tiles are broken, and none of another key, and convicts nobody for it", async () => {
    await poll();
    ground.site.log = new MemoryLog(HOUSE).add(...leaves(0, 299));
    await expect(poll()).rejects.toThrow("the log shows 299 leaves, and had shown 300 before");
    ground.site.log = new MemoryLog(HOUSE).add(...leaves(0, 301));
    const broken = ground.site.log.file("tile/0/000")!.slice();
    broken[3]! ^= 1;
    ground.site.log.changed.set("tile/0/000", broken);
    ground.site.log.changed.set("tile/1/000.p/1", broken.slice(0, 32));
    await expect(poll()).rejects.toThrow("the tiles do not have the root of the signed head");
    ground.site.log.changed.set("tile/1/000.p/1", null);
    await expect(poll()).rejects.toThrow("tile/1/000.p/1 is missing");
    const thief = signerOf(ORIGIN, undefined, "thief");
    ground.site.log = new MemoryLog(thief).add(...leaves(0, 302));
    await expect(poll()).rejects.toThrow("do not lead from the key that is known to the one that signs");
    ground.site.log.changed.set("key", bytes(keyText(HOUSE.key)));
    await expect(poll()).rejects.toThrow("the head is not signed by the log's key");
    expect([sizeOf(), existsSync(ground.evidence)]).toEqual([300, false]);
  });

  it("follows a change of keys that both keys signed", async () => {
    await poll();
    const next = signerOf(ORIGIN, undefined, "next");
    const told = rotation(HOUSE, next, 3);
    ground.site.log = new MemoryLog(next).add(
      ...leaves(0, 300),
      entryOfLeaf(told),
      entryOfLeaf({ kind: "time", time: START }),
    );
    await poll();
    expect([sizeOf(), keyText(ground.state.log(ORIGIN)!.key)]).toEqual([302, keyText(next.key)]);
    expect(ground.said.at(-2)).toBe(`${ORIGIN} signs with another key now, as its leaves say.`);
  });

  it("says when the site shows another log, and keeps the one before", async () => {
    await poll();
    const { publicKey } = signerOf("any", undefined, "new").key;
    const other = signerOf(originOf("house.example", publicKey), undefined, "new");
    ground.site.log = new MemoryLog(other).add(...leaves(0, 5));
    await poll();
    expect(ground.said.at(-2)).toBe(`This is another log, ${other.key.name}. Before it was ${ORIGIN}.`);
    expect([sizeOf(), sizeOf(other.key.name)]).toEqual([300, 5]);
  });
});

describe("a head that is posted", () => {
  beforeEach(poll);

  it("is signed if it extends the last one, and remembered before the answer", async () => {
    ground.site.log.add(...leaves(300, 515));
    const posted = await post(300, 515);
    expect(posted.kind).toBe("cosigned");
    const { key } = ground.witness;
    const signatures = posted.kind === "cosigned" ? posted.signatures : [];
    expect(cosignedAt({ ...note(ground.site.log.note()), signatures }, cosignatureVerifier(key))).toBe(NOW / 1_000);
    await stop();
    await start();
    expect([sizeOf(), keyText(ground.witness.key)]).toEqual([515, keyText(key)]);
    expect(await post(515, 515)).toMatchObject({ kind: "cosigned" });
  });

  it("gets the size that was signed last, if it begins at another", async () => {
    ground.site.log.add(...leaves(300, 400));
    expect(await post(0, 400)).toEqual({ kind: "conflict", size: 300 });
    const body = addCheckpointText({
      older: 299,
      path: ground.site.log.proof(299),
      head: note(ground.site.log.note()),
    });
    expect(await answerTo(body)).toEqual([409, "text/x.tlog.size", "300\n"]);
  });

  it("is refused without a proof that holds, and by whom it was not signed", async () => {
    ground.site.log.add(...leaves(300, 400));
    expect(await postCheckpoint(address, 300, ground.site.log.proof(299), note(ground.site.log.note()), LIMIT)).toEqual(
      {
        kind: "refused",
        status: 422,
      },
    );
    const thief = new MemoryLog(signerOf(ORIGIN, undefined, "thief")).add(...leaves(0, 400));
    expect(await post(300, 400, thief)).toEqual({ kind: "refused", status: 403 });
    const stranger = new MemoryLog(signerOf("elsewhere.example/log")).add(...leaves(0, 400));
    expect(await post(300, 400, stranger)).toEqual({ kind: "refused", status: 404 });
    expect(await postCheckpoint(address, 401, [], note(ground.site.log.note()), LIMIT)).toEqual({
      kind: "refused",
      status: 400,
    });
    expect((await answerTo("old 1\n"))[0]).toBe(400);
    expect((await answerTo("a".repeat(200_000)))[0]).toBe(413);
    expect(sizeOf()).toBe(300);
  });

  it("of the same size and another root is a fork: 409, and evidence", async () => {
    const other = new MemoryLog(HOUSE).add(...leaves(0, 300, "other"));
    expect(await post(300, 300, other)).toEqual({ kind: "conflict", size: 300 });
    expect(ground.written()).toMatchObject({
      findings: [{ evidence: { shown: other.note() } }],
    });
    expect(proven()).toHaveLength(1);
  });

  it("is signed once where two are posted side by side", async () => {
    ground.site.log.add(...leaves(300, 500));
    const answers = await Promise.all([post(300, 400), post(300, 500)]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(["conflict", "cosigned"]);
    const signed = answers[0].kind === "cosigned" ? 400 : 500;
    expect(sizeOf()).toBe(signed);
  });

  it("meets nobody where no witness is", async () => {
    expect(await postCheckpoint(`${ground.site.address}/none`, 0, [], note(ground.site.log.note()), LIMIT)).toEqual({
      kind: "refused",
      status: 404,
    });
    const gone = address;
    await stop();
    await start();
    expect(await postCheckpoint(gone, 0, [], note(ground.site.log.note()), LIMIT)).toEqual({
      kind: "away",
      reason: "ECONNREFUSED",
    });
  });
});

describe("a witness of what a site serves as its app", () => {
  const FILES = { "index.html": "<p>the app</p>", "check.html": "<p>checks</p>", "assets/a-1.js": "genuine()" };
  const addressOf = (path: string) => (path === "index.html" ? "/" : `/${path}`);

  /** The site serves the files, and its log names them. */
  function serveApp(files: Record<string, string> = FILES): void {
    const list = servedText(Object.entries(files).map(([path, text]) => ({ path, hash: sha256Hex(text) })));
    const page = sha256Hex(files["check.html"]!);
    const app = { kind: "app", version: "1.0.0", files: servedHash(list), page, from: START } as const;
    ground.site.log.add(entryOfLeaf(app), ...leaves(0, 300, "later"));
    ground.site.log.changed.set("app", bytes(list));
    for (const [path, text] of Object.entries(files)) ground.site.log.changed.set(addressOf(path), bytes(text));
  }
  const appEvidence = () => `${ground.file}.app.json`;
  const watching = () => {
    const clock = { now: () => NOW };
    return new AppWatch({
      site: ground.site.address,
      files: siteFiles(ground.site.address),
      state: ground.state,
      clock,
      say: ground.say,
      evidence: appEvidence(),
    });
  };

  it("says nothing while that is what the newest leaf names, and where the log names none and none is served", async () => {
    await poll();
    const none = watching();
    await none.look();
    serveApp({ ...FILES, "index.html": "<p>an older app</p>" });
    serveApp();
    await poll();
    const app = watching();
    for (let i = 0; i < 12; i++) await app.look();
    expect([ground.said.filter((one) => !one.startsWith("signed")), existsSync(appEvidence())]).toEqual([[], false]);
  });

  it("writes down that an app is served which the log does not name at all", async () => {
    await poll();
    ground.site.log.changed.set("/", bytes("always genuine"));
    const app = watching();
    await app.look();
    expect(existsSync(appEvidence())).toBe(false);
    await app.look();
    const fault = "An app is served, and the log names none.";
    expect(ground.said.filter((one) => one.startsWith("APP: "))).toEqual([`APP: ${fault}`]);
    expect(JSON.parse(readFileSync(appEvidence(), "utf8"))).toMatchObject({ leaf: null, faults: [fault] });
  });

  it.each(Object.keys(FILES))("writes down that %s differs, once it differs twice", async (path) => {
    serveApp();
    await poll();
    const app = watching();
    ground.site.log.changed.set(addressOf(path), bytes("always genuine"));
    await app.look();
    expect(existsSync(appEvidence())).toBe(false);
    await app.look();
    await app.look();
    const fault = `${path} is served otherwise than the log says.`;
    expect(ground.said.filter((one) => one.startsWith("APP: "))).toEqual([`APP: ${fault}`]);
    expect(JSON.parse(readFileSync(appEvidence(), "utf8"))).toMatchObject({
      origin: ORIGIN,
      head: ground.state.log(ORIGIN)!.note,
      place: 300,
      faults: [fault],
    });
  });

  it("takes an app that is replaced for none that differs", async () => {
    serveApp();
    await poll();
    const app = watching();
    const next = { ...FILES, "index.html": "<p>the next app</p>" };
    ground.site.log.changed.set("/", bytes(next["index.html"]));
    await app.look();
    serveApp(next);
    await poll();
    await app.look();
    await app.look();
    expect([ground.said.filter((one) => !one.startsWith("signed")), existsSync(appEvidence())]).toEqual([[], false]);
  });

  it("believes no entry that its head does not hold", async () => {
    serveApp();
    await poll();
    const bundle = Buffer.from(ground.site.log.file("tile/entries/001")!);
    bundle[bundle.indexOf("1.0.0")] = "2".charCodeAt(0);
    ground.site.log.changed.set("tile/entries/001", bundle);
    await expect(watching().look()).rejects.toThrow("the entries from 256 on do not have the root of the signed head");
  });
});

describe("what a witness keeps", () => {
  it("is never begun anew in place of a damaged file", async () => {
    writeFileSync(join(ground.folder, "damaged.json"), "{}");
    await expect(WitnessState.open(join(ground.folder, "damaged.json"))).rejects.toThrow(
      "is damaged. Put a copy of it back",
    );
  });
});

describe("the program", () => {
  const saidIn = (line: string) => (JSON.parse(line) as { msg: string }).msg;

  it("serves, signs what the site shows, and ends when it is told", async () => {
    const words = [ground.site.address, "--port", "0", "--state", join(ground.folder, "mine.json")];
    const child = spawnBound(process.execPath, [...program("server/witness.ts"), ...words], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout! })) {
      lines.push(saidIn(line));
      if (saidIn(line).startsWith("signed ")) child.kill("SIGTERM");
    }
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^listens at http:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^signs as trio-witness\/[0-9a-f]{16}\+/),
      `signed ${ORIGIN} with 300 leaves`,
    ]);
  });

  it("compares the app, and writes down what differs", async () => {
    const list = servedText([{ path: "check.html", hash: sha256Hex("checks") }]);
    const app = {
      kind: "app",
      version: "1.0.0",
      files: servedHash(list),
      page: sha256Hex("checks"),
      from: START,
    } as const;
    ground.site.log.add(entryOfLeaf(app));
    ground.site.log.changed.set("app", bytes(list)).set("/check.html", bytes("passes everything"));
    const words = [ground.site.address, "--port", "0", "--state", join(ground.folder, "mine.json"), "--every", "1"];
    const child = spawnBound(process.execPath, [...program("server/witness.ts"), ...words], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout! })) {
      lines.push(saidIn(line));
      if (line.includes("What ")) child.kill("SIGTERM");
    }
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
    expect(lines).toContain("APP: check.html is served otherwise than the log says.");
    expect(existsSync(join(ground.folder, "mine.json.app.json"))).toBe(true);
  });

  it.each([
    [[], 2, "Give the URL of one site."],
    [["http://a.example", "--every", "0"], 2, "--every must be seconds"],
    [["nowhere"], 2, "Give the URL of one site."],
    [["http://a.example", "--port", "many"], 2, "--port must be a port number"],
    [["http://a.example", "--fast"], 2, "--fast"],
    [["--help"], 0, "usage: npm run witness -- URL"],
  ])("explains its use: %j", async (words, exit, says) => {
    const child = spawnBound(process.execPath, [...program("server/witness.ts"), ...words]);
    let output = "";
    for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (piece) => (output += String(piece)));
    const [code] = (await once(child, "close")) as [number];
    expect([code, output]).toEqual([exit, expect.stringContaining(says)]);
  });
});
