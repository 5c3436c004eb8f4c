import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { MINUTE_GAME, world, type World } from "../../support/world.ts";
import { answerOf } from "../ledger/guarded.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { MAX_RATE_MILLI, rateCount } from "#shared/lottery/rules.ts";

let w: World;
let connection: OwnConnection;
const kinds = [...GAME_KINDS.values()];

beforeAll(async () => {
  w = await world();
  for (const { kind } of kinds) await w.game({ ...MINUTE_GAME, key: kind, kind });
  connection = await openConnection(w.config.database);
});
afterAll(async () => {
  await connection.close();
  await w.close();
});

const statement = (gameId: number, milli: string) =>
  `insert into odds (game_id, milli, created_at) values (${gameId}, '${milli}', 1)`;
const insert = (gameId: number, milli: string) => answerOf(connection, "odds", statement(gameId, milli));

describe.each(kinds.map((rules, place) => [rules.kind, rules, place + 1] as const))(
  "the odds of %s",
  (_, rules, gameId) => {
    const count = rateCount(rules);
    const rates = (one: string | number) => `[${Array.from({ length: count }, () => one).join()}]`;

    it.each([
      ["no list", "{}"],
      ["no list but a number", "1000"],
      ["nothing", "null"],
      ["no rate", "[]"],
      ["a rate too few", `[${Array.from({ length: count - 1 }, () => 1000).join()}]`],
      ["a rate too many", `[${Array.from({ length: count + 1 }, () => 1000).join()}]`],
      ["a rate of nothing", rates(0)],
      ["a negative rate", rates(-1)],
      ["a fraction", rates(1000.5)],
      ["a text", rates('"1000"')],
      ["a rate that is null", rates("null")],
      ["a rate above the limit", rates(MAX_RATE_MILLI + 1)],
      ["a rate that is no safe integer", rates("9007199254740993")],
      ["a rate beyond all counting", rates("9e99")],
    ])("are refused by the database with %s", async (_name, milli) => {
      expect(await insert(gameId, milli)).toMatch(/odds are whole rates/);
    });

    it("are accepted when they are whole rates up to the limit", async () => {
      for (const rate of [1, MAX_RATE_MILLI]) await connection.run(statement(gameId, rates(rate)));
      const last = `select milli from odds where game_id = ${gameId} order by id desc limit 1`;
      expect(JSON.stringify(await connection.all(last))).toContain(String(MAX_RATE_MILLI));
    });
  },
);

it("a game of an unknown kind is refused", async () => {
  await expect(w.game({ ...MINUTE_GAME, key: "none", kind: "none" })).rejects.toThrow("there is no kind of game none");
});
