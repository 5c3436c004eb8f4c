import { changeBeacon } from "#server/domains/lottery/change-beacon.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { drandMode } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { away, DrandRelay, honest, ownChain, type OwnChain } from "../../support/drand-relay.ts";
import { START, world, type World } from "../../support/world.ts";
import { KEY, readsOf } from "./rounds-world.ts";

export const no = (number: number) => `20260302-${String(number).padStart(4, "0")}`;

export interface DrandWorld extends ReturnType<typeof readsOf> {
  w: World;
  chain: OwnChain;
  /** Both are honest until a test changes them. */
  relays: [DrandRelay, DrandRelay];
  /** Lets a relay say the truth again. */
  honest: ReturnType<typeof honest>;
  /** Sets the server's clock, while true time and the relays go on. */
  set(ms: number): void;
  /** Announces another beacon, as the setting does. Returns the first round it acts on. */
  follow(mode: string): Promise<string | null>;
  /** Lets jobs run until something is so. */
  until(isSo: () => Promise<boolean> | boolean): Promise<void>;
  /** The same, while the clock goes on: relays are asked again after a pause. */
  untilLater(isSo: () => Promise<boolean> | boolean): Promise<void>;
  /** Moves the clock second by second, as a server lives. */
  seconds(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** A game of one-minute rounds on a chain with a key of our own, and two relays on loopback. */
export async function drandWorld({ now = START }: { now?: number } = {}): Promise<DrandWorld> {
  const chain = ownChain();
  const relays: [DrandRelay, DrandRelay] = [await DrandRelay.start(away), await DrandRelay.start(away)];
  const env = { BEACON_RELAYS: relays.map(({ url }) => url).join(",") };
  const w = await world({ now, env, beacons: beaconsOf(chain) });
  let wrongBy = 0;
  const truth = honest(chain, () => w.now() - wrongBy);
  for (const relay of relays) relay.answer = truth;
  await w.game();
  await w.settle();
  const wait = async (passMs: number, isSo: () => Promise<boolean> | boolean) => {
    for (let i = 0; i < 400; i++) {
      await w.live(passMs);
      if (await isSo()) return;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    throw new Error("it never came to be so");
  };
  const until: DrandWorld["until"] = (isSo) => wait(0, isSo);
  return {
    ...readsOf(() => w),
    w,
    chain,
    relays,
    honest: truth,
    set(ms) {
      w.jump(ms);
      wrongBy += ms;
    },
    until,
    untilLater: (isSo) => wait(500, isSo),
    async follow(mode) {
      const { db } = w.deps;
      const game = await findGame(db.read, KEY);
      const place = await db.transact((tx) => changeBeacon(tx, w.deps, game, mode));
      // At its first look, the server asks the relays before it opens anything.
      if (mode === drandMode(chain)) await until(() => w.deps.beacons.hasLooked);
      return place && roundText(place);
    },
    async seconds(count) {
      for (let i = 0; i < count; i++) await w.live(1_000);
    },
    async stop() {
      await w.close();
      for (const relay of relays) await relay.stop();
    },
  };
}

export const modeOf = (site: DrandWorld): string => drandMode(site.chain);
