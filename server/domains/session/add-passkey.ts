import * as z from "zod/mini";
import type { Tx } from "#db/db.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Caller, Deps, RelyingParty } from "#server/app/deps.ts";
import { startCooling } from "#server/domains/account/cooling.ts";
import { challengeIn, readJson } from "#server/domains/account/passkey-answer.ts";
import {
  type Challenge,
  CHALLENGE_MS,
  readChallenge,
  spendChallenge,
} from "#server/domains/account/passkey-challenge.ts";
import { readPasskeys, userHandle } from "#server/domains/account/read-passkeys.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { MOST_PASSKEYS } from "#shared/contract/passkeys.ts";
import { Refusal } from "#shared/refusal.ts";
import { dayOf } from "#shared/time.ts";
import { ALGORITHMS } from "./passkey-options.ts";

const Base64url = z.string().check(z.regex(/^[\w-]{1,8000}$/));
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;

/** What a browser makes for `navigator.credentials.create()`, as WebAuthn's JSON. */
export const Made = z.object({
  id: Base64url,
  rawId: Base64url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: Base64url,
    attestationObject: Base64url,
    /** Browsers may know ways that we do not. */
    transports: z.optional(z.array(z.string()).check(z.maxLength(20))),
  }),
});

/** A genuine new passkey, not yet the member's. */
interface Genuine {
  row: Pick<typeof passkeys.$inferInsert, "credentialId" | "publicKey" | "counter" | "rpId" | "transports" | "synced">;
  challenge: Challenge;
}

/** Checks what the browser made of `addOptions`. */
export async function preparePasskey(
  deps: Pick<Deps, "keys" | "clock">,
  { json, caller, party }: { json: string; caller: Caller; party: RelyingParty },
): Promise<Genuine> {
  const made = readJson(Made, json);
  const text = challengeIn(made.response);
  const purpose = { purpose: "add", sessionId: caller.sessionId, rpId: party.id } as const;
  const challenge = text === null ? null : readChallenge(deps, purpose, text);
  const row = text !== null && challenge ? await verifyMade(made, party, text) : null;
  if (!row || !challenge) throw new Refusal("passkey.wrong");
  return { row, challenge };
}

/** The new passkey, where it was made for this challenge, origin and name; null for any other. */
export async function verifyMade(
  { response, ...credential }: z.output<typeof Made>,
  { id: rpId, origin }: RelyingParty,
  challenge: string,
): Promise<Genuine["row"] | null> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  const transports = TRANSPORTS.filter((one) => response.transports?.includes(one));
  try {
    // We ask for none, so only what needs no certificate is looked at: those name addresses to ask for what was revoked.
    const stated = decodeAttestationObject(Buffer.from(response.attestationObject, "base64url"));
    const isPlain = stated.get("fmt") === "none" || stated.get("fmt") === "packed";
    if (!isPlain || stated.get("attStmt").get("x5c") !== undefined) return null;
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: { ...credential, response: { ...response, transports }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!info) return null;
    const { id: credentialId, publicKey, counter } = info.credential;
    const key = { publicKey: Buffer.from(publicKey).toString("base64url"), counter: BigInt(counter) };
    return { credentialId, ...key, rpId, transports: transports.join(), synced: info.credentialBackedUp };
  } catch {
    // It throws at every field that is not as it has to be.
    return null;
  }
}

/** Adds it to the member's, unless they have as many as they may, and begins the cooling time. */
export async function writePasskey(
  tx: Tx,
  deps: Pick<Deps, "clock" | "keys" | "settings" | "announce">,
  memberId: number,
  { row, challenge, name }: Genuine & { name: string },
): Promise<number> {
  const own = await readPasskeys(tx, memberId);
  if (own.length >= MOST_PASSKEYS) throw new Refusal("passkey.many");
  if (!(await spendChallenge(tx, challenge))) throw new Refusal("passkey.wrong");
  // The browser was told the handle with the challenge.
  const key = deps.keys.ofDay(dayOf(challenge.expiresAt - CHALLENGE_MS));
  const handle = userHandle(deps, memberId, { key, own });
  const [added] = await tx
    .insert(passkeys)
    .values({ ...row, memberId, handle, name, createdAt: deps.clock.now() })
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  if (!added) throw new Refusal("passkey.known");
  await startCooling(tx, deps, memberId);
  await tellSecurity(tx, deps, memberId, "passkeyAdded", { name });
  return added.id;
}
