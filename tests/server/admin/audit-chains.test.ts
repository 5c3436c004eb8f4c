import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditChains } from "#server/admin/audit/chains.ts";
import { KeyRing, masterKey } from "#server/config/keys.ts";
import { dayOf } from "#shared/time.ts";
import { Copies } from "../../support/copies.ts";
import { MINUTE_GAME, START, world, type World } from "../../support/world.ts";
import { partly } from "./audit-one-part.ts";

let w: World;
let copies: Copies;
/** Two games, each with an open round. */
beforeAll(async () => {
  w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  await w.game();
  await w.game({ ...MINUTE_GAME, key: "k3-2m", periodS: 120 });
  await w.live(1_000);
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

const TODAY = dayOf(START);
const keyFrom = (fromDay: number) =>
  new KeyRing([masterKey(Buffer.from("5eed".repeat(16), "hex"), { version: 1, fromDay })], { now: () => START });

const problemsAfter = async (sql: string, keys = keyFrom(0)) =>
  (await partly(copies, sql, (read, found) => auditChains(read, keys, found))).problems;

const anchor = (of: string) => `the anchor of ${of} does not follow from the master key`;
const commit = (of: string) => `round ${of}: its commit does not follow from the master key`;
const ANCHORS = `update anchors set anchor = 'x' where day in (${TODAY}, ${TODAY + 1})`;
/** A second round of a game, today or later. */
const round = (day: number, number: number) => `insert into rounds
  (game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet)
  select game_id, ${day}, ${number}, "commit", odds_id, opened_at, closes_at, draws_at, from_bet from rounds where id = 1`;

describe("the audit of the days' chains", () => {
  it("finds nothing in untouched ones", async () => {
    expect(await problemsAfter("select 1")).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    [
      "anchors, day after day of each game",
      ANCHORS,
      ["k3-1m 20260302", "k3-1m 20260303", "k3-2m 20260302", "k3-2m 20260303"].map(anchor),
    ],
    ["the anchor of one game", `${ANCHORS} and game_id = 2 and day = ${TODAY}`, [anchor("k3-2m 20260302")]],
    ["the commit of a round", `update rounds set "commit" = 'x' where id = 2`, [commit("k3-2m 20260302-0001")]],
    ["the commit of another round of the day", round(TODAY, 2), [commit("k3-1m 20260302-0002")]],
    ["the commit of a round of another day", round(TODAY + 1, 1), [commit("k3-1m 20260303-0001")]],
  ])("names %s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });

  it("leaves out the days before the first key that is here", async () => {
    expect(await problemsAfter(ANCHORS, keyFrom(TODAY + 1))).toEqual(["k3-1m 20260303", "k3-2m 20260303"].map(anchor));
  });
});
