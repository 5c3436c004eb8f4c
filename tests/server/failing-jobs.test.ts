import { eq, lt } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outbox, sessions, uploads } from "#db/schema/index.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { withConnection } from "../support/own-connection.ts";
import { ENGINE } from "../support/databases.ts";
import { world, type Player, type World } from "../support/world.ts";

let w: World;

beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

/** From now on the database refuses rows of a table, all of them or those of one member. */
async function refuseRows(table: string, memberId?: number): Promise<void> {
  const which = memberId === undefined ? "" : `when (new.member_id = ${memberId})`;
  const make = {
    sqlite: `create trigger broken before insert on ${table} ${which} begin select raise(abort, 'broken'); end`,
    postgres: `create trigger broken before insert on ${table} for each row ${which} execute function refuse_change('broken')`,
  };
  await withConnection(w.config.database, (connection) => connection.run(make[ENGINE]));
}

async function refuseDeletion(table: string): Promise<void> {
  const make = {
    sqlite: `create trigger broken before delete on ${table} begin select raise(abort, 'broken'); end`,
    postgres: `create trigger broken before delete on ${table} for each row execute function refuse_change('broken')`,
  };
  await withConnection(w.config.database, (connection) => connection.run(make[ENGINE]));
}

const mend = (table: string) =>
  withConnection(w.config.database, (connection) =>
    connection.run(ENGINE === "sqlite" ? "drop trigger broken" : `drop trigger broken on ${table}`),
  );

const messagesOf = async (player: Player) => (await player.call("/member/messages", {}, { method: "GET" })).data;

describe("housekeeping of which one part fails", () => {
  it("does all the rest, and that part when it can", async () => {
    await w.player("mia_1", { balance: 10 });
    await refuseRows("seals");
    await w.site.housekeeping.tick();
    w.pass(2 * HOUR_MS);
    await w.site.housekeeping.tick();
    const old = lt(outbox.createdAt, w.now() - HOUR_MS);
    expect(await w.deps.db.read.select().from(outbox).where(old)).toEqual([]);
    expect(w.logged.filter((line) => line.includes('"step":"seal"'))).toHaveLength(2);
    await mend("seals");
    w.pass(5_000);
    await w.site.housekeeping.tick();
    const seals = await withConnection(w.config.database, (connection) => connection.all("select id from seals"));
    expect(seals).toHaveLength(1);
  });
});

describe("rows that cannot be deleted", () => {
  it("keep no other kind from going, nor what else is due each hour", async () => {
    const mia = await w.player("mia_1");
    await refuseDeletion("attempts");
    const old = { memberId: mia.memberId, createdAt: 0, lastSeenAt: 0, ip: "", agent: "", tokenHash: "old" };
    const upload = { memberId: mia.memberId, path: "/files/uploads/none.webp", createdAt: 0 };
    await w.call("/member/doLogin", { username: "nobody_1", password: "a wrong one" });
    await w.deps.db.transact(async (tx) => {
      await tx.insert(sessions).values(old);
      await tx.insert(uploads).values(upload);
    });
    w.pass(2 * DAY_MS);
    await w.site.housekeeping.tick();
    const left = w.deps.db.read.select().from(sessions).where(eq(sessions.tokenHash, "old"));
    expect(await left).toEqual([]);
    expect(await w.deps.db.read.select().from(uploads)).toEqual([]);
    expect(w.logged.filter((line) => line.includes('"step":"prune"'))).not.toEqual([]);
  });
});

describe("the end of a membership that cannot be written", () => {
  it("does not delay the others' announcements", async () => {
    const [mia, nils] = [await w.player("mia_1"), await w.player("nils_2")];
    for (const { memberId } of [mia, nils]) await w.deps.db.transact((tx) => extendMembership(tx, w.deps, memberId, 1));
    await refuseRows("messages", mia.memberId);
    w.pass(DAY_MS);
    await w.site.memberships.tick();
    expect(await messagesOf(nils)).toHaveLength(1);
    expect(await messagesOf(mia)).toEqual([]);
    await mend("messages");
    w.pass(2_000);
    await w.site.memberships.tick();
    expect(await messagesOf(mia)).toHaveLength(1);
  });
});

describe("an announcement whose listener fails", () => {
  it("does not keep the others from being delivered", async () => {
    const announced: number[] = [];
    const { bus, db, announce } = w.deps;
    bus.on("member.changed", ({ memberId }) => {
      if (memberId === 1) throw new Error("broken");
      announced.push(memberId);
    });
    await db.transact(async (tx) => {
      for (const memberId of [1, 2, 3]) await announce(tx, "member.changed", { memberId });
    });
    await w.site.relay.wake();
    expect(announced).toEqual([2, 3]);
    expect(w.logged.filter((line) => line.includes("a listener failed"))).toHaveLength(1);
  });
});
