import * as z from "zod/mini";
import { Username } from "#shared/contract/values.ts";
import { SECOND_MS } from "#shared/time.ts";

/** The longest validity of a ticket, and how far the signer's clock may be ahead. */
export const TICKET_S = 60;
const AHEAD_S = 1;

const ALGORITHM = "HS256";
/** Three parts and nothing around them: the client sends the ticket back in a header unchanged. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const Claims = z.object({
  sub: z.string(),
  jti: z.string().check(z.minLength(1)),
  iat: z.number(),
  exp: z.number(),
  aud: z.optional(z.unknown()),
});

/** A valid ticket: who logs in, its id, and when it expires. */
export interface Ticket {
  username: string;
  jti: string;
  expiresAt: number;
}

interface Shown {
  secret: string;
  /** This site, by the origin of its address. */
  audience: string;
  username: string;
  now: number;
}

const keyOf = (secret: string) => new TextEncoder().encode(secret);

/** Loaded with the first ticket: most sites have no partner. */
const jose = () => import("jose");

/** Signs a ticket as the partner does, good for 60 seconds from now. */
export async function signTicket({ secret, audience, username, now, jti }: Shown & { jti: string }): Promise<string> {
  const { SignJWT } = await jose();
  const iat = Math.floor(now / SECOND_MS);
  return new SignJWT({ sub: username, aud: audience, jti, iat, exp: iat + TICKET_S })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .sign(keyOf(secret));
}

/** Reads a ticket (JWT, HS256). Null for an invalid ticket, and while no secret is set. */
export async function readTicket(
  sso: string,
  { secret, audience, needsAudience, username, now }: Shown & { needsAudience: boolean },
): Promise<Ticket | null> {
  const name = Username.safeParse(username);
  if (secret === "" || !name.success || !COMPACT.test(sso)) return null;
  const claims = Claims.safeParse(await verify(sso, secret, now));
  if (!claims.success) return null;
  const { sub, jti, iat, exp, aud } = claims.data;
  // One that says whom it is for is for us, or the partner made it for another site.
  if (aud === undefined ? needsAudience : ![aud].flat().includes(audience)) return null;
  const expiresAt = Math.ceil(exp * SECOND_MS);
  const isTimely = exp - iat <= TICKET_S && iat * SECOND_MS <= now + AHEAD_S * SECOND_MS && expiresAt > now;
  return isTimely && sub.toLowerCase() === name.data ? { username: name.data, jti, expiresAt } : null;
}

/** The signed payload; null for everything else, unknown critical headers included. */
async function verify(sso: string, secret: string, now: number): Promise<unknown> {
  const options = { algorithms: [ALGORITHM], currentDate: new Date(now), clockTolerance: 0 };
  const { errors, jwtVerify } = await jose();
  try {
    const { payload, protectedHeader } = await jwtVerify(sso, keyOf(secret), options);
    const { typ } = protectedHeader;
    return typ === undefined || typ.toUpperCase() === "JWT" ? payload : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
