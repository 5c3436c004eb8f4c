import { hash, verify } from "@node-rs/argon2";
import { HashLanes, type Asker } from "./hash-lanes.ts";

/** OWASP's smallest recommended argon2id parameters: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Verified when there is no member, so that the reply takes the same time. It lets nobody in: it need not be secret. */
export const NOBODYS = "nobody's password";
let hashOfNobodys: Promise<string> | undefined;

/** Hashes passwords and passcodes, in lanes: one instance for the process. */
export class Passwords {
  readonly #lanes = new HashLanes();

  constructor() {
    // Once for the process, and before the first login, whose reply would take longer.
    hashOfNobodys ??= hash(NOBODYS, PARAMETERS);
  }

  hash(password: string, asker: Asker): Promise<string> {
    return this.#lanes.run(asker, () => hash(password, PARAMETERS));
  }

  /** Takes the same time whether there is a hash or not. */
  async verify(stored: string | null, password: string, asker: Asker): Promise<boolean> {
    const known = stored ?? (await hashOfNobodys!);
    const matches = await this.#lanes.run(asker, () => verify(known, password));
    return matches && stored !== null;
  }
}
