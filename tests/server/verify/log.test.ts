import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { createReadStream } from "node:fs";
import { describe, expect, it } from "vitest";
import { readBundle } from "#shared/log/bundle.ts";
import { servedHash, servedText } from "#shared/log/served-files.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { entriesPath, tilePath, WIDTH } from "#shared/log/tiles.ts";
import { entryOfLeaf, HOUSE, ORIGIN } from "../../log/honest-log.ts";
import { bytes, headNote, sha256, signerOf } from "../../log/world.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote, signatureLine } from "#shared/log/note.ts";
import { LogSite, MemoryLog } from "../../support/log-site.ts";

import { HONEST, LogGround, verify } from "./log-ground.ts";

const ground = new LogGround();
const { inFolder, verifySite } = ground;

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
    const files = ground.site.asked.filter((path) => !path.startsWith("/"));
    expect(new Set(files).size).toBe(2 * Math.ceil(HONEST.length / WIDTH) + 1 + 2);
  });

  it("hears who signed the head beside the house, where it knows their keys", async () => {
    const [one, two] = ["one", "two"].map((word) => signerOf(`${word}.example/w`, COSIGNATURE_KEY, word));
    const text = ground.site.log.note();
    const lines = [one!, two!].map((signer) => signatureLine(cosign(parseNote(text)!.text, 1_772_445_600, signer)));
    ground.site.log.changed.set("checkpoint", bytes(text + lines.join("")));
    const { exit, said } = await verifySite("--witness", keyText(one!.key));
    expect([exit, said]).toEqual([0, expect.stringContaining("also signed by one.example/w (2026-03-02T10:00:00")]);
    expect(said).toContain("two.example/w (not checked: give its key with --witness)");
    const forged = signatureLine(cosign("other\n", 1_772_445_600, one!));
    ground.site.log.changed.set("checkpoint", bytes(text + forged));
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
    ground.site.log = new MemoryLog(HOUSE).add(...HONEST.slice(0, at), bytes(spoiled), ...HONEST.slice(at + 1));
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
    const content = ground.site.log.file(path)!.slice();
    content[40]! ^= 1;
    ground.site.log.changed.set(path, content);
    const { exit, said } = await verifySite();
    expect([exit, said]).toEqual([1, expect.stringContaining(says)]);
  });

  it("calls nothing proven where a bundle is missing, and reads a wide one where the narrow one is gone", async () => {
    const index = Math.floor(HONEST.length / WIDTH);
    const narrow = entriesPath({ index, width: HONEST.length % WIDTH });
    const wide = Buffer.concat([ground.site.log.file(narrow)!, Buffer.alloc(700)]);
    ground.site.log.changed.set(narrow, null);
    expect(await verifySite()).toMatchObject({
      exit: 1,
      said: expect.stringContaining(`${narrow} is missing`) as string,
    });
    ground.site.log.changed.set(entriesPath({ index, width: WIDTH }), wide);
    expect(await verifySite("--save", inFolder("copy"))).toMatchObject({ exit: 0 });
  });

  it("hears of a head that another key signed, and of a key that the origin does not name", async () => {
    const thief = signerOf(ORIGIN, undefined, "thief");
    ground.site.log.changed.set("checkpoint", bytes(noteText(headNote(ground.site.log.head(), thief))));
    expect((await verifySite()).said).toContain("NO     The head is not signed by the log's key.");
    ground.site.log = new MemoryLog(thief).add(...HONEST);
    expect((await verifySite()).said).toContain("NO     The first key does not have the hash that the origin names.");
  });

  it("is told what cannot be read", async () => {
    ground.site.log.changed.set("checkpoint", null);
    expect(await verifySite()).toMatchObject({
      exit: 1,
      said: expect.stringContaining("What stands as the head is none.") as string,
    });
    expect((await verifySite()).said).toContain("This log could not be read whole, so nothing of it is proven.");
    const { address } = ground.site;
    await ground.site.close();
    expect(await verify("log", "--site", address)).toMatchObject({
      exit: 1,
      said: expect.stringMatching(/\/log\/checkpoint cannot be read \(ECONNREFUSED\)\. Name another site/) as string,
    });
    ground.site = await LogSite.listen(new MemoryLog(HOUSE));
  });

  it("is asked for once more where its connection breaks", async () => {
    let breaks = 1;
    const server = createServer((request, response) => {
      const path = (request.url ?? "").replace("/log/", "");
      const content = ground.site.answers.get(path) ?? ground.site.log.file(path);
      if (breaks-- > 0) request.socket.resetAndDestroy();
      else response.writeHead(content ? 200 : 404).end(content);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await verify("log", "--site", address)).toMatchObject({ exit: 0 });
    breaks = Infinity;
    expect((await verify("log", "--site", address)).said).toMatch(/cannot be read \((ECONNRESET|UND_ERR_SOCKET)\)/);
    server.close();
  });

  it("cannot be read where it answers with an error, which is no file that is missing", async () => {
    const server = createServer((_request, response) => void response.writeHead(503).end("later"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { exit, said } = await verify("log", "--site", address);
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
    ground.site.log = new MemoryLog(HOUSE).add(...HONEST, ...leaves.map(entryOfLeaf));
    const served = { app: list, "/check.html": files["check.html"], "/": files["index.html"] };
    for (const [path, content] of Object.entries(served)) ground.site.log.changed.set(path, bytes(content));
    const says = "  app    what is served is what the log names";
    expect(await verifySite()).toEqual({ exit: 0, said: expect.stringContaining(says) });
    ground.site.log.changed.set("/", bytes("another"));
    const { exit, said } = await verifySite();
    expect([exit, said]).toEqual([
      1,
      expect.stringContaining("  problem  index.html is served otherwise than the log says."),
    ]);
    expect(said).not.toContain(says);
  });

  it("has to name what it serves as its app", async () => {
    ground.site.answers.set("/", bytes("<p>always genuine</p>"));
    const says = "  problem  An app is served, and the log names none.";
    expect(await verifySite()).toEqual({ exit: 1, said: expect.stringContaining(says) });
    ground.site.answers.delete("/");
    const none = "  note   no app is served, and the log names none";
    expect(await verifySite()).toEqual({ exit: 0, said: expect.stringContaining(none) });
  });

  it("has to show boards at odds that its log holds, and to show them", async () => {
    const { odds } = rulesOf("dice-sum");
    ground.showBoard(odds.map((rate) => rate + 10));
    const other = "NO     k3-1m: it publishes odds that this head does not hold";
    expect(await verifySite()).toEqual({ exit: 1, said: expect.stringContaining(other) });
    ground.showBoard(null);
    const none = "NO     k3-1m: what it publishes could not be compared with its odds: What answers at ";
    expect(await verifySite()).toEqual({ exit: 1, said: expect.stringContaining(none) });
    ground.showBoard(odds);
    const same = "  odds   the published returns follow from the logged odds";
    expect(await verifySite()).toEqual({ exit: 0, said: expect.stringContaining(same) });
  });

  it("reads no more of an answer than it can be long", async () => {
    const server = createServer((_request, response) => void response.end(Buffer.alloc(200_000, "a")));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { exit, said } = await verify("log", "--site", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    expect([exit, said]).toEqual([1, expect.stringContaining("What stands as the head is none.")]);
  });
});

describe("a copy of the log", () => {
  it("is saved in a folder and as one file, and checked from there without a server", async () => {
    expect(await verifySite("--save", inFolder("copy"))).toMatchObject({ exit: 0 });
    await ground.site.close();
    const { exit, said } = await verify("log", "--copy", inFolder("copy"));
    expect([exit, said]).toEqual([0, expect.stringContaining(`leaves ${HONEST.length}`)]);
    const lines = createInterface({ input: createReadStream(inFolder("copy/log.json")), crlfDelay: Infinity });
    const { whole, findings } = await readBundle(lines);
    expect([whole?.size, findings.filter(({ strength }) => strength === "problem")]).toEqual([HONEST.length, []]);
    expect(Object.keys(JSON.parse(readFileSync(inFolder("copy/log.json"), "utf8")) as object)).toEqual([
      "checkpoint",
      "key",
      "leaves",
    ]);
    ground.site = await LogSite.listen(new MemoryLog(HOUSE));
  });

  it("may be the files of the site under their own paths", async () => {
    await ground.site.log.save(inFolder("site/log"));
    expect(await verify("log", "--copy", inFolder("site"))).toMatchObject({ exit: 0 });
    expect(existsSync(inFolder("site/log.json"))).toBe(false);
    expect((await verify("log", "--copy", inFolder("nowhere"))).said).toContain("What stands as the head is none.");
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
    expect(await verify("log", ...words)).toMatchObject({ exit: 2, said: expect.stringContaining(reason) as string });
  });
});
