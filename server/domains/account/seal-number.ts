import type { Deps } from "#server/app/deps.ts";
import { seal, unseal, type Sealing } from "#server/domains/keys/seal.ts";

/** A number sealed for one member cannot be opened for another. */
const sealing = (memberId: number): Sealing => ({ purpose: "bank", owner: `member:${memberId}` });

/** Encrypts an account number for one member. */
export const sealNumber = ({ keys, random }: Pick<Deps, "keys" | "random">, memberId: number, number: string): string =>
  seal(keys.now, random, sealing(memberId), Buffer.from(number));

/** Decrypts what `sealNumber` wrote. Throws if it was changed or belongs to another member. */
export const openNumber = ({ keys }: Pick<Deps, "keys">, memberId: number, sealed: string): string =>
  unseal(keys, sealing(memberId), sealed).toString("utf8");
