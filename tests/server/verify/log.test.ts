import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createReadStream } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readBundle } from "#shared/log/bundle.ts";
import { servedHash, servedText } from "#shared/log/served-files.ts";
import { entriesPath, tilePath, WIDTH } from "#shared/log/tiles.ts";
import { entryOfLeaf, honestLog, HOUSE, ORIGIN, START } from "../../log/honest-log.ts";
import { hashFor } from "../../log/leaves.ts";
import { base64Of, bytes, headNote, sha256, signerOf } from "../../log/world.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote, signatureLine } from "#shared/log/note.ts";
import { originOf } from "#shared/log/checkpoint.ts";
import { bareEnvironment, program } from "../../support/program.ts";
import { LogSite, MemoryLog } from "../../support/log-site.ts";

const PLAN = { hours: 3, games: [{ key: "k3-1m", kind: "dice-sum", periodS: 60 }] };
const HONEST = [...honestLog(PLAN)].map(entryOfLeaf);

let site: LogSite;
let folder: string;

beforeEach(async () => {
  site = await LogSite.listen(new MemoryLog(HOUSE).add(...HONEST));
  folder = mkdtempSync(join(tmpdir(), "trio-log-"));
});
afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

const inFolder = (name: string) => join(folder, name);

const verify = (...words: string[]) =>
  new Promise<{ exit: number | string | null | undefined; said: string }>((resolve) => {
    const all = [...program("server/verify.ts"), "log", ...words];
    execFile(process.execPath, all, { env: bareEnvironment() }, (error, out, err) =>
      resolve({ exit: error ? error.code : 0, said: out + err }),
    );
  });
const verifySite = (...words: string[]) => verify("--site", site.address, ...words);

