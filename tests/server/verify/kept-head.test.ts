import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { entryOfLeaf, honestLog, HOUSE, ORIGIN, START } from "../../log/honest-log.ts";
import { hashFor } from "../../log/leaves.ts";
import { base64Of, bytes, hexOf, serverHash, sha256, signerOf } from "../../log/world.ts";
import { keyText, parseNote, type Signer } from "#shared/log/note.ts";
import { fairOrigins } from "#shared/contract/log.ts";
import { checkpointText, originOf, parseCheckpoint } from "#shared/log/checkpoint.ts";
import { leafText, type Leaf } from "#shared/log/leaf.ts";
import { inclusionOf, proofOf } from "#shared/log/tree.ts";
import { rotation } from "../../log/spoiled-log.ts";
import { provenBy } from "#server/verify/fork-file.ts";
import type { EvidenceFile, EvidenceLog } from "#shared/log/evidence/file.ts";
import { readEvidence } from "#shared/log/evidence/read.ts";
import { MemoryLog } from "../../support/log-site.ts";

import { HONEST, LogGround, PLAN, verify } from "./log-ground.ts";

const ground = new LogGround();
const { inFolder, verifySite } = ground;

describe("a head that is kept", () => {
  const kept = () => inFolder("head.json");
  const keptNow = () => JSON.parse(readFileSync(kept(), "utf8")) as EvidenceLog;
  /** What the file that was written down proves by itself. */
  const proven = () => provenBy(readEvidence(readFileSync(`${kept()}.fork.json`, "utf8")) as EvidenceFile);

  it("is remembered, and continued by the next one", async () => {
    expect(await verifySite("--keep", kept())).toMatchObject({ exit: 0 });
    const [first, before] = [ground.site.log.note(), keptNow()];
    expect(before).toMatchObject({ origin: ORIGIN, key: keyText(HOUSE.key), first, newest: first });
    ground.site.log.add(entryOfLeaf({ kind: "time", time: START + 10_801_000 }));
    expect(await verifySite("--keep", kept())).toMatchObject({ exit: 0 });
    expect(keptNow()).toEqual({ ...before, newest: ground.site.log.note() });
  });

  it("convicts a house that rewrote what it had signed, and both heads are written down", async () => {
    await verifySite("--keep", kept());
    const before = readFileSync(kept(), "utf8");
    ground.site.log = new MemoryLog(HOUSE).add(...[...honestLog({ ...PLAN, hours: 4, salted: 2 })].map(entryOfLeaf));
    const { exit, said } = await verifySite("--keep", kept());
    expect([exit, said]).toEqual([
      1,
      expect.stringContaining(`The first ${HONEST.length} leaves are not those of the head`),
    ]);
    expect(readFileSync(kept(), "utf8")).toBe(before);
    const shows = `show that its first ${HONEST.length} leaves are others: two histories.`;
    expect(proven()).toEqual([expect.stringContaining(shows)]);
    expect(said).toContain(shows);
    expect(await verify("evidence", `${kept()}.fork.json`)).toMatchObject({
      exit: 0,
      said: expect.stringContaining("1 of 1 findings convict the house") as string,
    });
  });

  it("convicts a house whose other history ends in a time that no clock shows", async () => {
    await verifySite("--keep", kept());
    const other = [...honestLog({ ...PLAN, hours: 4, salted: 2 })].map(entryOfLeaf);
    const never = bytes(`{"kind":"time","time":${Number.MAX_SAFE_INTEGER}}`);
    ground.site.log = new MemoryLog(HOUSE).add(...other, never);
    const { exit, said } = await verifySite("--keep", kept());
    expect([exit, said]).toEqual([1, expect.stringContaining(`NO     Leaf ${other.length} is of an unknown kind`)]);
    expect(proven()).toEqual([expect.stringContaining(`first ${HONEST.length} leaves are others`)]);
  });

  describe("of a log that was rewritten", () => {
    const rewritten = () =>
      new MemoryLog(HOUSE).add(...[...honestLog({ ...PLAN, hours: 4, salted: 2 })].map(entryOfLeaf));
    beforeEach(async () => {
      await verifySite("--keep", kept());
      ground.site.log = rewritten();
      ground.site.asked.length = 0;
    });

    it("convicts the house, whatever else it refuses to answer", async () => {
      ground.site.isBroken = (path) => path === "/";
      ground.showBoard(null);
      const { exit, said } = await verifySite("--keep", kept());
      const shows = `first ${HONEST.length} leaves are others`;
      expect([exit, said]).toEqual([1, expect.stringContaining(shows)]);
      expect(said).toContain("  problem  What is served could not be compared with the log: fetch failed");
      expect(proven()).toEqual([expect.stringContaining(shows)]);
    });

    it("is written down beside the other one, though the house shows the way between them no more", async () => {
      ground.site.isBroken = (path, times) => path.startsWith("tile/") && times > 1;
      const { exit, said } = await verifySite("--keep", kept());
      expect([exit, said]).toEqual([1, expect.stringContaining(`Both heads are in ${kept()}.fork.json`)]);
      const { findings } = readEvidence(readFileSync(`${kept()}.fork.json`, "utf8")) as EvidenceFile;
      const evidence = { ours: keptNow().newest, shown: rewritten().note(), path: null };
      expect(findings).toMatchObject([{ kind: "fork", evidence }]);
    });
  });

  describe("of a log whose key was replaced", () => {
    const [next, another] = ["next", "another"].map((word) => signerOf(ORIGIN, undefined, word)) as [Signer, Signer];
    /** The honest log with a change of keys at its end, and times after it. */
    const changed = (to: Signer, times: number, from: readonly Uint8Array[] = HONEST) => {
      const log = new MemoryLog(to).add(...from, entryOfLeaf(rotation(HOUSE, to, 3)));
      for (let i = 1; i <= times; i++) log.add(entryOfLeaf({ kind: "time", time: START + 10_800_000 + i * 1_000 }));
      return log;
    };

    it("goes on under the new key, whose leaf is kept with it", async () => {
      await verifySite("--keep", kept());
      ground.site.log = changed(next, 1);
      expect(await verifySite("--keep", kept())).toMatchObject({ exit: 0 });
      expect(keptNow()).toMatchObject({
        key: keyText(next.key),
        retired: [{ key: keyText(HOUSE.key), leaf: HONEST.length, batch: 3 }],
        newest: ground.site.log.note(),
      });
    });

    it("convicts by the file alone where the old key signed it, and the new key another history", async () => {
      await verifySite("--keep", kept());
      ground.site.log = changed(next, 2, [...honestLog({ ...PLAN, hours: 4, salted: 2 })].map(entryOfLeaf));
      const { exit, said } = await verifySite("--keep", kept());
      expect([exit, said]).toEqual([1, expect.stringContaining("the log was rewritten")]);
      expect(proven()).toEqual([expect.stringContaining(`first ${HONEST.length} leaves are others`)]);
    });

    it("convicts by the file alone where the new key signed both", async () => {
      ground.site.log = changed(next, 1);
      await verifySite("--keep", kept());
      const { size } = ground.site.log.head();
      ground.site.log = changed(next, 0).add(entryOfLeaf({ kind: "time", time: START + 10_801_001 }));
      await verifySite("--keep", kept());
      expect(proven()).toEqual([expect.stringContaining(`Two heads of ${size} leaves have different roots`)]);
    });

    it.each<[string, () => MemoryLog, string]>([
      ["was replaced by another one", () => changed(another, 3), "each puts another key in its place"],
      [
        "was never replaced",
        () => new MemoryLog(HOUSE).add(...HONEST, ...changed(next, 3).entries.slice(-3)),
        "had replaced",
      ],
    ])("convicts by the file alone a house whose key, it says now, %s", async (_, shown, says) => {
      ground.site.log = changed(next, 1);
      await verifySite("--keep", kept());
      const before = keptNow();
      ground.site.log = shown();
      const { exit, said } = await verifySite("--keep", kept());
      expect([exit, said]).toEqual([1, expect.stringContaining(says)]);
      expect(proven()[0]).toContain(says);
      expect(keptNow()).toEqual(before);
    });

    it("convicts a house whose old key had signed it after its replacement, though all leaves are the same", async () => {
      ground.site.log = new MemoryLog(HOUSE).add(...changed(next, 1).entries);
      writeFileSync(
        kept(),
        JSON.stringify({
          origin: ORIGIN,
          key: keyText(HOUSE.key),
          first: ground.site.log.note(1),
          newest: ground.site.log.note(),
          since: 0,
        }),
      );
      ground.site.log = changed(next, 1);
      const { exit, said } = await verifySite("--keep", kept());
      expect([exit, said]).toEqual([1, expect.stringContaining("PROVEN A head of")]);
      expect(proven()).toHaveLength(1);
    });
  });

  it("is missed in a shorter log", async () => {
    await verifySite("--keep", kept());
    ground.site.log = new MemoryLog(HOUSE).add(...[...honestLog({ ...PLAN, hours: 2 })].map(entryOfLeaf));
    expect((await verifySite("--keep", kept())).said).toContain(`and the head that you kept has ${HONEST.length}.`);
  });

  it("is told from another log, which continues it or does not", async () => {
    await verifySite("--keep", kept());
    const { publicKey } = signerOf("any", undefined, "new house").key;
    const other = signerOf(originOf("house.example", publicKey), undefined, "new house");
    const own = ground.site.log;
    ground.site.log = new MemoryLog(other).add(...HONEST);
    expect((await verifySite("--keep", kept())).said).toContain(
      `does not say that it continues the one that you kept, ${ORIGIN}.`,
    );
    const ofAnother = base64Of(sha256(bytes("root")));
    const restore = (size: number, root = ofAnother) => {
      const old = `${ORIGIN}\n${size}\n${root}\n`;
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
    ground.site.log = restore(HONEST.length - 1);
    expect((await verifySite("--keep", kept())).said).toContain("but from an older head than yours.");
    ground.site.log = restore(HONEST.length);
    expect((await verifySite("--keep", kept())).said).toContain(
      `does not say that it continues the one that you kept, ${ORIGIN}.`,
    );
    ground.site.log = restore(HONEST.length, base64Of(parseCheckpoint(parseNote(own.note())!.text)!.root));
    const { exit, said } = await verifySite("--keep", kept());
    expect([exit, said]).toEqual([
      0,
      expect.stringContaining("note   This log says that it continues the one that you kept"),
    ]);
  });

  describe("of a log that was restored twice since", () => {
    const [second, third] = ["second house", "third house"].map((word) => {
      const { publicKey } = signerOf("any", undefined, word).key;
      return signerOf(originOf("house.example", publicKey), undefined, word);
    }) as [Signer, Signer];
    const restoreOf = (log: MemoryLog, number: number): Leaf<"restore"> => {
      const { size, root } = log.head();
      const old = checkpointText({ origin: log.signer.key.name, size, root, extensions: [] });
      return { kind: "restore", number, reason: "", old, kept: size, kept_root: hexOf(root), at: START };
    };
    const originsPath = `/api${fairOrigins.path}?`;
    const shownOf = (log: MemoryLog, leaf: Leaf) => {
      const read = proofOf(inclusionOf(0, log.entries.length), log.read, serverHash);
      return { key: keyText(log.signer.key), head: log.note(), leaf: leafText(leaf), path: read.map(hexOf) };
    };

    /** The house is restored twice, and shows what it restored, or other things. */
    async function restoreTwice(shows: (all: object[]) => unknown) {
      await verifySite("--keep", kept());
      const first = restoreOf(ground.site.log, 1);
      const between = new MemoryLog(second).add(entryOfLeaf(first), entryOfLeaf({ kind: "time", time: START }));
      const last = restoreOf(between, 2);
      ground.site.log = new MemoryLog(third).add(entryOfLeaf(last), ...HONEST);
      const data = shows([shownOf(between, first), shownOf(ground.site.log, last)]);
      ground.site.answers.set(originsPath, bytes(JSON.stringify({ code: 200, msg: "", data })));
    }

    it("is continued, and the new one is kept in its place", async () => {
      await restoreTwice((all) => all);
      const { exit, said } = await verifySite("--keep", kept());
      const says = `note   This log says that it continues the one that you kept, ${ORIGIN}.`;
      expect([exit, said]).toEqual([0, expect.stringContaining(says)]);
      expect(keptNow().origin).toBe(third.key.name);
      expect(existsSync(`${kept()}.fork.json`)).toBe(false);
    });

    it("is another one where the house leaves a restore out", async () => {
      await restoreTwice((all) => all.slice(1));
      const { exit, said } = await verifySite("--keep", kept());
      expect([exit, said]).toEqual([1, expect.stringContaining("which does not say that it continues")]);
      expect([keptNow().origin, existsSync(`${kept()}.fork.json`)]).toEqual([ORIGIN, true]);
    });

    it("is not judged where the house does not say, or there is only a copy: the head stays", async () => {
      await restoreTwice(() => "none");
      const isUntold = ({ exit, said }: { exit: unknown; said: string }) => {
        expect([exit, said]).toEqual([1, expect.stringContaining("whether it continues yours cannot be told.")]);
        expect(said).toContain(`The head in ${kept()} stays`);
        expect([keptNow().origin, existsSync(`${kept()}.fork.json`)]).toEqual([ORIGIN, false]);
      };
      isUntold(await verifySite("--keep", kept()));
      await ground.site.log.save(inFolder("copy"));
      isUntold(await verify("log", "--copy", inFolder("copy"), "--keep", kept()));
    });
  });

  it("is not taken from a file that holds none", async () => {
    writeFileSync(kept(), "nothing");
    expect(await verifySite("--keep", kept())).toMatchObject({
      exit: 1,
      said: expect.stringContaining("holds no head") as string,
    });
  });
});
