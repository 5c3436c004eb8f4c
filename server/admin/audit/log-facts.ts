import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import {
  anchors,
  beaconChanges,
  gaps,
  logRestores,
  odds,
  pauses,
  playHours,
  rounds,
  seals,
  servedApps,
  wheelTables,
  type games,
} from "#db/schema/index.ts";
import { appLeaf } from "#server/domains/log/served-app.ts";
import { isWholeTable, tableLeaf } from "#server/domains/log/table-leaf.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { CHAINED_KINDS, type ChainedKind } from "#shared/log/salted.ts";
import { ordinalOf, parseRound, roundText } from "#shared/lottery/schedule.ts";
import { parseDay } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import { statedKey } from "./log-keys.ts";
import { compareLeaf, differences, nameOf, sortedReason, statedOdds } from "./log-names.ts";
import { LogTables } from "./log-tables.ts";
import { ownersOf, type Owner } from "./said-leaf.ts";

type Game = typeof games.$inferSelect;
type Round = typeof rounds.$inferSelect;
type Seal = typeof seals.$inferSelect;

interface Stated {
  number: number | null;
  leaf: Leaf;
}

/** Asks each leaf of the log for the row that it states. */
export class LogFacts {
  readonly #read: Tx;
  readonly #games: ReadonlyMap<string, Game>;
  readonly #found: Findings;
  readonly #tables: LogTables;
  /** What the members' leaves of this page say. */
  #owners: ReadonlyMap<string, Owner> = new Map();
  /** The first round that the log says was opened, by its row. Earlier rounds are from before the log. */
  firstRound = Number.MAX_SAFE_INTEGER;
  /** The first table of prizes that the log states. Earlier ones are from before. */
  firstTable = Number.MAX_SAFE_INTEGER;
  /** Odds that rounds of the log have. */
  readonly oddsUsed = new Set<string>();
  /** Odds that the log states. */
  readonly oddsStated = new Set<string>();
  /** Days of games of which the log shows a seed that ends a gap. */
  readonly skippedDays = new Set<string>();

  private constructor(read: Tx, known: readonly Game[], found: Findings) {
    this.#read = read;
    this.#games = new Map(known.map((game) => [game.key, game]));
    this.#found = found;
    this.#tables = new LogTables(found);
  }

  static read(read: Tx, known: readonly Game[], found: Findings): LogFacts {
    return new LogFacts(read, known, found);
  }

  /** Checks a page of leaves. Returns when the last of them was stated, if its row tells. */
  async check(leaves: readonly Stated[]): Promise<number | null> {
    const known = await this.#roundsOf(leaves);
    const sealed = await this.#sealsOf(leaves);
    const hashes = leaves.flatMap(({ leaf }) => (isChained(leaf) ? [leaf.hash] : []));
    this.#owners = await ownersOf(this.#read, hashes);
    let at: number | null = null;
    for (const { number, leaf } of leaves) at = await this.#checkLeaf(leaf, number, known, sealed);
    return at;
  }

