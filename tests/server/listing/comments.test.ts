import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comments } from "#db/schema/listing.ts";
import { DAY_MS } from "#shared/time.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { activePlayer, allListings, city, decide, listing, read, save } from "./listing-world.ts";

let w: World;
let mia: Player;
let ben: Player;

beforeAll(async () => {
  w = await world();
  await city(w, "Hanoi");
  await save(w, listing("a"), listing("b"), listing("c", {}));
  mia = await activePlayer(w, "mia_1");
  ben = await activePlayer(w, "ben_22");
});
afterAll(() => w.close());

const say = (who: Player, over: Record<string, string> = {}, key?: string) =>
  who.call("/xuanfei/comment", { id: "lst_1", text: "Lovely host", hearts: "5", ...over }, key ? { key } : {});
const rows = () => w.deps.db.read.select().from(comments);
const shown = (id = "lst_1") => read(w, "/xuanfei/commentlist", { id });
const card = async () => {
  const { comment_total, hearts } = await read(w, "/xuanfei/xuanfeidata", { id: "lst_1" });
  return [comment_total, hearts];
};

describe("a comment", () => {
  it("waits for the operator's approval, and is then public, with its hearts and a masked name", async () => {
    expect((await say(mia)).data).toBeNull();
    expect([await shown(), await card()]).toEqual([{ list: [], count: 0 }, [0, 0]]);
    await decide(w, 1, true);
    expect(await shown()).toEqual({
      list: [{ id: "cmt_1", username: "m***1", text: "Lovely host", hearts: 5, create_time: w.now() / 1000, demo: 0 }],
      count: 1,
    });
    expect(await card()).toEqual([1, 5]);
  });

  it("is one per listing and member, however often and from wherever it is sent", async () => {
    expect((await say(mia, { text: "Again" })).data).toEqual({ reason: "comment.given" });
    const codes = await Promise.all(Array.from({ length: 8 }, () => say(ben, { hearts: "2", text: "So-so" })));
    expect(codes.map(({ code }) => code).sort((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect(await rows()).toHaveLength(2);
  });

  it("repeated with its key is answered alike and stored once", async () => {
    const first = await say(mia, { id: "lst_2" }, "tap");
    const again = await say(mia, { id: "lst_2" }, "tap");
    expect([first.code, again.code, (await rows()).length]).toEqual([200, 200, 3]);
  });

  it("counts in the average while it is shown, and no longer when it is hidden", async () => {
    const [hers, his, other] = (await rows()).map(({ id }) => id).sort((a, b) => a - b) as [number, number, number];
    await decide(w, his, true);
    expect(await card()).toEqual([2, 3.5]);
    await decide(w, his, true);
    expect(await card()).toEqual([2, 3.5]);
    expect((await shown()).list.map(({ id }: { id: string }) => id)).toEqual([`cmt_${his}`, `cmt_${hers}`]);
    await decide(w, hers, false);
    await decide(w, hers, false);
    expect([await card(), (await shown()).count]).toEqual([[1, 2], 1]);
    await decide(w, his, false);
    expect([await card(), (await shown()).count]).toEqual([[0, 0], 0]);
    await decide(w, other, false);
    const all = await allListings(w);
    expect(all.map(({ commentCount, heartsSum, heartsMean }) => commentCount + heartsSum + heartsMean)).toEqual([
      0, 0, 0,
    ]);
  });

  it("is for active members: a guest gets 401, one without membership 403, and nothing is stored", async () => {
    const before = await rows();
    expect((await w.call("/xuanfei/comment", { id: "lst_1", text: "x", hearts: "1" })).code).toBe(401);
    const kim = await w.player("kim_1");
    expect([(await say(kim)).code, (await say(kim)).data]).toEqual([403, { reason: "membership.needed" }]);
    expect((await say(kim, { hearts: "9" })).code).toBe(400);
    const old = await activePlayer(w, "old_1", 1);
    w.pass(DAY_MS);
    expect((await say(old)).data).toEqual({ reason: "membership.needed" });
    expect(await rows()).toEqual(before);
  });

  it.each([
    ["hearts", ["0", "7", "-1", "1.5", "x", ""]],
    ["text", ["", " ", "\u200b", "x".repeat(501), "a\u0000b"]],
    ["id", ["", "a b", "x".repeat(65)]],
  ])("is refused with the field when %s does not fit", async (field, texts) => {
    const before = await rows();
    for (const text of texts) {
      const { code, fields } = await say(mia, { id: "lst_3", [field]: text });
      expect([text, code, Object.keys(fields!)]).toEqual([text, 400, [field]]);
    }
    expect(await rows()).toEqual(before);
  });

  it("is refused for an unknown listing", async () => {
    for (const id of ["lst_99", "cty_1", "1"]) expect((await say(mia, { id })).code).toBe(404);
  });

  it("may be given while guests see the login first", async () => {
    await set(w, "video_login", "1");
    expect((await say(mia, { id: "lst_3" })).code).toBe(200);
    await set(w, "video_login", "0");
  });
});
