import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { banners } from "#db/schema/site.ts";
import { videos } from "#db/schema/video.ts";
import { seedDemo } from "#server/demo/seed.ts";
import { storePicture } from "#server/pictures/store.ts";
import type { Storage } from "#server/storage/storage.ts";
import { pictureFile } from "#shared/picture.ts";
import { pngOf } from "../../support/pictures.ts";
import { S3Server } from "../../support/s3-server.ts";
import { world, type World } from "../../support/world.ts";
import { city, listing, save } from "../listing/listing-world.ts";
import { category, mediaFilesOf, video } from "../video/video-world.ts";
import { auditOf, storedAs } from "./stored-ground.ts";

let w: World;

beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

describe("the audit of the files beside a running server", () => {
  /** A storage with an event before or after its first listing. */
  function meanwhile(when: "before" | "after", work: () => Promise<unknown>): Storage {
    const { storage } = w.deps;
    let todo: typeof work | null = work;
    const now = async () => {
      const once = todo;
      todo = null;
      await once?.();
    };
    return {
      ...storage,
      async list(folder) {
        if (when === "before") await now();
        const names = await storage.list(folder);
        await now();
        return names;
      },
    };
  }
  const keep = async (seed: number) => storePicture(w.deps, await pngOf(64, 48, seed));

  it("reports no video that is removed meanwhile", async () => {
    await category(w, "sea");
    const { id, folder } = await video(w);
    const remove = async () => {
      await w.deps.db.transact((tx) => tx.delete(videos).where(eq(videos.id, id)));
      await w.deps.storage.remove(`${folder}/`);
    };
    expect(await auditOf(w, { storage: meanwhile("before", remove) })).toMatchObject({ ok: true, problems: [] });
    expect(await w.deps.storage.list(folder)).toEqual([]);
  });

  it("reports no file that is added to a folder it has already read", async () => {
    await city(w, "Seoul");
    const pictures = [await keep(1)];
    await save(w, ...Array.from({ length: 16 }, (_, i) => listing(`elf-${i}`, { pictures })));
    const come = async () => {
      const url = pictureFile((await keep(2)).name, 64, "webp");
      await w.deps.db.transact((tx) => tx.insert(banners).values({ url, link: "/Home", position: 1 }));
    };
    const { files, problems } = await auditOf(w, { storage: meanwhile("after", come) });
    expect([files, problems]).toEqual([16 * 2 + 1, []]);
  });

  it("still reports missing files", async () => {
    await city(w, "Seoul");
    const picture = await keep(1);
    await save(w, listing("elf-1", { pictures: [picture] }));
    const lost = storedAs(pictureFile(picture.name, 64, "avif"));
    const remove = () => w.deps.storage.remove(lost);
    const { problems } = await auditOf(w, { storage: meanwhile("before", remove) });
    expect(problems).toEqual([expect.stringContaining(lost)]);
  });
});

describe("the audit of the demo", () => {
  it("finds all its pictures and videos, and misses a removed one, with the WebP to be made of it", async () => {
    await seedDemo(w.deps);
    expect(await auditOf(w)).toMatchObject({ ok: true, files: 870, problems: [] });
    const [lost] = await w.deps.storage.list("pictures/demo");
    await w.deps.storage.remove(lost!);
    const { problems } = await auditOf(w);
    expect(problems).toContainEqual(
      expect.stringContaining(`2 of its 10 files are not in the storage, the first is ${lost}`),
    );
  });
});

describe("the audit of files in a bucket", () => {
  it("reads the bucket, and says so when it cannot", async () => {
    const s3 = await S3Server.start();
    const far = await world({ env: s3.env() });
    await category(far, "sea");
    const film = await video(far);
    expect(await auditOf(far)).toMatchObject({ ok: true, files: mediaFilesOf(film).length });
    await far.deps.storage.remove(`${film.folder}/${film.strip}`);
    expect((await auditOf(far)).problems).toEqual([expect.stringContaining(film.strip)]);
    s3.trouble = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    expect((await auditOf(far)).problems).toEqual([
      expect.stringMatching(/^the files could not be checked: .*HTTP 503/),
    ]);
    await far.close();
    await s3.close();
  });
});
