import { momentNow } from "#client/watch/own-clock.ts";
import { join } from "node:path";
import { keepAnswer, keepNext, keepSent } from "#client/screens/wheel/kept-pairs.ts";
import type { Event } from "#client/watch/messages.ts";
import { openingIn } from "#client/watch/told-opening.ts";
import type { PlacedBet } from "#client/watch/check-bet.ts";
import { games } from "#db/schema/lottery.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { statePlays } from "#server/domains/video/state-plays.ts";
import type { Result, ToldClosing } from "#shared/contract/events.ts";
import { lotteryOdds } from "#shared/contract/lottery.ts";
import { changeWheelSeed, luckdraw, luckdrawList, wheelSeeds } from "#shared/contract/wheel.ts";
import { DAY_MS, SECOND_MS } from "#shared/time.ts";
import { tableHash } from "#shared/wheel.ts";
import { audited } from "../../support/audited.ts";
import { Client, eventually } from "../../support/client.ts";
import { Copies } from "../../support/copies.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { furnish } from "../../server/admin/audit-ground.ts";
import { PUBLIC_URL } from "../../server/payments/shop.ts";
import { Phone, type Memory } from "./phone.ts";
import { Watchers } from "./watchers.ts";

export const GAME = "k3-1m";
/** The last round that is over, and the one that is open now. */
export const LAST = "20260304-0003";
export const OPEN = "20260304-0004";

/** What a phone heard of the site's last round, as the house said it. */
export interface Life {
  open: Extract<Event, { type: "open" }>;
  placed: PlacedBet;
  receipt: string;
  closing: ToldClosing;
  result: Omit<Result, "mine">;
  win: string;
}

/**
 * A site on which everything has happened: rounds with bets and payouts, spins, withdrawals, a pause, a gap and heads.
 * Members: 1 mia, 2 nils, 3 the demo's. Mia has a phone that watched; a witness signed the heads as they came.
 */
export interface PlayedSite {
  w: World;
  copies: Copies;
  /** Copies from before the last round. */
  older: Copies;
  address: string;
  life: Life;
  /** A phone of mia's as it was before the last round, before its result, and at the end. */
  memories: { before: Memory; undecided: Memory; end: Memory };
  owner: { token: string; member: string };
  watchers: Watchers;
  /** What audit and strangers note of it, and is no problem: a round that was open as the server stopped was drawn late. */
  notes: readonly string[];
  close(): Promise<void>;
}

export async function playedSite(): Promise<PlayedSite> {
  const w = await world({ env: { MASTER_KEY: "5eed".repeat(16), PUBLIC_URL } });
  await w.game();
  const { mia, nils } = await furnish(w);
  await live(w, 58_000);
  await live(w, 2_000);
  const address = await w.listen();
  const watchers = await Watchers.begin(join(w.folder, "watchers"));
  const owner = { token: mia.token, member: await memberOf(address, mia) };
  const phone = await Phone.begin(address, owner, w.now);
  await phone.visit(GAME);
  await spinWithWords(new Client(address, mia.token));
  await round(w, phone, [mia, nils], "20260302-0005");
  await watchers.look(address);
  await restAndReturn(w);
  await round(w, phone, [mia, nils], "20260304-0002");
  await phone.wait();
  await watchers.look(address);
  const older = await Copies.of(w);
  const before = await phone.memory();
  const { life, undecided } = await round(w, phone, [mia, nils], LAST);
  await phone.wait();
  await place(mia, OPEN, "A,B");
  await w.site.housekeeping.seal();
  await w.deps.publicLog.advance();
  await phone.visit(GAME);
  await watchers.look(address);
  const memories = { before, undecided, end: await phone.memory() };
  const found = await phone.found();
  if (found.length > 0) throw new Error(`the phone found on an honest site: ${found.join()}`);
  const copies = await Copies.of(w);
  const { notes: audits } = await audited(await copies.copy());
  const notes = [...audits, ...(await watchers.strangerAt(address)).filter((line) => line.startsWith("  note"))];
  const close = async () => {
    await Promise.all([copies.close(), older.close()]);
    await w.close();
  };
  return { w, copies, older, address, life, memories, owner, watchers, notes, close };
}

