import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { savedVideos, watchPlaces } from "#db/schema/video.ts";
import { removeVideo } from "#server/domains/video/publish.ts";
import type { Player, World } from "../../support/world.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { twoVideos } from "./video-world.ts";

let w: World;
let mia: Player;
let noah: Player;
beforeAll(async () => {
  ({ w, mia, noah } = await twoVideos());
});
afterAll(() => w.close());

const save = ({ call }: Player, video: number, on: "0" | "1") => call("/video/save", { id: `vid_${video}`, on });
const own = async ({ call }: Player, list: string, page = "1") =>
  (await call("/video/own", { list, page, limit: "1" }, { method: "GET" })).data;
const savedIds = async ({ call }: Player) => (await call("/video/savedIds", {}, { method: "GET" })).data;

describe("a member's own videos", () => {
  it("are saved and dropped, however often one asks, newest first and page by page", async () => {
    for (const on of ["1", "1"] as const) expect((await save(mia, 1, on)).code).toBe(200);
    w.pass(1_000);
    await save(mia, 2, "1");
    expect(await savedIds(mia)).toEqual(["vid_2", "vid_1"]);
    expect(await own(mia, "saved")).toMatchObject({ count: 2, list: [{ id: "vid_2", card: { vod_name: "Dunes" } }] });
    expect(await own(mia, "saved", "2")).toMatchObject({ list: [{ id: "vid_1", card: { vod_name: "Waves" } }] });
    expect(await savedIds(noah)).toEqual([]);
    for (const on of ["0", "0"] as const) await save(mia, 1, on);
    expect(await savedIds(mia)).toEqual(["vid_2"]);
  });

  it("are watched ones too, until the member clears them", async () => {
    for (const player of [mia, noah]) await player.call("/video/place", { id: "vid_1", position_ms: "9000" });
    expect(await own(mia, "watched")).toMatchObject({ count: 1, list: [{ id: "vid_1", card: { vod_name: "Waves" } }] });
    await mia.call("/video/forget", {});
    expect(await own(mia, "watched")).toEqual({ list: [], count: 0 });
    expect((await mia.call("/video/place", { id: "vid_1" }, { method: "GET" })).data).toEqual({ position_ms: 0 });
    expect((await own(noah, "watched")).count).toBe(1);
  });

  it("leave no history while the member keeps none: what was there is cleared at once", async () => {
    const watch = (id: string) => mia.call("/video/place", { id, position_ms: "9000" });
    const keeps = async () => (await mia.call("/member/getUserInfo", {}, { method: "GET" })).data.keeps_history;
    await watch("vid_1");
    const clients = new SocketClients(await w.listen());
    const [phone, his] = [await clients.open({ token: mia.token }), await clients.open({ token: noah.token })];
    await mia.call("/video/keepHistory", { on: "0" });
    expect(await phone.next("history:change")).toEqual({ keeps_history: 0 });
    await his.drained();
    expect(his.all("history:change")).toEqual([]);
    clients.close();
    expect([await keeps(), await own(mia, "watched")]).toEqual([0, { list: [], count: 0 }]);
    expect([(await watch("vid_1")).code, (await watch("vid_9")).code]).toEqual([200, 404]);
    const isMias = eq(watchPlaces.memberId, mia.memberId);
    expect(await w.deps.db.read.select().from(watchPlaces).where(isMias)).toEqual([]);
    expect([(await own(noah, "watched")).count, (await own(mia, "saved")).count]).toEqual([1, 1]);
    await mia.call("/video/keepHistory", { on: "1" });
    await watch("vid_1");
    expect([await keeps(), (await own(mia, "watched")).count]).toEqual([1, 1]);
  });

  it("are at most 200 saved ones", async () => {
    const rows = Array.from({ length: 199 }, (_, i) => ({
      memberId: noah.memberId,
      videoId: 1_000 + i,
      createdAt: w.now(),
    }));
    await w.deps.db.transact((tx) => tx.insert(savedVideos).values(rows));
    expect((await save(noah, 1, "1")).code).toBe(200);
    expect(await save(noah, 2, "1")).toMatchObject({ code: 422, data: { reason: "saved.many" } });
    expect((await save(noah, 1, "1")).code).toBe(200);
    expect(await savedIds(noah)).toHaveLength(200);
  });

  it("say so when a saved video is no longer there, and can be dropped", async () => {
    await w.deps.db.transact((tx) => removeVideo(tx, w.deps, 2));
    expect(await own(mia, "saved")).toMatchObject({ count: 1, list: [{ id: "vid_2", card: null }] });
    expect((await save(mia, 2, "0")).code).toBe(200);
    expect((await own(mia, "saved")).count).toBe(0);
  });
});
