import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Settings } from "#server/app/settings.ts";
import { loadTexts } from "#server/app/texts.ts";
import { openKeys } from "#server/config/master-key.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { ExportSigner } from "#server/domains/member/export-signer.ts";
import { DATA_SECTIONS, writeExport } from "#server/domains/member/write-export.ts";
import { Refused, type Command } from "./command.ts";
import { needMember, readReason } from "./read-words.ts";

/** Nobody else on the machine may read it. */
const OWNER_ONLY = 0o600;

export const memberExport: Command = {
  usage: "NAME FILE --reason T",
  makes: "FILE",
  local: ["reason"],
  does: "Writes a member's data into a new file, for a member who cannot download it; they read that, and the reason",
  more: () =>
    [
      "A FILE that ends in .csv is CSV, any other JSON: what the member's own export says, signed by the same key, without the",
      "proofs of the public log. Make sure that you speak to the member, and delete the file once they have it.",
      "T is a text, or JSON by language; the member reads it among their messages.",
    ].join("\n"),
  async run(operator, { args, options }) {
    const [file, reason] = [resolve(args.FILE!), readReason(options.reason)];
    const { id: memberId, username } = await needMember(operator.db.read, args.NAME!);
    const { keys, isOwn } = await openKeys(operator.db.read, operator.config, operator.clock);
    if (!isOwn) throw new Refused("The master key here belongs to another database.");
    const signer = new ExportSigner(keys);
    const settings = new Settings(operator.db);
    await settings.load();
    const out = createWriteStream(file, { flags: "wx", mode: OWNER_ONLY });
    await new Promise<void>((done, fail) => {
      out.once("ready", done).once("error", fail);
    }).catch((error: Error) => {
      throw new Refused(error.message);
    });
    const format = extname(file) === ".csv" ? "csv" : "json";
    const wanted = { memberId, format, locale: "en_us", sections: DATA_SECTIONS } as const;
    const needs = { ...operator, settings, text: loadTexts() };
    try {
      // Told before the first byte: a file that nobody was told of is never made.
      await operator.db.transact((tx) => tellSecurity(tx, operator, memberId, "exportedByHouse", { reason }));
      await pipeline(Readable.from(writeExport(needs, signer, wanted)), out);
    } catch (error) {
      // Not to be taken for the whole, nor in the way of the next one.
      out.destroy();
      await rm(file, { force: true });
      throw error;
    }
    return { text: `${file}: what the house knows of ${username}.`, json: { ok: true, file } };
  },
};
