import { resolve } from "node:path";
import { isPostgres } from "#db/dialect.ts";

/** Where a site's data lies. `name` is for people: it has no password. */
export type Address = { kind: "postgres"; url: string; name: string } | { kind: "sqlite"; file: string; name: string };

/** Null for a text that names neither a PostgreSQL database nor a file. */
export function addressOf(text: string): Address | null {
  if (isPostgres(text)) {
    if (!URL.canParse(text)) return null;
    const { protocol, username, host, pathname } = new URL(text);
    if (pathname.length < 2) return null;
    return { kind: "postgres", url: text, name: `${protocol}//${username && `${username}@`}${host}${pathname}` };
  }
  if (text === "" || /^[a-z0-9+.-]+:\/\//i.test(text) || /^[a-z0-9+-]{2,}:/i.test(text)) return null;
  const file = resolve(text);
  return { kind: "sqlite", file, name: file };
}
