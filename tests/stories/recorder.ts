import { dayText } from "#shared/time.ts";
import { openConnection, type OwnConnection } from "../support/own-connection.ts";
import type { Secrets } from "../support/secrets.ts";

/** The game of a text, where the request names it and the answer does not. */
export interface Text {
  by: string;
  text: string;
  key?: string;
}

const FIELDS_OF_A_RESULT = ["opencode", "dice", "sum", "seed", "win"];

/** By game and day, the highest round number whose seed is public. */
interface State {
  seedsTo: Map<string, number>;
  drawnTo: Map<string, number>;
}

interface Reached {
  key: string;
  day: number;
  seeds: number;
  drawn: number;
}

// A game's seeds are public up to the last drawn round's, which is the open round's commitment.
const REACHED = `select g.key, r.day, max(case when r.drawn_at is null then r.number - 1 else r.number end) as seeds,
  max(case when r.drawn_at is null then 0 else r.number end) as drawn
  from rounds r join games g on g.id = r.game_id group by g.key, r.day`;

/**
 * Records everything that a server sends and judges it at once against the database at that moment: no text may show
 * of a round what depends on a seed that is still secret.
 */
export class Recorder {
  /** Seeds that were rightly public. */
  readonly revealed = new Set<string>();
  readonly #faults: string[] = [];
  readonly #secrets: Secrets;
  readonly #connection: OwnConnection;
  /** The queue of judgements, one after the other. */
  #judging: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(connection: OwnConnection, secrets: Secrets) {
    this.#connection = connection;
    this.#secrets = secrets;
  }

  static async open(database: string, secrets: Secrets): Promise<Recorder> {
    return new Recorder(await openConnection(database), secrets);
  }

  hear({ by, text, key }: Text): void {
    const secrets = this.#secrets.findIn(text);
    const answered = [...results(text, key)].flat();
    if (this.#isClosed || secrets.length + answered.length === 0) return;
    this.#judging = this.#judging.then(async () =>
      this.#judge({ by, secrets, results: answered }, await this.#state()),
    );
  }

  /** The faults, once everything recorded is judged. */
  async judged(): Promise<string[]> {
    await this.#judging;
    return this.#faults;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#judging;
    await this.#connection.close();
  }

  #judge({ by, secrets, results: answered }: Observation, { seedsTo, drawnTo }: State): void {
    for (const { name, round } of secrets) {
      const isPublic = round && round.number <= (seedsTo.get(`${round.key} ${round.day}`) ?? 0);
      if (isPublic) this.revealed.add(name);
      else this.#faults.push(`${by} tells the ${name}`);
    }
    for (const value of answered) {
      const isDrawn = Number(value.expect.slice(9)) <= (drawnTo.get(`${value.key} ${value.expect.slice(0, 8)}`) ?? 0);
      if (!isDrawn) this.#faults.push(`${by} tells ${value.field} of ${value.key} ${value.expect}`);
    }
  }

  async #state(): Promise<State> {
    const seedsTo = new Map<string, number>();
    const drawnTo = new Map<string, number>();
    for (const { key, day, seeds, drawn } of await this.#connection.all<Reached>(REACHED)) {
      seedsTo.set(`${key} ${dayText(day)}`, seeds);
      drawnTo.set(`${key} ${dayText(day)}`, drawn);
    }
    return { seedsTo, drawnTo };
  }
}

interface Observation {
  by: string;
  secrets: ReturnType<Secrets["findIn"]>;
  results: RevealedResult[];
}

interface RevealedResult {
  key: string;
  expect: string;
  field: string;
}

/** Every result field in a JSON text, with the round it belongs to. */
function* results(text: string, key = "?"): Generator<[RevealedResult]> {
  const json = jsonOf(text);
  if (json !== undefined) yield* walk(json, { key, expect: "none" });
}

function* walk(value: unknown, around: { key: string; expect: string }): Generator<[RevealedResult]> {
  if (typeof value === "string") yield* dataOf(value, around);
  if (typeof value !== "object" || value === null) return;
  const fields = value as Record<string, unknown>;
  const of = Array.isArray(value)
    ? around
    : { key: gameOf(fields) ?? around.key, expect: roundOf(fields) ?? around.expect };
  for (const field of FIELDS_OF_A_RESULT) {
    const isSchema = typeof fields[field] === "object" && !Array.isArray(fields[field]);
    if (fields[field] !== undefined && fields[field] !== null && !isSchema) yield [{ ...of, field }];
  }
  for (const inner of Object.values(fields)) yield* walk(inner, of);
}

/** An answer's data, which is JSON in base64. */
function* dataOf(text: string, around: { key: string; expect: string }): Generator<[RevealedResult]> {
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(text)) return;
  const json = jsonOf(Buffer.from(text, "base64").toString());
  if (json !== undefined) yield* walk(json, around);
}

function jsonOf(text: string): unknown {
  try {
    // A socket's packet has its kind and its number before the JSON.
    return JSON.parse(text.replace(/^\d+(?=[[{])/, ""));
  } catch {
    return undefined;
  }
}

function gameOf({ key, name }: Record<string, unknown>): string | undefined {
  // The story's games are named after their keys.
  return [key, name].find((value): value is string => typeof value === "string" && value.startsWith("k3-"));
}

function roundOf({ expect, now_expect, data }: Record<string, unknown>): string | undefined {
  const first = Array.isArray(data) ? (data[0] as { expect?: unknown } | undefined)?.expect : undefined;
  return [expect, now_expect, first].find((value): value is string => /^\d{8}-\d{4}$/.test(String(value)));
}
