import { afterAll, beforeAll, expect, it } from "vitest";
import { banners } from "#db/schema/site.ts";
import { setSetting } from "#server/domains/site/set-setting.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.close());

const linkOf = async (url: string) =>
  (await w.site.app.inject({ url, headers: { accept: "text/html" } })).headers["link"];
const hint = (url: string) => `<${url}>; rel=preload; as=image; fetchpriority=high`;

it("is named in the head of Home's page, as soon as there is one", async () => {
  expect(await linkOf("/Home")).toBeUndefined();
  const rows = [2, 1].map((position) => ({ url: `/pictures/banner ${position}.webp`, link: "/Home", position }));
  await w.deps.db.transact((tx) => tx.insert(banners).values(rows));
  await expect.poll(() => linkOf("/Home")).toBe(hint("/pictures/banner%201.webp"));
  expect(await linkOf("/?from=a-friend")).toBe(hint("/pictures/banner%201.webp"));
  expect(await linkOf("/Video")).toBeUndefined();
});

it("is not named where guests see the login, and not after it was taken away", async () => {
  await w.deps.db.transact((tx) => setSetting(tx, w.deps, "video_login", "1"));
  await expect.poll(() => linkOf("/Home")).toBeUndefined();
  await w.deps.db.transact((tx) => setSetting(tx, w.deps, "video_login", "0"));
  await expect.poll(() => linkOf("/Home")).toBe(hint("/pictures/banner%201.webp"));
  await w.deps.db.transact((tx) => tx.delete(banners));
  await expect.poll(() => linkOf("/Home")).toBeUndefined();
});
