import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { wheelSeeds } from "#shared/contract/wheel.ts";
import { checkPair, tableHash, type RevealedPair, type TableRow } from "#shared/wheel.ts";
import { bytesAtRest } from "../../support/at-rest.ts";
import { lock, set } from "../../support/operator.ts";
import { Secrets } from "../../support/secrets.ts";
import type { Player, World } from "../../support/world.ts";
import {
  begin,
  changeWords,
  closeAudited,
  offer,
  pairOf,
  points,
  prize,
  seedOf,
  spin,
  wheelRows,
  wheelWorld,
} from "./wheel-world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await wheelWorld(points("few", 100, { stock: 3 }), prize("none"), prize("more", { kind: "spin", amount: 1 }));
  await set(w, "spin_daily", "1000");
  mia = await w.player("mia_1");
});
afterEach(() => closeAudited(w));

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const times = async (many: number, work: () => Promise<unknown>) => {
  for (let i = 0; i < many; i++) await work();
};
const revealed = ({
  client_seed: clientSeed,
  words_by: wordsBy,
  ...pair
}: NonNullable<ReplyOf<typeof wheelSeeds>["previous"]>): RevealedPair => ({ ...pair, clientSeed, wordsBy });
const hashOf = (player: Player, number: number) => sha256(seedOf(w, player, number));

describe("a member's seed pair", () => {
  it("begins as the hash of a seed, before there are any words", async () => {
    const none = { number: null, commit: null, client_seed: null, words_by: null, table: null, nonce: 0 };
    const shown = await pairOf(mia);
    expect(shown).toMatchObject({ ...none, next_commit: hashOf(mia, 0), next_number: 0, previous: null });
    const leo = await w.player("leo_1");
    expect((await pairOf(leo)).next_commit).toBe(hashOf(leo, 0));
  });

  it("has the words that come after its hash, is bound to the table in force, and the next hash is shown", async () => {
    expect((await changeWords(mia, "my.own-words")).data).toBeNull();
    const { table, ...pair } = await pairOf(mia);
    const own = { number: 0, commit: hashOf(mia, 0), client_seed: "my.own-words", words_by: "member", nonce: 0 };
    expect(pair).toMatchObject({ ...own, next_commit: hashOf(mia, 1), next_number: 1, previous: null });
    const rows: TableRow[] = [
      { id: "few", weight: 1, kind: "points", amount: "1.00" },
      { id: "none", weight: 1, kind: "thanks", amount: "0" },
      { id: "more", weight: 1, kind: "spin", amount: "1" },
    ];
    expect(table).toEqual({ id: "tbl_1", hash: tableHash(rows), prizes: rows });
    const listed = (await mia.call("/luckdrawlist", {}, { method: "POST" })).data;
    expect(tableHash(listed)).toBe(table!.hash);
  });

  it("that is over is the member's own, though others have one of that number", async () => {
    const leo = await w.player("leo_1");
    for (const [player, words] of [
      [leo, "leos"],
      [mia, "mias"],
    ] as const) {
      await changeWords(player, words);
      await changeWords(player, "more");
    }
    const own = (player: Player, words: string) => ({ number: 0, client_seed: words, commit: hashOf(player, 0) });
    expect((await pairOf(leo)).previous).toMatchObject(own(leo, "leos"));
    expect((await pairOf(mia)).previous).toMatchObject(own(mia, "mias"));
  });

  it("stays the same, counting spins, however often it is read at once", async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => pairOf(mia)));
    expect(others).toEqual(others.map(() => first));
    expect((await wheelRows(w)).wheelPairs).toHaveLength(1);
    await changeWords(mia, "words");
    await times(3, () => spin(mia));
    expect(await pairOf(mia)).toMatchObject({ commit: first!.next_commit, client_seed: "words", nonce: 3 });
    expect((await wheelRows(w)).wheelPairs).toHaveLength(2);
  });

  it("begun by a spin that names neither words nor commit has the user name for words, and says so", async () => {
    const { code, data } = await spin(mia);
    expect([code, data.commit]).toEqual([200, hashOf(mia, 0)]);
    expect(await pairOf(mia)).toMatchObject({ commit: data.commit, client_seed: "mia_1", words_by: "house", nonce: 1 });
    expect((await spin(mia)).data).toMatchObject({ commit: data.commit, nonce: 1 });
  });

  it("survives a restart, though its seed is stored nowhere", async () => {
    await spin(mia);
    const before = await pairOf(mia);
    await w.restart();
    expect(await pairOf(mia)).toEqual(before);
  });
});

