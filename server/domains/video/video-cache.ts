import { asc, desc } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { DatabaseCache, type CacheStamp } from "#db/database-cache.ts";
import { videoCategories, videos } from "#db/schema/video.ts";
import type { LocalText } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";

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
}

/** The ids of all videos in order, cached until a video is added or removed. */
export class VideoCache {
  readonly #read: Tx;
  readonly #known: DatabaseCache<Known>;

  constructor(read: Tx, changes: CacheStamp) {
    this.#read = read;
    this.#known = new DatabaseCache(changes);
  }

  async categories(): Promise<Category[]> {
    return (await this.#now()).categories;
  }

  /** The videos of a category, or of all, newest first. Throws `object.unknown`. */
  async list(key: string | undefined): Promise<readonly number[]> {
    const { categories, byCategory, all } = await this.#now();
    if (key === undefined) return all;
    const category = categories.find((one) => one.key === key);
    if (!category) throw new Refusal("object.unknown");
    return byCategory.get(category.id) ?? [];
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
      const { id, categoryId } = videos;
      const rows = await this.#read.select({ id, categoryId }).from(videos).orderBy(desc(id));
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
      return { categories, byCategory, all: rows.map((row) => row.id) };
    });
  }
}
