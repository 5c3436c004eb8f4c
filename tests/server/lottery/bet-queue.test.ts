import { afterEach, beforeEach, expect, it } from "vitest";
import { OutcomeUnknown } from "#db/away.ts";
import { bets, houseEntries } from "#db/schema/index.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { BetQueue, type BetStage } from "#server/domains/lottery/bet-queue.ts";
import type { PublicLog } from "#server/domains/log/public-log.ts";
import type { Receipts } from "#server/domains/log/receipts.ts";
import { ENGINE } from "../../support/databases.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { orderOf } from "./book-world.ts";

let w: World;
let mia: Player;
let took: [BetStage, number][];
beforeEach(async () => {
  took = [];
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 100_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

const queueWith = (receipts: Pick<Receipts, "of" | "again">) =>
  new BetQueue(betBookOf(w.deps.db), receipts, (stage, ms) => void took.push([stage, ms]));
const queue = () => queueWith((w.deps.publicLog as PublicLog).receipts);
const order = () => orderOf(mia.memberId, 1);

it("tells what each stage of a batch took", async () => {
  const from = performance.now();
  await queue().place(order());
  const most = performance.now() - from;
  expect(took.map(([stage]) => stage)).toEqual(["wait", "commit", "sign"]);
  expect(took.filter(([, ms]) => ms < 0 || ms > most)).toEqual([]);
});

it("puts at most 512 bets into a commit, says how many wait, and gives each its own receipt", async () => {
  const placing = queue();
  const orders = Array.from({ length: 1_100 }, order);
  const answers = orders.map((one) => placing.place(one));
  expect(placing.length).toBe(1_100);
  const receipts = (await Promise.all(answers)).map((answer) => ("receipt" in answer ? answer.receipt : ""));
  expect([placing.length, new Set(receipts).size]).toEqual([0, 1_100]);
  const commits = await w.deps.db.read.select().from(houseEntries);
  const sizes = commits.map(({ amount }) => amount / orders[0]!.total);
  // PostgreSQL takes one bet of a wallet at a time.
  expect(Math.max(...sizes)).toBe(ENGINE === "postgres" ? 1 : 512);
});

it("says that the outcome is unknown where a bet was taken and its receipt cannot be made", async () => {
  const cause = new Error("no key");
  const receipts = { of: () => Promise.reject(cause), again: () => Promise.reject(cause) };
  const error = await queueWith(receipts)
    .place(order())
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OutcomeUnknown);
  expect((error as OutcomeUnknown).cause).toBe(cause);
  expect(await w.deps.db.read.select().from(bets)).toHaveLength(1);
});

it("has as many lanes as the engine gains from", () => {
  expect(betBookOf(w.deps.db).lanes).toBe(ENGINE === "postgres" ? 4 : 1);
});
