import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkPair, type RevealedPair } from "#shared/wheel.ts";
import { bytesAtRest } from "../../support/at-rest.ts";
import { lock, set } from "../../support/operator.ts";
import { Secrets } from "../../support/secrets.ts";
import type { Player, World } from "../../support/world.ts";
import { changeSeed, offer, pairOf, points, prize, closeAudited, spin, wheelRows, wheelWorld } from "./wheel-world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await wheelWorld(points("few", 100, { stock: 3 }), prize("none"), prize("more", { kind: "spin", amount: 1 }));
  await set(w, "spin_daily", "1000");
  mia = await w.player("mia_1");
});
afterEach(() => closeAudited(w));

const seedOf = (player: Player, number: number) => w.deps.keys.derive(`wheel:${player.memberId}:${number}`);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const times = async (many: number, work: () => Promise<unknown>) => {
  for (let i = 0; i < many; i++) await work();
};
const revealed = ({ seed, commit, client_seed, spins }: Record<string, unknown>) =>
  ({ seed, commit, spins, clientSeed: client_seed }) as RevealedPair;

describe("a member's seed pair", () => {
  it("exists from its first read on: the hash of a seed, and the member's own words", async () => {
    const { commit, client_seed, nonce, previous } = await pairOf(mia);
    expect([commit, nonce, previous]).toEqual([sha256(seedOf(mia, 0)), 0, null]);
    expect(client_seed).toMatch(/^[a-z]+(-[a-z]+){4}$/);
    const leo = await w.player("leo_1");
    const other = await pairOf(leo);
    expect([other.commit === commit, other.client_seed === client_seed]).toEqual([false, false]);
  });

  it("stays the same, counting spins, however often it is read at once", async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => pairOf(mia)));
    expect(others).toEqual(others.map(() => first));
    expect((await wheelRows(w)).wheelPairs).toHaveLength(1);
    await times(3, () => spin(mia));
    expect(await pairOf(mia)).toMatchObject({ commit: first.commit, client_seed: first.client_seed, nonce: 3 });
  });

  it("survives a restart, though its seed is stored nowhere", async () => {
    await spin(mia);
    const before = await pairOf(mia);
    await w.restart();
    expect(await pairOf(mia)).toEqual(before);
  });
});

