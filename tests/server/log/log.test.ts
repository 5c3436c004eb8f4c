import { hexToBytes } from "@noble/hashes/utils.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { noteVerifier, parseKey, parseNote, signersOf } from "#shared/log/note.ts";
import { saltedLeaf } from "#shared/log/receipt.ts";
import { parseContent, type Content } from "#shared/log/salted.ts";
import { entriesPath, parseBundle, tilePath } from "#shared/log/tiles.ts";
import { isExtension, isIncluded, rootFrom } from "#shared/log/tree.ts";
import { merkleLeaf, MerkleTree } from "#shared/merkle.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import type { ToldClosing } from "#shared/contract/events.ts";
import { leavesOf as loggedLeaves } from "./read-log.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import type { DataOf } from "../../support/call.ts";
import { world, type Player, type World } from "../../support/world.ts";

const ROUND = "20260302-0001";
/** From a second after a round's opening to its closing. */
const CLOSE_MS = 56_000;

let w: World;
let [mia, tom]: Player[] = [];
let clients: SocketClients;
let told: ToldClosing[];
let betIds: string[];

beforeAll(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
  [mia, tom] = [await w.player("mia", { balance: 100 }), await w.player("tom", { balance: 100 })];
  clients = new SocketClients(await w.listen());
  const watcher = await clients.open();
  told = [];
  watcher.socket.on("fair:head", (head) => void told.push(head));
  await watcher.watch("k3-1m");
  betIds = [];
  for (const [player, item] of [
    [mia, "10,A"],
    [tom, "C"],
    [mia, "D"],
  ] as [Player, string][]) {
    const { data } = await player.call("/game/placeOrder", { lid: "lot_1", item, money: "2", expect: ROUND });
    betIds.push(data.id);
  }
  for (let round = 1; round <= 3; round++) {
    // A server that is so late that both are due tells of a draw alone.
    await w.live(CLOSE_MS);
    await vi.waitUntil(() => told.length === round, { timeout: 60_000 });
    await w.live(60_000 - CLOSE_MS);
  }
});
afterAll(async () => {
  clients.close();
  await w.close();
});

const file = async (path: string) => {
  const { statusCode, rawPayload, headers } = await w.site.app.inject({ url: `/log/${path}` });
  return { status: statusCode, bytes: rawPayload, caching: headers["cache-control"] };
};

async function newest(): Promise<Checkpoint> {
  const key = parseKey((await file("key")).bytes.toString().trim())!;
  const note = parseNote((await file("checkpoint")).bytes.toString())!;
  expect(signersOf(note, [noteVerifier(key)])).toEqual([key]);
  return parseCheckpoint(note.text)!;
}

async function leavesOf(size: number): Promise<string[]> {
  const { bytes } = await file(entriesPath({ index: 0, width: size }));
  return parseBundle(bytes, size)!.map((leaf) => Buffer.from(leaf).toString());
}

const numberOf = (texts: string[], kind: Leaf["kind"], round = ROUND) =>
  texts.findIndex((text) => {
    const leaf = parseLeaf(text)!;
    return leaf.kind === kind && "round" in leaf && leaf.round === round;
  });

