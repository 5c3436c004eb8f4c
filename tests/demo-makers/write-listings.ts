/** Writes `cities.json`, `listings.json` and `listing-texts.json` from the words, with the pictures that the rows have: `npx node tests/demo-makers/write-listings.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import type { LocaleCode } from "#shared/locales.ts";
import { completeCodes } from "../support/glossary.ts";
import { CAST, type Person } from "./draw/cast.ts";
import { readWords, type Line, type Texts } from "./words/read.ts";

const names = readWords("names");
const cities = readWords("cities");
const districts = readWords("districts");
const headlines = readWords("headlines");
const offers = readWords("offers");
const [desk] = readWords("desk");
const DEMO = new URL("../../db/demo/", import.meta.url);
/** What was drawn, which `draw/main.ts` notes in the rows. */
const drawn = new Map(
  (JSON.parse(readFileSync(new URL("listings.json", DEMO), "utf8")) as { code: string; pictures: object[] }[]).map(
    ({ code, pictures }) => [code, pictures],
  ),
);

const of = <T>(list: readonly T[], i: number): T => list[i % list.length]!;
const two = (value: number) => String(value).padStart(2, "0");
const inEach = (write: (code: LocaleCode) => string) =>
  Object.fromEntries(completeCodes().map((code) => [code, write(code)]));

/** Birthdays lie between 1984 and 2001. */
const birthdayOf = (i: number) => `${1984 + ((i * 11) % 18)}-${two(1 + ((i * 7) % 12))}-${two(1 + ((i * 13) % 28))}`;

function offersOf({ scene }: Person, i: number): Texts[] {
  const own = offers.filter(({ key }) => key === scene);
  const any = offers.filter(({ key }) => key === "any");
  const first = [0, 1, 2].map((step) => of(own, i + step)).slice(0, 1 + (i % 2) + (i % 3 === 0 ? 1 : 0));
  return [...first, of(any, i)].map(({ texts }) => texts);
}

/** A desk of the city's agency, never a home. */
function deskOf(agency: Line, district: Line, n: number) {
  return inEach((code) =>
    desk!.texts[code]
      .replace("{n}", String(n))
      .replace("{agency}", agency.key)
      .replace("{district}", district.texts[code])
      .replace("{city}", agency.texts[code]),
  );
}

/** What several listings say alike is written once, and they give its place. */
const said: Texts[] = [];
const placeOf = (texts: Texts) => (said.includes(texts) ? said.indexOf(texts) : said.push(texts) - 1);

function writeListing(person: Person, i: number) {
  const seat = Math.floor(i / cities.length);
  const agency = cities[person.city]!;
  const district = of(
    districts.filter(({ key }) => key === String(person.city)),
    seat * 3 + person.city,
  );
  const own = headlines.filter(({ key }) => key === person.scene);
  const him = person.portrait.build === "broad";
  const measured = person.scene === "promenade" || person.scene === "rooftop" || person.scene === "gala";
  return {
    code: person.code,
    city: person.city,
    name: names[person.line]!.texts,
    headline: placeOf(of(own, seat + person.city).texts),
    district: placeOf(district.texts),
    birthday: birthdayOf(i),
    height: him ? 174 + ((i * 5) % 14) : 160 + ((i * 7) % 18),
    chest: measured ? (him ? 94 + (i % 7) : 82 + (i % 8)) : null,
    price: 300 + ((i * 17) % 25) * 50,
    address: deskOf(agency, district, seat + 1),
    contact: `desk${seat + 1}@${agency.key.toLowerCase()}.example`,
    service: offersOf(person, i).map(placeOf),
    pictures: drawn.get(person.code),
  };
}

/** One line a row: printed for people, the file would weigh a third more. */
function write(name: string, value: unknown): void {
  const text = Array.isArray(value)
    ? `[\n${value.map((row) => JSON.stringify(row)).join(",\n")}\n]`
    : JSON.stringify(value, null, 2);
  writeFileSync(new URL(name, DEMO), `${text}\n`);
}

write(
  "cities.json",
  cities.map(({ texts }) => ({ name: texts })),
);
// A step through them that leaves no city and no seat out: neighbours in the list differ in both.
write(
  "listings.json",
  CAST.map(writeListing).map((_, i, all) => all[(i * 7) % all.length]!),
);
write("listing-texts.json", said);
