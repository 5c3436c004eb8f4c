import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { batchSignatures } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import type { NoteKey, Signer } from "#shared/log/note.ts";
import { batchText } from "#shared/log/receipt.ts";
import { toBase64 } from "#shared/log/strict.ts";
import type { Head } from "#shared/log/tree.ts";
import { noteKeyOf, signerOf, type KeyRow } from "./log-key.ts";
import { isKeyTold, readKeys } from "./read-keys.ts";

/** A batch's signature, and the key that made it. */
export interface SignedBatch {
  key: NoteKey;
  signature: string;
}

/**
 * Signs batches of bets, each by the key of its time, also when it is asked again after that key was replaced. A new key
 * signs none before everybody can learn it from a head.
 */
export class BatchKeys {
  readonly #deps: Pick<Deps, "db" | "keys">;
  /** Announces a head that names the newest key. */
  readonly #tell: () => Promise<void>;
  /** All keys that this process knows, oldest first. */
  #keys: KeyRow[] = [];
  readonly #told = new Set<number>();
  readonly #signers = new Map<number, Signer>();

  constructor(deps: Pick<Deps, "db" | "keys">, tell: () => Promise<void>) {
    this.#deps = deps;
    this.#tell = tell;
  }

  /** `newest`: the newest key as the batch was committed, where that is known. */
  async sign(batch: number, head: Head, newest?: number): Promise<SignedBatch> {
    if (newest === undefined || newest > (this.#keys.at(-1)?.id ?? 0)) this.#keys = await readKeys(this.#deps.db.read);
    const row = this.#keys.findLast(({ firstBatch }) => firstBatch <= batch)!;
    await this.#makeSure(row);
    const key = noteKeyOf(row);
    const isLast = row === this.#keys.at(-1);
    const kept = isLast ? undefined : await keptSignature(this.#deps.db.read, batch);
    if (kept !== undefined) return { key, signature: kept };
    return { key, signature: toBase64(this.#signer(row).sign(Buffer.from(batchText(key.name, batch, head)))) };
  }

  async #makeSure(row: KeyRow): Promise<void> {
    if (this.#told.has(row.id)) return;
    const isTold = () => isKeyTold(this.#deps.db.read, row, this.#keys);
    if (!(await isTold())) {
      await this.#tell();
      if (!(await isTold())) throw new Error(`no head names the log's key ${row.id} yet`);
    }
    this.#told.add(row.id);
  }

  #signer(row: KeyRow): Signer {
    let signer = this.#signers.get(row.id);
    if (!signer) this.#signers.set(row.id, (signer = signerOf(this.#deps, row)));
    return signer;
  }
}

async function keptSignature(read: Tx, batch: number): Promise<string | undefined> {
  const [row] = await read.select().from(batchSignatures).where(eq(batchSignatures.batch, batch));
  return row?.signature;
}
