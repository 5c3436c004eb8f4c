import { createHash } from "node:crypto";

/* The rules of a public beacon, written a second time without the project's code. Only its signatures are not checked twice. */

/** A chain that signs a number every few seconds, and what it signs for each. */
export interface SecondChain {
  name: string;
  firstS: number;
  everyS: number;
  signatureOf(round: number): string;
}

/** A drawn round's beacon, as it is public, and the times that it depends on. */
export interface PublicBeacon {
  rule: string;
  beacon: string;
  signature: string;
  closes: number;
  due: number;
}

const WAIT_S = 3;
const SHORTEST_MS = 8_000;

/** Whether a round has just the beacon that its rule allows, and its rule names the first one after the close. */
export function isBeaconRight({ rule, beacon, signature, closes, due }: PublicBeacon, chain?: SecondChain): boolean {
  if (rule === "none") return beacon + signature === "";
  if (!chain || due - closes < SHORTEST_MS) return false;
  let first = 1;
  const earliestS = closes / 1_000 + WAIT_S;
  if (earliestS > chain.firstS) first += Math.ceil((earliestS - chain.firstS) / chain.everyS);
  const isNamed = rule === ["drand", chain.name, first].join(":");
  const mixed = createHash("sha256").update(Buffer.from(signature, "hex")).digest("hex");
  return isNamed && signature === chain.signatureOf(first) && beacon === mixed;
}
