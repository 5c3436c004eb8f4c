import { bytesToHex } from "@noble/hashes/utils.js";
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import { beginPair, openPair, type Pair } from "./pairs.ts";
import type { WheelSeeds } from "./seeds.ts";

/**
 * Reveals the seed of a member's pair and begins the next pair with their words. Past spins stay checkable: the seed of a
 * pair with spins is stored in the member's messages.
 */
export async function changeSeed(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  seeds: WheelSeeds,
  memberId: number,
  clientSeed: string,
): Promise<Pair> {
  const old = await openPair(tx, deps, seeds, memberId);
  const [over] = await tx
    .update(wheelPairs)
    .set({ revealedAt: deps.clock.now() })
    .where(and(eq(wheelPairs.id, old.id), isNull(wheelPairs.revealedAt)))
    .returning({ spins: wheelPairs.nonce });
  if (!over) throw new Error(`pair ${old.id} was revealed concurrently`);
  if (over.spins > 0) {
    const seed = bytesToHex(seeds.reveal(memberId, old.number));
    const facts = { number: String(old.number + 1), pair: String(old.id), spins: String(over.spins), seed };
    await addMessage(tx, deps, memberId, "wheel.revealed", facts);
  }
  return beginPair(tx, deps, seeds, { memberId, number: old.number + 1, clientSeed });
}
