import { readStored, writeStored } from "#client/storage/local-storage.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { luckdraw, Prize, wheelSeeds } from "#shared/contract/wheel.ts";
import { hasItsHash, tableHash } from "#shared/wheel.ts";
import { makeWords } from "./make-words.ts";

/** The house's answer about a member's pairs. */
export type Seeds = ReplyOf<typeof wheelSeeds>;

/**
 * What this device keeps of a member's pair, so that the house cannot say something else later. It outlives the session:
 * a pair may be checked after the next login.
 */
export interface KeptPair {
  number: number;
  /** The log's origin as it was shown, if it was known. A site that was restored has another, and other pairs. */
  origin?: string;
  /** As it was shown before there were words. */
  commit: string;
  /** Made or typed here. */
  words?: string;
  /** The words went to the server. From then on these are the words, whatever was answered. */
  isSent?: boolean;
  /** The hash of the wheel that was shown as the words were sent. */
  table?: string;
  /** What spins of this pair were answered here. */
  answers?: KeptAnswer[];
  /** It was spun here, which outlasts the answers. */
  isSpun?: boolean;
  /** Its seed was public here, and all agreed. */
  isChecked?: boolean;
}

/** What the wheel stopped at. `isOther`: the answer named another pair than the one that was asked for. */
interface KeptAnswer {
  nonce: number;
  id: string;
  isOther: boolean;
}

/** Older pairs are forgotten: the server shows the last one alone. */
const MOST = 20;
/** The next pair, the one in use and the one before: no other is checked, so answers of older ones are dropped. */
const MOST_WITH_ANSWERS = 3;

const LOG = "log";

/** Keeps which log the house has today, as the watcher knows it: never as an answer about pairs says. */
export const keepLog = (origin: string): void => writeStored(LOG, origin);

/** The log that was kept last; null before the first. */
export const readLog = (): string | null => readStored(LOG);

function readAll(member: string): KeptPair[] {
  try {
    // Only this app writes here.
    return JSON.parse(readStored(`pairs ${member}`) ?? "[]") as KeptPair[];
  } catch {
    return [];
  }
}

/** The pairs of today's log. Those that were kept before any log was known count in each. */
export function readKept(member: string): KeptPair[] {
  const log = readLog() ?? undefined;
  return readAll(member).filter(({ origin }) => log === undefined || origin === undefined || origin === log);
}

/** Replaces the pairs of today's log. */
function write(member: string, pairs: KeptPair[]): void {
  const log = readLog() ?? undefined;
  const others = readAll(member).filter(({ origin }) => log !== undefined && origin !== undefined && origin !== log);
  const own = pairs
    .toSorted((a, b) => b.number - a.number)
    .slice(0, MOST)
    .map(({ answers, ...pair }, i) => (answers && i < MOST_WITH_ANSWERS ? { ...pair, answers } : pair))
    .reverse();
  const kept = own.map((pair) => (log === undefined ? pair : { ...pair, origin: pair.origin ?? log }));
  writeStored(`pairs ${member}`, JSON.stringify([...others.slice(-MOST), ...kept]));
}

/** Keeps the commit that waits for words. One that is kept already never changes. */
export function keepNext({ member, next_number: number, next_commit: commit }: Seeds): void {
  const kept = readKept(member);
  const isKept = kept.some((pair) => pair.number === number);
  if (!isKept || kept.some(({ origin }) => origin === undefined))
    write(member, isKept ? kept : [...kept, { number, commit }]);
}

function change({ member, next_number: number }: Seeds, over: Partial<KeptPair>): void {
  write(
    member,
    readKept(member).map((pair) => (pair.number === number ? { ...pair, ...over } : pair)),
  );
}

/** The words for the commit that waits for them: the same ones until the server has taken them. */
export function wordsForNext(seeds: Seeds): { words: string; isSent: boolean } {
  keepNext(seeds);
  const { words, isSent = false } = readKept(seeds.member).find(({ number }) => number === seeds.next_number)!;
  if (words !== undefined) return { words, isSent };
  const made = makeWords();
  change(seeds, { words: made });
  return { words: made, isSent: false };
}

/**
 * Keeps words that are about to be sent, and the hash of the wheel that they are for, if it is known. Returns that hash:
 * once words were sent, they are for the same wheel for ever.
 */
export function keepSent(seeds: Seeds, words: string, table: string | undefined): string | undefined {
  keepNext(seeds);
  const before = readKept(seeds.member).find(({ number }) => number === seeds.next_number)!;
  const bound = before.isSent && before.table !== undefined ? before.table : table;
  change(seeds, { words, isSent: true, ...(bound !== undefined && { table: bound }) });
  return bound;
}

