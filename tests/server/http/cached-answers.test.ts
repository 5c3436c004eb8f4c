import { brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

/** An answer as a browser gets it. */
async function read(token: string, path: string, lang = "en_us"): Promise<unknown> {
  const headers = {
    token: Buffer.from(token).toString("base64"),
    lang,
    "x-data-encoding": "json",
    "accept-encoding": "br",
  };
  const { rawPayload, headers: sent } = await w.site.app.inject({ method: "GET", url: `/api${path}`, headers });
  const bytes = sent["content-encoding"] === "br" ? brotliDecompressSync(rawPayload) : rawPayload;
  return JSON.parse(bytes.toString());
}

const log = (token: string, lang?: string) => read(token, "/member/getMoneylog?limit=50", lang);

describe("a cached answer", () => {
  it("is the caller's own, whoever asked before them", async () => {
    const [mia, leo] = [await w.player("mia_1", { balance: 50 }), await w.player("leo_1", { balance: 70 })];
    const first = [await log(mia.token), await log(leo.token)];
    const again = [await log(mia.token), await log(leo.token)];
    expect(again).toEqual(first);
    expect(JSON.stringify(first[0])).toContain("50.00");
    expect(JSON.stringify(first[0])).not.toContain("70.00");
    expect(JSON.stringify(first[1])).toContain("70.00");
  });

  it("has what was committed before it was asked for", async () => {
    const mia = await w.player("mia_1", { balance: 50 });
    const before = await log(mia.token);
    const gift = { code: "credit", cause: "test:again", memberId: mia.memberId, account: "house:operator" } as const;
    await w.deps.db.transact((tx) => transfer(tx, w.deps, { ...gift, amount: 300 }));
    const after = await log(mia.token);
    expect(after).not.toEqual(before);
    expect(JSON.stringify(after)).toContain("53.00");
  });

  it("is in the caller's language, and ends with their session", async () => {
    const mia = await w.player("mia_1", { balance: 50 });
    expect(await log(mia.token, "ko_kr")).not.toEqual(await log(mia.token, "en_us"));
    expect((await mia.call("/member/doLogout", {})).code).toBe(200);
    expect(await log(mia.token)).toMatchObject({ code: 401 });
  });
});
