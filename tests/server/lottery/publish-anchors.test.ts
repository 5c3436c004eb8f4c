import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Keys } from "#server/config/keys.ts";
import { anchors, logLeaves } from "#db/schema/index.ts";
import { publishAnchors } from "#server/domains/lottery/publish-anchors.ts";
import { listGames, type Game } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { DAY_MS, dayOf, dayText } from "#shared/time.ts";
import { GAME } from "../admin/audit-round-rows.ts";
import { START, type World } from "../../support/world.ts";
import { twoGames } from "./two-games.ts";

describe("anchors are published", () => {
  let w: World;
  let seeds: Seeds;
  let game: Game;
  let other: Game;
  beforeEach(async () => {
    w = await twoGames();
    seeds = new Seeds(w.deps.keys);
    [game, other] = (await listGames(w.deps.db.read)) as [Game, Game];
  });
  afterEach(() => w.close());

  const publish = (of = game) => publishAnchors(w.deps, seeds, of);
  /** The days that have one, counted from the first. */
  const days = async (of = game) =>
    (await w.deps.db.read.select().from(anchors).orderBy(anchors.day))
      .filter(({ gameId }) => gameId === of.id)
      .map(({ day }) => day - dayOf(START));
  const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  it("from a game's first day to eight days ahead, in the log too, and once", async () => {
    await publish(other);
    await publish();
    await publish();
    expect(await days()).toEqual(upTo(0, 8));
    const rows = await w.deps.db.read.select().from(anchors).orderBy(anchors.day);
    expect(rows.filter(({ gameId }) => gameId === game.id).map(({ anchor }) => anchor)).toEqual(
      upTo(0, 8).map((day) => seeds.anchorOf(game, dayOf(START) + day)),
    );
    const told = (await w.deps.db.read.select().from(logLeaves)).flatMap(({ text }) => parseLeaf(text!) ?? []);
    const leaves = told.filter((leaf) => leaf.kind === "anchor");
    expect(leaves).toHaveLength(18);
    expect(leaves.filter((leaf) => leaf.game === game.key).map(({ day }) => day)).toEqual(
      upTo(0, 8).map((day) => dayText(dayOf(START) + day)),
    );
  });

  it("of each day that a server was down, too", async () => {
    await publish();
    w.pass(DAY_MS);
    await publish();
    expect(await days()).toEqual(upTo(0, 9));
    w.pass(20 * DAY_MS);
    await publish();
    expect(await days()).toEqual(upTo(0, 29));
  });

  it("of the day itself where a clock was set back to before the first, and not those in between", async () => {
    await publish();
    w.jump(-3 * DAY_MS);
    // Another game begins on that day.
    await publish(other);
    await publish();
    await publish();
    expect(await days()).toEqual([-3, ...upTo(0, 8)]);
    expect(await days(other)).toEqual(upTo(-3, 5));
  });
});

describe("the seeds of a day", () => {
  it("are derived once, as long as no more than 16 chains are asked for in turn", () => {
    const derived: number[] = [];
    const keys = {
      ofDay(day: number) {
        derived.push(day);
        return { master: new Uint8Array(32) } as ReturnType<Keys["ofDay"]>;
      },
    };
    const seeds = new Seeds(keys);
    const ask = (...some: number[]) => {
      derived.length = 0;
      for (const day of some) seeds.anchorOf(GAME, day);
      return derived;
    };
    const sixteen = Array.from({ length: 16 }, (_, i) => i);
    expect(ask(...sixteen)).toEqual(sixteen);
    expect(ask(...sixteen)).toEqual([]);
    expect(ask(16)).toEqual([16]);
    expect(ask(1, 15, 16)).toEqual([]);
    expect(ask(0)).toEqual([0]);
    expect(ask(2)).toEqual([]);
    expect(ask(1)).toEqual([1]);
  });
});
