import { namedBeacon, signedAt, type BeaconCheck, type NamedBeacon } from "#shared/lottery/beacon.ts";
import type { Timetable } from "#shared/lottery/schedule.ts";
import { mostLate, type DatedLeaf } from "#shared/log/check/dates.ts";
import { HeadTimes } from "#shared/log/check/head-times.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { toIso } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import { nameOf } from "./log-names.ts";

/**
 * Compares the dates that decide something with the heads before: when stakes went back, and when a pause, its end or
 * another beacon was announced. The rows say the same as their leaves, so whoever dates both back is found here.
 */
export class LogDates {
  readonly #heads = new HeadTimes();
  readonly #chains: BeaconCheck["chains"];
  readonly #games: ReadonlyMap<string, Timetable>;
  readonly #found: Findings;
  /** The beacons of rounds that are not drawn. */
  readonly #beacons = new Map<string, NamedBeacon | null>();

  constructor(chains: BeaconCheck["chains"], games: readonly (Timetable & { key: string })[], found: Findings) {
    this.#chains = chains;
    this.#games = new Map(games.map((game) => [game.key, game]));
    this.#found = found;
  }

  /** Takes the next numbered leaf of the log. */
  add(leaf: Leaf): void {
    switch (leaf.kind) {
      case "time":
        this.#heads.add(leaf.time);
        return;
      case "open":
        this.#beacons.set(`${leaf.game} ${leaf.round}`, namedBeacon(leaf.beacon_rule));
        return;
      case "draw":
        return this.#drawn(leaf);
      case "refund":
      case "pause":
      case "resume":
      case "beacon":
        return this.#check(leaf);
      default:
    }
  }

  /** A draw shows a beacon, and that had been signed by then. */
  #drawn(leaf: Leaf<"draw">): void {
    const named = this.#take(leaf);
    const chain = named && this.#chains.find(({ hash }) => hash === named.chain);
    if (chain) this.#heads.shown(signedAt(chain, named.round));
  }

  /** The beacon of a round that is over. */
  #take({ game, round }: Leaf<"draw" | "refund">): NamedBeacon | null | undefined {
    const place = `${game} ${round}`;
    const named = this.#beacons.get(place);
    this.#beacons.delete(place);
    return named;
  }

  #check(leaf: DatedLeaf): void {
    if (leaf.kind === "refund") this.#take(leaf);
    const within = mostLate(leaf, this.#games.get(leaf.game) ?? null);
    this.#heads.onDated(leaf.at, within, (dated, time) => {
      const is = () =>
        `the log's ${nameOf(leaf)} is dated ${toIso(leaf.at)}, and came in a head of ${toIso(time)}: it was dated back`;
      this.#found.check(dated !== "back", is);
    });
  }
}
