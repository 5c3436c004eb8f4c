import { count } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseCache, staleStamp } from "#db/database-cache.ts";
import { members } from "#db/schema/member.ts";
import { world, type World } from "../support/world.ts";

let w: World;
let reads: number;
let stamps: Set<number>;
let cache: DatabaseCache<number>;

beforeEach(async () => {
  w = await world();
  reads = 0;
  stamps = new Set();
  const source = staleStamp(w.deps.db);
  const stamp = () => {
    const now = source.stamp();
    stamps.add(now);
    return now;
  };
  cache = new DatabaseCache({ stamp });
});
afterEach(() => w.close());

const countMembers = () =>
  cache.get("members", async () => {
    reads++;
    const [row] = await w.deps.db.read.select({ count: count() }).from(members);
    return row!.count;
  });
const askAtOnce = (people: number) => Promise.all(Array.from({ length: people }, countMembers));

describe("a thousand concurrent reads of the same", () => {
  it("cost one query", async () => {
    await w.player("mia_1");
    const answers = await askAtOnce(1_000);
    expect([answers.length, new Set(answers)]).toEqual([1_000, new Set([1])]);
    // On PostgreSQL the stamp also changes with time: two reads at most meanwhile.
    expect([reads, stamps.size <= 2]).toEqual([stamps.size, true]);
  });

  it("return what was committed before them, whatever is still being read for others", async () => {
    await w.player("mia_1");
    const before = askAtOnce(500);
    await w.player("leo_1");
    expect(new Set(await askAtOnce(500))).toEqual(new Set([2]));
    expect((await before).every((found) => found === 1 || found === 2)).toBe(true);
    expect(reads).toBeLessThanOrEqual(stamps.size);
  });
});
