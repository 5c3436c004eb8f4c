import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface DrawOrder {
  master: Uint8Array;
  gameKey: string;
  periodS: number;
  fromDay: number;
  days: number;
}

/** Draws all rounds of the days on two threads. One byte per round, in order: which of the 216 rolls it was. */
export async function drawMany(order: DrawOrder): Promise<Uint8Array> {
  const half = Math.floor(order.days / 2);
  const parts = await Promise.all([
    drawPart({ ...order, days: half }),
    drawPart({ ...order, fromDay: order.fromDay + half, days: order.days - half }),
  ]);
  return Buffer.concat(parts);
}

async function drawPart(order: DrawOrder): Promise<Uint8Array> {
  const worker = new Worker(new URL("./draw-worker.ts", import.meta.url), { workerData: order });
  const [rolls] = (await once(worker, "message")) as [Uint8Array];
  return rolls;
}
