import { randomBytes } from "node:crypto";
import { pino } from "pino";
import type { Db } from "#db/db.ts";
import { MASTER } from "#server/bench/database.ts";
import { keysOf } from "#server/config/keys.ts";
import { BatchKeys } from "#server/domains/log/batch-keys.ts";
import { openLogKey } from "#server/domains/log/log-key.ts";
import { Receipts } from "#server/domains/log/receipts.ts";

/** Receipts as a server signs them, under a master key that all benches share. The log begins with the rounds that are open. */
export async function benchReceipts(db: Db): Promise<Receipts> {
  const parts = {
    db,
    clock: db.clock,
    keys: keysOf(MASTER),
    random: randomBytes,
    publicUrl: "http://bench",
    log: pino({ level: "silent" }),
  };
  await openLogKey(parts);
  return new Receipts(parts, new BatchKeys(parts, async () => {}));
}
