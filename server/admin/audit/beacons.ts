import { asc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { beaconChanges, type games, type rounds } from "#db/schema/index.ts";
import {
  allowsBeacon,
  closesEnough,
  drandMode,
  isTooFar,
  modeAt,
  namedBeacon,
  namesFirst,
  NO_BEACON,
  type BeaconChange,
  type BeaconCheck,
} from "#shared/lottery/beacon.ts";
import { areSigned, type SignedBeacon } from "#shared/lottery/beacon-batch.ts";
import { actsFrom } from "#shared/lottery/pauses.ts";
import { ordinalOf, placeOf, roundText } from "#shared/lottery/schedule.ts";
import type { Findings } from "./findings.ts";

type Game = typeof games.$inferSelect;
type Round = typeof rounds.$inferSelect;
type Announced = BeaconChange & { announcedAt: number };

/** A game's changes of beacon, each announced in time: two rounds ahead, or together with the game. */
export async function auditBeaconChanges(read: Tx, game: Game, found: Findings): Promise<Announced[]> {
  const rows = await read
    .select()
    .from(beaconChanges)
    .where(eq(beaconChanges.gameId, game.id))
    .orderBy(asc(beaconChanges.id));
  return rows.map(({ fromDay, fromNumber, mode, announcedAt }) => {
    const from = ordinalOf(game, { day: fromDay, number: fromNumber });
    found.check(
      actsFrom(game, announcedAt) <= from || announcedAt === game.createdAt,
      () => `${game.key}: the beacon from ${roundText(placeOf(game, from))} was announced less than two rounds ahead`,
    );
    return { from, mode, announcedAt };
  });
}

/** Signatures that are checked at once. */
const MOST_AT_ONCE = 256;

/** Checks a round's beacon: the rule that was announced, the beacon that the rule names, and its signature. */
export class BeaconAudit {
  readonly #check: BeaconCheck;
  readonly #found: Findings;
  /** Names of rounds by their beacon, which rounds of several games share: signatures are checked many at once. */
  readonly #waiting = new Map<string, SignedBeacon & { names: string[] }>();

  constructor(check: BeaconCheck, found: Findings) {
    this.#check = check;
    this.#found = found;
  }

  audit(name: string, game: Game, round: Round, changes: readonly BeaconChange[]): void {
    const { beaconRule: rule, beacon, beaconSignature: signature, closesAt: closes, drawsAt: due } = round;
    const check = (isTrue: boolean, what: string) => this.#found.check(isTrue, () => `${name} ${what}`);
    const named = namedBeacon(rule);
    const isEmpty = beacon === "" && signature === "";
    const isAllowed =
      round.drawnAt === null
        ? isEmpty && (named !== null || rule === NO_BEACON)
        : allowsBeacon({ rule, beacon, signature });
    check(isAllowed, "has a beacon that its rule does not allow");
    if (!isAllowed) return;
    const mode = named ? drandMode({ hash: named.chain }) : NO_BEACON;
    const announced = modeAt(changes, ordinalOf(game, round));
    check(mode === announced, `follows the beacon ${mode}, not ${announced} as announced`);
    if (named === null) return;
    const isFirst = namesFirst({ rule, closes }, this.#check.chains) && closesEnough({ closes, due });
    check(isFirst, "does not name the first beacon at least 3 s after its close, 8 s before its draw");
    const { refundedAt } = round;
    const mayReturn = refundedAt === null || isTooFar(rule, this.#check.chains, refundedAt);
    check(mayReturn, "returned its stakes, though its beacon was less than an hour ahead");
    if (round.drawnAt === null) return;
    const waiting = this.#waiting.get(`${rule} ${signature}`) ?? { named, signature, names: [] };
    this.#waiting.set(`${rule} ${signature}`, waiting);
    waiting.names.push(name);
    if (this.#waiting.size >= MOST_AT_ONCE) this.end();
  }

  /** Checks the signatures that wait. */
  end(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const [i, isSigned] of areSigned(this.#check.chains, waiting).entries())
      for (const name of waiting[i]!.names)
        this.#found.check(
          isSigned,
          () => `${name} has a beacon that its chain did not sign for the round that its rule names`,
        );
  }
}
