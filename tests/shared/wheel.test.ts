import { createHash, createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { DEMO_PRIZES } from "#db/demo/prizes.ts";
import {
  checkPair,
  commitOfSeed,
  numbersOf,
  prizeAt,
  prizeFromNumbers,
  prizeOf,
  rejectionLimit,
  rowsOf,
  tableHash,
  weightOf,
  type Chance,
  type RevealedPair,
  type TableRow,
} from "#shared/wheel.ts";
import { CHI_SQUARE_99, chiSquare } from "../support/statistics.ts";

const TWO_TO_64 = 2n ** 64n;
const seed = Buffer.from("00112233445566778899aabbccddeeff".repeat(2), "hex");
const chances: Chance[] = [
  { id: "a", weight: 1 },
  { id: "b", weight: 2 },
  { id: "c", weight: 4 },
];

/** Twelve spins with the words "trio", as Python's hmac and hashlib compute them. */
const WRITTEN = "cccbcccbbcaa";

/** The contract's rule, written again with Node's own HMAC. */
function recompute(key: Buffer, message: string, list: Chance[]): string {
  const weight = BigInt(list.reduce((sum, one) => sum + one.weight, 0));
  const limit = TWO_TO_64 - 1n - ((TWO_TO_64 - 1n) % weight);
  for (let again = 0; ; again++) {
    const text = again === 0 ? message : `${message}:${again}`;
    const r = createHmac("sha256", key).update(text).digest().readBigUInt64BE(0);
    if (r >= limit) continue;
    const at = Number(r % weight);
    let running = 0;
    for (const { id, weight } of list) if ((running += weight) > at) return id;
  }
}

describe("the numbers of a spin", () => {
  it("are the first eight bytes of HMAC-SHA256, then of the same with :1, :2… appended", () => {
    const numbers = numbersOf(seed, "river-moon", 7);
    for (const message of ["river-moon:7", "river-moon:7:1", "river-moon:7:2", "river-moon:7:3"]) {
      const bytes = createHmac("sha256", seed).update(message).digest();
      expect(numbers.next().value).toBe(BigInt(`0x${bytes.subarray(0, 8).toString("hex")}`));
    }
  });
});

describe("the weight of a table", () => {
  it("is the sum of its prizes' weights", () => {
    expect([weightOf(chances), weightOf([])]).toEqual([7, 0]);
  });
});

describe("the prize of a spin", () => {
  it("is the contract's, recomputed, for a thousand spins", () => {
    for (let nonce = 0; nonce < 1_000; nonce++)
      expect(prizeOf(seed, "words", nonce, chances)).toBe(recompute(seed, `words:${nonce}`, chances));
  });

  it("is the one written down here", () => {
    const drawn = Array.from({ length: 12 }, (_, nonce) => prizeOf(seed, "trio", nonce, chances));
    expect(drawn.join("")).toBe(WRITTEN);
  });

  it("depends on the seed, the words and the count, each by itself", () => {
    const draw = (key: Buffer, words: string, from: number) =>
      Array.from({ length: 64 }, (_, i) => prizeOf(key, words, from + i, chances)).join("");
    const other = createHash("sha256").update(seed).digest();
    const seen = [draw(seed, "a", 0), draw(other, "a", 0), draw(seed, "b", 0), draw(seed, "a", 64)];
    expect(new Set(seen)).toHaveProperty("size", 4);
  });

  it("is the first whose running weight exceeds the remainder", () => {
    const at = (rest: bigint) => prizeAt(700n + rest, chances);
    expect([0n, 1n, 2n, 3n, 4n, 5n, 6n].map(at).join("")).toBe("abbcccc");
  });
});

describe("the limit of rejection sampling", () => {
  it.each([2, 3, 7, 1_000, 999_983, 100_000_000, 2 ** 20])("is the largest multiple of %i below 2^64", (weight) => {
    const limit = rejectionLimit(weight);
    expect(limit % BigInt(weight)).toBe(0n);
    expect(limit < TWO_TO_64 && limit + BigInt(weight) >= TWO_TO_64).toBe(true);
  });

  it("is exact: the number below it gives a prize, the limit itself is drawn again", () => {
    const limit = rejectionLimit(weightOf(chances));
    expect(prizeAt(limit - 1n, chances)).toBe("c");
    expect(prizeAt(limit, chances)).toBeNull();
    expect(prizeAt(TWO_TO_64 - 1n, chances)).toBeNull();
    expect(prizeFromNumbers([limit, TWO_TO_64 - 1n, 1n, 0n], chances)).toBe("b");
    expect(prizeFromNumbers([limit], chances)).toBeNull();
  });
});

describe("two hundred thousand spins of the demo's wheel", () => {
  const SPINS = 200_000;
  let counts: Map<string, number>;
  beforeAll(() => {
    counts = new Map(DEMO_PRIZES.map(({ id }) => [id, 0]));
    for (let i = 0; i < SPINS; i++) {
      const id = prizeOf(seed, "statistics", i, DEMO_PRIZES);
      counts.set(id, counts.get(id)! + 1);
    }
  });

  it("are distributed by the weights, at the 99 % level", () => {
    const found = DEMO_PRIZES.map(({ id }) => counts.get(id)!);
    const weights = DEMO_PRIZES.map(({ weight }) => weight);
    expect(chiSquare(found, weights)).toBeLessThan(CHI_SQUARE_99[7]);
    const bent = weights.map((weight, i) => (i === 0 ? weight * 1.05 : weight));
    expect(chiSquare(found, bent)).toBeGreaterThan(CHI_SQUARE_99[7]);
  });
});

describe("the hash of a table", () => {
  const row: TableRow = { id: "ten", weight: 600, kind: "points", amount: "10.00" };
  const thanks: TableRow = { id: "thanks", weight: 400, kind: "thanks", amount: "0" };

  it("is the SHA-256 of its prizes in order, as they stand on the wire", () => {
    const text = '[["ten",600,"points","10.00"],["thanks",400,"thanks","0"]]';
    expect(tableHash([row, thanks])).toBe(createHash("sha256").update(text).digest("hex"));
    const stored = [
      { id: "ten", weight: 600, kind: "points", amount: 1_000 },
      { id: "thanks", weight: 400, kind: "thanks", amount: 0 },
    ] as const;
    expect(rowsOf(stored)).toEqual([row, thanks]);
    expect(rowsOf([{ ...stored[0], kind: "days", amount: 3 }])[0]!.amount).toBe("3");
  });

  it("changes with each id, weight, kind, amount and with the order, and with nothing else", () => {
    const others = [{ id: "tan" }, { weight: 601 }, { kind: "days" as const }, { amount: "10.01" }].map((over) => [
      { ...row, ...over },
      thanks,
    ]);
    const hashes = [[row, thanks], [thanks, row], [row], ...others].map(tableHash);
    expect(new Set(hashes)).toHaveProperty("size", hashes.length);
    expect(tableHash([{ ...row, title: "Ten" } as typeof row, thanks])).toBe(hashes[0]);
  });
});

describe("checking a public seed pair", () => {
  const prizes = chances;
  const pair = (over: Partial<RevealedPair> = {}): RevealedPair => ({
    seed: seed.toString("hex"),
    commit: createHash("sha256").update(seed).digest("hex"),
    clientSeed: "words",
    wordsBy: null,
    table: null,
    spins: Array.from({ length: 5 }, (_, nonce) => ({
      nonce,
      id: recompute(seed, `words:${nonce}`, prizes),
      prizes,
    })),
    ...over,
  });

  it("finds that everything agrees", () => {
    expect(checkPair(pair())).toEqual({ commit: true, complete: true, table: true, wrong: [] });
    expect(commitOfSeed(seed)).toBe(pair().commit);
  });

  it("finds an uncommitted seed, and an invalid one", () => {
    expect(checkPair(pair({ commit: "0".repeat(64) })).commit).toBe(false);
    expect(checkPair(pair({ seed: "not hex" }))).toEqual({
      commit: false,
      complete: true,
      table: true,
      wrong: [0, 1, 2, 3, 4],
    });
  });

  it("finds another spin's prize, changed chances, and missing ones", () => {
    const { spins } = pair();
    const other = spins[2]!.id === "a" ? "b" : "a";
    const changed = (change: object) => spins.map((spin) => (spin.nonce === 2 ? { ...spin, ...change } : spin));
    expect(checkPair(pair({ spins: changed({ id: other }) })).wrong).toEqual([2]);
    expect(checkPair(pair({ spins: changed({ prizes: [{ id: "z", weight: 1 }] }) })).wrong).toEqual([2]);
    expect(checkPair(pair({ spins: changed({ prizes: [] }) })).wrong).toEqual([2]);
  });

  it("finds a table that is not the one with this hash, and a spin that was drawn from another", () => {
    const rows = prizes.map((one) => ({ ...one, kind: "points" as const, amount: "5.00" }));
    const table = { hash: tableHash(rows), prizes: rows };
    expect(checkPair(pair({ wordsBy: "member", table })).table).toBe(true);
    expect(checkPair(pair({ table: { ...table, prizes: rows.slice(1) } })).table).toBe(false);
    const other = [{ ...rows[0]!, weight: 2 }, ...rows.slice(1)];
    expect(checkPair(pair({ table: { hash: tableHash(other), prizes: other } })).table).toBe(false);
    expect(checkPair(pair({ table: { hash: tableHash(rows.slice(1)), prizes: rows.slice(1) } })).table).toBe(false);
  });

  it.each(["member", "house"] as const)("finds that nothing bound the words of a pair, chosen by the %s", (wordsBy) => {
    expect(checkPair(pair({ wordsBy })).table).toBe(false);
  });

  it.each([
    ["beyond what a number holds", [{ id: "a", weight: 1e20 }]],
    [
      "beyond that together",
      [
        { id: "a", weight: Number.MAX_SAFE_INTEGER },
        { id: "b", weight: 1 },
      ],
    ],
    [
      "below nothing",
      [
        { id: "a", weight: -1 },
        { id: "b", weight: 2 },
      ],
    ],
    ["of nothing", [{ id: "a", weight: 0 }]],
    ["that are no whole numbers", [{ id: "a", weight: 1.5 }]],
    ["that are no numbers", [{ id: "a", weight: "1" as unknown as number }]],
  ])("draws nothing from weights %s", (_, list) => {
    const spins = [{ nonce: 0, id: "a", prizes: list }];
    expect(checkPair(pair({ spins })).wrong).toEqual([0]);
  });

  it("finds a missing spin", () => {
    expect(checkPair(pair({ spins: pair().spins.slice(1) })).complete).toBe(false);
  });
});
