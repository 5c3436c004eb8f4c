import { statSync } from "node:fs";
import { resolve } from "node:path";
import { eq } from "drizzle-orm";
import { backUp } from "#db/backup.ts";
import { meta } from "#db/schema/site.ts";
import { type Command, Refused } from "./command.ts";

const MEBIBYTE = 1_048_576;

export const backup: Command = {
  usage: "FILE",
  does: "Copies the whole database, as it is at one moment, into a new file; the master key is not in it",
  async run({ db, random }, { args }) {
    const file = resolve(args.FILE!);
    await backUp(db, file, Buffer.from(random(8)).toString("hex")).catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === undefined ? new Refused(error.message) : error;
    });
    const { size } = statSync(file);
    const what = db.engine === "sqlite" ? "checked" : "an archive for pg_restore; after it, npm run admin -- restored";
    return { text: `${file}: ${(size / MEBIBYTE).toFixed(1)} MiB, ${what}.`, json: { ok: true, file, bytes: size } };
  },
};

export const restored: Command = {
  usage: "",
  does: "Says that this database has just been restored: clients fetch everything anew. Before the servers start again",
  async run({ db, random }) {
    const epoch = Buffer.from(random(8)).toString("hex");
    await db.transact((tx) => tx.update(meta).set({ value: epoch }).where(eq(meta.name, "epoch")));
    return { text: `Epoch ${epoch}. Start the servers.`, json: { ok: true, epoch } };
  },
};
