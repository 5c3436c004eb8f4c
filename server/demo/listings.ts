import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { asc, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { DEMO_COMMENTERS } from "#db/demo/comments.ts";
import { cities, comments, listings } from "#db/schema/listing.ts";
import { tagOf, type LocalText } from "#shared/locales.ts";
import { fromUnits } from "#shared/money.ts";
import type { Picture } from "#shared/picture.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import type { Deps } from "#server/app/deps.ts";
import { insertListings, type NewListing } from "#server/domains/listing/save-listings.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { filesOf } from "#server/pictures/store.ts";

const FOLDER = new URL("../../db/demo/", import.meta.url);
/** Files that are copied at once. */
const TOGETHER = 16;
/** Nobody has more of the voices than this, and some have none. */
const MOST_COMMENTS = 4;

interface DemoListing {
  code: string;
  /** Which of the cities, from 0. */
  city: number;
  name: LocalText;
  headline: LocalText;
  district: LocalText;
  birthday: string;
  height: number;
  chest: number | null;
  /** Whole units. */
  price: number;
  address: LocalText;
  contact: string;
  service: LocalText[];
  pictures: { file: string; widths: number[]; ratio: number; blur: string }[];
}

/** The same as it is written: what several say alike is a place in `listing-texts.json`. */
type WrittenListing = Omit<DemoListing, "headline" | "district" | "service"> & {
  headline: number;
  district: number;
  service: number[];
};

export interface DemoListings {
  cities: { name: LocalText }[];
  listings: DemoListing[];
}

/** The demo's invented listings and their cities; none without their files. */
export function readDemoListings(): DemoListings {
  const texts = readJson<LocalText>("listing-texts");
  const whole = ({ headline, district, service, ...rest }: WrittenListing): DemoListing => ({
    ...rest,
    headline: texts[headline]!,
    district: texts[district]!,
    service: service.map((place) => texts[place]!),
  });
  return { cities: readJson("cities"), listings: readJson<WrittenListing>("listings").map(whole) };
}

function readJson<T>(name: string): T[] {
  const file = new URL(`${name}.json`, FOLDER);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T[]) : [];
}

/** Each listing has its pictures to itself, even where several were made of one file: it takes them along when it goes. */
const picturesOf = ({ code, pictures }: Pick<DemoListing, "code" | "pictures">): Picture[] =>
  pictures.map(({ widths, ratio, blur }, i) => ({
    name: `/files/pictures/demo/${code}-${i + 1}`,
    widths,
    ratio,
    blur,
  }));

/** Stores the demo's AVIF pictures; the storage makes WebP of them (withWebp). */
export async function storeDemoPictures({ storage }: Pick<Deps, "storage">, demo: DemoListings): Promise<void> {
  const files = demo.listings.flatMap((listing) =>
    picturesOf(listing).flatMap((picture, i) =>
      filesOf(picture)
        .filter((name) => name.endsWith(".avif"))
        .map((name) => ({ name, from: `${listing.pictures[i]!.file}${/-\d+\.avif$/.exec(name)![0]}` })),
    ),
  );
  for (let first = 0; first < files.length; first += TOGETHER) {
    await Promise.all(files.slice(first, first + TOGETHER).map(copy));
  }

  async function copy({ name, from }: { name: string; from: string }): Promise<void> {
    await storage.put(name, await readFile(new URL(`pictures/${from}`, FOLDER)));
  }
}

/** Writes cities, listings and what the demo's voices say of them; their words are indexed afterwards. */
export async function seedListings(tx: Tx, { clock }: Pick<Deps, "clock">, demo: DemoListings): Promise<void> {
  if (demo.cities.length === 0 || demo.listings.length === 0) return;
  const now = clock.now();
  const rows = demo.cities.map(({ name }, position) => ({ name, position: position + 1 }));
  const cityIds = await tx.insert(cities).values(rows).returning({ id: cities.id });
  await insertListings(
    tx,
    demo.listings.map((listing) => listingOf(listing, cityIds[listing.city]!.id)),
    now,
  );
  await seedComments(tx, now);
}

function listingOf({ height, chest, price, pictures, ...rest }: DemoListing, cityId: number): NewListing {
  const { code, name, headline, district, birthday, address, contact, service } = rest;
  const rows = { code, name, headline, district, birthday, address, contact, service };
  const measured = { heightCm: height, chestCm: chest, price: fromUnits(price) };
  return { ...rows, ...measured, cityId, pictures: picturesOf({ code, pictures }), demo: true };
}

async function seedComments(tx: Tx, now: number): Promise<void> {
  const voices: { memberId: number; lang: string; texts: string[] }[] = [];
  for (const { username, locale, texts } of DEMO_COMMENTERS) {
    const memberId = await addMember(tx, { username, passwordHash: null, demo: true }, now);
    voices.push({ memberId, lang: tagOf(locale), texts });
  }
  const shown = await tx.select({ id: listings.id }).from(listings).orderBy(asc(listings.id));
  const rows = shown.flatMap(({ id }, i) =>
    Array.from({ length: i % (MOST_COMMENTS + 1) }, (_, k) => {
      const { memberId, lang, texts } = voices[(i + k) % voices.length]!;
      const createdAt = now - ((i * 7 + k * 11) % 60) * DAY_MS - k * HOUR_MS;
      return {
        listingId: id,
        memberId,
        text: texts[(i + k) % texts.length]!,
        lang,
        hearts: 6 - ((i + 2 * k) % 3),
        createdAt,
      };
    }),
  );
  const oldestFirst = rows.toSorted((a, b) => a.createdAt - b.createdAt);
  if (rows.length > 0) await tx.insert(comments).values(oldestFirst.map((comment) => ({ ...comment, shown: true })));
  await countComments(tx);
}

/** The same totals as if the operator had shown each comment. */
async function countComments(tx: Tx): Promise<void> {
  const ofListing = sql`from ${comments} where ${comments.listingId} = ${listings.id} and ${comments.shown}`;
  await tx.update(listings).set({
    commentCount: sql`(select count(*) ${ofListing})`,
    heartsSum: sql`(select coalesce(sum(hearts), 0) ${ofListing})`,
    heartsMean: sql`(select coalesce((sum(hearts) * 200 + count(*)) / (count(*) * 2), 0) ${ofListing})`,
  });
}
