import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { serve } from "#server/http/serve.ts";
import { serveFile } from "#server/http/serve-file.ts";
import { dataExport, exportKey } from "#shared/contract/export.ts";
import { dayOf, dayText } from "#shared/time.ts";
import { writerOf } from "./export-format.ts";
import { ExportLimit } from "./export-limit.ts";
import { readExportKeys } from "./export-keys.ts";
import { exportKeyOf, ExportSigner } from "./export-signer.ts";
import { logSections } from "./export-log.ts";
import { DATA_SECTIONS, writeExport } from "./write-export.ts";

/** A member's own data as a signed file, and the key to check it with. */
export function exportRoutes(app: FastifyInstance, deps: Deps): void {
  const signer = new ExportSigner(deps.keys);
  const sections = [...DATA_SECTIONS, ...logSections(deps.publicLog.wanted.keys)];
  const limit = new ExportLimit();

  serve(app, deps, exportKey, async () => {
    const keys = await readExportKeys(deps.db.read, deps.clock.now());
    return { algorithm: "Ed25519" as const, key: exportKeyOf(deps.keys.now), keys };
  });

  serveFile(app, deps, dataExport, async ({ input: { format }, caller: { memberId }, locale }) => {
    const done = await limit.begin(deps, memberId);
    await deps.db
      .transact((tx) => tellSecurity(tx, deps, memberId, "exportTaken"))
      .catch((error: unknown) => {
        done();
        throw error;
      });
    const pieces = writeExport(deps, signer, { memberId, format, locale, sections });
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
