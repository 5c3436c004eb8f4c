import { setPrizes } from "#server/domains/wheel/set-prizes.ts";
import { bindBank } from "#server/domains/payments/bind-bank.ts";
import { give } from "../../support/credentials.ts";
import { world, type Player, type World } from "../../support/world.ts";

export const [ONE, TWO] = ["1a".repeat(32), "2b".repeat(32)] as const;
/** Anchors of START are public up to 10 March, and a day lies between. */
export const FIRST_DAY = "2026-03-12";
export const DAY_START = Date.UTC(2026, 2, 12);
export const RING = `${ONE},${TWO}@${FIRST_DAY}`;

export const NUMBER = "19036624875013";
export const PASSWORD = "a-long-pass-word";
export const PIN = "274913";

/** A site under one master key, with a game and prizes. */
export async function ringWorld(env: Record<string, string> = {}): Promise<World> {
  const w = await world({ env: { MASTER_KEY: ONE, ...env } });
  await w.game();
  const thanks = { title: "Thanks", memo: "", image: "/prizes/t.svg", kind: "thanks", amount: 0, weight: 1 } as const;
  await w.deps.db.transact((tx) => setPrizes(tx, w.deps, [{ id: "thanks", ...thanks }]));
  await w.live(1_000);
  await w.deps.publicLog.advance();
  return w;
}

/** A member with a password, a passcode and a bank account. */
export async function owner(w: World, name: string): Promise<Player> {
  const player = await w.player(name, { balance: 1_000 });
  await give(w, player.memberId, { password: PASSWORD, pin: PIN });
  await bind(w, player, NUMBER);
  return player;
}

export const bind = (w: World, { memberId }: Player, number: string): Promise<void> =>
  w.deps.db.transact((tx) =>
    bindBank(tx, w.deps, memberId, { number, bankCode: "vn_acb", holder: "NGUYEN VAN A", mobile: "" }),
  );

/** Starts the server anew with these keys. */
export async function withKeys(w: World, keys: string): Promise<void> {
  w.config.masterKey = keys;
  await w.restart();
}

/** The clock goes on to a time, and the rounds with it. */
export async function until(w: World, ms: number): Promise<void> {
  w.pass(ms - w.now());
  await w.settle();
  await w.deps.publicLog.advance();
  await w.settle();
}

/** Everything is moved to the key in force. */
export async function move(w: World): Promise<void> {
  while ((await w.site.keys.tick()) < 1_000);
}

export const bet = (player: Player, expect: string, key?: string) =>
  player.call(
    "/game/placeOrder",
    { item: "A", money: "10", lid: "lot_1", mid: "", expect },
    { ...(key !== undefined && { key }) },
  );
