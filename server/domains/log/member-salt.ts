import { markOf } from "#shared/log/salted.ts";
import { hmac, LETTERS, sha256 } from "./sha256.ts";

export const SALT_BYTES = 32;

/** What hides a member's bets and payouts from others: a salt for each, one letter a byte. */
export interface SaltSource {
  /** How bets and payouts name the member, and what hides it, in hex. */
  readonly mark: string;
  readonly markSalt: string;
  /** Only the member's own app gets it. */
  ofBet(betId: number): string;
  ofPayout(roundId: number): string;
}

/** The names of salts: under these they outlive an erased member. */
export const betSalt = (betId: number): string => `bet ${betId}`;
export const payoutSalt = (roundId: number): string => `payout ${roundId}`;

/** The salts of a member, from 32 random bytes that only the database has. */
export class MemberSalt implements SaltSource {
  readonly #key: Uint8Array;
  readonly mark: string;
  readonly markSalt: string;

  constructor(memberId: number, salt: string) {
    this.#key = Buffer.from(salt, "hex");
    const markSalt = Buffer.from(hmac(this.#key, "mark"), LETTERS);
    this.mark = markOf(markSalt, String(memberId), sha256);
    this.markSalt = markSalt.toString("hex");
  }

  ofBet(betId: number): string {
    return hmac(this.#key, betSalt(betId));
  }

  ofPayout(roundId: number): string {
    return hmac(this.#key, payoutSalt(roundId));
  }
}

const NO_SALT = "00".repeat(SALT_BYTES);

/** The salts of an erased member, as they were written down. What the mark hides, nobody can tell any more. */
export class KeptSalts implements SaltSource {
  readonly mark: string;
  readonly markSalt = "";
  readonly #salts: ReadonlyMap<string, string>;

  /** In hex, by their names. */
  constructor(mark: string, salts: Iterable<readonly [name: string, salt: string]>) {
    this.mark = mark;
    this.#salts = new Map(salts);
  }

  ofBet(betId: number): string {
    return this.#of(betSalt(betId));
  }

  ofPayout(roundId: number): string {
    return this.#of(payoutSalt(roundId));
  }

  #of(name: string): string {
    // One that was not kept hides nothing that was stated: the leaf is another one, and the audit says so.
    return Buffer.from(this.#salts.get(name) ?? NO_SALT, "hex").toString(LETTERS);
  }
}

/** The salts of members, by their ids. */
export type Salts = ReadonlyMap<number, SaltSource>;
