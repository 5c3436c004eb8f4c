import { at, int, json, rowId, table, text } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";

/** The settings that the operator changed. All others have their defaults. */
export const settings = table("settings", {
  name: text().primaryKey(),
  value: json<unknown>().notNull(),
});

/** Facts about this database: its `epoch`, and the `key` that its secrets were made with. */
export const meta = table("meta", {
  name: text().primaryKey(),
  value: text().notNull(),
});

export const notices = table("notices", {
  id: rowId(),
  name: json<LocalText>().notNull(),
  text: json<LocalText>().notNull(),
  createdAt: at().notNull(),
  /** Why it was taken back; it is read in the place of the text. Null while it stands. */
  takenBack: json<LocalText>(),
});

export const banners = table("banners", {
  id: rowId(),
  url: text().notNull(),
  link: text().notNull(),
  /** What it says over the picture; null for nothing. */
  caption: json<LocalText>(),
  position: int().notNull(),
});
