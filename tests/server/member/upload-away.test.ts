import { afterEach, beforeEach, expect, it } from "vitest";
import { uploads } from "#db/schema/upload.ts";
import { MOST_A_DAY } from "#server/domains/account/sent-picture.ts";
import { PicturesAway } from "#server/pictures/away.ts";
import { fileOf, pngOf } from "../../support/pictures.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

it("a picture that no process can look at now is asked for later, and costs no try", async () => {
  const mia = await w.player("mia_1");
  const file = fileOf(await pngOf(8, 8));
  const bring = () => mia.call("/system/uploadimg", { file });
  const { encodePicture } = w.deps;
  w.deps.encodePicture = () => Promise.reject(new PicturesAway("no process"));
  for (let times = 0; times <= MOST_A_DAY; times++) {
    const { status, data, headers } = await bring();
    expect([status, data, headers["retry-after"]]).toEqual([503, { reason: "server.away" }, "1"]);
  }
  expect(await w.deps.db.read.select().from(uploads)).toEqual([]);
  w.deps.encodePicture = encodePicture;
  expect((await bring()).code).toBe(200);
});
