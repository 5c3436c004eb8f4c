import { monitorEventLoopDelay } from "node:perf_hooks";
import { randomBytes } from "node:crypto";
import { desc, eq, isNotNull } from "drizzle-orm";
import { betColumns, bets, rounds } from "#db/schema/index.ts";
import { BetProofs } from "#server/domains/log/bet-proof.ts";
import type { ReceiptBet } from "#server/domains/log/receipts.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import type { Site } from "#server/app/site.ts";
import { cpuMs, nowMs } from "#server/bench/measure.ts";
import { HASH_BYTES } from "#shared/log/strict.ts";
import { readingTiles, tilesOf, WIDTH } from "#shared/log/tiles.ts";
import { inclusionOf, proofOf, subtreesOf } from "#shared/log/tree.ts";
import { nodeHash } from "#shared/merkle.ts";
import type { Play } from "./play.ts";

/** From a closing to its told head. */
export interface Closed {
  tookMs: number;
  cpuMs: number;
  /** The longest delay of the main event loop. */
  blockMs: number;
}

export interface Proved {
  firstMs: number;
  /** Of a bet in another group. */
  otherMs: number;
}

/** Bets between two looks of the log: about what comes in a second. */
const A_SECOND = 10_000;
const BATCH = 256;
const BATCHES = 200;
const LEAVES = 100_000_000;
const PROOFS = 200;

/** Plays what the public log does. */
export class LogPlay {
  readonly #site: Site;
  readonly #play: Play;

  constructor(site: Site, play: Play) {
    this.#site = site;
    this.#play = play;
  }

  /** The members bet, and the log looks as often as it does under such a load. */
  async betAndGrow(members: number, each: number): Promise<void> {
    await this.#play.bet(members, each, async (taken) => {
      if (taken % A_SECOND === 0) await this.#site.publicLog.trees.grow();
    });
  }

  /** Closes the round. */
  async closeTold(): Promise<Closed> {
    globalThis.gc?.();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [begunMs, begunCpuMs] = [nowMs(), cpuMs()];
    await this.#play.close();
    const [tookMs, spentMs] = [nowMs() - begunMs, cpuMs() - begunCpuMs];
    delay.disable();
    return { tookMs, cpuMs: spentMs, blockMs: Math.max(0, delay.max / 1e6 - 1) };
  }

  /** The first two proofs of the round that was just closed. */
  async prove(): Promise<Proved> {
    const { read } = this.#site.deps.db;
    const [round] = await read
      .select()
      .from(rounds)
      .where(isNotNull(rounds.closedAt))
      .orderBy(desc(rounds.id))
      .limit(1);
    const proofs = new BetProofs(this.#site.deps.db);
    const prove = async (id: number) => {
      const [bet] = await read.select(betColumns).from(bets).where(eq(bets.id, id));
      const begunMs = nowMs();
      await proofs.prove({ memberId: bet!.memberId }, id);
      return nowMs() - begunMs;
    };
    return { firstMs: await prove(round!.fromBet), otherMs: await prove(round!.toBet!) };
  }

  /** What receipts cost in whole batches, on rows that are there. */
  async receiptCost(): Promise<{ cpuUs: number; letters: number }> {
    const { db } = this.#site.deps;
    const { receipts } = this.#site.publicLog;
    const taken: ReceiptBet[] = await db.read.select(betColumns).from(bets).orderBy(desc(bets.id)).limit(BATCH);
    taken.reverse();
    for (let i = 0; i < BATCHES; i++) await receipts.of(i, taken);
    const begunMs = cpuMs();
    let letters = 0;
    for (let i = 0; i < BATCHES; i++) letters = (await receipts.of(i, taken))[0]!.length;
    return { cpuUs: ((cpuMs() - begunMs) * 1_000) / (BATCH * BATCHES), letters };
  }

  /** Proofs from the tiles of a tree whose leaves are all the same, which needs no room. */
  inclusionCost(): { ms: number; bytes: number; tiles: number } {
    const levels: Buffer[] = [randomBytes(HASH_BYTES)];
    while (levels.length < 32) levels.push(Buffer.from(nodeHash(levels.at(-1)!, levels.at(-1)!, sha256)));
    const full = levels.map((hash) => Buffer.concat(Array.from({ length: WIDTH }, () => hash)));
    const read = readingTiles(LEAVES, ({ level, width }) => full[level * 8]!.subarray(0, width * HASH_BYTES), sha256);
    const prove = (index: number) => proofOf(inclusionOf(index, LEAVES), read, sha256);
    const indexOf = (i: number) => Math.floor((i / PROOFS) * LEAVES);
    for (let i = 0; i < PROOFS; i++) prove(indexOf(i));
    const begunMs = cpuMs();
    for (let i = 0; i < PROOFS; i++) prove(indexOf(i));
    const ms = (cpuMs() - begunMs) / PROOFS;
    const parts = inclusionOf(0, LEAVES);
    return {
      ms,
      bytes: parts.length * HASH_BYTES,
      tiles: tilesOf(parts.flatMap(subtreesOf), LEAVES).length,
    };
  }
}