describe("changing the seed pair", () => {
  it("reveals the old seed with all its draws and the chances of each, which anyone can check", async () => {
    const before = await pairOf(mia);
    const isLeft = async () => JSON.stringify((await mia.call("/luckdrawlist", {})).data).includes("few");
    while (await isLeft()) await spin(mia);
    await times(2, () => spin(mia));
    await offer(w, prize("none"), prize("new", { weight: 9 }));
    await times(4, () => spin(mia));
    expect((await changeSeed(mia, "my.own-words")).data).toBeNull();
    const after = await pairOf(mia);
    expect(after).toMatchObject({ commit: sha256(seedOf(mia, 1)), client_seed: "my.own-words", nonce: 0 });
    const { previous } = after;
    const seed = seedOf(mia, 0).toString("hex");
    expect(previous).toMatchObject({ seed, commit: before.commit, client_seed: before.client_seed });
    expect(previous.spins).toHaveLength((await wheelRows(w)).spins!.length);
    expect(previous.spins[0].prizes).toEqual([
      { id: "few", weight: 1 },
      { id: "none", weight: 1 },
      { id: "more", weight: 1 },
    ]);
    expect(new Set(previous.spins.map(({ prizes }: { prizes: object }) => JSON.stringify(prizes))).size).toBe(3);
    expect(checkPair(revealed(previous))).toEqual({ commit: true, complete: true, wrong: [] });
  });

  it("is announced to the member, so that the seed is not lost with the next change", async () => {
    await changeSeed(mia, "unused");
    expect((await mia.call("/member/messages")).data).toEqual([]);
    await spin(mia);
    await changeSeed(mia, "later");
    const { data } = await mia.call("/member/messages", undefined, { lang: "en_us" });
    expect(data).toMatchObject([{ kind: "wheel.revealed" }]);
    expect(data[0].text).toBe("Seed 2 of your prize wheel is public now: what it drew can be checked");
  });

  it("cannot be undone, and is done once per key", async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => mia.call("/fair/wheel", { client_seed: "once" }, { key: "tap" })),
    );
    expect((await wheelRows(w)).wheelPairs).toHaveLength(2);
    const { code } = await mia.call("/fair/wheel", { client_seed: "other" }, { key: "tap" });
    expect(code).toBe(409);
  });

  it("while spinning loses no spin and draws none from a public seed", async () => {
    const tasks = Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? changeSeed(mia, `words-${i}`) : spin(mia)));
    expect(new Set((await Promise.all(tasks)).map(({ code }) => code))).toEqual(new Set([200]));
    await changeSeed(mia, "last");
    const { wheelPairs = [], spins } = await wheelRows(w);
    expect(spins).toHaveLength(30);
    const pairs = wheelPairs as { id: number; revealedAt: number | null; nonce: number }[];
    const newest = Math.max(...pairs.map(({ id }) => id));
    for (const { id, revealedAt, nonce } of pairs) {
      const own = (spins as { pairId: number; createdAt: number }[]).filter(({ pairId }) => pairId === id);
      expect([own.length, revealedAt === null]).toEqual([nonce, id === newest]);
    }
  });

  it("is refused to a locked member", async () => {
    await pairOf(mia);
    await lock(w, mia.memberId, true);
    const before = await wheelRows(w);
    expect(await changeSeed(mia, "words")).toMatchObject({ code: 403, data: { reason: "member.locked" } });
    expect(await wheelRows(w)).toEqual(before);
  });

  it.each(["", "a:b", "two words", "ключ", "a\tb", "x".repeat(65), "\u202e", "💥"])(
    "refuses the words %j and reveals nothing",
    async (words) => {
      const before = await wheelRows(w);
      const { code, data } = await changeSeed(mia, words);
      expect([code, Object.keys(data.fields as object)]).toEqual([400, ["client_seed"]]);
      expect(await wheelRows(w)).toEqual(before);
    },
  );

  it("accepts any visible character but a colon", async () => {
    const words = String.fromCharCode(...Array.from({ length: 94 }, (_, i) => i + 33)).replace(":", "");
    for (const part of [words.slice(0, 64), words.slice(64)]) {
      expect((await changeSeed(mia, part)).code).toBe(200);
      expect((await pairOf(mia)).client_seed).toBe(part);
    }
  });
});

describe("a secret seed", () => {
  it("is in no answer, no push, no log line and no file", async () => {
    const leo = await w.player("leo_1");
    const secrets = new Secrets();
    for (const player of [mia, leo])
      for (let number = 0; number < 5; number++)
        secrets.add(seedOf(player, number), { name: `seed ${number} of ${player.memberId}` });
    const said: string[] = [];
    w.deps.bus.on("*", (topic, payload) => void said.push(JSON.stringify([topic, payload])));
    for (const player of [mia, leo]) {
      for (let i = 0; i < 3; i++) said.push(JSON.stringify([await spin(player, `tap-${i}`), await pairOf(player)]));
      for (const path of ["/luckdrawlist", "/system/luckdrawlog", "/member/messages", "/member/getMoneylog"])
        said.push(JSON.stringify(await player.call(path, {}, { method: path.startsWith("/m") ? "GET" : "POST" })));
    }
    await w.site.relay.wake();
    const files = await bytesAtRest(w);
    const found = [...said, ...w.logged].flatMap((text) => secrets.findIn(text));
    found.push(
      ...files.flatMap((bytes) => [...secrets.findInBytes(bytes), ...secrets.findIn(bytes.toString("latin1"))]),
    );
    expect(found).toEqual([]);

    await changeSeed(mia, "next");
    const heard = secrets.findIn(JSON.stringify([await pairOf(mia), await pairOf(leo), w.logged]));
    expect(new Set(heard.map(({ name }) => name))).toEqual(new Set([`seed 0 of ${mia.memberId}`]));
  });
});
