import type { Asker } from "#server/domains/account/hash-lanes.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import type { World } from "./world.ts";

/** Something happens once, right after a password was hashed: hashing takes long, and others do not wait for it. */
export class Meanwhile extends Passwords {
  happens: (() => Promise<unknown>) | null = null;

  override async verify(stored: string | null, password: string, asker: Asker): Promise<boolean> {
    return this.#after(await super.verify(stored, password, asker));
  }

  override async hash(password: string, asker: Asker): Promise<string> {
    return this.#after(await super.hash(password, asker));
  }

  async #after<T>(result: T): Promise<T> {
    const { happens } = this;
    this.happens = null;
    await happens?.();
    return result;
  }
}

/** Something is committed once, right before the next transaction begins: many may wait for their turn to write. */
export function beforeNextWrite({ deps: { db } }: Pick<World, "deps">, happens: () => Promise<unknown>): void {
  const { transact } = db;
  db.transact = async (...given) => {
    db.transact = transact;
    await happens();
    return transact(...given);
  };
}
