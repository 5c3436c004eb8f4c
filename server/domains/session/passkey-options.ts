import type { Tx } from "#db/db.ts";
import type { Caller, Deps, RelyingParty } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { CHALLENGE_MS, newChallenge, type Purpose } from "#server/domains/account/passkey-challenge.ts";
import { type Passkey, readPasskeys, userHandle } from "#server/domains/account/read-passkeys.ts";
import { type CreationOptions, MOST_PASSKEYS, type RequestOptions } from "#shared/contract/passkeys.ts";
import { localText, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";

type Needs = Pick<Deps, "keys" | "clock" | "random">;

/** ES256, EdDSA and RS256, as IANA numbers them: every authenticator has one of them. */
export const ALGORITHMS = [-7, -8, -257];

const described = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  type: "public-key" as const,
  transports: transports.split(",").filter(Boolean),
});

const requestOf = (deps: Needs, purpose: Purpose, own: Passkey[]): RequestOptions => ({
  challenge: newChallenge(deps, purpose),
  rpId: purpose.rpId,
  timeout: CHALLENGE_MS,
  userVerification: "required",
  allowCredentials: own.map(described),
});

/** Names no passkey: whichever the visitor has may answer, and nobody learns who is a member. */
export const loginOptions = (deps: Needs, { id: rpId }: RelyingParty): RequestOptions =>
  requestOf(deps, { purpose: "login", sessionId: 0, rpId }, []);

/** Names the member's own passkeys that answer here. */
export async function proofOptions(
  read: Tx,
  deps: Needs,
  { purpose, caller, party }: { purpose: "prove" | "withdraw"; caller: Caller; party: RelyingParty },
): Promise<RequestOptions> {
  const own = await readPasskeys(read, caller.memberId, party.id);
  if (own.length === 0) throw new Refusal("passkey.missing");
  return requestOf(deps, { purpose, sessionId: caller.sessionId, rpId: party.id }, own);
}

/** For one more passkey, on an authenticator that has none of this member's yet. */
export async function addOptions(
  read: Tx,
  deps: Needs & Pick<Deps, "settings">,
  { caller, party, locale }: { caller: Caller; party: RelyingParty; locale: LocaleCode },
): Promise<CreationOptions> {
  const { username } = await readMember(read, caller.memberId);
  const known = await readPasskeys(read, caller.memberId);
  if (known.length >= MOST_PASSKEYS) throw new Refusal("passkey.many");
  return {
    challenge: newChallenge(deps, { purpose: "add", sessionId: caller.sessionId, rpId: party.id }),
    rp: { id: party.id, name: localText(deps.settings.get<LocalText>("name"), locale) },
    user: {
      id: userHandle(deps, caller.memberId, { key: deps.keys.now, own: known }),
      name: username,
      displayName: username,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_MS,
    attestation: "none",
    excludeCredentials: known.filter(({ rpId }) => rpId === party.id).map(described),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  };
}
