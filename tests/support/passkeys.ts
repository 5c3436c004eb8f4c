import { desc, eq } from "drizzle-orm";
import { passkeys } from "#db/schema/passkeys.ts";
import { sessions } from "#db/schema/session.ts";
import { newChallenge, type Purpose } from "#server/domains/account/passkey-challenge.ts";
import { readPasskeys, userHandle } from "#server/domains/account/read-passkeys.ts";
import type { CreationOptions } from "#shared/contract/passkeys.ts";
import { Authenticator } from "./authenticator.ts";
import type { World } from "./world.ts";

const SITE = "localhost";

/** Gives a member a passkey, as if they had added it. */
export async function givePasskey({ deps }: World, memberId: number): Promise<{ key: Authenticator; id: string }> {
  const key = new Authenticator();
  const handle = userHandle(deps, memberId, { key: deps.keys.now, own: await readPasskeys(deps.db.read, memberId) });
  key.userHandle = handle;
  const made = { credentialId: key.id, publicKey: key.publicKey.toString("base64url"), counter: 0n, rpId: SITE };
  const row = {
    ...made,
    memberId,
    handle,
    transports: "internal",
    synced: false,
    name: "Phone",
    createdAt: deps.clock.now(),
  };
  const [added] = await deps.db.transact((tx) => tx.insert(passkeys).values(row).returning({ id: passkeys.id }));
  return { key, id: `key_${added!.id}` };
}

/** What a member with a new passkey may send, by path. */
export async function passkeyInput(w: World, memberId: number): Promise<Record<string, Record<string, string>>> {
  const { deps } = w;
  const { key, id } = await givePasskey(w, memberId);
  const [own] = await deps.db.read
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.memberId, memberId))
    .orderBy(desc(sessions.id))
    .limit(1);
  const challenge = (purpose: Purpose["purpose"], sessionId: number) =>
    newChallenge(deps, { purpose, sessionId, rpId: SITE });
  const asked = { challenge: challenge("add", own!.id), rp: { id: SITE }, user: { id: key.userHandle } };
  return {
    "/member/passkeyLogin": { passkey: key.answer({ challenge: challenge("login", 0), rpId: SITE }) },
    "/member/addPasskey": { passkey: new Authenticator().make(asked as CreationOptions), name: "Tablet" },
    "/member/passkeyProofOptions": { purpose: "prove" },
    "/member/renamePasskey": { id, name: "Laptop" },
    "/member/removePasskey": { id },
  };
}
