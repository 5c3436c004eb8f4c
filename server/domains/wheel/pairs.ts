import { and, desc, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import type { WheelSeeds } from "./seeds.ts";

export type Pair = typeof wheelPairs.$inferSelect;

/** The seed pair of a member's next spin; undefined before the first one is needed. */
export async function findPair(read: Tx, memberId: number): Promise<Pair | undefined> {
  const [pair] = await read
    .select()
    .from(wheelPairs)
    .where(and(eq(wheelPairs.memberId, memberId), isNull(wheelPairs.revealedAt)))
    .orderBy(desc(wheelPairs.number))
    .limit(1);
  return pair;
}

/** The same, created if there is none. */
export async function openPair(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  seeds: WheelSeeds,
  memberId: number,
): Promise<Pair> {
  const pair = await findPair(tx, memberId);
  return pair ?? beginPair(tx, deps, seeds, { memberId, number: 0, clientSeed: randomWords(deps.random) });
}

/** Begins a pair. Only its commit is stored; the seed can be derived again. */
export async function beginPair(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  seeds: WheelSeeds,
  { memberId, number, clientSeed }: Pick<Pair, "memberId" | "number" | "clientSeed">,
): Promise<Pair> {
  const commit = seeds.commitOf(memberId, number);
  const row = { memberId, number, commit, clientSeed, createdAt: clock.now() };
  const [pair] = await tx.insert(wheelPairs).values(row).returning();
  return pair!;
}

/** Words for a default client seed: plain, short, without a colon. Their number is a power of two. */
const WORDS = [
  "amber apple autumn bamboo beach birch breeze bridge",
  "candle canvas cedar chalk cherry clay cloud clover",
  "coral cotton creek dune eagle ember feather fern",
  "field forest garden ginger glass harbor hazel hill",
  "honey island ivory jasmine lake lantern lemon lily",
  "linen lotus maple meadow melon mint moon moss",
  "north ocean olive orchid paper pearl pepper pine",
  "plum rain river sand silver snow star willow",
].flatMap((line) => line.split(" "));

const HOW_MANY = 5;

/** Random words for a member who has not chosen their own yet. */
function randomWords(random: (bytes: number) => Uint8Array): string {
  return Array.from(random(HOW_MANY), (byte) => WORDS[byte % WORDS.length]!).join("-");
}
