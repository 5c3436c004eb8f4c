import { desc, eq } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import { logKeys, logRotations } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { keyChangeText } from "#shared/log/leaf.ts";
import { keyText } from "#shared/log/note.ts";
import { toBase64 } from "#shared/log/strict.ts";
import { addNewLeaf } from "./add-leaf.ts";
import { lastBatch, newKey, signerOf, type LogKey } from "./log-key.ts";

type Parts = Pick<Deps, "db" | "clock" | "keys" | "log" | "random">;

/**
 * Replaces the key in force, if the operator has said so. The leaf that both keys signed names the last batch of the old
 * one. Of servers that do this at once, one does it.
 */
export async function rotateKey(parts: Parts, { id }: LogKey): Promise<void> {
  const [said] = await parts.db.read.select().from(logRotations).where(eq(logRotations.id, id));
  if (!said) return;
  const isDone = await parts.db.transact(async (tx) => {
    const batch = await lastBatch(tx);
    const [old] = await tx.select().from(logKeys).orderBy(desc(logKeys.id)).limit(1);
    if (old?.id !== id) return false;
    const at = parts.clock.now();
    const row = { ...old, id: id + 1, ...newKey(parts), firstBatch: batch + 1, createdAt: at };
    const [first] = await tx.insert(logKeys).values(row).onConflictDoNothing().returning({ id: logKeys.id });
    if (!first) return false;
    failpoint("log.rotate", id);
    const [one, other] = [signerOf(parts, old), signerOf(parts, row)];
    const change = { old: keyText(one.key), next: keyText(other.key), batch, reason: said.reason, at };
    const message = Buffer.from(keyChangeText(change));
    const [old_signature, next_signature] = [toBase64(one.sign(message)), toBase64(other.sign(message))];
    await addNewLeaf(tx, { kind: "key", ...change, old_signature, next_signature });
    return true;
  }, "fence");
  if (isDone) parts.log.warn({ key: id + 1 }, "another key signs the public log now");
}
