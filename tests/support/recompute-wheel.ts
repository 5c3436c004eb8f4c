import { createHash, createHmac } from "node:crypto";

/** The public rules of the wheel, written a second time without the project's code. */

/** A revealed pair as /fair/wheel shows it. */
export interface PublicPair {
  seed: string;
  commit: string;
  words: string;
  tableHash: string;
  table: readonly (readonly [id: string, weight: number, kind: string, amount: string])[];
  /** What the spins won, in order from 0. */
  won: readonly string[];
}

function wonBy(seed: Buffer, words: string, nonce: number, table: PublicPair["table"]): string {
  const weights = table.map(([, weight]) => BigInt(weight));
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  const tooLarge = 2n ** 64n - ((2n ** 64n - 1n) % all) - 1n;
  for (let again = 0; ; again++) {
    const hmac = createHmac("sha256", seed).update(`${words}:${nonce}`);
    const number = (again > 0 ? hmac.update(`:${again}`) : hmac).digest().readBigUInt64BE();
    if (number >= tooLarge) continue;
    let place = 0;
    for (let rest = number % all; rest >= weights[place]!; place++) rest -= weights[place]!;
    return table[place]![0];
  }
}

/** What is wrong with a pair: its commit, its table, or some spins by their numbers. */
export function faultsOfPair({ seed, commit, words, tableHash, table, won }: PublicPair): (string | number)[] {
  const bytes = Buffer.from(seed, "hex");
  const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
  return [
    ...(sha256(bytes) === commit ? [] : ["commit"]),
    ...(sha256(JSON.stringify(table)) === tableHash ? [] : ["table"]),
    ...won.flatMap((prize, nonce) => (wonBy(bytes, words, nonce, table) === prize ? [] : [nonce])),
  ];
}
