import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Deps, NoPasskeys, RelyingParty } from "#server/app/deps.ts";
import { readPasskeys } from "#server/domains/account/read-passkeys.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { MOST_PASSKEYS, type passkeyList } from "#shared/contract/passkeys.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { toSeconds } from "#shared/time.ts";

/** The wire's id of a passkey. */
export const passkeyWireId = (id: number): string => `key_${id}`;

/** A member's passkeys, and whether they can have more at this address. */
export async function listPasskeys(
  read: Tx,
  { text }: Pick<Deps, "text">,
  { memberId, party, locale }: { memberId: number; party: RelyingParty | NoPasskeys; locale: LocaleCode },
): Promise<ReplyOf<typeof passkeyList>> {
  const own = await readPasskeys(read, memberId);
  const site = typeof party === "string" ? "" : party.id;
  const list = own.map(({ id, name, rpId, synced, createdAt, lastUsedAt }) => ({
    id: passkeyWireId(id),
    name,
    site: rpId,
    here: rpId === site ? (1 as const) : (0 as const),
    synced: synced ? (1 as const) : (0 as const),
    created: toSeconds(createdAt),
    last_used: toSeconds(lastUsedAt ?? 0),
  }));
  const isOffered = typeof party !== "string";
  const why = isOffered ? "" : text(locale, `refusal.passkey.${party}`);
  return { offered: isOffered ? "yes" : party, why, site, most: MOST_PASSKEYS, list };
}

/** The member's own passkey of this id: nobody else's is found. */
function ownKey(memberId: number, wireId: string) {
  const [, number] = /^key_([1-9]\d{0,14})$/.exec(wireId) ?? [];
  if (!number) throw new Refusal("object.unknown");
  return and(eq(passkeys.memberId, memberId), eq(passkeys.id, Number(number)));
}

export async function renamePasskey(tx: Tx, memberId: number, id: string, name: string): Promise<void> {
  const named = await tx.update(passkeys).set({ name }).where(ownKey(memberId, id)).returning({ id: passkeys.id });
  if (named.length === 0) throw new Refusal("object.unknown");
}

/** Removes a passkey: its next answer is a stranger's. */
export async function removePasskey(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  memberId: number,
  id: string,
): Promise<void> {
  const [gone] = await tx.delete(passkeys).where(ownKey(memberId, id)).returning({ name: passkeys.name });
  if (!gone) throw new Refusal("object.unknown");
  await tellSecurity(tx, deps, memberId, "passkeyRemoved", { name: gone.name });
}
