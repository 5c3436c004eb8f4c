import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import { newestTold } from "#server/domains/log/read-log.ts";
import { builtApp } from "#server/domains/log/served-app.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { rowsOf, tableHash, type Winnable } from "#shared/wheel.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { leavesOf } from "../log/read-log.ts";
import { offer, points, prize } from "../wheel/wheel-world.ts";
import { betSurely } from "./failing-world.ts";
import { KEY } from "./rounds-world.ts";

let w: World;
let mia: Player;
const get = async <P extends string>(path: P, input: Record<string, string> = {}, token?: string) =>
  w.call(path, input, { method: "GET" as const, ...(token !== undefined && { token }) });

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 100 });
  await w.live(1_000);
});
afterEach(() => w.close());

describe("what apps ask of the log", () => {
  it("is no origin and no hour at first, and then the first head of an hour", async () => {
    expect(await get("/fair/origins")).toMatchObject({ code: 200, data: [] });
    await w.deps.publicLog.advance();
    expect((await get("/fair/hour")).data).toMatchObject({ hour: w.now() - (w.now() % 3_600_000) });
  });

  it("is refused for what does not exist: a day, a table of prizes, a bet", async () => {
    const refused = { code: 404, data: { reason: "object.unknown" } };
    expect(await get("/fair/log", { key: KEY, from: "99999999-0001" })).toMatchObject(refused);
    expect(await get("/fair/table", { hash: "00".repeat(32) })).toMatchObject(refused);
    expect(await get("/fair/proof", { id: "bet_x" }, mia.token)).toMatchObject(refused);
    expect(await get("/fair/payout", { id: "bet_x" }, mia.token)).toMatchObject(refused);
  });

  it("is the proof of a table of prizes that the log states", async () => {
    await offer(w, prize("none"), points("some", 100));
    const leaf = (await leavesOf(w)).findLast(({ kind }) => kind === "table") as Leaf<"table">;
    const { code, data } = await get("/fair/table", { hash: tableHash(rowsOf(leaf.prizes as Winnable[])) });
    expect([code, parseLeaf(data.leaf)]).toEqual([200, leaf]);
  });

  it("is a member's own leaves, from the first on where no other is asked for", async () => {
    await betSurely(mia, "lot_1", "20260302-0001");
    await w.deps.publicLog.advance();
    const { code, data } = await get("/fair/mine", {}, mia.token);
    expect([code, data.leaves[0]?.number]).toEqual([200, 1]);
    expect(data).toEqual((await get("/fair/mine", { from: "1" }, mia.token)).data);
    expect(data.chain).toMatch(/\n— /);
    const [, second] = data.leaves;
    expect((await get("/fair/mine", { from: "2" }, mia.token)).data.leaves[0]).toEqual(second);
  });
});

describe("the log as files", () => {
  const file = async (path: string) => {
    const { statusCode, headers, rawPayload } = await w.site.app.inject(path);
    return { status: statusCode, caching: headers["cache-control"], bytes: rawPayload };
  };

  it("is not there before its first head", async () => {
    expect(await file("/log/checkpoint")).toMatchObject({ status: 404 });
    expect(await file("/log/tile/0/000.p/1")).toMatchObject({ status: 404 });
    expect(await file("/log/tile/entries/000.p/1")).toMatchObject({ status: 404 });
  });

  it("reaches as far as the newest head, and never changes", async () => {
    await w.deps.publicLog.advance();
    const { size } = (await newestTold(w.deps.db.read))!;
    const forEver = { status: 200, caching: "public, max-age=31536000, immutable" };
    for (const kind of ["0", "entries"]) {
      expect(await file(`/log/tile/${kind}/000.p/${size}`)).toMatchObject(forEver);
      expect(await file(`/log/tile/${kind}/000.p/${size + 1}`)).toMatchObject({ status: 404 });
    }
    expect(await file("/log/tile/1/000.p/1")).toMatchObject({ status: 404 });
    expect((await file(`/log/tile/0/000.p/${size}`)).bytes).toHaveLength(32 * size);
    expect(await file("/log/checkpoint")).toMatchObject({ status: 200, caching: "no-cache" });
    expect(await file("/log/key")).toMatchObject({ status: 200, caching: "no-cache" });
    expect(await file("/log/tile/none")).toMatchObject({ status: 404 });
  });

  it("holds nothing that is numbered and not announced yet, in whichever tile", async () => {
    await w.deps.db.transact(async (tx) => {
      for (let i = 0; i < 300; i++)
        await addLeaf(tx, { kind: "anchor", game: `g${i}`, day: "20260302", anchor: "00".repeat(32) });
    });
    await w.deps.publicLog.advance();
    const beyond = ["/log/tile/entries/001.p/10", "/log/tile/0/001.p/10", "/log/tile/1/000.p/1"];
    const first = "/log/tile/entries/000.p/1";
    const are = async () => Promise.all([...beyond, first].map(async (path) => (await file(path)).status));
    expect(await are()).toEqual([200, 200, 200, 200]);
    const said = (text: string) =>
      withConnection(w.config.database, async (connection) => {
        await unguard(connection);
        await connection.run(text);
      });
    await said("delete from log_heads where size <> (select max(size) from log_heads)");
    await said("update log_heads set size = 265");
    expect(await are()).toEqual([404, 404, 200, 200]);
    await said("update log_heads set size = 255");
    expect(await are()).toEqual([404, 404, 404, 200]);
    await said("update log_heads set announced_at = null");
    expect(await are()).toEqual([404, 404, 404, 404]);
  });

  it("says what is served as the app, where one was built", async () => {
    const known = await builtApp();
    const { status, bytes } = await file("/log/app");
    expect([status, known ? bytes.toString() : null]).toEqual(known ? [200, known.text] : [404, null]);
  });

  it("is described: its names, and what it answers", async () => {
    const { paths } = (await w.site.app.inject("/docs/json")).json<{
      paths: Record<string, { get: { parameters?: unknown[]; responses: object } }>;
    }>();
    const path = Object.keys(paths).find((one) => one.startsWith("/log/tile/"));
    const { parameters, responses } = paths[path!]!.get;
    expect(parameters).toMatchObject([
      { in: "path", required: true, schema: { type: "string", minLength: 1 } },
      { name: "log", in: "query", required: false },
    ]);
    expect(Object.keys(responses)).toContain("200");
    expect(Object.keys(responses)).not.toContain("201");
  });
});
