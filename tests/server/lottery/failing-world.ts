import { expect } from "vitest";
import { eq } from "drizzle-orm";
import { payouts, rounds } from "#db/schema/index.ts";
import { MINUTE_GAME, world, type Player, type World } from "../../support/world.ts";
import { problemsNow } from "../../support/audited.ts";

export const ROUND = "20260302-0001";
/** Every member stakes ten units on big and ten on small: whatever the dice, 19.50 come back. */
const STAKED = 20;
const WON = 1_950;

export interface FailingWorld {
  w: World;
  /** The bettors on the first game, and those on the second. */
  ill: Player[];
  well: Player[];
  close(): Promise<void>;
}

/** Two games whose first rounds are open, with three members' bets on each. */
export async function failingWorld(): Promise<FailingWorld> {
  const w = await world();
  await w.game();
  await w.game({ ...MINUTE_GAME, key: "other-1m" });
  await w.live(1_000);
  const players = (prefix: string) => Promise.all([1, 2, 3].map((n) => w.player(`${prefix}_${n}`, { balance: 100 })));
  const [ill, well] = [await players("ill"), await players("well")];
  for (const [lid, who] of [
    ["lot_1", ill],
    ["lot_2", well],
  ] as const)
    for (const player of who) await betSurely(player, lid, ROUND);
  return { w, ill, well, close: () => w.close() };
}

export async function betSurely(player: Player, lid: string, expectRound: string): Promise<void> {
  const order = { item: "A,B", money: "10", lid, mid: "", expect: expectRound };
  expect((await player.call("/game/placeOrder", order)).code).toBe(200);
}

export const balanceOf = async (player: Player): Promise<string> =>
  (await player.call("/member/getUserInfo")).data.money;

/** Every member's balance: the stake is gone, and has come back as a win where the round is paid. */
export async function expectPaid(players: Player[], roundsPaid: number, roundsBet = roundsPaid): Promise<void> {
  const units = 100 - STAKED * roundsBet + (WON / 100) * roundsPaid;
  expect(await Promise.all(players.map(balanceOf))).toEqual(players.map(() => units.toFixed(2)));
}

export const roundOf = async ({ deps }: World, id: number) =>
  (await deps.db.read.select().from(rounds).where(eq(rounds.id, id)))[0]!;

export const payoutsOf = ({ deps }: World, roundId: number) =>
  deps.db.read.select().from(payouts).where(eq(payouts.roundId, roundId)).orderBy(payouts.memberId);

/** The problems that the operator's audit finds, but for the guards and seals that these tests go without. */
export async function problemsOf(w: World): Promise<string[]> {
  // It states all rounds that it can, and then fails for those that are poisoned.
  await w.deps.publicLog.advance().catch(() => {});
  return (await problemsNow(w)).filter((one) => !/^the (trigger|constraint|seals end) /.test(one));
}

export const metric = async (w: World, name: string): Promise<number> => {
  const { body } = await w.site.app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" });
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(body)?.[1]);
};

/** From the first second of the round to a moment after its draw. */
export async function playRound(w: World): Promise<void> {
  await w.live(56_000);
  await w.live(3_000);
  await w.live(1_000);
}

/** The log lines of the steps that failed. */
export const loggedFailuresOf = ({ logged }: World) =>
  logged
    .map((line) => JSON.parse(line) as { msg: string; step?: string; level: number })
    .filter(({ msg }) => msg === "a step failed and will be retried")
    .map(({ step, level }) => [step, level]);
