import type { Past } from "#client/screens/wheel/check-past.ts";
import type { KeptPair } from "#client/screens/wheel/kept-pairs.ts";
import type { SignedSpin } from "#client/watch/messages.ts";
import { commitOfSeed, prizeOf, tableHash, type TableRow } from "#shared/wheel.ts";

const SEED = new Uint8Array(32).fill(7);
const PRIZES: TableRow[] = ["ten", "five", "none"].map((id) => ({ id, weight: 1, kind: "points", amount: "1.00" }));
export const TABLE = { id: "tbl_1", hash: tableHash(PRIZES), prizes: PRIZES };

/** A pair with a public seed and four spins, as an honest house shows it. */
export const past = (over: Partial<Past> = {}): Past => ({
  number: 0,
  seed: "07".repeat(32),
  commit: commitOfSeed(SEED),
  client_seed: "mine",
  words_by: "member",
  table: TABLE,
  spins: [0, 1, 2, 3].map((nonce) => ({ nonce, id: prizeOf(SEED, "mine", nonce, PRIZES), prizes: PRIZES })),
  ...over,
});

/** The lines that the house signed about those spins. */
export const signedOf = ({ spins }: Past): SignedSpin[] =>
  spins.map(({ nonce, id }) => ({ nonce, prize: id, words: "mine", words_by: "member", table_hash: TABLE.hash }));

/** What the device that sent the words keeps of the pair, if it was answered these spins. */
export const keptOf = ({ number, commit, client_seed, spins }: Past): KeptPair => ({
  number,
  commit,
  words: client_seed,
  isSent: true,
  table: TABLE.hash,
  answers: spins.map(({ nonce, id }) => ({ nonce, id, isOther: false })),
});

/** The same pair with a seed of the house's own choice, in which nothing but this was won. */
export const wonAlways = (id: string, { spins, ...pair }: Past): Past => ({
  ...pair,
  spins: spins.map((spin) => ({ ...spin, id, prizes: [{ id, weight: 1 }] })),
});