describe("a stranger who checks the log of a site", () => {
  it("hears how many leaves there are, and that nothing contradicts itself", async () => {
    const { exit, said } = await verifySite();
    expect([exit, said]).toEqual([0, expect.stringContaining("yes    nothing in this log contradicts itself")]);
    expect(said).toContain(`leaves ${HONEST.length}, 2026-03-02T00:00:`);
    expect(said).toContain("games  k3-1m");
    expect(said).toContain("also signed by nobody");
    expect(said).toMatch(/\n {9}of the first head since \d{4}-\d\d-\d\dT\d\d:00:00/);
    expect(said).toMatch(/words {2}([a-z]{5} ?){12}\n/);
    // Bundles, tiles of two levels, head and key.
    const files = site.asked.filter((path) => !path.startsWith("/api/"));
    expect(new Set(files).size).toBe(2 * Math.ceil(HONEST.length / WIDTH) + 1 + 2);
  });

  it("hears who signed the head beside the house, where it knows their keys", async () => {
    const [one, two] = ["one", "two"].map((word) => signerOf(`${word}.example/w`, COSIGNATURE_KEY, word));
    const text = site.log.note();
    const lines = [one!, two!].map((signer) => signatureLine(cosign(parseNote(text)!.text, 1_772_445_600, signer)));
    site.log.changed.set("checkpoint", bytes(text + lines.join("")));
    const { exit, said } = await verifySite("--witness", keyText(one!.key));
    expect([exit, said]).toEqual([0, expect.stringContaining("also signed by one.example/w (2026-03-02T10:00:00")]);
    expect(said).toContain("two.example/w (not checked: give its key with --witness)");
    const forged = signatureLine(cosign("other\n", 1_772_445_600, one!));
    site.log.changed.set("checkpoint", bytes(text + forged));
    const heard = await verifySite("--witness", keyText(one!.key), "--witness", keyText(two!.key));
    expect([heard.exit, heard.said]).toEqual([
      1,
      expect.stringContaining("NO     The line of the witness one.example/w under the head is not its signature."),
    ]);
    expect((await verifySite("--witness", "none")).exit).toBe(2);
  });

  it("hears what contradicts itself, in so many words", async () => {
    const at = HONEST.findIndex((entry) => Buffer.from(entry).includes('"kind":"draw"'));
    const spoiled = Buffer.from(HONEST[at]!)
      .toString()
      .replace(/"dice":\[[^\]]*\]/, '"dice":[6,6,6]');
    site.log = new MemoryLog(HOUSE).add(...HONEST.slice(0, at), bytes(spoiled), ...HONEST.slice(at + 1));
    const { exit, said } = await verifySite();
    expect([exit, said]).toEqual([
      1,
      expect.stringContaining("NO     k3-1m 20260302-0001: the seed gives other dice."),
    ]);
  });

  it.each([
    [
      "an entry that the signed head does not hold",
      entriesPath({ index: 0, width: WIDTH }),
      "The entries do not have the root",
    ],
    [
      "a tile of hashes that are none of the entries'",
      tilePath({ level: 0, index: 1, width: WIDTH }),
      "does not hold the hashes of the entries",
    ],
    [
      "a tile above that is none of the tiles'",
      tilePath({ level: 1, index: 0, width: Math.floor(HONEST.length / WIDTH) }),
      "does not hold the hashes of the entries",
    ],
  ])("hears of %s", async (_what, path, says) => {
    const content = site.log.file(path)!.slice();
    content[40]! ^= 1;
    site.log.changed.set(path, content);
    const { exit, said } = await verifySite();
    expect([exit, said]).toEqual([1, expect.stringContaining(says)]);
  });

  it("calls nothing proven where a bundle is missing, and reads a wide one where the narrow one is gone", async () => {
    const index = Math.floor(HONEST.length / WIDTH);
    const narrow = entriesPath({ index, width: HONEST.length % WIDTH });
    const wide = Buffer.concat([site.log.file(narrow)!, Buffer.alloc(700)]);
    site.log.changed.set(narrow, null);
    expect(await verifySite()).toMatchObject({
      exit: 1,
      said: expect.stringContaining(`${narrow} is missing`) as string,
    });
    site.log.changed.set(entriesPath({ index, width: WIDTH }), wide);
    expect(await verifySite("--save", inFolder("copy"))).toMatchObject({ exit: 0 });
  });

  it("hears of a head that another key signed, and of a key that the origin does not name", async () => {
    const thief = signerOf(ORIGIN, undefined, "thief");
    site.log.changed.set("checkpoint", bytes(noteText(headNote(site.log.head(), thief))));
    expect((await verifySite()).said).toContain("NO     The head is not signed by the log's key.");
    site.log = new MemoryLog(thief).add(...HONEST);
    expect((await verifySite()).said).toContain("NO     The first key does not have the hash that the origin names.");
  });

  it("is told what cannot be read", async () => {
    site.log.changed.set("checkpoint", null);
    expect(await verifySite()).toMatchObject({
      exit: 1,
      said: expect.stringContaining("What stands as the head is none.") as string,
    });
    expect((await verifySite()).said).toContain("This log could not be read whole, so nothing of it is proven.");
    const { address } = site;
    await site.close();
    expect(await verify("--site", address)).toMatchObject({
      exit: 1,
      said: expect.stringMatching(/\/log\/checkpoint cannot be read \(ECONNREFUSED\)\. Name another site/) as string,
    });
    site = await LogSite.listen(new MemoryLog(HOUSE));
  });

  it("is asked for once more where its connection breaks", async () => {
    let breaks = 1;
    const server = createServer((request, response) => {
      const content = site.log.file((request.url ?? "").replace("/log/", ""));
      if (breaks-- > 0) request.socket.resetAndDestroy();
      else response.writeHead(content ? 200 : 404).end(content);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await verify("--site", address)).toMatchObject({ exit: 0 });
    breaks = Infinity;
    expect((await verify("--site", address)).said).toMatch(/cannot be read \((ECONNRESET|UND_ERR_SOCKET)\)/);
    server.close();
  });

  it("cannot be read where it answers with an error, which is no file that is missing", async () => {
    const server = createServer((_request, response) => void response.writeHead(503).end("later"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { exit, said } = await verify("--site", address);
    server.close();
    expect([exit, said]).toEqual([1, expect.stringMatching(/\/log\/\w+ answers with 503\.\n$/)]);
  });

  it("serves as its app what its log names, or something else", async () => {
    const files = { "check.html": "the page", "index.html": "the start" };
    const hashOfText = (text: string) => Buffer.from(sha256(bytes(text))).toString("hex");
    const list = servedText(Object.entries(files).map(([path, content]) => ({ path, hash: hashOfText(content) })));
    const { time } = JSON.parse(Buffer.from(HONEST.at(-1)!).toString()) as { time: number };
    const app = { version: "1", files: servedHash(list), page: hashOfText(files["check.html"]), from: time };
    const leaves = [{ kind: "app", ...app } as const, { kind: "time", time: time + 1 } as const];
    site.log = new MemoryLog(HOUSE).add(...HONEST, ...leaves.map(entryOfLeaf));
    const served = { app: list, "/check.html": files["check.html"], "/": files["index.html"] };
    for (const [path, content] of Object.entries(served)) site.log.changed.set(path, bytes(content));
    const says = "  app    what is served is what the log names";
    expect(await verifySite()).toEqual({ exit: 0, said: expect.stringContaining(says) });
    site.log.changed.set("/", bytes("another"));
    const { exit, said } = await verifySite();
    expect([exit, said]).toEqual([
      1,
      expect.stringContaining("  problem  index.html is served otherwise than the log says."),
    ]);
    expect(said).not.toContain(says);
  });

  it("reads no more of an answer than it can be long", async () => {
    const server = createServer((_request, response) => void response.end(Buffer.alloc(200_000, "a")));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { exit, said } = await verify("--site", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    expect([exit, said]).toEqual([1, expect.stringContaining("What stands as the head is none.")]);
  });
});

describe("a head that is kept", () => {
  const kept = () => inFolder("head.txt");

  it("is remembered, and continued by the next one", async () => {
    expect(await verifySite("--keep", kept())).toMatchObject({ exit: 0 });
    const before = readFileSync(kept(), "utf8");
    expect(before).toBe(site.log.note());
    site.log = new MemoryLog(HOUSE)
      .add(...[...honestLog({ ...PLAN, hours: 3 })].map(entryOfLeaf))
      .add(entryOfLeaf({ kind: "time", time: START + 10_801_000 }));
    expect(await verifySite("--keep", kept())).toMatchObject({ exit: 0 });
    expect(readFileSync(kept(), "utf8")).toBe(site.log.note());
    expect(readFileSync(kept(), "utf8")).not.toBe(before);
  });

  it("convicts a house that rewrote what it had signed, and both heads are written down", async () => {
    await verifySite("--keep", kept());
    const before = readFileSync(kept(), "utf8");
    site.log = new MemoryLog(HOUSE).add(...[...honestLog({ ...PLAN, hours: 4, salted: 2 })].map(entryOfLeaf));
    const { exit, said } = await verifySite("--keep", kept());
    expect([exit, said]).toEqual([
      1,
      expect.stringContaining(`The first ${HONEST.length} leaves are not those of the head`),
    ]);
    expect(readFileSync(kept(), "utf8")).toBe(before);
    const evidence = JSON.parse(readFileSync(`${kept()}.fork.json`, "utf8")) as Record<string, string>;
    expect(evidence).toEqual({ key: keyText(HOUSE.key), kept: before, shown: site.log.note() });
  });

  it("is missed in a shorter log", async () => {
    await verifySite("--keep", kept());
    site.log = new MemoryLog(HOUSE).add(...[...honestLog({ ...PLAN, hours: 2 })].map(entryOfLeaf));
    expect((await verifySite("--keep", kept())).said).toContain(`and the head that you kept has ${HONEST.length}.`);
  });

  it("is told from another log, which continues it or does not", async () => {
    await verifySite("--keep", kept());
    const { publicKey } = signerOf("any", undefined, "new house").key;
    const other = signerOf(originOf("house.example", publicKey), undefined, "new house");
    site.log = new MemoryLog(other).add(...HONEST);
    expect((await verifySite("--keep", kept())).said).toContain(
      `does not say that it continues the one that you kept, ${ORIGIN}.`,
    );
    const restore = (size: number) => {
      const old = `${ORIGIN}\n${size}\n${base64Of(sha256(bytes("root")))}\n`;
      const leaf = {
        kind: "restore",
        number: 1,
        reason: "",
        old,
        kept: 0,
        kept_root: hashFor("kept"),
        at: START,
      } as const;
      return new MemoryLog(other).add(entryOfLeaf(leaf), ...HONEST);
    };
    site.log = restore(HONEST.length - 1);
    expect((await verifySite("--keep", kept())).said).toContain("but from an older head than yours.");
    site.log = restore(HONEST.length);
    const { exit, said } = await verifySite("--keep", kept());
    expect([exit, said]).toEqual([
      0,
      expect.stringContaining("note   This log says that it continues the one that you kept"),
    ]);
  });

  it("is not taken from a file that holds none", async () => {
    writeFileSync(kept(), "nothing");
    expect(await verifySite("--keep", kept())).toMatchObject({
      exit: 1,
      said: expect.stringContaining("holds no head") as string,
    });
  });
});

describe("a copy of the log", () => {
  it("is saved in a folder and as one file, and checked from there without a server", async () => {
    expect(await verifySite("--save", inFolder("copy"))).toMatchObject({ exit: 0 });
    await site.close();
    const { exit, said } = await verify("--copy", inFolder("copy"));
    expect([exit, said]).toEqual([0, expect.stringContaining(`leaves ${HONEST.length}`)]);
    const lines = createInterface({ input: createReadStream(inFolder("copy/log.json")), crlfDelay: Infinity });
    const { whole, findings } = await readBundle(lines);
    expect([whole?.size, findings.filter(({ strength }) => strength === "problem")]).toEqual([HONEST.length, []]);
    expect(Object.keys(JSON.parse(readFileSync(inFolder("copy/log.json"), "utf8")) as object)).toEqual([
      "checkpoint",
      "key",
      "leaves",
    ]);
    site = await LogSite.listen(new MemoryLog(HOUSE));
  });

  it("may be the files of the site under their own paths", async () => {
    await site.log.save(inFolder("site/log"));
    expect(await verify("--copy", inFolder("site"))).toMatchObject({ exit: 0 });
    expect(existsSync(inFolder("site/log.json"))).toBe(false);
    expect((await verify("--copy", inFolder("nowhere"))).said).toContain("What stands as the head is none.");
  });

  it("as one file is not proven where it was cut or edited", async () => {
    await verifySite("--save", inFolder("copy"));
    const whole = readFileSync(inFolder("copy/log.json"), "utf8").split("\n");
    const idsOf = async (lines: string[]) =>
      (
        await readBundle(
          (async function* () {
            yield* lines;
          })(),
        )
      ).findings
        .filter(({ strength }) => strength === "problem")
        .map(({ id }) => id);
    expect(await idsOf(whole.slice(0, -100))).toEqual(["missing"]);
    expect(await idsOf([...whole.slice(0, 9), whole[9]!.replace('"', '"x'), ...whole.slice(10)])).toContain("root");
    expect(await idsOf(["{}"])).toEqual(["head-form", "key-form"]);
    expect(await idsOf([])).toEqual(["head-form", "key-form"]);
  });
});

describe("wrong use", () => {
  it.each([
    [["--url", "http://a.example"], "log takes --site"],
    [["--copy", "a", "--site", "http://a.example"], "not both"],
    [["--site", "nowhere"], "nowhere is not an address"],
    [["more", "and more"], "Give KEY and EXPECT"],
  ])("%j is explained", async (words, reason) => {
    expect(await verify(...words)).toMatchObject({ exit: 2, said: expect.stringContaining(reason) as string });
  });
});
