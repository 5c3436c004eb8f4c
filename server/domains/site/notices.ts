import { and, desc, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { notices } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";
import { queuePushToAll } from "#server/domains/account/queue-push.ts";
import type { Notice } from "#shared/contract/site.ts";
import { LOCALES, localText, localTexts, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { toSeconds } from "#shared/time.ts";

/** A notice as members read it. One that was taken back keeps its place, and says so and why. */
export function noticeView(
  { text: texts }: Pick<Deps, "text">,
  { id, name, text, takenBack, createdAt }: typeof notices.$inferSelect,
  locale: LocaleCode,
): Notice {
  const said = takenBack === null ? { name, text } : { name: takenBackName(texts, name), text: takenBack };
  return { id: `ntc_${id}`, ...localTexts(said, locale), create_time: toSeconds(createdAt) };
}

const takenBackName = (texts: Deps["text"], name: LocalText): LocalText =>
  Object.fromEntries(
    LOCALES.map(({ code }) => [code, texts(code, "notice.takenBack", { name: localText(name, code) })]),
  );

/** The newest notice that stands. */
export async function newestNotice(read: Tx): Promise<typeof notices.$inferSelect | undefined> {
  const [newest] = await read
    .select()
    .from(notices)
    .where(isNull(notices.takenBack))
    .orderBy(desc(notices.id))
    .limit(1);
  return newest;
}

/** Adds a notice, pushes it to every connected client, and tells the devices that want notices. */
export async function addNotice(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  name: LocalText,
  text: LocalText,
): Promise<number> {
  const [row] = await tx
    .insert(notices)
    .values({ name, text, createdAt: deps.clock.now() })
    .returning({ id: notices.id });
  await queuePushToAll(tx, deps.clock.now(), "notices", row!.id);
  await deps.announce(tx, "notice.added", { noticeId: row!.id });
  return row!.id;
}

/**
 * Takes a notice back, once: members read the reason in its place, at once where they are connected. Returns false where
 * there is no such notice that stands.
 */
export async function takeNoticeBack(
  tx: Tx,
  deps: Pick<Deps, "announce">,
  id: number,
  reason: LocalText,
): Promise<boolean> {
  const stands = and(eq(notices.id, id), isNull(notices.takenBack));
  const taken = await tx.update(notices).set({ takenBack: reason }).where(stands).returning({ id: notices.id });
  if (taken.length === 0) return false;
  await deps.announce(tx, "notice.added", { noticeId: id });
  return true;
}
