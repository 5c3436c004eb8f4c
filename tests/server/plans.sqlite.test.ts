import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR_MS } from "#shared/time.ts";
import { noteStatements, readStatements } from "../support/note-statements.ts";
import { operate } from "./admin/operate.ts";
import { everyEndpoint, methodOf } from "./http/endpoints.ts";
import { furnishedWorld, goodInput, makeReady, type Furnished } from "./http/furnished.ts";

/** Tables that stay small, however long a site lives: an operator fills them, or they are emptied as they fill. */
const SMALL = new Set(
  `anchors banners beacon_changes bet_keys cities erased_members games gaps log_keys log_restores log_rotations
  log_rounds master_keys meta notices odds password_resets pauses plans play_hours prizes push_messages push_subscriptions
  sandbox_checkouts served_apps settings spent_challenges sqlite_master sqlite_sequence sso_tickets uploads video_categories
  video_plays videos wheel_tables __drizzle_migrations`.split(/\s+/),
);
/** Indexes of the few rows that something still happens to. */
const OF_FEW = /USING INDEX (rounds_unfinished|log_leaves_waiting|deposits_received)$/;
/** The newest row, or the newest before a time: it is at the end of the table, and nothing is sorted. */
const NEWEST = /order by (?:"\w+"\.)?"?id"? desc limit \S+$/;
/** What an audit or a new log reads once, from end to end. */
const ONCE: readonly RegExp[] = [
  /^select "\w+"\."(?:id|member_id)" from "\w+" left join "\w+" on .* where "\w+"\."\w+" is null$/,
  /^select "payouts"\."member_id" from "rounds" inner join "payouts" /,
  /^select count\(\*\) from "(?:spins|log_leaves)"/,
  /^select "log" from "log_heads" where "log_heads"\."log" not in /,
  /^select "(?:id|member_id)", .* from "(?:seals|member_chains|wheel_members)"(?: order by "seals"\."id" asc)?$/,
  /^select "member_id", count\(\*\), max\("number"\) from "wheel_pairs" group by /,
  /^select max\("house_to"\), max\("transfers_to"\), max\("acts_to"\) from "seals"$/,
  /^select "id" from "rounds" where "rounds"\."skipped_at" is not null limit /,
  /^delete from "log_rounds" where "log_rounds"\."round_id" in /,
  /^select "games"\."id", .* from "rounds" inner join "games" .* left join "log_rounds" /,
];
/** No row is asked for, and none is read. */
const NOTHING = / where (?:false|\(.* and false\)|\(false and .*\))$/;

const NOTED = join(mkdtempSync(join(tmpdir(), "trio-noted-")), "statements");
const WRITER = new URL("../support/noting-writer.ts", import.meta.url);

let site: Furnished;

beforeAll(async () => {
  noteStatements(NOTED);
  site = await furnishedWorld({}, { startWriter: (data) => new Worker(WRITER, { workerData: data }) });
  const { w } = site;
  for (const endpoint of await everyEndpoint()) {
    const { token, memberId } = await w.player(`mia_${randomBytes(4).toString("hex")}`, { balance: 1_000 });
    await makeReady(w, memberId, endpoint.path);
    const options = { method: methodOf(endpoint), token, key: `plans-${memberId}` };
    // Whoever asks again, with the same key, is given what was answered before.
    for (let again = 0; again < 2; again++) await w.call(endpoint.path, goodInput(w)[endpoint.path] ?? {}, options);
  }
  await w.live(2 * HOUR_MS);
  await w.site.housekeeping.tick();
  await operate(w, "audit");
  await operate(w, "recharge:review");
});
afterAll(() => site.w.close());

/** The tables that a statement reads from end to end, however long they are. An insert compares rows only where a foreign key is broken. */
function longScans(raw: Sqlite.Database, text: string): string[] {
  const isShort = [...ONCE, NEWEST, NOTHING].some((one) => one.test(text));
  if (!/^(select|update|delete|with)\b/i.test(text) || isShort) return [];
  const named = Object.fromEntries([...text.matchAll(/:(\w+)/g)].map(([, name]) => [name, 1]));
  const values = Array.from({ length: text.split("?").length - 1 }, () => 1);
  const plan = raw.prepare(`explain query plan ${text}`).all(...values, named) as { detail: string }[];
  const scans = plan.map(({ detail }) => detail).filter((detail) => /^SCAN \w+/.test(detail) && !OF_FEW.test(detail));
  return scans.filter((detail) => isTable(raw, tableOf(detail)) && !SMALL.has(tableOf(detail)));
}

const tableOf = (detail: string) => detail.split(" ")[1]!;
const isTable = (raw: Sqlite.Database, name: string) =>
  raw.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(name) !== undefined;

it("no statement of a site reads a table from end to end that grows with its members, rounds or bets", () => {
  const statements = readStatements(NOTED).map((text) => text.trim());
  expect(statements.length).toBeGreaterThan(500);
  const raw = new Sqlite(join(site.w.folder, "trio.db"), { readonly: true });
  // Migrations ran on tables that are no more.
  const known = statements.filter((text) => !/with_beacon|__new_|client_seed/.test(text));
  const long = known.flatMap((text) => longScans(raw, text).map((detail) => `${detail}: ${text}`));
  raw.close();
  expect(long).toEqual([]);
});

it("the payments of which more came, which a queue asks for all the time, are found among those few", () => {
  const raw = new Sqlite(join(site.w.folder, "trio.db"), { readonly: true });
  const asked = readStatements(NOTED).filter((text) => /^select .*"received" > coalesce/.test(text));
  const plans = asked.map((text) => {
    const values = Array.from({ length: text.split("?").length - 1 }, () => 1);
    return raw.prepare(`explain query plan ${text}`).all(...values) as { detail: string }[];
  });
  raw.close();
  expect(plans).not.toEqual([]);
  for (const plan of plans) expect(plan[0]!.detail).toMatch(/^SCAN deposits USING INDEX deposits_received$/);
});
