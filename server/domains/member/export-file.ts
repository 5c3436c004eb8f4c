import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { readVersion } from "#server/domains/ledger/wallet.ts";
import { serve } from "#server/http/serve.ts";
import { serveFile } from "#server/http/serve-file.ts";
import { dataExport, exportKey, type ExportFormat } from "#shared/contract/export.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { dayOf, dayText } from "#shared/time.ts";
import { ACCOUNT_SECTIONS } from "./export-account.ts";
import { writerOf } from "./export-format.ts";
import { ExportLimit } from "./export-limit.ts";
import { LOG_SECTIONS } from "./export-log.ts";
import { MONEY_SECTIONS } from "./export-money.ts";
import { PLAY_SECTIONS } from "./export-play.ts";
import { RETURN_SECTIONS } from "./export-returns.ts";
import { ExportSigner } from "./export-signer.ts";

const SECTIONS = [...ACCOUNT_SECTIONS, ...MONEY_SECTIONS, ...RETURN_SECTIONS, ...PLAY_SECTIONS, ...LOG_SECTIONS];

type Wanted = { memberId: number; format: ExportFormat; locale: LocaleCode };

/** A member's own data as a signed file, and the key to check it with. */
export function exportRoutes(app: FastifyInstance, deps: Deps): void {
  const signer = new ExportSigner(deps.keys);
  const limit = new ExportLimit();

  serve(app, deps, exportKey, () => ({ algorithm: "Ed25519" as const, key: signer.publicKey }));

  serveFile(app, deps, dataExport, async ({ input: { format }, caller: { memberId }, locale }) => {
    const done = await limit.begin(deps, memberId);
    await deps.db
      .transact((tx) => tellSecurity(tx, deps, memberId, "exportTaken"))
      .catch((error: unknown) => {
        done();
        throw error;
      });
    const pieces = writeExport(deps, signer, { memberId, format, locale });
    const content = Readable.from(withDone(done, pieces), { objectMode: false });
    // A client that hangs up before the first piece is done too.
    content.once("close", done);
    const name = `trio-data-${dayText(dayOf(deps.clock.now()))}.${format}`;
    return { name, type: writerOf(format).type, content };
  });
}

/** Frees the slot before the client sees the end, so that its next request is not refused as a second one. */
async function* withDone(done: () => void, pieces: AsyncIterable<Buffer>) {
  try {
    yield* pieces;
  } finally {
    done();
  }
}

/**
 * Streams the file as fast as it is read. Everything in it was committed before it began: ledger rows never change, and
 * the wallet's version names the last one. It holds no lock and no snapshot.
 */
async function* writeExport(deps: Deps, signer: ExportSigner, { memberId, format, locale }: Wanted) {
  const { text, settings, clock, db, publicLog } = deps;
  const version = await readVersion(db.read, memberId);
  const subject = { text, settings, db, publicLog, read: db.read, memberId, version, locale, now: clock.now() };
  const writer = writerOf(format);
  const hash = createHash("sha256");
  const counted = (piece: string): Buffer => {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    return bytes;
  };
  yield counted(writer.head());
  for (const { name, pieces } of SECTIONS) {
    yield counted(writer.begin(name));
    for await (const rows of pieces(subject)) {
      yield counted(writer.rows(name, rows));
      await setImmediate();
    }
    yield counted(writer.end());
  }
  yield Buffer.from(writer.signature(signer.sign(hash.digest())));
}
