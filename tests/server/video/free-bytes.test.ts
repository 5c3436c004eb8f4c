import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { world, type World } from "../../support/world.ts";
import { activePlayer, category, fetchMedia, FREE, playing, video, type MadeVideo } from "./video-world.ts";

let w: World;
let film: MadeVideo;

beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  film = await video(w);
});
afterAll(() => w.close());

async function stored(name: string): Promise<Buffer> {
  const found = await w.deps.storage.find(`${film.folder}/${name}`);
  const pieces: Buffer[] = [];
  for await (const piece of found!.pieces()) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

describe("what the gate sends", () => {
  it("to a guest is each free file, byte by byte, and to a member the strip too", async () => {
    const guest = await playing(w, film.id);
    for (const { init, segments } of film.renditions)
      for (const name of [init, ...segments.slice(0, FREE).map((one) => one.name)])
        expect((await fetchMedia(w, guest + name)).bytes).toEqual(await stored(name));
    const member = await playing(w, film.id, (await activePlayer(w, "mia_1")).token);
    const strip = await fetchMedia(w, member + film.strip);
    expect([strip.headers["content-type"], strip.text]).toEqual(["image/jpeg", "frames"]);
  });

  it("to the refused is nothing, and says so", async () => {
    const guest = await playing(w, film.id);
    const late = film.renditions[0]!.segments[FREE]!.name;
    for (const method of ["GET", "HEAD"] as const) {
      const { status, headers, bytes } = await fetchMedia(w, guest + late, {}, method);
      expect([status, headers["content-length"], bytes.length]).toEqual([403, "0", 0]);
      expect(headers).not.toHaveProperty("etag");
    }
  });

  it("of a file that is gone is a refusal like any other", async () => {
    const guest = await playing(w, film.id);
    const { name } = film.renditions[1]!.segments[1]!;
    await w.deps.storage.remove(`${film.folder}/${name}`);
    expect((await fetchMedia(w, guest + name)).status).toBe(403);
  });
});
