import { ownHash, keyChangeText, type Leaf, type LeafKind } from "#shared/log/leaf.ts";
import { checkpointText } from "#shared/log/checkpoint.ts";
import { keyText } from "#shared/log/note.ts";
import { NO_LEAF_BEFORE, type Content, type ContentKind } from "#shared/log/salted.ts";
import { base64Of, bytes, hexOf, sha256, signerOf } from "./world.ts";

export const hashFor = (word: string): string => hexOf(sha256(bytes(word)));

const odds = {
  kind: "odds",
  game: "k3-1m",
  id: "7",
  rules: "dice-sum",
  period: 60,
  close: 10,
  unit: "point",
  rates: [207_000, 69_000],
  from: 1_000,
} as const;
const table = {
  kind: "table",
  id: "3",
  unit: "point",
  prizes: [
    { id: "cap", kind: "points", amount: 500, weight: 7 },
    { id: "-none_", kind: "thanks", amount: 0, weight: 3 },
  ],
  from: 1_000,
} as const;
const [first, second] = [
  signerOf("house.example/log", undefined, "first"),
  signerOf("house.example/log", undefined, "second"),
];
const change = { old: keyText(first.key), next: keyText(second.key), batch: 12, reason: "a server was stolen", at: 9 };
const place = { game: "k3-1m", round: "20260302-0001" };
const span = { game: "k3-1m", from: "20260302-0001", to: "20260302-0004" };
const salted = (kind: string) => ({ kind, hash: hashFor(kind) });

/** One leaf of each kind. */
export const LEAF: { [K in LeafKind]: Leaf<K> } = {
  anchor: { kind: "anchor", game: "k3-1m", day: "20260302", anchor: hashFor("anchor") },
  odds: { ...odds, hash: ownHash(odds) },
  table: { ...table, hash: ownHash(table) },
  beacon: { kind: "beacon", game: "k3-1m", mode: "none", from: "20260302-0003", at: 5 },
  open: {
    kind: "open",
    ...place,
    rules: "dice-sum",
    period: 60,
    unit: "point",
    commit: hashFor("commit"),
    odds: "7",
    odds_hash: ownHash(odds),
    beacon_rule: `drand:${hashFor("chain")}:1000`,
    opens: 0,
    closes: 50_000,
    draws: 60_000,
  },
  close: { kind: "close", ...place, bets: 2, stake: 300, bets_root: hashFor("bets"), closed: 50_001 },
  draw: {
    kind: "draw",
    ...place,
    seed: hashFor("seed"),
    beacon: "",
    beacon_signature: "",
    dice: [1, 2, 3],
    due: 60_000,
    drawn: 60_002,
  },
  settle: { kind: "settle", ...place, payouts: 1, payout: 414, payouts_root: hashFor("payouts"), settled: 60_300 },
  refund: { kind: "refund", ...place, bets: 2, stake: 300, bets_root: hashFor("bets"), reason: "clock", at: 60_300 },
  gap: { kind: "gap", ...span, reason: "down", at: 9 },
  skipped: { kind: "skipped", ...span, seed: hashFor("seed"), at: 9 },
  pause: { kind: "pause", game: "k3-1m", from: "20260302-0009", reason: "new dice", at: 9 },
  resume: { kind: "resume", game: "k3-1m", from: "20260302-0019", at: 10 },
  seal: { kind: "seal", number: 4, root: hashFor("rows"), seal: hashFor("seal"), at: 9 },
  time: { kind: "time", time: 1_772_409_600_000 },
  restore: {
    kind: "restore",
    number: 1,
    reason: "the disk failed",
    old: checkpointText({ origin: "house.example/log", size: 9, root: sha256(bytes("old")), extensions: [] }),
    kept: 7,
    kept_root: hashFor("kept"),
    at: 9,
  },
  key: {
    kind: "key",
    ...change,
    old_signature: base64Of(first.sign(bytes(keyChangeText(change)))),
    next_signature: base64Of(second.sign(bytes(keyChangeText(change)))),
  },
  app: { kind: "app", version: "0.1.0", files: hashFor("files"), page: hashFor("page"), from: 9 },
  pair: salted("pair") as Leaf<"pair">,
  spin: salted("spin") as Leaf<"spin">,
  bank: salted("bank") as Leaf<"bank">,
  unbind: salted("unbind") as Leaf<"unbind">,
  credit: salted("credit") as Leaf<"credit">,
  debit: salted("debit") as Leaf<"debit">,
  limit: salted("limit") as Leaf<"limit">,
  withdrawal: salted("withdrawal") as Leaf<"withdrawal">,
  erasure: salted("erasure") as Leaf<"erasure">,
  comment: salted("comment") as Leaf<"comment">,
  plays: salted("plays") as Leaf<"plays">,
};

const chained = { member: "m1", number: 2, before: hashFor("before"), at: 9 };

/** One content of each kind. */
export const CONTENT: { [K in ContentKind]: Content<K> } = {
  pair: { kind: "pair", ...chained, pair: 0, next_commit: hashFor("next") },
  spin: {
    kind: "spin",
    ...chained,
    pair: 0,
    nonce: 1,
    words: "mine",
    words_by: "member",
    table_hash: ownHash(table),
    prize: "cap",
    prize_kind: "points",
    amount: 500,
    price: 100,
    unit: "point",
  },
  bank: {
    kind: "bank",
    ...chained,
    number: 1,
    before: NO_LEAF_BEFORE,
    bank: "vcb",
    account: "0123456789",
    holder: "Nguyễn Văn A",
  },
  unbind: { kind: "unbind", ...chained, bank: hashFor("bank") },
  credit: { kind: "credit", ...chained, code: "deposit", cause: "d-1:re_9", amount: 5_000, unit: "point" },
  debit: { kind: "debit", ...chained, code: "plan", cause: "p-1", amount: 900, unit: "point", days: 30 },
  limit: { kind: "limit", ...chained, limit: "loss-day", value: "none", from: 10 },
  withdrawal: {
    kind: "withdrawal",
    ...chained,
    id: "w1",
    state: "review",
    amount: 700,
    unit: "point",
    bank: hashFor("bank"),
  },
  erasure: { kind: "erasure", ...chained, version: 3 },
  comment: { kind: "comment", ...chained, id: "c1", listing: "l1", state: "shown", text: "schön\n", hearts: 5 },
  plays: { kind: "plays", hour: 8, previous: hashFor("before"), counts: [{ video: "v1", plays: 4 }], at: 9 },
  bet: {
    kind: "bet",
    order: "o1",
    member: hashFor("mark"),
    ...place,
    commit: hashFor("commit"),
    odds: "7",
    odds_hash: ownHash(odds),
    rule: "none",
    options: ["10", "A"],
    stake: 100,
    unit: "point",
    time: 40_000,
  },
  payout: { kind: "payout", ...place, member: hashFor("mark"), bets: 1, amount: 414, unit: "point" },
};
