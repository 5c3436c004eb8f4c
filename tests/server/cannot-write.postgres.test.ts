import { problemsOf } from "../support/audited.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bets, settings } from "#db/schema/index.ts";
import { withServer } from "../support/postgres-databases.ts";
import { startPrivate, type PrivatePostgres } from "../support/postgres-server.ts";
import { awayWorld, type AwayWorld } from "./away-world.ts";

let server: PrivatePostgres;
let site: AwayWorld;

beforeAll(async () => {
  server = await startPrivate([]);
});
afterAll(() => server.stop());
afterEach(() => site.close());

const sql = (...texts: string[]) =>
  withServer(server.url, async (client) => {
    for (const text of texts) await client.query(text);
  });
const get = async (url: string) => {
  const { statusCode, body } = await site.w.site.app.inject({ url });
  return { status: statusCode, body };
};
const ready = async () => JSON.parse((await get("/readyz")).body) as object;
const writable = async () => /^trio_database_writable (\d)$/m.exec((await get("/metrics")).body)?.[1];
const betOf = async (key: string) => (await site.bet(key)).data;

/** Every reader is told, and every write refused; reads go on. */
async function expectAway(reason: string, write: () => Promise<unknown>): Promise<void> {
  const client = await site.clients.open();
  await expect.poll(write).toEqual({ reason: "server.away" });
  expect(await client.next("server:away")).toEqual({ reason, retry_after_s: 1 });
  expect([await ready(), await writable()]).toEqual([{ ready: false, reason }, "0"]);
  expect((await get("/healthz")).status).toBe(200);
  expect(await site.w.deps.db.read.select().from(settings)).not.toEqual([]);
  const late = await site.clients.open({ token: site.mia.token });
  expect(await late.next("server:away")).toEqual({ reason, retry_after_s: 1 });
}

describe("a PostgreSQL that became read-only", () => {
  it("is reported as such, refuses all writes, and resumes when it is over", async () => {
    site = await awayWorld(server);
    await sql("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
    const client = await site.clients.open();
    await expectAway("readonly", () => betOf("tap"));
    // Only the probe writes now, and it fails as the bet did.
    await sql("alter system reset default_transaction_read_only", "select pg_reload_conf()");
    await client.next("server:back");
    expect([await ready(), await writable()]).toEqual([{ ready: true }, "1"]);
    for (let i = 0; i < 2; i++) expect((await site.bet("tap")).code).toBe(200);
    expect(await site.w.deps.db.read.select().from(bets)).toHaveLength(1);
    expect(await problemsOf(site.w)).toEqual([]);
  });
});

describe.each([
  ["53100", "full"],
  ["58030", "failing"],
])("a PostgreSQL that answers %s", (code, reason) => {
  it(`is ${reason}: the bet is refused, and every client is told until a write succeeds`, async () => {
    site = await awayWorld(server);
    await withServer(site.url, (client) =>
      client.query(`create function fail() returns trigger language plpgsql as $$ begin
          raise exception 'no room' using errcode = '${code}'; end $$;
        create trigger fail_bets before insert on bets for each row execute function fail();
        create trigger fail_meta before insert on meta for each row execute function fail()`),
    );
    const client = await site.clients.open();
    await expectAway(reason, () => betOf("tap"));
    await withServer(site.url, (client) => client.query("drop function fail cascade"));
    await client.next("server:back");
    expect((await site.bet("tap")).code).toBe(200);
    expect(await site.w.deps.db.read.select().from(bets)).toHaveLength(1);
  });
});
