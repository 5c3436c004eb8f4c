import { asc } from "drizzle-orm";
import { banners } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";

/**
 * The picture that Home begins with, so that the page can ask for it before its scripts have asked for Home's answers.
 * It is told from memory, and looked up again after each time it was asked for: no page ever waits for the database, and
 * one page at most is told of a banner that was just taken away. Undefined where there is none, or where whoever has not
 * logged in sees the login.
 */
export function firstPicture({ db, settings }: Pick<Deps, "db" | "settings">): () => string | undefined {
  let known: string | undefined;
  let looking = false;

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const [first] = await db.read.select({ url: banners.url }).from(banners).orderBy(asc(banners.position)).limit(1);
      known = first?.url;
    } catch {
      // The database is away: what was known is as good as any.
    } finally {
      looking = false;
    }
  }

  void look();
  return () => {
    void look();
    return settings.get("video_login") === 1 ? undefined : known;
  };
}
