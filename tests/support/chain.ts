import { createHash, hkdfSync } from "node:crypto";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

/** All seeds of a game's day in hex, the anchor first, derived from the master key by the published rules. */
export function chainOf(master: Uint8Array, key: string, day: string, roundsPerDay: number): string[] {
  let seed: Uint8Array = Buffer.from(hkdfSync("sha256", master, "", `draw:${key}:${day}`, 32));
  const seeds: string[] = [];
  for (let i = roundsPerDay; i >= 0; i--) {
    seeds[i] = Buffer.from(seed).toString("hex");
    seed = sha256(seed);
  }
  return seeds;
}
