import { statSync } from "node:fs";
import { resolve } from "node:path";
import { eq, max, sql } from "drizzle-orm";
import { backUp } from "#db/backup.ts";
import { logKeys, logRestores, logRotations } from "#db/schema/log.ts";
import { meta } from "#db/schema/site.ts";
import type { LocalText } from "#shared/locales.ts";
import { type Command, Refused, type Operator } from "./command.ts";
import { readText } from "./read-words.ts";

const MEBIBYTE = 1_048_576;

export const backup: Command = {
  usage: "FILE",
  makes: "FILE",
  does: "Copies the whole database, as of one moment, into a new file; the master key is not in it",
  more: () => "With BACKUP_RECIPIENTS it is sealed: the key file of one of them opens it (restore, backup:check).",
  async run({ db, random, config: { backupRecipients: recipients } }, { args }) {
    const file = resolve(args.FILE!);
    const epoch = Buffer.from(random(8)).toString("hex");
    await backUp(db, file, { epoch, recipients }).catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === undefined ? new Refused(error.message) : error;
    });
    const { size } = statSync(file);
    const what = recipients.length > 0 ? "sealed" : db.engine === "sqlite" ? "checked" : "an archive for pg_restore";
    return { text: `${file}: ${(size / MEBIBYTE).toFixed(1)} MiB, ${what}.`, json: { ok: true, file, bytes: size } };
  },
};

export const restored: Command = {
  usage: "[--reason T]",
  local: ["reason"],
  does:
    "Marks the database as restored, so that clients refetch everything; run it before the servers start\n" +
    "  --reason ends the public log, which lost leaves, and begins another one that says so to everybody;\n" +
    '  T is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { options }) {
    const reason = options.reason === undefined ? null : readText(options.reason, "--reason");
    const epoch = await markRestored(operator, reason);
    const next = reason ? " The public log begins anew, and says why." : "";
    return {
      text: `Epoch ${epoch}.${next}\n${ERASE_AGAIN}\nStart the servers.`,
      json: { ok: true, epoch, log: reason !== null },
    };
  },
};

/** No backup knows of what came after it. */
export const ERASE_AGAIN =
  "Members who were erased after the backup are back: erase them again. docs/backup-and-move.md says how to find them.";

/** Gives the database a new epoch. With a reason, the next server begins another public log, which says so. */
export async function markRestored(
  { db, random, clock }: Pick<Operator, "db" | "random" | "clock">,
  reason: LocalText | null,
): Promise<string> {
  const epoch = Buffer.from(random(8)).toString("hex");
  await db.transact(async (tx) => {
    await tx.update(meta).set({ value: epoch }).where(eq(meta.name, "epoch"));
    // Said twice before a server has begun the next log, it is one restore.
    const id = sql<number>`(select coalesce(max(${logKeys.log}), 1) from ${logKeys})`;
    if (reason) await tx.insert(logRestores).values({ id, reason, createdAt: clock.now() }).onConflictDoNothing();
  });
  return epoch;
}

export const logKeyRotate: Command = {
  usage: "--reason T",
  local: ["reason"],
  does:
    "Replaces the key that signs the public log, within a minute of a running server; the log says so to everybody\n" +
    '  T is a text, or JSON {"en_us": "…"} by language',
  async run({ db, clock, announce }, { options }) {
    const reason = readText(options.reason!, "--reason");
    const isNew = await db.transact(async (tx) => {
      const [key] = await tx.select({ id: max(logKeys.id) }).from(logKeys);
      if (!key?.id) throw new Refused("the log has no key yet: start a server first");
      const row = { id: key.id, reason, createdAt: clock.now() };
      // Said twice before a server has done it, it is one change.
      const made = await tx.insert(logRotations).values(row).onConflictDoNothing().returning({ id: logRotations.id });
      if (made.length > 0) await announce(tx, "log.rotate", {});
      return made.length > 0;
    });
    const text = isNew
      ? "The log's key is replaced as soon as a server runs. Both keys sign that."
      : "This was said before, and no server has done it yet.";
    return { text, json: { ok: true, new: isNew } };
  },
};
