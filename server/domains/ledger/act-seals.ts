import { createHmac, hash } from "node:crypto";
import { merkleLeaf } from "#shared/merkle.ts";
import { SEALED, sha256 } from "./seal-leaves.ts";

/** What an erasure empties of an act. */
export interface ActWords {
  words: string;
  reason: string | null;
  why: string | null;
}

/** The hash under the seal of what an erasure empties. Without the salt nobody can try names against it. */
export const contentOf = ({ words, reason, why }: ActWords, salt: string): string =>
  hash("sha256", JSON.stringify([salt, words, reason, why]));

/** An act's salt, from 32 random bytes that are kept nowhere. */
export const saltOf = (random: string, id: number): string =>
  createHmac("sha256", Buffer.from(random, "hex")).update(String(id)).digest("hex");

/** The commands whose first word is a member's username. */
export const OF_MEMBERS: ReadonlySet<string> = new Set([
  "member:activate",
  "member:add",
  "member:credit",
  "member:end-sessions",
  "member:erase",
  "member:export",
  "member:kick",
  "member:lock",
  "member:remove-passkeys",
  "member:rename",
  "member:reset-passcode",
  "member:reset-password",
  "member:show",
  "member:unbind-bank",
  "member:unlock",
  "message:answer",
  "message:close",
  "message:show",
  "recharge:credit",
  "sso:link",
]);

/** The username that an act names; null if its command is about no member. */
export const namedBy = (command: string, words: string): string | null =>
  OF_MEMBERS.has(command) ? words.split(" ")[0]!.toLowerCase() : null;

/** An act's leaf in a seal's tree, from its columns as a driver returns them. */
export const actLeaf = (values: readonly unknown[]): Uint8Array => merkleLeaf(SEALED.act.leafOfValues(values), sha256);