async function memberOf(address: string, { token }: Player): Promise<string> {
  return (await new Client(address, token).must(wheelSeeds)).member;
}

/** Announces a pause and its end, and stands still for longer than a day, whose seeds are then public. */
async function restAndReturn(w: World): Promise<void> {
  const [game] = await w.deps.db.read.select().from(games);
  const announce = async (paused: boolean) => {
    const reason = paused ? { ms_my: "Pembaikan", en_us: "Repairs" } : null;
    await w.deps.db.transact((tx) => pauseGame(tx, w.deps, game!, { paused, reason }));
    await w.deps.publicLog.advance();
  };
  await announce(true);
  for (let i = 0; i < 4; i++) await live(w, 60_000);
  await announce(false);
  for (let i = 0; i < 4; i++) await live(w, 60_000);
  const midnight = (Math.floor(w.now() / DAY_MS) + 1) * DAY_MS;
  await live(w, midnight + DAY_MS - w.now() + SECOND_MS);
  await live(w, 60_000);
}

/** Time passes, and a server does what it does each minute. */
async function live(w: World, ms: number): Promise<void> {
  await w.live(ms);
  await w.site.housekeeping.seal();
  await statePlays(w.deps.db, w.now());
  await w.deps.publicLog.advance();
}

/** Mia spins with words of her own, gives others, so that the first pair is public, and spins on. */
async function spinWithWords(client: Client): Promise<void> {
  for (const words of ["mias-words", "other-words"]) {
    const seeds = await client.must(wheelSeeds);
    keepNext(seeds);
    keepSent(seeds, words, tableHash(await client.must(luckdrawList)));
    await client.must(changeWheelSeed, { client_seed: words, commit: seeds.next_commit });
    for (let i = 0; i < 3; i++) keepAnswer(seeds.member, seeds.next_commit, await client.must(luckdraw, {}));
  }
  keepNext(await client.must(wheelSeeds));
}

async function place(player: Player, expect: string, item: string) {
  const { code, data } = await player.call("/game/placeOrder", { lid: "lot_1", mid: "", item, money: "2", expect });
  if (code !== 200) throw new Error(`the bet was answered ${code}`);
  return data as { id: string; receipt: string };
}

/** One round of the game: mia bets with her phone, nils without. */
async function round(w: World, phone: Phone, [mia, nils]: [Player, Player], expect: string) {
  const socket = new Client(phone.address, mia.token).connect();
  const opening = openingIn(await socket.until("connect").then(() => socket.watch(GAME)));
  if (opening?.expect !== expect) throw new Error(`${opening?.expect} is open, and not ${expect}`);
  await phone.hear(opening);
  const { id: order, receipt } = await place(mia, expect, "A,B");
  const member = phone.owner!.member;
  const odds = (await new Client(phone.address).must(lotteryOdds, { id: "lot_1" }))
    .filter(({ type }) => ["A", "B"].includes(type))
    .map(({ type, pays, rtp }) => ({ type, pays, rtp }));
  const placed = { order, member, game: GAME, round: expect, options: ["A", "B"], stake: 200, unit: "point", odds };
  await phone.watcher.answer("take", { placed, receipt });
  await place(nils, expect, "C");
  await place(nils, expect, "D");
  await live(w, 58_000);
  const isOf = (told: { expect: string }) => told.expect === expect;
  await eventually(async () => void (await w.settle(), await socket.until("fair:head", isOf, 100)));
  const closing = await socket.until("fair:head", isOf);
  await phone.hear({ type: "closing", told: closing, at: momentNow() });
  const undecided = await phone.memory();
  await live(w, 2_000);
  await eventually(async () => void (await w.settle(), await socket.until("lottery:result", isOf, 100)));
  const { mine, ...result } = await socket.until("lottery:result", isOf);
  const settled = mine ?? (await socket.until("order:settled", isOf));
  const { win } = settled.orders.find(({ id }) => id === order)!;
  socket.close();
  await phone.hear({ type: "result", result });
  await phone.hear({ type: "settled", orders: [{ member, order, win }] });
  return { life: { open: opening, placed, receipt, closing, result, win }, undecided };
}
