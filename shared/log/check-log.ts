import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { leafHash, MerkleTree, type Hash, type Subtree } from "#shared/merkle.ts";
import type { BeaconCheck, Context } from "./check/context.ts";
import type { Facts, Finding, NoteId, ProblemId, Strength } from "./check/finding.ts";
import { Game } from "./check/game.ts";
import { HashSet } from "./check/hash-set.ts";
import { HeadTimes } from "./check/head-times.ts";
import { HouseCheck, type KeyChange } from "./check/house-check.ts";
import { PlanCheck } from "./check/plan-check.ts";
import { RoundCheck } from "./check/round-check.ts";
import { WaitingBeacons } from "./check/waiting-beacons.ts";
import { leafKey, parseEntry, type Leaf, type LeafKind, type OpenKind } from "./leaf.ts";
import { SALTED_KINDS } from "./salted.ts";

export interface Checking {
  /** The log's key, as it is served: the first, or the one that replaced it. */
  key: string;
  hash?: Hash;
  beacons?: BeaconCheck | null;
  /** Told of each subtree of the log as it is completed. */
  completed?: (subtree: Subtree, hash: Uint8Array) => void;
}

/** What a check says. `counts` has all findings, `findings` the first of each kind. */
export interface Verdict {
  size: number;
  root: Uint8Array;
  /** The keys that signed this log, as its leaves tell it; the last one signs now. */
  keys: readonly string[];
  changes: readonly KeyChange[];
  /** How many leaves of each kind there are. */
  kinds: ReadonlyMap<LeafKind, number>;
  games: readonly string[];
  odds: readonly Leaf<"odds">[];
  /** What the log says is served as the app; null where it says nothing. */
  app: Leaf<"app"> | null;
  first: number | null;
  last: number | null;
  findings: readonly Finding[];
  counts: ReadonlyMap<Finding["id"], number>;
}

/** So many findings of each kind are kept; further ones are counted. */
export const MOST_OF_A_KIND = 20;

/**
 * Checks a whole log from its leaves alone, one by one from the first: everything that a stranger can find without
 * asking the house. It keeps what later leaves are compared with, so a million leaves need fifty MiB.
 */
export class LogCheck {
  readonly #tree: MerkleTree;
  readonly #checking: Checking;
  readonly #hash: Hash;
  readonly #heads = new HeadTimes();
  readonly #met = new HashSet();
  readonly #seeds = new HashSet();
  readonly #games = new Map<string, { plan: PlanCheck; rounds: RoundCheck }>();
  readonly #house: HouseCheck;
  readonly #context: Context;
  readonly #waiting: WaitingBeacons | null;
  readonly #findings: Finding[] = [];
  readonly #counts = new Map<Finding["id"], number>();
  readonly #kinds = new Map<LeafKind, number>();
  readonly #odds: Leaf<"odds">[] = [];
  #app: Leaf<"app"> | null = null;
  #endsInTime = true;

  constructor(checking: Checking) {
    const { hash = sha256, beacons = null } = checking;
    this.#checking = checking;
    this.#hash = hash;
    this.#tree = new MerkleTree(hash);
    this.#context = {
      problem: (id: ProblemId, facts: Facts) => this.#find("problem", id, facts),
      note: (id: NoteId, facts: Facts) => this.#find("note", id, facts),
      isShownAgain: (seed) => this.#seeds.add(hexToBytes(seed)),
      heads: this.#heads,
      hash,
      beacons,
      awaitSignature: (beacon, subject) => this.#waiting?.add(beacon, subject, this.size),
    };
    const tellFalse = (facts: Facts, size: number) => this.#find("problem", "beacon-false", facts, size);
    this.#waiting = beacons && new WaitingBeacons(beacons, tellFalse);
    this.#house = new HouseCheck(this.#context, checking.key);
  }

  get size(): number {
    return this.#tree.size;
  }

  /** The root of the leaves so far. */
  root(): Uint8Array {
    return this.#tree.rootHash();
  }

  /** The next leaf, as the log's entry. */
  add(entry: Uint8Array): void {
    this.#tree.add(leafHash(entry, this.#hash), this.#checking.completed);
    const leaf = parseEntry(entry);
    this.#endsInTime = leaf?.kind === "time";
    if (!leaf) return this.#find("problem", "unreadable", { leaf: this.size - 1 });
    this.#kinds.set(leaf.kind, (this.#kinds.get(leaf.kind) ?? 0) + 1);
    if (this.#isMet(leaf)) return;
    this.#check(leaf);
  }

  /** Whether a leaf of this subject came before. The subject of a salted one is not shown: its hash stands for it. */
  #isMet(leaf: Leaf): boolean {
    const isSalted = (SALTED_KINDS as readonly string[]).includes(leaf.kind);
    const subject = isSalted ? `${leaf.kind}:${(leaf as { hash: string }).hash}` : leafKey(leaf as Leaf<OpenKind>);
    const isMet = this.#met.add(this.#hash(utf8ToBytes(subject)));
    if (isMet) this.#find("problem", "twice", { leaf: this.size - 1, subject });
    return isMet;
  }

  #check(leaf: Leaf): void {
    switch (leaf.kind) {
      case "time":
        return this.#house.time(leaf);
      case "seal":
        return this.#house.seal(leaf);
      case "key":
        return this.#house.key(leaf, this.size - 1);
      case "restore":
        return this.#house.restore(leaf, this.size - 1);
      case "odds":
        this.#odds.push(leaf);
        return this.#gameOf(leaf).plan.odds(leaf);
      case "anchor":
      case "beacon":
      case "gap":
      case "skipped":
        return this.#gameOf(leaf).plan[leaf.kind](leaf as never);
      case "pause":
      case "resume":
        return this.#gameOf(leaf).plan.pause(leaf);
      case "close":
      case "settle":
        this.#house.moved(leaf);
        return this.#gameOf(leaf).rounds[leaf.kind](leaf as never);
      case "open":
      case "draw":
      case "refund":
        return this.#gameOf(leaf).rounds[leaf.kind](leaf as never);
      case "app":
        this.#app = leaf;
        return undefined;
      default:
        // Tables, and what concerns one member: only those who know more can compare it.
        return undefined;
    }
  }

  #gameOf({ game: key }: { game: string }) {
    let found = this.#games.get(key);
    if (!found) {
      const game = new Game(key, this.#hash);
      const plan = new PlanCheck(game, this.#context);
      this.#games.set(key, (found = { plan, rounds: new RoundCheck(game, plan, this.#context) }));
    }
    return found;
  }

  #find(strength: Strength, id: Finding["id"], facts: Facts, size = this.size): void {
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    if (count <= MOST_OF_A_KIND) this.#findings.push({ strength, id, size, facts });
  }

  /** After the last leaf of a head, which this key signed; the origin is the head's. */
  end(head: { origin: string; key: string }): Verdict {
    if (!this.#endsInTime) this.#context.problem("no-time", {});
    this.#house.end(head);
    this.#waiting?.end();
    const { first, last } = this.#heads;
    for (const { plan, rounds } of this.#games.values()) {
      plan.end();
      if (last !== null) rounds.end(last);
    }
    return {
      size: this.size,
      root: this.root(),
      keys: this.#house.keys,
      changes: this.#house.changes,
      kinds: this.#kinds,
      games: [...this.#games.keys()],
      odds: this.#odds,
      app: this.#app,
      first,
      last,
      findings: this.#findings,
      counts: this.#counts,
    };
  }
}