describe("the log as files", () => {
  it("is signed by its key, and every leaf leads to the root", async () => {
    const { size, root, origin } = await newest();
    expect(origin).toMatch(/^127\.0\.0\.1:0\/[0-9a-f]{64}$/);
    const texts = await leavesOf(size);
    expect(texts.map((text) => parseLeaf(text)?.kind)).not.toContain(undefined);
    const tree = new MerkleTree();
    for (const text of texts) tree.add(merkleLeaf(text));
    expect(tree.root()).toBe(Buffer.from(root).toString("hex"));
    const tile = await file(tilePath({ level: 0, index: 0, width: size }));
    expect(tile.bytes).toEqual(Buffer.concat(texts.map((text) => merkleLeaf(text))));
    expect(tile.caching).toContain("immutable");
  });

  it("states a round in this order: opening, closing, a head, draw, payouts", async () => {
    const texts = await leavesOf((await newest()).size);
    const [open, close, draw, settle] = (["open", "close", "draw", "settle"] as const).map((kind) =>
      numberOf(texts, kind),
    );
    const head = texts.findIndex((text, i) => i > close! && parseLeaf(text)!.kind === "time");
    expect([open! < close!, close! < head, head < draw!, draw! < settle!]).toEqual([true, true, true, true]);
    expect(parseLeaf(texts[close!]!)).toMatchObject({ bets: 3, stake: 800 });
    const { payout } = parseLeaf(texts[settle!]!) as Leaf<"settle">;
    const moneys = await Promise.all([mia!, tom!].map((one) => one.call("/member/getUserInfo", {}, { method: "GET" })));
    expect(moneys.reduce((sum, { data }) => sum + Number(data.money), 0) * 100).toBe(20_000 - 800 + payout);
  });

  it("has nothing beyond its newest head", async () => {
    const { size } = await newest();
    expect((await file(entriesPath({ index: 0, width: size + 1 }))).status).toBe(404);
    expect((await file(tilePath({ level: 0, index: 1, width: 1 }))).status).toBe(404);
    expect((await file("tile/0/0")).status).toBe(404);
  });
});

describe("a watcher", () => {
  it("is told each closing before its draw, with proofs", async () => {
    expect(told).toHaveLength(3);
    const { size } = await newest();
    const texts = await leavesOf(size);
    let before: Checkpoint | null = null;
    for (const { head, close, path, consistency, expect: round } of told) {
      const checkpoint: Checkpoint = parseCheckpoint(parseNote(head)!.text)!;
      expect(close.leaf).toBe(texts[numberOf(texts, "close", round)]);
      expect(isIncluded(merkleLeaf(close.leaf), close.number, checkpoint, path.map(hexToBytes))).toBe(true);
      const draw = numberOf(texts, "draw", round);
      // The last draw is in no head yet.
      expect(checkpoint.size).toBeLessThanOrEqual(draw < 0 ? size : draw);
      expect(consistency?.from).toBe(before?.size);
      const isLonger = !before || isExtension(before, checkpoint, consistency!.path.map(hexToBytes));
      expect(isLonger).toBe(true);
      before = checkpoint;
    }
  });

  it("who comes later gets the newest head with the greeting", async () => {
    const client = await clients.open();
    const { head } = await client.next("hello");
    expect(head).toBe((await file("checkpoint")).bytes.toString());
  });
});

/** What a proof of payouts says that a member was paid, where it leads to the settlement: nothing has no proof. */
function amountIn({ paid }: DataOf<"/fair/payout", "GET">, { payouts: size, payouts_root }: Leaf<"settle">): number {
  if (!paid) return 0;
  const content = parseContent(paid.content) as Content<"payout">;
  const root = rootFrom(saltedLeaf(hexToBytes(paid.salt), content), {
    index: paid.index,
    size,
    path: paid.path.map(hexToBytes),
  });
  if (Buffer.from(root!).toString("hex") !== payouts_root) throw new Error("the path leads elsewhere");
  return content.amount;
}

