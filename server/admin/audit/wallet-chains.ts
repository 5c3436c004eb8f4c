import { hash } from "node:crypto";
import type { Findings } from "./findings.ts";

interface Chain {
  rows: number;
  sum: number;
  /** The sum of all rows' ends minus all their starts: in an unbroken chain only the last end is left. */
  loose: bigint;
}

/**
 * Checks that each wallet's rows form one chain: versions 1, 2, 3…, and each balance the previous one plus the change.
 * It needs no sorting: a row's start cancels its predecessor's end, in any order.
 */
export class WalletChains {
  readonly #chains = new Map<number, Chain>();

  add(memberId: number, version: number, delta: number, balanceAfter: number): void {
    const chain = this.#chains.get(memberId) ?? { rows: 0, sum: 0, loose: 0n };
    chain.rows++;
    chain.sum += delta;
    chain.loose += fingerprint(version, balanceAfter) - fingerprint(version - 1, balanceAfter - delta);
    this.#chains.set(memberId, chain);
  }

  /** Compares a wallet with its rows. */
  check({ memberId, balance, version }: { memberId: number; balance: number; version: number }, found: Findings): void {
    const chain = this.#chains.get(memberId) ?? { rows: 0, sum: 0, loose: 0n };
    this.#chains.delete(memberId);
    const name = `wallet of member ${memberId}`;
    found.check(chain.sum === balance, () => `${name}: its rows sum to ${chain.sum}, the balance is ${balance}`);
    found.check(chain.rows === version, () => `${name}: ${chain.rows} rows, but version ${version}`);
    const loose = fingerprint(version, balance) - fingerprint(0, 0);
    found.check(chain.loose === loose, () => `${name}: the versions or balances of its rows have a gap`);
  }

  /** Names the rows of members without a wallet, once all wallets were checked. */
  checkRest(found: Findings): void {
    for (const [memberId, { rows }] of this.#chains)
      found.check(false, () => `member ${memberId} has ${rows} rows and no wallet`);
  }
}

/** Hashes a version and a balance, so that errors do not cancel. */
const fingerprint = (version: number, balance: number): bigint =>
  BigInt(`0x${hash("sha256", `${version} ${balance}`)}`);
