import { and, eq, gt, lt } from "drizzle-orm";
import { operatorInvites, operatorPasskeys, operators } from "#db/schema/operators.ts";
import { runNoted } from "#server/admin/acts.ts";
import { Refused, type Operator } from "#server/admin/command.ts";
import { challengeIn, readAnswer, readJson, verifySignature } from "#server/domains/account/passkey-answer.ts";
import { Made, verifyMade } from "#server/domains/session/add-passkey.ts";
import { ALGORITHMS } from "#server/domains/session/passkey-options.ts";
import { hashToken } from "#server/domains/session/tokens.ts";
import type { CreationOptions, RequestOptions } from "#shared/contract/passkeys.ts";
import { CHALLENGE_MS, type Challenges } from "./sessions.ts";

/** Passkeys of the console are for this name: it is opened on the operator's own machine, or through a tunnel to it. */
export const RP_ID = "localhost";

interface Needs {
  operator: Operator;
  challenges: Challenges;
}

/** Where the browser is: the console's own origin, and the address it came from. */
export interface Place {
  origin: string;
  address: string;
}

const WRONG = "the passkey was not accepted";
const GONE = "this link was used, was replaced or has expired: ask for another one";

/** Names no passkey: whichever the operator has may answer. */
export const askPasskey = ({ challenges }: Needs, purpose: string): RequestOptions => ({
  challenge: challenges.make(purpose),
  rpId: RP_ID,
  timeout: CHALLENGE_MS,
  userVerification: "required",
  allowCredentials: [],
});

interface Proof {
  json: string;
  purpose: string;
  place: Place;
  /** Whose passkey it has to be; at a sign-in, any active operator's. */
  operatorId?: number;
}

/** Checks and spends a passkey's answer. Returns the passkey, or throws Refused. */
export async function takeProof(needs: Needs, { json, purpose, place, operatorId }: Proof) {
  const { operator, challenges } = needs;
  const answer = readAnswer(json);
  const isIts = and(eq(operatorPasskeys.credentialId, answer.id), eq(operators.state, "active"));
  const [row] = await operator.db.read
    .select({ passkey: operatorPasskeys, name: operators.name })
    .from(operatorPasskeys)
    .innerJoin(operators, eq(operators.id, operatorPasskeys.operatorId))
    .where(isIts);
  const challenge = challengeIn(answer.response);
  if (challenge === null || !challenges.spend(challenge, purpose)) throw new Refused(WRONG);
  if (!row || (operatorId ?? row.passkey.operatorId) !== row.passkey.operatorId) throw new Refused(WRONG);
  const party = { id: RP_ID, origin: place.origin };
  const counter = await verifySignature(answer, row.passkey, party, challenge);
  if (counter === null) throw new Refused(WRONG);
  // An authenticator that counts has counted on: of one that was copied, a copy comes behind.
  const next = BigInt(counter);
  const isNext = counter === 0 ? eq(operatorPasskeys.counter, 0n) : lt(operatorPasskeys.counter, next);
  const used = await operator.db.transact((tx) =>
    tx
      .update(operatorPasskeys)
      .set({ counter: next, lastUsedAt: operator.clock.now() })
      .where(and(eq(operatorPasskeys.id, row.passkey.id), isNext))
      .returning({ id: operatorPasskeys.id }),
  );
  if (used.length === 0) throw new Refused(WRONG);
  return { passkeyId: row.passkey.id, operatorId: row.passkey.operatorId, name: row.name };
}

/** Signs an operator in, and notes it. Returns the passkey's row number. */
export async function signIn(needs: Needs, json: string, place: Place): Promise<number> {
  const { passkeyId, operatorId, name } = await takeProof(needs, { json, purpose: "sign in", place });
  const caller = { id: operatorId, who: name, host: place.address };
  await runNoted(needs.operator, { name: "sign-in", input: { args: {}, options: {} }, caller }, async () => {});
  return passkeyId;
}

async function findInvited({ operator: { db, clock } }: Needs, token: string) {
  const isOpen = and(eq(operatorInvites.hash, hashToken(token)), gt(operatorInvites.expiresAt, clock.now()));
  const [person] = await db.read
    .select({ id: operators.id, name: operators.name })
    .from(operatorInvites)
    .innerJoin(operators, eq(operators.id, operatorInvites.operatorId))
    .where(isOpen);
  if (!person) throw new Refused(GONE);
  return person;
}

/** For the first passkey of an operator who holds an open link. */
export async function askNewPasskey(needs: Needs, token: string): Promise<CreationOptions> {
  const { id, name } = await findInvited(needs, token);
  return {
    challenge: needs.challenges.make(`register ${hashToken(token)}`),
    rp: { id: RP_ID, name: "Trio console" },
    user: { id: Buffer.from(`operator ${id}`).toString("base64url"), name, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_MS,
    attestation: "none",
    excludeCredentials: [],
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  };
}

/** Adds the passkey that the browser made, and uses the link up. Returns the passkey's row number. */
export async function addPasskey(
  needs: Needs,
  { token, json }: { token: string; json: string },
  { origin, address }: Place,
) {
  const { operator, challenges } = needs;
  const person = await findInvited(needs, token);
  const made = readJson(Made, json);
  const challenge = challengeIn(made.response);
  if (challenge === null || !challenges.spend(challenge, `register ${hashToken(token)}`)) throw new Refused(WRONG);
  const key = await verifyMade(made, { id: RP_ID, origin }, challenge);
  if (!key) throw new Refused(WRONG);
  const { credentialId, publicKey, counter } = key;
  const caller = { id: person.id, who: person.name, host: address };
  return runNoted(operator, { name: "register", input: { args: {}, options: {} }, caller }, (noting) =>
    noting.db.transact(async (tx) => {
      const used = await tx
        .delete(operatorInvites)
        .where(eq(operatorInvites.hash, hashToken(token)))
        .returning({ id: operatorInvites.operatorId });
      if (used.length === 0) throw new Refused(GONE);
      await tx.update(operators).set({ state: "active" }).where(eq(operators.id, person.id));
      const now = operator.clock.now();
      const row = { operatorId: person.id, credentialId, publicKey, counter, createdAt: now, lastUsedAt: now };
      const [added] = await tx.insert(operatorPasskeys).values(row).returning({ id: operatorPasskeys.id });
      return added!.id;
    }),
  );
}
