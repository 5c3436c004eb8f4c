import type { Context } from "#shared/log/check/context.ts";
import type { Facts } from "#shared/log/check/finding.ts";
import { HashSet } from "#shared/log/check/hash-set.ts";
import { HeadTimes } from "#shared/log/check/head-times.ts";
import { bytes, serverHash } from "./world.ts";

/** What the parts of a check share, and all that they say. */
export function checkContext() {
  const said: [id: string, facts: Facts][] = [];
  const tell = (id: string, facts: Facts) => void said.push([id, facts]);
  const seeds = new HashSet();
  const heads = new HeadTimes();
  const context: Context = {
    problem: tell,
    note: tell,
    isShownAgain: (seed) => seeds.add(bytes(seed)),
    heads,
    hash: serverHash,
    beacons: null,
    awaitSignature: () => {},
  };
  return { context, heads, said, ids: () => said.splice(0).map(([id]) => id) };
}
