import { createHmac, timingSafeEqual } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { sessions } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import type { MasterKey } from "#server/config/keys.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import type { Member } from "#server/domains/account/find-member.ts";
import { DAY_MS, dayOf } from "#shared/time.ts";

/** How long a device counts as known after a log-in. */
const LIFE_MS = 180 * DAY_MS;
/** Of a member's sessions, so many of the newest tell which clients are familiar. */
const NEWEST = 50;
const SIGNED = /^(\d{1,15})\.([\w-]{16})\.([\w-]{43})$/;

type Owner = Pick<Member, "id" | "passwordHash">;

/**
 * A token that a device keeps after log-out: with it, others' wrong passwords do not make its member wait there. It is
 * no session and opens nothing. It is signed over the password's hash, so that a new password ends it everywhere. Empty
 * for members without a password.
 */
export function newDeviceToken({ keys, clock, random }: Pick<Deps, "keys" | "clock" | "random">, owner: Owner): string {
  if (owner.passwordHash === null) return "";
  const [now, device] = [clock.now(), Buffer.from(random(12)).toString("base64url")];
  return `${now}.${device}.${sign(keys.ofDay(dayOf(now)), owner, `${now}.${device}`)}`;
}

/** The name of the device in a token that is good for this member; null for any other. */
export function readDeviceToken(
  { keys, clock }: Pick<Deps, "keys" | "clock">,
  owner: Owner | undefined,
  token: string | undefined,
): string | null {
  const [, at, device, signature] = SIGNED.exec(token ?? "") ?? [];
  if (!owner?.passwordHash || !device) return null;
  const key = keys.at(Number(at));
  if (!key) return null;
  const expected = Buffer.from(sign(key, owner, `${at}.${device}`));
  const isGenuine = timingSafeEqual(Buffer.from(signature!), expected);
  return isGenuine && clock.now() < Number(at) + LIFE_MS ? device : null;
}

const sign = (key: MasterKey, { id, passwordHash }: Owner, text: string) =>
  createHmac("sha256", key.derive("device")).update(`${id} ${passwordHash} ${text}`).digest("base64url");

/** Whether the member logged in from this client before. */
export async function isFamiliar(read: Tx, memberId: number, ip: string): Promise<boolean> {
  const recent = await read
    .select({ ip: sessions.ip })
    .from(sessions)
    .where(eq(sessions.memberId, memberId))
    .orderBy(desc(sessions.id))
    .limit(NEWEST);
  return recent.some((session) => clientKey(session.ip) === clientKey(ip));
}
