import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pictureFile } from "#shared/picture.ts";
import { world, type World } from "../../support/world.ts";
import { mediaFilesOf, type MadeVideo } from "../video/video-world.ts";
import { operate } from "./operate.ts";
import { auditOf, furnish, lacking, storedAs } from "./stored-ground.ts";

let w: World;
let there: Awaited<ReturnType<typeof furnish>>;

beforeAll(async () => {
  w = await world();
  there = await furnish(w);
});
afterAll(() => w.close());

const partsOf = (film: MadeVideo) => ({
  init: film.renditions[0]!.init,
  segment: film.renditions[1]!.segments[9]!.name,
  strip: film.strip,
  captions: film.captions,
  poster: film.poster[0]!,
});

describe("the audit of the files", () => {
  it("finds no problem where every file is in its place, and counts them", async () => {
    const { ok, files, problems } = await auditOf(w);
    expect([ok, problems]).toEqual([true, []]);
    // An avatar and an unused picture, a listing's two widths, five addresses, and the video's own.
    expect(files).toBe(2 + 2 * there.shown.widths.length + 5 + mediaFilesOf(there.film).length);
  });

  it.each([
    ["worn", "the avatar of member mia_1", "ask the member to choose another"],
    ["unused", "upload 2 of member 1", "leave it, for a picture that is not used goes after a day"],
    ["banner", "banner 1", "add the banner again (banner:add)"],
    ["won", "prize one", "set another picture (prize:set)"],
    ["former", "wheel table 1", "leave it: old wins are then shown without a picture"],
    ["linked", "notice ntc_1", "put up another (notice:add)"],
    ["logo", "setting ico", "set another (setting:set ico)"],
  ])("names what lacks its file, and the next step: %s", async (which, of, mend) => {
    const file = { ...there.named, worn: there.worn, unused: there.unused }[which]!;
    // A WebP alone would be made again from its AVIF.
    const lost = file.startsWith("pictures/") ? [file.replace(/webp$/, "avif"), file] : [file];
    const { ok, problems } = await lost.reduceRight(
      (audit, one) => () => lacking(w, one, audit),
      () => auditOf(w),
    )();
    const says = `${of}: its file ${file} is not in the storage; restore the files from their backup, or ${mend}`;
    expect([ok, problems]).toEqual([false, [says]]);
  });

  it("wants a listing's pictures in every width, of which each WebP can be made again", async () => {
    for (const width of there.shown.widths) {
      const [avif, webp] = (["avif", "webp"] as const).map((one) =>
        storedAs(pictureFile(there.shown.name, width, one)),
      );
      const { problems } = await lacking(w, avif!, () => auditOf(w));
      expect(problems).toEqual([expect.stringMatching(`^listing elf-1: its file ${avif} is not .*listing:import`)]);
      expect((await lacking(w, webp!, () => auditOf(w))).problems).toEqual([]);
    }
  });

  it.each(["init", "segment", "strip", "captions", "poster"] as const)("requires a video's %s", async (part) => {
    const file = `${there.film.folder}/${partsOf(there.film)[part]}`;
    const { problems } = await lacking(w, file, () => auditOf(w));
    expect(problems).toEqual([expect.stringMatching(`^video vid_1: its file ${file} is not .*video:import`)]);
  });

  it("says in one sentence how many files a video lacks, in words too, and exits with 1", async () => {
    const { folder, renditions } = there.film;
    const { segments } = renditions[0]!;
    const [first, last] = [segments[0]!, segments.at(-1)!].map(({ name }) => `${folder}/${name}`) as [string, string];
    const { exit, out } = await lacking(w, first, () => lacking(w, last, () => operate(w, "audit")));
    const all = mediaFilesOf(there.film).length;
    const says = `video vid_1: 2 of its ${all} files are not in the storage, the first is ${first};`;
    expect([exit, out]).toEqual([1, expect.stringContaining(`What does not match:\n- ${says}`)]);
    expect(out).toMatch(/, \d+ files\.\n/);
    expect(await auditOf(w)).toMatchObject({ ok: true });
  });

  it("is skipped when only the database is to be audited", async () => {
    const report = await lacking(w, there.worn, () => auditOf(w, {}, "database"));
    expect([report.ok, "files" in report]).toEqual([true, false]);
    const wrong = await operate(w, "audit", "--only", "files");
    expect([wrong.exit, wrong.err]).toEqual([2, "--only takes nothing but database\n"]);
  });
});
