import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { placeOrder } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { fairRound } from "#shared/contract/fair.ts";
import { arm, disarm } from "../support/failpoints.ts";
import { withConnection } from "../support/own-connection.ts";
import { Client, eventually, isDone } from "../support/client.ts";
import { byLength } from "../support/length.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";
import { faultsOf } from "../support/recompute.ts";
import { houseFaults, readBooks, walletFaults } from "./crash-books.ts";

const GAMES = [TEN_SECONDS, { ...TEN_SECONDS, key: "other-10s" }];
const MEMBERS = 3;
const START = 1_000;
const PATIENCE_MS = 60_000;

let server: ServerProcess;
let members: Client[];
/** How often each member has bet: ten on big and ten on small bring back 19.50. */
let bets: number[];

beforeAll(async () => {
  const env = { NODE_ENV: "test", FAILPOINTS: process.env.FAILPOINTS! };
  server = await ServerProcess.start({ speed: 4, games: GAMES, env });
  const names = Array.from({ length: MEMBERS }, (_, i) => `steps_${i}`);
  members = await Promise.all(names.map((name) => new Client(server.address).register(name)));
  await Promise.all(members.map((member) => member.topUp(START)));
  bets = members.map(() => 0);
});
afterEach(() => disarm());
afterAll(() => server.close());

/** Every member bets on one round of the first game, which is still open afterwards. */
async function betAll(): Promise<{ expect: string; id: number }> {
  for (;;) {
    const { expect: name } = await members[0]!.openRound(TEN_SECONDS.key, 6_000);
    const order = { item: "A,B", money: "10", lid: "lot_1", mid: "", expect: name };
    const taken = await Promise.all(members.map(async (member) => isDone(await member.ask(placeOrder, order))));
    bets = bets.map((count, i) => count + Number(taken[i]));
    const [round] = await withConnection(server.database, ({ all }) =>
      all<{ id: number; closed: number | null }>(
        "select id, closed_at as closed from rounds where game_id = 1 and number = ?",
        Number(name.slice(9)),
      ),
    );
    if (taken.every(Boolean) && round!.closed === null) return { expect: name, id: round!.id };
  }
}

const isIndexed = async (id: number) =>
  (await readBooks(server.database)).rounds.find((round) => round.id === id)!.indexedAt !== null;

/** Every step between a round's closing and the last row of its payouts; one of each kind in a short run. */
const STEPS = byLength(
  ["round.close", "round.draw", "settle.credit", "index.piece"],
  [
    "round.close",
    "round.draw",
    "settle.count",
    "settle.credit",
    "settle.credited",
    "settle.finish",
    "index.piece",
    "index.finish",
  ],
);

describe.each(STEPS)("a server killed at %s", (step) => {
  it("finishes the round exactly once when it is back", { timeout: 120_000 }, async () => {
    const round = await betAll();
    arm(`${step}:${round.id} crash 1`);
    expect(await server.ended()).toMatchObject({ signal: "SIGKILL" });
    await server.start();
    await eventually(async () => expect(await isIndexed(round.id)).toBe(true), PATIENCE_MS);
    const books = await readBooks(server.database);
    expect([...walletFaults(books), ...houseFaults(books)]).toEqual([]);
    expect(books.payouts.filter((payout) => payout.round === round.id)).toHaveLength(MEMBERS);
    for (const [i, member] of members.entries())
      expect((await member.must(getUserInfo)).money).toBe((START - 0.5 * bets[i]!).toFixed(2));
    expect(faultsOf(await members[0]!.must(fairRound, { key: TEN_SECONDS.key, expect: round.expect }))).toEqual([]);
  });
});

describe("after all the kills", () => {
  it("leaves nothing for the audit to find", async () => {
    const { code, out } = await server.run("server/admin/main.ts", "audit", "--json");
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ ok: true, problems: [] })]);
  });
});
