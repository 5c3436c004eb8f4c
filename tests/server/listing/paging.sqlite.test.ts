import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { countQuery, placeQueries } from "#server/domains/listing/sorted-places.ts";
import { SORTS, type Sort } from "#shared/contract/listing.ts";
import { fromUnits } from "#shared/money.ts";
import { world, type World } from "../../support/world.ts";
import { change, city, listing, read, save } from "./listing-world.ts";

interface Model {
  id: number;
  cityId: number;
  units: number;
  height: number;
  hearts: number;
  paused: boolean;
}

let w: World;
let model: Model[];

beforeAll(async () => {
  w = await world();
  await city(w, "Hanoi");
  await city(w, "Seoul");
  const random = fc.sample(
    fc.record({
      cityId: fc.integer({ min: 1, max: 2 }),
      // Few of each, so that many are equal.
      units: fc.integer({ min: 1, max: 6 }),
      height: fc.integer({ min: 150, max: 190 }),
      hearts: fc.constantFrom(0, 0, 0, 300, 350, 600),
      paused: fc.constantFrom(false, false, false, true),
    }),
    { numRuns: 120, seed: 26 },
  );
  model = random.map((row, i) => ({ id: i + 1, ...row }));
  const rows = model.map(({ id, cityId, units, height, hearts, paused }) => ({
    ...listing(`c${id}`, { cityId, price: fromUnits(units), heightCm: height }),
    heartsMean: hearts,
    paused,
  }));
  await save(w, ...rows);
});
afterAll(() => w.close());

const SIGN: Record<Sort, (a: Model, b: Model) => number> = {
  newest: (a, b) => b.id - a.id,
  price: (a, b) => a.units - b.units || a.id - b.id,
  price_desc: (a, b) => b.units - a.units || b.id - a.id,
  hearts: (a, b) => b.hearts - a.hearts || b.id - a.id,
};

interface Asked {
  sort: Sort;
  city?: number | undefined;
  price_min?: number | undefined;
  price_max?: number | undefined;
  height_min?: number | undefined;
}

const expected = ({ sort, city: cityId, price_min = 0, price_max = 99, height_min = 0 }: Asked) =>
  model
    .filter((row) => !row.paused && (cityId === undefined || row.cityId === cityId))
    .filter(({ units, height }) => units >= price_min && units <= price_max && height >= height_min)
    .sort(SIGN[sort])
    .map(({ id }) => `lst_${id}`);

async function page(asked: Asked, page: number, limit: number) {
  const { city: cityId, ...rest } = asked;
  const all = { ...rest, ...(cityId !== undefined && { city: `cty_${cityId}` }), page, limit };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  const { list, count } = await read(w, "/nHomeList", Object.fromEntries(given.map(([k, v]) => [k, String(v)])));
  return { ids: (list as { id: string }[]).map(({ id }) => id), count: count };
}

const anyAsked = fc.record(
  {
    sort: fc.constantFrom(...SORTS),
    city: fc.constantFrom(undefined, 1, 2),
    price_min: fc.constantFrom(undefined, 0, 2, 4, 9),
    price_max: fc.constantFrom(undefined, 3, 5),
    height_min: fc.constantFrom(undefined, undefined, 170),
  },
  { requiredKeys: ["sort"] },
);

describe("the pages of a list", () => {
  it("put together are the whole list in order, whatever order they are read in", async () => {
    const property = fc.asyncProperty(
      anyAsked,
      fc.integer({ min: 1, max: 50 }),
      fc.nat(),
      async (asked, limit, seed) => {
        const wanted = expected(asked);
        const pages = Array.from({ length: Math.ceil(wanted.length / limit) }, (_, i) => i + 1);
        const shuffled = seed % 2 ? pages : pages.toSorted((a, b) => ((a * 7 + seed) % 11) - ((b * 7 + seed) % 11));
        const found = new Map<number, string[]>();
        for (const number of shuffled) {
          const { ids, count } = await page(asked, number, limit);
          expect(count).toBe(wanted.length);
          found.set(number, ids);
        }
        expect(pages.flatMap((number) => found.get(number)!)).toEqual(wanted);
        expect(await page(asked, pages.length + 1, limit)).toEqual({ ids: [], count: wanted.length });
      },
    );
    await fc.assert(property, { numRuns: 60, seed: 2026 });
  });

  it("follow every change at once", async () => {
    const changes = fc.asyncProperty(
      fc.nat(119),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      async (i, units, paused) => {
        Object.assign(model[i]!, { units, paused });
        await change(w, `c${i + 1}`, { price: fromUnits(units), paused });
        for (const sort of SORTS) {
          const wanted = expected({ sort, city: 1 });
          const { ids, count } = await page({ sort, city: 1 }, 2, 10);
          expect([ids, count]).toEqual([wanted.slice(10, 20), wanted.length]);
        }
      },
    );
    await fc.assert(changes, { numRuns: 15, seed: 7 });
  });
});

describe("a plain list", () => {
  it("is read from one index, without a scan and without sorting, wherever its page begins", () => {
    const raw = new Sqlite(join(w.folder, "trio.db"), { readonly: true });
    const reader = drizzle(raw, { casing: "snake_case" }) as unknown as Tx;
    const plansOf = ({ sql, params }: { sql: string; params: unknown[] }) =>
      (raw.prepare(`explain query plan ${sql}`).all(...params) as { detail: string }[]).map(({ detail }) => detail);
    const plans = SORTS.flatMap((sort) =>
      [null, 1].flatMap((cityId) =>
        (sort.startsWith("price") ? [null, [1, 2] as [number, number]] : [null]).flatMap((price) => {
          const list = { sort, cityId, price };
          const pieces = [null, { key: 5, id: 7 }].flatMap((after) =>
            [0, 30].flatMap((offset) => placeQueries(reader, list, { after, limit: 10, offset })),
          );
          return [...pieces, countQuery(reader, list)].map((query) => plansOf(query.toSQL()));
        }),
      ),
    );
    raw.close();
    expect(plans.length).toBeGreaterThan(60);
    for (const plan of plans) expect(plan).toEqual([expect.stringMatching(/^SEARCH listings USING COVERING INDEX/)]);
  });
});
