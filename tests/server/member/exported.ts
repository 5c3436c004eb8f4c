import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beProven } from "../../support/credentials.ts";
import type { Player, World } from "../../support/world.ts";

type Line = Record<string, string & string[]>;
export type ExportedFile = Record<string, Line[]>;

/** Fetches a member's export as a program does. */
export async function fetchExport(w: World, { memberId, token }: Pick<Player, "memberId" | "token">, format: string) {
  await beProven(w, memberId);
  const headers = { token: Buffer.from(token).toString("base64"), lang: "en_us" };
  return w.site.app.inject({ url: `/api/member/export?format=${format}`, headers });
}

export const exported = async (w: World, player: Player): Promise<ExportedFile> =>
  JSON.parse((await fetchExport(w, player, "json")).body) as ExportedFile;

/** A test's files, deleted with it. */
export class ExportFolder {
  readonly folder = mkdtempSync(join(tmpdir(), "trio-export-"));

  keep(bytes: Uint8Array): string {
    const path = join(this.folder, randomBytes(6).toString("hex"));
    writeFileSync(path, bytes);
    return path;
  }

  clear(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Parses CSV strictly by RFC 4180. */
export function parseCsv(text: string): string[][] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, cell, end] of cells) {
    rows.at(-1)!.push(cell!.startsWith('"') ? cell!.slice(1, -1).replaceAll('""', '"') : cell!);
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}
