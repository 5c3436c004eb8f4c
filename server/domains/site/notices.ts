import type { Tx } from "#db/db.ts";
import { notices } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";
import { queuePushToAll } from "#server/domains/account/queue-push.ts";
import type { Notice } from "#shared/contract/site.ts";
import { localTexts, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { toSeconds } from "#shared/time.ts";

export function noticeView(row: typeof notices.$inferSelect, locale: LocaleCode): Notice {
  return {
    id: `ntc_${row.id}`,
    ...localTexts({ name: row.name, text: row.text }, locale),
    create_time: toSeconds(row.createdAt),
  };
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
