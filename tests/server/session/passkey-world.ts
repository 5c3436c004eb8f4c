import type { RequestOptions } from "#shared/contract/passkeys.ts";
import { passkeys, spentChallenges } from "#db/schema/passkeys.ts";
import { Authenticator, type Says } from "../../support/authenticator.ts";
import type { Player, World } from "../../support/world.ts";

/** Adds the authenticator's credential to the member's passkeys. */
export async function add({ call }: Player, key: Authenticator, says: Says = {}, name = "My phone") {
  const asked = await call("/member/passkeyAddOptions");
  return call("/member/addPasskey", { passkey: key.make(asked.data, says), name });
}

/** A member's new passkey. */
export async function added(player: Player, wish: { counts?: boolean } = {}): Promise<Authenticator> {
  const key = new Authenticator(wish);
  await add(player, key);
  return key;
}

export const loginOptions = async (w: World, headers: Record<string, string> = {}): Promise<RequestOptions> =>
  (await w.call("/member/passkeyLoginOptions", undefined, { headers })).data;

export const enter = (w: World, passkey: string, headers: Record<string, string> = {}) =>
  w.call("/member/passkeyLogin", { passkey }, { headers });

export const logInWith = async (w: World, key: Authenticator, says: Says = {}) =>
  enter(w, key.answer(await loginOptions(w), says));

export const proofOptions = async ({ call }: Player, purpose: "prove" | "withdraw"): Promise<RequestOptions> =>
  (await call("/member/passkeyProofOptions", { purpose }, { method: "GET" })).data;

export const proveWith = async (player: Player, key: Authenticator, says: Says = {}) =>
  player.call("/member/prove", { passkey: key.answer(await proofOptions(player, "prove"), says) });

export const allKeys = ({ deps }: World) => deps.db.read.select().from(passkeys).orderBy(passkeys.id);
export const allSpent = ({ deps }: World) => deps.db.read.select().from(spentChallenges);

export const newsOf = async ({ call }: Player): Promise<string[]> =>
  (await call("/member/messages", undefined)).data.map(({ kind }: { kind: string }) => kind);

export const upwards = (a: number, b: number): number => a - b;
