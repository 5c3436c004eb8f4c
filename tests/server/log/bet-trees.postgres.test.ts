import { asc } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { betGroups, logRounds } from "#db/schema/index.ts";
import { SHARE_LEDGER } from "#db/postgres/transactions.ts";
import { idsOf } from "#server/domains/log/bet-groups.ts";
import { bet } from "../../support/ledger.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
let slow: OwnConnection;

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
  mia = await w.player("mia", { balance: 1_000 });
  slow = await openConnection(w.config.database);
});
afterEach(async () => {
  await slow.close();
  await w.close();
});

const grow = () => w.site.publicLog.trees.grow();
const grownTo = async () => (await w.deps.db.read.select().from(logRounds))[0]!.grownTo;
const idsGrown = async () =>
  (await w.deps.db.read.select().from(betGroups).orderBy(asc(betGroups.first))).flatMap(idsOf);

/** A bet that another process takes, whose commit is late. */
const BEGIN = `begin; select ${SHARE_LEDGER};
  insert into bets (id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
  select take_bet_numbers(1), 1, 1, 1, 1, 100, 100, 99, 0, 0`;

it("a commit under way keeps its place: the tree stops before it, and takes it in later", async () => {
  await bet(w, mia, 1);
  await slow.run(BEGIN);
  await bet(w, mia, 1);
  await grow();
  expect(await grownTo()).toBe(1);
  // The ledger's lock is not free, so nobody waits for it for long.
  await grow();
  expect(await grownTo()).toBe(1);
  await slow.run("commit");
  await grow();
  expect(await grownTo()).toBe(3);
  expect(await idsGrown()).toEqual([1, 2, 3]);
});

it("a number that no bet has holds up nothing", async () => {
  await bet(w, mia, 1);
  await slow.run(BEGIN);
  await bet(w, mia, 1);
  await slow.run("rollback");
  await bet(w, mia, 1);
  await grow();
  await grow();
  expect(await idsGrown()).toEqual([1, 3, 4]);
});
