import { openLog } from "#server/app/log.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { readConfig } from "#server/config/config.ts";
import { PUBLIC_URL } from "../../server/payments/shop.ts";
import type { Place } from "../../support/databases.ts";

/** A server on a copy, whose clock stands at this time. It does nothing by itself. */
export function openCopy(place: Place, now: number): Promise<Site> {
  const buffer = new SharedArrayBuffer(16);
  new Float64Array(buffer)[0] = now;
  const config = readConfig({ ...place.env, PUBLIC_URL, RATE_LIMIT: "off", PORT: "0" }, []);
  return openSite(config, { clock: { kind: "shared", buffer }, log: openLog("silent", { write: () => {} }) });
}

/** The same, listening. Returns its address, and what stops it. */
export async function serveCopy(place: Place, now: number): Promise<{ address: string; close(): Promise<void> }> {
  const site = await openCopy(place, now);
  const address = await site.app.listen({ host: "127.0.0.1", port: 0 });
  return { address, close: () => site.close() };
}
