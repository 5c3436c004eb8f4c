import type { Beacons, Deps } from "#server/app/deps.ts";
import {
  namedBeacon,
  ruleOf,
  signedAt,
  type BeaconCheck,
  type DrandChain,
  type NamedBeacon,
} from "#shared/lottery/beacon.ts";
import { askRelay, type RelayAnswer } from "./beacon-relays.ts";

/** Signatures in the cache. */
const MOST_KNOWN = 1_000;
/** How many beacons are fetched at once for draws: after days away, relays are not asked for thousands together. */
const MOST_FOR_DRAWS = 16;
/** The same for those who only ask. Draws do not wait for them. */
const MOST_FOR_GUESTS = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** How often the clock is compared with the newest beacon; sooner while it is wrong. */
const LOOK_MS = 20_000;
/** A beacon says the time to within its period. A few looks at other parts of it, at first, say it to within a second. */
const FIRST_LOOKS = 3;
const LOOK_SOON_MS = 2_000;
/** A clock that is behind would take bets after their beacon is public. Beacons come 3 s after the close. */
const MOST_BEHIND_MS = 1_000;
/** A relay may be late with its newest beacon; a clock that is ahead only makes draws wait. */
const MOST_AHEAD_MS = 10_000;

interface Awaited {
  isRunning: boolean;
  failures: number;
  /** When relays are asked again, in elapsed time. */
  dueAt: number;
}

/** A moment of true time by a genuine beacon, with the elapsed time when it arrived. The time may be later, not earlier. */
interface Sighting {
  signedAt: number;
  elapsed: number;
  periodMs: number;
}

/**
 * Fetches beacons from relays, and lets only genuine ones through. What is false, late or of another round is refused, and
 * the next relay asked. Without any, whoever waits goes on waiting.
 */
