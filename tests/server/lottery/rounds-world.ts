import { asc, eq } from "drizzle-orm";
import { gaps, outbox, rounds } from "#db/schema/index.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { world, type World } from "../../support/world.ts";

export const KEY = "k3-1m";

/** A world with one game of one-minute rounds, whose first round is open where possible. */
export async function roundsWorld(now?: number) {
  const w = await world(now === undefined ? {} : { now });
  await w.game();
  await w.settle();
  return w;
}

const get = async <P extends string>(w: World, path: P, input: Record<string, string>) => {
  const { code, data } = await w.call(path, input, { method: "GET" });
  if (code !== 200) throw new Error(`${path} answers ${code}`);
  return data;
};

/** The game's public data, and the database's rows. */
export function readsOf(w: () => World) {
  return {
    info: () => get(w(), "/Lottery/getLotteryInfo", { key: KEY }),
    fair: (expect: string) => get(w(), "/fair/round", { key: KEY, expect }),
    gaps: () => get(w(), "/fair/gaps", { key: KEY }),
    anchors: () => get(w(), "/fair/anchors", { key: KEY }),
    rounds: async () =>
      (await w().deps.db.read.select().from(rounds).orderBy(rounds.id)).map((round) => ({
        ...round,
        expect: roundText(round),
      })),
    gapRows: () => w().deps.db.read.select().from(gaps),
    /** What was announced on a topic, in order. */
    announced: (topic: string) =>
      w().deps.db.read.select().from(outbox).where(eq(outbox.topic, topic)).orderBy(asc(outbox.id)),
  };
}
