import { rootDigest } from "./digest-tree.ts";
import { LETTERS } from "./sha256.ts";

/** Bets of one group: a power of two, so that the tree over the groups' roots is the tree over the bets. */
export const GROUP = 256;

/** A group of bets, as it is stored (db/schema/log.ts). */
export interface BetGroup {
  first: number;
  steps: number[];
  staked: number;
  root: string | null;
  leaves: string | null;
}

/** The numbers of a group's bets. */
export function idsOf({ first, steps }: Pick<BetGroup, "first" | "steps">): number[] {
  let id = first;
  return [first, ...steps.map((step) => (id += step))];
}

const toHex = (digest: string): string => Buffer.from(digest, LETTERS).toString("hex");
const HEX_LETTERS = 64;

/** A group while bets are added to it. */
class OpenGroup {
  readonly #first: number;
  readonly #steps: number[];
  readonly #leaves: string[];
  #staked: number;
  #last: number;

  constructor({ first, steps, staked, leaves }: Omit<BetGroup, "root">) {
    this.#first = first;
    this.#steps = [...steps];
    this.#staked = staked;
    this.#last = idsOf({ first, steps }).at(-1)!;
    const each = new RegExp(`.{${HEX_LETTERS}}`, "g");
    this.#leaves = (leaves!.match(each) ?? []).map((hex) => Buffer.from(hex, "hex").toString(LETTERS));
  }

  get isFull(): boolean {
    return this.#leaves.length === GROUP;
  }

  add(id: number, leaf: string, total: number): void {
    this.#steps.push(id - this.#last);
    this.#last = id;
    this.#leaves.push(leaf);
    this.#staked += total;
  }

  get #own() {
    return { first: this.#first, steps: this.#steps, staked: this.#staked };
  }

  get open(): BetGroup {
    return { ...this.#own, root: null, leaves: this.#leaves.map(toHex).join("") };
  }

  get whole(): BetGroup {
    return { ...this.#own, root: toHex(rootDigest(this.#leaves)), leaves: null };
  }
}

/** Adds bets to a round's groups, in the order of their numbers. */
export class GrowingGroups {
  readonly #full: BetGroup[] = [];
  #open: OpenGroup | null;

  /** Goes on from the group that may still grow, if there is one. */
  constructor(open: BetGroup | null) {
    this.#open = open && new OpenGroup(open);
  }

  add(id: number, leaf: string, total: number): void {
    if (this.#open) this.#open.add(id, leaf, total);
    else this.#open = new OpenGroup({ first: id, steps: [], staked: total, leaves: toHex(leaf) });
    if (!this.#open.isFull) return;
    this.#full.push(this.#open.whole);
    this.#open = null;
  }

  /** The groups that were filled since, and the one that may still grow. */
  get groups(): BetGroup[] {
    return this.#open ? [...this.#full, this.#open.open] : this.#full;
  }
}

/** The last group of a round, once no bet can come any more. */
export const finished = (group: BetGroup): BetGroup => (group.root === null ? new OpenGroup(group).whole : group);
