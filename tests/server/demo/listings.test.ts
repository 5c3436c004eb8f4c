import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { thumbHashToAverageRGBA, thumbHashToRGBA } from "thumbhash";
import { describe, expect, it } from "vitest";
import { readDemoListings } from "#server/demo/listings.ts";
import { localText, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { completeCodes } from "../../support/glossary.ts";
import { ROOT } from "../../support/source-files.ts";

const PICTURES = join(ROOT, "db/demo/pictures");
const MOST_BYTES = 2_200_000;
/** No host in the demo is younger, on the first day of 2026. */
const LEAST_YEARS = 21;

const { cities, listings } = readDemoListings();
const codes = completeCodes();
const pictures = listings.flatMap((listing) => listing.pictures);
const names = [...new Set(pictures.flatMap(({ file, widths }) => widths.map((w) => `${file}-${w}.avif`)))];

const texts: [string, LocalText][] = [
  ...cities.map(({ name }, i): [string, LocalText] => [`city ${i}`, name]),
  ...listings.flatMap(({ code, name, headline, district, address, service }) =>
    [name, headline, district, address, ...service].map((text, i): [string, LocalText] => [`${code} ${i}`, text]),
  ),
];
const yearsAt2026 = (birthday: string) => 2026 - Number(birthday.slice(0, 4)) - (birthday.slice(5) > "01-01" ? 1 : 0);

const isWhole = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;

/** A text in these languages has at least one of these letters. */
const SCRIPTS = {
  ko_kr: /\p{scx=Hangul}/u,
  ja_ja: /[\p{scx=Han}\p{scx=Kana}]/u,
  zh_cn: /\p{scx=Han}/u,
  "zh-tw": /\p{scx=Han}/u,
  th_th: /\p{scx=Thai}/u,
  ru_ru: /\p{scx=Cyrl}/u,
} satisfies Partial<Record<LocaleCode, RegExp>>;

describe("the listings of the demo", () => {
  it("are sixty, ten in each of six cities, each with its own code and name", () => {
    expect(cities).toHaveLength(6);
    const perCity = cities.map((_, i) => listings.filter(({ city }) => city === i).length);
    expect(perCity).toEqual([10, 10, 10, 10, 10, 10]);
    expect(new Set(listings.map(({ code }) => code)).size).toBe(60);
    const called = codes.map((locale) => new Set(listings.map(({ name }) => localText(name, locale))).size);
    expect(called).toEqual(codes.map(() => 60));
  });

  it("have all texts in every complete language, and no placeholder left", () => {
    const lacking = texts.filter(
      ([, text]) => typeof text === "string" || codes.some((code) => !text[code]?.trim() || /[{}|]/.test(text[code])),
    );
    expect(lacking.map(([of]) => of)).toEqual([]);
  });

  it("are written in the script of each language", () => {
    const foreign = texts.flatMap(([of, text]) =>
      Object.entries(SCRIPTS)
        .filter(([code, script]) => !script.test(localText(text, code as LocaleCode)))
        .map(([code]) => `${of} ${code}`),
    );
    expect(foreign).toEqual([]);
  });

  it("are of adults", () => {
    const young = listings.filter(({ birthday }) => !(yearsAt2026(birthday) >= LEAST_YEARS));
    expect(young.map(({ code }) => code)).toEqual([]);
    expect(listings.every(({ birthday }) => new Date(birthday).toISOString().startsWith(birthday))).toBe(true);
  });

  it("have plausible measures and whole prices", () => {
    const odd = listings.filter(
      ({ height, chest, price, service }) =>
        !isWhole(height, 150, 200) ||
        !isWhole(chest ?? 80, 75, 110) ||
        !isWhole(price, 100, 5_000) ||
        !isWhole(service.length, 2, 4),
    );
    expect(odd.map(({ code }) => code)).toEqual([]);
  });

  it("have the contact of an agency that does not exist", () => {
    const elsewhere = listings.filter(
      ({ contact, address }) =>
        !/^desk\d+@[a-z]+\.example$/.test(contact) ||
        !/^Desk \d+, .+ Agency, .+ \(demo\)$/.test(localText(address, "en_us")),
    );
    expect(elsewhere.map(({ code }) => code)).toEqual([]);
    expect(new Set(listings.map(({ contact }) => contact)).size).toBe(60);
  });
});

describe("the pictures of the demo", () => {
  it("are five for each listing, no two alike, upright: two of the person, and three places of their city", () => {
    const files = listings.map((listing) => listing.pictures.map(({ file }) => file));
    expect(files.filter((own) => new Set(own).size !== 5)).toEqual([]);
    expect(new Set(files.flatMap((own) => own.slice(0, 2))).size).toBe(120);
    const cityOf = (file: string) => Number(/^place-(\d)-/.exec(file)?.[1]);
    const places = listings.map(({ city, pictures: own }) => own.slice(2).filter(({ file }) => cityOf(file) === city));
    expect(places.every((own) => own.length === 3)).toBe(true);
    expect(new Set(pictures.map(({ widths }) => widths.join())).size).toBe(1);
    expect(pictures[0]!.widths).toEqual([720]);
    expect(pictures.filter(({ ratio }) => Math.abs(ratio - 4 / 3) > 0.005)).toEqual([]);
  });

  it("exist in all widths as AVIF, and nothing beside them", () => {
    expect(readdirSync(PICTURES).sort()).toEqual(names.toSorted());
  });

  it("are small enough for a slow connection", () => {
    const sizes = names.map((name) => statSync(join(PICTURES, name)).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(40_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES);
  });

  it("match their names", async () => {
    for (const name of names.filter((_, i) => i % 24 === i % 7)) {
      const { format, width } = await sharp(readFileSync(join(PICTURES, name))).metadata();
      expect(`${width}.${format === "heif" ? "avif" : format}`).toBe(name.split("-").at(-1));
    }
  });

  it("have a blurred preview that decodes, upright and opaque", () => {
    const odd = pictures.filter(({ blur }) => {
      const bytes = Buffer.from(blur, "base64");
      const { w, h } = thumbHashToRGBA(bytes);
      return h <= w || thumbHashToAverageRGBA(bytes).a !== 1;
    });
    expect(odd.map(({ file }) => file)).toEqual([]);
  });
});
