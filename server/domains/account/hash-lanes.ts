import { availableParallelism } from "node:os";
import { Refusal } from "#shared/refusal.ts";

/**
 * Whose hashes wait for one another: log-ins from known devices, all other log-ins, members with a session (passcodes,
 * new passwords), and sign-ups. Strangers fill the second and the last lane alone.
 */
const LANES = ["device", "login", "session", "signup"] as const;

/** Who asks for a hash: the lane, and the client or member whose share of it this is. */
export interface Asker {
  lane: (typeof LANES)[number];
  client: string;
}

/** The operator's own programs, where nobody else asks. */
export const OPERATOR: Asker = { lane: "session", client: "operator" };

/** A member with a session: the share is the member's own, from wherever they ask. */
export const ofSession = (memberId: number): Asker => ({ lane: "session", client: String(memberId) });

/** The most that wait in a lane, and the most of one client: a longer queue means seconds of delay. */
export const MOST_IN_LANE = 200;
export const MOST_OF_ONE = 40;
/** The most of either where clients are not limited: load tests ask from one address, and memory has its bound. */
export const MOST_IN_MEMORY = 10_000;
/** A slow machine's time for a hash, to say when a refused client may come again. */
const HASH_MS = 40;

/** Hashes take the thread pool's threads, which files need too: two of its four at most. */
const SLOTS = availableParallelism() > 2 ? 2 : 1;

interface Bounds {
  inLane: number;
  ofOne: number;
}

interface Job {
  start(): Promise<void>;
  refuse(why: Refusal): void;
}

/** A bounded queue that serves its clients in turns, so that one with many jobs delays another by one at most. */
class Lane {
  readonly #jobs = new Map<string, Job[]>();
  readonly #most: Bounds;
  #size = 0;

  constructor(most: Bounds) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a job. Returns the job that has no place: this one, or the newest of the client with the most. */
  add(client: string, job: Job): Job | null {
    const own = this.#jobs.get(client) ?? [];
    if (own.length >= this.#most.ofOne) return job;
    const dropped = this.#size < this.#most.inLane ? null : this.#dropFor(own.length);
    if (this.#size >= this.#most.inLane) return job;
    own.push(job);
    this.#jobs.set(client, own);
    this.#size++;
    return dropped;
  }

  next(): Job | undefined {
    const [first] = this.#jobs;
    if (!first) return undefined;
    const [client, jobs] = first;
    const job = jobs.shift();
    this.#size--;
    this.#jobs.delete(client);
    if (jobs.length > 0) this.#jobs.set(client, jobs);
    return job;
  }

  /** In a full lane a client makes room for one that has less. */
  #dropFor(own: number): Job | null {
    const most = [...this.#jobs.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
    if (most.length <= own + 1) return null;
    this.#size--;
    return most.pop()!;
  }
}

/** Runs hashes a few at a time, in turns between the lanes. Beyond a lane's bound it refuses, and says when to retry. */
export class HashLanes {
  readonly #lanes: Map<Asker["lane"], Lane>;
  #free: number;

  constructor({ isLimited, slots = SLOTS }: { isLimited: boolean; slots?: number }) {
    const [inLane, ofOne] = isLimited ? [MOST_IN_LANE, MOST_OF_ONE] : [MOST_IN_MEMORY, MOST_IN_MEMORY];
    this.#lanes = new Map(LANES.map((name) => [name, new Lane({ inLane, ofOne })]));
    this.#free = slots;
  }

  /** How many wait, by lane. */
  get lengths(): Record<Asker["lane"], number> {
    return Object.fromEntries(LANES.map((name) => [name, this.#lanes.get(name)!.size])) as Record<
      Asker["lane"],
      number
    >;
  }

  run<T>({ lane: name, client }: Asker, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(name)!;
    return new Promise<T>((resolve, reject) => {
      const start = () => work().then(resolve, reject);
      const dropped = lane.add(client, { start, refuse: reject });
      const retryAfterS = Math.ceil((lane.size * LANES.length * HASH_MS) / 1000);
      dropped?.refuse(new Refusal("attempts.many", { retryAfterS: Math.max(1, retryAfterS) }));
      this.#fill();
    });
  }

  #fill(): void {
    while (this.#free > 0) {
      const job = this.#next();
      if (!job) return;
      this.#free--;
      void job.start().finally(() => {
        this.#free++;
        this.#fill();
      });
    }
  }

  /** The next job of the lane whose turn it is. A lane that was served goes to the end. */
  #next(): Job | undefined {
    for (const [name, lane] of this.#lanes) {
      const job = lane.next();
      if (!job) continue;
      this.#lanes.delete(name);
      this.#lanes.set(name, lane);
      return job;
    }
    return undefined;
  }
}
