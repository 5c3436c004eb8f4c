import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listingMarks } from "#db/schema/listing.ts";
import { removeListing } from "#server/domains/listing/take-down.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { change, city, listing, save } from "./listing-world.ts";

let w: World;
let mia: Player;
let noah: Player;
beforeAll(async () => {
  w = await world();
  await city(w, "Hanoi");
  await save(w, listing("a"), listing("b"), listing("c"));
  [mia, noah] = [await w.player("mia_1"), await w.player("noah_1")];
});
afterAll(() => w.close());

const own = async ({ call }: Player, list: string) =>
  (await call("/xuanfei/own", { list, limit: "50" }, { method: "GET" })).data;
const savedIds = async ({ call }: Player) => (await call("/xuanfei/savedIds", {}, { method: "GET" })).data;
const marked = async (player: Player, list: string) =>
  (await own(player, list)).list.map(({ id, card }) => (card ? id : [id, "gone"]));
const mark = async (player: Player, id: number, on: "0" | "1") =>
  expect((await player.call("/xuanfei/save", { id: `lst_${id}`, on })).code).toBe(200);

describe("a member's own listings", () => {
  it("are saved and dropped, however often one asks, newest first", async () => {
    for (const id of [1, 2, 1]) {
      w.pass(1_000);
      await mark(mia, id, "1");
    }
    expect(await marked(mia, "saved")).toEqual(["lst_2", "lst_1"]);
    expect(await savedIds(mia)).toEqual(["lst_2", "lst_1"]);
    expect(await marked(noah, "saved")).toEqual([]);
    for (const on of ["0", "0"] as const) await mark(mia, 2, on);
    expect(await marked(mia, "saved")).toEqual(["lst_1"]);
  });

  it("are the hundred opened last, each once, until the member clears them", async () => {
    for (const id of [1, 2, 1]) {
      w.pass(1_000);
      await mia.call("/xuanfei/open", { id: `lst_${id}` });
    }
    expect(await marked(mia, "opened")).toEqual(["lst_1", "lst_2"]);
    const { memberId } = mia;
    const many = Array.from({ length: 120 }, (_, i) => ({ memberId, listingId: 500 + i, markedAt: i }));
    await w.deps.db.transact((tx) =>
      tx.insert(listingMarks).values(many.map((row) => ({ ...row, kind: "opened" as const }))),
    );
    await mia.call("/xuanfei/open", { id: "lst_3" });
    const { count, list } = await own(mia, "opened");
    expect([count, list[0]!.id, list[2]!.id]).toEqual([100, "lst_3", "lst_2"]);
    await mia.call("/xuanfei/forget", {});
    expect(await marked(mia, "opened")).toEqual([]);
    expect(await marked(mia, "saved")).toEqual(["lst_1"]);
  });

  it("are at most 200 saved ones", async () => {
    const rows = Array.from({ length: 199 }, (_, i) => ({ listingId: 1_000 + i, markedAt: i }));
    const whose = { memberId: noah.memberId, kind: "saved" as const };
    await w.deps.db.transact((tx) => tx.insert(listingMarks).values(rows.map((row) => ({ ...row, ...whose }))));
    await mark(noah, 1, "1");
    const refused = await noah.call("/xuanfei/save", { id: "lst_2", on: "1" });
    expect(refused).toMatchObject({ code: 422, data: { reason: "saved.many" } });
    await mark(noah, 1, "1");
  });

  it("say so while a saved listing is not shown, and after its end no other gets its id", async () => {
    await change(w, "a", { paused: true });
    expect(await marked(mia, "saved")).toEqual([["lst_1", "gone"]]);
    await change(w, "a", { paused: false });
    expect(await marked(mia, "saved")).toEqual(["lst_1"]);
    await mark(mia, 3, "1");
    await w.deps.db.transact((tx) => removeListing(tx, w.deps, "c"));
    await save(w, listing("d"));
    expect(await marked(mia, "saved")).toContainEqual(["lst_3", "gone"]);
    await mark(mia, 3, "0");
    expect(await marked(mia, "saved")).toEqual(["lst_1"]);
  });
});