describe("changing the words", () => {
  it("reveals the old seed with all its draws, which anyone can check", async () => {
    await offer(w, prize("none"), prize("new", { weight: 9 }));
    await changeWords(mia, "first");
    const before = await pairOf(mia);
    await times(6, () => spin(mia));
    await changeWords(mia, "second");
    const { previous } = await pairOf(mia);
    const { commit, client_seed, words_by, table } = before;
    const seed = seedOf(w, mia, 0).toString("hex");
    expect(previous).toMatchObject({ number: 0, seed, commit, client_seed, words_by, table });
    expect(previous!.spins).toHaveLength(6);
    expect(previous!.spins[0]!.prizes).toEqual([
      { id: "none", weight: 1 },
      { id: "new", weight: 9 },
    ]);
    expect(checkPair(revealed(previous!))).toEqual({ commit: true, complete: true, table: true, wrong: [] });
  });

  it("is announced to the member, so that the seed is not lost with the next change", async () => {
    await changeWords(mia, "unused");
    await changeWords(mia, "used");
    expect((await mia.call("/member/messages")).data).toEqual([]);
    await spin(mia);
    await changeWords(mia, "later");
    const { data } = await mia.call("/member/messages", undefined, { lang: "en_us" });
    expect(data).toMatchObject([{ kind: "wheel.revealed" }]);
    expect(data[0]!.text).toBe("Secret 2 of your lucky wheel is public now: the spins made with it can be checked");
  });

  it("cannot be undone, and is done once per key", async () => {
    const { next_commit } = await pairOf(mia);
    await Promise.all(Array.from({ length: 10 }, () => begin(mia, "once", next_commit, "tap")));
    expect((await wheelRows(w)).wheelPairs).toHaveLength(2);
    expect((await begin(mia, "other", next_commit, "tap")).code).toBe(409);
  });

  it("while spinning loses no spin and draws none from a public seed", async () => {
    await offer(w, prize("none"), points("some", 100));
    await changeWords(mia, "first");
    const tasks = Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? changeWords(mia, `words-${i}`) : spin(mia)));
    const codes = (await Promise.all(tasks)).map(({ code }) => code);
    expect(codes.filter((code, i) => i % 4 !== 3 && code !== 200)).toEqual([]);
    expect(new Set(codes.filter((_, i) => i % 4 === 3))).toEqual(new Set([200, 409]));
    const { spins, wheelPairs = [] } = await wheelRows(w);
    expect(spins).toHaveLength(30);
    const pairs = wheelPairs as { id: number; number: number; words: string | null; revealedAt: number | null }[];
    for (const { number, words, revealedAt } of pairs)
      expect([words === null, revealedAt === null]).toEqual([number === pairs.length - 1, number >= pairs.length - 2]);
  });

  it("is refused to a locked member", async () => {
    const { next_commit } = await pairOf(mia);
    await lock(w, mia.memberId, true);
    const before = await wheelRows(w);
    expect(await begin(mia, "words", next_commit)).toMatchObject({ code: 403, data: { reason: "member.locked" } });
    expect(await wheelRows(w)).toEqual(before);
  });

  it.each(["", "a:b", "two words", "ключ", "a\tb", "x".repeat(65), "\u202e", "💥"])(
    "refuses the words %j and reveals nothing",
    async (words) => {
      const { next_commit } = await pairOf(mia);
      const before = await wheelRows(w);
      const { code, fields } = await begin(mia, words, next_commit);
      expect([code, Object.keys(fields!)]).toEqual([400, ["client_seed"]]);
      // Empty words in a spin are none at all.
      const spun = await spin(mia, undefined, { client_seed: words || " ", commit: next_commit });
      expect([spun.code, Object.keys(spun.fields!)]).toEqual([400, ["client_seed"]]);
      expect(await wheelRows(w)).toEqual(before);
    },
  );

  it("accepts any visible character but a colon", async () => {
    const words = String.fromCharCode(...Array.from({ length: 94 }, (_, i) => i + 33)).replace(":", "");
    for (const part of [words.slice(0, 64), words.slice(64)]) {
      expect((await changeWords(mia, part)).code).toBe(200);
      expect((await pairOf(mia)).client_seed).toBe(part);
    }
  });
});

describe("a secret seed", () => {
  it("is in no answer, no push, no log line and no file", async () => {
    await offer(w, prize("none"), points("some", 100));
    const leo = await w.player("leo_1");
    const secrets = new Secrets();
    for (const player of [mia, leo])
      for (let number = 0; number < 5; number++)
        secrets.add(seedOf(w, player, number), { name: `seed ${number} of ${player.memberId}` });
    const answer: string[] = [];
    w.deps.bus.on("*", (topic, payload) => void answer.push(JSON.stringify([topic, payload])));
    for (const player of [mia, leo]) {
      for (let i = 0; i < 3; i++) answer.push(JSON.stringify([await spin(player, `tap-${i}`), await pairOf(player)]));
      for (const path of ["/luckdrawlist", "/system/luckdrawlog", "/member/messages", "/member/getMoneylog"])
        answer.push(JSON.stringify(await player.call(path, {}, { method: path.startsWith("/m") ? "GET" : "POST" })));
    }
    await w.site.relay.wake();
    const files = await bytesAtRest(w);
    const found = [...answer, ...w.logged].flatMap((text) => secrets.findIn(text));
    found.push(
      ...files.flatMap((bytes) => [...secrets.findInBytes(bytes), ...secrets.findIn(bytes.toString("latin1"))]),
    );
    expect(found).toEqual([]);

    await changeWords(mia, "next");
    const revealed = secrets.findIn(JSON.stringify([await pairOf(mia), await pairOf(leo), w.logged]));
    expect(new Set(revealed.map(({ name }) => name))).toEqual(new Set([`seed 0 of ${mia.memberId}`]));
  });
});
