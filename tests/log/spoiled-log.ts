import { keyChangeText, type Leaf, type LeafKind } from "#shared/log/leaf.ts";
import { keyText, type Signer } from "#shared/log/note.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { LogCheck, type Checking } from "#shared/log/check-log.ts";
import { sentenceOf, type Finding } from "#shared/log/check/finding.ts";
import { entryOfLeaf, honestLog, KEY, ORIGIN, START } from "./honest-log.ts";
import { hashFor } from "./leaves.ts";
import { base64Of, bytes, serverHash, signerOf } from "./world.ts";

/** A leaf, or an entry that is none. */
export type Entry = Leaf | Uint8Array;

export const GAME = "k3-1h";
export const round = "20260310-0005";
export const next = "20260310-0006";
export const place = { game: GAME, round };
export const at = (day: number, hour: number) => START + day * DAY_MS + hour * HOUR_MS;
export const drand = (number: number) => `drand:${hashFor("chain")}:${number}`;
export const rotation = (from: Signer, to: Signer, batch: number): Leaf<"key"> => {
  const change = { old: keyText(from.key), next: keyText(to.key), batch, reason: "once a year", at: START };
  const message = bytes(keyChangeText(change));
  const [old_signature, next_signature] = [base64Of(from.sign(message)), base64Of(to.sign(message))];
  return { kind: "key", ...change, old_signature, next_signature };
};
export const second = signerOf(ORIGIN, undefined, "second");
export const third = signerOf(ORIGIN, undefined, "third");

/** Twelve days of a game with one round an hour. It is away for a day and a half, and paused for ten hours. */
const HONEST = [
  ...honestLog({
    hours: 12 * 24,
    games: [{ key: GAME, kind: "dice-sum", periodS: 3_600 }],
    down: [[60.2, 98]],
    pauses: [[130.5, 140.5]],
    quietHeadMs: 9 * MINUTE_MS,
  }),
];

/** An honest log, for spoiling. */
export class Spoiled {
  readonly entries: Entry[] = [...HONEST];

  isAt<K extends LeafKind>(kind: K, place: Partial<Leaf<K>> = {}): number {
    return this.entries.findIndex(
      (leaf) =>
        "kind" in leaf &&
        leaf.kind === kind &&
        Object.entries(place).every(([name, value]) => leaf[name as keyof typeof leaf] === value),
    );
  }

  get<K extends LeafKind>(kind: K, place: Partial<Leaf<K>> = {}): Leaf<K> {
    return this.entries[this.isAt(kind, place)] as unknown as Leaf<K>;
  }

  change<K extends LeafKind>(kind: K, place: Partial<Leaf<K>>, change: Partial<Leaf<K>>): void {
    const at = this.isAt(kind, place);
    this.entries[at] = { ...(this.entries[at] as object), ...change } as unknown as Leaf;
  }

  remove<K extends LeafKind>(kind: K, place: Partial<Leaf<K>>): Leaf<K> {
    return this.entries.splice(this.isAt(kind, place), 1)[0] as unknown as Leaf<K>;
  }

  /** Before the first leaf of this kind and place. */
  before<K extends LeafKind>(kind: K, place: Partial<Leaf<K>>, ...entries: Entry[]): void {
    this.entries.splice(this.isAt(kind, place), 0, ...entries);
  }

  after<K extends LeafKind>(kind: K, place: Partial<Leaf<K>>, ...entries: Entry[]): void {
    this.entries.splice(this.isAt(kind, place) + 1, 0, ...entries);
  }

  /** Without what comes after the first head from that time on. */
  endAt(time: number): void {
    const at = this.entries.findIndex((leaf) => "kind" in leaf && leaf.kind === "time" && leaf.time >= time);
    this.entries.splice(at + 1);
  }

  /** The first place where something else stands than in the honest log. */
  firstOther(): number {
    return this.entries.findIndex((entry, i) => entry !== HONEST[i]);
  }

  /** What the check says of it. */
  verdict(checking: Partial<Checking> = {}, head = { origin: ORIGIN, key: KEY }): readonly Finding[] {
    const check = new LogCheck({ key: KEY, hash: serverHash, ...checking });
    for (const leaf of this.entries) check.add("kind" in leaf ? entryOfLeaf(leaf) : leaf);
    return check.end(head).findings;
  }
}

export const said = (findings: readonly Finding[], strength: Finding["strength"]): string[] =>
  findings.filter((one) => one.strength === strength).map(sentenceOf);
