import { asc, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logHeads, logLeaves } from "#db/schema/log.ts";
import type { Site } from "#server/app/site.ts";
import { keysOf, type Keys } from "#server/config/keys.ts";
import { addLeaf, shortKey } from "#server/domains/log/add-leaf.ts";
import { openLogKey, signerOf } from "#server/domains/log/log-key.ts";
import { addSaltedLeaf } from "#server/domains/log/member-leaves.ts";
import { numberLeaves } from "#server/domains/log/number-leaves.ts";
import { readKeys } from "#server/domains/log/read-keys.ts";
import { readBundle } from "#server/domains/log/read-bundle.ts";
import { noteOf } from "#server/domains/log/sign-heads.ts";
import { leafText, parseLeaf, type Leaf, type OpenKind } from "#shared/log/leaf.ts";
import { SALTED_KINDS, type SaltedKind } from "#shared/log/salted.ts";
import { WIDTH } from "#shared/log/tiles.ts";
import { ENGINE, type Place } from "../../support/databases.ts";
import { Client } from "../../support/client.ts";
import type { OwnConnection } from "../../support/own-connection.ts";
import { reseal } from "../../support/seals.ts";
import { leafByRows, openRows } from "./leaf-by-rows.ts";
import { openCopy } from "./serve-copy.ts";

const isOwn = (leaf: Leaf): leaf is Leaf<SaltedKind> => (SALTED_KINDS as readonly string[]).includes(leaf.kind);

/** What a house changes as it makes its log anew. A leaf may become another, several or none. */
export interface Relogging {
  change?: (leaf: Leaf) => Leaf | Leaf[] | null;
  /** The house takes another key, and so another name for its log; or it keeps the name. */
  newKey?: "new name" | "same name";
  /** Leaves say what they said, and not what the rows say now. */
  asSaid?: boolean;
}

/** Who owns machine, database and key: nothing guards the copy, and the house's own code makes what has to follow. */
export class Forger {
  readonly #connection: OwnConnection;
  readonly place: Place;
  readonly now: number;
  readonly engine = ENGINE;

  /** A session of mia's, which the house may use as it likes. */
  readonly token: string;

  constructor(connection: OwnConnection, place: Place, { now, token }: { now: number; token: string }) {
    this.#connection = connection;
    this.place = place;
    this.now = now;
    this.token = token;
  }

  /** Runs statements. Those that are to change rows have to change one: a cheat that forges nothing is no cheat. */
  async run(sql: string): Promise<void> {
    const changed = await this.#connection.change(sql);
    if (changed === 0 && /^\s*(insert|update|delete)/i.test(sql)) throw new Error(`changed no row: ${sql}`);
  }

  all = <T>(sql: string): Promise<T[]> => this.#connection.all<T>(sql);

  /** The one row that a query has. */
  async one<T>(sql: string): Promise<T> {
    const [row] = await this.all<T>(sql);
    if (row === undefined) throw new Error(`no row: ${sql}`);
    return row;
  }

  /** A value of a column of JSON, in the engine's words. */
  json = (text: string): string => (ENGINE === "postgres" ? `'${text}'::jsonb` : `'${text}'`);

  get keys(): Keys {
    return keysOf(Buffer.from(this.place.env.MASTER_KEY!, "hex"));
  }

  /** Each seal covers what the rows say now. */
  reseal = (): Promise<void> => reseal(this.#connection);

  /** Seals and log say what the rows say now. Nothing in the copy contradicts that; only who kept something can. */
  async rewriteAll(relogging: Relogging = {}): Promise<void> {
    await this.reseal();
    await this.relog(relogging);
  }

  /** A server runs on the copy for a moment. */
  async serve(work: (site: Site) => Promise<void>): Promise<void> {
    const site = await openCopy(this.place, this.now);
    try {
      await work(site);
    } finally {
      await site.close();
    }
  }

  /** The house does by all rules what a member may do, and states it. */
  asMia = (work: (mia: Client, site: Site) => Promise<void>): Promise<void> =>
    this.serve(async (site) => {
      const address = await site.app.listen({ host: "127.0.0.1", port: 0 });
      await work(new Client(address, this.token), site);
      await site.housekeeping.seal();
      for (let i = 0; i < 3; i++) await site.publicLog.advance();
    });

  /** The whole log once more: the same heads at the same times, over other leaves, each signed. */
  async relog({ change = (leaf) => leaf, newKey, asSaid = false }: Relogging): Promise<void> {
    await this.serve(async (site) => {
      const leaves = await leavesOf(site);
      await this.#clear(site, newKey);
      const { log } = site.publicLog.key;
      const given = asSaid ? (leaf: Leaf) => leaf : await leafByRows(site);
      for (const old of leaves) {
        const leaf = await given(old);
        for (const one of leaf ? [change(leaf)].flat() : []) await this.#write(site, log, one);
      }
      for (const row of await openRows(site)) await this.run(row);
      await this.#sign(site);
    });
  }

  async #clear(site: Site, newKey: Relogging["newKey"]): Promise<void> {
    const tables = ["log_leaves", "log_tiles", "log_bundles", "log_heads", "log_rounds"];
    const clear = async () => {
      for (const name of tables) await this.#connection.run(`delete from ${name}`);
    };
    await clear();
    if (!newKey) return;
    const { name } = site.publicLog.key.key;
    await this.run("delete from log_keys");
    await openLogKey(site.deps);
    await clear();
    if (newKey === "same name") await this.run(`update log_keys set origin = '${name}'`);
  }

  async #write({ deps }: Site, log: number, leaf: Leaf | null): Promise<void> {
    if (leaf === null) return;
    if (isOwn(leaf)) return deps.db.transact((tx) => addSaltedLeaf(tx, leaf.kind, leaf.hash));
    if (leaf.kind !== "time") {
      const isNew = await deps.db.transact((tx) => addLeaf(tx, leaf as Leaf<OpenKind>));
      if (!isNew) await deps.db.transact((tx) => addAgain(tx, log, leaf));
      return;
    }
    await deps.db.transact(async (tx) => void (await numberLeaves(tx, log, leaf.time, Infinity)), "fence");
  }

  async #sign({ deps }: Site): Promise<void> {
    const { read } = deps.db;
    const signer = signerOf(deps, (await readKeys(read)).at(-1)!);
    for (const head of await read.select().from(logHeads).where(isNull(logHeads.note)).orderBy(asc(logHeads.size)))
      await deps.db.transact(async (tx) => {
        const signed = { note: noteOf(signer, head), announcedAt: head.at };
        await tx.update(logHeads).set(signed).where(eq(logHeads.size, head.size));
      });
  }
}

/** What the log said before, once more: under a name of its own, for the table refuses it. */
async function addAgain(tx: Tx, log: number, leaf: Leaf): Promise<void> {
  const text = leafText(leaf);
  await tx.insert(logLeaves).values({ log, key: `again ${shortKey(text)}`, text });
}

/** All numbered leaves of a copy's newest log. */
async function leavesOf({ deps, publicLog }: Site): Promise<Leaf[]> {
  const read: Tx = deps.db.read;
  const { log } = publicLog.key;
  const heads = await read.select().from(logHeads).where(eq(logHeads.log, log)).orderBy(asc(logHeads.size));
  const size = heads.at(-1)?.size ?? 0;
  const leaves: Leaf[] = [];
  for (let index = 0; index * WIDTH < size; index++) {
    const entries = await readBundle(read, log, index, Math.min(WIDTH, size - index * WIDTH));
    for (const entry of entries!) leaves.push(parseLeaf(Buffer.from(entry).toString())!);
  }
  return leaves;
}
