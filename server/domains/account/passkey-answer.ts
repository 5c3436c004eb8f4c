import { and, eq, lt } from "drizzle-orm";
import * as z from "zod/mini";
import type { Tx } from "#db/db.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Deps, RelyingParty } from "#server/app/deps.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { type Challenge, type Purpose, readChallenge, spendChallenge } from "./passkey-challenge.ts";
import { findPasskey, isHandleOf, type Passkey } from "./read-passkeys.ts";
import { tellSecurity } from "./security-message.ts";

const Base64url = z.string().check(z.regex(/^[\w-]{1,8000}$/));
const Answer = z.object({
  id: Base64url,
  rawId: Base64url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: Base64url,
    authenticatorData: Base64url,
    signature: Base64url,
    userHandle: z.optional(z.nullable(Base64url)),
  }),
});
export type Answer = z.output<typeof Answer>;

/** Reads WebAuthn's JSON. Anything of another form is refused as a field. */
export function readJson<T extends z.ZodMiniType>(schema: T, json: string): z.output<T> {
  try {
    return z.parse(schema, JSON.parse(json));
  } catch {
    throw invalid({ passkey: "passkey" });
  }
}

export const readAnswer = (json: string): Answer => readJson(Answer, json);

/** A signature that is right, and not yet spent. */
export interface Proven {
  passkey: Passkey;
  counter: number;
  challenge: Challenge;
}

interface Given {
  answer: Answer;
  purpose: Purpose["purpose"];
  /** 0, where the member is only about to log in. */
  sessionId: number;
  /** Whose passkey it has to be; at a log-in, whoever's it is. */
  memberId?: number;
  party: RelyingParty;
}

/** Checks an answer. Null for one that is wrong in whatever way: only the log knows which. */
export async function checkAnswer(
  deps: Pick<Deps, "db" | "keys" | "clock" | "security" | "announce">,
  { answer, purpose, sessionId, memberId, party }: Given,
): Promise<Proven | null> {
  const passkey = await findPasskey(deps.db.read, answer.id);
  if (!passkey || passkey.rpId !== party.id || (memberId ?? passkey.memberId) !== passkey.memberId) return null;
  // At a log-in nothing else says whose it is; elsewhere some authenticators leave it out.
  const handle = answer.response.userHandle ?? (memberId === undefined ? null : undefined);
  if (handle === null || (handle !== undefined && !isHandleOf(deps, passkey, handle))) return null;
  const text = challengeIn(answer.response);
  const challenge = text === null ? null : readChallenge(deps, { purpose, sessionId, rpId: party.id }, text);
  if (text === null || !challenge) return null;
  const counter = await verifySignature(answer, passkey, party, text);
  if (counter === null) return null;
  if (!isCounted(passkey, counter)) {
    await tellCopied(deps, passkey);
    return null;
  }
  return { passkey, counter, challenge };
}

/** Whether an authenticator that counts has counted on: of one that was copied, a copy comes behind. */
const isCounted = (passkey: Passkey, counter: number): boolean =>
  BigInt(counter) > passkey.counter || (counter === 0 && passkey.counter === 0n);

async function tellCopied(
  deps: Pick<Deps, "db" | "clock" | "security" | "announce">,
  { memberId, name }: Passkey,
): Promise<void> {
  deps.security.note({ refused: "passkey.copied", memberId, reason: "passkey.wrong" });
  await deps.db.transact((tx) => tellSecurity(tx, deps, memberId, "passkeyCopied", { name }));
}

const ClientData = z.object({ challenge: z.string(), crossOrigin: z.optional(z.boolean()) });

/** The challenge that is answered; null where a frame on another site's page answered it. */
export function challengeIn({ clientDataJSON }: { clientDataJSON: string }): string | null {
  try {
    const { challenge, crossOrigin } = z.parse(
      ClientData,
      JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8")),
    );
    return crossOrigin ? null : challenge;
  } catch {
    return null;
  }
}

/** The authenticator's counter, where the signature is this passkey's under this origin. */
export async function verifySignature(
  { response, ...answer }: Answer,
  { credentialId, publicKey }: Pick<Passkey, "credentialId" | "publicKey">,
  { id, origin }: RelyingParty,
  challenge: string,
): Promise<number | null> {
  // Certificates take long to load, and few members come by passkey.
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { userHandle: _userHandle, ...signed } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response: signed, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      // The count is compared in the statement that stores it.
      credential: { id: credentialId, publicKey: Buffer.from(publicKey, "base64url"), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // It throws at every field that is not as it has to be.
    return null;
  }
}

/**
 * Spends an answer, in the transaction of its effect: of two answers to one challenge, and of two with one count, one
 * wins. False for the other, and for a passkey that was removed meanwhile.
 */
export async function spendAnswer(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { passkey, counter, challenge }: Proven,
): Promise<boolean> {
  if (!(await spendChallenge(tx, challenge))) return false;
  const next = BigInt(counter);
  const isNext = counter === 0 ? eq(passkeys.counter, 0n) : lt(passkeys.counter, next);
  const used = await tx
    .update(passkeys)
    .set({ counter: next, lastUsedAt: clock.now() })
    .where(and(eq(passkeys.id, passkey.id), isNext))
    .returning({ id: passkeys.id });
  return used.length > 0;
}

/** The same, for those to whom the member is known. */
export async function spendOrRefuse(tx: Tx, deps: Pick<Deps, "clock">, proven: Proven): Promise<void> {
  if (!(await spendAnswer(tx, deps, proven))) throw new Refusal("passkey.wrong");
}

/** Checks the answer of a member who is logged in, or refuses. */
export async function needAnswer(
  deps: Parameters<typeof checkAnswer>[0],
  given: Omit<Given, "answer"> & { memberId: number; json: string },
): Promise<Proven> {
  const proven = await checkAnswer(deps, { ...given, answer: readAnswer(given.json) });
  if (!proven) throw new Refusal("passkey.wrong");
  return proven;
}
