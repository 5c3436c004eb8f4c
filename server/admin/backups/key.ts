import { resolve } from "node:path";
import { takeFreeName, writeDurably } from "#db/durable.ts";
import { makeKeyFile } from "#db/sealed-file.ts";
import { Refused, type Service } from "#server/admin/command.ts";

export const backupKey: Service = {
  usage: "FILE",
  does: "Makes a key that opens sealed backups, and prints the public key for BACKUP_RECIPIENTS; run it elsewhere than on the server",
  async serve({ input }) {
    const file = resolve(input.args.FILE!);
    const { text, recipient } = await makeKeyFile();
    await writeDurably(file, text, takeFreeName).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? new Refused(`${file} exists already`) : error;
    });
    return {
      text: `BACKUP_RECIPIENTS=${recipient}\n${file} opens what is sealed for it. Keep it off the server, and keep two copies.`,
      json: { ok: true, file, recipient },
    };
  },
};
