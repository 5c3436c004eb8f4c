import * as schema from "#db/schema/index.ts";
import { setPrizes, type NewPrize } from "#server/domains/wheel/set-prizes.ts";
import { problemsOf } from "../../support/audited.ts";
import { world, type Player, type World } from "../../support/world.ts";

/** A prize for tests: points in 1/100 unit, days and further spins as they are. */
export function prize(id: string, over: Partial<NewPrize> = {}): NewPrize {
  const words = { title: `Prize ${id}`, memo: `<p>You won ${id}</p>`, image: `/prizes/${id}.svg` };
  return { id, ...words, kind: "thanks", amount: 0, weight: 1, ...over };
}

export const points = (id: string, amount: number, over: Partial<NewPrize> = {}): NewPrize =>
  prize(id, { kind: "points", amount, ...over });

/** Sets the wheel. No head of the log holds its table yet. */
export const offerUntold = ({ deps }: World, ...prizes: NewPrize[]): Promise<void> =>
  deps.db.transact((tx) => setPrizes(tx, deps, prizes));

export async function offer(w: World, ...prizes: NewPrize[]): Promise<void> {
  await offerUntold(w, ...prizes);
  await w.deps.publicLog.advance();
}

/** A world with one game and these prizes on its wheel. */
export async function wheelWorld(...prizes: NewPrize[]): Promise<World> {
  const w = await world();
  await offer(w, ...prizes);
  return w;
}

interface Asked {
  price?: string;
  client_seed?: string;
  commit?: string;
  table?: string;
}

export const spin = (player: Player, key?: string, input: Asked = {}) =>
  player.call("/luckdraw", { ...input }, { method: "POST", ...(key !== undefined && { key }) });

/** The secret seed of a pair that begins under the log of today. */
export const seedOf = ({ deps }: World, { memberId }: Player, number: number): Buffer =>
  Buffer.from(deps.keys.now.derive(`wheel:${deps.publicLog.origin}:${memberId}:${number}`));

export const pairOf = async (player: Player) => (await player.call("/fair/wheel")).data;
export const begin = (player: Player, words: string, commit: string, key?: string) =>
  player.call("/fair/wheel", { client_seed: words, commit }, { method: "POST", ...(key !== undefined && { key }) });
/** Gives the words to the commit that is shown now. */
export const changeWords = async (player: Player, words: string) =>
  begin(player, words, (await pairOf(player)).next_commit);

/** The rows that spinning writes. */
export async function wheelRows({ deps }: World) {
  const { read } = deps.db;
  const { spins, wheelPairs, wheelMembers, prizes, wheelTables, transfers, wallets, journalIndex, replays } = schema;
  const tables = { spins, wheelPairs, wheelMembers, prizes, wheelTables, transfers, wallets, journalIndex, replays };
  const rows: Record<string, unknown[]> = {};
  for (const [name, table] of Object.entries(tables)) rows[name] = await read.select().from(table);
  return rows;
}

export const spinRows = ({ deps }: World) => deps.db.read.select().from(schema.spins).orderBy(schema.spins.id);
export const transferRows = ({ deps }: World) => deps.db.read.select().from(schema.transfers);

/** Closes a world in which the operator's audit must find no problem. */
export async function closeAudited(w: World): Promise<void> {
  await w.settle();
  const problems = await problemsOf(w);
  await w.close();
  if (problems.length) throw new Error(`the audit finds: ${problems.join("; ")}`);
}
