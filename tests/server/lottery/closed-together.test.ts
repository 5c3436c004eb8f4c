import { afterEach, beforeEach, expect, it } from "vitest";
import { outbox } from "#db/schema/index.ts";
import { headOfClosing, readLeaves } from "#server/domains/log/read-log.ts";
import { keyOfRound } from "#server/domains/log/round-keys.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { MINUTE_GAME, world, type World } from "../../support/world.ts";
import { no } from "./clock-ways.ts";

const KEYS = ["k3-a", "k3-b", "k3-c"];

let w: World;
beforeEach(async () => {
  w = await world();
  for (const key of KEYS) await w.game({ ...MINUTE_GAME, key });
  await w.settle();
});
afterEach(async () => {
  disarm();
  await w.close();
});

/** The size of the head that told each game's first round as closed. */
const heads = () => Promise.all(KEYS.map((game) => headOfClosing(w.deps.db.read, { game, round: no(1) })));

it("one head tells the closings of all games that close together", async () => {
  await w.live(57_000);
  const [first, ...others] = await heads();
  expect(first).toEqual(expect.any(Number));
  expect(others).toEqual([first, first]);
});

it("the head that tells them comes before any of their draws, though all are late", async () => {
  await w.live(90_000);
  const [head, ...others] = await heads();
  expect(others).toEqual([head, head]);
  // The draws get their numbers.
  await w.deps.publicLog.advance();
  for (const game of KEYS) {
    const key = keyOfRound("draw", { game, round: no(1) });
    expect((await readLeaves(w.deps.db.read, [key])).get(key)!.number).toBeGreaterThanOrEqual(head!);
  }
});

it("a step of several games that failed is over once the head of one of them tells all", async () => {
  arm("log.keep throw");
  await w.live(57_000);
  expect(w.site.rounds.failing).toBe(KEYS.length);
  disarm();
  await w.live(5_000);
  expect(w.site.rounds.failing).toBe(0);
  expect(await heads()).not.toContain(null);
});

it("a game with nothing to tell is drawn before the head of the others", async () => {
  await w.game({ ...MINUTE_GAME, key: "k3-early", closeS: 20 });
  await w.settle();
  await w.live(45_000);
  const { read } = w.deps.db;
  const { id, topic } = outbox;
  const before = (await read.select({ id }).from(outbox)).length;
  // Closings of the others and the draw of this one are due together.
  await w.live(15_000);
  const said = await read.select({ topic }).from(outbox).orderBy(id).offset(before).limit(100);
  const topics = said.map((row) => row.topic).filter((one) => one === "round.drawn" || one === "log.head");
  // What the early draw paid may be stated between two heads, and has one of its own then.
  const once = topics.filter((one, place) => one !== "log.head" || topics[place - 1] !== "log.head");
  expect(once).toEqual(["round.drawn", "log.head", "round.drawn", "round.drawn", "round.drawn"]);
});
