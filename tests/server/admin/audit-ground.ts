import { eq } from "drizzle-orm";
import { videoPlays, videos } from "#db/schema/video.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { addComment } from "#server/domains/listing/comments.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { creditDeposit } from "#server/domains/payments/credit-deposit.ts";
import * as withdrawal from "#server/domains/payments/decide-withdrawal.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { fromUnits } from "#shared/money.ts";
import { audited } from "../../support/audited.ts";
import { Copies } from "../../support/copies.ts";
import { spend } from "../../support/ledger.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { city, decide, listing, save } from "../listing/listing-world.ts";
import { asked, saver } from "../payments/purse.ts";
import { bodyOf, deliver, ordered, PUBLIC_URL } from "../payments/shop.ts";
import { category, video } from "../video/video-world.ts";
import { changeWords, offer, points, prize, spin } from "../wheel/wheel-world.ts";

export const ROUNDS = ["20260302-0001", "20260302-0002", "20260302-0003"];

/** Problems without what the log says: a test that changes rows as if a clock had been wrong changes no leaf with them. */
export const besideTheLog = (problems: readonly string[]): string[] =>
  problems.filter((one) => !one.startsWith("the log"));

export interface Ground {
  w: World;
  copies: Copies;
  /** What the audit finds in a copy that was changed past every guard. */
  after(sql: string): ReturnType<typeof audited>;
  close(): Promise<void>;
}

/**
 * A site on which everything has happened that moves money, and its copies. Members: 1 mia, 2 nils, 3 the demo's. Three
 * rounds are paid, of which mia and nils win each; the fourth is open and has a bet.
 */
export async function auditGround(): Promise<Ground> {
  const w = await world({ env: { MASTER_KEY: "5eed".repeat(16), PUBLIC_URL } });
  await w.game();
  await furnish(w);
  await w.site.housekeeping.seal();
  return { w, ...(await tamperable(w)) };
}

/** Lets members do on a new site with one game whatever moves money or is counted. */
export async function furnish(w: World): Promise<{ mia: Player; nils: Player }> {
  const mia = await saver(w, "mia_1", 1_000);
  const nils = await w.player("nils_2", { balance: 500 });
  await giveAndTake(w, mia, nils);
  await withdraw(w, mia);
  await play(w, mia, nils);
  await turnTheWheel(w, nils);
  await showThings(w, mia, nils);
  await limit(mia);
  return { mia, nils };
}

/** Copies of a world, each audited after somebody has changed it. */
export async function tamperable(w: World): Promise<Omit<Ground, "w">> {
  const copies = await Copies.of(w);
  return {
    copies,
    after: async (sql: string) => audited(await copies.tampered(sql)),
    async close() {
      await copies.close();
      await w.close();
    },
  };
}

/** Credits and top-ups, of which an operator's are reversed, a plan, and a balance of the demo. */
async function giveAndTake(w: World, mia: Player, nils: Player): Promise<void> {
  const { deps } = w;
  await deps.db.transact(async (tx) => {
    const { transferId } = await creditMember(tx, deps, nils.memberId, fromUnits(40), "A gift");
    await reverseCredit(tx, deps, transferId, "A mistake");
    const toppedUp = await creditDeposit(tx, deps, { memberId: nils.memberId, amount: fromUnits(30), reason: "Cash" });
    await reverseCredit(tx, deps, toppedUp.transferId, "It was false");
    await creditDeposit(tx, deps, { memberId: nils.memberId, amount: fromUnits(25), reason: "Cash" });
    const memberId = await addMember(tx, { username: "demo_3", passwordHash: null, demo: true }, w.now());
    const gift = { code: "demo", cause: "demo:demo_3", memberId, account: "house:operator" } as const;
    await transfer(tx, deps, { ...gift, amount: fromUnits(60) });
  });
  await deliver(w, bodyOf(w, { order: await ordered(mia, 10) }));
  await ordered(mia, 20);
  await spend(w, mia, 70);
}

/** Mia has a limit that will be raised, and is on a break. */
async function limit(mia: Player): Promise<void> {
  const change = (input: Record<string, string>) => mia.call("/member/limits", input, { method: "POST" });
  await change({ stake_day: "500" });
  await change({ stake_day: "900", loss_week: "200" });
}

/** One withdrawal in each state. */
async function withdraw(w: World, mia: Player): Promise<void> {
  for (const amount of [100, 110, 120, 130]) await asked(mia, amount);
  const { db } = w.deps;
  await db.transact((tx) => withdrawal.approveWithdrawal(tx, w.deps, 2));
  await db.transact((tx) => withdrawal.refuseWithdrawal(tx, w.deps, 3, "No"));
  await db.transact((tx) => withdrawal.approveWithdrawal(tx, w.deps, 4));
  await db.transact((tx) => withdrawal.payWithdrawal(tx, w.deps, 4));
}

async function play(w: World, mia: Player, nils: Player): Promise<void> {
  await w.live(1_000);
  for (const expect of [...ROUNDS, "20260302-0004"]) {
    const bet = { lid: "lot_1", mid: "", expect };
    await mia.call("/game/placeOrder", { ...bet, item: "A,B", money: "10" });
    if (!ROUNDS.includes(expect)) continue;
    await nils.call("/game/placeOrder", { ...bet, item: "C", money: "3" });
    await nils.call("/game/placeOrder", { ...bet, item: "D", money: "3" });
    await w.live(58_000);
    await w.live(2_000);
  }
}

/** Nils has a public pair of spins and a secret one, and wins points and days. */
async function turnTheWheel(w: World, nils: Player): Promise<void> {
  const days = prize("days", { kind: "days", amount: 2 });
  await offer(w, points("five", 500), days, prize("thanks"));
  await set(w, "spin_daily", "0");
  await set(w, "spin_price", "3");
  for (let i = 0; i < 8; i++) await spin(nils);
  await changeWords(nils, "words");
  for (let i = 0; i < 8; i++) await spin(nils);
}

async function showThings(w: World, mia: Player, nils: Player): Promise<void> {
  await city(w, "Hanoi");
  await save(w, listing("one"), listing("two"));
  await w.deps.db.transact(async (tx) => {
    await addComment(tx, w.deps, { listingId: 1, memberId: mia.memberId, text: "Lovely", hearts: 4, locale: "en_us" });
    await addComment(tx, w.deps, { listingId: 1, memberId: nils.memberId, text: "Kind", hearts: 5, locale: "en_us" });
    await addComment(tx, w.deps, { listingId: 2, memberId: mia.memberId, text: "Hm", hearts: 1, locale: "en_us" });
  });
  await decide(w, 1, true);
  await decide(w, 2, true);
  await category(w, "nature");
  const { id } = await video(w);
  await w.deps.db.transact(async (tx) => {
    await tx.insert(videoPlays).values([
      { hour: 1, videoId: id, viewer: "guest a" },
      { hour: 1, videoId: id, viewer: "guest b" },
    ]);
    await tx.update(videos).set({ plays: 3 }).where(eq(videos.id, id));
  });
}
