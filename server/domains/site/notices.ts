import type { Tx } from "#db/db.ts";
import { notices } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Notice } from "#shared/contract/site.ts";
import { localText, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { toSeconds } from "#shared/time.ts";

export function noticeView(row: typeof notices.$inferSelect, locale: LocaleCode): Notice {
  return {
    id: `ntc_${row.id}`,
    name: localText(row.name, locale),
    text: localText(row.text, locale),
    create_time: toSeconds(row.createdAt),
  };
}

/** Adds a notice and pushes it to every connected client. */
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
  await deps.announce(tx, "notice.added", { noticeId: row!.id });
  return row!.id;
}