/**
 * Keeps what a spin was answered: the pair that it was asked of has to give it, once its seed is public. A second answer to
 * one spin is kept beside the first.
 */
export function keepAnswer(member: string, asked: string, { nonce, id, commit }: Answered): void {
  const answer = { nonce, id, isOther: commit !== asked };
  const kept = readKept(member);
  const pair = kept.find((one) => one.commit === asked);
  const isKept = pair?.answers?.some((one) => one.nonce === nonce && one.id === id && one.isOther === answer.isOther);
  if (!pair || isKept) return;
  write(
    member,
    kept.map((one) => (one === pair ? { ...one, isSpun: true, answers: [...(one.answers ?? []), answer] } : one)),
  );
}

/** Keeps that a pair was public here, and that all agreed. */
export function keepChecked(member: string, number: number): void {
  const kept = readKept(member);
  const pair = kept.find((one) => one.number === number);
  if (!pair || pair.isChecked) return;
  write(
    member,
    kept.map((one) => (one === pair ? { ...one, isChecked: true } : one)),
  );
}

type Answered = Pick<ReplyOf<typeof luckdraw>, "nonce" | "id" | "commit">;

/** A pair as a spin names it. Words, and the table that they are for, are null for the pair in use. */
interface PairOfSpin {
  commit: string;
  words: string | null;
  table: string | null;
}

/** What a spin sends: the pair in use, or words for the next if there is none for the wheel that is shown. */
export function pairForSpin(seeds: Seeds, wheel: readonly Prize[]): PairOfSpin {
  if (seeds.commit !== null && isFor(seeds, wheel)) return { commit: seeds.commit, words: null, table: null };
  const { words } = wordsForNext(seeds);
  const table = keepSent(seeds, words, tableHash(wheel))!;
  return { commit: seeds.next_commit, words, table };
}

/** Whether the pair in use is bound to the wheel that is shown. */
export const isFor = ({ table }: Seeds, wheel: readonly Prize[]): boolean => table?.hash === tableHash(wheel);

/**
 * Whether the house keeps a pair back whose seed has to be public: that of the one before the pair in use, or else of the one
 * before the next. It shows no older pair instead, and none is next again that was so before.
 */
export function isKeptBack({ member, previous, ...seeds }: Seeds): boolean {
  const isEarlier = readKept(member).some((pair) => pair.number > seeds.next_number);
  return isEarlier || (previous?.number ?? -1) !== lastOf(seeds);
}

/** The number of the pair whose seed became public last; -1 for none. */
const lastOf = ({ number, next_number }: Pick<Seeds, "number" | "next_number">): number =>
  (number === null ? next_number : next_number - 1) - 1;

/** How many pairs that were spun here were over before they could be checked here: the house shows them no more. */
export const countUnchecked = ({ member, ...seeds }: Seeds): number =>
  readKept(member).filter((pair) => pair.isSpun && !pair.isChecked && pair.number < lastOf(seeds)).length;

/** What the house shows otherwise than this device knows it; each is a text below `wheel`. */
export type Difference = "otherCommit" | "otherWords" | "otherTable";

/** Compares the house's answer with what this device kept. */
export function differencesOf(seeds: Seeds): Difference[] {
  const kept = new Map(readKept(seeds.member).map((pair) => [pair.number, pair]));
  const { next_number, next_commit, previous } = seeds;
  const found = new Set<Difference>();
  if (isUnlike(kept.get(next_number)?.commit, next_commit)) found.add("otherCommit");
  for (const pair of [seeds, previous])
    if (pair && pair.number !== null) for (const one of differencesIn(pair, kept.get(pair.number))) found.add(one);
  return ALL.filter((one) => found.has(one));
}

const ALL: readonly Difference[] = ["otherCommit", "otherWords", "otherTable"];

/** A pair that has its words. */
type Begun = Pick<Seeds, "commit" | "client_seed" | "words_by" | "table">;

/** The same for one pair. One of which a commit was kept has its words from after that, so they bound it to a table. */
export function differencesIn({ commit, client_seed, words_by, table }: Begun, kept?: KeptPair): Difference[] {
  const sent = kept?.isSent ? kept : undefined;
  const isReworded = sent !== undefined && (sent.words !== client_seed || words_by !== "member");
  const isRebound = table
    ? !hasItsHash(table) || isUnlike(sent?.table, table.hash)
    : words_by !== null || kept !== undefined;
  return [
    isUnlike(kept?.commit, commit) && ("otherCommit" as const),
    isReworded && ("otherWords" as const),
    isRebound && ("otherTable" as const),
  ].filter((one) => one !== false);
}

const isUnlike = (kept: string | undefined, shown: string | null): boolean => kept !== undefined && kept !== shown;
