import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Refused } from "#server/admin/command.ts";
import { listingImport } from "#server/admin/listing/import.ts";
import { START, world, type World } from "../../support/world.ts";
import { ask, everything, operate } from "../admin/operate.ts";
import { allListings, city, read } from "./listing-world.ts";

let w: World;
let folder: string;
let outside: string;
let before: unknown;

const row = (over: object = {}) => ({
  code: "m-1",
  city: "Hanoi",
  name: { en_us: "Ann", ko_kr: "안나" },
  headline: "Hosts",
  district: "Old town",
  birthday: "2000-02-29",
  height: 170,
  price: 500,
  address: "1 Secret street",
  contact: "x@example.org",
  service: ["Hosting"],
  pictures: ["a.png"],
  consent: true,
  ...over,
});

beforeAll(async () => {
  w = await world();
  await city(w, { en_us: "Hanoi", vn_vn: "Hà Nội" });
  folder = join(w.folder, "import");
  outside = join(w.folder, "outside");
  mkdirSync(join(folder, "deep"), { recursive: true });
  mkdirSync(outside);
  const png = await sharp({ create: { width: 700, height: 900, channels: 3, background: "#a52" } })
    .png()
    .toBuffer();
  for (const name of ["a.png", "deep/b.png"]) writeFileSync(join(folder, name), png);
  writeFileSync(join(outside, "o.png"), png);
  writeFileSync(join(folder, "broken.png"), png.subarray(0, 200));
  writeFileSync(join(folder, "text.png"), "no picture");
  writeFileSync(join(folder, "huge.png"), "");
  truncateSync(join(folder, "huge.png"), 100 * 1_048_576);
  symlinkSync(join(outside, "o.png"), join(folder, "link.png"));
  symlinkSync(outside, join(folder, "away"));
  symlinkSync(join(folder, "a.png"), join(folder, "inside.png"));
});
afterAll(() => w.close());

let files = 0;
const fileOf = (content: unknown, name = `f${++files}.json`) => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};
/** Runs the command in this process, with the server's own clock. */
const run = (file: string) =>
  listingImport.run({ ...w.deps, config: w.config }, { args: { "FILE.json": file }, options: {} });
