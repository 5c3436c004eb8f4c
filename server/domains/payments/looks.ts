import type { Tx } from "#db/db.ts";
import { channelLooks } from "#db/schema/payments.ts";

/** When each channel's payments were last compared with our orders, by its code. */
export async function readLooks(read: Tx): Promise<Map<string, number>> {
  const rows = await read.select().from(channelLooks);
  return new Map(rows.map(({ channel, lookedTo }) => [channel, lookedTo]));
}
