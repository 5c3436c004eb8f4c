import type Sqlite from "better-sqlite3";
import { immediately } from "#db/sqlite/open.ts";
import { SORTS } from "#shared/contract/listing.ts";
import { againstBare } from "./against-bare.ts";
import { createDatabase, START } from "./database.ts";
import { interleave, nowMs, percentile } from "./measure.ts";
import { startPart } from "./part.ts";
import type { ServerPart } from "./parts/server.ts";
import { inMs, ratioLine, type Row } from "./report.ts";

const FEW = 100;
const MANY = 100_000;
const CITIES = 4;
const PAGES = 5;
const ROUNDS = 10;
const PAIRS = 5;
const MEMBERS = 64;
const PATHS = {
  nHomeList: "/api/nHomeList?page=2&sort=price",
  xuanfeidata: "/api/xuanfei/xuanfeidata?id=lst_7",
};

/** A page of listings among few and among many, and lists and details against the same values as plain JSON. */
export const listingsRow: Row = async (log) => {
  using fewGround = await createDatabase(MEMBERS, (raw) => fillListings(raw, FEW));
  using manyGround = await createDatabase(MEMBERS, (raw) => fillListings(raw, MANY));
  log(`laid ${MANY} listings`);
  await using few = startPart<ServerPart>("server");
  await using many = startPart<ServerPart>("server");
  const fewUrl = await few.call("open", { folder: fewGround.folder, games: [], how: "byHand" });
  const manyUrl = await many.call("open", { folder: manyGround.folder, games: [], how: "byHand" });
  const slowest = await interleave(
    PAIRS,
    () => slowestPage(manyUrl),
    () => slowestPage(fewUrl),
  );
  log(`p99 of a page: ${inMs(slowest.ours)} against ${inMs(slowest.baseline)}`);
  const goal = { better: "less", target: 1.2 } as const;
  const page = ratioLine(`p99 of a page of listings, ${MANY} ÷ ${FEW}`, slowest, inMs, goal);
  return [page, ...(await againstBare(many, { url: manyUrl, members: MEMBERS, paths: PATHS }, log))];
};

/** Every order, of all cities and of each, page after page; the 99th percentile of what an answer takes, in ms. */
async function slowestPage(url: string): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const sort of SORTS) {
      for (let city = 0; city <= CITIES; city++) {
        for (let page = 1; page <= PAGES; page++) {
          // Another limit each time, so that no answer was given before.
          const asked = `page=${page}&sort=${sort}&limit=${10 + round}${city ? `&city=cty_${city}` : ""}`;
          const begunMs = nowMs();
          await (await fetch(`${url}/api/nHomeList?${asked}`)).arrayBuffer();
          took.push(nowMs() - begunMs);
        }
      }
    }
  }
  return percentile(took, 0.99);
}

/** Writes so many listings straight into the tables, as many for one city as for another. */
function fillListings(raw: Sqlite.Database, count: number): void {
  const text = JSON.stringify({ en_us: "A text of some length in one language", vn_vn: "Một đoạn văn bản khá dài" });
  const pictures = JSON.stringify([{ name: "/files/pictures/ab", widths: [320, 640, 1080], ratio: 1.5, blur: "abcd" }]);
  const city = raw.prepare("insert into cities (id, name, position) values (?, ?, ?)");
  const listing = raw.prepare(
    `insert into listings (id, code, city_id, name, headline, district, birthday, height_cm, chest_cm, price, pictures,
     address, contact, service, hearts_mean, created_at)
     values (@id, @code, @city, @text, @text, @text, '1999-12-31', 170, 88, @price, @pictures,
     @text, 'x@example.org', '[]', @hearts, @now)`,
  );
  immediately(raw, () => {
    for (let id = 1; id <= CITIES; id++) city.run(id, JSON.stringify(`City ${id}`), id);
    for (let id = 1; id <= count; id++) {
      const [price, hearts] = [((id * 7919) % 500) * 100 + 100, (id * 31) % 601];
      listing.run({ id, code: `c${id}`, city: (id % CITIES) + 1, text, pictures, price, hearts, now: START });
    }
  });
  raw.pragma("wal_checkpoint(truncate)");
}
