import { asc, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { logLeaves, playHours, videoPlays, videos } from "#db/schema/index.ts";
import { removeListing } from "#server/domains/listing/take-down.ts";
import { saltedKey } from "#server/domains/log/member-leaves.ts";
import { statePlays } from "#server/domains/video/state-plays.ts";
import { parseChained } from "#shared/log/salted.ts";
import { HOUR_MS } from "#shared/time.ts";
import { problemsNow, problemsOf } from "../../support/audited.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { openConnection } from "../../support/own-connection.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { activePlayer, allListings, city, decide, listing, save } from "../listing/listing-world.ts";
import { category, read, video } from "../video/video-world.ts";

let w: World;
let mia: Player;

beforeAll(async () => {
  w = await world();
  await city(w, "Hanoi");
  await save(w, listing("a"), listing("b"));
  await category(w, "sea");
  await video(w);
  await video(w, "Sand");
  mia = await activePlayer(w, "mia_1");
});
afterAll(() => w.close());
afterEach(async () => {
  const problems = await problemsOf(w);
  if (problems.length > 0) throw new Error(`the audit finds: ${problems.join("; ")}`);
});

const say = (id: string, text: string) => mia.call("/xuanfei/comment", { id, text, hearts: "5" });
const stated = async () => {
  const { data } = await mia.call("/fair/mine", { from: "1" }, { method: "GET" });
  return data.leaves.flatMap(({ content }) => {
    const said = parseChained(content)!;
    return said.kind === "comment" ? [`${said.id} of ${said.listing} ${said.state}: ${said.text}`] : [];
  });
};

describe("the log says of a comment", () => {
  it("that it was written, shown, hidden and shown again, each once", async () => {
    await say("lst_1", "Lovely host");
    for (const shown of [true, true, false, true]) await decide(w, 1, shown);
    const states = ["waiting", "shown", "hidden", "shown"];
    expect(await stated()).toEqual(states.map((state) => `cmt_1 of lst_1 ${state}: Lovely host`));
  });

  it("that it was removed with its listing", async () => {
    await say("lst_2", "Kind");
    await w.deps.db.transact((tx) => removeListing(tx, w.deps, "b"));
    expect((await stated()).slice(-2)).toEqual(["cmt_2 of lst_2 waiting: Kind", "cmt_2 of lst_2 removed: Kind"]);
  });

  it("nothing where the comment was not stored", async () => {
    const before = await stated();
    expect((await say("lst_1", "Again")).code).not.toBe(200);
    arm("member.leaf throw 1");
    await save(w, listing("c"));
    const [newest] = (await allListings(w)).slice(-1);
    expect((await say(`lst_${newest!.id}`, "Lost")).code).toBe(500);
    disarm();
    expect(await stated()).toEqual(before);
  });
});

const open = (id: string, ip: string) =>
  w.call("/video/getVideoInfo", { id }, { method: "GET", headers: { "user-agent": ip } });
const hours = () => w.deps.db.read.select().from(playHours).orderBy(asc(playHours.hour));
const countOf = async (id: string) => (await read(w, "/video/getVideoList")).list.find((one) => one.id === id)!.count;
const state = () => statePlays(w.deps.db, w.now());
async function opened(id: string, ...viewers: string[]): Promise<void> {
  const due = (await countOf(id)) + viewers.length;
  for (const viewer of viewers) await open(id, viewer);
  await expect.poll(() => countOf(id)).toBe(due);
}

describe("the log says of plays", () => {
  it("how many an hour had, by video, once the hour is over, and each hour once", async () => {
    await opened("vid_1", "one", "two");
    await opened("vid_2", "one");
    await state();
    expect(await hours()).toEqual([]);
    w.pass(HOUR_MS);
    await opened("vid_1", "one");
    await Promise.all([state(), state()]);
    w.pass(HOUR_MS);
    await state();
    const [first, second, ...more] = await hours();
    const counts = [first, second].map((one) => one!.counts);
    const before = [
      [1, 2],
      [2, 1],
    ];
    expect([...counts, more, second!.previous]).toEqual([before, [[1, 1]], [], first!.hash]);
    const key = saltedKey("plays", second!.hash);
    const [leaf] = await w.deps.db.read.select().from(logLeaves).where(eq(logLeaves.key, key));
    expect(leaf!.text).toBe(`{"hash":"${second!.hash}","kind":"plays"}`);
  });

  it("each hour by housekeeping, though rounds that close seal more often than it does", async () => {
    await opened("vid_2", "by housekeeping");
    const before = (await hours()).length;
    w.pass(HOUR_MS);
    for (let closes = 0; closes < 2; closes++) {
      await w.site.housekeeping.seal();
      w.pass(50_000);
      await w.site.housekeeping.tick();
    }
    expect(await hours()).toHaveLength(before + 1);
  });

  it("nothing of a play that comes late, whose hour is stated: it counts in the next", async () => {
    const newest = (await hours()).at(-1)!.hour;
    w.pass(-2 * HOUR_MS);
    await opened("vid_2", "late");
    w.pass(3 * HOUR_MS);
    const kept = await w.deps.db.read.select({ hour: videoPlays.hour }).from(videoPlays);
    expect(kept.filter(({ hour }) => hour !== newest)).toEqual([{ hour: newest + 1 }]);
    await state();
    expect((await hours()).at(-1)!.counts).toEqual([[2, 1]]);
  });

  it("all or nothing, when it is stopped in between", async () => {
    await opened("vid_1", "stopped");
    w.pass(HOUR_MS);
    const before = await hours();
    arm("plays.state throw 1");
    await expect(state()).rejects.toThrow("failpoint");
    disarm();
    expect(await hours()).toEqual(before);
    await state();
    expect((await hours()).length).toBe(before.length + 1);
  });

  it("and the audit names a counter that was raised, and an hour that was edited, with its counter too", async () => {
    const raised = (by: number) =>
      w.deps.db.transact((tx) => tx.update(videos).set({ plays: by }).where(eq(videos.id, 1)));
    const [first] = await w.deps.db.read.select().from(videos).where(eq(videos.id, 1));
    const { plays } = first!;
    await raised(plays + 900);
    expect(await problemsNow(w)).toEqual([
      `video 1: its play counter is ${plays + 900}, the log states ${plays}, and 0 came since`,
    ]);
    await raised(plays);
    const connection = await openConnection(w.config.database);
    const edit = "update play_hours set counts = '[[1,902],[2,1]]'";
    await expect(connection.run(edit)).rejects.toThrow("never changed");
    await connection.close();
  });
});
