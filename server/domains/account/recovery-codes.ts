import { createHmac } from "node:crypto";
import { and, count, eq, inArray, max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { recoveryCodes } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import type { MasterKey } from "#server/config/keys.ts";
import { numbered } from "#server/domains/keys/seal.ts";
import { inGroups, newSecret, plainSecret } from "./typed-secret.ts";

/** So many codes of 80 random bits: nobody guesses one, and nobody needs a slow hash for it. */
const CODES = 10;
const LENGTH = 16;
const GROUP = 4;

/** Replaces a member's codes by a new set, and returns it. It is stored nowhere: only hashes are. */
export async function makeRecoveryCodes(
  tx: Tx,
  { clock, keys, random }: Pick<Deps, "clock" | "keys" | "random">,
  memberId: number,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => newSecret(random, LENGTH));
  const createdAt = clock.now();
  await dropRecoveryCodes(tx, memberId);
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ memberId, codeHash: hashOf(keys.now, memberId, code), createdAt })));
  return codes.map((code) => inGroups(code, GROUP));
}

/** Takes every code of a member away. */
export async function dropRecoveryCodes(tx: Tx, memberId: number): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.memberId, memberId));
}

/** Whether a code is one of the member's. Asked for nobody (0) too, so that the answer takes as long. */
export async function isRecoveryCode(read: Tx, deps: Pick<Deps, "keys">, memberId: number, typed: string) {
  const known = await read
    .select({ memberId: recoveryCodes.memberId })
    .from(recoveryCodes)
    .where(the(deps, memberId, typed));
  return known.length > 0;
}

/** Spends a code. Of all that spend it at once, one gets true. */
export async function spendRecoveryCode(
  tx: Tx,
  deps: Pick<Deps, "keys">,
  memberId: number,
  typed: string,
): Promise<boolean> {
  const spent = await tx
    .delete(recoveryCodes)
    .where(the(deps, memberId, typed))
    .returning({ memberId: recoveryCodes.memberId });
  return spent.length > 0;
}

/** How many codes a member has left, and when their set was made; 0 without any. */
export async function readRecoveryCodes(read: Tx, memberId: number): Promise<{ left: number; madeAt: number }> {
  const [set] = await read
    .select({ left: count(), madeAt: max(recoveryCodes.createdAt) })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.memberId, memberId));
  return { left: set!.left, madeAt: set!.madeAt ?? 0 };
}

/** A code is hashed under the key of its time, and a member keeps codes for years: each key is tried. */
function the({ keys }: Pick<Deps, "keys">, memberId: number, typed: string) {
  const hashes = keys.all.map((key) => hashOf(key, memberId, plainSecret(typed)));
  return and(eq(recoveryCodes.memberId, memberId), inArray(recoveryCodes.codeHash, hashes));
}

function hashOf(key: MasterKey, memberId: number, code: string): string {
  const hash = createHmac("sha256", key.derive("recovery codes 1")).update(`${memberId} ${code}`).digest("base64url");
  return numbered(key, hash);
}
