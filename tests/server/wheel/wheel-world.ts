import * as schema from "#db/schema/index.ts";
import { audit } from "#server/admin/audit/audit.ts";
import type { Operator } from "#server/admin/command.ts";
import { setPrizes, type NewPrize } from "#server/domains/wheel/set-prizes.ts";
import { world, type Player, type World } from "../../support/world.ts";

/** A prize for tests: points in 1/100 unit, days and further spins as they are. */
export function prize(id: string, over: Partial<NewPrize> = {}): NewPrize {
  const words = { title: `Prize ${id}`, memo: `<p>You won ${id}</p>`, image: `/prizes/${id}.svg` };
  return { id, ...words, kind: "thanks", amount: 0, weight: 1, ...over };
}

export const points = (id: string, amount: number, over: Partial<NewPrize> = {}): NewPrize =>
  prize(id, { kind: "points", amount, ...over });

export const offer = ({ deps }: World, ...prizes: NewPrize[]): Promise<void> =>
  deps.db.transact((tx) => setPrizes(tx, deps, prizes));

/** A world with one game and these prizes on its wheel. */
export async function wheelWorld(...prizes: NewPrize[]): Promise<World> {
  const w = await world();
  await offer(w, ...prizes);
  return w;
}

export const spin = (player: Player, key?: string, told: { price?: string } = {}) =>
  player.call("/luckdraw", told, { method: "POST", ...(key !== undefined && { key }) });

export const pairOf = async (player: Player) => (await player.call("/fair/wheel")).data;
export const changeSeed = (player: Player, words: string) =>
  player.call("/fair/wheel", { client_seed: words }, { method: "POST" });

/** The rows that spinning writes. */
export async function wheelRows({ deps }: World) {
  const { read } = deps.db;
  const { spins, wheelPairs, wheelMembers, prizes, wheelTables, transfers, wallets, journalIndex, replays } = schema;
  const tables = { spins, wheelPairs, wheelMembers, prizes, wheelTables, transfers, wallets, journalIndex, replays };
  const rows: Record<string, unknown[]> = {};
  for (const [name, table] of Object.entries(tables)) rows[name] = await read.select().from(table);
  return rows;
}

export const spinRows = ({ deps }: World) => deps.db.read.select().from(schema.spins);
export const transferRows = ({ deps }: World) => deps.db.read.select().from(schema.transfers);

/** Closes a world in which the operator's audit must find no problem. */
export async function closeAudited(w: World): Promise<void> {
  const { json } = await audit.run(w.deps as unknown as Operator, { args: {}, options: {} });
  await w.close();
  const { problems } = json as { problems: string[] };
  if (problems.length) throw new Error(`the audit finds: ${problems.join("; ")}`);
}
