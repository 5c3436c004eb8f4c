import { memberSalts } from "#db/schema/log.ts";
import type { Deps } from "#server/app/deps.ts";
import { SALT_BYTES, type Salts, type SaltSource } from "./member-salt.ts";
import { readSalts } from "./read-salts.ts";

/** Members whose salts stay in memory. */
const MOST = 100_000;

/** The salts of members. One who has none yet gets it. They never change, so they are read once. */
export class MemberSalts {
  readonly #deps: Pick<Deps, "db" | "random">;
  readonly #known = new Map<number, SaltSource>();

  constructor(deps: Pick<Deps, "db" | "random">) {
    this.#deps = deps;
  }

  async of(memberIds: readonly number[]): Promise<Salts> {
    const missing = memberIds.filter((memberId) => !this.#known.has(memberId));
    if (missing.length > 0) {
      if (this.#known.size + missing.length > MOST) this.#known.clear();
      await this.#read([...new Set(memberIds)]);
    }
    return this.#known;
  }

  async #read(memberIds: number[]): Promise<void> {
    const { db, random } = this.#deps;
    let known = await readSalts(db.read, memberIds);
    const without = memberIds.filter((memberId) => !known.has(memberId));
    if (without.length > 0) {
      const made = without.map((memberId) => ({ memberId, salt: Buffer.from(random(SALT_BYTES)).toString("hex") }));
      await db.transact((tx) => tx.insert(memberSalts).values(made).onConflictDoNothing());
      known = await readSalts(db.read, memberIds);
    }
    for (const [memberId, salt] of known) this.#known.set(memberId, salt);
  }
}
