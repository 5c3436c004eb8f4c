import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import type { EvidenceFile, EvidenceLog } from "./file.ts";
import type { Finding } from "./finding.ts";
import type { EvidenceOf } from "./forms.ts";
import { keysOf, type LogKeys } from "./keys.ts";
import type { Said } from "./says.ts";

/** What a file says of its logs, and what checks beacons. */
export class Known {
  readonly beacons: BeaconCheck;
  readonly #keys: ReadonlyMap<string, LogKeys>;

  constructor({ logs }: EvidenceFile, beacons: BeaconCheck) {
    this.beacons = beacons;
    this.#keys = new Map(logs.flatMap((log) => keysOf(log) ?? []).map((keys) => [keys.origin, keys]));
  }

  /** The keys of a log, if the file proves them. */
  keys(origin: string): LogKeys | undefined {
    return this.#keys.get(origin);
  }

  /** Whether a log that a finding carries is the one that it is about, and holds by itself. */
  isLogOf({ origin }: Finding, log: EvidenceLog): boolean {
    return log.origin === origin && keysOf(log) !== null;
  }
}

/** Says what a finding of one kind comes to. */
export type Judge<K extends Finding["kind"]> = (
  finding: Finding & { evidence: EvidenceOf<K> },
  keys: LogKeys,
  known: Known,
) => Said[];
