import { at, int, json, rowId, table, text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";

/** The settings that the operator changed. All others have their defaults. */
export const settings = table("settings", {
  name: text().primaryKey(),
  value: json<unknown>().notNull(),
});

/** Facts about this database, such as its `epoch`. */
export const meta = table("meta", {
  name: text().primaryKey(),
  value: text().notNull(),
});

/**
 * The master keys of this database: a version is the number of its row. What is sealed or hashed under a key names its
 * version. The keys themselves are not here.
 */
export const masterKeys = table(
  "master_keys",
  {
    id: rowId(),
    /** A public hash of the key. */
    fingerprint: text().notNull(),
    /** The UTC day (shared/time.ts) from which it is in force; 0 for the first. */
    fromDay: int().notNull(),
    /** What it signs members' exports with, the public half, hex. Null until a server has started with it. */
    exportKey: text(),
    createdAt: at().notNull(),
  },
  (t) => [uniqueIndex("master_keys_fingerprint").on(t.fingerprint)],
);

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