describe("the calls", () => {
  it("prove that a newer head begins with an older one, and no more than was announced", async () => {
    const get = (from: number, to: number) =>
      w.call("/fair/consistency", { from: String(from), to: String(to) }, { method: "GET" });
    const head = await newest();
    const older: Checkpoint = parseCheckpoint(parseNote(told[0]!.head)!.text)!;
    const { data } = await get(older.size, head.size);
    expect(isExtension(older, head, data.path.map(hexToBytes))).toBe(true);
    expect((await get(older.size, head.size + 1)).code).toBe(404);
    expect((await get(head.size, older.size)).code).toBe(404);
  });

  it("prove each bet to its member alone", async () => {
    for (const [i, player] of [mia!, tom!, mia!].entries()) {
      const { data } = await player.call("/fair/proof", { id: betIds[i]! }, { method: "GET" });
      const bet = parseContent(data.bet) as Parameters<typeof saltedLeaf>[1];
      const path = data.path.map(hexToBytes);
      const root = rootFrom(saltedLeaf(hexToBytes(data.salt), bet), { index: data.index, size: data.count, path });
      expect(Buffer.from(root!).toString("hex")).toBe(data.bets_root);
      expect(bet).toMatchObject({ order: betIds[i], round: ROUND, stake: 200 });
    }
    expect(await tom!.call("/fair/proof", { id: betIds[0]! }, { method: "GET" })).toMatchObject({
      code: 403,
      data: { reason: "bet.foreign" },
    });
  });

  it("bring along with the proof where the log has the opening, the closing, the draw and the payouts of its round", async () => {
    const { data } = await mia!.call("/fair/proof", { id: betIds[0]! }, { method: "GET" });
    const texts = await leavesOf((await newest()).size);
    for (const kind of ["open", "close", "draw", "settle"] as const)
      expect(data[kind]).toEqual({ leaf: texts[numberOf(texts, kind)], number: numberOf(texts, kind) });
  });

  it("prove what a round paid a member for all their bets, to them alone", async () => {
    const texts = await leavesOf((await newest()).size);
    const settle = parseLeaf(texts[numberOf(texts, "settle")]!) as Leaf<"settle">;
    const orders = (player: Player) => player.call("/member/getUserGameList");
    const winOf = async (player: Player) =>
      (await orders(player)).data.reduce((sum, { win }) => sum + Math.round(Number(win ?? 0) * 100), 0);
    const wins = [await winOf(mia!), await winOf(tom!)];
    for (const [i, player] of [mia!, tom!].entries()) {
      const { data } = await player.call("/fair/payout", { id: betIds[i]! }, { method: "GET" });
      expect(data.settle).toEqual({ leaf: texts[numberOf(texts, "settle")], number: numberOf(texts, "settle") });
      expect(amountIn(data, settle)).toBe(wins[i]);
    }
    expect(settle.payout).toBe(wins[0]! + wins[1]!);
    expect(await tom!.call("/fair/payout", { id: betIds[0]! }, { method: "GET" })).toMatchObject({
      code: 403,
      data: { reason: "bet.foreign" },
    });
  });

  it("prove no bet before its round is closed", async () => {
    const { data } = await mia!.call("/game/placeOrder", {
      lid: "lot_1",
      item: "A",
      money: "1",
      expect: "20260302-0004",
    });
    expect((await mia!.call("/fair/proof", { id: data.id }, { method: "GET" })).code).toBe(404);
  });

  it("list what was drawn, with the root over the bets", async () => {
    const { data } = await w.call("/fair/log", { key: "k3-1m", from: ROUND }, { method: "GET" });
    const texts = await leavesOf((await newest()).size);
    expect(data).toHaveLength(3);
    const { bets, bets_root } = parseLeaf(texts[numberOf(texts, "close")]!) as Leaf<"close">;
    expect(data[0]).toMatchObject({ expect: ROUND, index: 1, bets, bets_root, stake: "8.00" });
  });
});

describe("a gap", () => {
  it("that begins where one did that was taken back is stated too", async () => {
    const w = await world();
    try {
      const gap = { kind: "gap", game: "k3-1m", from: "20260302-0001", to: "20260302-0003", at: 9 } as const;
      const state = (leaf: Leaf<"gap">) => w.deps.db.transact((tx) => addLeaf(tx, leaf));
      expect(await state({ ...gap, reason: "down" })).toBe(true);
      expect(await state({ ...gap, at: 10, reason: "clock" })).toBe(true);
      expect(await state({ ...gap, to: "20260302-0002", reason: "clock" })).toBe(true);
      expect(await state({ ...gap, reason: "down" })).toBe(false);
      await w.deps.publicLog.advance();
      expect((await loggedLeaves(w)).filter(({ kind }) => kind === "gap")).toHaveLength(3);
    } finally {
      await w.close();
    }
  });
});
