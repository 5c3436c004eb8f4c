import type { ModelMember } from "./model.ts";
import { winOf, type WireOdds } from "./recompute.ts";

export interface ModelBet {
  member: ModelMember;
  item: string;
  /** Whole units on each option. */
  units: number;
}

export interface ModelRound {
  expect: string;
  opensAt: number;
  closesAt: number;
  drawsAt: number;
  bets: ModelBet[];
}

const DAY = 86_400_000;

/** One game's rounds: at most one that is open or waits for its draw, and the number of gaps. */
export class ModelGame {
  readonly key: string;
  readonly periodMs: number;
  readonly closeMs: number;
  round: ModelRound | null = null;
  gaps = 0;
  #last: number | null = null;

  constructor(key: string, periodS: number, closeS: number) {
    this.key = key;
    this.periodMs = periodS * 1000;
    this.closeMs = closeS * 1000;
  }

  /** The name of the round that is `ahead` rounds after the current one. */
  expectAt(now: number, ahead = 0): string {
    const opensAt = (Math.floor(now / this.periodMs) + ahead) * this.periodMs;
    const number = String((opensAt % DAY) / this.periodMs + 1).padStart(4, "0");
    return `${new Date(opensAt).toISOString().slice(0, 10).replaceAll("-", "")}-${number}`;
  }

  takes(expect: string, now: number): boolean {
    return this.round?.expect === expect && now < this.round.closesAt;
  }

  /** What the server's clock does at each look. Returns the round drawn now. */
  turn(now: number): ModelRound | null {
    let drawn = null;
    if (this.round && now >= this.round.drawsAt) {
      drawn = this.round;
      this.round = null;
    }
    const number = Math.floor(now / this.periodMs);
    const opensAt = number * this.periodMs;
    const drawsAt = opensAt + this.periodMs;
    const closesAt = drawsAt - this.closeMs;
    if (this.round || now >= closesAt || number === this.#last) return drawn;
    if (this.#last !== null && number > this.#last + 1) this.gaps++;
    this.#last = number;
    this.round = { expect: this.expectAt(now), opensAt, closesAt, drawsAt, bets: [] };
    return drawn;
  }
}

/** Pays a drawn round: one credit per member for all their winning bets. Returns the number of credits. */
export function settle({ bets, opensAt }: ModelRound, dice: readonly number[], odds: WireOdds): number {
  const wins = new Map<ModelMember, number>();
  for (const { member, item, units } of bets) {
    const win = winOf(item, units, odds, dice);
    if (win) wins.set(member, (wins.get(member) ?? 0) + win);
  }
  for (const [member, win] of wins) member.win(win, opensAt);
  return wins.size;
}
