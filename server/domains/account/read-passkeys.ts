import { createHmac } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import type { MasterKey } from "#server/config/keys.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Deps, NoPasskeys, RelyingParty } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";

export type Passkey = typeof passkeys.$inferSelect;

/** A member's passkeys, the newest first; with `rpId`, those that answer there. */
export function readPasskeys(read: Tx, memberId: number, rpId?: string): Promise<Passkey[]> {
  const isThere = rpId === undefined ? undefined : eq(passkeys.rpId, rpId);
  return read
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.memberId, memberId), isThere))
    .orderBy(desc(passkeys.id));
}

/** Whose passkey this is, by the authenticator's id of it; undefined for an unknown one. */
export async function findPasskey(read: Tx, credentialId: string): Promise<Passkey | undefined> {
  const [known] = await read.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return known;
}

/** Takes every passkey of a member away. Returns their names. */
export async function dropPasskeys(tx: Tx, memberId: number): Promise<string[]> {
  const gone = await tx.delete(passkeys).where(eq(passkeys.memberId, memberId)).returning({ name: passkeys.name });
  return gone.map(({ name }) => name);
}

/** The relying party at this `Host`. Refuses where there is none. */
export function needRelyingParty({ passkeysAt }: Pick<Deps, "passkeysAt">, host: string | undefined): RelyingParty {
  const party: RelyingParty | NoPasskeys = passkeysAt(host);
  if (typeof party === "string") throw new Refusal(`passkey.${party}`);
  return party;
}

/** The master key under which a member's first passkey gets its handle. */
interface Handling {
  key: MasterKey;
  own: readonly Passkey[];
}

/**
 * What authenticators know a member by. It says nothing about them, and is the same for each of their passkeys: those that
 * are there already say it, whichever master key it came from.
 */
export const userHandle = (deps: Pick<Deps, "keys">, memberId: number, { key, own }: Handling): string =>
  own.length > 0 ? handleOf(deps, own[0]!) : derivedHandle(key, memberId);

/** A passkey's handle. Where nobody has written it down yet, it is of the first master key. */
export const handleOf = ({ keys }: Pick<Deps, "keys">, { handle, memberId }: Pick<Passkey, "handle" | "memberId">) =>
  handle ?? derivedHandle(keys.of(1), memberId);

/** Whether an authenticator knows the passkey's member by this handle. */
export const isHandleOf = (deps: Pick<Deps, "keys">, passkey: Passkey, handle: string): boolean =>
  handle === passkey.handle || deps.keys.all.some((key) => handle === derivedHandle(key, passkey.memberId));

const derivedHandle = (key: MasterKey, memberId: number): string =>
  createHmac("sha256", key.derive("passkey member")).update(String(memberId)).digest("base64url");
