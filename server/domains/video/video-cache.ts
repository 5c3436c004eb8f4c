import { asc, desc } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { DatabaseCache, type CacheStamp } from "#db/database-cache.ts";
import { videoCategories, videos } from "#db/schema/video.ts";
import type { Deps } from "#server/app/deps.ts";
import type { VideoSort } from "#shared/contract/video.ts";
import { foldWords } from "#shared/fold-words.ts";
import type { LocalText } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { SECOND_MS } from "#shared/time.ts";

export interface Category {
  id: number;
  key: string;
  name: LocalText;
}

interface Known {
  categories: Category[];
  /** The videos of each category, the newest first. */
  byCategory: Map<number, number[]>;
  all: number[];
  durations: Map<number, number>;
  /** The folded words of each title, in all its languages. */
  words: Map<number, string>;
}

/** What a viewer looks for. */
interface Wanted {
  /** The category; all of them by default. */
  key: string | undefined;
  /** Folded; a title has each of them, as a word or inside one. */
  words: readonly string[];
  sort: VideoSort;
}

/** How old the order of the most watched may be: counts change all the time. */
const PLAYS_MS = 10 * SECOND_MS;

/** The ids of all videos in order, cached until a video is added or removed. */
export class VideoCache {
  readonly #read: Tx;
  readonly #clock: Deps["clock"];
  readonly #known: DatabaseCache<Known>;
  readonly #byPlays: DatabaseCache<Map<number, number>>;

  constructor({ db, clock }: Pick<Deps, "db" | "clock">, changes: CacheStamp) {
    this.#read = db.read;
    this.#clock = clock;
    this.#known = new DatabaseCache(changes);
    this.#byPlays = new DatabaseCache(changes, 1);
  }

  async categories(): Promise<Category[]> {
    return (await this.#now()).categories;
  }

  /** The videos that are looked for, in the order asked for; those alike newest first. Throws `object.unknown`. */
  async list({ key, words, sort }: Wanted): Promise<readonly number[]> {
    const known = await this.#now();
    const ids = idsOf(known, key).filter((id) => words.every((word) => known.words.get(id)!.includes(word)));
    if (sort === "newest") return ids;
    const size = sort === "plays" ? await this.#playsOfEach() : known.durations;
    const way = sort === "shortest" ? -1 : 1;
    return ids.sort((one, other) => way * ((size.get(other) ?? 0) - (size.get(one) ?? 0)) || other - one);
  }

  #playsOfEach(): Promise<Map<number, number>> {
    return this.#byPlays.get(String(Math.floor(this.#clock.now() / PLAYS_MS)), async () => {
      const { id, plays } = videos;
      return new Map((await this.#read.select({ id, plays }).from(videos)).map((row) => [row.id, row.plays]));
    });
  }

  /** The videos after this one in its category, wrapping around, then the newest of the others. */
  async after(video: { id: number; categoryId: number }, most: number): Promise<number[]> {
    const { byCategory, all } = await this.#now();
    const alike = byCategory.get(video.categoryId) ?? [];
    const place = alike.indexOf(video.id);
    const following = [...alike.slice(place + 1), ...alike.slice(0, Math.max(place, 0))].slice(0, most);
    const near = new Set([video.id, ...following]);
    const others: number[] = [];
    for (const id of all) {
      if (following.length + others.length >= most) break;
      if (!near.has(id)) others.push(id);
    }
    return [...following, ...others];
  }

  #now(): Promise<Known> {
    return this.#known.get("", async () => {
      const { id, categoryId, durationMs, title } = videos;
      const rows = await this.#read.select({ id, categoryId, durationMs, title }).from(videos).orderBy(desc(id));
      const byCategory = new Map<number, number[]>();
      for (const row of rows) {
        const ids = byCategory.get(row.categoryId);
        if (ids) ids.push(row.id);
        else byCategory.set(row.categoryId, [row.id]);
      }
      const categories = await this.#read
        .select({ id: videoCategories.id, key: videoCategories.key, name: videoCategories.name })
        .from(videoCategories)
        .orderBy(asc(videoCategories.position), asc(videoCategories.id));
      const durations = new Map(rows.map((row) => [row.id, row.durationMs]));
      const words = new Map(rows.map((row) => [row.id, wordsOf(row.title)]));
      return { categories, byCategory, all: rows.map((row) => row.id), durations, words };
    });
  }
}

function idsOf({ categories, byCategory, all }: Known, key: string | undefined): number[] {
  if (key === undefined) return all;
  const category = categories.find((one) => one.key === key);
  if (!category) throw new Refusal("object.unknown");
  return byCategory.get(category.id) ?? [];
}

const wordsOf = (title: LocalText): string =>
  (typeof title === "string" ? [title] : Object.values(title)).flatMap(foldWords).join(" ");
