import { markOf } from "#shared/log/salted.ts";
import { hmac, LETTERS, sha256 } from "./sha256.ts";

export const SALT_BYTES = 32;

/**
 * What hides a member's bets and payouts from others: a salt for each, from 32 random bytes that only the database has. A
 * salt is one letter a byte.
 */
export class MemberSalt {
  readonly #key: Uint8Array;
  /** How bets and payouts name the member, and what hides it, in hex. */
  readonly mark: string;
  readonly markSalt: string;

  constructor(memberId: number, salt: string) {
    this.#key = Buffer.from(salt, "hex");
    const markSalt = Buffer.from(hmac(this.#key, "mark"), LETTERS);
    this.mark = markOf(markSalt, String(memberId), sha256);
    this.markSalt = markSalt.toString("hex");
  }

  /** Only the member's own app gets it. */
  ofBet(betId: number): string {
    return hmac(this.#key, `bet ${betId}`);
  }

  ofPayout(roundId: number): string {
    return hmac(this.#key, `payout ${roundId}`);
  }
}

/** The salts of members, by their ids. */
export type Salts = ReadonlyMap<number, MemberSalt>;
