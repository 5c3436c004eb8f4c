import { afterEach, beforeEach, expect, it } from "vitest";
import { pauses, shownPlaces } from "#db/schema/lottery.ts";
import { ENGINE } from "../../support/databases.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { runMigration } from "../../support/run-migration.ts";
import { MINUTE_GAME, START, type World } from "../../support/world.ts";
import { problemsOf } from "./failing-world.ts";
import { no } from "./clock-ways.ts";
import { KEY, readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
let connection: OwnConnection;
const { info, gaps } = readsOf(() => w);

beforeEach(async () => {
  w = await roundsWorld();
  connection = await openConnection(w.config.database);
});
afterEach(async () => {
  await connection.close();
  await w.close();
});

const migrate = () => runMigration(connection, "0014_pauses_and_shown_places");
const DAY = START / 86_400_000;

/** As the version before left it: a game had a switch, and the time of its last pause. */
async function goBack(): Promise<void> {
  for (const table of ["pauses", "shown_places"]) await connection.run(`drop table ${table}`);
  const paused = ENGINE === "sqlite" ? "integer" : "boolean";
  await connection.run(`alter table games add paused ${paused} default false not null`);
  await connection.run("alter table games add paused_at bigint");
}

const gap = (from: number, to: number, reason: string) =>
  connection.run(
    `insert into gaps (game_id, from_day, from_number, to_day, to_number, reason, created_at)
     values (1, ${DAY}, ${from}, ${DAY}, ${to}, '${reason}', ${w.now()})`,
  );

it("gaps of earlier pauses are explained by pauses that nobody had announced, up to the end of a day", async () => {
  await goBack();
  await gap(2, 5, "paused");
  await gap(6, 9, "down");
  await gap(1_439, 1_440, "paused");
  await migrate();
  const rows = await w.deps.db.read.select().from(pauses).orderBy(pauses.id);
  expect(
    rows.map(({ fromDay, fromNumber, paused, announcedAt }) => [fromDay, fromNumber, paused, announcedAt]),
  ).toEqual([
    [DAY, 2, true, null],
    [DAY, 6, false, null],
    [DAY, 1_439, true, null],
    [DAY + 1, 1, false, null],
  ]);
  const { data } = await w.call("/fair/pauses", { key: KEY }, { method: "GET" });
  expect(data[0]).toEqual({ from: no(2), paused: true, reason: null, announced: null });
});

it("a game that was paused stays so from the round after the one that ran, until it is opened again", async () => {
  await w.game({ ...MINUTE_GAME, key: "k3-5m", periodS: 300 });
  await w.settle();
  await goBack();
  await connection.run(`update games set paused = true, paused_at = ${w.now() + 59_999}`);
  await migrate();
  await w.restart();
  for (let minute = 0; minute < 7; minute++) await w.live(60_000);
  expect(await info()).toMatchObject({ state: "paused", pause: { from: no(2), until: null } });
  const { data } = await w.call("/Lottery/getLotteryInfo", { key: "k3-5m" }, { method: "GET" });
  expect(data).toMatchObject({ state: "paused", pause: { from: no(2), until: null } });
  expect(await gaps()).toEqual([]);
});

it("every round that was opened counts as shown, day by day", async () => {
  await w.live(2 * 60_000);
  await w.live(86_400_000);
  await goBack();
  await migrate();
  const marks = await w.deps.db.read.select().from(shownPlaces).orderBy(shownPlaces.day);
  expect(marks.map(({ day, number, seed }) => [day, number, seed])).toEqual([
    [DAY, 3, null],
    [DAY + 1, 3, null],
  ]);
  await w.restart();
  await w.live(60_000);
  expect(await problemsOf(w)).toEqual([]);
});
