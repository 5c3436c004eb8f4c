import type { Finding } from "#shared/log/evidence/finding.ts";
import { readHead } from "./check-head.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptLog } from "./kept.ts";
import type { Place } from "./shelf.ts";
import type { KeptUnchecked } from "./states.ts";
import type { Surroundings } from "./surroundings.ts";
import { LASTING_MS } from "./unchecked.ts";

/** What was found while the house named another log that could not be met. */
interface Doubted {
  finding: Finding;
  /** How large the log was when it was looked at again, and the other one could still not be met. */
  size?: number;
}

const placeOf = ({ member, kind, origin, subject }: Finding): Place => ["doubt", member, kind, origin, subject];

const sizeOf = ({ newest }: KeptLog): number => readHead(newest)!.checkpoint.size;

/**
 * Findings that may be about another log: the house named one, and did not let it be met. After a restore that can happen
 * for a moment, and accuses nobody. So each waits. Once another log was met, it is dropped; where the house goes on with the
 * same one, it holds.
 */
export class Doubts {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #holds: (finding: Finding) => Promise<void>;
  #mayWait = true;
  #isTold = false;

  /** `holds`: told of each finding that is one after all. */
  constructor(kept: Kept, heads: Heads, around: Surroundings, holds: (finding: Finding) => Promise<void>) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#holds = holds;
  }

  async add(finding: Finding): Promise<void> {
    this.#mayWait = true;
    const place = placeOf(finding);
    if ((await this.#kept.shelf.get(place)) === undefined)
      await this.#kept.shelf.write({ put: [[place, { finding } satisfies Doubted]] });
  }

  /** Looks again at what waits. */
  async settle(): Promise<void> {
    if (!this.#mayWait) return;
    const all = await this.#all();
    this.#mayWait = all.length > 0;
    for (const one of all) await this.#settle(one);
  }

  /** Since when one waits, if that lasts. */
  async report(): Promise<KeptUnchecked | null> {
    const [first] = (await this.#all())
      .map(({ finding }) => finding)
      .filter(({ at }) => this.#hasWaited(at))
      .toSorted((one, other) => one.at - other.at);
    return first ? { origin: first.origin, size: 0, heads: null, since: first.at, at: this.#around.now() } : null;
  }

  async #settle({ finding, size }: Doubted): Promise<void> {
    const drop = () => this.#kept.shelf.write({ drop: [placeOf(finding)] });
    const isFollowed = async () => (await this.#kept.currentLog())?.origin === finding.origin;
    if (!(await isFollowed())) return drop();
    if (finding.at > this.#around.now()) return this.#beginAnew(finding);
    if (!this.#hasWaited(finding.at)) return;
    const standing = await this.#heads.standing(finding.origin);
    if (standing === "another") return drop();
    const now = sizeOf((await this.#kept.log(finding.origin))!);
    if (standing === "still" || (size !== undefined && now > size)) {
      await this.#holds({ ...finding, at: this.#around.now() });
      return drop();
    }
    await this.#kept.shelf.write({ put: [[placeOf(finding), { finding, size: size ?? now } satisfies Doubted]] });
    if (!this.#isTold) this.#around.tell({ to: "found", kind: "unchecked", member: "" });
    this.#isTold = true;
  }

  /** This device's clock was set back since: what is of a time to come would wait for that. */
  #beginAnew = (finding: Finding): Promise<void> =>
    this.#kept.shelf.write({
      put: [[placeOf(finding), { finding: { ...finding, at: this.#around.now() } } satisfies Doubted]],
    });

  #hasWaited = (at: number): boolean => this.#around.now() - at >= LASTING_MS;

  #all = () => this.#kept.shelf.list<Doubted>(["doubt"]);
}
