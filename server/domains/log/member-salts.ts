import { inArray } from "drizzle-orm";
import { memberSalts } from "#db/schema/log.ts";
import type { Deps } from "#server/app/deps.ts";
import { MemberSalt, SALT_BYTES, type Salts } from "./member-salt.ts";

/** Members whose salts stay in memory. */
const MOST = 100_000;

/** The salts of members. One who has none yet gets it. They never change, so they are read once. */
export class MemberSalts {
  readonly #deps: Pick<Deps, "db" | "random">;
  readonly #known = new Map<number, MemberSalt>();

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
    const read = () => db.read.select().from(memberSalts).where(inArray(memberSalts.memberId, memberIds));
    let rows = await read();
    if (rows.length < memberIds.length) {
      const has = new Set(rows.map(({ memberId }) => memberId));
      const without = memberIds.filter((memberId) => !has.has(memberId));
      const made = without.map((memberId) => ({ memberId, salt: Buffer.from(random(SALT_BYTES)).toString("hex") }));
      await db.transact((tx) => tx.insert(memberSalts).values(made).onConflictDoNothing());
      rows = await read();
    }
    for (const { memberId, salt } of rows) this.#known.set(memberId, new MemberSalt(memberId, salt));
  }
}
