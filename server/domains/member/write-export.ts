import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { readVersion } from "#server/domains/ledger/wallet.ts";
import type { ExportFormat } from "#shared/contract/export.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { ACCOUNT_SECTIONS } from "./export-account.ts";
import { writerOf } from "./export-format.ts";
import { MONEY_SECTIONS } from "./export-money.ts";
import type { Section, Subject } from "./export-pages.ts";
import { PLAY_SECTIONS } from "./export-play.ts";
import { RETURN_SECTIONS } from "./export-returns.ts";
import type { ExportSigner } from "./export-signer.ts";
import type { Deps } from "#server/app/deps.ts";

/** What the house knows of a member. */
export const DATA_SECTIONS: readonly Section[] = [
  ...ACCOUNT_SECTIONS,
  ...MONEY_SECTIONS,
  ...RETURN_SECTIONS,
  ...PLAY_SECTIONS,
];

/** Whose data, and how it is written. */
export type Wanted = { memberId: number; format: ExportFormat; locale: LocaleCode; sections: readonly Section[] };

type Needs = Pick<Subject, "text" | "settings" | "db"> & Pick<Deps, "clock">;

/**
 * Streams the file as fast as it is read. Everything in it was committed before it began: ledger rows never change, and
 * the wallet's version names the last one. It holds no lock and no snapshot.
 */
export async function* writeExport(deps: Needs, signer: ExportSigner, { memberId, format, locale, sections }: Wanted) {
  const { text, settings, clock, db } = deps;
  const version = await readVersion(db.read, memberId);
  const subject = { text, settings, db, read: db.read, memberId, version, locale, now: clock.now() };
  const writer = writerOf(format);
  const hash = createHash("sha256");
  const counted = (piece: string): Buffer => {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    return bytes;
  };
  yield counted(writer.head());
  for (const { name, pieces } of sections) {
    yield counted(writer.begin(name));
    for await (const rows of pieces(subject)) {
      yield counted(writer.rows(name, rows));
      await setImmediate();
    }
    yield counted(writer.end());
  }
  yield Buffer.from(writer.signature(signer.sign(hash.digest())));
}