export class RelayedBeacons implements Beacons {
  readonly chains: readonly DrandChain[];
  readonly isSigned: BeaconCheck["isSigned"];
  readonly #relays: readonly string[];
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #log: Deps["log"];
  readonly #bus: Deps["bus"];
  readonly #known = new Map<string, string>();
  readonly #awaited = new Map<string, Awaited>();
  readonly #running = { draws: 0, guests: 0 };
  /** The relay that is asked first: the last one that answered. */
  #first = 0;
  #isAway = false;
  #sighting: Sighting | null = null;
  #looking: { isRunning: boolean; endedAt: number | null; times: number } = {
    isRunning: false,
    endedAt: null,
    times: 0,
  };
  #wasWrong = false;

  constructor({ clock, log, bus }: Pick<Deps, "clock" | "log" | "bus">, check: BeaconCheck, relays: readonly string[]) {
    this.chains = check.chains;
    this.isSigned = (named, signature) => check.isSigned(named, signature);
    this.#relays = relays;
    this.#now = () => clock.now();
    this.#elapsed = () => (clock.elapsed ?? clock.now)();
    this.#log = log;
    this.#bus = bus;
  }

  find(named: NamedBeacon): string | null {
    return this.#find(named, "draws");
  }

  findForGuests(named: NamedBeacon): string | null {
    return this.#find(named, "guests");
  }

  #find(named: NamedBeacon, who: "draws" | "guests"): string | null {
    const name = `${named.chain}:${named.round}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const chain = this.chains.find(({ hash }) => hash === named.chain);
    if (!chain || signedAt(chain, named.round) > this.#now()) return null;
    const awaited = this.#awaited.get(name) ?? { isRunning: false, failures: 0, dueAt: Number.NEGATIVE_INFINITY };
    if (awaited.isRunning || awaited.dueAt > this.#elapsed()) return null;
    if (this.#running[who] >= (who === "draws" ? MOST_FOR_DRAWS : MOST_FOR_GUESTS)) return null;
    this.#running[who]++;
    void this.#fetch(chain, named, name, awaited).finally(() => {
      this.#running[who]--;
    });
    return null;
  }

  async #fetch(chain: DrandChain, named: NamedBeacon, name: string, awaited: Awaited): Promise<void> {
    this.#awaited.set(name, { ...awaited, isRunning: true });
    for (const at of this.#inOrder()) {
      const answer = await this.#ask(chain, named.round, at);
      if (!answer) continue;
      this.#awaited.delete(name);
      if (this.#known.size >= MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
      this.#known.set(name, answer.signature);
      this.#bus.emit("beacon.came", { rule: ruleOf(named), signature: answer.signature });
      return;
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** awaited.failures, LONGEST_PAUSE_MS);
    const failures = awaited.failures + 1;
    if (this.#awaited.size > MOST_KNOWN) this.#awaited.clear();
    this.#awaited.set(name, { isRunning: false, failures, dueAt: this.#elapsed() + pauseMs });
    if (!this.#isAway) this.#log.error({ beacon: name }, "no relay has a beacon that a draw waits for");
    this.#isAway = true;
  }

  /** Each relay once, from the one that answered last. Which one that is may change meanwhile. */
  #inOrder(): number[] {
    const first = this.#first;
    return this.#relays.map((_, i) => (first + i) % this.#relays.length);
  }

  /** A genuine answer of one relay; null without one. */
  async #ask(chain: DrandChain, wanted: number | "latest", at: number): Promise<RelayAnswer | null> {
    const relay = this.#relays[at]!;
    try {
      const answer = await askRelay(relay, chain, wanted);
      const { round, signature } = answer;
      if (!this.isSigned({ chain: chain.hash, round }, signature)) {
        this.#log.error({ relay, round }, "a relay gave a beacon with a false signature");
        return null;
      }
      this.#see(chain, round);
      this.#first = at;
      if (this.#isAway) this.#log.warn({ relay }, "beacons arrive again");
      this.#isAway = false;
      return answer;
    } catch (error) {
      this.#log.debug({ relay, wanted, reason: (error as Error).message }, "a relay gave no beacon");
      return null;
    }
  }

  /** Remembers the beacon that says most about the time. */
  #see(chain: DrandChain, round: number): void {
    const seen = {
      signedAt: signedAt(chain, round),
      elapsed: this.#elapsed(),
      periodMs: chain.periodS * 1_000,
    };
    const before = this.#sighting;
    if (!before || seen.signedAt - seen.elapsed > before.signedAt - before.elapsed) this.#sighting = seen;
  }

  get clockOffByMs(): number {
    if (!this.#sighting) return 0;
    const { signedAt: signed, elapsed, periodMs } = this.#sighting;
    const least = signed + this.#elapsed() - elapsed;
    const now = this.#now();
    if (now < least - MOST_BEHIND_MS) return now - least;
    return now > least + periodMs + MOST_AHEAD_MS ? now - least - periodMs : 0;
  }

  get isClockConfirmed(): boolean {
    return this.#sighting !== null && this.clockOffByMs === 0;
  }

  get hasLooked(): boolean {
    return this.#looking.endedAt !== null;
  }

  look(chain: DrandChain): void {
    this.#report();
    const { isRunning, endedAt, times } = this.#looking;
    const pauseMs = this.clockOffByMs === 0 && times >= FIRST_LOOKS ? LOOK_MS : LOOK_SOON_MS;
    if (isRunning || (endedAt !== null && endedAt + pauseMs > this.#elapsed())) return;
    this.#looking.isRunning = true;
    void this.#look(chain).finally(() => {
      this.#looking = { isRunning: false, endedAt: this.#elapsed(), times: times + 1 };
    });
  }

  /** A relay may be behind, so all are asked before the clock counts as being ahead. */
  async #look(chain: DrandChain): Promise<void> {
    for (const at of this.#inOrder()) {
      const answer = await this.#ask(chain, "latest", at);
      if (answer && this.clockOffByMs <= 0) return;
    }
  }

  #report(): void {
    const offByMs = this.clockOffByMs;
    const isWrong = offByMs !== 0;
    if (isWrong && !this.#wasWrong)
      this.#log.error({ offByMs }, "the clock disagrees with the newest beacon: no round is opened");
    if (!isWrong && this.#wasWrong) this.#log.warn("the clock agrees with the newest beacon again");
    this.#wasWrong = isWrong;
  }
}

/** What a round waits for: a signature under the rule, the empty text where there is none to wait for, null until it is here. */
export function signatureFor(beacons: Pick<Beacons, "find" | "chains">, rule: string): string | null {
  const named = namedBeacon(rule);
  // A rule that names no known chain is false, and the draw says so.
  return named && beacons.chains.some(({ hash }) => hash === named.chain) ? beacons.find(named) : "";
}