  async #checkLeaf(
    leaf: Leaf,
    number: number | null,
    known: ReadonlyMap<string, Round>,
    sealed: ReadonlyMap<number, Seal>,
  ): Promise<number | null> {
    switch (leaf.kind) {
      case "anchor":
        return this.#checkAnchor(leaf);
      case "odds":
        return this.#checkOdds(leaf);
      case "open":
      case "close":
      case "draw":
      case "settle":
      case "refund":
        return this.#checkRound(leaf, known.get(placeName(leaf)));
      case "gap":
        return this.#checkGap(leaf);
      case "skipped":
        return this.#checkSkipped(leaf);
      case "pause":
      case "resume":
        return this.#checkPause(leaf);
      case "seal":
        return this.#checkSeal(leaf, sealed.get(leaf.number));
      case "beacon":
        return this.#checkBeacon(leaf);
      case "restore":
        return this.#checkRestore(leaf);
      case "table":
      case "app":
      case "key":
        return this.#checkHouse(leaf);
      default:
        return this.#checkOther(leaf, number);
    }
  }

  /** What the house has beside games: prizes, what it serves, its key. */
  #checkHouse(leaf: Leaf<"table" | "app" | "key">) {
    if (leaf.kind === "table") return this.#checkTable(leaf);
    return leaf.kind === "app" ? this.#checkApp(leaf) : this.#checkKey(leaf);
  }

  /** Only whether it is there: what it says is compared where the members' chains are checked. */
  #checkOwn({ kind, hash }: Leaf<ChainedKind>, number: number | null): number | null {
    const own = this.#owners.get(hash);
    this.#tables.spin(own?.content);
    const which = number === null ? "without a number" : `${number}`;
    this.#found.check(own?.kind === kind, () => `the log's leaf ${which} states a ${kind} that no member's chain has`);
    return own?.content?.at ?? null;
  }

  /** The log may say what one of these rows says, and nothing else. */
  #compare(leaf: Leaf, rows: readonly Leaf[]): void {
    const said = rows.map((row) => differences(leaf, row).length);
    const nearest = rows[said.indexOf(Math.min(...said))];
    if (nearest) compareLeaf(leaf, nearest, this.#found);
    else this.#found.check(false, () => `the log's ${nameOf(leaf)} has no row`);
  }

  async #checkAnchor(leaf: Leaf<"anchor">): Promise<number | null> {
    const isAnchor = and(eq(anchors.gameId, this.#gameId(leaf)), eq(anchors.day, parseDay(leaf.day)!));
    const rows = await this.#read.select().from(anchors).where(isAnchor);
    this.#compare(
      leaf,
      rows.map(({ anchor }) => ({ ...leaf, anchor })),
    );
    return rows[0]?.createdAt ?? null;
  }

  async #checkOdds(leaf: Leaf<"odds">): Promise<null> {
    const game = this.#games.get(leaf.game);
    const isOdds = and(eq(odds.gameId, this.#gameId(leaf)), eq(odds.id, wholeOf(leaf.id)));
    const rows = game ? await this.#read.select().from(odds).where(isOdds) : [];
    this.oddsStated.add(leaf.id);
    this.#compare(
      leaf,
      rows.flatMap((row) => statedOdds(game!, row) ?? []),
    );
    return null;
  }

  async #checkKey(leaf: Leaf<"key">): Promise<number> {
    this.#compare(leaf, await statedKey(this.#read, leaf));
    return leaf.at;
  }

  async #checkTable(leaf: Leaf<"table">): Promise<number> {
    const id = wholeOf(leaf.id);
    this.#tables.table(leaf);
    this.firstTable = Math.min(this.firstTable, id);
    const rows = await this.#read.select().from(wheelTables).where(eq(wheelTables.id, id));
    // The unit is the ledger's at that time, and no row keeps it.
    this.#compare(
      leaf,
      rows.filter(isWholeTable).map((row) => tableLeaf(row, leaf.unit)),
    );
    return leaf.from;
  }

  async #checkApp(leaf: Leaf<"app">): Promise<number> {
    const rows = await this.#read.select().from(servedApps).where(eq(servedApps.createdAt, leaf.from));
    this.#compare(leaf, rows.map(appLeaf));
    return leaf.from;
  }

  #checkOther(
    leaf: Leaf<"time" | "plays" | ChainedKind>,
    number: number | null,
  ): number | null | Promise<number | null> {
    if (leaf.kind === "time") return this.#checkTime(leaf, number);
    if (leaf.kind === "plays") return this.#checkPlays(leaf, number);
    return this.#checkOwn(leaf, number);
  }

  #checkTime(leaf: Leaf<"time">, number: number | null): number {
    this.#tables.time();
    // One without a number was never part of a head; the others end theirs.
    this.#found.check(number !== null, () => `the log's ${nameOf(leaf)} has no number`);
    return leaf.time;
  }

  async #checkPlays({ hash }: Leaf<"plays">, number: number | null): Promise<number | null> {
    const [row] = await this.#read.select({ at: playHours.createdAt }).from(playHours).where(eq(playHours.hash, hash));
    const which = number === null ? "without a number" : `${number}`;
    this.#found.check(row !== undefined, () => `the log's leaf ${which} states plays that no hour has`);
    return row?.at ?? null;
  }

  /** Only whether it is there: what it says is compared with the round's bets and payouts. */
  #checkRound(leaf: RoundLeaf, round: Round | undefined): number | null {
    if (!round) {
      this.#found.check(false, () => `the log has the ${nameOf(leaf)}, and the tables have no such round`);
      return null;
    }
    const { openedAt, closedAt, drawnAt, settledAt, refundedAt, id } = round;
    const at = { open: openedAt, close: closedAt, draw: drawnAt, settle: settledAt, refund: refundedAt }[leaf.kind];
    const was = { open: "opened", close: "closed", draw: "drawn", settle: "paid", refund: "returned" }[leaf.kind];
    this.#found.check(at !== null, () => `the log has the ${nameOf(leaf)}, which was not ${was} in the tables`);
    if (leaf.kind === "open") {
      this.firstRound = Math.min(this.firstRound, id);
      this.oddsUsed.add(leaf.odds);
    }
    return at;
  }

  async #checkGap(leaf: Leaf<"gap">): Promise<number> {
    const { day, number } = parseRound(leaf.from)!;
    const isGap = and(eq(gaps.gameId, this.#gameId(leaf)), eq(gaps.fromDay, day), eq(gaps.fromNumber, number));
    const rows = await this.#read.select().from(gaps).where(isGap);
    const given = rows.map(({ toDay, toNumber, reason, createdAt, takenBackAt }) => ({
      isLive: takenBackAt === null,
      leaf: { ...leaf, to: roundText({ day: toDay, number: toNumber }), reason, at: createdAt },
    }));
    this.#compare(
      leaf,
      given.map((one) => one.leaf),
    );
    const isLive = given.length === 0 || given.some((one) => one.isLive);
    if (!isLive) this.#found.note(() => `the log's ${nameOf(leaf)} was taken back: the clock had been ahead`);
    return leaf.at;
  }

  /** The seed leads to the anchor of its day, and stands for places in one gap. */
  async #checkSkipped(leaf: Leaf<"skipped">): Promise<number> {
    const game = this.#games.get(leaf.game);
    const [from, to] = [parseRound(leaf.from)!, parseRound(leaf.to)!];
    this.skippedDays.add(`${game?.id}:${to.day}`);
    const isAnchor = and(eq(anchors.gameId, this.#gameId(leaf)), eq(anchors.day, to.day));
    const [known] = await this.#read.select().from(anchors).where(isAnchor);
    let link: Uint8Array = hexToBytes(leaf.seed);
    for (let i = 0; i < to.number; i++) link = sha256(link);
    const leads = bytesToHex(link) === known?.anchor;
    this.#found.check(leads, () => `the log's ${nameOf(leaf)}: its seed does not lead to the day's anchor`);
    const rows = game ? await this.#read.select().from(gaps).where(eq(gaps.gameId, game.id)) : [];
    const isIn = rows.some(({ fromDay, fromNumber, toDay, toNumber }) => {
      const first = ordinalOf(game!, { day: fromDay, number: fromNumber });
      const last = ordinalOf(game!, { day: toDay, number: toNumber });
      return first <= ordinalOf(game!, from) && ordinalOf(game!, to) <= last;
    });
    this.#found.check(isIn, () => `the log's ${nameOf(leaf)} is in no gap of the tables`);
    return leaf.at;
  }

  async #checkPause(leaf: Leaf<"pause"> | Leaf<"resume">): Promise<number> {
    const paused = leaf.kind === "pause";
    const isOfGame = and(eq(pauses.gameId, this.#gameId(leaf)), eq(pauses.paused, paused));
    const rows = await this.#read.select().from(pauses).where(isOfGame);
    const then = rows.filter(({ announcedAt }) => announcedAt === leaf.at);
    this.#compare(
      leaf,
      then.map(({ fromDay, fromNumber, reason }) => {
        const from = roundText({ day: fromDay, number: fromNumber });
        return leaf.kind === "pause" ? { ...leaf, from, reason: sortedReason(reason) } : { ...leaf, from };
      }),
    );
    return leaf.at;
  }

  #checkSeal(leaf: Leaf<"seal">, row: Seal | undefined): number | null {
    this.#compare(leaf, row ? [{ ...leaf, root: row.root, seal: row.seal, at: row.createdAt }] : []);
    return row?.createdAt ?? null;
  }

  async #checkBeacon(leaf: Leaf<"beacon">): Promise<number> {
    const rows = await this.#read
      .select()
      .from(beaconChanges)
      .where(eq(beaconChanges.gameId, this.#gameId(leaf)));
    const then = rows.filter(({ announcedAt }) => announcedAt === leaf.at);
    this.#compare(
      leaf,
      then.map(({ fromDay, fromNumber, mode }) => ({
        ...leaf,
        mode,
        from: roundText({ day: fromDay, number: fromNumber }),
      })),
    );
    return leaf.at;
  }

  /** What was kept of the log before is asked of that log's own tree. */
  async #checkRestore(leaf: Leaf<"restore">): Promise<number> {
    const rows = await this.#read.select().from(logRestores).where(eq(logRestores.id, leaf.number));
    this.#compare(
      leaf,
      rows.map(({ reason, createdAt }) => ({ ...leaf, reason: sortedReason(reason), at: createdAt })),
    );
    return leaf.at;
  }

  /** 0 stands for a game that there is not. */
  #gameId({ game }: { game: string }): number {
    return this.#games.get(game)?.id ?? 0;
  }

  async #roundsOf(leaves: readonly Stated[]): Promise<Map<string, Round>> {
    const days = new Map<string, { game: Game; day: number; numbers: Set<number> }>();
    for (const { leaf } of leaves) {
      const game = isOfRound(leaf) ? this.#games.get(leaf.game) : undefined;
      if (!game || !isOfRound(leaf)) continue;
      const { day, number } = parseRound(leaf.round)!;
      const name = `${game.id}:${day}`;
      if (!days.has(name)) days.set(name, { game, day, numbers: new Set() });
      days.get(name)!.numbers.add(number);
    }
    const known = new Map<string, Round>();
    for (const { game, day, numbers } of days.values()) {
      const isNamed = and(eq(rounds.gameId, game.id), eq(rounds.day, day), inArray(rounds.number, [...numbers]));
      for (const row of await this.#read.select().from(rounds).where(isNamed))
        known.set(placeName({ game: game.key, round: roundText({ day, number: row.number }) }), row);
    }
    return known;
  }

  async #sealsOf(leaves: readonly Stated[]): Promise<Map<number, Seal>> {
    const numbers = leaves.flatMap(({ leaf }) => (leaf.kind === "seal" ? [leaf.number] : []));
    const rows = await this.#read.select().from(seals).where(inArray(seals.id, numbers));
    return new Map(rows.map((row) => [row.id, row]));
  }
}

type RoundLeaf = Leaf<"open"> | Leaf<"close"> | Leaf<"draw"> | Leaf<"settle"> | Leaf<"refund">;

const isChained = (leaf: Leaf): leaf is Leaf<ChainedKind> => (CHAINED_KINDS as string[]).includes(leaf.kind);
const isOfRound = (leaf: Leaf): leaf is RoundLeaf => /^(open|close|draw|settle|refund)$/.test(leaf.kind);
const placeName = ({ game, round }: { game: string; round: string }) => `${game} ${round}`;
const wholeOf = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : 0);
