import type pg from "pg";
import { DatabaseAway } from "#db/away.ts";

/** A batch of bets that was acknowledged here. */
export interface Committed {
  id: number;
  at: number;
}

/** A row of the outbox that was read here. */
interface ReadRow {
  transaction: number;
  id: number;
}

/**
 * A promoted replica and a restored copy have a timeline of their own. `standbys`: whom a commit waits for, empty if it is
 * acknowledged without them.
 */
const WHO = `select (select system_identifier from pg_control_system())::text as system,
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  case when current_setting('synchronous_commit') in ('on', 'remote_apply')
    then current_setting('synchronous_standby_names') else '' end as standbys,
  to_regclass('meta') is not null as filled`;
const EPOCH = "select value from meta where name = 'epoch'";
const HAS = `select ($1::bigint is null or exists (select from outbox where "transaction" = $1 and id = $2))
  and ($3::bigint is null or exists (select from house_entries where id = $3 and created_at = $4)) as "hasAll"`;

/** Who answers. */
interface Answering {
  system: string;
  /** Null while it is a replica. */
  timeline: string | null;
  standbys: string;
  filled: boolean;
}

/**
 * Knows the database that this process works on. When another one answers in its place, a replica that was promoted or a
 * backup, what was acknowledged may be lost, and numbers of bets would be given out and signed a second time. So it is used
 * only if it was synchronous and has what this process knows of. Otherwise all wait until the operator says that it was
 * restored; then this process ends, because all it remembers is of the other one.
 */
export class Lineage {
  readonly #onRestored: (error: Error) => void;
  #known: Answering | null = null;
  #epoch: string | null = null;
  #read: ReadRow | null = null;
  #bets: Committed | null = null;

  constructor(onRestored: (error: Error) => void) {
    this.#onRestored = onRestored;
  }

  /** Take note of what the database has. */
  readonly noteRead = ({ transaction, id }: ReadRow): void => {
    this.#read = { transaction, id };
  };
  readonly noteBets = (batch: Committed): void => {
    this.#bets = batch;
  };

  /** Throws DatabaseAway unless this connection leads to the database that this process works on. */
  async check(client: Pick<pg.ClientBase, "query">): Promise<void> {
    const { rows } = await client.query<Answering>(WHO);
    const answering = rows[0]!;
    if (answering.timeline === null) throw new DatabaseAway("readonly");
    const epoch = answering.filled ? await epochOf(client) : null;
    if (!this.#isKnown(answering)) await this.#meet(client, epoch);
    this.#known = answering;
    this.#epoch = epoch;
  }

  #isKnown({ system, timeline }: Answering): boolean {
    return this.#known === null || (this.#known.system === system && this.#known.timeline === timeline);
  }

  /** Another one answers. */
  async #meet(client: Pick<pg.ClientBase, "query">, epoch: string | null): Promise<void> {
    if (this.#epoch !== null && epoch !== null && epoch !== this.#epoch)
      this.#onRestored(new Error("the operator said that the database was restored: this server ends"));
    else if (waitsForAll(this.#known!.standbys) && epoch !== null && (await this.#hasAll(client))) return;
    throw new DatabaseAway("lost");
  }

  async #hasAll(client: Pick<pg.ClientBase, "query">): Promise<boolean> {
    const values = [this.#read?.transaction, this.#read?.id, this.#bets?.id, this.#bets?.at];
    const { rows } = await client.query<{ hasAll: boolean }>(
      HAS,
      values.map((value) => value ?? null),
    );
    return rows[0]!.hasAll;
  }
}

/**
 * Whether a commit waits for each of the named standbys, so that whichever is promoted has it. `ANY 1 (a, b)` does not: the
 * one that was behind may be promoted. The format is that of PostgreSQL's `synchronous_standby_names`.
 */
export function waitsForAll(standbys: string): boolean {
  const [, count = "1", list = standbys] = /^\s*(?:(?:first|any)\s+)?(\d+)\s*\((.*)\)\s*$/i.exec(standbys) ?? [];
  const names = list.split(",").map((name) => name.trim());
  return !names.some((name) => name === "" || name === "*") && Number(count) >= names.length;
}

async function epochOf(client: Pick<pg.ClientBase, "query">): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>(EPOCH);
  return rows[0]?.value ?? null;
}
