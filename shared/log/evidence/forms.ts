import type { FindingKind } from "./finding.ts";
import { anything, either, listOf, nothing, number, onlyFields, text, whole, withFields } from "./shape.ts";
import type { Check } from "#shared/log/fields.ts";

/*
 * What the app puts down for each kind of finding. Texts that the house signed are read further on, each in its one
 * spelling. What it answered without signing may be anything: it is a claim, and must not make the rest unreadable.
 */
const change = onlyFields({ text, head: text, path: listOf(text) });
export const keptLog = onlyFields(
  { origin: text, key: text, first: text, newest: text, since: number },
  {
    retired: listOf(onlyFields({ key: text, leaf: whole, batch: whole }, { change })),
    before: text,
    restores: listOf(anything),
  },
);

const keptClosing = withFields({
  origin: text,
  game: text,
  round: text,
  head: text,
  size: whole,
  leaf: text,
  number: whole,
  path: listOf(text),
});
const toldClosing = withFields({
  key: text,
  expect: text,
  head: text,
  close: withFields({ leaf: text, number: whole, path: listOf(text) }),
});
const keptLeaf = withFields({ head: text, leaf: text, number: whole, path: listOf(text) });
const keptReceipt = withFields(
  { origin: text, member: text, order: text, game: text, round: text, receipt: text },
  { kind: text },
);
/** What a round paid a member, and its path to the root of the settlement. */
const keptPayout = withFields({ content: text, salt: text, index: whole, path: listOf(text) });
const keptSeed = withFields({ origin: text, game: text, day: text, number: whole, seed: text });
const place = withFields({ head: text, index: whole, path: listOf(text) });
const keptOwn = withFields({
  member: text,
  origin: text,
  number: whole,
  hash: text,
  content: text,
  salt: text,
  told: either(place, nothing),
});
const keptChain = withFields({ number: whole, note: text });
const keptBalance = withFields({ version: whole, balance: number, note: text });

const heads = { ours: text, path: either(listOf(text), nothing) };
/** The log as it shows the other head, where other keys sign that one. */
const other = { shownLog: keptLog };
/** A result that was told, or a draw that was compared with a receipt. */
const result = either(
  withFields({ result: anything, closing: either(keptClosing, nothing) }, { opening: either(keptLeaf, nothing) }),
  withFields({ receipt: text }),
);

export const FORMS = {
  otherLog: withFields({ before: keptLog, now: keptLog }),
  restored: withFields({ before: keptLog, now: keptLog }),
  head: withFields({ head: anything }),
  key: withFields({ head: text, key: anything }),
  signature: withFields({ head: text }, { log: keptLog }),
  fork: either(withFields({ ...heads, shown: text }, other), withFields({ ...heads, theirs: text }, other)),
  noProof: withFields({ ours: text, shown: text }),
  closing: withFields({ told: anything }),
  otherClosing: withFields({ before: keptClosing, told: toldClosing }),
  otherAnchor: withFields({}),
  otherCommit: either(result, withFields({ before: text, now: anything })),
  seed: result,
  dice: result,
  lateHead: result,
  receipt: either(
    withFields({ shown: anything, receipt: text, log: keptLog }, { before: keptReceipt }),
    withFields({ receipt: keptReceipt, round: anything }),
  ),
  terms: withFields({ receipt: keptReceipt }, { closing: keptClosing, opening: either(keptLeaf, nothing) }),
  notCounted: withFields({ receipt: keptReceipt }, { closing: keptClosing, proof: anything }),
  payout: withFields(
    { receipt: keptReceipt, round: anything, win: text },
    {
      seed: keptSeed,
      draw: anything,
      settled: either(keptLeaf, nothing),
      paid: either(keptPayout, nothing),
      others: listOf(keptReceipt),
    },
  ),
  credit: withFields(
    { receipt: keptReceipt, round: anything, win: text, due: text, entries: anything, balances: listOf(keptBalance) },
    { seed: keptSeed, draw: anything },
  ),
  chain: withFields({ log: keptLog }, { note: text, kept: keptOwn, leaf: anything, end: anything, shown: anything }),
  chainGap: withFields({ note: text, log: keptLog }, { promised: keptChain, kept: keptChain }),
  chainLost: withFields({ lost: listOf(keptOwn), note: text, log: keptLog }),
  betLost: withFields({ receipt: keptReceipt, log: keptLog }),
  export: withFields({
    faults: listOf(text),
    receipts: listOf(keptReceipt),
    balances: listOf(keptBalance),
    hash: text,
  }),
  odds: withFields({ game: text, kind: text, odds: anything }),
  balance: either(
    withFields({ before: keptBalance, now: text, log: keptLog }),
    either(withFields({ shown: withFields({ note: text }), log: keptLog }), withFields({ ours: keptBalance })),
  ),
} satisfies Record<FindingKind, Check<unknown>>;

/** What is put down for a kind. */
export type EvidenceOf<K extends FindingKind> = (typeof FORMS)[K] extends Check<infer T> ? T : never;