const refusalOf = async (file: string): Promise<string> => {
  const error = await run(file).then(
    () => null,
    (refused: Error) => refused,
  );
  expect(error).toBeInstanceOf(Refused);
  return error!.message;
};
const stored = () => {
  const all = readdirSync(w.config.filesDir, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
};
const state = async () => ({ rows: await everything(w), files: stored().sort() });

describe("an import", () => {
  it("adds the file's listings, with re-encoded pictures, and readers see them within a second", async () => {
    const file = fileOf([row(), row({ code: "m-2", city: "cty_1", chest: 90, pictures: ["a.png", "deep/b.png"] })]);
    const answer = await ask(w, "listing:import", file);
    expect(answer).toEqual({ ok: true, added: 2, updated: 0, pictures: 3 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { list } = await read(w, "/nHomeList", { q: "안" });
    expect(list).toHaveLength(2);
    expect([list[1]!.id, list[1]!.price, list[1]!.img_shape!.widths]).toEqual(["lst_1", "500.00", [320, 640, 700]]);
    expect(list[1]!.img_shape!.ratio).toBeCloseTo(9 / 7, 2);
    const served = await w.site.app.inject({ url: list[1]!.img });
    expect([served.statusCode, served.headers["content-type"]]).toEqual([200, "image/webp"]);
    expect(stored()).toHaveLength(3 * 3 * 2);
  });

  it("of a known code updates it, and leaves omitted fields as they are", async () => {
    const [old] = await allListings(w);
    const file = fileOf([row({ name: "Bea", price: 700, pictures: [] })]);
    expect(await ask(w, "listing:import", file)).toMatchObject({ added: 0, updated: 1 });
    const [now, second] = await allListings(w);
    expect(now).toEqual({ ...old, name: "Bea", price: 70_000, pictures: [] });
    await w.site.relay.wake();
    const found = async (q: string) => (await read(w, "/nHomeList", { q })).count;
    expect([await found("bea"), await found("ann")]).toEqual([1, 1]);
    expect(stored()).toHaveLength(second!.pictures.length * 6);
  });

  it("is described by a JSON Schema in its help", async () => {
    const { out, exit } = await operate(w, "listing:import", "--help");
    const schema = JSON.parse(out.slice(out.indexOf("{\n"))) as { items: { required: string[] } };
    expect(exit).toBe(0);
    expect(schema.items.required).toEqual(expect.arrayContaining(["code", "birthday", "consent", "contact"]));
  });
});

describe("an import is refused whole, rows and pictures, and names the place", () => {
  beforeEach(async () => {
    before = await state();
  });

  async function reasonOf(content: unknown): Promise<string> {
    const answer = await refusalOf(fileOf(content));
    expect(await state()).toEqual(before);
    return answer;
  }
  /** The second of two rows; the first is right and has a picture. */
  const second = (over: object) => [row({ code: "new-1" }), row({ code: "new-2", ...over })];

  it.each<[string, object]>([
    ["consent", { consent: false }],
    ["consent", { consent: undefined }],
    ["consent", { consent: "true" }],
    ["birthday", { birthday: undefined }],
    ["birthday", { birthday: "2001-02-29" }],
    ["birthday", { birthday: "31.12.1999" }],
    ["birthday", { birthday: youngest(-1) }],
    ["city", { city: "Atlantis" }],
    ["city", { city: "cty_99" }],
    ["price", { price: 1.5 }],
    ["price", { price: "500" }],
    ["price", { price: 0 }],
    ["height", { height: 1.7 }],
    ["code", { code: "new-1" }],
    ["code", { code: "no spaces" }],
    ["name", { name: {} }],
    ["name", { name: { tlh: "x" } }],
    ["pictures.0", { pictures: ["../outside/o.png"] }],
    ["pictures.0", { pictures: ["/etc/hostname"] }],
    ["pictures.1", { pictures: ["a.png", "link.png"] }],
    ["pictures.0", { pictures: ["inside.png"] }],
    ["pictures.0", { pictures: ["away/o.png"] }],
    ["pictures.0", { pictures: ["deep/../../outside/o.png"] }],
    ["pictures.0", { pictures: ["deep"] }],
    ["pictures.0", { pictures: ["none.png"] }],
    ["pictures.1", { pictures: ["a.png", "broken.png"] }],
    ["pictures.1", { pictures: ["a.png", "text.png"] }],
    ["pictures.1", { pictures: ["a.png", "huge.png"] }],
    ["surprise", { surprise: 1 }],
  ])("for %s: %j", async (field, over) => {
    expect(await reasonOf(second(over))).toContain(`row 2, ${field}: `);
  });

  it("for a file that is truncated, is no list, is empty, or has too many rows", async () => {
    expect(await reasonOf(JSON.stringify([row()]).slice(0, -20))).toContain("not valid JSON");
    expect(await reasonOf({ rows: [] })).toContain("the file: ");
    expect(await reasonOf([])).toContain("the file: ");
    expect(await reasonOf("")).toContain("not valid JSON");
    const many = Array.from({ length: 1_001 }, (_, i) => row({ code: `m-${i + 10}`, pictures: [] }));
    expect(await reasonOf(many)).toContain("the file: ");
  });

  it("for a file of 100 MB, without reading it, and for a path that is no file", async () => {
    const huge = join(folder, "huge.json");
    writeFileSync(huge, "[");
    truncateSync(huge, 100 * 1_048_576);
    for (const file of [huge, folder, "/dev/zero", join(folder, "none.json")]) await refusalOf(file);
    expect((await operate(w, "listing:import", huge)).exit).toBe(1);
    expect(await state()).toEqual(before);
  });

  it("but not for a host who turned 18 today", async () => {
    const file = fileOf([row({ code: "new-3", birthday: youngest(0), pictures: [] })]);
    expect((await run(file)).json).toMatchObject({ added: 1 });
  });
});

/** The birthday of a host who turns 18 on the server's first day, or so many days earlier. */
function youngest(days: number): string {
  const day = new Date(START - days * 86_400_000);
  day.setUTCFullYear(day.getUTCFullYear() - 18);
  return day.toISOString().slice(0, 10);
}
