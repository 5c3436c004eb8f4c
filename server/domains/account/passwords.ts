import { createHmac } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import type { Keys, MasterKey } from "#server/config/keys.ts";
import { perKey } from "#server/domains/keys/per-key.ts";
import { HashLanes, type Asker } from "./hash-lanes.ts";

/** OWASP's smallest recommended argon2id parameters: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Stands before a hash whose password was peppered, with the number of the master key that the pepper is of. */
const PEPPERED = /^p(\d+)(\$.*)$/s;

/** Verified when there is no member, so that the reply takes the same time. It lets nobody in: it need not be secret. */
export const NOBODYS = "nobody's password";
let hashOfNobodys: Promise<string> | undefined;

/**
 * Hashes passwords and passcodes, in lanes: one instance for the process. Each is peppered first, with a key derived
 * from the master key in force, so that a stolen database alone does not let anybody guess them.
 */
export class Passwords {
  readonly #lanes: HashLanes;
  readonly #keys: Pick<Keys, "now" | "of"> | null;

  /** An operator's process has no keys: what it hashes is peppered at the member's first log-in. */
  constructor(keys: Pick<Keys, "now" | "of"> | null, { isLimited = true } = {}) {
    this.#keys = keys;
    this.#lanes = new HashLanes({ isLimited });
    // Once for the process, and before the first login, whose reply would take longer.
    hashOfNobodys ??= hash(NOBODYS, PARAMETERS);
  }

  /** How many passwords wait to be hashed, by lane. */
  get waiting(): HashLanes["lengths"] {
    return this.#lanes.lengths;
  }

  async hash(password: string, asker: Asker): Promise<string> {
    if (!this.#keys) return this.#lanes.run(asker, () => hash(password, PARAMETERS));
    const key = this.#keys.now;
    return `p${key.version}${await this.#lanes.run(asker, () => hash(season(key, password), PARAMETERS))}`;
  }

  /** Takes the same time whether there is a hash or not. Each is verified with its own pepper, or without one. */
  async verify(stored: string | null, password: string, asker: Asker): Promise<boolean> {
    const known = stored ?? (await hashOfNobodys!);
    const [, version, peppered] = PEPPERED.exec(known) ?? [];
    const seasoned = version && this.#keys ? season(this.#keys.of(Number(version)), password) : password;
    const matches = await this.#lanes.run(asker, () => verify(peppered ?? known, seasoned));
    return matches && stored !== null;
  }

  /** The hash to store in the place of one without today's pepper, whose password was right; null for any other. */
  async renew(stored: string | null, password: string, asker: Asker): Promise<string | null> {
    const isCurrent = stored === null || !this.#keys || stored.startsWith(`p${this.#keys.now.version}$`);
    return isCurrent ? null : this.hash(password, asker);
  }
}

const pepperOf = perKey((key) => key.derive("password pepper 1"));

const season = (key: MasterKey, password: string): string =>
  createHmac("sha256", pepperOf(key)).update(password).digest("base64url");
