import { at, int, json, rowId, table, text } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";

/** What the operator set; everything else has its default. */
export const settings = table("settings", {
  name: text().primaryKey(),
  value: json<unknown>().notNull(),
});

/** Facts of this database itself: `epoch`, and the `key` its secrets were made with. */
export const meta = table("meta", {
  name: text().primaryKey(),
  value: text().notNull(),
});

export const notices = table("notices", {
  id: rowId(),
  name: json<LocalText>().notNull(),
  text: json<LocalText>().notNull(),
  createdAt: at().notNull(),
});

export const banners = table("banners", {
  id: rowId(),
  url: text().notNull(),
  link: text().notNull(),
  position: int().notNull(),
});
