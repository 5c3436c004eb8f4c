import { createHmac } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import type { Deps } from "#server/app/deps.ts";
import { HashLanes, type Asker } from "./hash-lanes.ts";

/** OWASP's smallest recommended argon2id parameters: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Stands before a hash whose password was peppered. Another pepper is another number, and another derived key. */
const PEPPERED = "p1";

/** Verified when there is no member, so that the reply takes the same time. It lets nobody in: it need not be secret. */
export const NOBODYS = "nobody's password";
let hashOfNobodys: Promise<string> | undefined;

/**
 * Hashes passwords and passcodes, in lanes: one instance for the process. Each is peppered first, with a key derived
 * from the master key, so that a stolen database alone does not let anybody guess them.
 */
export class Passwords {
  readonly #lanes = new HashLanes();
  readonly #pepper: Buffer | null;

  /** An operator's process has no keys: what it hashes is peppered at the member's first log-in. */
  constructor(keys: Pick<Deps["keys"], "derive"> | null) {
    this.#pepper = keys && keys.derive("password pepper 1");
    // Once for the process, and before the first login, whose reply would take longer.
    hashOfNobodys ??= hash(NOBODYS, PARAMETERS);
  }

  /** How many passwords wait to be hashed, by lane. */
  get waiting(): HashLanes["lengths"] {
    return this.#lanes.lengths;
  }

  async hash(password: string, asker: Asker): Promise<string> {
    const plain = await this.#lanes.run(asker, () => hash(this.#season(password), PARAMETERS));
    return this.#pepper ? `${PEPPERED}${plain}` : plain;
  }

  /** Takes the same time whether there is a hash or not. A hash without pepper is verified without it. */
  async verify(stored: string | null, password: string, asker: Asker): Promise<boolean> {
    const known = stored ?? (await hashOfNobodys!);
    const matches = await this.#lanes.run(asker, () =>
      isPeppered(known) ? verify(known.slice(PEPPERED.length), this.#season(password)) : verify(known, password),
    );
    return matches && stored !== null;
  }

  /** The hash to store in the place of one without pepper, whose password was right; null for any other. */
  async renew(stored: string | null, password: string, asker: Asker): Promise<string | null> {
    return stored === null || isPeppered(stored) ? null : this.hash(password, asker);
  }

  #season(password: string): string {
    return this.#pepper ? createHmac("sha256", this.#pepper).update(password).digest("base64url") : password;
  }
}

const isPeppered = (stored: string): boolean => stored.startsWith(`${PEPPERED}$`);
